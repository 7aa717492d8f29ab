"""The board of a phone: letters that can be read, the sheet of what is touched, and enlarging."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.games.bloodrage.render.geometry import SPOTS
from tests.play_page import answered, hurried, set_up, until

pytestmark = pytest.mark.browser

SIZE = {"width": 390, "height": 844}
SMALLEST = 11  # pixels
# The sizes of all letters on the board, those of symbols too.
LETTERS = """() => [...document.querySelectorAll("#board text, #board use")].flatMap((node) => {
  if (!node.checkVisibility() || !node.getClientRects().length || node.closest(".standing .region")) return [];
  const shown = node.matches("use") ? document.querySelector(node.getAttribute("href"))?.querySelector("text") : node;
  const { a, b } = node.getScreenCTM();
  return shown ? [parseFloat(getComputedStyle(shown).fontSize) * Math.hypot(a, b)] : [];
})"""
SHEET = "#dialog[open] .place"


def in_age_2(s):
    return s.age == 1 and s.decision == Decision.ACTION


@pytest.fixture
def phone(page, server):
    page.set_viewport_size(SIZE)
    set_up(page, server, 3, players=5, reached=in_age_2, first_game=False)
    return page


def test_nothing_of_the_small_board_overlaps():
    """Names, tokens, tags and strengths, wherever they are in a province."""
    for spot in SPOTS:
        rects = [rect for name, rect in spot.small if not (spot.name == "Yggdrasil" and name == "tag")]
        for number, one in enumerate(rects):
            for other in rects[:number]:
                apart = one.right <= other.x or other.right <= one.x or one.bottom <= other.y or other.bottom <= one.y
                assert apart, spot.name


def test_letters_of_the_board_can_be_read(phone):
    """The smallest were 5.7 pixels high."""
    sizes = phone.evaluate(LETTERS)
    assert len(sizes) > 20
    assert min(sizes) >= SMALLEST - 0.1


def place_of(phone, lit):
    """The number of a province that can be chosen, or of one that can't."""
    places = phone.locator("#board .province").evaluate_all(
        "(all, lit) => all.filter((node) => node.classList.contains('lit') === lit).map((node) => node.id)", lit
    )
    return places[0]


def test_a_touch_shows_who_stands_in_a_province_and_what_can_be_done(phone):
    place = place_of(phone, True)
    phone.locator(f"#{place} > polygon").first.click(force=True)
    sheet = phone.locator(SHEET)
    sheet.wait_for()
    said = phone.locator(f"#{place}").get_attribute("aria-label")
    assert phone.inner_text("#dialog h2") == said.split(",")[0]
    clans = [name for name in ("Wolf", "Bear", "Serpent", "Raven", "Ram") if f"{name} " in said]
    assert [each for each in clans if each not in sheet.inner_text()] == []
    buttons = sheet.locator(".can .choice")
    assert buttons.count() > 0
    boxes = [buttons.nth(number).bounding_box() for number in range(buttons.count())]
    assert all(box["y"] + box["height"] <= SIZE["height"] or sheet.locator("..").is_visible() for box in boxes)
    number = phone.get_attribute("body", "data-asks")
    buttons.first.click()
    answered(phone, number)
    assert phone.locator(SHEET).count() == 0


def test_strengths_and_figures_are_in_the_sheet(phone):
    badge = phone.locator("#board .badge").first
    place, strength = badge.get_attribute("data-place"), badge.locator("text").text_content()
    phone.locator(f"#place-{place} > polygon").first.click(force=True)
    said = phone.locator(SHEET).inner_text()
    assert f"{strength} STR" in said
    assert "token" in said


def test_the_sheet_is_opened_by_the_keyboard_and_gives_the_focus_back(phone):
    for lit in (True, False):
        place = place_of(phone, lit)
        phone.locator(f"#{place}").focus()
        assert phone.locator(f"#{place}").get_attribute("role") == "button"
        phone.keyboard.press("Enter")
        phone.locator(SHEET).wait_for()
        assert phone.evaluate("document.querySelector('#dialog').contains(document.activeElement)")
        phone.keyboard.press("Escape")
        until(phone, "!document.querySelector('#dialog').open")
        assert phone.evaluate("document.activeElement.id") == place


def test_a_wide_screen_has_no_sheet(page, server):
    page.set_viewport_size({"width": 1366, "height": 768})
    set_up(page, server, 3, players=5, reached=in_age_2, first_game=False)
    page.locator("#board .province.lit > polygon").first.click(force=True)
    assert page.locator("#board .picked").count() == 1
    assert page.locator("#dialog[open]").count() == 0


def test_the_enlarged_board_takes_pinches(browser, server):
    page = browser.new_page(viewport=SIZE, is_mobile=True, has_touch=True)
    hurried(page)
    set_up(page, server, 3, players=5, reached=in_age_2, first_game=False)
    page.tap("#enlarge")
    assert page.locator("#frame").evaluate("node => getComputedStyle(node).touchAction") == "manipulation"
    assert "scale=1" in page.get_attribute("meta[name=viewport]", "content")  # at first, and nothing limits it
    assert "maximum" not in page.get_attribute("meta[name=viewport]", "content")
    page.close()
