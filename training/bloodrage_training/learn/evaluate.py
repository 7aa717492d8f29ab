"""Measures the strength of a policy: one seat against the same opponent at all other seats.

`bloodrage evaluate` plays a tournament of the exported policy, with intervals over deals. During training, `against` is
faster: it plays many games in parallel, with seeds that training does not use.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from bloodrage_agents import parts, registry
from bloodrage_agents.match import ask
from bloodrage_agents.styles import RANDOM
from bloodrage_env import VectorGames, as_data, files, games
from bloodrage_env.arguments import add_game
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.core.engine.options import GameOptions, rows
from bloodrage_env.core.engine.rewards import won_by_side
from bloodrage_env.errors import INTERRUPTED, MissingPackageError, UserError
from bloodrage_env.text import counted

from .. import ladder
from ..options import OPTIONS, WORKERS
from ..report.columns import Column, aligned, count, label, mean, share, texts
from ..report.page import percent
from ..tournament import run as tournament
from ..tournament.counted import forfeits_in
from ..tournament.ratings import Ratings, Tally
from ..tournament.records import Plan, equal_share, seats_text
from ..tournament.store import Store
from ..tournament.table import BOUNDS, above_anchor, rating_rows
from ..tournament.trust import trusted
from ..workers import make_pool

if TYPE_CHECKING:
    from .policy import Policy  # torch is an extra: exported policies are measured without it

FIRST_SEED: Final = 2**60  # training draws its seeds below
SEARCHES: Final = ("flat", "ismcts")  # agents that search
HELD_OUT_HEADING: Final = "held out from all training:"

# Games, the numbers of some of them, and a source of chance to the actions of these, int64[N]. Reads what the seats to
# act may know.
Choice = Callable[[Records, npt.NDArray[np.int64], np.random.Generator], npt.NDArray[np.int64]]
# Observations of the seats to act, float32[n, OBSERVATION_SIZE], and masks, int8[n, NUM_ACTIONS], to actions, int64[n].
DenseChoice = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], npt.NDArray[np.int64]]


# ---- while it learns


@dataclass(frozen=True)
class Score:
    """The win rate of one seat over `games` games. A win shared by k seats counts 1 / k.

    Examples
    --------
    >>> from bloodrage_training.learn.evaluate import Score
    >>> Score(games=10, share=0.5)
    Score(games=10, share=0.5)
    """

    games: int
    share: float  # of wins


def sampled(policy: "Policy") -> Choice:
    """Return a choice that draws actions by their probability.

    Parameters
    ----------
    policy : Policy
        The policy.

    Returns
    -------
    callable
        A choice, for `against`.

    Examples
    --------
    >>> from bloodrage_training.learn.policy import Policy
    >>> policy = Policy(width=8, layers=1, game="bloodrage")
    >>> from bloodrage_training.learn.evaluate import against, sampled
    >>> against(sampled(policy), "random", 4, 2, game="bloodrage").games
    4
    """
    import torch

    from .policy import SparseRows

    def choose(states: Records, which: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        with torch.inference_mode():
            return np.asarray(policy.draw(SparseRows.of(states, which, policy.net), rng)[0].numpy())

    return choose


def searches(spec: str) -> bool:
    """Return whether this is the spec of a search agent."""
    return spec.partition(":")[0] in SEARCHES


def searching(spec: str, game: str) -> Choice:
    """Return a choice that searches each decision in turn. Raise UserError for an invalid spec."""
    agent = registry.make(spec, game)

    def choose(states: Records, which: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        seeds, seats = rng.integers(MAX_SEED, size=len(which)).tolist(), states["seat"][which].tolist()
        asked = zip(which.tolist(), seats, seeds, strict=True)
        answers = [ask(agent, states, index, seat, np.random.default_rng(seed), game) for index, seat, seed in asked]
        return np.array(answers, np.int64)

    return choose


def greedy(policy: "Policy") -> Choice:
    """Return a choice that takes the most likely actions.

    Parameters
    ----------
    policy : Policy
        The policy.

    Returns
    -------
    callable
        A choice, for `against`.

    Examples
    --------
    >>> from bloodrage_training.learn.policy import Policy
    >>> policy = Policy(width=8, layers=1, game="bloodrage")
    >>> from bloodrage_training.learn.evaluate import against, greedy
    >>> 0.0 <= against(greedy(policy), "random", 4, 2, game="bloodrage").share <= 1.0
    True
    """
    import torch

    from .policy import SparseRows

    def choose(states: Records, which: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        with torch.inference_mode():
            logs, _ = policy(SparseRows.of(states, which, policy.net))
            return np.asarray(logs.argmax(1).numpy())

    return choose


def by_observation(choose: DenseChoice, game: str) -> Choice:
    """Return the choice of a player that takes observations and masks, such as a network of another library.

    Parameters
    ----------
    choose : callable
        float32[n, OBSERVATION_SIZE] and int8[n, NUM_ACTIONS], of the seats to act, to actions, int64[n].
    game : str
        The name of the game.

    Returns
    -------
    callable
        A choice, for `against`.

    Examples
    --------
    >>> from bloodrage_training.learn.evaluate import against, by_observation
    >>> first = by_observation(lambda observations, masks: masks.argmax(1), "bloodrage")
    >>> against(first, "balanced", 4, 2, game="bloodrage").games
    4
    """
    size, seats_of = games.game(game).observation_size, parts.open_seats(game)

    def choose_by_states(
        states: Records, which: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        observations = np.empty((len(states), size), np.float32)
        seats_of.observe_some(states, which, states["seat"].astype(np.int64), observations)
        return choose(observations[which], states["mask"][which])

    return choose_by_states


def against(
    choose: Choice, opponent: str | Choice, num_games: int, num_players: int | None = None, seed: int = 0,
    batch: int = 512, *, game: str, options: GameOptions | None = None,
) -> Score:  # fmt: skip
    """Play one seat by a choice, and the other seats by one opponent. All games are played to the end.

    Parameters
    ----------
    choose : callable
        The choice; it plays seat i % num_players of game i, in a game of teams the seat of its partner too.
    opponent : str or callable
        A style, `random`, or another choice.
    num_games : int
        Number of games.
    num_players : int, optional
        Seats of each game.
    seed : int
        Game i has the seed FIRST_SEED + seed + i for every policy.
    batch : int
        Games that are played side by side.
    game : str
        The name of the game.
    options : GameOptions, optional
        Those of the games; without them they follow from `num_players`.

    Returns
    -------
    Score
        Number of games and win rate.

    Examples
    --------
    >>> from bloodrage_training.learn.evaluate import against, choice_of_style
    >>> against(choice_of_style("balanced", "bloodrage"), "random", 8, 2, game="bloodrage").share > 0.5
    True
    """
    other = choice_of_style(opponent, game) if isinstance(opponent, str) else opponent
    if options is None:
        options = _options(num_players or int(games.game(game).options.num_players), game)
    shares = [
        _play(choose, other, min(batch, num_games - start), options, seed + start)
        for start in range(0, num_games, batch)
    ]
    return Score(num_games, float(np.concatenate(shares).mean()))


def against_baselines(policy: "Policy", num_games: int, num_players: int | None = None) -> dict[str, float]:
    """Return win rates of one seat against each of the game's baselines, with the most likely actions."""
    names = parts.table(policy.game).baselines
    return {name: against(greedy(policy), name, num_games, num_players, game=policy.game).share for name in names}


def choice_of_style(name: str, game: str) -> Choice:
    """Return the choice of a style, or of `random`."""
    from .learnable import learnable

    known = learnable(game)
    style = RANDOM if name == "random" else known.styles.index(name)

    def choose(states: Records, which: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        masks = states["mask"]
        actions = np.asarray((masks + rng.random(masks.shape)).argmax(1))
        known.choose_many(states, np.full(len(states), style), rng.integers(2**62, size=len(states)), actions)
        return actions[which]

    return choose


def _options(num_players: int, game: str) -> GameOptions:
    """Return the options for a number of players."""
    from .learnable import learnable

    known = learnable(game)
    return known.options_of(num_players, known.needed_sets(num_players))


def _play(choose: Choice, other: Choice, size: int, options: GameOptions, seed: int) -> npt.NDArray[np.float64]:
    """Return the share of the win of `choose` in each of these games."""
    num_players, team = options.num_players, games.game(options.game).team
    batch = VectorGames(size, seed=FIRST_SEED + seed, game=options.game)
    batch.players[:] = num_players
    batch.options = rows([options] * size)
    batch.reset()
    own = (seed + np.arange(size)) % num_players
    sides = num_players // team
    shares = np.zeros(size)
    playing = np.ones(size, bool)  # a game that has ended is reset, to no effect
    actions, rng = np.zeros(size, np.int64), np.random.default_rng(seed)
    while playing.any():
        ours = batch.seats % sides == own % sides
        for player, its in ((choose, ours), (other, ~ours)):
            which = np.flatnonzero(its)
            if len(which):
                actions[which] = player(batch.states, which, rng)
        batch.step(actions)
        ended = batch.dones & playing
        for index in np.flatnonzero(ended):
            shares[index] = won_by_side(float(batch.rewards[index, own[index]]), num_players, team)
        playing &= ~ended
    return shares


# ---- the command


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    baselines = parts.table(game).baselines
    parser.add_argument("file", metavar="FILE", help="a checkpoint (.pt), the folder of a run, or a policy (.npz)")
    against = f"opponents; each plays all other seats ({', '.join(baselines)})"
    parser.add_argument("--against", metavar="SPEC[,SPEC...]", help=against)
    OPTIONS.add(parser, "--deals", default=50)
    games.game(game).options.add_arguments(parser)
    OPTIONS.add(parser, "--seed", "--trust", *WORKERS, "--json")
    OPTIONS.add(
        parser, "--store", metavar="FILE", help="a store of a tournament; games stored there are not played again"
    )


def run(args: argparse.Namespace) -> int:
    """`bloodrage evaluate`: play the games that the store lacks and print the table. Return the exit status."""
    game = str(args.game)
    baselines = parts.table(game).baselines
    opponents = [registry.canonical(spec, game) for spec in registry.split(args.against or ",".join(baselines))]
    with TemporaryDirectory(prefix="bloodrage-") as spare:
        store = Path(f"{spare}/store.sqlite" if args.store is None else args.store)
        if store.is_dir() or store.suffix == ".npz":  # the policy will be beside it, with this ending
            raise UserError(f"--store {args.store!r}: name a file for the games, such as games.sqlite")
        policy = policy_file(Path(args.file), store.with_suffix(".npz"), game)
        if "," in str(policy):
            raise UserError(f"{policy}: commas stand between the arguments of an agent; choose a path without")
        options, known = games.game(game).options.from_arguments(args), trusted(args.trust, opponents, game)
        wanted = Plan((), (), "focus", options, args.seed, deals=args.deals, trusted=known)
        wanted = ladder.chance_of(wanted, [store])
        plan = tournament.make_plan([f"network:path={policy}", *opponents], wanted)
        store.parent.mkdir(parents=True, exist_ok=True)
        try:
            given_up = ladder.play(store, plan, lambda: make_pool(args.backend, args.workers))
        except KeyboardInterrupt:
            kept = "what was played is stored: the same command resumes it" if args.store else "nothing is kept"
            print(f"\nstopped; {kept}", file=sys.stderr)
            return INTERRUPTED
        with Store.open(store) as played:
            results = measure(played)
        forfeits = forfeits_in([store])
    if args.json:
        print(
            as_data.text(
                {"opponent": each.names[0], "agents": [*rating_rows(each, games.spec(game).score)]} for each in results
            )
        )
    else:
        print("\n".join([text_table(results, args.file, plan.options.num_players, game), *forfeits]))
    return ladder.status_of(given_up, "")  # the store may be temporary


def policy_file(path: Path, target: Path, game: str) -> Path:
    """Return a `.npz` file of a policy: the file itself, or `target`, to which a checkpoint or run is exported.

    A run whose last policy is clearly worse than its best one is measured by the best one.

    Raise UserError for a file that is missing or damaged, and if `target` contains another policy.
    """
    if path.suffix == ".npz" and not path.is_dir():
        return path
    folder = path if path.is_dir() else None
    if folder:
        path = path / "checkpoint.pt"
    if not path.is_file():
        raise UserError(f"there is no file {path}; a policy is a checkpoint, the folder of a run, or a .npz")
    try:
        from .export import packed
        from .policy import load_policy
        from .runs import player_of
    except ModuleNotFoundError as error:
        raise MissingPackageError("a checkpoint", error.name, "train") from error
    policy, earlier = player_of(folder, game) if folder else (load_policy(path, game)[0], False)
    if earlier:
        print(f"the last policy of {folder} is worse than an earlier one, which is measured", file=sys.stderr)
    content = packed(policy)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        files.write(target, content)
    elif target.read_bytes() != content:
        raise UserError(f"{target} is another policy than {path} now; name another --store")
    return target


def measure(store: Store) -> list[Ratings]:
    """Return for each opponent the ratings of two agents, itself (the anchor) and the policy, from their games."""
    policy, *opponents = store.plan().agents
    tallies = {opponent: Tally((opponent, policy)) for opponent in opponents}
    for game in store.finished():
        (opponent,) = {*game.line_up} - {policy}
        tallies[opponent].add(game)
    return [tally.rate(anchor=opponent) for opponent, tally in tallies.items()]


def text_table(results: Sequence[Ratings], name: str, seats: int, game: str) -> str:
    """Return the table for the terminal: a head, a line for each opponent, and explanations of the figures.

    Opponents that are never used in training have a separate heading.
    """
    unknown = parts.table(game).held_out
    met = [ratings for ratings in results if ratings.names[0] not in unknown]
    held_out = [ratings for ratings in results if ratings.names[0] in unknown]
    # Each opponent is number 0 of its ratings, and the policy number 1.
    columns = (
        Column("opponent", "opponent", lambda each: label(each.names[0])),
        Column("games", "games", lambda each: count(each.games)),
        Column("win_rate", "win rate", lambda each: share(each.win_share.at(1))),
        Column("score", games.spec(game).score, lambda each: mean(each.mean_score.at(1), 1)),
        Column("their_score", "theirs", lambda each: mean(each.mean_score.at(0), 1)),
        Column("elo_more", "Elo more", lambda each: above_anchor(each, 1)),
    )
    lines = aligned(texts(columns, [*met, *held_out]))
    if held_out:
        lines.insert(1 + len(met), HELD_OUT_HEADING)
    deals, played = results[0].deals, results[0].games
    # A deal that is played at all seats has more games than one.
    at = f"of {counted(deals, 'deal')}" if deals < played else f"in {counted(played, 'game')}, each with its own deal"
    notes = [
        f"{name}, {seats_text(game, seats)} of each opponent, at all seats {at};",
        f"equal players win {percent(equal_share(game, seats), 0)}; "
        "Elo is the difference from the opponent, by these games",
        "in parentheses: 95 % intervals, over deals",
    ]
    if not all(ratings.field.all() for ratings in results):
        notes.append(BOUNDS)
    forfeits = sum(int(ratings.forfeits.sum()) for ratings in results)
    if forfeits:
        notes.append(f"{forfeits} games were forfeited, and have no part in the {games.spec(game).score}")
    return "\n".join([*lines, "", *notes])
