"""Converts the content of a store to text and bytes, and back. All input is checked, and nothing is unpickled.

The functions that read take `fault`, which makes the exception for a description of the fault.
"""

import hashlib
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Final

import numpy as np
from msgspec import Meta
from msgspec.structs import asdict

from bloodrage_env import games
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.core.engine.game import Game
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.language.transcript import MAX_NUMBER, Talk

from ..schema import Digest, Seed, Spec, T, Table, Versions, decoded
from .plan import MAX_AGENTS, MAX_DEALS, check_plan
from .records import Mode, Plan, StoredGame, secret_of

MAX_REASON: Final = 500
_ACTION: Final = np.dtype("<u2")

Fault = Callable[[str], UserError]

_Above0 = Annotated[int, Meta(gt=0)] | Annotated[float, Meta(gt=0)]
_Count = Annotated[int, Meta(ge=0, lt=MAX_NUMBER)]
_Amount = Annotated[float, Meta(ge=0, lt=MAX_NUMBER)]
_Scores = tuple[Annotated[int, Meta(ge=-(2**31), le=2**31)], ...]
_Seconds = tuple[Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0)], ...]
_Talks = tuple[tuple[_Count, _Count, _Count, _Count, _Count, _Count, _Amount, _Amount] | None, ...]  # fields of Talk


class _Plan(Table, frozen=True):
    agents: Annotated[tuple[Spec, ...], Meta(min_length=1, max_length=MAX_AGENTS)]
    fingerprints: tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...]
    mode: Mode
    options: Any
    seed: Seed | None
    seconds_a_decision: _Above0
    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS)] | None
    until_width: _Above0 | None
    trusted: tuple[Spec, ...]
    paired: bool
    secret: Digest


def now() -> str:
    """Return the time in UTC, as `2026-01-31T12:00:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def plan_to_text(plan: Plan) -> str:
    """Return a plan as JSON."""
    return as_json(vars(plan) | {"options": games.options_to_json(plan.options)})


def plan_from_text(text: Any, fault: Fault) -> Plan:
    """Return a plan from its JSON."""
    found = _json(text, _Plan, "its plan", fault)
    _need(len(found.fingerprints) == len(found.agents), "its plan has no fingerprints", fault)
    own = found.seed is None or found.secret == secret_of(found.seed)
    _need(own, "its plan has a secret that is not that of its seed", fault)
    plan = Plan(**asdict(found) | {"options": _options(found.options, fault)})
    try:
        check_plan(plan)
    except UserError as error:
        raise fault(str(error)) from None
    return plan


def versions_to_text(versions: dict[str, str]) -> str:
    """Return versions as JSON."""
    return as_json(versions)


def versions_from_text(text: Any, fault: Fault) -> dict[str, str]:
    """Return versions from their JSON."""
    content = _json(text, Versions, "a writer's versions", fault)
    _need(all(map(str.isprintable, (*content, *content.values()))), "a writer has no versions", fault)
    return content


def game_to_row(game: StoredGame) -> tuple[Any, ...]:
    """Return a game as the values of its row, in the order of the fields of StoredGame."""
    return (
        game.id,
        game.deal,
        game.seating,
        game.seed,
        as_json(game.line_up),
        _text_of(game.options),
        zlib.compress(np.array(game.actions, _ACTION).tobytes()),
        as_json(game.scores),
        game.forfeit_seat,
        game.forfeit_reason,
        as_json([round(seconds, 6) for seconds in game.seconds]),
        as_json(game.decisions),
        as_json([each and [*vars(each).values()] for each in game.talk]),
    )


def game_from_row(row: tuple[Any, ...], plan: Plan, fault: Fault) -> StoredGame:
    """Return a game of a plan from its row."""
    key, deal, seating, seed, line_up, options, actions, ended, seat, reason, seconds, decisions, said = row
    _need(isinstance(key, str) and len(key) == 32 and key.isalnum(), "a game has no id", fault)

    def broken(what: str) -> UserError:
        return fault(f"game {key}: {what}")

    _need(_is_int(deal, 0, MAX_SEED), "it has no deal", broken)
    _need(_is_int(seed, 0, MAX_SEED), "it has no seed", broken)
    same = options == _text_of(plan.options)  # as of nearly all games, which need not be read again
    opened = plan.options if same else _options(_json(options, object, "its options", broken), broken)
    count = opened.num_players
    _need(_is_int(seating, 0, count - 1), "it has no seating", broken)
    names = _json(line_up, tuple[Spec, ...], "its line-up", broken)
    scores = _json(ended, _Scores, "its scores", broken)
    times = _json(seconds, _Seconds, "its times", broken)
    asked = _json(decisions, tuple[_Count, ...], "its decisions", broken)
    talk = _json(said, _Talks, "its language models", broken)
    lists = {"line-up": names, "scores": scores, "times": times, "decisions": asked}
    lists |= {"language models": talk} if talk else {}
    for what, each in lists.items():
        _need(len(each) == count, f"its {what}: {len(each)} instead of {count}, one a seat", broken)
    own = count == plan.options.num_players and {*names} <= {*plan.agents}
    _need(own, "it is not of this tournament", broken)
    _need((seat is None) == (reason is None) and (seat is None or _is_int(seat, 0, count - 1)), "who forfeits", broken)
    _need(reason is None or _is_line(reason, MAX_REASON), "its forfeit has no reason", broken)
    game = games.game(opened.game)
    _need(max(asked) <= game.max_decisions, "it has too many decisions", broken)
    return StoredGame(
        key, deal, seating, seed, names, opened, _actions(actions, game, broken), scores, seat, reason, times, asked,
        tuple(each and Talk(*each) for each in talk),
    )  # fmt: skip


def checksum(*values: int | str | bytes | None) -> bytes:
    """Return 16 bytes of SHA-256 over the values of a row."""
    texts = [value.hex() if isinstance(value, bytes) else value for value in values]
    return hashlib.sha256(repr(texts).encode()).digest()[:16]


def checked_text(value: Any, longest: int, what: str, fault: Fault) -> str:
    """Return the value if it is a text of one line that is not too long."""
    _need(_is_line(value, longest), f"{what} is not a text", fault)
    return str(value)


def _actions(packed: Any, game: Game, fault: Fault) -> tuple[int, ...]:
    longest = game.max_decisions * _ACTION.itemsize
    _need(isinstance(packed, bytes), "it has no actions", fault)
    reader = zlib.decompressobj()
    try:
        content = reader.decompress(packed, longest + 1)
    except zlib.error:
        raise fault("its actions are cut or altered") from None
    whole = reader.eof and not reader.unused_data and len(content) % _ACTION.itemsize == 0
    _need(whole and len(content) <= longest, "its actions are cut, or too many", fault)
    actions = np.frombuffer(content, _ACTION)
    _need(not len(actions) or int(actions.max()) < game.num_actions, "it has an action that is none", fault)
    return tuple(actions.tolist())


@cache
def _text_of(options: GameOptions) -> str:
    return as_json(games.options_to_json(options))


def _options(content: Any, fault: Fault) -> GameOptions:
    try:
        return games.options_from_json(content)
    except (TypeError, ValueError) as error:
        raise fault(f"its {error}") from None


def _json(text: Any, kind: type[T], what: str, fault: Fault) -> T:
    _need(isinstance(text, str), f"{what} is not a text", fault)
    try:
        return decoded(text, kind)
    except UserError as error:
        raise fault(f"{what}: {error}") from None


def _need(good: bool, what: str, fault: Fault) -> None:
    if not good:
        raise fault(what)


def _is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_line(value: Any, longest: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()
