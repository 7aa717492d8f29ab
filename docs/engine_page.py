"""The reference of the engine: every name of `bloodrage_env.games.bloodrage.engine`, in the groups and the order of its
`__all__`.

Functions and enumerations are described by their docstrings, fields of a game by the table in `state.py`, and what has
no docstring by the table here. The site is built with them (`docs/site/hooks.py`).
"""

import inspect
import re
from collections.abc import Callable, Iterator
from enum import EnumMeta
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np

from bloodrage_env.core.compile.decorators import Ints, Ints2, Mask, Record, Records
from bloodrage_env.core.engine.record import Columns
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import State, States
from bloodrage_env.games.bloodrage.engine.state import GROUPS

FOLDER = Path(str(engine.__file__)).parent
LONGEST = 30  # members that an enumeration may have to be printed

# What is not a function and no enumeration. Of arrays first their axes.
MEANINGS = {
    "STATE": "the dtype of a game; its fields are listed [below](#fields-of-a-game)",
    "State": "one game, as an argument of compiled functions: a record of `STATE`, with fields as attributes",
    "States": "games, as an argument of compiled functions: a C-contiguous array of `STATE`",
    "GAME_OVER": "instead of a seat: the game has ended",
    "ILLEGAL": "instead of a seat: the action was not legal, and nothing changed",
    "SIMULTANEOUS": "[decision]: all seats choose face down, and their answers are revealed together",
    "NOTHING": "in the field `pending`: a choice that was made and is not a card, or is hidden",
    "MAX_SHOWN": "cards of its own that a clan can show in an Age: those dealt and the one kept",
    "NUM_OPTIONS": "number of options",
    "MIN_SEATS": "fewest seats of a game",
    "MAX_SEATS": "most seats of a game; arrays by seat are as long",
    "PLAYABLE": "bits, `1 << CardSet`: the sets of cards that can be added to the base game",
    "MAX_DECISIONS": "a game with this number of decisions is cut off: its field `truncated` is 1",
    "NONE": "no card, no seat, no place, no figure kind",
    "RULES_VERSION": "the version of the rules; replays of another one are refused",
    "NUM_ACTIONS": "number of action ids: 0 to `NUM_ACTIONS - 1`",
    "BLOCKS": "the blocks in rising order, each a named tuple `(name, start, size, meaning, labels, arguments)`; "
    "[environment.md](environment.md#actions) lists them",
    "PASS": "the action Pass",
    "YES": "yes; in a save: the escape to Yggdrasil",
    "NO": "no, or no more",
    "SACRIFICE": "the action of Frigga's Sacrifice",
    "RAISE_DEAD": "the action of Frigga's Domain",
    "STAT": "start of a block: `STAT + stat`",
    "COUNT": "start of a block: `COUNT + n`, n from 0 to 8",
    "SLOT": "start of a block: `SLOT + n`, the n-th slot of the upgrade's type",
    "PROVINCE": "start of a block: `PROVINCE + province`",
    "CARD": "start of a block: `CARD + card`",
    "FIGURE_AT": "start of a block: `FIGURE_AT + NUM_BOARD * kind + place`",
    "MARCH": "start of a block, with an id for each ordered pair of different provinces",
    "MARCH_ID": "[from, to]: the action id of a march between two provinces, -1 where they are the same",
    "MARCH_FROM": "[id - MARCH]: the province that a march leaves",
    "MARCH_TO": "[id - MARCH]: the province that a march goes to",
    "NUM_AGES": "Ages of a game; they count from 0",
    "NUM_PHASES": "members of `Phase`",
    "NUM_DECISIONS": "members of `Decision`",
    "NUM_PLACES": "members of `Place`",
    "NUM_BOARD": "places of the board, provinces and fjords: the first members of `Place`",
    "NUM_PROVINCES": "provinces, Yggdrasil last: the first members of `Place`",
    "NUM_OUTER": "provinces except Yggdrasil, clockwise: the first members of `Place`",
    "NUM_FJORDS": "fjords",
    "FIRST_FJORD": "the first of `Place` that is a fjord",
    "REGION": "[province]: its `Region`",
    "ADJACENT": "[province, province]: whether they are adjacent (rules 1.1)",
    "FJORD_OF": "[province]: the fjord that supports it; Yggdrasil, which has none, itself (rules 1.3)",
    "VILLAGES": "[place]: its villages, or `UNLIMITED`; the places of the board (rules 1.2, 1.3)",
    "UNLIMITED": "in `VILLAGES` and from `room`: a place that holds any number of figures",
    "NUM_TOKENS": "members of `Token`",
    "NUM_STATS": "members of `Stat`",
    "NUM_STEPS": "steps of a stat; the field `stat_step` counts them from 0",
    "STAT_VALUE": "[stat, step]: the number on the clan sheet (rules 1.5)",
    "STAT_BONUS": "[step]: glory at the end of the game for a stat on this step (rules 1.5)",
    "NUM_SLOTS": "members of `Slot`",
    "FIRST_SLOT": "[card type]: the first `Slot` of upgrades of this type, -1 for cards that are none",
    "SLOTS_OF": "[card type]: how many slots it has (rules 1.4)",
    "SLOT_OF_KIND": "[figure kind]: the `Slot` of the card that upgrades or brings the figure, or `NONE`",
    "KIND_OF_SLOT": "[slot]: the figure kind that a card in this slot upgrades or brings, or `NONE`",
    "TYPE_OF_KIND": "[figure kind]: the `CardType` of that card, or `NONE`",
    "NUM_KINDS": "members of `Figure`",
    "KIND_CAPACITY": "figure kinds with those reserved for later ones: the length of what goes by kinds",
    "NUM_WARRIORS": "warriors of a clan (rules 1.4)",
    "MOST_OF_KIND": "[figure kind]: how many figures of it a clan has, with all its upgrades (rules 1.4)",
    "NUM_MYSTICS": "Mystics of a clan (rules 6.4.4.1)",
    "NUM_SOURCES": "members of `Source`",
    "TOKEN_GLORY": "of the token `Token.GLORY` (rules 4.8)",
    "RAGNAROK_GLORY": "[age]: for each figure that Ragnarok destroys (rules 3.5)",
    "NUM_CARDS": "card ids, those of all sets: 0 to `NUM_CARDS - 1`",
    "QUEST_CAPACITY": "quests with those reserved for later cards",
    "CARD_CAPACITY": "card ids with those reserved for later cards: the length of what goes by cards",
    "IS_UPGRADE": "[card]: whether it is an upgrade",
    "NUM_SETS": "members of `CardSet`",
    "TITLE": "[card]: its title",
    "KILLERS": "by cause of death: the card whose text destroys figures",
    "NUM_GODS": "members of `God`",
    "GODS_IN_GAME": "gods of a game with the set `gods` (rules 6.4.5.1)",
    "GOD_TEXT": "[god]: what it does, in words",
    "TEXT": "[card]: what it does, in words; a summary",
    "GOD": "[card]: the god that it names, or an empty text",
    "SET": "[card]: its `CardSet`",
    "TYPE": "[card]: its `CardType`",
    "STRENGTH": "[card]: the STR printed on it; 0 for quests",
    "PRICE": "[card]: the Rage printed on it; of a monster also to invade with it",
    "LATE": "[card]: 1 if it can be added after the reveal (rules 4.5)",
    "QUEST_GLORY": "[card]: the glory of a quest; 0 for other cards",
    "GOAL": "[card]: the `Goal` of a quest; -1 for other cards",
    "GLORIOUS_DEATH_FIGURES": "figures in Valhalla that the quest Glorious Death asks for (rules 3.4)",
    "QUESTS": "[position]: the cards that are quests, in rising order",
    "QUEST_INDEX": "[card]: its position in `QUESTS`; -1 for other cards",
    "EFFECTS": "[effect, card]: a number in a card's text; 0 where it has no such text",
    "COPIES": "[set, num_players, age, card]: how many of a card a set puts into the deck of an Age",
    "PACK_SIZE": "cards dealt to each clan in an Age (rules 3.1.1)",
    "DRAFTED": "cards that each clan keeps in a draft (rules 3.1.2)",
    "DRAFT_ROUNDS": "[num_players]: rounds of a draft (rules 3.1.3)",
    "GROUPS": "the table of the fields of `STATE`",
    "HOT_BYTES": "bytes at the start of a record that most decisions need",
    "COMPILER": "compiles functions of the core for `STATE`",
    "FLOW": "the rules that the core makes of this game, from answer to question",
    "PLAY": "the entries that the core makes for this game; most of them are names above",
}

# What the arguments are, and what they may be. One of an entry that is anything else is a ValueError.
ARGUMENTS = {
    "states": ("an array of games", "C-contiguous, of `STATE`, writable"),
    "index": ("which game of the array", "0 to `len(states) - 1`"),
    "s": ("one game, `states[index]`", ""),
    "seat": ("a clan of the game, clockwise", "0 to `num_players - 1`"),
    "viewer": ("the observer", "as `seat`"),
    "clan": ("a clan of the game", "as `seat`"),
    "action": ("an action id", "0 to `NUM_ACTIONS - 1`; for `apply` and `step` any number"),
    "kind": ("a figure kind, `Figure`", "0 to `NUM_KINDS - 1`"),
    "place": ("a place of the board, `Place`", "0 to `NUM_BOARD - 1`"),
    "province": ("a province, `Place`", "0 to `NUM_PROVINCES - 1`"),
    "card": ("a card id, `Card`", "0 to `NUM_CARDS - 1`"),
    "quest": ("a card that is a quest", "a member of `QUESTS`"),
    "slot": ("a slot of the clan sheet, `Slot`", "0 to `NUM_SLOTS - 1`"),
    "stat": ("`Stat`", "0 to `NUM_STATS - 1`"),
    "effect": ("`Effect`", "0 to `len(Effect) - 1`"),
    "god": ("`God`", "0 to `NUM_GODS - 1`"),
    "purpose": ("`Purpose`", "0 or 1"),
    "age": ("an Age", "0 to `NUM_AGES - 1`"),
    "card_set": ("`CardSet`", "0 to `NUM_SETS - 1`"),
    "count": ("how many figures", "0 or more"),
    "mystics": ("Mystics of the clan in the battle", "0 to `NUM_MYSTICS`"),
    "j": ("the position of a committed quest", "0 or more"),
    "draft_round": ("a round of the draft that is done", "0 to `draft_round - 1` of the game"),
    "rank": ("the position among the legal actions", "0 to `num_legal - 1`"),
    "seed": ("seed of the random numbers", "0 to 2**63 - 1"),
    "first_seed": ("the seed of the first game", "as `seed`"),
    "num_players": ("seats of the game", "2 to 4; 5 with the set `p5`"),
    "first_game": ("Age 1 without a draft", "`False`, `True`"),
    "skip_forced": ("skip questions of which all can see the only answer", "`False`, `True`"),
    "sets": ("bits, `1 << CardSet`: cards added to the base game", "bits of `PLAYABLE`"),
    "options": ("all four options, by `Option`", "int64[`NUM_OPTIONS`]"),
    "max_decisions": ("the most decisions to play", "0 or more"),
    "games": ("how many games", "0 or more"),
    "tally": ("where counts are written", "int64[4]"),
    "out": ("where numbers are added", "uint8[`NUM_PROVINCES`]"),
}

# How the annotations of compiled functions are printed. Those of the core stand for the records of any game.
TYPES = (
    (States, "States"), (Records, "States"), (State, "State"), (Record, "State"), (Ints, "int64[:]"),
    (Ints2, "int64[:, :]"), (Mask, "int8[:]"),
)  # fmt: skip


def groups() -> Iterator[tuple[str, str, list[str]]]:
    """The groups of `engine.__all__`: title, what they are, names."""
    source = (FOLDER / "__init__.py").read_text(encoding="utf-8").partition("__all__ = [")[2]
    for head, names in re.findall(r"^ +# (.*)\n((?: +\"\w+\",\n)+)", source, re.MULTILINE):
        title, _, meaning = head.partition(": ")
        yield title, meaning[0].upper() + meaning[1:], re.findall(r"\w+", names)


def plain(value: object) -> Callable[..., Any] | None:
    """The Python function behind a name of the engine, None if it is not a function."""
    function = getattr(value, "py_func", value)
    return function if inspect.isfunction(function) else None


def role(function: Callable[..., Any]) -> str:
    """Who may call a function: "entry", "rule" or "Python", by its decorator."""
    decorator = re.match(r"\s*@(?:compiler\.)?(\w+)", inspect.getsource(function))
    return decorator[1].removeprefix("shared_") if decorator else "Python"


def type_of(annotation: object) -> str:
    """An annotation as it is printed."""
    for known, text in TYPES:
        if annotation == known:
            return text
    if get_origin(annotation) is tuple:
        return f"tuple[{', '.join(type_of(part) for part in get_args(annotation))}]"
    return (
        getattr(annotation, "__name__", "None")
        if isinstance(annotation, type | None)
        else re.sub(r"(\w+\.)+", "", str(annotation))
    )


def signature_of(name: str, function: Callable[..., Any]) -> str:
    """A function's signature on one line."""
    signature = inspect.signature(function)
    parts = []
    for each in signature.parameters.values():
        default = "" if each.default is each.empty else f" = {each.default!r}"
        parts.append(f"{each.name}: {type_of(each.annotation)}{default}")
    return f"{name}({', '.join(parts)}) -> {type_of(signature.return_annotation)}"


def function_part(name: str, function: Callable[..., Any]) -> str:
    """A function: who may call it, its signature, the first paragraph of its docstring."""
    summary = str(inspect.getdoc(function)).partition("\n\n")[0]
    return f"**`{name}`** ({role(function)})\n\n    {signature_of(name, function)}\n\n{summary}"


def members_of(enumeration: EnumMeta) -> list[str]:
    """The members of an enumeration with their numbers; one line each if they have comments."""
    if issubclass(enumeration, Columns):
        return [
            f"- {int(each)} `{each.name}`: {each.least} to {each.greatest}{f'; {each.meaning}' * bool(each.meaning)}"
            for each in enumeration
        ]
    source = inspect.getsource(enumeration)
    lines, commented = [], False
    for name, member in enumeration.__members__.items():
        comment = re.search(rf"^    {name} = .*?  # (.*)$", source, re.MULTILINE)
        commented |= comment is not None
        lines.append(f"{int(member)} `{name}`{f': {comment[1]}' if comment else ''}")
    return [f"- {line}" for line in lines] if commented else [", ".join(lines)]


def enumeration_part(name: str, enumeration: EnumMeta) -> str:
    """An enumeration: its docstring and its members."""
    head = f"**`{name}`** (IntEnum)\n\n{inspect.getdoc(enumeration)}"
    if len(enumeration) > LONGEST:
        return f"{head} Its {len(enumeration)} members are listed in [cards.md](cards.md)."
    return "\n".join([head, "", *members_of(enumeration)])


def is_named_tuple(value: object) -> bool:
    """Whether a name of the engine is a NamedTuple: what a function returns."""
    return isinstance(value, type) and issubclass(value, tuple)


def named_tuple_part(name: str, named: type) -> str:
    """A NamedTuple: its docstring and its fields, with their comments; then its properties."""
    source = inspect.getsource(named)
    lines = [f"**`{name}`** (NamedTuple)", "", str(inspect.getdoc(named)), ""]
    for field in named.__annotations__:
        comment = re.search(rf"^    {field}: .*?  # (.*)$", source, re.MULTILINE)
        lines.append(f"- `{field}`{f': {comment[1]}' if comment else ''}")
    for each, value in vars(named).items():
        if isinstance(value, property):
            text = str(inspect.getdoc(value)).rstrip(".")
            lines.append(f"- `{each}`: {text[0].lower()}{text[1:]}")
    return "\n".join(lines)


def value_of(value: object) -> str:
    """What a constant is: a number, or the type of what is larger."""
    if isinstance(value, int | str):
        return f"`{value!r}`"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, list):
        return f"list[str], {len(value)}"
    if isinstance(value, np.dtype):
        return "dtype"
    return "type" if value in (State, States) else type(value).__name__


def names_part(table: Callable[..., str]) -> str:
    """Every name of the engine, group by group; constants that follow each other are one table."""
    parts = []
    for title, meaning, names in groups():
        parts.append(f"### {title}\n\n{meaning}")
        rows: list[list[str]] = []
        for name in names:
            value = getattr(engine, name)
            function = plain(value)
            if function is None and not isinstance(value, EnumMeta) and not is_named_tuple(value):
                rows.append([f"**`{name}`**", value_of(value), MEANINGS[name]])
                continue
            if rows:
                parts.append(table(["name", "value", "meaning"], rows))
                rows = []
            if is_named_tuple(value):
                parts.append(named_tuple_part(name, value))
            elif isinstance(value, EnumMeta):
                parts.append(enumeration_part(name, value))
            else:
                parts.append(function_part(name, function))
        if rows:
            parts.append(table(["name", "value", "meaning"], rows))
    return "\n\n".join(parts)


def arguments_part(table: Callable[..., str]) -> str:
    """The table of the arguments."""
    functions = filter(None, (plain(getattr(engine, name)) for name in engine.__all__))
    taken = {name for function in functions for name in inspect.signature(function).parameters}
    if taken != set(ARGUMENTS):
        raise RuntimeError(f"describe the arguments {', '.join(sorted(taken ^ set(ARGUMENTS)))}, or don't")
    return table(["argument", "what it is", "range"], ([f"`{name}`", *each] for name, each in ARGUMENTS.items()))


def fields_part(table: Callable[..., str]) -> str:
    """The tables of the fields of a game, by group."""
    head, parts = ["field", "dtype", "shape", "range", "meaning"], []
    for title, fields in GROUPS:
        rows = []
        for each in fields:
            size = f"[{', '.join(map(str, each.shape))}]" if each.shape else ""
            symbols = ", ".join(axis.symbol for axis in each.axes)
            numbers = f"{each.least} to {each.greatest}" if isinstance(each.least, int) else "see `Frame`"
            rows.append([f"`{each.name}`", f"{np.dtype(each.dtype)}{size}", symbols, numbers, each.meaning])
        parts.append(f"{title[0].upper()}{title[1:]}:\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def reference(table: Callable[..., str]) -> str:
    """Every argument, name and field: what the site has at the end of `engine.md`."""
    return f"""
## Arguments

{arguments_part(table)}

## Names

{names_part(table)}

## Fields of a game

Shapes: `S` is a row for each of `MAX_SEATS` seats (zero for absent seats), `K` one for each figure kind, `P` for each
place, `C` for each card id. Flags are 0 or 1.

{fields_part(table)}
"""
