"""Hints on the page of a game, and the review of one that is over, in Chromium."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.serve.storage import Storage
from tests.play_page import OUTSIDE, begin, set_up, settled
from tests.test_serve_study import TALK

pytestmark = pytest.mark.browser


def asked_for(page):
    page.click("#ask-hint")
    page.wait_for_selector("#hint .why")


def test_a_hint_is_shown_when_it_is_asked_for(page, server):
    set_up(page, server, 3, players=3, reached=lambda s: s.age == 1 and s.num_legal > 1)
    assert page.locator("#hint .why").count() == 0
    asked_for(page)
    assert page.locator("#hint .win-bar span").count() == 3
    assert page.locator("#hint .searched tbody tr").count() >= 1
    assert page.locator("#choices .hinted").count() == 1
    assert page.evaluate(OUTSIDE) == []
    assert page.locator("#log").bounding_box()["height"] > 60
    page.keyboard.press("Escape")
    asked = page.get_attribute("body", "data-asks")
    page.locator("#choices .hinted").click()
    page.wait_for_selector(f'body:not([data-asks="{asked}"])')
    settled(page)
    assert page.locator("#hint .why").count() == 0  # it was for that question


def test_a_hint_marks_its_card_in_the_draft(page, server):
    set_up(page, server, 3, first_game=False)
    asked_for(page)
    card = page.locator("#stage .tile.hinted").first.get_attribute("data-card")
    name = page.locator(f"#stage .tile[data-card='{card}'] strong").first.inner_text()
    assert name in page.locator("#choices .hinted").inner_text()
    page.locator("#stage .tile").first.click()  # what is picked is drawn again
    assert page.locator(f"#stage .tile.hinted[data-card='{card}']").count() >= 1


def test_hints_come_with_every_question_if_that_is_set(page, server):
    set_up(page, server, 3, players=3, reached=lambda s: s.age == 1 and s.num_legal > 1)
    page.click("#show-settings")
    page.select_option("#set-hint", "always")
    page.keyboard.press("Escape")
    page.wait_for_selector("#hint .why")
    page.evaluate("localStorage.clear()")


def test_several_people_have_to_allow_hints(page, server):
    begin(page, server, people=2, players=2)
    settled(page)
    assert not page.locator("#hint").is_visible()
    page.click("#show-settings")
    assert not page.is_checked("#allow-hints")
    asked = page.evaluate("document.title").partition(":")[0].split()[-1]  # who begins is drawn
    other = {"Wolf": "Bear", "Bear": "Wolf"}[asked]
    assert f"they need everybody: {other} does not" in page.locator("#dialog").inner_text()
    page.check("#allow-hints")
    page.keyboard.press("Escape")
    tokens = page.evaluate("location.hash.slice(1).split(',')")
    for token in tokens:
        page.evaluate(
            """(token) => fetch("api/seat/allow", { method: "POST", body: '{"hints": true}',
              headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` } })""",
            token,
        )
    page.wait_for_selector("#ask-hint")


@pytest.mark.slow
def test_a_game_is_reviewed_and_played_on(page, server):
    game = set_up(page, server, 3, players=2, reached=lambda s: False)
    page.click("#review")
    page.wait_for_url("**/review#*")
    page.wait_for_selector("#win-bar:not([hidden])")
    assert page.locator("#count").inner_text() == f"0 / {game.number}"
    assert page.locator("#moves a").count() > 20
    step = int(page.locator("#moves a").nth(20).get_attribute("data-step"))
    page.click("[data-shows=moves]")
    page.locator("#moves a").nth(20).click()
    assert page.evaluate("location.hash").endswith(f"&step={step}")
    page.select_option("#branch-seat", "1")
    page.click("#branch")
    page.wait_for_url("**/play#*")
    settled(page)
    assert page.evaluate("document.title") == "Bear: your choice"
    page.goto(server.address)
    page.wait_for_selector("#known-list a")
    assert page.locator("#known-list a").first.inner_text() == f"Bear, played on from step {step} of a game"


def test_a_hint_has_a_reason(page, server):
    """It was a table of visits and percentages."""
    set_up(
        page, server, 14, players=3, reached=lambda s: s.decision == Decision.ACTION and s.age == 1, first_game=False
    )
    asked_for(page)
    best = page.locator("#choices .hinted").first.get_attribute("data-action")
    assert best is not None
    words = page.inner_text("#hint .why")
    assert re.search(r"The search wins \d+ % of \d+ simulations|hardly to be won", words)
    assert "0.0 glory" not in words
    assert "none of" not in words


def test_the_review_shows_the_talk_with_a_language_model(page, server):
    """At its decision, also when the page is opened there, and not to a clan that did not have it."""
    set_up(page, server, 3, players=2, reached=lambda s: False)
    token = page.evaluate("location.hash.slice(1)")
    Storage(server.folder, "bloodrage").save_talk(token.partition(".")[0], TALK)
    page.goto(f"{server.address}/review#{token}&step={TALK[0]['step']}")
    talk = page.locator("#talk")
    talk.wait_for()
    assert "Bear at decision 3 · 1 try · 9 + 3 tokens · 1.5 s" in talk.inner_text()
    assert "Answer: 0" in talk.inner_text()
    assert "very secret" not in talk.inner_text()
    talk.locator("summary").click()
    assert "very secret" in talk.inner_text()
    page.select_option("#viewer", "0")
    assert not talk.is_visible()
    page.select_option("#viewer", "1")
    assert talk.is_visible()
    page.keyboard.press("ArrowRight")
    assert not talk.is_visible()
