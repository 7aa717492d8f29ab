"""Pictures and the page of a replay in Chromium."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.render.replay_page import replay_page
from bloodrage_env.games.bloodrage.render.scene import scene
from bloodrage_env.games.bloodrage.render.svg import scene_svg
from tests.random_play import games_in_the_middle
from tests.test_render_page import played

VIEWERS = ("all", "none", "0", "1", "2", "3")

pytestmark = pytest.mark.browser

# Texts that lie on one another, or beyond the edge, as the browser measures them.
CLASHES = """() => {
  const frame = document.querySelector("svg").getBoundingClientRect();
  const texts = [...document.querySelectorAll("svg text")];
  const boxes = texts.map((node) => [node.textContent, node.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([text, a], i) => {
    if (a.left < frame.left || a.right > frame.right || a.bottom > frame.bottom) found.push([text, "the edge"]);
    for (const [other, b] of boxes.slice(i + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 4) found.push([text, other]);
    }
  });
  return found;
}"""


@pytest.fixture(scope="module")
def replay() -> Any:
    return played(7)


@pytest.fixture(scope="module")
def opened(browser: Any, replay: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of a replay; whatever goes wrong in it, or leaves it, fails the test that asks at the end."""
    path = tmp_path_factory.mktemp("page") / "replay.html"
    shares: list[dict[int, float] | None] = [None] * len(replay)
    states = replay.start()
    shares[0] = {int(action): 1 / states[0].num_legal for action in np.flatnonzero(states[0].mask)}
    path.write_text(replay_page(replay.with_probabilities(shares)), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda message: page.troubles.append(message.text))
    page.on("request", lambda request: page.troubles.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    yield page
    page.close()


def wait_for(page: Any, condition: str) -> None:
    """For up to five minutes; playwright's own needs eval, which the page forbids."""
    for _ in range(6000):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {condition}")


@pytest.mark.slow
def test_no_texts_lie_on_one_another(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    for _, states, _ in games_in_the_middle(range(8), 0.04):
        page.set_content(f'<body style="margin:0">{scene_svg(scene(states, 0, 0))}</body>')
        assert page.evaluate(CLASHES) == []
    page.close()


def test_the_page_shows_each_viewer_what_the_engine_says(opened: Any, replay: Any) -> None:
    for step, states in enumerate(replay.states()):
        if step % 25 and step != len(replay):
            continue
        seen = opened.evaluate(
            """([step, viewers]) => {
              player.jump(step);
              return JSON.stringify(viewers.map((viewer) => (player.look(viewer), player.scene)));
            }""",
            [step, VIEWERS],
        )
        expected = [scene(states, 0, all_hands=True), scene(states, 0), *(scene(states, 0, seat) for seat in range(4))]
        assert json.loads(seen) == expected, step


def test_the_board_shows_every_figure(opened: Any, replay: Any) -> None:
    for step in (0, len(replay) // 2, len(replay) - 30):
        opened.evaluate("([step]) => { player.look('all'); player.jump(step); }", [step])
        drawn = scene(replay.at(step), 0)
        figures = [entry["figures"] for entry in drawn["places"] if not entry["destroyed"]]
        assert opened.locator("#board .figure").count() == sum(map(len, figures))
        assert opened.locator("#board .destroyed").count() == sum(entry["destroyed"] for entry in drawn["places"])
        standing = sum(not entry["destroyed"] for entry in drawn["places"][:9])
        assert opened.locator("#board .token").count() == standing
        assert (opened.locator("#place-8").get_attribute("aria-label") or "").startswith("Yggdrasil, token")
        glory = [int(text) for text in opened.locator(".sheet .glory b").all_inner_texts()]
        assert glory == [clan["glory"] for clan in drawn["clans"]]


def test_keys_and_buttons_step_through(opened: Any, replay: Any) -> None:
    def at() -> int:
        return int(opened.locator("#count").inner_text().split("/")[0])

    opened.keyboard.press("Home")
    assert at() == 0
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowLeft")
    assert at() == 1
    opened.click("#last")
    assert at() == len(replay)
    assert "wins" in opened.locator("#question").inner_text() or "share" in opened.locator("#question").inner_text()
    opened.click("#ages button:has-text('Age 2')")
    assert "Age 2" in opened.locator("#clock").inner_text()
    opened.keyboard.press("b")
    assert "battle of" in opened.locator("#log li.now").all_inner_texts()[-1] + opened.locator("#log").inner_text()
    opened.focus("#log")
    before = at()
    opened.click("#forward")
    assert at() == before + 1
    opened.locator("#log li:visible").nth(2).click()
    assert at() == 0


def test_it_plays_and_pauses(opened: Any, replay: Any) -> None:
    opened.select_option("#speed", "60")
    opened.evaluate("player.jump(0)")
    opened.click("#play")
    wait_for(opened, "player.step > 3")
    assert opened.locator("#play").inner_text() == "Pause"
    opened.click("#play")
    step = opened.evaluate("player.step")
    opened.wait_for_timeout(200)
    assert opened.evaluate("player.step") == step
    opened.evaluate(f"player.jump({len(replay) - 2})")
    opened.click("#play")
    wait_for(opened, "player.timer === null")
    assert opened.evaluate("player.step") == len(replay)


def test_eyes_are_changed(opened: Any, replay: Any) -> None:
    opened.evaluate("player.jump(10)")  # in the first draft
    opened.select_option("#viewer", "none")
    assert opened.locator(".sheet .card").count() == 0
    assert "keep " not in opened.locator("#log").inner_text()
    opened.select_option("#viewer", "1")
    assert opened.locator(".sheet").nth(1).locator(".card").count() > 0
    assert opened.locator(".sheet").nth(0).locator(".card").count() == 0
    log = opened.locator("#log").inner_text()
    assert "Bear: keep" in log
    assert "Wolf: keep" not in log
    opened.select_option("#viewer", "all")
    assert "Wolf: keep" in opened.locator("#log").inner_text()


def test_arrow_keys_step_and_leave_the_viewer_alone(opened: Any) -> None:
    opened.select_option("#viewer", "1")
    opened.evaluate("player.jump(10)")
    opened.focus("#viewer")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowLeft")
    assert opened.evaluate("[player.step, player.viewer]") == [11, 1]
    assert opened.input_value("#viewer") == "1"
    opened.select_option("#viewer", "all")


def test_probabilities_are_shown_to_who_may_see_them(opened: Any, replay: Any) -> None:
    asked = int(replay.start()[0].seat)
    opened.select_option("#viewer", "all")
    opened.evaluate("player.jump(0)")
    assert opened.locator("#shares li").count() == min(8, int(replay.start()[0].num_legal))
    assert opened.locator("#shares li.chosen").count() == 1
    opened.select_option("#viewer", str((asked + 1) % 4))
    assert not opened.locator("#shares").is_visible()
    opened.evaluate("player.jump(1)")
    opened.select_option("#viewer", "all")
    assert not opened.locator("#shares").is_visible()


def test_what_can_be_chosen_is_lit_and_picked(opened: Any) -> None:
    """For pages on which somebody plays."""
    states = engine.new_game(5, 4)
    states[0].destroyed[:] = 0
    states[0].figures[2, 1, 4] = 2
    opened.evaluate("([drawn]) => player.board.draw(drawn)", [scene(states, 0)])
    opened.evaluate(
        """() => {
          window.picked = [];
          const targets = [{ place: 3 }, { place: 9 }, { place: 4, seat: 2, kind: 1 }];
          player.board.light(targets, (target) => window.picked.push(target));
        }"""
    )
    assert opened.locator("#board .lit").count() == 3
    opened.locator("#place-3").focus()
    opened.keyboard.press("Enter")
    opened.locator('.figure[data-place="4"]').first.click()
    assert opened.evaluate("window.picked") == [{"place": 3}, {"place": 4, "seat": 2, "kind": 1}]
    opened.evaluate("player.show()")
    assert opened.locator("#board .lit").count() == 0


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 800), (1920, 1080)])
def test_everything_fits_the_window(opened: Any, width: int, height: int) -> None:
    opened.set_viewport_size({"width": width, "height": height})
    opened.evaluate("() => { player.look('all'); player.jump(60); }")
    size = opened.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size[0] <= width
    assert size[1] <= height
    for name in ("#board", "#sheets", "#log", "#chart", "#battle-forward"):
        box = opened.locator(name).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1
        assert box["y"] + box["height"] <= height + 1
    opened.set_viewport_size({"width": 1280, "height": 800})


def test_controls_have_names(opened: Any) -> None:
    nameless = opened.evaluate(
        """() => [...document.querySelectorAll("button, select, input, [tabindex]")].filter((node) =>
          !node.getAttribute("aria-label") && !node.textContent.trim() && !node.closest("label")).length"""
    )
    assert nameless == 0


def test_nothing_went_wrong_in_the_page(opened: Any) -> None:
    assert opened.troubles == []
