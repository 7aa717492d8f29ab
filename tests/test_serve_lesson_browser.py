"""The guided games as a newcomer plays them, in Chromium: everything by what the page marks."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.play_page import READY, until
from tests.serve_process import ServerProcess
from tests.test_serve_accessible import findings

pytestmark = pytest.mark.browser

LESSONS = (("bloodrage", 0), ("bloodrage", 1), ("berserk", 0), ("berserk_team", 0), ("berserk_laar", 0))
SIZES = [(1366, 768), (390, 844)]
# What a newcomer can do: read on, go on, or click what is marked.
MARKED = "#choices .choice.shown-by-lesson"
TICK = ".recruit .tile.can[aria-checked=false]"
# Whether a click on an element reaches it: nothing covers it or cuts it off.
REACHED = """selector => {
  const node = document.querySelector(selector);
  if (!node) return true;
  const { left, top, width, height } = node.getBoundingClientRect();
  return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
STATE = """() => ({
  title: document.querySelector("#lesson h2")?.textContent ?? "",
  step: document.querySelector("#lesson progress")?.value ?? 0,
  next: Boolean(document.querySelector("#lesson-next")),
  goes: Boolean(document.querySelector("#continue.main")),
  ends: document.body.dataset.ends !== undefined,
  tick: Boolean(document.querySelector(".recruit .tile.can[aria-checked=false]")),
  buy: Boolean(document.querySelector("#buy:enabled")),
  asks: document.body.dataset.asks ?? null,
  marked: document.querySelectorAll("#choices .choice.shown-by-lesson").length,
  finished: Boolean(document.querySelector("#lesson a.button")),
  over: !document.querySelector("#lesson") || document.querySelector("#lesson").hidden,
})"""


@pytest.fixture(scope="module", params=LESSONS, ids=lambda lesson: "{}-{}".format(*lesson))
def taught(request, tmp_path_factory):
    """A server of one game, and the number of a lesson as its attribute `lesson`."""
    game, number = request.param
    server = ServerProcess(tmp_path_factory.mktemp("games"), game=game)
    server.lesson = number
    yield server
    server.kill()


def begin(page, server):
    page.goto(server.address)
    page.click(f'#lessons [data-lesson="{server.lesson}"] button')
    page.wait_for_url("**/play#*")
    page.wait_for_selector("#lesson h2")


def press(page, selector, step):
    """A click, unless the lesson has come to its next step meanwhile."""
    page.evaluate(
        """([selector, step]) => {
          const now = document.querySelector("#lesson progress")?.value ?? 0;
          if (now === step) document.querySelector(selector)?.click();
        }""",
        [selector, step],
    )


def go_on(page, state):
    """One thing that a newcomer does in a state; False where the lesson has nothing more to say."""
    step = state["step"]
    if state["over"] or state["finished"]:
        return False  # all choices are open again
    if state["next"]:
        press(page, "#lesson-next", step)
    elif state["goes"]:
        press(page, "#continue.main", step)
    elif state["ends"]:
        press(page, "#end-turn", step)
    elif state["tick"]:
        press(page, TICK, step)
        assert page.locator(f"{TICK}.shown-by-lesson").count() == page.locator(TICK).count()
        assert re.match(r"First tick the \d+ marked cards|Buy these", page.inner_text("#buy"))
    elif state["buy"]:
        press(page, "#buy:enabled", step)
    elif state["asks"] is not None and state["marked"]:
        assert page.evaluate(REACHED, MARKED), state["title"]
        press(page, MARKED, step)
    else:
        page.wait_for_timeout(20)
    return True


def in_view(page):
    """The text, and what can be clicked next, are on the screen."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    for selector in ("#lesson", MARKED):
        node = page.locator(selector).first
        if node.count():
            node.scroll_into_view_if_needed()
            box = node.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width + 1
            assert box["y"] + box["height"] <= height + 1


def follow(page, most=10**6):
    """Go on until the lesson ends, or to the step after `most`. Return the titles that were read."""
    titles = []
    while True:
        state = page.evaluate(STATE)
        if state["title"] and state["title"] not in titles:
            titles.append(state["title"])
        if state["step"] > most or not go_on(page, state):
            return titles


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_first_steps(page, taught, width, height):
    page.set_viewport_size({"width": width, "height": height})
    begin(page, taught)
    in_view(page)
    assert page.locator(MARKED).count() == 0  # there is something to read first
    follow(page, 2)
    in_view(page)
    until(page, "document.querySelector('#lesson progress').value >= 3")
    page.wait_for_selector(READY)  # the agents have played: the lesson stays at this step
    step = page.evaluate(STATE)["step"]
    page.reload()
    page.wait_for_selector("#lesson h2")
    assert page.evaluate(STATE)["step"] == step  # it goes on where it was left


def test_a_long_page_begins_at_its_title_and_shows_its_buttons(page, taught):
    """The text scrolls between them where it does not fit."""
    begin(page, taught)
    page.set_viewport_size({"width": 1366, "height": 500})
    page.click("#lesson-next")
    assert page.evaluate(
        "document.querySelector('#lesson').scrollHeight > document.querySelector('#lesson').clientHeight"
    )
    assert page.evaluate(SHOWN) == ["H2", "BUTTON", "BUTTON", "BUTTON"]


SHOWN = """() => {
  const panel = document.querySelector("#lesson").getBoundingClientRect();
  return [...document.querySelectorAll("#lesson h2, #lesson button")].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.top >= panel.top && box.bottom <= panel.bottom;
  }).map((node) => node.tagName);
}"""


def test_only_what_is_marked_can_be_chosen_until_the_lesson_is_left(page, taught):
    begin(page, taught)
    follow(page, 1)
    while page.locator("#lesson-next").count():
        page.click("#lesson-next")
    page.wait_for_selector("body[data-asks]")
    page.click("#lesson-leave")
    everything = page.locator("#choices .choice").count() + page.locator(".recruit .tile.can").count()
    page.click("#lesson-return")
    while page.locator("#lesson-next").count():
        page.click("#lesson-next")
    assert page.locator("#choices .choice").count() <= 1
    assert everything >= 1


def test_axe_finds_nothing_on_a_step_and_on_the_page_to_learn(page, taught):
    page.emulate_media(reduced_motion="reduce")
    begin(page, taught)
    assert findings(page) == []
    page.goto(f"{taught.address}/learn")
    page.wait_for_selector("#rules h3")
    assert findings(page) == []


def test_the_page_to_learn_begins_with_the_game(page, taught):
    page.goto(f"{taught.address}/learn")
    page.wait_for_selector("#rules h3")
    heads = page.locator("main section h2, main section h3").all_inner_texts()
    assert heads.index("The game in short") < heads.index("Cards") < heads.index("The rules")
    assert heads[-1] == "About these rules"
    page.locator(".contents button", has_text="About these rules").click()
    assert page.locator("section h3", has_text="About these rules").bounding_box()["y"] < page.viewport_size["height"]
    tiles = page.locator("#cards .tile")
    count = tiles.count()
    page.fill("#gallery-search", "strength" if count > 60 else "armour")
    assert 0 < tiles.count() < count
    assert page.locator("#terms dt").count() > 20
    texts = page.locator("#terms dd").all_inner_texts()
    assert len(texts) == len(set(texts))  # a plural is not a term of its own
    listed = page.locator(".contents button").all_inner_texts()
    assert {"Cards", "Terms", "The rules"} < set(listed)
    marker = page.locator(".contents ol").evaluate("node => getComputedStyle(node).listStyleType")
    assert marker == "none"  # the rules have numbers of their own


def test_the_start_page_lists_lessons_in_order_and_marks_those_that_are_finished(page, taught):
    root, _, name = taught.address.rpartition("/")
    page.goto(root)
    page.wait_for_selector("#learn li li")
    titles = page.locator("#learn li li > :first-child").all_inner_texts()
    assert page.locator("#learn li li", has_text="✓ finished").count() == 0
    page.evaluate(
        "([game, number]) => localStorage.setItem('bloodrage-lessons', JSON.stringify([{ game, number }]))",
        [name, taught.lesson],
    )
    page.reload()
    page.wait_for_selector("#learn li li")
    assert page.locator("#learn li li > :first-child").all_inner_texts() == titles
    assert "✓ finished" in page.locator("#learn li li").nth(taught.lesson).inner_text()
    assert page.locator("#learn li li", has_text="✓ finished").count() == 1
    page.locator("#learn li li button").nth(taught.lesson).click()
    page.wait_for_url("**/play#*")
    page.wait_for_selector("#lesson h2")
    page.evaluate("localStorage.clear()")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_newcomer_comes_to_the_end(page, taught, width, height):
    page.set_viewport_size({"width": width, "height": height})
    if width < 1000:  # fingers: buttons are larger
        page.context.new_cdp_session(page).send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    begin(page, taught)
    titles = follow(page)
    state = page.evaluate(STATE)
    total = int(page.evaluate("document.querySelector('#lesson progress').max"))
    assert state["step"] == total
    assert len(titles) >= 15
    more = (taught.game, taught.lesson) == LESSONS[0]
    assert page.locator("#lesson a.button").all_inner_texts() == ["New game", "Next lesson" if more else "Rules"]
    if page.locator("#lesson-leave").count():  # the game is not over
        assert page.inner_text("#lesson-leave") == "Play on"
        page.click("#lesson-leave")
        assert page.locator("#lesson").is_hidden()
    page.goto(taught.address)
    row = page.locator(f'#lessons [data-lesson="{taught.lesson}"]')
    row.locator("button").wait_for()
    assert "✓ finished" in row.inner_text()
    page.goto(taught.address.rpartition("/")[0])
    page.wait_for_selector("#learn li li")
    assert page.locator("#learn li li", has_text="✓ finished").count() == 1
    page.evaluate("localStorage.clear()")
