"""Berserk on a phone: the sheet of a creature, and choices beside a fight."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.play_page import answered, settled, until
from tests.test_berserk_serve_browser import any_choice, begin
from tests.test_serve_phone_browser import SIZE

pytestmark = pytest.mark.browser

GAME = "berserk"  # of the server


def play_until(page, server, seed, condition):
    """Answer at random until a condition of the page holds."""
    page.set_viewport_size(SIZE)
    begin(page, server, setup="fixed")
    rng = random.Random(seed)
    while settled(page) and not page.evaluate(condition):
        any_choice(page, rng)


def test_a_creature_has_a_sheet(page, server):
    play_until(page, server, 1, "document.body.classList.contains('fights')")
    asked = page.get_attribute("body", "data-asks")
    for selector in ("#field [data-card].lit", "#field [data-card]:not(.lit)"):
        node = page.locator(selector).first
        name = node.get_attribute("aria-label")
        can = "not" not in selector
        for _ in range(1 + can):  # the first one picks it, with the board in view
            assert page.locator("#dialog[open]").count() == 0
            node.focus()
            page.keyboard.press("Enter")
        page.wait_for_selector("#dialog[open] .creature")
        assert page.inner_text("#dialog h2") in name
        assert "Life " in page.inner_text("#dialog .creature")
        assert (page.locator("#dialog .can .choice").count() > 0) == can
        page.keyboard.press("Escape")
        until(page, "!document.querySelector('#dialog').open")
    page.locator("#field [data-card].lit").first.dblclick()
    page.locator("#dialog .can .choice").first.click()
    answered(page, asked)


def test_choices_can_be_clicked_below_a_fight(page, server):
    """A note and what takes choices back covered all but 20 pixels of them."""
    fight = "document.querySelector('#stage.slim .fight-art')"
    play_until(page, server, 3, f"{fight} && document.querySelector('#choices .foot p.faint') !== null")
    free = """() => {
      const { left, top, bottom } = document.querySelector("#choices").getBoundingClientRect();
      const rows = Array.from({ length: Math.floor(bottom - top) },
        (_, y) => document.elementFromPoint(left + 40, top + y));
      return rows.filter((node) => node?.closest("#choices") && !node.closest(".foot")).length;
    }"""
    assert page.locator("#choices .foot p.faint").count() == 1
    assert page.evaluate(free) > 80
