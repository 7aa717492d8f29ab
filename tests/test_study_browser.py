"""The study of a game in the page of its replay, in Chromium."""

import dataclasses
import itertools

import pytest
from studies import made_up

from bloodrage_env.games.bloodrage.render.replay_page import replay_page
from bloodrage_env.study import Missed, Price, Study
from tests.test_render_page import played

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def replay():
    return dataclasses.replace(played(7), players=("a", "b", "c", "d"))


@pytest.fixture(scope="module")
def study(replay):
    return made_up(replay)


@pytest.fixture(scope="module")
def address(replay, study, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "replay.html"
    path.write_text(replay_page(replay, "A game", replay.players, study=study), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def page(browser, address):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda message: page.troubles.append(message.text))
    page.goto(address)
    yield page
    page.close()


def costly(study):
    return [judged for judged in study.decisions if judged.costly]


def test_a_link_leads_to_its_step(page, address, study):
    """`#step=53`, in the address from the start, and changed later."""
    page.goto("about:blank")
    page.goto(f"{address}#step=53")
    assert page.evaluate("player.step") == 53
    page.evaluate("location.hash = '#step=7'")
    page.wait_for_selector("#count:text('7 / ')")
    assert page.locator("#moves a").first.get_attribute("href") == "#step=0"


def test_the_analysis_of_each_question_is_shown(page, study):
    judged = costly(study)[0]
    page.evaluate("([step]) => player.jump(step)", [judged.step])
    page.click("[data-shows=analysis]")
    assert page.locator("#analysis .searched tbody tr").count() == 2
    assert page.locator("#analysis .searched .chosen").count() == 1
    assert "costs 20 %" in page.locator("#analysis .cost").inner_text()
    assert page.locator("#analysis .shares li").count() == min(8, len(judged.analysis.probabilities))
    assert page.locator("#win-bar").get_attribute("aria-label").startswith("Win probability: Wolf")
    assert page.locator("#win-bar span").count() == 4


def test_each_estimate_is_named(page, study):
    judged = costly(study)[0]
    page.evaluate("([step]) => player.jump(step)", [judged.step])
    page.click("[data-shows=analysis]")
    said = page.inner_text("#analysis")
    for words in (
        "Cost: both moves in the same redeals",
        "The bar: each clan's win probability at its own last choice",
        "Wins: the share won in the simulations that began with the move",
        "How likely it is to play each answer, without a search",
    ):
        assert words in said


def test_every_mistake_has_a_reason(browser, replay, study, tmp_path):
    """By what the better move has at the same moment; in a lost position by the end of the game; or by what follows."""
    kinds = [
        ({"missed": Missed(3.1, -0.4, False)}, "By the end of the Age that means 3.1 more glory and 0.4 fewer figures"),
        ({"missed": Missed(4.0, 0.0, True)}, "By the end of the game that means 4.0 more glory."),
        ({"missed": Missed(-2.0, 0.0, False)}, "that means 2.0 less glory; it pays later. Likely to follow: "),
        (
            {"cost": 0.0, "price": Price(0.5, 6.2), "missed": Missed(0.0, 0.0, False)},
            "ahead by 0.5 places and 6.2 glory.",
        ),
    ]
    steps = [judged.step for judged in costly(study)][: len(kinds)]
    given = {step: kind for step, (kind, _) in zip(steps, kinds, strict=True)}
    decisions = [
        dataclasses.replace(judged, **given[judged.step]) if judged.step in given else judged
        for judged in study.decisions
    ]
    path = tmp_path / "replay.html"
    path.write_text(replay_page(replay, study=Study(decisions, study.result)), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(path.as_uri())
    page.click("[data-shows=mistakes]")
    for step, (_, words) in zip(steps, kinds, strict=True):
        assert words in page.locator(f"#mistakes .turn:has([data-step='{step}'])").inner_text()
    assert "−0.5 places and 6.2 glory" in page.locator("#mistakes .turn").last.inner_text()  # the least dear
    page.close()


def test_others_do_not_see_what_a_clan_thinks(page, study):
    judged = costly(study)[0]
    page.evaluate("([step]) => player.jump(step)", [judged.step])
    for viewer in ("none", str((judged.seat + 1) % 4)):
        page.select_option("#viewer", viewer)
        assert page.locator("#analysis .searched").count() == 0
        assert not page.locator("#win-bar").is_visible()
    page.select_option("#viewer", str(judged.seat))
    assert page.locator("#analysis .searched").count() == 1
    assert page.locator("#win-bar").is_visible()
    page.select_option("#viewer", "all")


def test_moves_by_turns_lead_to_their_steps(page, replay, study):
    page.click("[data-shows=moves]")
    marked = [
        int(step) for step in page.locator("#moves a.costly").evaluate_all("all => all.map((a) => a.dataset.step)")
    ]
    assert set(marked) == {judged.step for judged in costly(study)}
    link = page.locator("#moves a.costly").first
    link.click()
    assert page.evaluate("player.step") == marked[0]
    assert page.evaluate("location.hash") == f"#step={marked[0]}"
    assert link.get_attribute("aria-current") is not None
    link.click()  # the address does not change, but one may have gone elsewhere meanwhile
    page.evaluate("player.jump(0)")
    link.click()
    assert page.evaluate("player.step") == marked[0]
    found = page.locator("#moves a").count()
    assert 0.9 * len(replay) < found <= len(replay)
    page.select_option("#viewer", "none")  # who sees no hands is told of no choice in secret
    assert page.locator("#moves a").count() < found
    assert page.locator("#moves a.costly").count() == 0
    page.select_option("#viewer", "all")


def test_marked_moves_and_turns_are_jumped_to(page, study):
    page.evaluate("player.jump(0)")
    steps = [judged.step for judged in costly(study)]
    page.keyboard.press("m")
    page.keyboard.press("m")
    assert page.evaluate("player.step") == steps[1]
    page.click("#costly-back")
    assert page.evaluate("player.step") == steps[0]
    seat = page.evaluate("player.scenes[player.step].question.seat")
    page.click("#turn-forward")
    assert page.evaluate("player.scenes[player.step].question.seat") != seat
    assert page.evaluate("player.scenes[player.step - 1].question.seat") == seat


def test_there_is_a_curve_of_each_clan(page, study):
    assert page.locator("#course .glory").count() == 4
    assert page.locator("#course path.costly").count() == len(costly(study))
    places = page.locator("#course .name").evaluate_all("all => all.map((one) => Number(one.getAttribute('y')))")
    assert len(places) == 4  # three of the clans end at 0 %
    assert max(places) < 80
    assert min(b - a for a, b in itertools.pairwise(sorted(places))) >= 12
    page.click("#other-chart")
    assert page.locator("#chart").is_visible()
    assert not page.locator("#course").is_visible()
    page.click("#other-chart")
    assert page.locator("#course").is_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768), (1280, 800), (1366, 768), (1920, 1080)])
def test_everything_fits_the_window(page, study, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("([step]) => player.jump(step)", [costly(study)[0].step])
    for tab in ("log", "analysis", "moves"):
        page.click(f"[data-shows={tab}]")
        wide, high = page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert wide <= width
        if width > 760:
            assert high <= height
            assert page.locator(f"#{tab}").bounding_box()["height"] > 80
    page.set_viewport_size({"width": 1280, "height": 800})


# Texts that their box does not show in full, to the side.
CLIPPED = """selector => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility())
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== "visible")
  .map((node) => node.textContent)"""


@pytest.mark.parametrize(("width", "height", "least"), [(390, 844, 380), (1366, 768, 420), (1920, 1080, 420)])
def test_texts_have_the_room_of_the_sheets_on_low_screens(page, study, width, height, least):
    """They had 230 pixels of 768."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("([step]) => player.jump(step)", [costly(study)[0].step])
    for tab in ("analysis", "moves", "mistakes", "log"):
        page.click(f"[data-shows={tab}]")
        assert page.locator(f"#{tab}").bounding_box()["height"] >= least
        assert page.evaluate(CLIPPED, f"#{tab}, #{tab} *, .events, #tabs, #question") == []
    if height < 900:
        assert not page.locator("#sheets").is_visible()
        page.click("[data-shows=sheets]")
        assert not page.locator("#mistakes").is_visible()
    else:
        assert not page.locator("[data-shows=sheets]").is_visible()
    assert page.locator("#sheets .sheet").count() == 4
    assert page.locator("#sheets").is_visible()
    page.click("[data-shows=analysis]")
    page.set_viewport_size({"width": 1280, "height": 800})


def test_marks_of_costly_moves_cover_no_name_of_an_age(page):
    """They lay on "Age 1"."""
    boxes = """selector => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect())
      .map(({ top, bottom }) => [top, bottom])"""
    ages = page.evaluate(boxes, "#course .age + text")
    marks = page.evaluate(boxes, "#course path.costly")
    assert len(ages) == 3
    assert (
        max(bottom for _, bottom in marks) <= min(top for top, _ in ages) + 2
    )  # of a line, the space over its letters


def test_nothing_went_wrong_in_the_page(page):
    assert page.troubles == []
