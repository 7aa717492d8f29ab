"""The page of a game of another package in Chromium: it has no study, so its page offers no hint and no review."""

import os
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.play_page import NAMELESS
from tests.serve_process import ServerProcess
from tests.toy_installed import TOY, install

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server of the toy, installed where the process of the server finds it."""
    installed = tmp_path / "installed"
    installed.mkdir()
    install(installed)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (installed, Path(TOY).parent))))
    server = ServerProcess(tmp_path / "games", game="toy")
    yield server
    server.kill()


def play(page):
    """A whole game by its buttons."""
    while True:
        page.wait_for_selector("#curtain button:visible, body[data-asks] button.choice, #save:visible")
        if page.locator("#save").is_visible():
            break
        page.locator("#curtain button:visible, body[data-asks] button.choice").first.click()
    assert page.locator("a[href^=review], #hint, #allow-hints, #review, #broadcast").count() == 0


def begin(page, server, second):
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    assert page.evaluate(NAMELESS) == []
    page.select_option("#players", "3")
    page.select_option("#seat-1", second)
    page.click("button[type=submit]")


def test_two_games_of_two_people(server, page):
    """The players are shown with the table of the games so far, on a phone too."""
    begin(page, server, "person")
    page.wait_for_url("**/play#*")
    play(page)
    assert page.evaluate(NAMELESS) == []
    assert "scores" in page.inner_text("#log")
    page.click("#again")
    page.wait_for_selector("#save", state="hidden")
    page.set_viewport_size({"width": 390, "height": 844})
    play(page)
    page.click("#show-people")
    assert page.locator("#dialog .games th[scope=col]").all_inner_texts() == ["1", "2", "won"]


def test_a_seat_with_the_link(server, page):
    begin(page, server, "visitor")
    page.wait_for_url("**/join#*")
    page.get_by_role("button", name="Take Blue").wait_for()
    assert page.request.get(f"{server.address}/puzzles").status == 404


def test_the_start_page_of_all_games(server, page):
    """It has no lessons to offer."""
    page.goto(server.address.removesuffix("/toy"))
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/toy/play#*")
    page.go_back()
    page.get_by_role("heading", name="Highest").wait_for()
    page.wait_for_selector("#learn", state="hidden")
