"""The page on which a squad is bought offers what the server takes: in Chromium."""

import itertools

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.berserk import engine
from bloodrage_env.serve.games import Seat, digest_of
from tests.play_page import settled
from tests.test_berserk_serve_browser import kept

pytestmark = pytest.mark.browser

GAME = "berserk"  # of the server


def all_the_gold(s):
    """Elites of the deal of seat 0 that cost all its gold if it buys Marauder too, which brings one, or None."""
    dealt = np.repeat(np.arange(engine.CARD_CAPACITY), s.deal[0])
    elites = [int(card) for card in dict.fromkeys(dealt.tolist()) if engine.ELITE[card]]
    gold = 25 if s.first else 24
    for cards in itertools.chain.from_iterable(itertools.combinations(elites, count) for count in range(3, 6)):
        elements = {int(engine.ELEMENT[card]) for card in cards} - {int(engine.ELEMENT[engine.Card.MARAUDER])}
        if sum(engine.COST[card] for card in cards) == gold + 1 - max(0, len(elements) - 1):
            return cards
    return None


def test_a_set_that_is_too_dear_can_not_be_bought(server, page):
    """Marauder brings a gold; without it the others cost more than there is, and the button is off."""
    token, marauder = "a" * 20, engine.Card.MARAUDER
    seats = [Seat(person="", digest=digest_of(token)), Seat(agent="random")]

    def reached(s):
        return s.decision == engine.Decision.BUY and s.deal[0, marauder] > 0 and all_the_gold(s)

    game_id, game = kept(server, seats, reached, "full")
    page.goto(f"{server.address}/play#{game_id}.{token}")
    assert settled(page)
    for card in (marauder, *all_the_gold(game.states[0])):
        page.locator(f'#stage [role=checkbox][data-card="{card}"]').first.click()
    page.wait_for_selector("#buy:enabled")
    assert page.inner_text(".purse .gold") == "0"
    box = page.locator(f'#stage [role=checkbox][data-card="{marauder}"]').first
    box.click()
    page.wait_for_selector(".purse .problem")
    assert page.is_disabled("#buy")
    assert "can't all be bought: untick one" in page.inner_text(".purse")
    box.click()
    page.wait_for_selector("#buy:enabled")
    assert page.inner_text(".purse .gold") == "0"


def test_the_keyboard_keeps_its_place(server, page):
    """Also after the server has said what is left: the card that was ticked has the focus."""
    token = "b" * 20
    seats = [Seat(person="", digest=digest_of(token)), Seat(agent="random")]
    game_id, _ = kept(server, seats, lambda s: s.decision == engine.Decision.BUY, "full")
    page.goto(f"{server.address}/play#{game_id}.{token}")
    assert settled(page)
    page.locator("#stage [role=checkbox]:not([aria-disabled=true])").nth(1).focus()
    page.keyboard.press("Space")
    page.wait_for_selector("#buy:enabled")
    assert page.evaluate("document.activeElement.ariaChecked") == "true"
