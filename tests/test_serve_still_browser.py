"""The page holds still from one question to the next: its parts, its focus, and its tips."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from tests import test_berserk_modes_browser as modes
from tests.play_page import choose, set_up, settled, until
from tests.serve_process import ServerProcess
from tests.test_berserk_serve_browser import any_choice
from tests.test_serve_lesson_browser import STATE, begin, go_on

pytestmark = pytest.mark.browser

SIZES = [(1366, 768), (390, 844)]
STEPS = 12  # of the lesson
MOST_SHIFT = 0.1  # of the cumulative layout shift, up to which a page is called good
WATCH = """window.shifts = [];
new PerformanceObserver((list) => {
  const own = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
  window.shifts.push(...own.map(({ value, startTime }) => [startTime, value]));
}).observe({ type: "layout-shift", buffered: true });"""
# The largest sum of shifts that are at most a second apart, within five seconds.
SHIFT = """() => {
  let [most, sum, first, last] = [0, 0, -1e9, -1e9];
  for (const [at, value] of window.shifts) {
    if (at - last > 1000 || at - first > 5000) [sum, first] = [0, at];
    [sum, last] = [sum + value, at];
    most = Math.max(most, sum);
  }
  return most;
}"""
BOXES = """() => ["#question", "#log", "#hint"].map((selector) => {
  const { left, top, width } = document.querySelector(selector).getBoundingClientRect();
  return [left, top, width];
})"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_lesson_shifts_little(page, server, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(WATCH)
    server.lesson = 0
    begin(page, server)
    for _ in range(STEPS):
        go_on(page, page.evaluate(STATE))
        page.wait_for_timeout(600)  # longer than what counts as caused by input, were there any
    assert page.evaluate(SHIFT) < MOST_SHIFT


def test_the_right_column_keeps_its_places_whatever_is_asked(page, server):
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 14, players=3, first_game=False)
    boxes = []
    for _ in range(3):
        page.wait_for_selector("body[data-asks]")
        boxes.append(page.evaluate(BOXES))
        choose(page, page.locator("#choices .choice").first)
    assert boxes[1:] == boxes[:-1]


def test_the_focus_goes_to_the_next_question(page, server):
    set_up(page, server, 14, players=3, first_game=False)
    for _ in range(2):
        page.wait_for_selector("body[data-asks]")
        choose(page, page.locator("#choices .choice").first)
        page.wait_for_selector("body[data-asks]")
        assert page.evaluate("document.activeElement.matches('#choices button')")


def test_no_tip_opens_under_a_pointer_that_rests(page, server):
    set_up(page, server, 14, players=3, first_game=False)
    page.wait_for_selector("body[data-asks]")
    page.mouse.move(300, 300)
    page.evaluate("""() => {
      const node = Object.assign(document.createElement("p"), { textContent: "Rage", id: "placed" });
      node.dataset.term = "Rage";
      node.style.cssText = "position: fixed; left: 200px; top: 250px; width: 200px; height: 100px; z-index: 99";
      document.body.append(node);
    }""")
    until(page, "document.querySelector('#placed:hover') !== null")
    page.wait_for_timeout(300)
    assert page.locator("#tip").is_hidden()
    page.mouse.move(100, 100)
    page.mouse.move(305, 300)
    page.wait_for_selector("#tip:not([hidden])")


COLUMNS = """() => ["#clans", "#middle", "#side"].map((selector) => {
  const { left, width } = document.querySelector(selector).getBoundingClientRect();
  return [left, width];
})"""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["berserk", "berserk_team"])
def test_the_columns_of_berserk_keep_their_widths_to_the_end(tmp_path, page, game):
    """They were 70 pixels narrower in a battle."""
    server = ServerProcess(tmp_path, game=game)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.add_init_script(WATCH)
    modes.begin(page, server, 4 if game == "berserk_team" else 2)
    rng, seen = random.Random(3), set()
    while settled(page):
        seen.add(str(page.evaluate(COLUMNS)))
        any_choice(page, rng)
    seen.add(str(page.evaluate(COLUMNS)))
    assert len(seen) == 1, seen
    assert page.evaluate(SHIFT) < MOST_SHIFT
    page.goto("about:blank")  # or its requests fail
    server.kill()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["berserk", "berserk_team"])
def test_a_fight_on_a_phone_moves_nothing(tmp_path, page, game):
    """The fight pushed the question down, and grew as it went on: in a team battle a shift of 0.39."""
    server = ServerProcess(tmp_path, game=game)
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(WATCH)
    modes.begin(page, server, 4 if game == "berserk_team" else 2)
    rng = random.Random(3)
    for _ in range(60):
        assert settled(page)
        any_choice(page, rng)
    assert page.evaluate(SHIFT) < MOST_SHIFT
    page.goto("about:blank")  # or its requests fail
    server.kill()


def test_the_question_of_a_phone_does_not_jump_after_a_battle(server, page):
    """It moved from the foot of the screen to below the board: a shift of 0.22."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(WATCH)
    set_up(
        page,
        server,
        8,
        players=3,
        reached=lambda s: s.decision == Decision.BATTLE_CARD and s.hand_size[0] > 1,
        first_game=False,
    )
    choose(page, page.locator("#choices .choice:not(.pass)").first)
    page.wait_for_selector("#continue.main")
    page.wait_for_timeout(600)  # longer than what counts as caused by input
    page.evaluate("document.querySelector('#continue').click()")
    page.wait_for_selector("body[data-asks]")
    page.wait_for_timeout(600)
    assert page.evaluate(SHIFT) < MOST_SHIFT
