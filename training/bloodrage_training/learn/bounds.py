"""Results of `bloodrage exploit`: lower bounds on the exploitability of agents.

The folder of a learner contains its settings and a log. The folder of a responder contains a tournament.
"""

import csv
import hashlib
import io
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bloodrage_agents import parts, registry
from bloodrage_agents.network import file_of
from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.errors import UserError

from ..tournament.estimates import Estimate
from ..tournament.records import equal_share
from ..tournament.store import Store
from ..tournament.workers import check_fingerprint
from . import CONFIG
from .evaluate import measure, searches

LOG: Final = "exploit.csv"
OPPONENT: Final = "opponent.sha256"  # the digest of the policy file of a learner's opponent
STORE: Final = "games.db"  # of a responder


@dataclass(frozen=True)
class Point:
    """A measurement of a best response."""

    decisions: int  # of the learner
    win_rate: Estimate


@dataclass(frozen=True)
class Bound:
    """The result of a run: a lower bound on the exploitability of an agent."""

    by: str  # what wins so much
    gain: Estimate  # win rate more than that of equal players


def bound_of(folder: Path, options: GameOptions, known: Iterable[str]) -> tuple[str, int, Bound]:
    """Return the agent of a run, the number of players, and the last measurement of a learner, or that of a responder.

    The agent is a canonical spec, or has the name that `exploit.opponent_of` returns. Raise UserError for a folder
    without a measured run of this game. The options of the run's games must be `options`, except for the number of
    players, and the agent must be unchanged. An agent that uses a file or runs code must be one of `known`, which the
    user has named.
    """
    return _of_responder(folder, options, known) if (folder / STORE).exists() else _of_learner(folder, options)


def digest_of(opponent: str, game: str) -> str:
    """Return the SHA-256 of the policy file of a learner's opponent; "" if it uses none, or the file is missing."""
    path = registry.parse(opponent, game).arguments.get("path", "") if searches(opponent) else opponent
    file = file_of(str(path), game)
    try:
        if opponent in parts.table(game).styles or not file.is_file():
            return ""
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"can't read {str(file)!r:.200}: {error.strerror}") from error


def check_opponent(opponent: str, folder: Path, game: str) -> None:
    """Raise UserError if the policy file of the opponent has changed. A folder of an earlier version has no digest."""
    kept = folder / OPPONENT
    if kept.is_file() and digest_of(opponent, game).encode() not in (b"", kept.read_bytes()):
        raise UserError(f"{opponent} has changed since {folder} was begun; give 'bloodrage exploit' another --out")


def gain_of(win_rate: Estimate, game: str, players: int) -> Estimate:
    """Return what a win rate is more than that of equal players."""
    share = equal_share(game, players)
    return Estimate(win_rate.value - share, win_rate.low - share, win_rate.high - share)


def gain_text(gain: Estimate) -> str:
    """Return a gain: "+12.3 points (+10.1 to +14.5)"."""
    value, low, high = (f"{100 * each:+.1f}" for each in (gain.value, gain.low, gain.high))
    return f"{value} points ({low} to {high})" if gain.bounded else f"{value} points"


def responder_rate(store: Store) -> tuple[int, Estimate]:
    """Return the number of games of complete units, and the win rate of the responder in them."""
    (ratings,) = measure(store)
    return ratings.games, ratings.win_share.at(1)


def _of_responder(folder: Path, options: GameOptions, known: Iterable[str]) -> tuple[str, int, Bound]:
    with Store.open(folder / STORE) as store:
        plan = store.plan()
        if plan.mode != "focus" or len(plan.agents) != 2:
            raise _nothing(folder)
        responder, agent = plan.agents
        _check_game(folder, plan.options.game, options.game)
        _check_options(folder, _beside_players(plan.options), options)
        registry.check_granted([agent], known, options.game, folder / STORE, "--agents")
        check_fingerprint(plan, agent)
        played, win_rate = responder_rate(store)
    if not played:
        raise _nothing(folder)
    players = plan.options.num_players
    return agent, players, Bound(responder, gain_of(win_rate, options.game, players))


def _of_learner(folder: Path, options: GameOptions) -> tuple[str, int, Bound]:
    game = options.game
    try:
        settings = tomllib.loads((folder / CONFIG).read_text(encoding="utf-8"))
        text = (folder / LOG).read_text(encoding="utf-8")
        whole = [line for line in io.StringIO(text) if line.endswith("\n")]  # without one cut off
        *_, last = csv.DictReader(whole)
        (opponent,) = settings["opponents"].keys()
        (players,) = settings["players"]
        sets = tuple(settings.get("sets", ()))
        played = {"sets": sets} if sets else {}
        kind, decisions = settings["game"], int(last["decisions"])
        win_rate = Estimate(*(float(last[name]) for name in ("win_rate", "low", "high")))
        if type(players) is not int or players < 2 or kind not in games.all_names() or type(opponent) is not str:
            raise ValueError("no settings of a run")
        if decisions < 0 or not 0 <= win_rate.low <= win_rate.value <= win_rate.high <= 1:
            raise ValueError("no measurement")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, csv.Error, RecursionError) as error:
        raise _nothing(folder) from error
    _check_game(folder, kind, game)
    _check_options(folder, played, options)
    check_opponent(opponent, folder, game)
    return opponent, players, Bound(f"a learner after {decisions:,} decisions", gain_of(win_rate, game, players))


def _check_game(folder: Path, found: str, wanted: str) -> None:
    if found != wanted:
        raise UserError(f"{folder} is of the game {found}, not of {wanted}")


def _check_options(folder: Path, played: Mapping[str, object], options: GameOptions) -> None:
    """Raise UserError unless games were played with the options, whatever the number of players."""
    if played != (wanted := _beside_players(options)):
        found, text = _options_text(played), _options_text(wanted)
        raise UserError(f"{folder} is of games with other options: {found}, not {text}")


def _options_text(changed: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in changed.items()) or "the default ones"


def _beside_players(options: GameOptions) -> dict[str, object]:
    return {name: value for name, value in options.changed().items() if name != "num_players"}


def _nothing(folder: Path) -> UserError:
    return UserError(f"{folder} holds no measured run of 'bloodrage exploit'")
