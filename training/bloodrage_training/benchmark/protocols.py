"""The protocols of benchmarks, from `protocols.json`: deals, opponents, seats, options and budgets of each track.

A protocol has a version. Results of different versions cannot be compared, so a change of `protocols.json` requires a
new version; a test compares the digest of each version. A game of another package gives its own as the part `tracks`
of its spec, a mapping as in the file; without one it has the track `solo`, `duel` or `table` of `*`.
"""

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final, cast

from bloodrage_agents import registry
from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from ..tournament import run as tournament
from ..tournament.plan import total_units, unit
from ..tournament.records import Plan, Unit
from ..tournament.trust import plug_ins

SOLO: Final = "solo"  # games of one seat
TRACKS: Final = (SOLO, "duel", "table", "held-out", "exploit")
REQUIRED: Final = ("version", "options", "opponents", "deals", "seed", "seconds_a_decision", "interval")
ANY_GAME: Final = "*"
POLICY: Final = "policy.npz"  # the policy of an agent, in the folder of a run
RESPONSE: Final = "response.npz"  # the policy of a best response, in the same folder


@dataclass(frozen=True)
class Budget:
    """What a best response may use: decisions of the learner, measurements on the way, and settings of `ppo.py`."""

    decisions: int
    points: int
    games: int  # of each measurement
    settings: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Protocol:
    """How a track of a game is played. `digest` is a hash of all other fields."""

    track: str
    version: int
    options: GameOptions
    opponents: tuple[str, ...]  # none in the track "exploit"
    deals: int  # for each opponent, each played at all seats
    seed: int
    seconds_a_decision: float
    interval: str
    digest: str
    response: Budget | None = None

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.options.game

    def others(self, agent: str) -> tuple[str, ...]:
        """Return the agents at the other seats, in the order of the plan. An agent does not play against itself.

        It is the only agent of a game of one seat. Raise UserError if no opponent remains.
        """
        if self.response is not None or self.options.num_players == 1:
            return (agent,)
        left = tuple(registry.canonical(each, self.game) for each in self.opponents)
        left = tuple(each for each in left if each != agent)
        if not left:
            raise UserError(f"{agent} is the only opponent of the track {self.track}, so it can't be measured there")
        return left

    def plan(self, agent: str, deals: int) -> Plan:
        """Return the tournament of a canonical spec: one seat against each of `others`, at all seats of each deal.

        In the track "exploit" the response has the one seat. The deals of a protocol are public, so plug-ins count as
        trusted. Raise UserError for an agent that cannot play.
        """
        first = f"network:path={RESPONSE}" if self.response is not None else agent
        agents = tuple(dict.fromkeys((first, *self.others(agent))))
        wanted = Plan(
            (), (), "focus", self.options, self.seed, self.seconds_a_decision, deals,
            trusted=tuple(plug_ins(agents, self.game)),
        )  # fmt: skip
        return tournament.make_plan(agents, wanted)


def unit_of(plan: Plan, deal: int, opponent: str) -> Unit:
    """Return the games of a deal against one opponent."""
    others = plan.agents[1:] or plan.agents
    number = deal * len(others) + others.index(opponent)
    assert number < total_units(plan)
    return unit(plan, number)


@functools.cache
def content() -> dict[str, Any]:
    """Return the content of `protocols.json`."""
    found: dict[str, Any] = json.loads(resources.files(__package__).joinpath("protocols.json").read_text("utf-8"))
    return found


def known(game: str) -> Mapping[str, Any]:
    """Return the tracks of a game with their protocols. Raise UserError for tracks of a package that are invalid."""
    if game in content():
        return cast("Mapping[str, Any]", content()[game])
    title = games.spec(game).title
    if games.spec(game).has("tracks"):
        given: Mapping[str, Any] = games.spec(game).load("tracks")
        for track, each in given.items():
            lacking = [name for name in REQUIRED if name not in each]
            if track not in TRACKS or lacking:
                fault = f"it has no {lacking[0]}" if track in TRACKS else f"tracks are {', '.join(TRACKS)}"
                raise UserError(f"{title}: the track {track!r:.40} can't be played: {fault}")
        return given
    seats = games.options_from(game).num_players
    track = SOLO if seats == 1 else "duel" if seats == 2 * games.game(game).team else "table"
    return {track: content()[ANY_GAME][track]}


def tracks(game: str) -> tuple[str, ...]:
    """Return the tracks of a game."""
    return tuple(known(game))


def protocol(game: str, track: str) -> Protocol:
    """Return the current protocol. Raise UserError for a track that the game does not have."""
    found = known(game)
    if track not in found:
        raise UserError(f"{games.spec(game).title} has no track {track[:40]!r}; there are {', '.join(found)}")
    given = found[track]
    options = games.options_from_json({"game": game, **given["options"]})
    response = given.get("response")
    return Protocol(
        track, given["version"], options, tuple(given["opponents"]), given["deals"], given["seed"],
        given["seconds_a_decision"], given["interval"], digest_of(game, track, given),
        None if response is None else Budget(**response),
    )  # fmt: skip


def digest_of(game: str, track: str, given: Mapping[str, Any]) -> str:
    """Return 16 hex digits, a hash of the game, the track and the content of its protocol."""
    return hashlib.sha256(as_json([game, track, given]).encode()).hexdigest()[:16]


def chosen(game: str, text: str | None) -> list[Protocol]:
    """Return the protocols of tracks separated by commas; by default all but "exploit", which trains a network."""
    names = map(str.strip, text.split(",")) if text else required(game)
    return [protocol(game, name) for name in dict.fromkeys(names)]


def required(game: str) -> tuple[str, ...]:
    """Return the tracks that a file of the leaderboard must have: all except "exploit", which trains a network."""
    return tuple(each for each in tracks(game) if each != TRACKS[-1])
