"""What clicks do on the page of a game, and that nothing is cut off: in Chromium."""

import json

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import CardType, Decision
from tests.play_page import answered, begin, fetched, set_up, settled, stop_clock, unhurried, until

pytestmark = pytest.mark.browser

SIZES = [(1280, 800), (1366, 650)]


def asked(page):
    return page.get_attribute("body", "data-asks")


def picked(page, where):
    return page.locator(f"{where} .tile.picked").evaluate_all("all => all.map((one) => one.dataset.card)")


@pytest.mark.parametrize(
    ("where", "reached"),
    [
        ("#stage", lambda s: s.decision == Decision.DRAFT),
        ("#hand", lambda s: s.decision == Decision.BATTLE_CARD and (s.hand[0] > 0).sum() > 2),
        ("#hand", lambda s: s.decision == Decision.ACTION and s.mask[engine.CARD : engine.FIGURE_AT].sum() > 1),
    ],
    ids=["draft", "battle", "board"],
)
def test_a_click_on_another_card_only_selects_it(server, page, where, reached):
    set_up(page, server, 3, reached=reached, first_game=False)
    number = asked(page)
    first, second = page.locator(f"{where} button.tile.can").evaluate_all("all => all.map((one) => one.dataset.card)")[
        :2
    ]
    page.locator(f'{where} .tile[data-card="{first}"]').first.click()
    assert picked(page, where) == [first]
    page.locator(f'{where} .tile[data-card="{second}"]').first.click()
    assert picked(page, where) == [second]
    assert asked(page) == number
    page.locator(f'{where} .tile[data-card="{second}"]').first.click()
    answered(page, number)


def test_a_click_on_another_place_only_selects_it(server, page):
    """Where one thing can be done at each: a free Invade."""
    set_up(page, server, 0, reached=lambda s: s.decision == Decision.FREE_INVADE and s.num_legal > 2)
    number = asked(page)
    places = page.locator("#board .lit").evaluate_all("all => all.map((one) => one.dataset.place)")
    for place in places[:2]:
        page.locator(f"#place-{place} text").first.click()
        assert page.locator("#board .picked").evaluate_all("all => all.map((one) => one.dataset.place)") == [place]
    assert asked(page) == number
    page.locator(f"#place-{places[1]} text").first.click()
    answered(page, number)


def test_two_clicks_on_one_spot_draft_one_card(server, page):
    """A new question takes no input for 400 ms: what is clicked then was meant for the one before."""
    unhurried(page)
    page.clock.install()
    begin(page, server)
    page.wait_for_selector("#stage .tile")
    stop_clock(page)
    number = asked(page)
    spot = page.locator("#stage .tile").first.bounding_box()
    x, y = spot["x"] + 20, spot["y"] + 60
    pack = page.locator("#stage .tile").count()
    page.mouse.click(x, y)
    page.mouse.click(x, y)
    answered(page, number)
    until(page, "pack => document.querySelectorAll('#stage .tile').length === pack - 1", pack)
    page.mouse.click(x, y)
    page.mouse.click(x, y)
    page.locator("#choices .choice").first.click()
    page.keyboard.press("Enter")
    assert picked(page, "#stage") == []
    assert asked(page) is None
    page.clock.run_for(400)
    assert asked(page) == str(int(number) + 1)  # a seat counts its own choices alone


def test_the_picked_card_of_the_draft_is_marked_and_kept_by_a_button(server, page):
    set_up(page, server, 3, first_game=False)
    number = asked(page)
    assert page.locator("#keep").count() == 0
    tile = page.locator("#stage .tile").nth(2)
    title = tile.locator("strong").inner_text()
    tile.click()
    assert picked(page, "#stage") == [tile.get_attribute("data-card")]
    assert page.locator("#keep").inner_text().startswith(f"Keep {title}")
    page.keyboard.press("Escape")
    assert picked(page, "#stage") == []
    tile.click()
    page.locator("#keep").click()
    answered(page, number)
    settled(page)
    assert title in page.inner_text("#hand")


def test_there_is_a_way_back_to_the_end_and_its_table_fits(server, page):
    set_up(page, server, 4, players=5, reached=lambda s: False)
    for width, height in [*SIZES, (1024, 768)]:
        page.set_viewport_size({"width": width, "height": height})
        table, stage = page.locator(".end .score").bounding_box(), page.locator("#stage").bounding_box()
        assert table["x"] >= stage["x"] + 10
        assert table["x"] + table["width"] <= stage["x"] + stage["width"] - 10
        assert table["y"] + table["height"] <= stage["y"] + stage["height"]
        lines = page.locator(".end #chart .grid").evaluate_all("all => all.map((one) => one.getBoundingClientRect().y)")
        assert max(lines) - min(lines) > 80
    page.get_by_role("button", name="Look at the board").click()
    assert page.locator(".end").count() == 0
    page.get_by_role("button", name="Back to the result").click()
    assert page.locator(".end .score").is_visible()


def test_what_follows_a_battle_is_not_told_as_part_of_it(server, page):
    """Neither its button nor its lines go past the heading of the next phase."""
    set_up(page, server, 3)
    begun = {"step": "begin", "place": 1, "pillager": 0, "sides": [[0, 1], [1, 2]]}
    ended = [{"step": "totals", "sides": [[0, 1, 1], [1, 2, 2]], "winner": 1}, {"step": "end"}]
    log = [
        {"lines": [["heading", "Age 1: Action"]]},
        {"lines": [["answer", "Wolf: pillage"]], "battle": [begun]},
        {"lines": [["effect", "Bear wins"], ["heading", "Age 1: Quest"], ["effect", "Bear meets it"]], "battle": ended},
    ]
    shown = page.evaluate(
        """async (log) => {
          const { battles } = await import("./game/battle.js");
          const { Log } = await import("./static/log.js");
          const texts = await (await fetch("api/texts")).json();
          const lines = (entries) => {
            new Log(texts, () => {}).draw(entries);
            return [...document.querySelectorAll("#log > *")].map((node) => node.innerText);
          };
          return [battles(log)[0].lines, lines(log), lines(log.slice(0, 2))];
        }""",
        log,
    )
    assert shown[0] == ["Wolf: pillage", "Bear wins"]
    assert shown[1].index("look at this battle again") < shown[1].index("Age 1: Quest")
    assert "look at this battle again" not in shown[2]  # before its outcome


def test_a_game_begun_by_several_people_is_in_the_list_at_once(server, page):
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", "2")
    page.select_option("#seat-1", "person")
    assert not page.locator("#known").is_visible()
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")
    page.goto(server.address)
    page.wait_for_selector("#known-list a")
    assert "Wolf: a person, Bear: a person" in page.inner_text("#known-list")


def test_number_keys_are_the_first_choices(server, page):
    """Not while the question settles, nor in a dialog."""
    set_up(page, server, 3)
    number, text = asked(page), page.locator("#choices .choice").nth(1).inner_text()
    assert page.inner_text("#whose") == "Your turn"
    page.click("#show-help")
    page.keyboard.press("2")
    page.keyboard.press("Escape")
    assert asked(page) == number
    page.keyboard.press("2")
    answered(page, number)
    page.wait_for_selector("body[data-asks], body[data-ends]")
    assert text.lower() in page.locator("#log .line-answer").last.inner_text().lower()


def crowded(page):
    """Fill what the page is sent: every slot of five clans, and a hand of the longest cards."""
    titles, kinds, words = engine.TITLE, engine.TYPE, engine.TEXT
    of_type = {kind: [n for n in range(engine.NUM_CARDS) if kinds[n] == kind] for kind in CardType}
    longest = {kind: sorted(cards, key=lambda n: -len(titles[n])) for kind, cards in of_type.items()}
    slots = [longest[kind][0] for kind in (CardType.LEADER, CardType.WARRIOR, CardType.SHIP)]
    slots += longest[CardType.MONSTER][:2] + longest[CardType.CLAN][:3]
    hand = sorted(of_type[CardType.BATTLE] + of_type[CardType.MONSTER], key=lambda n: -len(words[n]))[:8]

    def fill(route):
        if "if-none-match" in route.request.headers:  # it waits for news, and there will be none
            route.continue_()
            return
        response = fetched(route)
        view = response.json()
        for seat, clan in enumerate(view["scene"]["clans"]):
            clan |= {"upgrades": slots, "reserve": [1, 5, 1, 1, 1, 0], "valhalla": [0, 3, 0, 0, 0, 0]}
            clan |= {"values": [12, 8, 10], "rage": 12, "on_board": 10, "glory": 123}
            clan["known"] = longest[CardType.BATTLE][:2] if seat else []
        view["scene"]["clans"][0]["private"]["hand"] = hand
        route.fulfill(response=response, body=json.dumps(view))

    page.route("**/api/seat", fill)


CUT_OFF = """selector => [...document.querySelectorAll(selector)]
  .filter((node) => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)
  .map((node) => node.innerText)"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_full_clan_sheets_and_long_cards_are_not_cut_off(server, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    crowded(page)
    set_up(page, server, 5, players=5)
    assert page.locator(".clan .chip").count() == 5 * 8 + 4
    assert page.evaluate(CUT_OFF, ".clan, .clan .chip:not(.known), #hand .tile strong") == []
    assert page.locator("#clans").evaluate("node => getComputedStyle(node).overflowY") == "auto"  # more of them scroll
    for tile in page.locator("#hand .tile").all():
        tile.hover()
        assert page.evaluate(CUT_OFF, "#hand .tile:hover, #hand .tile:hover .words") == []
    page.unroute_all(behavior="ignoreErrors")
