"""The state in a prompt holds all that the observation vector holds, and each card that can matter has its text."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from test_structs import GAMES, NAMED, observed, positions
from toy_installed import toy

from bloodrage_env import games
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.language.table import HEAD, spoken, table

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


class Reading:
    """The struct of a text, by the grammar of `language.table` and the published schema."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema

    def read(self, text: str) -> dict[str, Any]:
        first, *lines = text.split("\n")
        found = self.value(self.schema, first)
        self._below(self.schema, found, [(len(line) - len(line.lstrip()), line.strip()) for line in lines])
        return found

    def _below(self, schema: dict[str, Any], node: dict[str, Any], lines: list[tuple[int, str]]) -> None:
        """Add the lines of an object to it; those that are deeper belong to the line before them."""
        while lines:
            margin, line = lines.pop(0)
            key, inner = self._key(schema, line.partition(":")[0])
            count = next((at for at, (deep, _) in enumerate(lines) if deep <= margin), len(lines))
            node[key] = self.value(inner, line.partition(": ")[2])
            if count:
                self._below(self._meant(inner), node[key], lines[:count])
            del lines[:count]

    def value(self, schema: dict[str, Any], text: str) -> Any:
        """The value of the items of a list or an object."""
        schema, items = self._meant(schema), self._split(text)
        if schema["type"] == "array":
            return [self._one(schema["items"], item) for item in items]
        found = {}
        for item in items:
            key, inner = self._key(schema, item)
            found[key] = self._one(inner, item[len(spoken(key)) + 1 :])
        return found

    def _one(self, schema: dict[str, Any], text: str) -> Any:
        schema = self._meant(schema)
        if "enum" in schema:
            (found,) = [name for name in schema["enum"] if str(name) == text]
            return found
        if schema["type"] in ("object", "array"):
            assert (text[0], text[-1]) == ("[", "]")
            return self.value(schema, text[1:-1])
        return text == "" if schema["type"] == "boolean" else int(text)

    def _key(self, schema: dict[str, Any], text: str) -> tuple[str, dict[str, Any]]:
        """The longest key of an object with which a text begins, and the schema of its value."""
        schema = self._meant(schema)
        inside = dict(schema.get("properties", {}))
        if isinstance(schema["additionalProperties"], dict):
            names = self._meant(schema["propertyNames"])["enum"]
            inside |= dict.fromkeys(names, schema["additionalProperties"])
        key = max((key for key in inside if text == spoken(key) or text.startswith(f"{spoken(key)} ")), key=len)
        return key, inside[key]

    def _meant(self, schema: dict[str, Any]) -> dict[str, Any]:
        return self.schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema

    @staticmethod
    def _split(text: str) -> list[str]:
        found, deep = [""], 0
        for part in re.split(r"(, |\[|\])", text):
            deep += (part == "[") - (part == "]")
            if part == ", " and deep == 0:
                found.append("")
            else:
                found[-1] += part
        return found if text else []


@NAMED
def test_the_vector_follows_from_the_text(name: str, options: dict[str, Any], number: int) -> None:
    structs = structs_of(games.spec(name))
    reading, text = Reading(structs.observation_schema()), TextGame(name, Parts(cards=False))
    for states, _ in positions(name, options, number, 13):
        for seat in range(int(states[0].num_players)):
            known = structs.game.hide(states, 0, seat)
            state = text.situation(known, seat).removeprefix("State:\n").partition("\n\n")[0]
            struct = reading.read(state)
            assert structs.vector(struct, known, seat).tolist() == observed(structs, states, seat)
            whole = json.loads(json.dumps(structs.observation(known, seat)))
            assert struct == {key: value for key, value in whole.items() if key not in HEAD}


@pytest.mark.parametrize("name", games.all_names())
def test_no_name_has_signs_of_the_text(name: str) -> None:
    names = [str(each) for kind in structs_of(games.spec(name)).language.names.values() for each in kind.values()]
    assert not [each for each in names if re.search(r", |: |[\[\]\n_]", each)]


def test_objects_from_the_third_level_on_are_in_brackets() -> None:
    struct = {"age": 1, "over": True, "clans": {"Wolf": {"rage_left": 2, "figures": {"Ship": {"Gimle": 1}}}}}
    assert table(struct).split("\n") == [
        "age 1, over", "clans", "  Wolf: rage left 2", "    figures: Ship [Gimle 1]",
    ]  # fmt: skip


@NAMED
def test_each_card_that_can_matter_has_its_text(name: str, options: dict[str, Any], number: int) -> None:
    """Of cards that are seen but can't matter any more there is none."""
    structs = structs_of(games.spec(name))
    text, texts = TextGame(name), structs.language.texts
    assert all(each and "\n" not in each for each in texts.values())
    for states, _ in positions(name, options, number, 29):
        seat = max(0, int(states[0].seat))
        known = structs.game.hide(states, 0, seat)
        prompt = text.prompt(known, seat).split("\n")
        struct = structs.observation(known, seat)
        wanted = {each for each in names_in(matters(struct)) if each in texts}
        wanted |= {each for each in names_in(structs.actions(known, seat)) if each in texts}
        assert {each for each in texts if f"{each}: {texts[each]}" in prompt} == wanted


def matters(struct: dict[str, Any]) -> list[Any]:
    """The parts of a struct with cards that can still matter."""
    own = ["hand", "pack", "quests", "squad", "cards", "placing", "clans", "gods", "gods_drawn", "asked", "battle"]
    return [struct.get(key) for key in [*own, *["deal"] * (struct.get("phase") in ("Purchase", "Deal"))]]


def names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, str):
        yield value
    for each in value if isinstance(value, list) else []:
        yield from names_in(each)


@NAMED
def test_a_redeal_has_the_same_prompts(name: str, options: dict[str, Any], number: int) -> None:
    structs = structs_of(games.spec(name))
    forms = Parts(), Parts(state="json", words=3), Parts(actions="steps")
    texts = [TextGame(name, parts) for parts in forms]
    for states, rng in positions(name, options, number, 29):
        for seat in range(int(states[0].num_players)):
            twins = [
                structs.game.hide(each, 0, seat)
                for each in (states, structs.game.redeal(states, 0, seat, int(rng.integers(1 << 60))))
            ]
            for text in texts:
                one, other = (text.prompt(each, seat) for each in twins)
                assert one == other


def test_all_games_are_here() -> None:
    assert {each for each, _, _ in GAMES} >= {*games.all_names()}


def test_rules_name_the_steps_of_stats_and_the_slots() -> None:
    said = TextGame("bloodrage").system()
    for row in ("6, 7, 8, 9, 12, 12", "3, 4, 5, 6, 8, 8", "4, 5, 6, 7, 10, 10"):
        assert row in said
    assert "one slot for leader, warriors and ship each, two for monsters and three for the clan" in said
