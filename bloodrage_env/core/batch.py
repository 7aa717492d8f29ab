"""Many games at once: one compiled call steps them all, writes the next decisions and resets finished games.

The random numbers of a game follow from its seed, so results do not depend on the number of threads.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from .apart import apart
from .borrowed import borrowed
from .chance import MAX_SEED
from .compiled import Bytes, Bytes2, Compiler, Floats2, Ints, Ints2, Mask2, Record, Records
from .flow import GAME_OVER, Flow
from .prefetch import prefetch
from .rewards import victory_share_rule, win_reward_rule
from .writer import Writer

FORMS: Final = ("bytes", "dense", "sparse", "none")  # of observations


class Sizes(NamedTuple):
    """The lengths of the arrays of one decision."""

    actions: int
    observation: int
    seats: int
    options: int
    hot: int  # bytes at the start of a record that most decisions need
    team: int = 1  # players of a side, who win together


class Batch(NamedTuple):
    """The entries for many games."""

    begin_games: Callable[..., None]
    first_illegal: Callable[[Records, Ints], int]
    step_games: Callable[..., None]
    begin_some: Callable[..., None]
    step_some: Callable[..., None]
    checks: "BatchChecks"


class Views(NamedTuple):
    """Observations of the seats to act, in one or several forms. A form that is not used has no rows."""

    rows: Bytes2  # uint8[N, OBSERVATION_SIZE]: counts
    floats: Floats2  # float32[N, OBSERVATION_SIZE]: counts times scales
    counts: Ints  # int64[N]: how many numbers of a row are not zero
    indices: Ints2  # int64[N, OBSERVATION_SIZE]: which, in the first `counts[i]` of row i
    values: Floats2  # float32[N, OBSERVATION_SIZE]: and what they are, as floats


def new_views(num_games: int, size: int, form: str, allocate: Callable[..., Any] = np.zeros) -> Views:
    """Returns arrays for one form of the observations of N games, one of FORMS."""
    rows, floats, sparse = (num_games * (form == each) for each in FORMS[:3])
    return Views(
        allocate((rows, size), np.uint8),
        allocate((floats, size), np.float32),
        allocate((sparse,), np.int64),
        allocate((sparse, size), np.int64),
        allocate((sparse, size), np.float32),
    )


class BatchChecks(NamedTuple):
    """The checks of the entries for many games."""

    check_decisions: Callable[..., None]
    check_views: Callable[[Records, Views], None]
    check_starts: Callable[..., None]
    check_which: Callable[[Records, Ints], None]


def batch_checks_for(compiler: Compiler, flow: Flow, sizes: Sizes) -> BatchChecks:
    """Makes the checks for one game."""
    check_options = flow.check_options
    num_actions, observation_size, num_options = sizes.actions, sizes.observation, sizes.options

    @compiler.rule
    def check_decisions(states: Records, masks: Mask2, seats: Ints) -> None:
        """Raise ValueError unless each array has a row for each game."""
        if masks.shape != (len(states), num_actions):
            raise ValueError("masks must have the shape (len(states), NUM_ACTIONS)")
        if len(seats) != len(states):
            raise ValueError("seats must be as many as states")

    @compiler.rule
    def check_views(states: Records, views: Views) -> None:
        """Raise ValueError unless the arrays of a form have a row for each game, or none."""
        sparse = len(views.counts)
        if len(views.rows) not in (0, len(states)) or views.rows.shape[1] != observation_size:
            raise ValueError("rows must have the shape (len(states) or 0, OBSERVATION_SIZE)")
        if len(views.floats) not in (0, len(states)) or views.floats.shape[1] != observation_size:
            raise ValueError("floats must have the shape (len(states) or 0, OBSERVATION_SIZE)")
        if sparse not in (0, len(states)):
            raise ValueError("counts must be as many as states, or none")
        if views.indices.shape != (sparse, observation_size):
            raise ValueError("indices must have the shape (len(counts), OBSERVATION_SIZE)")
        if views.values.shape != (sparse, observation_size):
            raise ValueError("values must have the shape (len(counts), OBSERVATION_SIZE)")

    @compiler.rule
    def check_starts(states: Records, seeds: Ints, options: Ints2) -> None:
        """Raise ValueError unless there are a valid seed and valid options for each game."""
        if len(seeds) != len(states):
            raise ValueError("seeds must be as many as states")
        if options.shape != (len(states), num_options):
            raise ValueError("options must have the shape (len(states), NUM_OPTIONS)")
        for game in range(len(states)):
            if seeds[game] < 0:
                raise ValueError("seeds must be 0 to 2**63 - 1")
            check_options(options[game])

    @compiler.rule
    def check_which(states: Records, which: Ints) -> None:
        """Raise ValueError unless `which` are indices of games."""
        for game in which:
            if game < 0 or game >= len(states):
                raise ValueError("which must be indices of games: 0 to len(states) - 1")

    return BatchChecks(check_decisions, check_views, check_starts, check_which)


def batch_for(compiler: Compiler, flow: Flow, writer: Writer, sizes: Sizes) -> Batch:
    """Makes the entries for many games."""
    write_bytes, _, to_floats, to_sparse = writer
    begin, step, score = flow.begin, flow.step, flow.score
    checks = batch_checks_for(compiler, flow, sizes)
    check_decisions, check_views, check_starts, check_which = checks
    num_actions, observation_size, max_seats, _, hot, team = sizes
    half = hot // 2

    @compiler.rule
    def write_rewards(s: Record, rewards: Floats2, game: int) -> None:
        """Fill row `game` of `rewards`: +1 shared by the winners, -1 by the others; 0 for absent seats, sum 0."""
        n = int(s.num_players)
        scores = np.empty(n, np.int32)
        for seat in range(n):
            scores[seat] = score(s, seat)
        for seat in range(n):
            rewards[game, seat] = win_reward_rule(victory_share_rule(scores, seat), n, team)

    @compiler.rule
    def write_view(s: Record, seat: int, game: int, views: Views, row: Bytes) -> None:
        """Write the observation of a seat into row `game` of the arrays. `row`, uint8[OBSERVATION_SIZE], is a work
        array.
        """
        target = views.rows[game] if len(views.rows) > 0 else row
        if len(views.rows) > 0 or len(views.floats) > 0 or len(views.counts) > 0:
            write_bytes(s, seat, target)
        if len(views.floats) > 0:
            to_floats(target, views.floats[game])
        if len(views.counts) > 0:
            views.counts[game] = to_sparse(target, views.indices[game], views.values[game])

    @compiler.rule
    def write_decision(states: Records, game: int, masks: Mask2, views: Views, seats: Ints, row: Bytes) -> None:
        """Write the open decision of a game into row `game` of the arrays."""
        s = states[game]
        seats[game] = s.seat
        for action in range(num_actions):
            masks[game, action] = s.mask[action]
        write_view(s, int(s.seat), game, views, row)

    @compiler.entry
    def begin_games(
        states: Records,
        seeds: Ints,
        options: Ints2,
        masks: Mask2,
        rows: Bytes2,
        floats: Floats2,
        counts: Ints,
        indices: Ints2,
        values: Floats2,
        seats: Ints,
    ) -> None:
        """Set up every game and write its first decision. The arguments are those of `step_games`."""
        if not apart((states, seeds, options, masks, rows, floats, counts, indices, values, seats)):
            raise ValueError(
                "states, seeds, options, masks, rows, floats, counts, indices, values and seats must not share memory"
            )
        check_starts(states, seeds, options)
        check_decisions(states, masks, seats)
        views = Views(borrowed(rows), borrowed(floats), borrowed(counts), borrowed(indices), borrowed(values))
        check_views(states, views)
        row = np.empty(observation_size, np.uint8)
        for game in range(len(states)):
            begin(states[game], seeds[game], options[game])
            write_decision(states, game, masks, views, seats, row)

    @compiler.entry
    def first_illegal(states: Records, actions: Ints) -> int:
        """Returns the first game whose action is not legal, or -1."""
        if len(actions) != len(states):
            raise ValueError("actions must be as many as states")
        for game in range(len(states)):
            if actions[game] < 0 or actions[game] >= num_actions or states[game].mask[actions[game]] == 0:
                return game
        return -1

    @compiler.entry
    def step_games(
        states: Records,
        actions: Ints,
        seeds: Ints,
        seed_stride: int,
        options: Ints2,
        masks: Mask2,
        rows: Bytes2,
        floats: Floats2,
        counts: Ints,
        indices: Ints2,
        values: Floats2,
        seats: Ints,
        rewards: Floats2,
        dones: Mask2,
    ) -> None:
        """Answer every game's question with a legal action (see `first_illegal`) and write the next decisions.

        A game that ends pays `rewards` (float32[N, seats], otherwise zero), sets `dones[:, 0]`, and `dones[:, 1]` if it
        was cut off, and is reset at once: its seed grows by `seed_stride`, modulo 2**63. `options` is int64[N,
        NUM_OPTIONS]. `masks` int8[N, NUM_ACTIONS], the arrays of `Views`, and `seats` int64[N] contain the next
        decision. All arrays are C-contiguous. Raises ValueError for another length or an invalid number.
        """
        if not apart(
            (states, actions, seeds, options, masks, rows, floats, counts, indices, values, seats, rewards, dones)
        ):
            raise ValueError(
                "states, actions, seeds, options, masks, rows, floats, "
                "counts, indices, values, seats, rewards and dones must not share memory"
            )
        check_starts(states, seeds, options)
        check_decisions(states, masks, seats)
        views = Views(borrowed(rows), borrowed(floats), borrowed(counts), borrowed(indices), borrowed(values))
        check_views(states, views)
        if len(actions) != len(states):
            raise ValueError("actions must be as many as states")
        if rewards.shape != (len(states), max_seats):
            raise ValueError("rewards must have the shape (len(states), MAX_SEATS)")
        if dones.shape != (len(states), 2):
            raise ValueError("dones must have the shape (len(states), 2)")
        row = np.empty(observation_size, np.uint8)
        for game in range(len(states)):
            s = states[game]
            following = min(game + 1, len(states) - 1)
            prefetch(states, following, 0, half)
            rewards[game, :] = 0.0
            dones[game, :] = 0
            if step(s, actions[game]) == GAME_OVER:
                write_rewards(s, rewards, game)
                dones[game, 0] = 1
                dones[game, 1] = s.truncated
                seeds[game] = (int(seeds[game]) + seed_stride) & MAX_SEED
                begin(s, seeds[game], options[game])
            prefetch(states, following, half, hot)
            write_decision(states, game, masks, views, seats, row)

    @compiler.entry
    def begin_some(
        states: Records,
        which: Ints,
        seeds: Ints,
        options: Ints2,
        masks: Mask2,
        rows: Bytes2,
        floats: Floats2,
        counts: Ints,
        indices: Ints2,
        values: Floats2,
        seats: Ints,
    ) -> None:
        """Set up these games, game i from `seeds[i]`, and write their first decisions, as `step_games` does."""
        if not apart((states, which, seeds, options, masks, rows, floats, counts, indices, values, seats)):
            raise ValueError(
                "states, which, seeds, options, masks, "
                "rows, floats, counts, indices, values and seats must not share memory"
            )
        check_which(states, which)
        check_starts(states, seeds, options)
        check_decisions(states, masks, seats)
        views = Views(borrowed(rows), borrowed(floats), borrowed(counts), borrowed(indices), borrowed(values))
        check_views(states, views)
        row = np.empty(observation_size, np.uint8)
        for game in which:
            begin(states[game], seeds[game], options[game])
            write_decision(states, game, masks, views, seats, row)

    @compiler.entry
    def step_some(
        states: Records,
        which: Ints,
        actions: Ints,
        viewers: Ints,
        masks: Mask2,
        rows: Bytes2,
        floats: Floats2,
        counts: Ints,
        indices: Ints2,
        values: Floats2,
        seats: Ints,
        rewards: Floats2,
    ) -> None:
        """Answer the open questions of these games by `actions[game]`, and write the next decisions.

        A game that ends is not reset: `seats` is -1, the mask is empty, `rewards` are those of all seats, and the
        observation is that of seat `viewers[game]` at the end.
        """
        if not apart((states, which, actions, viewers, masks, rows, floats, counts, indices, values, seats, rewards)):
            raise ValueError(
                "states, which, actions, viewers, masks, "
                "rows, floats, counts, indices, values, seats and rewards must not share memory"
            )
        check_which(states, which)
        check_decisions(states, masks, seats)
        views = Views(borrowed(rows), borrowed(floats), borrowed(counts), borrowed(indices), borrowed(values))
        check_views(states, views)
        if len(actions) != len(states):
            raise ValueError("actions must be as many as states")
        if len(viewers) != len(states):
            raise ValueError("viewers must be as many as states")
        if rewards.shape != (len(states), max_seats):
            raise ValueError("rewards must have the shape (len(states), MAX_SEATS)")
        for game in which:
            if viewers[game] < 0 or viewers[game] >= states[game].num_players:
                raise ValueError("viewers must be seats of their games")
        row = np.empty(observation_size, np.uint8)
        for game in which:
            s = states[game]
            if step(s, actions[game]) == GAME_OVER:
                seats[game] = GAME_OVER
                masks[game, :] = 0
                write_rewards(s, rewards, game)
                write_view(s, viewers[game], game, views, row)
            else:
                write_decision(states, game, masks, views, seats, row)

    return Batch(begin_games, first_illegal, step_games, begin_some, step_some, checks)
