"""Many games at once: one compiled call steps them all, writes the next decisions and resets finished games.

The random numbers of a game follow from its seed, so results do not depend on the number of threads.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types

from ..compile.apart import apart
from ..compile.borrowed import borrowed
from ..compile.decorators import Bytes, Bytes2, Compiler, Floats2, Ints, Ints2, Mask2, Record, Records, Shorts
from ..compile.local_arrays import local_zeros
from ..compile.prefetch import prefetch
from .chance import MAX_SEED
from .flow import GAME_OVER, Flow
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


class OneGame(NamedTuple):
    """The rules for one game, from which kernels for many games on a GPU are made."""

    record: types.Record
    sizes: Sizes
    begin: Callable[[Record, int, Ints], None]
    step: Callable[[Record, int], int]
    write_bytes: Callable[[Record, int, Bytes], None]
    write_rewards: Callable[[Record, Floats2, int], None]
    redeal: Callable[[Record, int, int], None]  # for a seat, from a seed, in place


class Batch(NamedTuple):
    """The entries for many games."""

    begin_games: Callable[..., None]
    first_illegal: Callable[[Records, Ints], int]
    step_games: Callable[..., None]
    checks: "BatchChecks"
    one_game: OneGame


class Views(NamedTuple):
    """Observations of the seats to act, in one or several forms. A form that is not used has no rows.

    The sparse form is a compressed sparse row matrix: row i has `counts[starts[i] : starts[i + 1]]` in the columns
    `columns[starts[i] : starts[i + 1]]`, which rise. Elements from `starts[N]` on are undefined.
    """

    rows: Bytes2  # uint8[N, OBSERVATION_SIZE]: counts
    floats: Floats2  # float32[N, OBSERVATION_SIZE]: counts times scales
    starts: Ints  # int64[N + 1]
    columns: Shorts  # uint16[N * OBSERVATION_SIZE]
    counts: Bytes  # uint8[N * OBSERVATION_SIZE], none of which is zero

    def part(self, games: slice) -> "Views":
        """Return arrays for some games, with `starts` without the first one: where rows end in the other two."""
        size = self.rows.shape[1]
        numbers = slice(games.start * size, games.stop * size)
        ends = self.starts[games.start + 1 : games.stop + 1]
        return Views(self.rows[games], self.floats[games], ends, self.columns[numbers], self.counts[numbers])

    def join(self, parts: Sequence[slice]) -> None:
        """Move the rows that were written for several parts of the games together."""
        size = self.rows.shape[1]
        at = int(self.starts[parts[0].stop])
        for part in parts[1:]:
            first, length = part.start * size, int(self.starts[part.stop])
            for each in self.columns, self.counts:
                each[at : at + length] = each[first : first + length]
            self.starts[part.start + 1 : part.stop + 1] += at
            at += length


def new_views(num_games: int, size: int, form: str, allocate: Callable[..., Any] = np.zeros) -> Views:
    """Return arrays for one form of the observations of N games, one of FORMS."""
    rows, floats, sparse = (num_games * (form == each) for each in FORMS[:3])
    return Views(
        allocate((rows, size), np.uint8),
        allocate((floats, size), np.float32),
        allocate((sparse + 1 if sparse else 0,), np.int64),
        allocate((sparse * size,), np.uint16),
        allocate((sparse * size,), np.uint8),
    )


class BatchChecks(NamedTuple):
    """The checks of the entries for many games."""

    check_decisions: Callable[..., None]
    check_views: Callable[..., None]
    check_starts: Callable[..., None]
    check_which: Callable[[Records, Ints], None]


def batch_checks_for(compiler: Compiler, sizes: Sizes) -> BatchChecks:
    """Make the checks for one game."""
    num_actions, observation_size, num_options = sizes.actions, sizes.observation, sizes.options

    @compiler.rule
    def check_decisions(states: Records, masks: Mask2, seats: Ints) -> None:
        """Raise ValueError unless each array has a row for each game."""
        if masks.shape != (len(states), num_actions):
            raise ValueError("masks must have the shape (len(states), NUM_ACTIONS)")
        if len(seats) != len(states):
            raise ValueError("seats must be as many as states")

    @compiler.rule
    def check_views(states: Records, rows: Bytes2, floats: Floats2, ends: Ints, columns: Shorts, counts: Bytes) -> None:
        """Raise ValueError unless the arrays of a form have a row for each game, or none."""
        if len(rows) not in (0, len(states)) or rows.shape[1] != observation_size:
            raise ValueError("rows must have the shape (len(states) or 0, OBSERVATION_SIZE)")
        if len(floats) not in (0, len(states)) or floats.shape[1] != observation_size:
            raise ValueError("floats must have the shape (len(states) or 0, OBSERVATION_SIZE)")
        if len(ends) not in (0, len(states)):
            raise ValueError("ends must be as many as states, or none")
        if len(columns) != len(ends) * observation_size:
            raise ValueError("columns must be len(ends) * OBSERVATION_SIZE")
        if len(counts) != len(ends) * observation_size:
            raise ValueError("counts must be len(ends) * OBSERVATION_SIZE")

    @compiler.rule
    def check_starts(states: Records, seeds: Ints, options: Ints2) -> None:
        """Raise ValueError unless there are a valid seed and a row of options for each game."""
        if len(seeds) != len(states):
            raise ValueError("seeds must be as many as states")
        if options.shape != (len(states), num_options):
            raise ValueError("options must have the shape (len(states), NUM_OPTIONS)")
        for game in range(len(states)):
            if seeds[game] < 0:
                raise ValueError("seeds must be 0 to 2**63 - 1")

    @compiler.rule
    def check_which(states: Records, which: Ints) -> None:
        """Raise ValueError unless `which` are indices of games."""
        for game in which:
            if game < 0 or game >= len(states):
                raise ValueError("which must be indices of games: 0 to len(states) - 1")

    return BatchChecks(check_decisions, check_views, check_starts, check_which)


def batch_for(
    compiler: Compiler, flow: Flow, writer: Writer, sizes: Sizes, redeal: Callable[[Record, int, int], None]
) -> Batch:
    """Make the entries for many games. `redeal` makes a redeal of a game in place, for a seat, from a seed."""
    begin, check_options = flow.begin, flow.check_options
    checks = batch_checks_for(compiler, sizes)
    check_decisions, check_views, check_starts, _ = checks
    write_rewards, write_all, step_all = loops_for(compiler, flow, writer, sizes)
    num_actions, observation_size, max_seats = sizes.actions, sizes.observation, sizes.seats

    @compiler.entry
    def begin_games(
        states: Records,
        seeds: Ints,
        options: Ints2,
        masks: Mask2,
        rows: Bytes2,
        floats: Floats2,
        ends: Ints,
        columns: Shorts,
        counts: Bytes,
        seats: Ints,
    ) -> None:
        """Set up every game and write its first decision. The arguments are those of `step_games`."""
        if not apart((states, seeds, options, masks, rows, floats, ends, columns, counts, seats)):
            raise ValueError(
                "states, seeds, options, masks, rows, floats, ends, columns, counts and seats must not share memory"
            )
        check_starts(states, seeds, options)
        for game in range(len(states)):
            check_options(options[game])
        check_decisions(states, masks, seats)
        check_views(states, rows, floats, ends, columns, counts)
        for game in range(len(states)):
            begin(states[game], seeds[game], options[game])
        row = np.empty(observation_size, np.uint8)
        write_all(states, masks, rows, floats, ends, columns, counts, seats, row)

    @compiler.entry
    def first_illegal(states: Records, actions: Ints) -> int:
        """Return the first game whose action is not legal, or -1."""
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
        ends: Ints,
        columns: Shorts,
        counts: Bytes,
        seats: Ints,
        rewards: Floats2,
        dones: Mask2,
    ) -> None:
        """Answer every game's question with a legal action (see `first_illegal`) and write the next decisions.

        A game that ends pays `rewards` (float32[N, seats], otherwise zero), sets `dones[:, 0]`, and `dones[:, 1]` if it
        was cut off, and is reset at once: its seed grows by `seed_stride`, modulo 2**63. `options` is int64[N,
        NUM_OPTIONS]. `masks` int8[N, NUM_ACTIONS], the arrays of `Views.part`, and `seats` int64[N] contain the next
        decision. All arrays are C-contiguous. Raise ValueError for another length or an invalid number; options are
        checked when a game is reset, so that earlier games have been stepped by then.
        """
        if not apart(
            (states, actions, seeds, options, masks, rows, floats, ends, columns, counts, seats, rewards, dones)
        ):
            raise ValueError(
                "states, actions, seeds, options, masks, rows, floats, "
                "ends, columns, counts, seats, rewards and dones must not share memory"
            )
        check_starts(states, seeds, options)
        check_decisions(states, masks, seats)
        check_views(states, rows, floats, ends, columns, counts)
        if len(actions) != len(states):
            raise ValueError("actions must be as many as states")
        if rewards.shape != (len(states), max_seats):
            raise ValueError("rewards must have the shape (len(states), MAX_SEATS)")
        if dones.shape != (len(states), 2):
            raise ValueError("dones must have the shape (len(states), 2)")
        row = np.empty(observation_size, np.uint8)
        step_all(
            states, actions, seeds, seed_stride, options, masks, rows, floats, ends, columns, counts, seats, rewards,
            dones, row,
        )  # fmt: skip

    one_game = OneGame(compiler.record, sizes, begin, flow.step, writer.write_bytes, write_rewards, redeal)
    return Batch(begin_games, first_illegal, step_games, checks, one_game)


class Loops(NamedTuple):
    """The loops over many games, which compiled code calls once for all of them.

    Arrays are local variables here: to hand them to a rule for each game takes longer than to copy a mask. `row`,
    uint8[OBSERVATION_SIZE], is a work array.
    """

    write_rewards: Callable[[Record, Floats2, int], None]
    write_all: Callable[..., None]
    step_all: Callable[..., None]


def loops_for(compiler: Compiler, flow: Flow, writer: Writer, sizes: Sizes) -> Loops:
    """Make the loops for one game."""
    write_bytes, _, to_floats, to_sparse = writer
    begin, step, score = flow.begin, flow.step, flow.score
    num_actions, _, max_seats, _, hot, team = sizes
    half = hot // 2

    @compiler.rule
    def write_rewards(s: Record, rewards: Floats2, game: int) -> None:
        """Fill row `game` of `rewards`: +1 shared by the winners, -1 by the others; 0 for absent seats, sum 0."""
        n = int(s.num_players)
        scores = local_zeros(max_seats, np.int32)[:n]
        for seat in range(n):
            scores[seat] = score(s, seat)
        for seat in range(n):
            rewards[game, seat] = win_reward_rule(victory_share_rule(scores, seat), n, team)

    @compiler.rule
    def write_all(
        states: Records,
        masks: Mask2,
        rows: Bytes2,
        floats: Floats2,
        ends: Ints,
        columns: Shorts,
        counts: Bytes,
        seats: Ints,
        row: Bytes,
    ) -> None:
        """Write the open decisions."""
        masks, rows, floats, row = borrowed(masks), borrowed(rows), borrowed(floats), borrowed(row)
        in_bytes, dense, sparse = len(rows) > 0, len(floats) > 0, len(ends) > 0
        at = 0
        for game in range(len(states)):
            s = states[game]
            seats[game] = s.seat
            for action in range(num_actions):
                masks[game, action] = s.mask[action]
            target = rows[game] if in_bytes else row
            if in_bytes or dense or sparse:
                write_bytes(s, int(s.seat), target)
            if dense:
                to_floats(target, floats[game])
            if sparse:
                at = to_sparse(target, columns, counts, at)
                ends[game] = at

    @compiler.rule
    def step_all(
        states: Records,
        actions: Ints,
        seeds: Ints,
        seed_stride: int,
        options: Ints2,
        masks: Mask2,
        rows: Bytes2,
        floats: Floats2,
        ends: Ints,
        columns: Shorts,
        counts: Bytes,
        seats: Ints,
        rewards: Floats2,
        dones: Mask2,
        row: Bytes,
    ) -> None:
        """Do the work of `step_games`."""
        masks, rows, floats, row = borrowed(masks), borrowed(rows), borrowed(floats), borrowed(row)
        columns, counts, rewards, dones = borrowed(columns), borrowed(counts), borrowed(rewards), borrowed(dones)
        in_bytes, dense, sparse = len(rows) > 0, len(floats) > 0, len(ends) > 0
        last, at = len(states) - 1, 0
        for game in range(len(states)):
            s = states[game]
            following = min(game + 1, last)
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
            seats[game] = s.seat
            for action in range(num_actions):
                masks[game, action] = s.mask[action]
            target = rows[game] if in_bytes else row
            if in_bytes or dense or sparse:
                write_bytes(s, int(s.seat), target)
            if dense:
                to_floats(target, floats[game])
            if sparse:
                at = to_sparse(target, columns, counts, at)
                ends[game] = at

    return Loops(write_rewards, write_all, step_all)
