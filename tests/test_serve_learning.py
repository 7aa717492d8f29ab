"""What the page of a game teaches: rules, cards, quests, stats and battles, in Chromium."""

import json

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import CardType, Decision, cards_of
from bloodrage_env.games.bloodrage.table_page.teaching import outlooks, quest_marks
from tests.play_page import fetched, set_up, until

pytestmark = pytest.mark.browser


def test_the_rules_are_searched(server, page):
    set_up(page, server, 3)
    page.click("#show-rules")
    until(page, "document.querySelectorAll('#rules-text .paragraph').length > 100")
    page.fill("#rules-search", "4.6")
    assert page.locator("#rules-text .paragraph b").first.inner_text().strip() == "4.6"
    page.fill("#rules-search", "Villages")
    found = page.locator("#rules-text .paragraph").all_inner_texts()
    assert 0 < len(found) < 60
    assert all("villages" in text.lower() for text in found)
    assert page.inner_text("#rules-found") == f"{len(found)} paragraphs"
    assert page.locator("#rules-text mark").first.inner_text().lower() == "villages"


@pytest.mark.parametrize("looked_at", [None, "show-cards"])
def test_rules_that_arrive_late_open_and_replace_nothing(server, page, looked_at):
    set_up(page, server, 3)
    waiting = []
    page.route("**/game/rules.json", lambda route: waiting.append(route))
    page.click("#show-rules")
    assert "loading" in page.inner_text("#dialog")
    page.keyboard.press("Escape")
    if looked_at:
        page.click(f"#{looked_at}")
    while not waiting:
        page.wait_for_timeout(20)
    with page.expect_response("**/game/primer.json"):
        waiting[0].continue_()
    page.wait_for_timeout(50)
    if looked_at:
        assert page.inner_text("#dialog h2") == "Cards"
    else:
        assert page.locator("#dialog[open]").count() == 0


def test_rules_that_cannot_be_loaded_are_reported_in_the_dialog(server, page):
    set_up(page, server, 3)
    page.route("**/game/rules.json", lambda route: route.abort())
    page.click("#show-rules")
    until(page, "document.querySelector('#rules-text').innerText.includes('could not be loaded')")
    page.unroute("**/game/rules.json")
    page.keyboard.press("Escape")
    page.click("#show-rules")
    until(page, "document.querySelectorAll('#rules-text .paragraph').length > 100")
    page.troubles.clear()  # the browser reports the request that failed


def titles(page):
    return page.locator("#cards-list .tile strong").all_inner_texts()


def test_all_cards_are_listed_with_their_texts_and_filtered(server, page):
    set_up(page, server, 3)
    page.click("#show-cards")
    base = cards_of(0)
    assert sorted(titles(page)) == sorted(engine.TITLE[card] for card in base)
    words = page.locator("#cards-list .tile .words").all_inner_texts()
    assert sorted(words) == sorted(engine.TEXT[card] for card in base)
    page.check("#cards-all")
    assert len(titles(page)) == engine.NUM_CARDS
    page.select_option("#cards-type", "monster")
    assert len(titles(page)) == sum(engine.TYPE[card] == CardType.MONSTER for card in range(engine.NUM_CARDS))
    page.fill("#cards-search", "yggdrasil")
    assert titles(page) == ["Dark Elf", "Volur Witch"]
    page.select_option("#cards-age", "1")
    assert titles(page) == ["Dark Elf"]
    page.locator("#cards-list .tile").click()
    assert page.locator("#dialog h2").inner_text() == "Dark Elf"
    assert "Age II: 1" in page.inner_text("#dialog")
    page.click("#cards-back")
    assert titles(page) == ["Dark Elf"]  # as it was filtered
    page.fill("#cards-search", "")
    assert len(titles(page)) > 1


def test_cards_are_enlarged_from_everywhere(server, page):
    set_up(page, server, 2, reached=lambda s: s.decision == Decision.ACTION and s.quest_count[0] > 0)
    places = ("#hand .tile", "#hand .quests .tile", "#choices .choice[data-card]", "#log .card-name")
    for place in places:
        node = page.locator(place).first
        card = int(node.get_attribute("data-card"))
        node.click(button="right")
        assert page.locator("#dialog .tile.large").get_attribute("data-card") == str(card)
        page.keyboard.press("Escape")
    page.locator("#hand .quests .tile").first.click()
    assert page.locator("#dialog .tile.large").is_visible()
    page.keyboard.press("Escape")
    page.locator("#choices .choice[data-card]").first.focus()
    page.keyboard.press("c")
    assert page.locator("#dialog .tile.large").is_visible()


def test_quests_are_marked_as_the_engine_says(server, page):
    game = set_up(page, server, 2, reached=lambda s: s.decision == Decision.ACTION and s.quest_count[0] > 0)
    marks = quest_marks(engine.hide(game.states, 0, 0), 0)
    assert marks["committed"]
    for part, name in [(".quests", "committed"), (".in-hand", "hand")]:
        shown = page.locator(f"#hand {part} .tile.quest").evaluate_all(
            "all => all.map((one) => [Number(one.dataset.card), one.querySelector('.standing').innerText])"
        )
        assert dict(shown) == marks[name]


def test_stats_show_what_each_step_pays(server, page):
    """rules 1.5"""
    set_up(page, server, 3)
    page.locator(".tracks").first.click()
    cells = page.locator(".stats-table tbody tr:last-child td").all_inner_texts()
    assert cells == ["–" if bonus == 0 else f"+{bonus}" for bonus in engine.STAT_BONUS]
    rage = page.locator(".stats-table tbody tr").first.locator("td b").all_inner_texts()
    assert rage == [str(value) for value in engine.STAT_VALUE[0]]
    title = page.locator(".measure").first.get_attribute("title")
    assert title.endswith("the next: 7")


def test_cards_in_battle_say_what_others_have_to_add(server, page):
    game = set_up(page, server, 3, reached=lambda s: s.decision == Decision.BATTLE_CARD)
    expected = outlooks(engine.hide(game.states, 0, 0), 0)
    shown = page.locator("#choices .choice").evaluate_all(
        "all => all.map((one) => [Number(one.dataset.action), one.querySelector('.outlook').textContent])"
    )
    assert dict(shown) == expected


def test_a_question_is_put_to_the_person(server, page):
    set_up(page, server, 3, reached=lambda s: s.decision == Decision.ACTION)
    assert page.inner_text("#whose") == "Your turn"
    assert page.inner_text("#question-text").startswith("Take an action, or pass (")


def test_quests_are_cards_in_the_log_and_places_of_the_same_name_are_not(server, page):
    set_up(page, server, 3, reached=lambda s: False)
    names = page.locator("#log .card-name")
    linked = names.evaluate_all("all => all.map((x) => [Number(x.dataset.card), x.textContent])")
    quests = [(card, text) for card, text in linked if engine.TYPE[card] == CardType.QUEST]
    assert quests
    assert all(text == f"{engine.TITLE[card]} ({engine.QUEST_GLORY[card]} glory)" for card, text in quests)


def test_a_card_shows_the_price_that_is_paid(server, page):
    """A discount was in the list of choices alone."""

    def discount(route):
        response = fetched(route)
        view = response.json()
        for choice in (view["question"] or {"choices": []})["choices"]:
            if choice["group"] == "play":
                choice["target"] = f"{choice['target'].split(' for ')[0]} for 0 Rage"
        route.fulfill(response=response, body=json.dumps(view))

    page.route("**/api/seat", discount)
    set_up(page, server, 3, players=5, reached=lambda s: s.decision == Decision.ACTION and s.age == 1, first_game=False)
    cards = page.locator("#choices .choice[data-card]:has-text(' for ')").evaluate_all(
        "all => all.map((x) => x.dataset.card)"
    )
    assert len(cards) > 1
    for card in cards:
        assert page.locator(f'#hand .tile[data-card="{card}"] .worth b').text_content() == "0"
    page.unroute_all(behavior="ignoreErrors")
