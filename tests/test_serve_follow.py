"""A person's turn, and following what the others do, on the page of a game: in Chromium."""

import json
import random
import re
from itertools import pairwise

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import MARCH, Decision, Place
from tests.play_page import answered, fetched, random_choice, set_up, settled, stop_clock, until

pytestmark = pytest.mark.browser

SEED = 3
GAIN = re.compile(r"(\w+) (gains|loses) \d+ glory")  # Rage and Axes are gained as well
INVADE = '.choice-group[aria-label^="invade with the leader"] .choice'


def invade(page):
    """Invade with the leader; the turn is then to be ended."""
    page.locator(INVADE).first.click()
    page.wait_for_selector("body[data-ends]")


# ---- one's own turn


def test_a_turn_is_ended_by_a_click_where_that_is_set(server, page):
    page.clock.install()
    set_up(page, server, SEED)
    page.click("#show-settings")
    page.select_option("#set-end", "click")
    page.keyboard.press("Escape")
    before = page.inner_text("#log").count("Bear: ")
    page.locator(INVADE).first.click()
    page.wait_for_selector("#end-turn")
    page.clock.run_for(60_000)
    assert page.inner_text("#question-text") == "Your turn is done"
    assert page.inner_text("#log").count("Bear: ") == before
    page.click("#end-turn")
    until(page, f"document.querySelector('#log').innerText.split('Bear: ').length > {before + 1}")


def test_a_turn_ends_by_itself_after_two_seconds(server, page):
    page.clock.install()
    set_up(page, server, SEED)
    before = page.inner_text("#log").count("Bear: ")
    stop_clock(page)
    page.locator(INVADE).first.click()
    page.wait_for_selector("#end-turn.counting")
    page.clock.run_for(1_900)
    assert page.inner_text("#question-text") == "Your turn is done"
    page.clock.run_for(200)
    page.wait_for_selector("#end-turn", state="detached")
    until(page, f"document.querySelector('#log').innerText.split('Bear: ').length > {before + 1}")


def test_no_time_runs_while_a_dialog_is_open(server, page):
    """A scene and a countdown never compete: it begins again when the dialog is closed."""
    page.clock.install()
    set_up(page, server, SEED)
    stop_clock(page)
    page.locator(INVADE).first.click()
    page.wait_for_selector("#end-turn.counting")
    page.clock.run_for(1_900)
    page.click("#show-people")
    page.wait_for_selector("#end-turn:not(.counting)")
    page.clock.run_for(60_000)
    assert page.inner_text("#question-text") == "Your turn is done"
    page.keyboard.press("Escape")
    page.wait_for_selector("#end-turn.counting")
    page.clock.run_for(1_900)
    assert page.inner_text("#question-text") == "Your turn is done"
    page.clock.run_for(200)
    page.wait_for_selector("#end-turn", state="detached")


def test_the_whole_turn_is_taken_back(server, page):
    """A march and who goes, at once."""

    def reached(s):
        can_march = s.decision == Decision.ACTION and s.mask[MARCH:].any()
        return can_march and s.figures[0, :2, : Place.YGGDRASIL].sum(0).max() > 1

    set_up(page, server, SEED, reached=reached)
    log, number = page.inner_text("#log"), page.get_attribute("body", "data-asks")
    page.locator('.choice-group[aria-label^="march from"] .choice').first.click()
    answered(page, number)
    while not page.locator("body[data-ends]").count():
        page.wait_for_selector("body[data-asks], body[data-ends]")
        if page.locator("body[data-asks]").count():
            number = page.get_attribute("body", "data-asks")
            page.locator("#choices .choice").last.click()
            answered(page, number)
    page.click("#undo-all")
    until(page, "log => document.querySelector('#log').innerText === log", log)
    settled(page)
    assert page.locator(".undo").count() == 0


def revealed(view):
    view["turn"] = {"held": None, "undo": [], "revealed": True, "number": None}


def test_the_page_says_why_nothing_can_be_taken_back(server, page):
    change_views(page, revealed)
    set_up(page, server, SEED)
    assert "Your last choice has shown you something new" in page.inner_text("#choices")
    assert page.locator(".undo").count() == 0


def test_nothing_is_said_of_taking_back_after_the_end(server, page):
    """It said there that something hidden was revealed."""
    change_views(page, revealed)
    set_up(page, server, SEED, reached=lambda s: False)
    assert page.inner_text("#question").strip() == "The game is over"


def change_views(page, change):
    """Have `change` alter the first view that the page is sent."""

    def alter(route):
        if "if-none-match" in route.request.headers:
            route.continue_()
            return
        response = fetched(route)
        view = response.json()
        change(view)
        route.fulfill(response=response, body=json.dumps(view))

    page.route("**/api/seat", alter)


# ---- what the others do


def test_what_changed_since_ones_turn_is_marked(server, page):
    set_up(page, server, SEED)
    assert page.locator(".trail > *").count() == 0
    invade(page)
    assert page.locator(".trail .came.edge-0").count() == 1
    settled(page)
    moved = page.evaluate(
        """async () => {
          const { Board } = await import("./board/board.js");
          const { Moves } = await import("./game/moves.js");
          const texts = await (await fetch("api/texts")).json();
          const moves = new Moves(new Board(document.querySelector("#board"), texts));
          moves.show([[1, 1, 0, 1], [1, 1, 0, 1], [2, 0, 3, 14], [2, 1, 13, 9], [1, 1, 14, 13]]);
          return [...moves.trail.children].map((node) => node.querySelector("title").textContent);
        }"""
    )
    assert [text.split(":")[0] for text in moved] == ["Bear", "Serpent", "Serpent"]
    assert "2 figures from" in moved[0]
    assert "1 figure fell in" in moved[1]
    assert "1 figure came to" in moved[2]


@pytest.mark.parametrize("reduced", [False, True])
def test_figures_move_unless_that_is_not_wanted(server, page, reduced):
    page.emulate_media(reduced_motion="reduce" if reduced else "no-preference")
    set_up(page, server, SEED)
    page.evaluate("() => { Element.prototype.animate = function () { (window.animated ??= []).push(this.tagName); }; }")
    invade(page)
    assert set(page.evaluate("window.animated ?? []")) == (set() if reduced else {"g"})


def gained(line):
    """The clan of a line, and the glory it gains or loses there from all sources."""
    clan, verb = GAIN.match(line).groups()
    amount = sum(map(int, re.findall(r"(\d+) glory", line)))
    return clan, amount if verb == "gains" else -amount


def glory_of(page):
    """What the clan sheets show, by name."""
    names = page.locator("#clans .name").all_inner_texts()
    return dict(zip(names, map(int, page.locator("#clans .points-total").all_inner_texts()), strict=True))


@pytest.mark.slow
def test_every_battle_and_phase_is_shown_and_none_skipped(server, page):
    """Those of others in brief, one's own in full, each phase at the end of an Age over the board as it was.

    The clan sheets are as they were then, too: what a phase brings is on them from the next one on.
    """
    set_up(page, server, SEED, players=3)
    rng, shown, sheets = random.Random(SEED), [], []
    while not page.locator(".end").count():
        page.wait_for_selector("body[data-asks], body[data-ends], #continue.main, .end")
        if page.locator("#continue.main").count():
            scene = page.locator(".battle-scene, .brief, .phase-scene").first
            shown.append((scene.get_attribute("class"), scene.get_attribute("aria-label")))
            assert page.inner_text("#question-text") == "Look at what happened, then continue"
            if shown[-1][0] == "phase-scene":  # the log does not run ahead of it
                assert page.locator("#log h3").last.inner_text() == shown[-1][1]
                lines = page.locator(".phase-scene li").all_inner_texts()
                sheets.append((shown[-1][1], glory_of(page), [line for line in lines if GAIN.match(line)]))
            page.evaluate("document.querySelector('#continue').click()")
        elif page.locator("body[data-ends]").count():
            page.evaluate("document.querySelector('#end-turn')?.click()")
        elif page.locator("body[data-asks]").count():
            random_choice(page, rng)
    for (label, before, lines), (_, after, _) in pairwise(sheets):
        if not label.endswith("Release of Valhalla"):
            for clan, amount in map(gained, lines):
                before[clan] += amount
            assert before == after
    phases = [label for kind, label in shown if kind == "phase-scene"]
    assert phases == [
        f"Age {age}: {name}" for age in (1, 2, 3) for name in ("Quest", "Ragnarok", "Release of Valhalla")
    ]
    fought = page.locator("#log p", has_text="battle of").all_inner_texts()
    battles = [(kind, label) for kind, label in shown if kind != "phase-scene"]
    assert [label for _, label in battles] == [f"B{text[1:].split(':')[0]}" for text in fought]
    assert [kind for kind, _ in battles] == ["battle-scene" if "Wolf" in text else "brief" for text in fought]
    totals = page.locator(".end .score tr.total td").all_inner_texts()
    until(
        page,
        "totals => [...document.querySelectorAll('.final b')].map((b) => b.innerText).join() === totals",
        ",".join(totals),
    )
    assert page.locator(".end #chart path.glory").count() == 3
