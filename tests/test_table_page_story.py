"""What the log of the page has beside words."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.table_page import story
from tests.random_play import keen_action


def entries(num_games: int, players: int) -> Iterator[dict[str, Any]]:
    """What the log has of each answer of games."""
    rng = np.random.default_rng(1)
    for seed in range(num_games):
        states = engine.new_game(seed, players)
        while not states[0].over:
            action = keen_action(states, rng)
            yield story.entries(states, action, [0]).get(0, {})
            engine.apply(states, 0, action)


def test_a_battle_has_the_board_as_it_was_when_it_began() -> None:
    """The page shows that board as long as the battle is looked at; it showed the one after it."""
    found = 0
    for entry in entries(3, 3):
        for step in entry.get("battle", ()):
            if step["step"] == "begin":
                found += 1
                assert {"places", "clans", "age", "phase"} <= set(step)
                place = step["places"][step["place"]]
                assert place["battle"]
                assert all(place["strength"][seat] == strength for seat, strength in step["sides"])
                fighting = {seat for seat, _, _ in place["figures"]}
                assert {seat for seat, strength in step["sides"] if strength} >= fighting
    assert found > 3


def test_a_battle_says_which_figures_it_sent_to_valhalla() -> None:
    """All that fell by an answer, unless Ragnarok came by the same answer: its figures fell in no battle."""
    found = later = 0
    for entry in entries(6, 4):
        steps = [figure for step in entry.get("battle", ()) for figure in step.get("figures", ())]
        moves = [[seat, kind] for seat, kind, _, to in entry.get("moves", ()) if to == engine.Place.VALHALLA]
        if "battle" in entry and "phases" not in entry:
            assert sorted(steps) == sorted(moves)
        later += "phases" in entry and len(steps) < len(moves)
        found += len(steps)
    assert found > 20
    assert later > 1
