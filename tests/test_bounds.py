"""The spaces of observations: finite, the same object each call, and no observation of random games leaves them."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from environments import PETTINGZOO

from bloodrage_env import VectorGames, games
from bloodrage_env.core.engine.record import fields_of
from bloodrage_env.gym import OneSeat, OneSeatVector

GAMES = games.all_names()
BATCHES: list[tuple[str, dict[str, Any]]] = [
    ("bloodrage", {"num_players": [2, 3, 4] * 10}),
    ("bloodrage", {"num_players": [2, 3, 4, 5] * 8, "sets": ("p5", "ks", "mystics", "gods")}),
    ("bloodrage", {"num_players": [2, 4] * 10, "first_game": True, "skip_forced": False}),
    ("berserk", {"setup": "fixed"}),
    ("berserk", {"combat": "difference"}),
    ("berserk", {"skip_forced": False}),
    ("berserk_team", {"num_players": [4] * 30}),
    ("berserk_laar", {"num_players": [1, 2] * 15, "combat": "difference"}),
]


@pytest.mark.parametrize(("game", "options"), BATCHES)
def test_observations_lie_within_their_bounds(game: str, options: dict[str, Any]) -> None:
    high = games.game(game).most
    players = options.get("num_players", [2] * 30)
    batch = VectorGames(len(players), game=game, seed=3, **{"num_players": players} | options)
    batch.reset()
    rng = np.random.default_rng(4)
    highest = np.zeros_like(high)
    for _ in range(400):
        batch.step((batch.masks + rng.random(batch.masks.shape)).argmax(1))
        np.maximum(highest, batch.observations.max(0), out=highest)
    outside = np.flatnonzero(highest > high)
    sections = games.game(game).sections
    assert [(s.name, float(highest[i])) for i in outside for s in sections if 0 <= i - s.start < s.size] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_spaces_are_finite_and_kept(game: str) -> None:
    aec = PETTINGZOO[game]
    one, many, env, parallel = OneSeat(game=game), OneSeatVector(3, game=game), aec.env(), aec.parallel_env()
    size = games.game(game).observation_size
    boxes = [one.observation_space, many.single_observation_space, many.observation_space]
    boxes += [each.observation_space("player_0")["observation"] for each in (env, parallel)]
    for box in boxes:
        assert isinstance(box, gymnasium.spaces.Box)
        assert box.is_bounded("both")
        assert box.dtype == np.float32
        assert box.shape[-1] == size
    assert env.observation_space("player_0") is env.observation_space("player_1") is env.observation_space("player_0")
    assert one.observation_space is one.observation_space
    assert one.observation_space == copy.deepcopy(one).observation_space == many.single_observation_space
    assert one.observation_space.contains(one.reset(seed=1)[0])
    assert many.observation_space.contains(many.reset(seed=1)[0])


def test_bounds_are_those_of_records() -> None:
    """What a table says is at most what records can have, where the game alone does not say it."""
    from bloodrage_env.games.berserk import observation as berserk
    from bloodrage_env.games.berserk.engine import cards, ids
    from bloodrage_env.games.berserk.engine import state as berserk_state
    from bloodrage_env.games.berserk.engine.rules import purchase
    from bloodrage_env.games.bloodrage.engine import NUM_OUTER, STAT_VALUE, VILLAGES, state

    most = {each.name: each.greatest for each in fields_of(state.GROUPS)}
    table = {section.name: section.most for section in games.game("bloodrage").sections}
    assert table["march"] == table["dying"] == table["limits"] == table["counted"] == most["march"] == most["high"]
    assert most["fallen"] <= table["fallen"]
    assert table["hand"] == table["discards"] == table["known"] == most["hand"]
    assert (STAT_VALUE.max(), most["stat_step"], VILLAGES[:NUM_OUTER].max()) == (12, 5, 5)

    theirs = {each.name: each.greatest for each in fields_of(berserk_state.GROUPS)}
    for name in ("moves", "poison", "tokens", "entered", "strikes", "bonus"):
        assert theirs[name] == berserk.MOST_NUMBERS[name]
    table = {section.name: section.most for section in games.game("berserk").sections}
    assert (table["decks"], table["deal"], table["squad"]) == (theirs["deck"], theirs["deal"], theirs["squad"])
    assert purchase.GOLD.max() + purchase.SILVER.max() + ids.SQUAD * cards.EFFECTS[cards.Effect.GOLD].max() == (
        berserk.MOST_CRYSTALS
    )
    named = ("ARMOUR", "FORMATION_ARMOUR", "ELITE_ARMOUR", "ATTACK_EXPERIENCE", "OUTNUMBERING", "DEFENCE_EXPERIENCE")
    assert max(cards.EFFECTS[cards.Effect[name]].max() for name in named) <= berserk.MOST_NUMBERS["armour"]
