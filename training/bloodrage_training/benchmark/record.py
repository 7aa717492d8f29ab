"""The result file of a benchmark: JSON, with one line for each deal. Nothing in a file from elsewhere is trusted.

A file contains all that is needed to play the games again: the agent, and its policy if it has one of its own. Plug-ins
are not contained, because their code would be executed; a plug-in is named, with the digest of its source.
"""

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, to_builtins

from bloodrage_agents import registry
from bloodrage_agents.network import SHIPPED, Network
from bloodrage_env import files, games
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from ..schema import Digest, Name, Spec, Table, Versions, decoded
from ..tournament.estimates import Estimate
from ..tournament.plan import draw
from ..tournament.records import secret_of
from .protocols import POLICY, TRACKS, protocol
from .results import Deal, Track

FORMAT: Final = 1
MAX_BYTES: Final = 32 * 2**20
MAX_TEXT: Final = 200
_DIGITS: Final = 6  # of figures in a file


_Rate = tuple[float | None, ...]
_Number = Annotated[int, Meta(ge=1, le=10**6)]


class Head(Table, frozen=True):
    """What a result file says of the agent."""

    game: str
    agent: Spec  # canonical spec; the policy of a file is POLICY
    name: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]  # as tables show it
    digest: Digest | None  # SHA-256 of the policy or of the source of a plug-in; None for other agents of the project
    stated: Annotated[str, Meta(max_length=MAX_TEXT)]  # what the user says about training
    made: Name  # date and time in UTC
    versions: Versions
    policy: bytes | None


class Record(Head, frozen=True):
    """The content of a result file."""

    tracks: tuple[Track, ...]

    @property
    def comparable(self) -> bool:
        """Whether no track is a trial."""
        return all(track.comparable for track in self.tracks)

    def track(self, name: str) -> Track | None:
        """Return the results of a track, None if it was not played."""
        return next((each for each in self.tracks if each.protocol.track == name), None)


# ---- agents


def check_agent(agent: str, game: str) -> None:
    """Raise UserError for an agent whose games cannot be played again."""
    parsed = registry.parse(agent, game)
    if parsed.shipped is not None and not parsed.shipped.alone:
        raise UserError(f"{agent} can't be measured by a benchmark: its games can't be played again")
    if parsed.shipped is not None and "ms" in parsed.arguments:
        raise UserError(f"{agent} is limited by time, so its games can't be played again; give it simulations")


def digest_of(agent: str, game: str, policy: bytes | None) -> str | None:
    """Return the digest of an agent's policy or source. Raise UserError if the source is missing."""
    if policy is not None:
        return hashlib.sha256(policy).hexdigest()
    if registry.is_shipped(agent, game):
        return None
    return hashlib.sha256(registry.source_of(agent, game).read_bytes()).hexdigest()


# ---- writing


def write(record: Record, path: Path) -> None:
    """Write a file."""
    files.write(path, to_json(record).encode())


def to_json(record: Record) -> str:
    """Return the content of a file."""
    head = {"format": FORMAT} | {name: to_builtins(getattr(record, name)) for name in Head.__struct_fields__}
    return f"{_with(head, 'tracks', [_track(each) for each in record.tracks])}\n"


def _track(track: Track) -> str:
    head = {
        "track": track.protocol.track, "version": track.protocol.version, "protocol": track.protocol.digest,
        "comparable": track.comparable, "seed": track.protocol.seed, "deals": track.deals, "games": track.games,
        "win_rate": _figures(track.win_rate()),
        "win_rates": {each: _figures(track.win_rate(each)) for each in track.opponents},
        "seconds_a_decision": round(track.seconds, 9) if math.isfinite(track.seconds) else None,
        "response": to_builtins(track.response),
    }  # fmt: skip
    return _with(head, "results", [as_json(to_builtins(each)) for each in track.results])


def _with(head: Mapping[str, Any], name: str, lines: list[str]) -> str:
    """Return JSON of `head` with one more entry, a list with an element in each line."""
    joined = ",\n".join(lines)
    return f'{as_json(head)[:-1]}, "{name}": [\n{joined}\n]}}'


def _figures(estimate: Estimate) -> _Rate:
    numbers = (estimate.value, estimate.low, estimate.high)
    return tuple(round(each, _DIGITS) if math.isfinite(each) else None for each in numbers)


# ---- reading


def read(path: Path) -> Record:
    """Return the content of a file. Raise UserError, with one line, for a file that is invalid."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror or error}") from error
    try:
        if len(text) > MAX_BYTES:
            raise UserError(f"it is larger than {MAX_BYTES >> 20} MiB")
        return from_json(text)
    except UserError as error:
        raise UserError(f"{path} is not a benchmark of this version: {error}") from error


class _Track(Table, frozen=True):
    track: str
    version: _Number
    protocol: str
    comparable: bool
    seed: int
    deals: _Number
    games: int
    win_rate: _Rate
    win_rates: dict[str, _Rate]
    seconds_a_decision: Annotated[float, Meta(ge=0, le=10**6)] | None
    response: bytes | None
    results: tuple[Deal, ...]


class _File(Head, frozen=True):
    format: Annotated[int, Meta(ge=FORMAT, le=FORMAT)]
    tracks: Annotated[tuple[_Track, ...], Meta(min_length=1, max_length=len(TRACKS))]


def from_json(text: bytes) -> Record:
    """Return the content of a file's bytes. Raise UserError."""
    found = decoded(text, _File)
    game, agent, policy = found.game, found.agent, found.policy
    if game not in games.all_names():
        raise UserError(f"its game {game!r:.60} is none of {', '.join(games.all_names())}")
    if registry.canonical(agent, game) != agent:
        raise UserError(f"agent {agent[:80]!r} is not in the canonical form")
    check_agent(agent, game)
    _check_policy(policy, "policy", game)
    path = registry.parse(agent, game).arguments.get("path", SHIPPED) if registry.is_shipped(agent, game) else SHIPPED
    if path != (SHIPPED if policy is None else POLICY):
        raise UserError(f"agent {agent[:80]!r} does not use the policy of the file")
    if policy is not None and found.digest != hashlib.sha256(policy).hexdigest():
        raise UserError("its digest is not that of its policy")
    tracks = tuple(_read_track(each, game, agent) for each in found.tracks)
    names = [each.protocol.track for each in tracks]
    if len(names) != len(set(names)):
        raise UserError("it has a track twice")
    return Record(**{name: getattr(found, name) for name in Head.__struct_fields__}, tracks=tracks)


def _read_track(found: _Track, game: str, agent: str) -> Track:
    name, wanted, deals = found.track, protocol(game, found.track), found.deals
    if (found.version, found.protocol) != (wanted.version, wanted.digest):
        raise UserError(
            f"version {found.version} of the track {name} is not version {wanted.version}, which is current"
        )
    if found.seed != wanted.seed or deals > wanted.deals or found.comparable != (deals == wanted.deals):
        raise UserError(f"the track {name} has another seed or number of deals than its protocol")
    _check_policy(found.response, "response", game)
    if (found.response is None) != (wanted.response is None):
        raise UserError(f"the track {name} has {'no' if found.response is None else 'a'} response")
    opponents = wanted.others(agent)
    places = [(deal, other) for deal in range(deals) for other in opponents]
    if len(found.results) != len(places):
        raise UserError(f"the track {name} has {len(found.results)} results instead of {len(places)}")
    secret, seats = secret_of(wanted.seed), wanted.options.num_players
    for row, (deal, other) in zip(found.results, places, strict=True):
        where = f"{name}, deal {deal} against {other}"
        if (row.deal, row.opponent, row.seed) != (deal, other, draw(secret, "deal", deal)):
            raise UserError(f"{where}: it has the deal, opponent or seed of another place")
        if len(row.won) != seats or len(row.scores) != seats or {len(each) for each in row.scores} != {seats}:
            raise UserError(f"{where}: it is not at {seats} seats")
    seconds = math.nan if found.seconds_a_decision is None else found.seconds_a_decision
    track = Track(wanted, deals, found.results, seconds, found.response)
    stated = (found.games, found.win_rate, found.win_rates)
    if stated != (
        track.games,
        _figures(track.win_rate()),
        {each: _figures(track.win_rate(each)) for each in track.opponents},
    ):
        raise UserError(f"the win rates of the track {name} are not those of its deals")
    return track


def _check_policy(content: bytes | None, what: str, game: str) -> None:
    """Raise UserError for a policy of another environment."""
    if content is None:
        return
    try:
        files.check_sealed(content)
        Network.from_bytes(content, game)
    except UserError as error:
        raise UserError(f"its {what} is not a policy of this environment: {error}") from error
