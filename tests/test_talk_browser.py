"""The transcript on the page of a replay, in Chromium: it is shown at its decision, to those who may see it."""

import pytest

from bloodrage_env.games.berserk.render.replay_page import replay_page as berserk_page
from bloodrage_env.games.berserk.replay import Replay as Berserk
from bloodrage_env.games.bloodrage.render.replay_page import replay_page
from bloodrage_env.render.talk import with_talk
from tests.test_render_page import played

pytestmark = pytest.mark.browser
SEATS = ("Wolf", "Bear", "Serpent", "Raven")


def line(step, seat, answer):
    messages = [{"role": "user", "content": "You are asked.\nAnswer:"}, {"role": "assistant", "content": answer}]
    numbers = {"tries": 1, "prompt_tokens": 900, "answer_tokens": 12, "cost": 0.01, "seconds": 1.5}
    return {"step": step, "seat": seat, "action": 0, "refused": [], "random": False, "messages": messages, **numbers}


TALK = [line(2, 0, "I keep <b>the troll</b>.\nAnswer: 3"), line(5, 1, "Answer: 7"), line(60, 0, "\n" * 9)]


@pytest.fixture
def shown(browser, tmp_path):
    """Opens a page; whatever goes wrong in it fails the test."""
    troubles = []

    def show(text):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text))
        page.goto(path.as_uri())
        return page

    yield show
    assert troubles == []


def in_view(page):
    """Whether the latest line of the log is in view, beside the talk."""
    return page.evaluate("""() => {
      const log = document.getElementById("log"), lines = [...log.children].filter((line) => !line.hidden);
      const last = (log.querySelector(".now") ?? lines.at(-1)).getBoundingClientRect();
      const box = log.getBoundingClientRect();
      return last.top >= box.top - 1 && last.bottom <= box.bottom + 1;
    }""")


def test_it_is_shown_at_its_decision(shown):
    page = shown(with_talk(replay_page(played(7)), TALK, SEATS))
    talk = page.locator("#talk")
    assert not talk.is_visible()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert talk.is_visible()
    assert "Wolf at decision 2 · 1 try · 900 + 12 tokens · 1.5 s · cost 0.0100" in talk.inner_text()
    assert "I keep <b>the troll</b>." in talk.inner_text()
    assert "You are asked." not in talk.inner_text()
    talk.locator("summary").click()
    assert "You are asked." in talk.inner_text()
    page.select_option("#viewer", "1")
    assert not talk.is_visible()
    page.select_option("#viewer", "0")
    assert talk.is_visible()
    box, log = talk.bounding_box(), page.locator("#log").bounding_box()
    assert box["y"] + box["height"] <= log["y"] + 1
    assert log["height"] > 100
    page.evaluate("player.jump(60)")
    assert talk.is_visible()
    assert in_view(page)


def test_it_is_shown_on_the_page_of_berserk(shown):
    replay = Berserk(3, Berserk.game.options(setup="fixed"))
    states = replay.start()
    actions = []
    for _ in range(8):
        actions.append(int(states[0].mask.argmax()))
        replay.game.play.apply(states, 0, actions[-1])
    page = shown(with_talk(berserk_page(Berserk(3, replay.options, tuple(actions)), "A game"), TALK, SEATS))
    for _ in range(5):
        page.locator("#forward").click()
    assert "Bear at decision 5" in page.locator("#talk").inner_text()
    assert in_view(page)
