"""A march with its figures as one answer, and actions of a turn in words, which need not be legal."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ....core.shown.language import Composite, UnknownWordError
from ....text import counted, is_number, words_of
from ..engine import (
    CARD,
    NUM_KINDS,
    PROVINCE,
    TYPE,
    UNLIMITED,
    VILLAGES,
    Card,
    CardType,
    Decision,
    Figure,
    States,
)
from ..notation.words import PLACES, PROVINCES, face, kind_name

_OWN: Final = {"the", "my"}  # between a count and a name, or before them
_FIGURES: Final = {"figure", "figures"}
_JOINING: Final = {"and", "+", "&", "|"}  # between one thing and the next
_APART: Final = {*_JOINING, "with"}
_ALL: Final = {"all", "every", "everything", "everyone"}
_BOTH: Final = "both"
_MAX_COUNT: Final = 100
_LONGEST: Final = 6  # words of a name
KINDS: Final = [each.name.capitalize().replace("_", " ") for each in Figure]  # as structs name them
_PROVINCES: Final = {name.casefold(): number for number, name in enumerate(PROVINCES)}
_PLACES: Final = {" ".join(word for word in words_of(name) if word not in _JOINING): name for name in PLACES}


def plain(text: str, known: States, seat: int) -> list[str]:
    """Return the words of a text without those between things that are listed, and without `two of` before them."""
    words = words_of(text)
    if words[:1] == ["march"]:  # `and` ends a count there
        return [words[0], *words[3:]] if words[1:3] == ["figures", "of"] else words
    words = [word for word in words if word not in _JOINING]
    if words[:2] == ["keep", "2"]:
        del words[1 : 3 if words[2:3] == ["of"] else 2]
    return words


def composite(words: Sequence[str], known: States, seat: int) -> Composite | None:
    """A march, such as `march 2 warriors, leader, Gimle -> Andlang`, or another action of a turn (rules 3.2)."""
    if known[0].decision != Decision.ACTION or not words:
        return None
    return _march(words[1:], known[0], seat) if words[0] == "march" else _action(words, known[0], seat)


def follow(plan: dict[str, Any], known: States, seat: int) -> dict[str, Any] | None:
    """Return how many figures of the kind in question go, and remove them from the plan (rules 3.2.6)."""
    if known[0].decision != Decision.MARCH:
        return None
    return {"kind": "count", "arguments": {"count": plan.pop(KINDS[known[0].about_kind], 0)}}


# ---- a march


def _march(words: Sequence[str], s: np.record, seat: int) -> Composite:
    """The march, with the figures that go if they are named before or after the places."""
    at = words.index("with") if "with" in words else len(words)  # `from Gimle to Andlang with 2 warriors`
    who, after = list(words[:at]), words[at + 1 :]
    goal = _place(who, ("to", "into", "->"))
    origin = _place(who, ("from",))
    who += ["and", *after] if who and after else after
    march = {"kind": "march", "arguments": {"from": PROVINCES[origin], "to": PROVINCES[goal]}}
    if not who:
        return march, None
    going = _going(who, s, seat, origin)
    if not going:
        raise UnknownWordError("is not a march: it does not say which figures go")
    room = UNLIMITED if VILLAGES[goal] == UNLIMITED else int(VILLAGES[goal]) - int(s.occupied[goal])
    if room != UNLIMITED and sum(going.values()) > room:
        raise ValueError(f"{sum(going.values())} figures can't march to {PROVINCES[goal]}: it has room for {room}")
    return march, dict(going)


def _place(words: list[str], before: tuple[str, ...]) -> int:
    """Take a province from the end of words, with the word before it."""
    name = words.pop() if words else ""
    if name not in _PROVINCES:
        said = f"`{name}` is not a province" if name else "a province is missing"
        raise UnknownWordError(f"is not a march, `FIGURES, FROM -> TO`: {said}")
    if words and words[-1] in before:
        words.pop()
    elif "to" in before:
        raise UnknownWordError(f"is not a march, `FIGURES, FROM -> TO`: no `->` is before `{name}`")
    return _PROVINCES[name]


def _going(who: Sequence[str], s: np.record, seat: int, origin: int) -> dict[str, int]:
    """How many figures of each kind go, by words such as `2 warriors leader`. Raise ValueError if there are fewer."""
    there = [int(s.figures[seat, kind, origin]) for kind in range(NUM_KINDS)]
    names, going, at = _kind_words(s, seat, there), dict[str, int](), 0
    while at < len(who):
        if who[at] in _OWN | _FIGURES | _APART:
            at += 1
            continue
        count = who[at] if is_number(who[at]) or who[at] in _ALL or who[at] == _BOTH else ""
        at += bool(count)
        while at < len(who) and who[at] in _OWN:
            at += 1
        rest = list(who[at : at + _LONGEST])
        name, kind = next(((name, kind) for name, kind in names if rest[: len(name)] == name), ([], -1))
        if count and not is_number(count) and not going and (not rest or (len(rest) == 1 and rest[0] in _FIGURES)):
            return _everyone(count, there, origin)
        if not name:
            raise UnknownWordError(f"is not a march: `{(rest or [count])[0]}` is not a figure of yours")
        at += len(name)
        shown = kind_name(s, seat, kind)
        if count in ("everything", "everyone") or (count in ("all", _BOTH) and " ".join(name) == shown.casefold()):
            raise UnknownWordError(f"is not a march: `{count} {shown}` does not say how many figures go")
        if not count and " ".join(name) == f"{shown.casefold()}s":
            raise UnknownWordError(f"is not a march: it does not say how many {shown}s go")
        going[KINDS[kind]] = going.get(KINDS[kind], 0) + _number(count, there[kind])
        _check(count, going[KINDS[kind]], there[kind], shown, origin)
    return going


def _number(count: str, there: int) -> int:
    """How many figures of a kind a word means."""
    if count in _ALL:
        return there
    return 2 if count == _BOTH else min(int(count.lstrip("0")[:4] or 0), _MAX_COUNT) if count else 1


def _check(count: str, wanted: int, there: int, shown: str, origin: int) -> None:
    """Raise ValueError if so many figures can't go."""
    if wanted > there or (count == _BOTH and there != 2) or (count in _ALL and there == 0):
        said = counted(there, shown) if there else f"no {shown}"
        raise ValueError(f"{counted(wanted, shown)} can't march from {PROVINCES[origin]}: {said} of yours can go there")


def _everyone(count: str, there: Sequence[int], origin: int) -> dict[str, int]:
    """All figures of a province."""
    if sum(there) == 0 or (count == _BOTH and sum(there) != 2):
        raise ValueError(f"you have {counted(sum(there), 'figure')} in {PROVINCES[origin]}, not {count}")
    return {KINDS[kind]: number for kind, number in enumerate(there) if number}


def _kind_words(s: np.record, seat: int, there: Sequence[int]) -> list[tuple[list[str], int]]:
    """The words for each kind of figure, one or several; `monster` alone where only one of them is."""
    found = []
    for kind in range(NUM_KINDS):
        name = kind_name(s, seat, kind)
        found += [(words_of(name), kind), (words_of(f"{name}s"), kind)]
    monsters = [kind for kind in (Figure.MONSTER_1, Figure.MONSTER_2) if there[kind]]
    return found + ([(["monster"], int(monsters[0]))] if len(monsters) == 1 else [])


# ---- other actions of a turn


def _action(words: Sequence[str], s: np.record, seat: int) -> Composite | None:
    """An action without the price, by the words of the list of actions: `invade Gimle with the leader`."""
    if "for" in words:
        found = _action(words[: words.index("for")], s, seat)
        return None if found is None or _is_legal(found[0]["arguments"], s) else found  # the list has other words
    verb, rest = words[0], list(words[1:])
    if verb == "pass" and not rest:
        return {"kind": "pass", "arguments": {}}, None
    if verb == "pillage" and len(rest) == 1 and rest[0] in _PROVINCES:
        return {"kind": "province", "arguments": {"province": PROVINCES[_PROVINCES[rest[0]]]}}, None
    if verb == "invade" and "with" in rest:
        at = rest.index("with")
        place = _PLACES.get(" ".join(rest[:at]))
        who = [each for each in rest[at + 1 :] if each not in ("the", "1")]
        kinds = [kind for name, kind in _kind_words(s, seat, [0] * NUM_KINDS)
                 if name == who == words_of(kind_name(s, seat, kind))]  # fmt: skip
        if place and kinds:
            return {"kind": "figure_at", "arguments": {"figure": KINDS[kinds[0]], "place": place}}, None
    if verb in ("play", "commit"):
        return _card(words)
    return None


def _is_legal(arguments: dict[str, Any], s: np.record) -> bool:
    """Whether the province can be pillaged or the card played."""
    if "province" in arguments:
        return bool(s.mask[PROVINCE + PROVINCES.index(arguments["province"])])
    return "card" in arguments and bool(s.mask[CARD + next(card for card in Card if face(card) == arguments["card"])])


def _card(words: Sequence[str]) -> Composite | None:
    """`play CARD`, `commit to the quest CARD`."""
    title = " ".join(words).removeprefix("play ").removeprefix("commit to the quest ")
    quest = words[0] == "commit"
    found = [
        card for card in Card if " ".join(words_of(face(card))) == title and (TYPE[card] == CardType.QUEST) == quest
    ]
    return ({"kind": "card", "arguments": {"card": face(found[0])}}, None) if found else None
