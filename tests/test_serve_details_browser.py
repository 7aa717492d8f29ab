"""Small things of the page of a game that were wrong once, in Chromium."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from tests.play_page import set_up

pytestmark = pytest.mark.browser


def test_nobody_has_a_card_before_cards_are_chosen(server, page):
    """Both lay there face down."""
    set_up(page, server, 3, players=3, reached=lambda s: s.decision == Decision.BATTLE_CARD, first_game=False)
    sides = page.locator("#stage .battle-scene .side")
    assert sides.count() >= 2
    assert page.locator("#stage .side .tile:not(.empty)").count() == 0
    said = sides.locator(".tile.empty").all_inner_texts()
    assert sorted(set(said)) == ["a card in secret", "your card"]
    assert said.count("your card") == 1


def test_names_of_quests_and_cards_are_links_wherever_things_are_told(server, page):
    """In the log, in what a phase and a battle brought, and in where glory came from."""
    set_up(page, server, 3, players=2, reached=lambda s: False)
    quest = re.compile(r" \(\d+ glory\)$")
    assert page.locator("#log .card-name").filter(has_text=quest).count()
    scene = page.evaluate(
        """async () => {
          const { phaseScene } = await import("./game/ages.js");
          const texts = await (await fetch("api/texts")).json();
          const title = (type) => texts.faces.find((face) => face.type === type);
          const [{ title: name, glory }, { title: other }] = [title("quest"), title("monster")];
          const lines = [`Wolf meets ${name} (${glory} glory)`, `Wolf plays ${other}`];
          const links = phaseScene(texts, { title: "Quests", lines }, () => {}).querySelectorAll(".card-name");
          return [...links].map((node) => node.textContent);
        }"""
    )
    assert len(scene) == 2
    assert quest.search(scene[0])
    page.locator("#log .card-name").filter(has_text=quest).last.click()
    assert page.locator("#dialog[open] .tile.quest").count() == 1


HEADINGS = """() => { const box = document.getElementById("log");
  return [...box.querySelectorAll("h3")].filter((node) => node.scrollWidth > node.clientWidth + 1
    || node.getBoundingClientRect().left < box.getBoundingClientRect().left
    || node.getBoundingClientRect().right > box.getBoundingClientRect().right).map((node) => node.innerText); }"""


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (390, 844)])
def test_headings_of_the_log_are_seen_in_full(server, page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    set_up(page, server, 3, players=2, reached=lambda s: False)
    if size[0] < 1000:
        page.click("#parts [data-part=log]")
    assert page.locator("#log h3").count() > 10
    assert page.evaluate(HEADINGS) == []
    page.evaluate("document.getElementById('log').scrollTop = 0")
    first, box = (page.locator(where).first.bounding_box() for where in ("#log h3", "#log"))
    assert first["y"] >= box["y"]


@pytest.mark.parametrize(
    ("locale", "form"), [("de-DE", r"^\d+\.\d+\.\d{4}, \d+:\d\d:\d\d$"), ("en-US", r"^\d+/\d+/\d{4}, .*M$")]
)
def test_times_are_in_the_form_of_the_visitor(server, browser, locale, form):
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(server.address)
    page.evaluate(
        """localStorage.setItem("bloodrage-games", '[{"link": "/play#x", "label": "One", "date": 1700000000000}]')"""
    )
    page.reload()
    page.wait_for_selector("#known-list .says")
    assert re.match(form, page.inner_text("#known-list .says").replace("\u202f", " "))
    context.close()
