"""The page of Berserk in Chromium: whole games by clicks."""

import random
import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.berserk.replay import Replay
from tests.play_page import (
    NAMELESS,
    OUTSIDE,
    answered,
    browser,  # noqa: F401  # fixtures
    hurried,
    page,  # noqa: F401
    random_choice,
    settled,
)
from tests.serve_process import ServerProcess
from tests.test_serve_accessible import SCREENS, findings

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = ServerProcess(tmp_path_factory.mktemp("games"), game="berserk")
    yield server
    server.kill()


def begin(page, server, people=1, setup="full"):  # noqa: F811
    """A new game by the form of the start page."""
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    if people > 1:
        page.select_option("#seat-1", "person")
    page.select_option("#setup", setup)
    page.click("button[type=submit]")
    if people > 1:
        page.click("#play-together")
    page.wait_for_url("**/play#*")


LIT = "all => all.map((node) => Number(node.dataset.cell))"


def by_the_board(page, rng):  # noqa: F811
    """An answer by two clicks on the board, or on a card of the deal: a card that is bought, a place, a step.

    False where none came of them: what a card does for an action is a button.
    """
    number = page.get_attribute("body", "data-asks")
    still = f'body[data-asks="{number}"]'
    tiles = page.locator("#hand button.tile")
    if tiles.count():
        tiles.nth(rng.randrange(tiles.count())).click()
        page.locator("#hand button.tile.picked").click()
        answered(page, number)
        return True
    lit = page.locator("#field .lit").evaluate_all(LIT)
    if not lit:
        return False
    first = rng.choice(lit)
    page.locator(f'#field [data-cell="{first}"]').click()
    moves = page.locator("#field .lit").evaluate_all(LIT)
    own = set(page.locator("#field .lit:has(.card)").evaluate_all(LIT))
    if first not in own:  # a place
        page.locator(f'#field [data-cell="{first}"]').click()
        answered(page, number)
        return True
    free = [cell for cell in moves if cell not in own]
    if free and page.locator("#choices .choice-group").count() == 1:
        page.locator(f'#field [data-cell="{rng.choice(free)}"]').click()
        answered(page, number)
        return True
    page.keyboard.press("Escape")
    assert page.locator(still).count()
    return False


@pytest.mark.parametrize("setup", ["full", "fixed"])
def test_a_whole_game_by_clicks(server, page, setup):  # noqa: F811
    """By the board where that can be, else by the buttons; to the end, whose replay is the game that was played."""
    hurried(page)
    before = set(server.folder.glob("*.bsk"))
    begin(page, server, setup=setup)
    rng = random.Random(4)
    done = {True: 0, False: 0}
    while settled(page):
        if done[True] + done[False] == 2:
            assert page.evaluate(NAMELESS) == []
            assert page.evaluate(OUTSIDE) == []
        board = rng.random() < 0.5 and by_the_board(page, rng)
        if not board:
            random_choice(page, rng)
        done[board] += 1
    assert min(done.values()) > 3
    (path,) = set(server.folder.glob("*.bsk")) - before
    replay = Replay.load(path)
    assert replay.verify()[0].over
    assert "Player" in page.inner_text(".end h2") or "draw" in page.inner_text(".end h2")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the replay").click()
    assert download.value.path().read_bytes() == path.read_bytes()
    page.get_by_role("button", name="Look at the board").click()
    assert page.locator(".end").count() == 0
    page.get_by_role("button", name="Back to the result").click()
    assert page.locator(".end").is_visible()


def test_two_people_at_one_computer_see_no_card_of_each_other(server, page):  # noqa: F811
    """Who bought what is on the screen of its owner alone, and the other's squad lies face down."""
    hurried(page)
    begin(page, server, people=2)
    rng = random.Random(6)
    shown = set()
    while settled(page) and page.inner_text("#head").startswith(
        ("Roll-off", "Deal", "Purchase", "Placement", "Reveal")
    ):
        own = page.evaluate("() => document.title")[7]
        log = page.inner_text("#log")
        other = "B" if own == "A" else "A"
        assert f"Player {other}: buy" not in log
        shown.add(own)
        random_choice(page, rng)
    assert shown == {"A", "B"}
    hidden = page.locator("#field .card.down").evaluate_all(
        """all => all.filter((node) => !node.closest("[data-card]")).map((node) => node.textContent)"""
    )
    assert all(re.fullmatch(r"[AB]\d+face down", text) for text in hidden)
    assert page.locator("#field .card").count() > 1


def test_a_card_is_read_and_nothing_is_offered_that_there_is_not(server, page):  # noqa: F811
    begin(page, server, setup="fixed")
    assert settled(page)
    card = page.locator("#field [data-card]").first
    shown = card.text_content()
    card.click(button="right")
    assert page.inner_text("#dialog h2") in shown
    page.get_by_role("button", name="Close").click()
    for gone in ("#hint", "#show-rules", "#show-score", "#review"):
        assert page.locator(gone).count() == 0
    page.click("#show-settings")
    assert page.locator("#dialog select").count() == 2


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}-{screen[1]}")
def test_axe_finds_nothing_grave(server, page, screen):  # noqa: F811
    colours, width, height = screen
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    assert findings(page) == []
    for setup in ("full", "fixed"):
        begin(page, server, setup=setup)
        assert settled(page)
        page.locator("#choices .choice").first.hover()
        assert findings(page) == []
        assert page.evaluate(OUTSIDE) == []
