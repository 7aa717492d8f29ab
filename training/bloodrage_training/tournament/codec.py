"""Converts the content of a store to text and bytes, and back. All input is checked, and nothing is unpickled.

The functions that read take `fault`, which makes the exception for a description of the fault.
"""

import hashlib
import json
import math
import re
import zlib
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, get_type_hints

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.core.engine.game import Game
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.language.transcript import MAX_NUMBER, Talk

from .plan import MAX_AGENTS, MAX_DEALS, check_plan
from .records import MODES, Plan, StoredGame, secret_of

MAX_SPEC: Final = 1000  # characters
MAX_REASON: Final = 500
_MAX_SCORE: Final = 2**31
_MAX_VERSIONS: Final = 20
_PLAN_KEYS: Final = {
    "agents", "fingerprints", "mode", "options", "seed", "seconds_a_decision", "deals", "until_width", "secret",
    "trusted", "paired",
}  # fmt: skip
_ACTION: Final = np.dtype("<u2")

Fault = Callable[[str], UserError]


def now() -> str:
    """Return the time in UTC, as `2026-01-31T12:00:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def plan_to_text(plan: Plan) -> str:
    """Return a plan as JSON."""
    return as_json(asdict(plan) | {"options": games.options_to_json(plan.options)})


def plan_from_text(text: Any, fault: Fault) -> Plan:
    """Return a plan from its JSON."""
    content = _json(text, "its plan", fault)
    _need(isinstance(content, dict) and content.keys() == _PLAN_KEYS, "its plan has other entries", fault)
    agents, prints = content["agents"], content["fingerprints"]
    _need(_are_texts(agents, MAX_SPEC) and 1 <= len(agents) <= MAX_AGENTS, "its plan names no agents", fault)
    _need(_are_texts(prints, 200) and len(prints) == len(agents), "its plan has no fingerprints", fault)
    _need(content["mode"] in MODES, "its plan has no mode", fault)
    seed, secret = content["seed"], content["secret"]
    _need(seed is None or _is_int(seed, 0, MAX_SEED), "its plan has no seed", fault)
    _need(isinstance(secret, str) and re.fullmatch("[0-9a-f]{64}", secret) is not None, "its plan has no secret", fault)
    _need(seed is None or secret == secret_of(seed), "its plan has a secret that is not that of its seed", fault)
    _need(_is_positive(content["seconds_a_decision"]), "its plan has no time limit", fault)
    deals, width = content["deals"], content["until_width"]
    _need(deals is None or _is_int(deals, 1, MAX_DEALS), "its plan has no number of deals", fault)
    _need(width is None or _is_positive(width), "its plan has no width", fault)
    trusted = content["trusted"]
    _need(_are_texts(trusted, MAX_SPEC), "its plan does not say which plug-ins are trusted", fault)
    _need(type(content["paired"]) is bool, "its plan does not say how deals are played", fault)
    changed = {"agents": tuple(agents), "fingerprints": tuple(prints), "trusted": tuple(trusted)}
    plan = Plan(**{**content, **changed, "options": _options(content["options"], fault)})
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
    content = _json(text, "a writer's versions", fault)
    good = isinstance(content, dict) and len(content) <= _MAX_VERSIONS and _are_texts(list(content.values()), 100)
    _need(good and _are_texts(list(content), 100), "a writer has no versions", fault)
    return dict(content)


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
    opened = plan.options if same else _options(_json(options, "its options", broken), broken)
    count = opened.num_players
    _need(_is_int(seating, 0, count - 1), "it has no seating", broken)
    names, scores = _json(line_up, "its line-up", broken), _json(ended, "its scores", broken)
    _need(_are_texts(names, MAX_SPEC) and len(names) == count, "it has no line-up", broken)
    own = count == plan.options.num_players and {*names} <= {*plan.agents}
    _need(own, "it is not of this tournament", broken)
    _need(_are(scores, count, lambda n: _is_int(n, -_MAX_SCORE, _MAX_SCORE)), "it has no scores", broken)
    _need((seat is None) == (reason is None) and (seat is None or _is_int(seat, 0, count - 1)), "who forfeits", broken)
    _need(reason is None or _are_texts([reason], MAX_REASON), "its forfeit has no reason", broken)
    times, asked = _json(seconds, "its times", broken), _json(decisions, "its decisions", broken)
    _need(_are(times, count, lambda n: n == 0 or _is_positive(n)), "it has no times", broken)
    game = games.game(opened.game)
    _need(_are(asked, count, lambda n: _is_int(n, 0, game.max_decisions)), "it has no decisions", broken)
    played = _actions(actions, game, broken)
    return StoredGame(
        key, deal, seating, seed, tuple(names), opened, played, tuple(scores), seat, reason, tuple(times), tuple(asked),
        _talk(_json(said, "its language models", broken), count, broken),
    )  # fmt: skip


def _talk(content: Any, seats: int, fault: Fault) -> tuple[Talk | None, ...]:
    """What language models took, by seat."""
    kinds = get_type_hints(Talk).values()
    _need(isinstance(content, list) and len(content) in (0, seats), "it has no language models", fault)
    for each in content:
        known = each is None or (
            isinstance(each, list)
            and len(each) == len(kinds)
            and all(type(value) is kind and 0 <= value < MAX_NUMBER for value, kind in zip(each, kinds, strict=True))
        )
        _need(known, "it does not say what a language model took", fault)
    return tuple(each and Talk(*each) for each in content)


def checksum(*values: int | str | bytes | None) -> bytes:
    """Return 16 bytes of SHA-256 over the values of a row."""
    texts = [value.hex() if isinstance(value, bytes) else value for value in values]
    return hashlib.sha256(repr(texts).encode()).digest()[:16]


def checked_text(value: Any, longest: int, what: str, fault: Fault) -> str:
    """Return the value if it is a text of one line that is not too long."""
    _need(_are_texts([value], longest), f"{what} is not a text", fault)
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


def _json(text: Any, what: str, fault: Fault) -> Any:
    _need(isinstance(text, str), f"{what} is not a text", fault)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise fault(f"{what} can't be read") from None


def _need(good: bool, what: str, fault: Fault) -> None:
    if not good:
        raise fault(what)


def _is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_positive(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value < math.inf


def _are(values: Any, count: int, good: Callable[[Any], bool]) -> bool:
    return isinstance(values, list) and len(values) == count and all(good(value) for value in values)


def _are_texts(values: Any, longest: int) -> bool:
    if not isinstance(values, list):
        return False
    return all(isinstance(value, str) and 0 < len(value) <= longest and value.isprintable() for value in values)
