"""A game and its mirror image go on alike, and a policy with its mirror image answers by the mean of both."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from test_network import positions, said, trained

from bloodrage_agents.network import Network
from bloodrage_env import engine
from bloodrage_env.engine.ids import NONE, CardSet, Place
from bloodrage_env.notation.names import action_name
from bloodrage_env.observation import AT, OBSERVATION_SIZE, observe
from bloodrage_training.learn.export import export, rounded
from bloodrage_training.learn.mirror import ACTIONS, CARDS, OBSERVATION, PLACES, with_mirror
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
        mirrored = image[0]
        for name in ("token", "destroyed", "god_in"):
            mirrored[name] = state[name][PLACES[: len(state[name])]]
        mirrored.ragnarok[:] = PLACES[state.ragnarok]
        mirrored.god_tokens[:] = np.where(state.god_tokens >= 0, PLACES[state.god_tokens], NONE)
        mirrored.deck[:] = np.where(state.deck >= 0, CARDS[state.deck], state.deck)
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
                assert (seen[0][compared] == seen[1][OBSERVATION][compared]).all()
            action = int(rng.choice(np.flatnonzero(mask)))
            engine.apply(game, 0, action)
            engine.apply(image, 0, int(ACTIONS[action]))
        assert (engine.scores(game, 0) == engine.scores(image, 0)).all()
    assert asked > 1000


@pytest.mark.parametrize("layers", [0, 2])
def test_the_answer_is_the_mean_of_both(tmp_path: Path, layers: int) -> None:
    policy = rounded(trained(24, layers))
    export(with_mirror(policy), tmp_path / "policy.npz")
    observations = positions().observations
    logits, values = said(Network.load(tmp_path / "policy.npz"), observations)
    with torch.inference_mode():
        own, own_values = policy(SparseRows.of(observations))
        image, image_values = policy(SparseRows.of(np.ascontiguousarray(observations[:, OBSERVATION])))
    assert float((own - image[:, ACTIONS]).abs().max()) > 0.1
    assert np.abs(logits - (own + image[:, ACTIONS]).numpy() / 2).max() < 1e-3
    assert np.abs(values - (own_values + image_values).numpy() / 2).max() < 1e-3
