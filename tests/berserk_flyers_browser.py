"""Flyers on the page of a game and of a replay, in Chromium; `test_berserk_own_cards.py` runs these tests in a process
that has the cards of `berserk_own_cards.csv`.
"""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.berserk.engine import FLYER, MAX_TURNS, NUM_CELLS, SQUAD, Decision
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.render.replay_page import replay_page
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.terminal.text import random_action
from tests.play_page import OUTSIDE, answered, random_choice, settled
from tests.serve_process import ServerProcess

pytestmark = pytest.mark.browser
SQUADS = ((("HAWK", 11), ("EAGLE", 12), ("ORC", 2)),) * 2
ZONES = "#field .zones [data-cell]"


@pytest.fixture
def server(tmp_path):
    server = ServerProcess(tmp_path, game="berserk")
    yield server
    server.kill()


def started(page, server, max_turns=MAX_TURNS):
    """A game of a person, player A, and a random agent, at the first turn of the person."""
    game = Game(
        [Seat(person="", digest=digest_of("a" * 20), hints=True), Seat(agent="random")],
        3,
        Options(setup="fixed", squads=SQUADS, max_turns=max_turns, skip_forced=False),
    )
    rng = random.Random(1)
    while not (game.states[0].seat == 0 and game.states[0].decision == Decision.MAIN):
        game.play(random_action(game.states, rng))
    storage = Storage(server.folder, "berserk")
    game_id = storage.new_id()
    storage.create(game_id, game)
    page.goto(f"{server.address}/play#{game_id}.{'a' * 20}")
    assert settled(page)
    return server.folder / f"{game_id}.bsk"


def middle(page, cell):
    box = page.locator(f'#field [data-cell="{cell}"]').bounding_box()
    return box["y"] + box["height"] / 2


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=str)
def test_a_flyer_is_drawn_beyond_the_rows_of_its_side_and_strikes_by_clicks(server, page, size):
    """rules 12.9, 12.11, 12.18"""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    path = started(page, server)
    s = Replay.load(path).verify()[0]
    mine, theirs = (
        [NUM_CELLS + slot for slot in range(seat * SQUAD, seat * SQUAD + SQUAD) if s.cell[slot] == NUM_CELLS]
        for seat in (0, 1)
    )
    assert mine
    assert theirs
    assert (
        sorted(map(int, page.locator(ZONES).evaluate_all("all => all.map((one) => one.dataset.cell)"))) == mine + theirs
    )
    rows = [middle(page, cell) for cell in range(NUM_CELLS)]
    assert min(middle(page, cell) for cell in mine) > max(rows)
    assert max(middle(page, cell) for cell in theirs) < min(rows)
    assert page.evaluate(OUTSIDE) == []
    asked = page.get_attribute("body", "data-asks")
    flyer = next(cell for cell in mine if not s.closed[cell - NUM_CELLS])
    page.locator(f'#field [data-cell="{flyer}"]').click()
    page.locator(f'#field [data-cell="{theirs[0]}"]').click()
    answered(page, asked)
    settled(page)
    assert FLYER + SQUAD + theirs[0] - NUM_CELLS - SQUAD in Replay.load(path).actions


def test_a_game_with_flyers_is_played_to_its_end_and_its_replay_shown(server, page):
    """rules 12.9: the strips are there as long as there are flyers."""
    path = started(page, server, max_turns=6)
    rng = random.Random(3)
    while settled(page):
        random_choice(page, rng)
    replay = Replay.load(path)
    assert replay.verify()[0].over
    html = path.with_suffix(".html")
    html.write_text(replay_page(replay, "A game"), encoding="utf-8")
    page.goto(html.as_uri())
    assert page.locator(ZONES).count() == 4
