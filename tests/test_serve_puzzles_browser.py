"""A puzzle in Chromium, from the start page to the better line on the board, and a decision of a review as one."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.table_page import PAGE
from tests.play_page import fetched, set_up, settled

pytestmark = pytest.mark.browser
NUMBER = 1


def begun(page, server):
    """A puzzle of the game, reached from the start page."""
    page.goto(server.address.rpartition("/")[0])
    page.click('[data-game="bloodrage"] a[href$="/puzzles"]')
    page.wait_for_selector("#all li")
    page.click(f'#all li[data-number="{NUMBER}"] button')
    page.wait_for_url("**/play#*")
    settled(page)


def choose(page, action):
    """Answer with an action by its button, as a script: it may be in a group that is closed."""
    page.evaluate("action => document.querySelector(`#choices [data-action='${action}']`).click()", action)
    page.wait_for_selector("#puzzle-leave")


def graded_and_left(page, action):
    """Answer what is tried again, read the grade, and play on from there."""
    choose(page, action)
    text = page.inner_text("#puzzle")
    assert re.search(r"Solved\.|Close\.|Not yet\.", text)
    assert "The better line" in text
    page.click("#puzzle-leave")
    page.wait_for_selector("#puzzle", state="hidden")
    settled(page)


def test_a_puzzle_is_solved_and_kept(page, server):
    begun(page, server)
    assert "What would you play?" in page.inner_text("#puzzle")
    assert not page.locator("#ask-hint").is_visible()  # it would give the answer away
    choose(page, PAGE.puzzles()[NUMBER].best)
    text = page.inner_text("#puzzle")
    assert "Solved." in text
    assert re.search(r"\d of \d agents solve it", text)
    page.click("#puzzle-show")
    page.wait_for_selector("#puzzle:has-text('On the board')")
    page.click("#puzzle a")
    page.wait_for_selector("#all li")
    assert "✓ solved" in page.inner_text(f'#all li[data-number="{NUMBER}"]')
    assert f"You have solved 1 of {len(PAGE.puzzles())}." in page.inner_text("#record")
    page.evaluate("localStorage.clear()")


@pytest.mark.parametrize("trouble", ["late", "failed"])
def test_an_answer_is_graded_in_the_end(page, server, trouble):
    """Where news come before the answer to a request, and where the first request for the grade fails."""

    def late(route):
        response = fetched(route)
        page.wait_for_timeout(500)
        route.fulfill(response=response)

    begun(page, server)
    if trouble == "late":
        page.route("**/api/seat/answer", late)
    else:
        page.route("**/api/seat/puzzle", lambda route: route.abort(), times=1)
    choose(page, PAGE.puzzles()[NUMBER].best)
    assert "Solved." in page.inner_text("#puzzle")
    page.evaluate("localStorage.clear()")
    page.troubles[:] = [text for text in page.troubles if "ERR_FAILED" not in text]


def test_a_wrong_answer_is_tried_again(page, server):
    begun(page, server)
    wrong = next(each for each in page.evaluate(ACTIONS) if each != PAGE.puzzles()[NUMBER].best)
    choose(page, wrong)
    page.click("#puzzle-again")
    page.wait_for_selector("#puzzle:has-text('What would you play?')")
    settled(page)
    assert page.locator("#choices .choice").count() > 1
    page.evaluate("localStorage.clear()")


def test_patterns_of_own_games_lead_to_their_reviews(page, server):
    set_up(page, server, 3, players=3, reached=lambda s: False)
    page.evaluate(KEEP)
    page.goto(f"{server.address}/puzzles")
    page.wait_for_selector("#habits li a")
    assert "You lost" in page.inner_text("#habits")
    page.locator("#habits li a").first.click()
    page.wait_for_url("**/review#*")
    page.wait_for_selector("#branch")
    page.evaluate("localStorage.clear()")


def test_a_browser_with_many_games_asks_in_parts(page, server):
    """30 games of three seats each; the body of a request has 4096 bytes at most."""
    start = server.address.rpartition("/")[0]
    page.goto(start)
    page.evaluate(KEEP_MANY)
    page.goto(start)
    page.wait_for_selector("#own li:last-child .stands:text('is gone')")
    assert page.locator("#own .stands").all_inner_texts() == ["is gone"] * 30
    with page.expect_response("**/api/habits") as habits:
        page.goto(f"{server.address}/puzzles")
    assert habits.value.status == 200
    page.evaluate("localStorage.clear()")


def test_a_server_that_is_full_is_asked_again_after_a_pause(page, server):
    asked = []

    def full(route):
        asked.append(route.request.url)
        route.fulfill(status=503, json={"error": "there are too many connections at the moment"})

    page.goto(f"{server.address}/learn")  # which asks for no games itself
    page.evaluate(KEEP_MANY)
    page.route("**/api/own", full)
    page.goto(server.address.rpartition("/")[0])
    page.wait_for_timeout(1000)
    assert len(asked) == 1
    page.unroute("**/api/own")
    page.wait_for_selector("#own .stands:text('is gone')")
    page.evaluate("localStorage.clear()")
    page.troubles[:] = [text for text in page.troubles if "503" not in text]


def test_a_mistake_is_tried_again_graded_and_left(page, server):
    set_up(page, server, 3, players=3, reached=lambda s: False)
    page.goto(page.url.replace("/play#", "/review#"))
    page.wait_for_selector("#win-bar:not([hidden])")
    again = page.locator("#mistakes button", has_text="Try it").first
    assert again.evaluate("button => { button.click(); return button.disabled; }")  # a double click begins one game
    page.wait_for_url("**/play#*")
    settled(page)
    assert "of your game" in page.inner_text("#puzzle h2")
    graded_and_left(page, page.evaluate(ACTIONS)[0])
    page.evaluate("localStorage.clear()")


KEEP = """() => localStorage.setItem("bloodrage-games",
  JSON.stringify([{ link: location.pathname + location.hash, label: "Wolf", date: 0 }]))"""
ACTIONS = "() => [...document.querySelectorAll('#choices [data-action]')].map((node) => Number(node.dataset.action))"
KEEP_MANY = """() => localStorage.setItem("bloodrage-games", JSON.stringify(Array.from({ length: 30 }, (_, game) => {
  const token = (seat) => `${String(game).padStart(16, "0")}.${`${seat}`.repeat(32)}`;
  return { link: `/bloodrage/play#${[0, 1, 2].map(token).join(",")}`, label: "Wolf", date: 0 };
})))"""
