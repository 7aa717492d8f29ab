"""axe-core finds nothing serious on any page, light or dark: in Chromium."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.games.bloodrage.render.replay_page import replay_page
from bloodrage_training.report.write import write_report
from tests.play_page import begin, set_up, settled, until
from tests.test_render_page import played
from tests.test_report import planned, stored
from tests.test_report import played as tournament

pytestmark = pytest.mark.browser

GRAVE = ("serious", "critical")
# Serious and critical findings: the rule, and the elements with what is wrong.
RUN = """async () => (await axe.run({ resultTypes: ["violations"] })).violations
  .map(({ id, impact, nodes }) => [impact, id, nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)])"""
SCREENS = [
    ("light", 1280, 800),
    *(pytest.param(screen, marks=pytest.mark.slow) for screen in (("dark", 1280, 800), ("light", 390, 844))),
]


def findings(page):
    """The rules of axe-core that elements of the page break gravely, with what is wrong."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(pytest.importorskip("axe_playwright_python.base").AXE_SCRIPT)
    return [(rule, nodes) for impact, rule, nodes in page.evaluate(RUN) if impact in GRAVE]


@pytest.fixture(params=SCREENS, ids=lambda screen: f"{screen[0]}-{screen[1]}")
def seen(request, page):
    """The page as it is seen on one of the screens."""
    colours, width, height = request.param
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    return page


def test_axe_finds_a_fault(page):
    page.set_content("<html lang='en'><title>a</title><main><button></button></main></html>")
    assert [rule for rule, _ in findings(page)] == ["button-name"]


def test_start(server, seen):
    seen.goto(server.address)
    seen.wait_for_selector("button[type=submit]:enabled")
    seen.select_option("#seat-1", "visitor")
    assert findings(seen) == []


def test_the_page_of_a_table_and_the_dialog_of_its_people(server, seen):
    seen.goto(server.address)
    seen.wait_for_selector("button[type=submit]:enabled")
    seen.select_option("#seat-1", "visitor")
    seen.click("button[type=submit]")
    seen.wait_for_url("**/join#*")
    seen.wait_for_selector("#table-link .qr")
    assert findings(seen) == []
    seen.click("#play")
    settled(seen)
    if seen.locator("#show-menu").is_visible():
        seen.click("#show-menu")
    seen.click("#show-people")
    seen.wait_for_selector("#dialog .qr")
    assert findings(seen) == []


REACHED = {
    "draft": lambda s: s.decision == Decision.DRAFT,
    "action": lambda s: s.decision == Decision.ACTION and s.age == 1,
    "battle": lambda s: s.decision == Decision.BATTLE_CARD,
    "end": lambda s: False,
}


@pytest.mark.parametrize("reached", REACHED)
def test_play(server, seen, reached):
    set_up(seen, server, 3, players=5, reached=REACHED[reached], first_game=reached == "end")
    assert findings(seen) == []
    if reached == "action":
        for part in ("hand", "clans", "log") if seen.locator("#parts").is_visible() else ():
            seen.click(f"#parts [data-part={part}]")
            assert findings(seen) == []


def test_dialogs_of_play(server, seen):
    set_up(seen, server, 3, reached=lambda s: s.age == 1)
    for button in ("show-rules", "show-cards", "show-score", "show-settings", "show-help"):
        if seen.locator("#show-menu").is_visible():
            seen.click("#show-menu")
        seen.click(f"#{button}")
        if button == "show-rules":
            seen.wait_for_selector("#rules-text .paragraph")
        assert findings(seen) == [], button
        seen.keyboard.press("Escape")


def test_watching(server, seen):
    seen.goto(server.address)
    seen.wait_for_selector("button[type=submit]:enabled")
    seen.select_option("#seat-0", "agent random")
    seen.click("button[type=submit]")
    seen.wait_for_url("**/play#*")
    seen.click("#pause")
    assert findings(seen) == []


def test_the_report_of_a_tournament(seen, tmp_path):
    plan = planned(("random", "b", "c"), 2, num_players=3)
    write_report(stored(tmp_path / "games.db", plan, list(tournament(plan))), tmp_path / "page.html")
    seen.goto((tmp_path / "page.html").as_uri())
    assert findings(seen) == []


def test_the_curtain(server, seen):
    begin(seen, server, people=2, first_game=True, players=2)
    seen.wait_for_selector("#curtain:not([hidden]) button")
    assert findings(seen) == []


@pytest.mark.slow
def test_review(server, seen):
    set_up(seen, server, 4, reached=lambda s: False)
    seen.click("#review")
    seen.wait_for_selector("#tabs:not([hidden])")
    until(seen, "player.step >= 0 && player.scenes.length > 9")
    seen.evaluate("player.jump(60)")
    assert findings(seen) == []
    seen.evaluate("document.querySelector('#tabs [aria-selected=false]').click()")
    assert findings(seen) == []


def test_replay(seen, tmp_path):
    path = tmp_path / "replay.html"
    path.write_text(replay_page(played(7)), encoding="utf-8")
    seen.goto(path.as_uri())
    for step in (0, 60, 200):
        seen.evaluate(f"player.jump({step})")
        assert findings(seen) == []
