"""The layout of the page of a game: the board keeps its size, letters can be read, to pass is always in view."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import PASS, Decision
from tests.play_page import choose, set_up, settled, unhurried, until

pytestmark = pytest.mark.browser

SIZES = [(1366, 768), (1920, 1080), (390, 844)]
# Width and height of the board, of its smallest figure and of its smallest letters, in pixels.
MEASURED = """() => {
  const board = document.querySelector("#board");
  const { width, height } = board.getBoundingClientRect();
  const shown = [...board.querySelectorAll("text")].filter((node) => node.getClientRects().length);
  const scale = (node) => Math.hypot(node.getScreenCTM().a, node.getScreenCTM().b);
  const letters = shown.map((node) => parseFloat(getComputedStyle(node).fontSize) * scale(node));
  return [width, height, 52 * scale(board), Math.min(...letters)];
}"""


def to_act(least):
    return lambda s: s.decision == Decision.ACTION and int(s.mask.sum()) >= least and s.mask[PASS]


def test_the_board_is_large_and_can_be_read(server, page):
    """At 1366 by 768 the board was 613 by 530, figures 24 high and the smallest letters 7."""
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 3, players=5, reached=lambda s: s.age == 1 and s.decision == Decision.ACTION, first_game=False)
    width, height, figure, letters = page.evaluate(MEASURED)
    assert width >= 760
    assert height >= 650
    assert figure >= 49
    assert letters >= 11


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_to_pass_is_in_view_whatever_the_number_of_choices(server, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    set_up(page, server, 14, players=3, reached=to_act(33), first_game=False)
    assert page.locator("#choices .choice").count() >= 33
    button = page.locator("#choices .choice.pass")
    box, panel = button.bounding_box(), page.locator("#question").bounding_box()
    assert panel["y"] + panel["height"] <= height
    assert panel["y"] <= box["y"]
    assert box["y"] + box["height"] <= panel["y"] + panel["height"]
    over = "([x, y]) => document.elementFromPoint(x, y).closest('.choice')?.classList.contains('pass')"
    assert page.evaluate(over, [box["x"] + 20, box["y"] + box["height"] / 2])


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_board_keeps_its_size_within_a_turn(server, page, width, height):
    """Whatever is asked, and whatever is said beside it of what happened: it had three sizes within one turn."""
    page.set_viewport_size({"width": width, "height": height})
    set_up(page, server, 5, players=4, reached=to_act(20), first_game=False)
    sizes, beside = set(), 0
    for _ in range(12):
        if page.locator("#stage:not([hidden], .slim)").count() == 0:
            sizes.add(tuple(page.evaluate(MEASURED)[:2]))
        beside += page.locator("#stage.slim:not([hidden])").count()
        if not settled(page) or page.locator("#stage:not([hidden], .slim)").count():
            break
        choose(page, page.locator("#choices .choice:not(.pass)").first)
    assert len(sizes) == 1


def test_a_new_question_is_shown_from_its_beginning(server, page):
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 14, players=3, reached=to_act(33), first_game=False)
    page.locator("#choices").evaluate("node => { node.scrollTop = 500; }")
    choose(page, page.locator("#choices .choice:not(.pass)").last)
    until(page, "document.querySelector('#choices').scrollTop === 0")


def test_a_card_of_the_hand_is_read_over_the_foot_of_the_board(server, page):
    """Names lie in a row; the card that is pointed at is shown whole, and nothing else moves."""
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 5, players=4, reached=to_act(20), first_game=False)
    before = page.evaluate(MEASURED)
    tiles = page.locator("#hand .tile")
    places = tiles.evaluate_all("all => all.map((tile) => tile.getBoundingClientRect().left)")
    for number in range(tiles.count()):
        tiles.nth(number).hover()
        box = tiles.nth(number).bounding_box()
        assert box["y"] + box["height"] <= 768
        assert box["height"] > 150
        assert tiles.nth(number).evaluate("node => node.scrollHeight <= node.clientHeight + 1")
        words = tiles.nth(number).locator(".words")
        assert words.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    page.mouse.move(700, 300)
    assert tiles.evaluate_all("all => all.map((tile) => tile.getBoundingClientRect().left)") == places
    assert page.evaluate(MEASURED) == before


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_choice_is_below_a_fold(server, page, width, height):
    """At 1366 by 768 they were 842 pixels high, in 529; large groups are closed now, one of them can be opened."""
    unhurried(page)
    page.set_viewport_size({"width": width, "height": height})
    set_up(page, server, 14, players=3, reached=to_act(33), first_game=False)
    panel = page.locator("#choices")
    assert panel.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    closed = page.locator("#choices details:not([open])")
    assert closed.count() > 1
    group = closed.first.get_attribute("aria-label")
    closed.first.locator("summary").click()
    assert page.locator(f'#choices details[aria-label="{group}"] .choice').first.is_visible()
    closed.last.locator("summary").click()
    assert page.locator(f'#choices details[aria-label="{group}"] .choice:visible').count() == 0


# The smallest letters that can be seen on the page, in pixels; in a picture by its scale.
SMALLEST = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let least = 99;
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    const seen = walk.currentNode.textContent.trim() && node.getClientRects().length;
    if (!seen || node.closest(".unseen, .skips, title, option")) continue;
    const style = getComputedStyle(node);
    if (style.visibility === "hidden") continue;
    const drawn = node.getScreenCTM?.();
    const scale = drawn ? Math.hypot(drawn.a, drawn.b) : node.currentCSSZoom ?? 1;
    least = Math.min(least, parseFloat(style.fontSize) * scale);
  }
  return least;
}"""


@pytest.mark.parametrize(("width", "height", "least"), [(1366, 768, 11), (1920, 1080, 11), (390, 844, 9.9)])
def test_letters_can_be_read(server, page, width, height, least):
    """They were 8.5 pixels high at 1366, on cards, and 5.7 on the board of a phone."""
    page.set_viewport_size({"width": width, "height": height})
    set_up(page, server, 3, players=5, reached=lambda s: s.age == 1 and s.decision == Decision.ACTION, first_game=False)
    parts = ("board", "hand", "clans", "log") if page.locator("#parts").is_visible() else (None,)
    for part in parts:
        if part:
            page.click(f"#parts [data-part={part}]")
        assert page.evaluate(SMALLEST) >= least


def test_a_focus_that_the_page_sets_looks_like_no_choice(server, page):
    """After a click on a place the first choice there has the focus: nothing of it was chosen."""
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 14, players=3, reached=to_act(33), first_game=False)
    page.locator("#board .province.lit text").first.click()
    assert page.evaluate("document.activeElement.matches('#choices .choice')")
    assert page.locator(".pointed").count() == 0
    page.keyboard.press("Tab")
    page.locator("#choices .choice").first.focus()
    assert page.locator("#board .pointed").count() > 0  # by the keyboard it shows where one is
