"""Banners, shields and title pictures, and what the columns and the last page of Berserk show."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from tests import test_berserk_serve_browser as berserk
from tests.play_page import set_up, settled
from tests.serve_process import ServerProcess

pytestmark = pytest.mark.browser

# The names of the symbols that pictures use, where these can be seen and are not empty.
USED = """(selector) => [...document.querySelectorAll(selector)].filter((node) => node.getBBox().width > 5)
  .map((node) => node.querySelector("use").getAttribute("href"))"""


def test_each_clan_has_a_banner_beside_its_name(server, page):
    set_up(page, server, 3, players=5, reached=lambda s: s.age == 1 and s.decision == Decision.ACTION, first_game=False)
    banners = [f"#banner-{seat}" for seat in range(5)]
    assert page.evaluate(USED, "#clans h3 .banner-of") == banners
    page.click("#show-score")
    assert sorted(page.evaluate(USED, "#dialog .score .banner-of")) == banners
    page.click("#dialog header button")
    drawn = {page.locator(each).evaluate("node => node.innerHTML") for each in banners}
    assert len(drawn) == 5


def test_a_draft_and_the_end_have_banners(server, page):
    set_up(page, server, 3, players=4, first_game=False)
    assert page.evaluate(USED, ".draft .banner-of") == ["#banner-0"]
    set_up(page, server, 8, players=3, reached=lambda s: False)
    assert len(page.evaluate(USED, ".final .banner-of")) == 3


def test_the_start_page_of_all_games_has_their_pictures(server, page):
    page.goto(server.address.rpartition("/")[0])
    page.wait_for_selector("#games img")
    widths = page.locator("#games img").evaluate_all("all => all.map((one) => one.complete && one.naturalWidth)")
    assert len(widths) == page.locator("#games section").count()
    page.wait_for_load_state("networkidle")
    assert page.locator("#games img").evaluate_all("all => all.every((one) => one.naturalWidth > 0)")


def test_the_column_of_berserk_lists_the_cards_and_its_end_shows_them(tmp_path, page):
    server = ServerProcess(tmp_path, game="berserk")
    page.set_viewport_size({"width": 1366, "height": 768})
    berserk.begin(page, server, setup="fixed")
    assert settled(page)
    assert page.locator("#clans .shield").count() == 2
    stand = page.locator("#field .card").count()
    assert page.locator(".roster li").count() == stand > 4
    row = page.locator(".roster button").first
    row.click()
    assert page.inner_text("#dialog h2") == row.locator(".name").inner_text()
    page.click("#dialog header button")
    rng = random.Random(1)
    while settled(page):
        berserk.any_choice(page, rng)
    assert page.locator(".end .squads section").count() == 2
    stage, squads = (page.locator(each).bounding_box() for each in ("#stage", ".squads"))
    assert squads["height"] > 0.3 * stage["height"]
    page.goto("about:blank")  # or its requests fail
    server.kill()
