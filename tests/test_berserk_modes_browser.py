"""The pages of the modes of Berserk in Chromium: a team battle and both games for Laar by clicks."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env import games
from tests.play_page import NAMELESS, OUTSIDE, settled
from tests.serve_process import ServerProcess
from tests.test_berserk_serve_browser import any_choice, by_the_board

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FORMS = [("berserk_team", 4), ("berserk_laar", 1), ("berserk_laar", 2)]
SCREENS = [(1366, 768), (390, 844)]
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module", params=FORMS, ids=lambda form: f"{form[0]}-{form[1]}")
def form(request, tmp_path_factory):
    name, players = request.param
    server = ServerProcess(tmp_path_factory.mktemp(name), game=name)
    yield server, players
    server.kill()


def begin(page, server, players):
    """A new game of a person and random agents by the form of the start page."""
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    assert page.inner_text("#title") == games.spec(server.game).title
    if page.locator("#players").is_visible():
        page.select_option("#players", str(players))
    assert page.locator("#seats .seat").count() == page.locator("#cards select").count() == players
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")


def test_a_whole_game_by_clicks(form, page):
    """To the end, whose replay is the game that was played; the labels say who plays and what each side has."""
    server, players = form
    before = set(server.folder.glob("*.bsk"))
    seats = [{"person": ""}, *[{"agent": "random"}] * (players - 1)]
    made = page.request.post(f"{server.address}/api/games", data={"seats": seats, "options": {"max_turns": 6}})
    token = made.json()["tokens"][0]
    page.goto(f"{server.address}/play#{token}")
    rng = random.Random(7)
    by_board = by_button = 0
    while settled(page):
        if by_board + by_button == 6:
            assert page.evaluate(NAMELESS) == []
            assert page.evaluate(OUTSIDE) == []
        board = rng.random() < 0.5 and by_the_board(page, rng)
        if not board:
            any_choice(page, rng)
        by_board, by_button = by_board + board, by_button + (not board)
    assert by_board + by_button > 0  # a demon against a random squad has few turns
    sheets = page.locator("#clans h3").all_inner_texts()
    if server.game == "berserk_team":
        assert [sheet.split("with ")[1] for sheet in sheets] == ["C", "D", "A", "B"]
    else:
        assert sorted("Astaroth" in sheet.split("\n")[-1] or sheet.startswith("Astaroth") for sheet in sheets) == [0, 1]
    assert page.locator(".end > .score tbody tr").count() == len(sheets) == max(players, 2)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{server.address}/review#{token}")
    page.wait_for_selector("#branch")
    assert page.evaluate(WIDTH) == 1024
    assert page.locator("#branch-seat option").count() == players
    (path,) = set(server.folder.glob("*.bsk")) - before
    replay = games.replays(server.game).load(path)
    assert replay.verify()[0].over
    html = path.with_suffix(".html")
    html.write_text(games.replay_page(server.game)(replay, "A game", replay.players), encoding="utf-8")
    page.goto(html.as_uri())
    page.click("#last")
    assert "win" in page.inner_text("#head") or "draw" in page.inner_text("#head")
    log, footer = page.locator("#log").bounding_box(), page.locator("footer").bounding_box()
    assert log["y"] + log["height"] <= footer["y"] + 1  # it scrolls


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_nothing_lies_outside(form, page, size):
    server, players = form
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin(page, server, players)
    rng = random.Random(2)
    while settled(page) and page.inner_text("#head").split(",")[0] != "Battle":
        any_choice(page, rng)
    assert page.evaluate(OUTSIDE) == []
    assert page.locator("#field .card").count() > 1  # a random agent may buy a card alone


def test_the_page_to_learn(form, page):
    """It has the title of the mode, and wide tables of the rules scroll by themselves."""
    server, _ = form
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.address}/learn")
    page.wait_for_selector("#rules table")
    assert page.inner_text("h1") == page.title() == f"Learn {games.spec(server.game).title}"
    assert page.evaluate(WIDTH) == 390


def test_a_hint(form, page):
    """The policy of the mode guides it; each player has a part of the bar."""
    server, players = form
    seats = [{"person": ""}, *[{"agent": "random"}] * (players - 1)]
    made = page.request.post(f"{server.address}/api/games", data={"seats": seats, "options": {}})
    page.goto(f"{server.address}/play#{made.json()['tokens'][0]}")
    assert settled(page)
    page.click("#ask-hint")
    page.wait_for_selector("#hint .why")
    assert page.locator("#hint .win-bar span").count() == max(2, players)
    assert page.locator("#choices .hinted").count() == 1
