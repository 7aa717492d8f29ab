"""A table of agents, watched in a browser: hands beside the clans, chances, the marks of one turn, the last battle. A
game of people with all of that, once it is over.
"""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env import games
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.terminal.text import random_action
from tests.play_page import until
from tests.serve_process import ServerProcess

pytestmark = pytest.mark.browser
REMATCH = """(token) => fetch("api/seat/rematch", { method: "POST", body: "{}",
  headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` } })"""
FAST = """localStorage.setItem("bloodrage-settings", JSON.stringify({ watch: "0.25" }))"""


def test_a_table_of_agents_is_watched(page, server):
    page.add_init_script(FAST)
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", "3")
    page.select_option("#seat-0", "agent random")
    page.click("button[type=submit]")
    page.wait_for_selector("#clans .face-up .chip")
    until(page, "document.querySelectorAll('#clans .chance').length === 3")
    assert page.locator("#clans .chip.known").count() == 0
    page.wait_for_selector("#last-battle")
    page.click("#pause")
    marks = page.locator("#board .trail > g").count()
    assert marks <= 12  # of one turn, where all of the game lay over each other
    page.click("#last-battle")
    page.wait_for_selector(".battle-scene")
    page.click("#continue")
    page.wait_for_selector(".battle-scene", state="detached")


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_a_game_of_people_is_watched_with_all_hands_once_it_is_over(page, tmp_path, game):
    """It plays by itself, with the chances, until it is paused; and who watches finds the next game."""
    options = games.options_from(game, skip_forced=False)
    seats = [Seat(name, digest_of(name * 20)) for name in "abcd"[: options.num_players]]
    over = Game(seats, 3, options, digest_of("w" * 20))
    rng = random.Random(3)
    while not over.over:
        over.play(random_action(over.states, rng))
    storage = Storage(tmp_path, game)
    game_id = storage.new_id()
    storage.create(game_id, over)
    server = ServerProcess(tmp_path, game=game)
    try:
        page.goto(f"{server.address}/play#{game_id}.{'w' * 20}")
        page.wait_for_selector("#broadcast")
        assert page.locator("#watch-next").count() == 0
        page.evaluate(REMATCH, f"{game_id}.{'a' * 20}")
        page.wait_for_selector("#watch-next")
        page.click("#broadcast")
        page.wait_for_selector("#win-bar:not([hidden]) span")
        until(page, "Number(document.getElementById('slider').value) >= 2")
        page.click("#play")
        assert page.inner_text("#play") == "Play"
        step = page.evaluate("Number(document.getElementById('slider').value)")
        shown = page.evaluate("window.player.data.course")
        bar = [
            int(grow)
            for grow in page.eval_on_selector_all("#win-bar span", "all => all.map((one) => one.style.flexGrow)")
        ]
        assert bar == shown[step]
        page.click("text=Analyse")
        page.wait_for_selector("#tabs:not([hidden]), #review-progress:has-text('Analysed')")
        page.click("text=Back to the game")
        page.click("#watch-next")
        page.wait_for_url(lambda url: game_id not in url)
        page.wait_for_selector("body[data-asks], #question")
        page.goto("about:blank")  # before the server ends
    finally:
        server.kill()
