"""What a seat may know and may do, as plain JSON types with names instead of positions.

A struct contains what the observation vector contains: each section of it has a path and a form (`tables.py`).
A key that is left out has 0, false or nothing. Both are made from the record that `Game.hide` returns.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..compile.decorators import Records
from ..engine.forms import Names, keys, name_of, possible, schema_of_names
from ..engine.game import Game
from ..engine.spec import GameSpec
from ..engine.tables import Block, Section
from .language import Language
from .presentation import Presentation

VERSION: Final = 1  # of the structs; increased when a key moves or changes its meaning
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

Counts = npt.NDArray[np.uint8]


class Structs:
    """The structs of a game. `known` is an array of one record, as `Game.hide` returns it for the seat."""

    def __init__(self, game: Game, presentation: Presentation, language: Language) -> None:
        self.game, self.presentation, self.language = game, presentation, language
        self._blocks = {each.start: each for each in game.blocks}

    # ---- observations

    def observation(self, known: Records, seat: int) -> dict[str, Any]:
        """Return what the seat may know as JSON types, by the schema of `observation_schema`."""
        counts = np.zeros(self.game.observation_size, np.uint8)
        self.game.observe.observe_bytes(known, 0, seat, counts)
        names = self.language.names_for(known, seat)
        struct: dict[str, Any] = {"version": VERSION, "game": self.game.name, "you": self.presentation.seats[seat]}
        struct["question"] = self.question(known, seat)
        parts = self.game.by_section(counts)
        for each in self.game.sections:
            _put(struct, each.path.split("."), parts[each.name], each, each.labels, names)
        return struct | self.language.derived(known, seat)

    def vector(self, struct: Mapping[str, Any], known: Records, seat: int) -> Counts:
        """Return the observation that a struct was made of, uint8[observation_size]; of `known` only names are used."""
        counts = np.zeros(self.game.observation_size, np.uint8)
        names = self.language.names_for(known, seat)
        parts = self.game.by_section(counts)
        for each in self.game.sections:
            _take(struct, each.path.split("."), parts[each.name], each, each.labels, names)
        return counts

    def question(self, known: Records, seat: int) -> str:
        """Return the open question in words, as the seat may know it."""
        if known[0].over:
            return "The game is over."
        if known[0].seat != seat and self.presentation.secret(known):
            return "Others choose in secret."
        return self.presentation.decision_text(known, 0)

    # ---- actions

    def actions(self, known: Records, seat: int) -> list[dict[str, Any]]:
        """Return the legal actions of the seat, [] if it is not asked: of each `id`, `kind`, `arguments` and `text`."""
        if known[0].over or known[0].seat != seat:
            return []
        names = self.language.names_for(known, seat)
        return [self._action(known, action, names) for action in np.flatnonzero(known[0].mask).tolist()]

    def _action(self, known: Records, action: int, names: Names) -> dict[str, Any]:
        text = self.presentation.action_text(known, 0, action)
        return {"id": action, **self._without_text(action, names), "text": text}

    def without_text(self, known: Records, seat: int, action: int) -> dict[str, Any] | None:
        """Return `kind` and `arguments` of an action, legal or not, with the names as a seat sees them; None for an id
        that is reserved.
        """
        return self._unless_reserved(action, self.language.names_for(known, seat))

    def _unless_reserved(self, action: int, names: Names) -> dict[str, Any] | None:
        try:
            return self._without_text(action, names)
        except KeyError:
            return None

    def _without_text(self, action: int, names: Names) -> dict[str, Any]:
        block = self._blocks[max(start for start in self._blocks if start <= action)]
        return {"kind": block.name.lower(), "arguments": self._arguments(block, action - block.start, names)}

    def meant(self, known: Records, seat: int, struct: Mapping[str, Any]) -> int | None:
        """Return the id of the action with the kind and the arguments of a struct, legal or not; None if none has."""
        wanted = {"kind": struct.get("kind"), "arguments": struct.get("arguments", {})}
        names = self.language.names_for(known, seat)
        for block in self.game.blocks:
            if block.name.lower() == wanted["kind"]:
                ids = range(block.start, block.start + block.size)
                return next((each for each in ids if self._unless_reserved(each, names) == wanted), None)
        return None

    def _arguments(self, block: Block, offset: int, names: Names) -> dict[str, Any]:
        parts = block.labels[offset].split(", ")
        named = zip(block.arguments.items(), parts, strict=False)
        return {argument: name_of(label, kind, names) for (argument, kind), label in named}

    def action(self, known: Records, seat: int, struct: Any) -> int:
        """Return the id of a legal action from its struct: the id, or kind and arguments. Raise ValueError."""
        legal = self.actions(known, seat)
        if not legal:
            raise ValueError(f"{self.presentation.seats[seat]} is not asked")
        return action_among(legal, struct)

    # ---- schemas

    def observation_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of observations."""
        names = self.language.names
        schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
        for each in self.game.sections:
            _describe(schema, each.path.split("."), each, each.labels, names)
        head = {
            "version": {"const": VERSION},
            "game": {"const": self.game.name},
            "you": {"enum": list(self.presentation.seats)},
            "question": {"type": "string", "description": "the open question, as the seat may know it"},
        }
        schema["properties"] = head | schema["properties"] | dict(self.language.derived_schema)
        shared = {kind: schema_of_names(kind, names) for kind in names}
        title = f"Observation of {self.game.name}, version {VERSION}"
        return {"$schema": DIALECT, "title": title, **schema, "required": [*head], "$defs": shared}

    def actions_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a list of legal actions."""
        names = self.language.names
        kinds = []
        for block in self.game.blocks:
            arguments = {
                argument: {"$ref": f"#/$defs/{kind}"} if kind else {"type": ["string", "integer"]}
                for argument, kind in block.arguments.items()
            }
            properties = {
                "id": {"type": "integer", "minimum": block.start, "maximum": block.start + block.size - 1},
                "kind": {"const": block.name.lower(), "description": block.meaning},
                "arguments": _closed(arguments),
                "text": {"type": "string", "description": "the action as an answer to the open question"},
            }
            kinds.append(_closed(properties))
        used = {kind for block in self.game.blocks for kind in block.arguments.values()}
        shared = {kind: schema_of_names(kind, names) for kind in names if kind in used}
        title = f"Legal actions of {self.game.name}, version {VERSION}"
        return {"$schema": DIALECT, "title": title, "type": "array", "items": {"anyOf": kinds}, "$defs": shared}


@functools.cache
def structs_of(spec: GameSpec) -> Structs:
    """Return the structs of a game that is registered by `spec`."""
    game: Game = spec.load("game")
    language = spec.load("language") if spec.has("language") else Language()
    return Structs(game, spec.load("presentation"), language)


def action_among(legal: Sequence[Mapping[str, Any]], struct: Any) -> int:
    """Return the id of the legal action that a struct means. Raise ValueError with the reason, a line."""
    if not isinstance(struct, Mapping) or not ("id" in struct or "kind" in struct):
        raise ValueError("an action is an object with `id`, or with `kind` and `arguments`")
    given = {key: struct[key] for key in ("id", "kind", "arguments") if key in struct}
    if type(given.get("id", 0)) is not int or not isinstance(given.get("kind", ""), str):
        raise ValueError("`id` of an action is a number, and `kind` a text")
    found = [each for each in legal if all(each[key] == value for key, value in given.items())]
    if len(found) == 1:
        return int(found[0]["id"])
    if found:
        raise ValueError(f"{len(found)} legal actions are of this kind: give their arguments")
    if "id" in given and all(each["id"] != given["id"] for each in legal):
        raise ValueError(f"action {given['id']!r:.40} is not legal now")
    if "id" in given:
        raise ValueError(f"action {given['id']!r:.40} has another kind or other arguments")
    raise ValueError(f"{given['kind']!r:.40} with these arguments is not legal now")


# ---- places of a tree


def _put(
    node: dict[str, Any], steps: Sequence[str], array: Counts, section: Section, labels: Any, names: Names
) -> None:
    """Add a section to a tree, without what is empty."""
    step, rest = steps[0], steps[1:]
    if step == "*":
        node.update(section.form.read(array, labels, names))
        return
    if not step.startswith("{"):
        if not rest:
            value = section.form.read(array, labels, names)
            if value or value == "":
                node[step] = value
            return
        _put_within(node, step, rest, array, section, labels, names)
        return
    for row, name in keys(labels[0], step[1:-1], names, array):
        _put_within(node, name, rest, array[row], section, labels[1:], names)


def _put_within(
    node: dict[str, Any], key: str, steps: Sequence[str], array: Counts, section: Section, labels: Any, names: Names
) -> None:
    child = node.get(key, {})
    _put(child, steps, array, section, labels, names)
    if child:
        node[key] = child


def _take(
    node: Mapping[str, Any], steps: Sequence[str], array: Counts, section: Section, labels: Any, names: Names
) -> None:
    """Write a section from a tree."""
    step, rest = steps[0], steps[1:]
    if step == "*":
        section.form.write(node, array, labels, names)
        return
    if not step.startswith("{"):
        if step in node:
            if rest:
                _take(node[step], rest, array, section, labels, names)
            else:
                section.form.write(node[step], array, labels, names)
        return
    for row, name in keys(labels[0], step[1:-1], names):
        if name in node:
            _take(node[name], rest, array[row : row + 1].reshape(array.shape[1:]), section, labels[1:], names)


def _describe(node: dict[str, Any], steps: Sequence[str], section: Section, labels: Any, names: Names) -> None:
    """Add a section to the schema of a tree."""
    step, rest = steps[0], steps[1:]
    if step == "*":
        node["properties"] |= section.form.schema(labels, names)["properties"]
        return
    if step.startswith("{"):
        node["propertyNames"] = {"enum": [str(name) for name in possible(labels[0], step[1:-1], names)]}
        node.pop("properties", None)
        if node.get("additionalProperties") is False:
            node["additionalProperties"] = _closed({})
        _describe(node["additionalProperties"], rest, section, labels[1:], names)
    elif rest:
        child = node["properties"].setdefault(step, {"type": "object", "properties": {}, "additionalProperties": False})
        _describe(child, rest, section, labels, names)
    else:
        node["properties"][step] = {**section.form.schema(labels, names), "description": section.meaning}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with these keys; in actions all are required."""
    required = {"required": [*properties]} if properties else {}
    return {"type": "object", "properties": properties, "additionalProperties": False, **required}
