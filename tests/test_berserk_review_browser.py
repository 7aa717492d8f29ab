"""The review of a game of Berserk in Chromium, and what axe finds in it and in a fight."""

import random

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.berserk.engine import Decision
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.terminal.text import random_action
from tests.play_page import OUTSIDE, settled
from tests.test_serve_accessible import SCREENS, findings
from tests.test_serve_puzzles_browser import graded_and_left

pytestmark = pytest.mark.browser

GAME = "berserk"  # of the server

TOKEN = "a" * 20


@pytest.fixture(scope="module")
def games(server):
    """The links of a game in a fight with cards that are dead, and of one that is over; and the latter."""
    storage, links = Storage(server.folder, "berserk"), []
    for seed, over in ((6, False), (0, True)):
        seats = [Seat(person="", digest=digest_of(TOKEN), hints=True), Seat(agent="random")]
        game = Game(seats, seed, Options(setup="fixed", skip_forced=False, max_turns=8 if not over else 2))
        rng = random.Random(seed)
        while not game.over and not (not over and in_fight(game.states[0])):
            game.play(random_action(game.states, rng))
        assert game.over == over
        game_id = storage.new_id()
        storage.create(game_id, game)
        links.append(f"{game_id}.{TOKEN}")
    return *links, game


def in_fight(s):
    return s.seat == 0 and s.died.any() and s.decision == Decision.DEFENDER


def review(page, server, token):
    page.goto("about:blank")
    page.goto(f"{server.address}/review#{token}")
    page.wait_for_selector("#win-bar:not([hidden])")


def test_own_mistakes_come_first_and_can_be_tried_again(server, page, games):
    _, token, game = games
    review(page, server, token)
    assert page.locator("#count").inner_text() == f"0 / {game.number}"
    who = page.locator("#mistakes .turn b:first-child").all_inner_texts()
    assert who == sorted(who, key=lambda each: each != "Player A (you)")
    assert "life" in page.inner_text("#mistakes") or "later" in page.inner_text("#mistakes")
    step = int(page.locator("#mistakes a").first.get_attribute("data-step"))
    page.locator("#mistakes a").first.click()
    assert page.evaluate("location.hash").endswith(f"step={step}")
    assert page.locator("#count").inner_text() == f"{step} / {game.number}"
    page.click("#other-chart")
    assert page.locator("#chart .glory").count() == 2
    page.click("[data-shows=moves]")
    assert page.locator("#moves a").count() > 10
    page.click("[data-shows=mistakes]")
    page.locator("#mistakes button").first.click()
    page.wait_for_url("**/play#*")
    settled(page)
    assert page.evaluate("document.title") == "Player A: your choice"


def test_a_mistake_opens_as_a_table_at_its_position(server, page, games):
    """The question is that of the game at this step, without a hint."""
    _, token, game = games
    review(page, server, token)
    step = int(page.locator("#mistakes a").first.get_attribute("data-step"))
    page.locator("#mistakes button", has_text="Try it").first.click()
    page.wait_for_url("**/play#*")
    settled(page)
    assert page.inner_text("#puzzle h2") == f"Step {step} of your game"
    assert "What would you play?" in page.inner_text("#puzzle")
    assert not page.locator("#ask-hint").is_visible()  # it would give the answer away
    replay = game.replay()
    legal = np.flatnonzero(replay.at(step)[0].mask).tolist()
    assert sorted(page.evaluate(ACTIONS)) == legal


def test_the_answer_to_a_mistake_is_graded_and_can_be_left(server, page, games):
    review(page, server, games[1])
    page.locator("#mistakes button", has_text="Try it").first.click()
    page.wait_for_url("**/play#*")
    settled(page)
    graded_and_left(page, page.evaluate(ACTIONS)[0])


ACTIONS = "() => [...document.querySelectorAll('#choices [data-action]')].map((node) => Number(node.dataset.action))"


def test_each_step_has_arrows_for_what_it_did(server, page, games):
    """Whom a card attacks, until that is over, and where cards went."""
    review(page, server, games[1])
    aims, moves = page.evaluate(
        """() => [["aim", "fight"], ["", "moves"]].map(([step, name]) => player.data.frames.flatMap((frame, number) =>
          ((frame[name] ?? []).some((each) => !step || each.step === step) ? [number] : [])))"""
    )
    assert aims
    assert moves
    for step, kind in ((aims[0], "attack"), (moves[0], "step")):
        page.evaluate("step => player.jump(step)", step)
        assert page.locator(f"#field .way.{kind}").count() >= 1
    page.evaluate("player.jump(0)")
    assert page.locator("#field .way").count() == 0


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}-{screen[1]}")
def test_axe_finds_nothing_grave_in_a_fight_and_a_review(server, page, games, screen):
    colours, width, height = screen
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{server.address}/play#{games[0]}")
    settled(page)
    assert page.locator("#stage .fight").is_visible()
    assert page.locator(".grave").count() > 0
    page.click("#ask-hint")
    page.wait_for_selector("#hint .why")
    assert findings(page) == []
    assert page.evaluate(OUTSIDE) == []
    review(page, server, games[1])
    for tab in ("mistakes", "analysis", "log"):
        page.click(f"[data-shows={tab}]")
        assert findings(page) == []
