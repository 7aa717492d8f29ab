"""Who sees a section of the observation, as its table says: all seats, or the observer alone (rules 2.6)."""

import random
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bloodrage_env import games
from bloodrage_env.core.engine.tables import ALL, OWN

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "bloodrage": [
        {"num_players": 2},
        {"num_players": 3, "sets": ("ks", "mystics", "gods")},
        {"num_players": 4},
        {"num_players": 5, "sets": ("p5", "ks", "mystics", "gods")},
    ]
}
GAMES = 40
SHARE = 0.3  # of the positions
MODES = {name: name.partition("_")[0] for name in games.all_names()}  # modes have the sections of one table


def observed(game: Any, states: Any, seat: int) -> npt.NDArray[np.uint8]:
    row = np.zeros(game.observation_size, np.uint8)
    game.observe.observe_bytes(states, 0, seat, row)
    return row


def differing(name: str) -> set[str]:
    """Sections of one seat that are different without what another seat does not know."""
    game, found = games.game(name), set()
    known = OPTIONS.get(name, [{}])
    for number in range(GAMES):
        options, rng = games.options_from(name, **known[number % len(known)]), random.Random(number)
        states = game.new_game(number, options)
        while not game.play.is_over(states, 0):
            if rng.random() < SHARE:
                for other, seat in permutations(range(options.num_players), 2):
                    hidden = game.hide(states, 0, other)
                    changed = observed(game, states, seat) != observed(game, hidden, seat)
                    found |= {each.name for each in game.sections if changed[each.start : each.start + each.size].any()}
            game.play.apply(states, 0, rng.choice(np.flatnonzero(states[0].mask).tolist()))
    return found


@pytest.mark.parametrize("base", sorted(set(MODES.values())))
def test_who_sees_a_section(base: str) -> None:
    names = [name for name, of in MODES.items() if of == base]
    assert set().union(*map(differing, names)) == {
        each.name for name in names for each in games.game(name).sections if each.seen_by == OWN
    }
    assert {each.seen_by for name in names for each in games.game(name).sections} == {ALL, OWN}
