"""A game and its mirror image go on alike, and the inputs of a network are those of the image."""

import re

import numpy as np
import pytest

from bloodrage_agents.games.bloodrage.compiled.forward import FORWARD
from bloodrage_agents.games.bloodrage.compiled.inputs import AT_SCORES, NUM_INPUTS
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import NONE, CardSet, Place
from bloodrage_env.games.bloodrage.notation.names import action_name
from bloodrage_env.games.bloodrage.observation import AT, OBSERVATION_SIZE, observe
from bloodrage_training.games.bloodrage.mirror import ACTIONS, CARDS, MIRROR, MIRROR_INPUTS, PLACES
from bloodrage_training.learn.policy import SparseRows

# Rules 1.1 and 1.3, left and right of a line between Angerboda and Muspelheim.
IMAGES = {
    "ELVAGAR": "HORGR",
    "ANGERBODA": "MUSPELHEIM",
    "MYRKULOR": "UTGARD",
    "GIMLE": "ANDLANG",
    "MANHEIM": "JOTUNHEIM",
    "FJORD_ELVAGAR_ANGERBODA": "FJORD_MUSPELHEIM_HORGR",
    "FJORD_UTGARD_ANDLANG": "FJORD_GIMLE_MYRKULOR",
}
IMAGES |= {image: name for name, image in IMAGES.items()}


def test_names_of_actions_are_mirrored() -> None:
    for action, image in enumerate(ACTIONS.tolist()):
        parts = re.split(r"(\w+?)(?=[\],]|_\d|$)", action_name(action))
        assert action_name(image) == "".join(IMAGES.get(part, part) for part in parts)
    assert (np.arange(len(ACTIONS)) != ACTIONS).sum() > 150


@pytest.mark.parametrize("num_players", [3, 4])  # two keep pairs of cards, which are asked for in the order of ids
def test_a_game_and_its_image_go_on_alike(num_players: int) -> None:
    """Without Andlang and Gimle, whose villages are not the same, every observation and every mask is the image."""
    image_of = MIRROR_INPUTS[:OBSERVATION_SIZE]
    compared = np.delete(np.arange(OBSERVATION_SIZE), [AT.room + Place.ANDLANG, AT.room + Place.GIMLE])
    rng = np.random.default_rng(num_players)
    asked = 0
    for seed in range(40):
        game = engine.new_game(seed, num_players, sets=1 << CardSet.MYSTICS | 1 << CardSet.GODS)
        state = game[0]
        if {Place.ANDLANG, Place.GIMLE} & set(state.ragnarok.tolist()):
            continue
        state.destroyed[[Place.ANDLANG, Place.GIMLE]] = 1
        state.god_in[[Place.ANDLANG, Place.GIMLE]] = NONE
        image = game.copy()
        other = image[0]
        for name in ("token", "destroyed", "god_in"):
            other[name] = state[name][PLACES[: len(state[name])]]
        other.ragnarok[:] = PLACES[state.ragnarok]
        other.god_tokens[:] = np.where(state.god_tokens >= 0, PLACES[state.god_tokens], NONE)
        other.deck[:] = np.where(state.deck >= 0, CARDS[state.deck], state.deck)
        engine.PLAY.refresh(game, 0)
        engine.PLAY.refresh(image, 0)
        seen = np.zeros((2, OBSERVATION_SIZE), np.float32)
        while not engine.is_over(game, 0):
            asked += 1
            mask = engine.legal_mask(game, 0)
            assert (mask == engine.legal_mask(image, 0)[ACTIONS]).all()
            for seat in range(num_players):
                observe(game, 0, seat, seen[0])
                observe(image, 0, seat, seen[1])
                assert (seen[0][compared] == seen[1][image_of][compared]).all()
            action = int(rng.choice(np.flatnonzero(mask)))
            engine.apply(game, 0, action)
            engine.apply(image, 0, int(ACTIONS[action]))
        assert (engine.scores(game, 0) == engine.scores(image, 0)).all()
    assert asked > 1000


@pytest.mark.parametrize("num_players", [3, 4])
def test_the_tactics_of_a_game_are_those_of_its_image(num_players: int) -> None:
    """Prospects and chances are; scores are not quite, since cards of the two sides have values of their own."""
    doomed = {Place.ANDLANG, Place.GIMLE}
    games = (engine.new_game(seed, num_players) for seed in range(40))
    game = next(each for each in games if not doomed & set(each[0].ragnarok.tolist()))
    image = game.copy()
    for each in (game, image):
        each[0].destroyed[[Place.ANDLANG, Place.GIMLE]] = 1
    state, other = game[0], image[0]
    for name in ("token", "destroyed"):
        other[name] = state[name][PLACES[: len(state[name])]]
    other.ragnarok[:] = PLACES[state.ragnarok]
    other.deck[:] = np.where(state.deck >= 0, CARDS[state.deck], state.deck)
    for each in (game, image):
        engine.PLAY.refresh(each, 0)
    rng = np.random.default_rng(1)
    first = np.zeros(1, np.int64)
    compared = 0
    while not engine.is_over(game, 0):
        pair = [SparseRows.of(each, first, FORWARD.reading(True)) for each in (game, image)]
        turned = MIRROR.of(pair[1], np.array([True]))
        dense = np.zeros((2, NUM_INPUTS), np.float32)
        for row, each in zip(dense, (pair[0], turned), strict=True):
            row[each.index] = each.values
        assert np.abs(dense[0] - dense[1])[OBSERVATION_SIZE:AT_SCORES].max() < 1e-4
        legal = dense[:, AT_SCORES:] > 0
        assert (legal[0] == legal[1]).all()
        assert (turned.index[-1:] >= AT_SCORES).all()
        assert (MIRROR.of(pair[1], np.array([False])).index == pair[1].index).all()
        compared += 1
        action = int(rng.choice(np.flatnonzero(engine.legal_mask(game, 0))))
        engine.apply(game, 0, action)
        engine.apply(image, 0, int(ACTIONS[action]))
    assert compared > 100
