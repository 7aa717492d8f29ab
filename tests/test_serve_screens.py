"""The page of a game on phones, tablets and screens of all sizes, light and dark: in Chromium."""

import itertools
import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.games.bloodrage.replay import Replay
from tests.play_page import OUTSIDE, answered, begin, hurried, random_choice, set_up, settled
from tests.serve_process import ServerProcess

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
SCREENS = (PHONE, *({"width": w, "height": h} for w, h in ((1280, 800), (1366, 650), (1920, 1080))))
PARTS = {"board": "#middle", "hand": "#bottom", "clans": "#clans", "log": "#log"}
# What can be scrolled sideways.
SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll("body *")].filter((node) => {
    if (node === document.documentElement) return node.scrollWidth > innerWidth;
    const scrolls = ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
    return scrolls && node.scrollWidth > node.clientWidth + 1;
  }).map((node) => node.id || node.className || node.tagName)"""
# Controls that are smaller than a finger needs.
SMALL = """() => [...document.querySelectorAll("button, select, input:not([type=checkbox]), a.button")]
  .filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width > 0 && (box.width < 43.5 || box.height < 43.5);
  }).map((node) => node.outerHTML)"""


@pytest.fixture
def phone(browser):
    page = browser.new_page(viewport=PHONE, has_touch=True)
    hurried(page)
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    yield page
    page.close()
    assert page.troubles == []


@pytest.mark.slow
def test_a_whole_game_by_clicks_on_each_screen(server, page):
    """Each question on all of the screens in turn, and answered on another one than the question before."""
    before = set(server.folder.glob("*.brz"))
    begin(page, server, first_game=True, players=2)
    rng, screens = random.Random(390), itertools.cycle(SCREENS)
    while settled(page):
        assert sideways_on_each_screen(page) == []
        page.set_viewport_size(next(screens))
        random_choice(page, rng)
    (path,) = set(server.folder.glob("*.brz")) - before
    assert Replay.load(path).verify()[0].over
    assert page.locator(".end .score").is_visible()
    assert sideways_on_each_screen(page) == []


def sideways_on_each_screen(page):
    """What can be scrolled sideways on one of the screens, each with the size."""
    found = []
    for screen in SCREENS:
        page.set_viewport_size(screen)
        found += [(screen, each) for each in page.evaluate(SIDEWAYS)]
    return found


def test_a_phone_shows_one_part_and_always_the_question(server, phone):
    set_up(phone, server, 3, players=5, reached=lambda s: s.decision == Decision.ACTION and s.age == 1)
    for part, selector in PARTS.items():
        phone.click(f"#parts [data-part={part}]")
        assert [each for each in PARTS.values() if phone.locator(each).is_visible()] == [selector]
        assert phone.locator("#parts [aria-pressed=true]").inner_text().lower() == part
        assert phone.locator("#choices .choice").first.is_visible()
        assert phone.evaluate(SIDEWAYS) == []
        assert phone.evaluate(SMALL) == []
        box = phone.locator("#question").bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
        assert phone.locator(selector).bounding_box()["height"] > (0.35 if part == "board" else 0.5) * PHONE["height"]
    phone.click("#show-menu")
    phone.click("#show-score")
    assert phone.locator("#dialog .score").is_visible()
    assert phone.evaluate(SIDEWAYS) == []


def test_what_lies_over_the_board_is_brought_up_on_a_phone(server, phone):
    """A choice of a card in a battle, while the log was looked at."""
    set_up(phone, server, 3, first_game=False)
    assert phone.locator("#stage .tile").first.is_visible()
    phone.click("#parts [data-part=log]")
    number = phone.get_attribute("body", "data-asks")
    phone.locator("#choices .choice").first.click()
    answered(phone, number)
    settled(phone)
    while phone.locator("#stage:not([hidden])").count():
        random_choice(phone, random.Random(1))
        settled(phone)
    phone.click("#parts [data-part=log]")
    while not phone.locator("#stage:not([hidden], .slim)").count():
        assert settled(phone)
        random_choice(phone, random.Random(2))
    assert phone.locator("#middle").is_visible()


@pytest.mark.parametrize("reached", [lambda s: True, lambda s: False], ids=["draft", "end"])
def test_scenes_on_a_phone_scroll_down_only(server, phone, reached):
    set_up(phone, server, 4, players=5, reached=reached, first_game=False)
    assert phone.evaluate(SIDEWAYS) == []
    assert phone.evaluate(SMALL) == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 650)])
def test_a_phase_with_many_lines_scrolls_down_only(server, page, width, height):
    """More lines than a scene of a phase has room for."""
    page.set_viewport_size({"width": width, "height": height})
    set_up(page, server, 4, players=5, reached=lambda s: s.decision == Decision.ACTION)
    page.evaluate("""() => {
      const lines = Array.from({ length: 40 }, (_, i) => `<li>The Raven Clan gains ${i} glory for its quests</li>`);
      const stage = document.querySelector("#stage");
      stage.innerHTML = `<div class="phase-scene"><ul>${lines.join("")}</ul></div>`;
      stage.hidden = false;
    }""")
    lines = page.locator(".phase-scene ul").first
    assert lines.evaluate("node => node.scrollHeight > node.clientHeight + 1")
    assert page.evaluate(SIDEWAYS) == []


def test_the_start_page_on_a_phone(server, phone):
    phone.goto(server.address)
    phone.wait_for_selector("button[type=submit]:enabled")
    phone.select_option("#players", "5")
    assert phone.evaluate(SIDEWAYS) == []
    assert phone.evaluate(SMALL) == []


def test_tablets_and_a_phone_on_its_side(server, page):
    set_up(page, server, 3, players=5, reached=lambda s: s.decision == Decision.ACTION and s.age == 1)
    for width, height in [(768, 1024), (820, 1180), (844, 390), (1024, 768)]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SIDEWAYS) == [], width
        assert page.evaluate(OUTSIDE) == [], width
        assert page.locator("#choices .choice").first.is_visible()
        assert page.locator("#board").is_visible()


def test_large_screens_have_larger_type(server, page):
    set_up(page, server, 3, players=5, reached=lambda s: s.decision == Decision.ACTION)
    heights = []
    for width, height in [(1366, 768), (1920, 1080), (2560, 1440), (3840, 2160)]:
        page.set_viewport_size({"width": width, "height": height})
        heights.append(page.locator("#log p").first.evaluate("node => node.getClientRects()[0].height"))
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(SIDEWAYS) == []
    assert heights == sorted(set(heights))


BRIGHTNESS = """selector => {
  const [r, g, b] = getComputedStyle(document.querySelector(selector)).backgroundColor.match(/[0-9.]+/g).map(Number);
  return r + g + b;
}"""


def test_dark_as_the_computer_asks_or_as_is_set(server, page):
    set_up(page, server, 3)
    assert page.evaluate(BRIGHTNESS, "body") > 600
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(BRIGHTNESS, "body") < 150
    page.click("#show-settings")
    page.select_option("#set-theme", "light")
    assert page.evaluate(BRIGHTNESS, "body") > 600
    page.select_option("#set-theme", "dark")
    page.emulate_media(color_scheme="light")
    page.goto(server.address)
    assert page.evaluate(BRIGHTNESS, "body") < 150
    assert page.input_value("#set-theme") == "dark"


def test_skip_links_lead_to_the_parts_and_keep_the_address(server, page):
    set_up(page, server, 3)
    address = page.url
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    for name in ("question", "log", "hand"):
        page.locator(f".skips [href='#{name}']").focus()
        assert page.locator(f".skips [href='#{name}']").bounding_box()["x"] >= 0
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == name
    assert page.url == address


@pytest.fixture
def unhurried(tmp_path):
    """A server whose agents take their time from the first move, which comes before the page has asked for a pace."""
    server = ServerProcess(tmp_path, pace=5)
    yield server
    server.kill()


@pytest.mark.slow
def test_agents_are_watched(unhurried, page):
    page.goto(unhurried.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", "2")
    page.select_option("#seat-0", "agent random")
    assert page.inner_text("button[type=submit]") == "Watch"
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")
    page.click("#pause")
    assert page.inner_text("#pause") == "Go on"
    assert page.locator("#choices .choice").count() == 0
    assert page.locator(".chip.in-hand").count() > 0
    page.select_option("#set-watch", "0")
    page.click("#pause")
    page.wait_for_selector(".end .score")
    assert page.evaluate(SIDEWAYS) == []
