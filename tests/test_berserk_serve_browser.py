"""The page of Berserk in Chromium: whole games by clicks."""

import random
import re

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.notation.facts import crystals_left
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.terminal.text import random_action
from tests.play_page import CURTAIN, NAMELESS, OUTSIDE, answered, choose, random_choice, settled
from tests.test_serve_accessible import SCREENS, findings

pytestmark = pytest.mark.browser

GAME = "berserk"  # of the server


def begin(page, server, people=1, setup="full"):
    """A new game by the form of the start page."""
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    if people > 1:
        page.select_option("#seat-1", "person")
    page.click("details summary")
    page.select_option("#setup", setup)
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")


LIT = "all => all.map((node) => Number(node.dataset.cell))"


BOXES = "#stage [role=checkbox].can"


def buy(page, rng, most=15):
    """Buy a squad of cards that can be paid."""
    asked = page.get_attribute("body", "data-asks")
    for _ in range(most):
        boxes = page.locator(f"{BOXES}[aria-checked=false]")
        if not boxes.count():
            break
        boxes.nth(rng.randrange(boxes.count())).click()
        page.wait_for_selector("#stage .purse[aria-busy=false]")
    page.click("#buy")
    if page.locator(f"{BOXES}[aria-checked=false]").count():
        page.click("#buy")
    answered(page, asked)


def any_choice(page, rng):
    """A random answer, by a button; a squad is bought."""
    if page.locator("#buy").count():
        buy(page, rng)
    else:
        random_choice(page, rng)


def by_the_board(page, rng):
    """An answer by two clicks on the board: a place, a step.

    False where none came of them: what a card does for an action is a button.
    """
    number = page.get_attribute("body", "data-asks")
    still = f'body[data-asks="{number}"]'
    if page.locator("#stage:not([hidden])").count():
        return False
    lit = page.locator("#field .lit").evaluate_all(LIT)
    if not lit:
        return False
    first = rng.choice(lit)
    page.locator(f'#field [data-cell="{first}"]').click()
    moves = page.locator("#field .lit").evaluate_all(LIT)
    own = set(page.locator("#field .lit:has(.card)").evaluate_all(LIT))
    if first not in own:  # a place
        page.locator(f'#field [data-cell="{first}"]').click()
        answered(page, number)
        return True
    free = [cell for cell in moves if cell not in own]
    if free and page.locator("#choices .choice-group").count() == 1:
        page.locator(f'#field [data-cell="{rng.choice(free)}"]').click()
        answered(page, number)
        return True
    page.keyboard.press("Escape")
    assert page.locator(still).count()
    return False


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "size"), [("fixed", (1366, 768)), ("full", (1920, 1080)), ("fixed", (390, 844))])
def test_a_whole_game_by_clicks(server, page, setup, size):
    """By the board where that can be, else by the buttons; to the end, whose replay is the game that was played."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    before = set(server.folder.glob("*.bsk"))
    begin(page, server, setup=setup)
    rng = random.Random(4)
    done = {True: 0, False: 0}
    while settled(page):
        if done[True] + done[False] == 2:
            assert page.evaluate(NAMELESS) == []
            assert page.evaluate(OUTSIDE) == []
        board = rng.random() < 0.5 and by_the_board(page, rng)
        if not board:
            any_choice(page, rng)
        done[board] += 1
    assert min(done.values()) > 3
    (path,) = set(server.folder.glob("*.bsk")) - before
    replay = Replay.load(path)
    assert replay.verify()[0].over
    assert "Player" in page.inner_text(".end h2") or "draw" in page.inner_text(".end h2")
    assert page.inner_text("#question-text") == "The game is over"  # who has won is said once
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the replay").click()
    assert download.value.path().read_bytes() == path.read_bytes()
    page.get_by_role("button", name="Look at the board").click()
    assert page.locator(".end").count() == 0
    page.get_by_role("button", name="Back to the result").click()
    assert page.locator(".end").is_visible()


def at(page, phase):
    """Go on, keeping deals and taking the first answer, until a question of this phase is open."""
    while settled(page) and page.text_content("#head") != phase:
        choose(page, page.locator("#choices .choice").first)


COVERED = """() => [...document.querySelectorAll("#field .lit")].filter((node) => {
  const box = node.getBoundingClientRect();
  return !document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("#field");
}).map((node) => node.dataset.cell)"""


def test_no_card_of_the_squad_covers_a_cell_to_place_it_on(server, page):
    begin(page, server)
    at(page, "Deal")
    choose(page, page.locator("#choices .choice").first)
    at(page, "Purchase")
    buy(page, random.Random(1))
    at(page, "Placement")
    placed = 0
    while settled(page) and page.text_content("#head") == "Placement":
        assert page.evaluate(COVERED) == []
        choose(page, page.locator("#choices .choice").last)
        placed += 1
    assert placed


def test_a_squad_is_bought_as_a_set(server, page):
    """rules 2.2 to 2.5: the deal is read before it is kept; then cards are ticked, in any order, with what is left."""
    before = set(server.folder.glob("*.bsk"))
    begin(page, server)
    at(page, "Deal")
    (path,) = set(server.folder.glob("*.bsk")) - before
    *_, states = Replay.load(path).states()
    seat = 0
    dealt = page.locator("#stage .tile").evaluate_all("all => all.map((tile) => Number(tile.dataset.card))")
    assert np.bincount(dealt, minlength=engine.CARD_CAPACITY).tolist() == states[0].deal[seat].tolist()
    for line in page.locator("#stage .tile").all_inner_texts():
        assert all(word in line for word in ("life", "moves", "weak", "medium", "strong"))
    at(page, "Purchase")
    boxes = page.locator(BOXES)
    boxes.last.click()
    boxes.first.click()  # the order is free
    page.wait_for_selector("#buy:enabled")
    page.click("#buy")
    assert "could still be bought" in page.inner_text(".confirm")
    cards = [int(box.get_attribute("data-card")) for box in (boxes.first, boxes.last)]
    left = [int(each) for each in page.locator(".purse .price").all_inner_texts()]
    page.click("#buy")
    assert settled(page)
    *_, states = Replay.load(path).states()
    s = states[0]
    assert np.repeat(np.arange(engine.CARD_CAPACITY), s.squad[seat]).tolist() == sorted(cards)
    gold, both = crystals_left(states, 0, seat)
    assert left == [min(gold, both), both - min(gold, both)]
    assert page.text_content("#head") == "Placement"
    assert int(page.get_attribute("#question .tile", "data-card")) == min(cards)
    assert page.locator("#hand .tile").count() == 2


def test_a_deck_of_ones_own_is_a_file(server, page, tmp_path):
    """rules 9.7: it is checked when it is chosen, and kept in the options of the game."""
    good, bad = tmp_path / "mine.csv", tmp_path / "bad.csv"
    good.write_text("card,copies\n" + "".join(f"{title},3\n" for title in engine.TITLE[1:11]))
    bad.write_text("Orcc,2\n")
    before = set(server.folder.glob("*.bsk"))
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.click("details summary")
    for path in (bad, good):
        with page.expect_file_chooser() as chooser:
            page.select_option("#cards-0", "")
        chooser.value.set_files(path)
        if path == bad:
            page.wait_for_selector("#problem:not(:empty)")
            assert "bad.csv, line 1: there is no card 'Orcc'; did you mean Orc?" in page.inner_text("#problem")
            page.troubles.clear()  # the console names the refused request
    page.wait_for_selector("#cards-0 option[value=own]", state="attached")
    assert page.locator("#cards-0 option:checked").inner_text() == "mine.csv"
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")
    assert settled(page)
    (saved,) = set(server.folder.glob("*.bsk")) - before
    assert sum(copies for _, copies in Replay.load(saved).options.decks[0]) == 30


@pytest.mark.slow
def test_two_people_at_one_computer_see_no_card_of_each_other(server, page):
    """Who bought what is on the screen of its owner alone, and the other's squad lies face down."""
    begin(page, server, people=2)
    rng = random.Random(6)
    shown = set()
    while settled(page) and page.inner_text("#head").startswith(
        ("Roll-off", "Deal", "Purchase", "Placement", "Reveal")
    ):
        own = page.evaluate("() => document.title").partition("Player ")[2][0]
        log = page.inner_text("#log")
        other = "B" if own == "A" else "A"
        assert f"Player {other}: buy" not in log
        shown.add(own)
        any_choice(page, rng)
    assert shown == {"A", "B"}
    hidden = page.locator("#field .card.down").evaluate_all(
        """all => all.filter((node) => !node.closest("[data-card]")).map((node) => node.textContent)"""
    )
    assert all(re.fullmatch(r"[AB]\d+", text) for text in hidden)
    assert page.locator("#field .card").count() > 1


def test_no_card_is_read_at_the_curtain(server, page):
    """The pointer may still be where a card of the person before was."""
    begin(page, server, people=2)
    while settled(page, curtain=False) or not page.locator(".tile[data-card]").count():
        if page.locator(CURTAIN).count():
            settled(page)
        any_choice(page, random.Random(6))
    page.locator(".tile[data-card]").first.dispatch_event("pointerover")
    page.keyboard.press("c")
    assert not page.locator("#dialog").is_visible()


def test_a_card_is_read_and_nothing_is_offered_that_there_is_not(server, page):
    begin(page, server, setup="fixed")
    assert settled(page)
    card = page.locator("#field [data-card]").first
    shown = card.text_content()
    card.click(button="right")
    assert page.inner_text("#dialog h2") in shown
    assert page.inner_text("#dialog .strike").split()[1::2] == ["weak", "medium", "strong"]
    page.get_by_role("button", name="Close").click()
    assert page.locator("#show-score").count() == 0
    page.click("#show-settings")
    assert [each.get_attribute("id") for each in page.locator("#dialog select").all()] == [
        "set-end", "set-sound", "set-call", "set-speed", "set-theme", "set-hint",
    ]  # fmt: skip


def test_a_hint_is_an_arrow_with_a_reason(server, page):
    """In the words of the game, and of that question only."""
    begin(page, server, setup="fixed")
    assert settled(page)
    page.click("#ask-hint")
    page.wait_for_selector("#hint .why")
    assert "The search wins" in page.inner_text("#hint .why")
    assert page.locator("#field .advice .best").count() == 1
    assert page.evaluate(OUTSIDE) == []
    asked = page.get_attribute("body", "data-asks")
    page.locator("#choices .hinted").click()
    answered(page, asked)
    settled(page)
    assert page.locator("#hint .why").count() == page.locator("#field .advice .best").count() == 0


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}-{screen[1]}")
def test_axe_finds_nothing_grave(server, page, screen):
    colours, width, height = screen
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    assert findings(page) == []
    for setup in ("full", "fixed"):
        begin(page, server, setup=setup)
        assert settled(page)
        page.locator("#choices .choice").first.hover()
        assert findings(page) == []
        # which cards are closed by now depends on the agent
        page.evaluate("document.querySelectorAll('#field .card').forEach((card) => card.classList.add('closed'))")
        assert findings(page) == []
        assert page.evaluate(OUTSIDE) == []


def test_a_click_on_a_card_and_one_on_the_enemy_beside_it_is_a_strike(server, page):
    """With given squads, until a card can strike: no window opens, and the target is the one clicked."""
    begin(page, server, setup="fixed")
    rng = random.Random(2)
    strike = "#choices .choice:has-text('simple strike')"
    for _ in range(60):
        assert settled(page)
        if page.locator(strike).count():
            group = page.locator(f".choice-group:has({strike[9:]})").first.get_attribute("aria-label")
            own = page.locator("#field .lit:has(.card)").evaluate_all(
                "(all, name) => all.find((node) => node.getAttribute('aria-label').includes(name))?.dataset.cell", group
            )
            page.locator(f'#field [data-cell="{own}"]').click()
            enemies = page.locator("#field .lit:has(.card.of-1)")
            if enemies.count():
                number = page.get_attribute("body", "data-asks")
                enemies.first.click()
                answered(page, number)
                settled(page)
                assert page.locator("#dialog[open]").count() == 0
                assert "simple strike" in page.inner_text("#log")
                return
            page.keyboard.press("Escape")
        any_choice(page, rng)
    raise AssertionError("no strike in 60 choices")


def test_help_has_the_rules_and_passing_is_in_view(server, page):
    page.set_viewport_size({"width": 1366, "height": 768})
    begin(page, server, setup="fixed")
    settled(page)
    button = page.locator("#choices .foot .choice").first.bounding_box()
    panel = page.locator("#question").bounding_box()
    assert panel["y"] <= button["y"]
    assert button["y"] + button["height"] <= panel["y"] + panel["height"]
    page.click("#show-help")
    for term in ("white die", "closed", "defender", "gold", "poison"):
        assert term in page.inner_text("#dialog").lower()


FIGHT = "#stage.slim .fight"


def test_the_action_of_a_card_is_a_scene_and_leaves_an_arrow(server, page):
    """Who attacks, who is attacked, what comes of it; the board keeps its size."""
    begin(page, server, setup="fixed")
    settled(page)  # the page has its room for fights only with the first view
    rng = random.Random(5)
    high = page.locator("#field").bounding_box()["height"]
    seen = {"dice": 0, "attack": 0, "wound": 0, "turns": 0}
    for _ in range(90):
        if not settled(page) or min(seen.values()):
            break
        assert page.locator("#field").bounding_box()["height"] == high
        seen["attack"] += page.locator("#field .way.attack").count()
        if page.locator(FIGHT).count():
            assert page.locator(f"{FIGHT} .came").inner_text()
            seen["dice"] += page.locator(f"{FIGHT} .rolled").count()
            seen["wound"] += page.locator(f"{FIGHT} .wound").count()
            before = page.locator(f"{FIGHT} button[aria-label='The action before']:enabled")
            if before.count():
                number = page.inner_text(f"{FIGHT} .turns").split()[1]
                before.click()
                assert int(page.inner_text(f"{FIGHT} .turns").split()[1]) == int(number) - 1
                seen["turns"] += 1
        acts = page.locator("#choices .choice:not(.pass):not(.undo)").filter(has_text=re.compile("[Ss]trike|[Ss]hot"))
        if acts.count():
            choose(page, acts.nth(rng.randrange(acts.count())))
        else:
            any_choice(page, rng)
    assert min(seen.values()) > 0, seen


def kept(server, seats, reached, setup="fixed"):
    """A game with random answers up to a question of seat 0; returns its id, and the game."""
    for seed in range(100):
        game = Game(seats, seed, Options(setup=setup, skip_forced=False))
        rng = random.Random(seed)
        while not game.over and not (game.states[0].seat == 0 and reached(game.states[0])):
            game.play(random_action(game.states, rng))
        if not game.over:
            break
    storage = Storage(server.folder, "berserk")
    game_id = storage.new_id()
    storage.create(game_id, game)
    return game_id, game


def test_the_dead_are_small_pictures(server, page):
    token = "a" * 20
    seats = [Seat(person="", digest=digest_of(token)), Seat(agent="random")]
    game_id, game = kept(server, seats, lambda s: s.died.any())
    page.goto(f"{server.address}/play#{game_id}.{token}")
    assert settled(page)
    dead = [int(card) for card, died in zip(game.states[0].card, game.states[0].died, strict=True) if died]
    graves = page.locator(".graveyard .grave")
    assert sorted(int(each.get_attribute("data-card")) for each in graves.all()) == sorted(dead)
    graves.first.click()
    assert page.inner_text("#dialog h2") in [engine.TITLE[card] for card in dead]


def test_an_agent_plays_for_who_has_left_after_a_vote(server, browser, page):
    """The dialog says who plays for whom; who was away has a button to come back, and the same board."""
    tokens = ["a" * 20, "b" * 20]
    people = [Seat(person=name, digest=digest_of(each)) for name, each in zip(("Ann", "Ben"), tokens, strict=True)]
    game_id, _ = kept(server, people, lambda s: True)
    page.goto(f"{server.address}/play#{game_id}.{tokens[0]}")
    settled(page)
    page.click("#show-people")
    assert page.locator("#dialog .who").all_inner_texts() == ["you", "Ben"]
    page.click("#dialog .vote")
    page.wait_for_selector("#dialog .vote", state="detached")
    assert page.locator("#dialog .who").all_inner_texts() == ["you", "random for Ben"]
    assert "is away: random plays until its person comes back" in page.text_content("#log")
    away = browser.new_page(viewport={"width": 390, "height": 844})
    away.goto(f"{server.address}/play#{game_id}.{tokens[1]}")
    away.click("#come-back")
    away.wait_for_selector("#come-back", state="detached")
    assert away.locator("#field .card").count() == page.locator("#field .card").count()
    away.close()
