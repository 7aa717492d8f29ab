"""What the pages of the modes of Berserk are sent (rules 10, 11)."""

import json

import numpy as np
import pytest

pytest.importorskip("starlette")

from bloodrage_env import games
from bloodrage_env.commands.serve import on_offer
from bloodrage_env.core.shown.table_page import PUBLIC, WATCHER
from bloodrage_env.encoding import as_bytes
from bloodrage_env.games.berserk.engine import NONE
from bloodrage_env.serve.games import Game, Seat
from bloodrage_env.serve.plain import page_of
from bloodrage_env.serve.views import known_to, view

FORMS = [("berserk_team", 4), ("berserk_laar", 1), ("berserk_laar", 2)]
FORM = pytest.mark.parametrize(("name", "players"), FORMS)


def begun(name: str, players: int, seed: int, turn: int) -> Game:
    """A game of people that has come to a turn; squads are large."""
    options = games.options_from(name, num_players=players, skip_forced=False)
    table = Game([Seat(person="", digest=str(seat)) for seat in range(players)], seed, options)
    rng = np.random.default_rng(seed)
    while not table.over and table.states[0].turn < turn:
        legal = table.states[0].mask.nonzero()[0]
        table._play(int(rng.choice(legal[1:4] if len(legal) > 2 else legal)))
    return table


@FORM
def test_all_that_is_sent_is_json_of_the_same_form(name, players):
    """For each seat, for whoever watches agents, and for whoever watches people."""
    for seed in range(3):
        table = begun(name, players, seed, seed + 1)
        eyes = (WATCHER, PUBLIC)
        watched = [table.page.seen(known_to(table, seat), seat, False, table.options) for seat in eyes]
        for sent in (*(view(table, seat) for seat in range(players)), *watched):
            scene = json.loads(as_bytes(sent))["scene"]
            assert len(scene["names"]) == len(scene["roles"]) == len(scene["graveyards"]) == max(players, 2)
            stand = {int(cell) for cell in table.states[0].cell if cell != NONE}
            assert {card["cell"] for card in scene["cards"]} == stand


def test_partners_and_places_in_the_order_of_turns():
    """rules 10.1, 10.4"""
    table = begun("berserk_team", 4, 1, 1)
    roles = view(table, 0)["scene"]["roles"]
    assert [role.split(", with ")[1] for role in roles] == ["C", "D", "A", "B"]
    assert sorted(role.split(",")[0] for role in roles) == ["1st", "2nd", "3rd", "4th"]
    first = next(seat for seat, role in enumerate(roles) if role.startswith("1st"))
    assert first == table.states[0].first
    homes = [set(part) for part in view(table, 0)["scene"]["parts"]]
    assert set.union(*homes) == set(range(60))
    s = table.states[0]
    for seat, home in enumerate(homes):
        assert len(home) == 15
        assert {int(cell) for cell in s.cell[15 * seat : 15 * seat + 15] if cell != NONE} <= home


@pytest.mark.parametrize("players", [1, 2])
def test_who_has_the_angel_and_who_the_demon(players):
    """rules 11.2, 11.3"""
    for seed in range(4):
        table = begun("berserk_laar", players, seed, 1)
        scene, first = view(table, 0)["scene"], int(table.states[0].first)
        angel = 0 if players == 1 else first
        assert scene["names"][1] == ("Astaroth" if players == 1 else "Player B")
        assert scene["roles"][angel] == f"{'First' if angel == first else 'Second'}, Varahiel"
        assert scene["roles"][1 - angel].endswith(", Astaroth") == (players == 2)
        assert [deck is None for deck in scene["decks"]] == [seat != angel for seat in range(2)]
        assert view(table, 1 - angel)["own"] == [None, None] if players == 2 else True


@FORM
def test_texts_and_agents(name, players):
    """Every card that can be on the board has a face; the policy of the mode is offered, with hints and reviews."""
    page, engine = page_of(name), games.game(name)
    texts = json.loads(as_bytes(page.texts()))
    faces = {face["card"]: face for face in texts["faces"]}
    assert texts["players"][1] == engine.max_seats == len(texts["clans"])
    assert len(faces) == len(texts["faces"]) == 47 + 2 * (name == "berserk_laar")
    free = [face["title"] for face in faces.values() if face["cost"] is None]
    assert free == ["Astaroth", "Varahiel"] * (name == "berserk_laar")
    assert "/review" in page.files()
    assert [spec for spec, _ in on_offer(None, name)][:3] == ["random", "hold", "network"]


@FORM
def test_the_page_of_a_replay(name, players):
    """rules 10.1, 11.2: who plays whom; the demon alone goes by its name"""
    table = begun(name, players, 3, 2)
    replay = table.replay()
    html = games.replay_page(name)(replay, "A game", [f"agent {seat}" for seat in range(players)])
    data = json.loads(html.split('<script type="application/json" id="data">')[1].split("</script>")[0])
    sides = {
        4: "Player A (agent 0) and Player C (agent 2) against Player B (agent 1) and Player D (agent 3)",
        1: "Player A (agent 0) against Astaroth",
        2: "Player A (agent 0) against Player B (agent 1)",
    }
    assert data["sides"] == sides[players]
    assert any("squads" in frame for frame in data["frames"])
