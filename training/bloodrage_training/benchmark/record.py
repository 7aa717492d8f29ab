"""The result file of a benchmark: JSON, with one line for each deal. Nothing in a file from elsewhere is trusted.

A file contains all that is needed to play the games again: the agent, and its policy if it has one of its own. Plug-ins
are not contained, because their code would be executed; a plug-in is named, with the digest of its source.
"""

import base64
import binascii
import hashlib
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from bloodrage_agents import registry
from bloodrage_agents.network import SHIPPED, Network
from bloodrage_env import files, games
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from ..schema import Kind, checked, from_text, hexadecimal, line, listed, maybe, named, number, whole
from ..tournament.codec import MAX_SPEC
from ..tournament.estimates import Estimate
from ..tournament.plan import draw
from ..tournament.records import secret_of
from .protocols import POLICY, TRACKS, protocol
from .results import Deal, Track

FORMAT: Final = 1
MAX_BYTES: Final = 32 * 2**20
MAX_TEXT: Final = 200
_DIGITS: Final = 6  # of figures in a file


@dataclass(frozen=True)
class Record:
    """The content of a result file."""

    game: str
    agent: str  # canonical spec; the policy of a file is POLICY
    name: str  # as tables show it
    digest: str | None  # SHA-256 of the policy or of the source of a plug-in; None for other agents of the project
    stated: str  # what the user says about training
    made: str  # date and time in UTC
    versions: Mapping[str, str]
    policy: bytes | None
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
    head = {
        "format": FORMAT, "game": record.game, "agent": record.agent, "name": record.name, "digest": record.digest,
        "stated": record.stated, "made": record.made, "versions": dict(record.versions),
        "policy": _text(record.policy),
    }  # fmt: skip
    return f"{_with(head, 'tracks', [_track(each) for each in record.tracks])}\n"


def _track(track: Track) -> str:
    head = {
        "track": track.protocol.track, "version": track.protocol.version, "protocol": track.protocol.digest,
        "comparable": track.comparable, "seed": track.protocol.seed, "deals": track.deals, "games": track.games,
        "win_rate": _figures(track.win_rate()),
        "win_rates": {each: _figures(track.win_rate(each)) for each in track.opponents},
        "seconds_a_decision": round(track.seconds, 9) if math.isfinite(track.seconds) else None,
        "response": _text(track.response),
    }  # fmt: skip
    return _with(head, "results", [as_json(asdict(each)) for each in track.results])


def _with(head: Mapping[str, Any], name: str, lines: list[str]) -> str:
    """Return JSON of `head` with one more entry, a list with an element in each line."""
    joined = ",\n".join(lines)
    return f'{as_json(head)[:-1]}, "{name}": [\n{joined}\n]}}'


def _text(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def _figures(estimate: Estimate) -> list[float | None]:
    numbers = (estimate.value, estimate.low, estimate.high)
    return [round(each, _DIGITS) if math.isfinite(each) else None for each in numbers]


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


def from_json(text: bytes) -> Record:
    """Return the content of a file's bytes. Raise UserError."""
    content = from_text(text)
    checked(content, {"format": whole(FORMAT, FORMAT)}, "it", others=True)
    checked(content, _TOP, "it")
    game, agent = content["game"], content["agent"]
    if registry.canonical(agent, game) != agent:
        raise UserError(f"agent {agent[:80]!r} is not in the canonical form")
    check_agent(agent, game)
    policy = _bytes(content["policy"], "policy", game)
    path = registry.parse(agent, game).arguments.get("path", SHIPPED) if registry.is_shipped(agent, game) else SHIPPED
    if path != (SHIPPED if policy is None else POLICY):
        raise UserError(f"agent {agent[:80]!r} does not use the policy of the file")
    if policy is not None and content["digest"] != hashlib.sha256(policy).hexdigest():
        raise UserError("its digest is not that of its policy")
    tracks = tuple(_read_track(each, game, agent) for each in content["tracks"])
    names = [each.protocol.track for each in tracks]
    if len(names) != len(set(names)):
        raise UserError("it has a track twice")
    given = {name: content[name] for name in ("game", "agent", "name", "digest", "stated", "made", "versions")}
    return Record(**given, policy=policy, tracks=tracks)


def _read_track(content: Any, game: str, agent: str) -> Track:
    checked(content, _TRACK, "a track")
    name = content["track"]
    wanted = protocol(game, name)
    if (content["version"], content["protocol"]) != (wanted.version, wanted.digest):
        raise UserError(
            f"version {content['version']} of the track {name} is not version {wanted.version}, which is current"
        )
    deals = content["deals"]
    if content["seed"] != wanted.seed or deals > wanted.deals or content["comparable"] != (deals == wanted.deals):
        raise UserError(f"the track {name} has another seed or number of deals than its protocol")
    response = _bytes(content["response"], "response", game)
    if (response is None) != (wanted.response is None):
        raise UserError(f"the track {name} has {'no' if response is None else 'a'} response")
    opponents = wanted.others(agent)
    places = [(deal, other) for deal in range(deals) for other in opponents]
    rows = content["results"]
    if len(rows) != len(places):
        raise UserError(f"the track {name} has {len(rows)} results instead of {len(places)}")
    secret = secret_of(wanted.seed)
    found = []
    for row, (deal, other) in zip(rows, places, strict=True):
        where = f"{name}, deal {deal} against {other}"
        checked(row, _DEAL, where)
        seats = wanted.options.num_players
        if (row["deal"], row["opponent"], row["seed"]) != (deal, other, draw(secret, "deal", deal)):
            raise UserError(f"{where}: it has the deal, opponent or seed of another place")
        if len(row["won"]) != seats or len(row["scores"]) != seats or {len(each) for each in row["scores"]} != {seats}:
            raise UserError(f"{where}: it is not at {seats} seats")
        won, scores = tuple(map(float, row["won"])), tuple(map(tuple, row["scores"]))
        found.append(Deal(other, deal, row["seed"], won, scores, row["forfeits"], row["moves"]))
    seconds = content["seconds_a_decision"]
    track = Track(wanted, deals, tuple(found), math.nan if seconds is None else seconds, response)
    stated = (content["games"], content["win_rate"], content["win_rates"])
    if stated != (
        track.games,
        _figures(track.win_rate()),
        {each: _figures(track.win_rate(each)) for each in track.opponents},
    ):
        raise UserError(f"the win rates of the track {name} are not those of its deals")
    return track


def _bytes(text: str | None, what: str, game: str) -> bytes | None:
    """Return the policy that a text contains, after a check. Raise UserError."""
    if text is None:
        return None
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise UserError(f"its {what} is not a text in base 64") from None
    try:
        files.check_sealed(content)
        Network.from_bytes(content, game)
    except UserError as error:
        raise UserError(f"its {what} is not a policy of this environment: {error}") from error
    return content


_RATE: Final = listed(maybe(number(0, 1)), 3)
_TOP: Final[Mapping[str, Kind]] = {
    "format": whole(FORMAT, FORMAT),
    "game": lambda value: isinstance(value, str) and value in games.all_names(),
    "agent": line(MAX_SPEC),
    "name": line(MAX_TEXT),
    "digest": maybe(hexadecimal(64)),
    "stated": line(MAX_TEXT, 0),
    "made": line(40),
    "versions": named(line(40), line(100), 20),
    "policy": maybe(lambda value: isinstance(value, str)),
    "tracks": lambda value: isinstance(value, list) and 1 <= len(value) <= len(TRACKS),
}
_TRACK: Final[Mapping[str, Kind]] = {
    "track": lambda value: value in TRACKS,
    "version": whole(1, 10**6),
    "protocol": hexadecimal(16),
    "comparable": lambda value: type(value) is bool,
    "seed": whole(0, MAX_SEED),
    "deals": whole(1, 10**6),
    "games": whole(1, 10**8),
    "win_rate": _RATE,
    "win_rates": named(line(MAX_SPEC), _RATE, 100),
    "seconds_a_decision": maybe(number(0, 10**6)),
    "response": maybe(lambda value: isinstance(value, str)),
    "results": lambda value: isinstance(value, list),
}
_DEAL: Final[Mapping[str, Kind]] = {
    "opponent": line(MAX_SPEC),
    "deal": whole(0, 10**6),
    "seed": whole(0, MAX_SEED),
    "won": listed(number(0, 1), 100),
    "scores": listed(listed(whole(-(2**31), 2**31), 100), 100),
    "forfeits": whole(0, 100),
    "moves": hexadecimal(16),
}
