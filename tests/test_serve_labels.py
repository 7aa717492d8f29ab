"""Texts of the pages are at least 11 pixels high, and pictures and cards use the room that they have."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from tests import test_berserk_serve_browser as berserk
from tests.play_page import choose, set_up, settled, until
from tests.serve_process import ServerProcess
from tests.test_berserk_modes_browser import begin

pytestmark = pytest.mark.browser

SIZES = [(1366, 768), (1920, 1080), (390, 844)]
SMALLEST = 11  # pixels
# Texts that are seen, below a size: each with its class and size.
BELOW = """(smallest) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !node.getClientRects().length) continue;
    if (node.closest(".unseen, title, .flies, .actor") || !node.checkVisibility({ visibilityProperty: true })) continue;
    const drawn = node.closest("text")?.getScreenCTM();
    const scale = drawn ? Math.hypot(drawn.b, drawn.d) : node.currentCSSZoom;
    const size = parseFloat(getComputedStyle(node).fontSize) * scale;
    if (size < smallest - 0.05) found.push([node.closest("[class]").getAttribute("class"), size]);
  }
  return found;
}"""


def below(page):
    return page.evaluate(BELOW, SMALLEST)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_texts_of_blood_rage_can_be_read(server, page, width, height):
    """There were 271 smaller ones among the cards at 1366 by 768, and 38 on the board of a phone."""
    page.set_viewport_size({"width": width, "height": height})
    for path in ("/", "/learn"):
        page.goto(server.address + path)
        page.wait_for_load_state("networkidle")
        assert below(page) == []
    set_up(page, server, 3, players=4, first_game=False)
    assert page.locator(".draft .tile").count() >= 6
    assert below(page) == []
    set_up(page, server, 3, players=5, reached=lambda s: s.age == 1 and s.decision == Decision.ACTION, first_game=False)
    assert below(page) == []
    if width < 1000:
        page.click("#enlarge")
        assert below(page) == []
    page.evaluate("document.querySelector('#show-cards').click()")
    assert page.locator("#cards-list .art").count() > 60
    assert below(page) == []
    set_up(page, server, 8, players=3, reached=fights, first_game=False)
    choose(page, page.locator("#choices .choice:not(.pass)").first)
    page.wait_for_selector(".battle-scene .art")
    assert below(page) == []


def fights(s):
    return s.decision == Decision.BATTLE_CARD and s.hand_size[0] > 1


@pytest.mark.slow
@pytest.mark.parametrize("game", ["berserk", "berserk_team"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_texts_of_berserk_can_be_read(tmp_path, page, width, height, game):
    """On the board of a team battle there were 341 smaller ones at 1366 by 768."""
    server = ServerProcess(tmp_path, game=game)
    page.set_viewport_size({"width": width, "height": height})
    begin(page, server, players=4 if game == "berserk_team" else 2)
    rng = random.Random(1)
    for _ in range(22):
        assert settled(page)
        assert below(page) == []
        berserk.any_choice(page, rng)
    page.goto("about:blank")  # or its requests fail
    server.kill()


def test_cards_use_the_room_of_the_draft_and_of_a_battle(server, page):
    """A quarter of the draft was empty, and the lower 45 % of the scene of a battle."""
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 3, players=4, first_game=False)
    stage, tiles = (page.locator(each).bounding_box() for each in ("#stage", ".draft .tiles"))
    assert tiles["width"] * tiles["height"] > 0.75 * stage["width"] * stage["height"]
    assert page.locator("#stage").evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    set_up(page, server, 8, players=3, reached=fights, first_game=False)
    stage, sides = (page.locator(each).bounding_box() for each in ("#stage", ".battle-scene .sides"))
    assert sides["height"] > 0.6 * stage["height"]


def test_the_board_of_a_phone_can_be_enlarged(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    set_up(page, server, 3, players=5, reached=lambda s: s.age == 1 and s.decision == Decision.ACTION, first_game=False)
    width = page.locator("#board").bounding_box()["width"]
    page.click("#enlarge")
    assert page.locator("#board").bounding_box()["width"] > 1.9 * width
    assert page.locator("#enlarge").get_attribute("aria-pressed") == "true"
    page.click("#enlarge")
    assert page.locator("#board").bounding_box()["width"] == width


def test_the_board_of_a_team_battle_fills_its_frame_and_says_whose_its_parts_are(tmp_path, page):
    """It filled 918 by 389 pixels of 918 by 720."""
    server = ServerProcess(tmp_path, game="berserk_team")
    page.set_viewport_size({"width": 1366, "height": 768})
    begin(page, server, players=4)
    assert settled(page)
    page.wait_for_selector("#field .bands .shield")
    frame = page.locator("#frame").bounding_box()
    drawn = page.locator("#field").evaluate(
        """(node) => [node.viewBox.baseVal.width, node.viewBox.baseVal.height]
        .map((each) => each * node.getScreenCTM().a)"""
    )
    assert drawn[0] * drawn[1] > 0.85 * frame["width"] * frame["height"]
    assert page.locator("#field .bands .shield").count() == 4
    colours = page.locator("#field .cell").evaluate_all("all => all.map((node) => getComputedStyle(node).fill)")
    assert len(set(colours)) == 4
    page.goto("about:blank")  # or its requests fail
    server.kill()


def test_the_board_of_berserk_can_be_enlarged(tmp_path, page):
    server = ServerProcess(tmp_path, game="berserk")
    page.set_viewport_size({"width": 390, "height": 844})
    berserk.begin(page, server, setup="fixed")
    assert settled(page)
    width = page.locator("#field").bounding_box()["width"]
    page.click("#enlarge")
    assert page.locator("#field").bounding_box()["width"] > 1.9 * width
    assert page.locator("#field .card .life").count() > 4  # cards are drawn in full
    assert below(page) == []
    page.click("#enlarge")
    assert page.locator("#field").bounding_box()["width"] == width
    page.goto("about:blank")  # or its requests fail
    server.kill()


@pytest.mark.parametrize("shown", ["", "&play"])
def test_texts_of_a_review_can_be_read(server, page, shown):
    """Signs of doomed provinces had 10.3 pixels."""
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 8, players=3, reached=lambda s: False)
    page.goto(page.url.replace("/play#", "/review#") + shown)
    until(page, "Number(document.getElementById('slider').max) > 100 && window.player")
    for step in range(0, int(page.get_attribute("#slider", "max")), 20):
        page.evaluate("(step) => window.player.jump(step)", step)
        assert below(page) == []
