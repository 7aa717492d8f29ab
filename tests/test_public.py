"""The public record of a game: the same for any two games with the same open past."""

import random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.core.shown.table_page import PUBLIC
from bloodrage_env.serve.games import Game
from bloodrage_env.serve.views import known_to


def shown(game: Any, states: Any, num_players: int) -> bytes:
    """What the server makes the view of a spectator from."""
    table = SimpleNamespace(rules=game, states=states, seats=[None] * num_players)
    found: bytes = known_to(cast("Game", table), PUBLIC).tobytes()
    return found


@pytest.mark.parametrize("name", games.all_names())
def test_a_public_record_keeps_no_trace_of_secrets(name: str) -> None:
    """A redeal changes what one seat does not know, so it changes nothing that is open. Also with late cards, which are
    asked in secret.
    """
    game = games.game(name)
    compared = 0
    for seed in range(5):
        rng, options = np.random.default_rng(seed), game.options.drawn(random.Random(seed), {})
        states, step = game.new_game(seed, options), 0
        while not game.play.is_over(states, 0):
            if rng.random() < 0.08 + 0.2 * (options.num_players < 3):
                public = shown(game, states, options.num_players)
                for seat in range(options.num_players):
                    other = game.redeal(states, 0, seat, step)
                    assert shown(game, other, options.num_players) == public
                    compared += 1
            game.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0].mask))))
            step += 1
    assert compared > 15
