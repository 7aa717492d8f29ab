"""Structs contain what the observation vector contains, for all games and modes, and fit their published schemas."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from toy_installed import toy

from bloodrage_env import games
from bloodrage_env.core.shown.structs import Structs, structs_of

__all__ = ["toy"]

ROOT = Path(__file__).resolve().parents[1]
SETS = ("p5", "ks", "mystics", "gods")
GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("bloodrage", {"num_players": 5, "sets": SETS}, 1),
    ("bloodrage", {"num_players": 2}, 1),
    ("berserk", {}, 2),
    ("berserk", {"setup": "fixed", "combat": "difference"}, 1),
    ("berserk_team", {}, 1),
    ("berserk_laar", {"num_players": 1}, 1),
    ("berserk_laar", {"num_players": 2, "placing": "at_once"}, 1),
    ("toy", {"num_players": 6}, 1),
]
NAMED = pytest.mark.parametrize(("name", "options", "number"), GAMES, ids=[f"{each[0]}-{each[1]}" for each in GAMES])
pytestmark = pytest.mark.usefixtures("toy")


def positions(name: str, options: dict[str, Any], number: int, every: int) -> Iterator[tuple[Any, np.random.Generator]]:
    """Positions of random games; passing is rare."""
    game = games.game(name)
    for seed in range(number):
        rng = np.random.default_rng(seed)
        states = game.new_game(seed, games.options_from(name, **options))
        for count in range(2000):
            if count % every == 0 or game.play.is_over(states, 0):
                yield states, rng
            if game.play.is_over(states, 0):
                break
            legal = np.flatnonzero(states[0].mask)
            game.play.apply(states, 0, int(rng.choice(legal[1:] if len(legal) > 2 and rng.random() < 0.8 else legal)))


def observed(structs: Structs, states: Any, seat: int) -> list[int]:
    counts = np.zeros(structs.game.observation_size, np.uint8)
    structs.game.observe.observe_bytes(states, 0, seat, counts)
    return counts.tolist()


@NAMED
def test_the_vector_follows_from_the_struct(name: str, options: dict[str, Any], number: int) -> None:
    structs = structs_of(games.spec(name))
    check = jsonschema.Draft202012Validator(structs.observation_schema())
    for states, rng in positions(name, options, number, 13):
        for seat in range(int(states[0].num_players)):
            known = structs.game.hide(states, 0, seat)
            struct = json.loads(json.dumps(structs.observation(known, seat)))
            assert structs.vector(struct, known, seat).tolist() == observed(structs, states, seat)
            if rng.random() < 0.1:
                check.validate(struct)


@NAMED
def test_a_redeal_has_the_same_structs(name: str, options: dict[str, Any], number: int) -> None:
    """Twins of the whole game are compared in test_leaks.py and test_berserk_leaks.py."""
    structs = structs_of(games.spec(name))
    for states, rng in positions(name, options, number, 29):
        for seat in range(int(states[0].num_players)):
            known, twin = (
                structs.game.hide(each, 0, seat)
                for each in (states, structs.game.redeal(states, 0, seat, int(rng.integers(1 << 60))))
            )
            assert structs.observation(known, seat) == structs.observation(twin, seat)
            assert structs.actions(known, seat) == structs.actions(twin, seat)


@pytest.mark.parametrize("name", games.all_names())
def test_no_two_labels_have_one_name(name: str) -> None:
    for kind, names in structs_of(games.spec(name)).language.names.items():
        assert len(set(names.values())) == len(names), kind


@NAMED
def test_actions_are_found_by_their_structs(name: str, options: dict[str, Any], number: int) -> None:
    structs = structs_of(games.spec(name))
    check = jsonschema.Draft202012Validator(structs.actions_schema())
    for states, rng in positions(name, options, number, 3):
        seat = int(states[0].seat)
        if seat < 0:
            continue
        known = structs.game.hide(states, 0, seat)
        actions = structs.actions(known, seat)
        assert [each["id"] for each in actions] == np.flatnonzero(states[0].mask).tolist()
        if rng.random() < 0.1:
            check.validate(actions)
        some = actions[int(rng.integers(len(actions)))]
        for keys in (("id",), ("kind", "arguments"), ("id", "kind", "arguments", "text")):
            assert structs.action(known, seat, {key: some[key] for key in keys}) == some["id"]


@pytest.mark.parametrize("name", [*games.all_names(), "toy"])
def test_arguments_have_the_names_of_the_documents(name: str) -> None:
    """A block reads `MARCH[from, to]: ...` in the tables of actions."""
    structs = structs_of(games.spec(name))
    kinds = [each["properties"] for each in structs.actions_schema()["items"]["anyOf"]]
    assert len(kinds) == len(structs.game.blocks)
    for block, kind in zip(structs.game.blocks, kinds, strict=True):
        arguments = ", ".join(kind["arguments"]["properties"])
        assert bool(arguments) == (block.size > 1)
        assert not arguments or block.meaning.startswith(f"{block.name}[{arguments}]: ")


@pytest.mark.parametrize("name", games.all_names())
def test_schemas_are_published(name: str) -> None:
    structs = structs_of(games.spec(name))
    for part, schema in (("observation", structs.observation_schema()), ("actions", structs.actions_schema())):
        jsonschema.Draft202012Validator.check_schema(schema)
        published = json.loads((ROOT / f"docs/schemas/{name}.{part}.json").read_text(encoding="utf-8"))
        assert published == json.loads(json.dumps(schema))


@pytest.mark.parametrize("name", [*games.all_names(), "toy"])
def test_an_environment_plays_by_structs(name: str) -> None:
    env = games.environment(name)()
    with pytest.raises(AssertionError):
        env.observation_struct("player_0")
    env.reset(seed=1)
    mover = env.agent_selection
    (other,) = [agent for agent in env.agents if agent != mover][:1]
    assert env.observation_struct(mover)["you"] == games.presentation(name).seats[env.possible_agents.index(mover)]
    assert env.action_structs(other) == []
    first = env.action_structs(mover)[0]
    assert env.action_from_struct({"kind": first["kind"], "arguments": first["arguments"]}) == first["id"]
    for wrong, said in (
        ("march", "an action is an object"),
        ({"id": -3}, "action -3 is not legal now"),
        ({"kind": "fly"}, "'fly' with these arguments is not legal now"),
    ):
        with pytest.raises(ValueError, match=said):
            env.action_from_struct(wrong)
    env.step(env.action_from_struct({"id": first["id"]}))
    with pytest.raises(ValueError, match="there is no agent"):
        env.observation_struct("nobody")


def test_a_struct_reads_like_the_table() -> None:
    env = games.environment("bloodrage")()
    env.reset(seed=1)
    mover = env.agent_selection
    struct = env.observation_struct(mover)
    you = struct["you"]
    assert struct["asked"] == {"kind": "draft", "seat": you}
    assert struct["question"] == f"{you} keeps a card of the pack (round 1 of 6)"
    assert sum(struct["pack"].values()) == 8
    assert struct["clans"]["Bear"]["figures"]["Warrior"] == {"the reserve": 8}
    action = env.action_structs(mover)[0]
    assert (action["kind"], [*action["arguments"]]) == ("card", ["card"])
    other = env.agents[env.agents.index(mover) - 1]
    assert env.observation_struct(other)["question"] == "Others choose in secret."
