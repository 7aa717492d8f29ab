"""The page of a game in Chromium, with the server in a process of its own, as people have it."""

import random
import re
import signal

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import MARCH, Decision
from bloodrage_env.games.bloodrage.notation.words import GODS
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_env.serve.tables import MAX_GAMES_OF_VISITOR
from tests.play_page import CURTAIN, NAMELESS, OUTSIDE, answered, begin, choose, random_choice, set_up, settled, until
from tests.serve_process import ServerProcess

pytestmark = pytest.mark.browser

# The table of glory: what stands in a clan's column.
TOTALS = """table => [...table.querySelectorAll("thead button")].map((button, clan) =>
  [button.innerText.trim(), Number(table.querySelectorAll("tr.total td")[clan].innerText)])"""
MARKS = """all => all.map((mark) => [
  Number(mark.dataset.place), mark.querySelector("title").textContent,
  mark.querySelector("use").getAttribute("href")])"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "players", "sets"),
    [
        ((1366, 768), 4, ()),
        ((1920, 1080), 5, ("ks", "mystics", "gods")),
        ((390, 844), 5, ("ks", "mystics", "gods")),
    ],
)
def test_a_whole_game_by_clicks(server, page, size, players, sets):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    before = set(server.folder.glob("*.brz"))
    begin(page, server, players=players, sets=sets)
    rng = random.Random(2)
    while settled(page):
        random_choice(page, rng)
    (path,) = set(server.folder.glob("*.brz")) - before
    replay = Replay.load(path)
    assert replay.verify()[0].over
    shown = page.locator(".end .score").evaluate(TOTALS)
    glory = dict(zip(("Wolf", "Bear", "Serpent", "Raven", "Ram")[:players], replay.scores, strict=True))
    assert dict(shown) == glory
    assert [points for _, points in shown] == sorted(glory.values(), reverse=True)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the replay").click()
    assert download.value.path().read_bytes() == path.read_bytes()


NOUNS = "card|quest|warrior|leader|ship|monster|Mystic|figure|step|clan"
MISCOUNTED = re.compile(rf"\b1 (?:\w+ )?(?:{NOUNS})s\b|\b(?:[02-9]|[1-9]\d+) (?:\w+ )?(?:{NOUNS})\b")
SAID = r"""() => [document.body.innerText, ...[...document.querySelectorAll("[aria-label], [title], title")].flatMap(
  (node) => [node.getAttribute("aria-label"), node.getAttribute("title"), node.textContent])].join("\n")"""


@pytest.mark.parametrize("reached", [lambda s: s.quest_count[0] == 0, lambda s: s.quest_count[0] == 1])
def test_things_are_counted_in_the_plural(server, page, reached):
    """The reserve was "8 warrior", and a quest "1 quests"."""
    set_up(page, server, 1, reached=reached)
    said = page.evaluate(SAID)
    assert "warriors" in said
    assert MISCOUNTED.findall(said) == []


@pytest.mark.slow
def test_a_game_that_is_not_saved_says_so_until_it_is(server, page):
    """The folder of the games can't be written for a while."""
    set_up(page, server, 1)
    said = page.locator("#unsaved")
    assert said.inner_text() == ""
    away = server.folder.with_name("away")
    server.folder.rename(away)
    random_choice(page, random.Random(0))
    page.wait_for_selector("#unsaved:not(:empty)")
    assert said.inner_text().startswith("This game is not saved at present")
    settled(page)
    assert page.evaluate(OUTSIDE) == []
    away.rename(server.folder)
    page.wait_for_selector("#unsaved:empty", state="attached")


def test_gods_stand_on_the_board(server, page):
    """rules 6.4.5: five clans and two gods; each marker says who stands there and what it does."""
    before = set(server.folder.glob("*.brz"))
    begin(page, server, first_game=True, players=5, sets=("gods",))
    settled(page)
    marks = page.locator("#board .god").evaluate_all(MARKS)
    (path,) = set(server.folder.glob("*.brz")) - before
    replay = Replay.load(path)
    assert replay.options.sets == ("p5", "gods")
    s = replay.start()[0]
    gods = {place: god for place, god in enumerate(s.god_in.tolist()) if god >= 0}
    assert {place: title.split(" (")[0] for place, title, _ in marks} == {at: GODS[god] for at, god in gods.items()}
    assert {place: drawing for place, _, drawing in marks} == {at: f"#god-{god}" for at, god in gods.items()}
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 800)])
def test_a_game_with_mystics(server, page, width, height):
    """Their supply is shown by clan, everything fits, and Mystics come up in a game that goes on by clicks."""
    page.set_viewport_size({"width": width, "height": height})
    begin(page, server, first_game=True, sets=("ks", "mystics"))
    settled(page)
    assert page.locator('#clans .group:has([data-term="supply"])').count() == 4
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(NAMELESS) == []
    rng = random.Random(3)
    while settled(page):
        card = page.locator("#hand button.tile:has-text('Chosen')")
        if card.count() and page.locator("#choices .choice.pass").count():
            card.first.click()
        random_choice(page, rng)
        if page.locator('#clans .group:has([data-term="reserve"]) [aria-label*="Mystic"]').count():
            break


def test_figures_places_and_cards_can_be_clicked(server, page):
    set_up(page, server, seed=3)
    page.locator('.figure-button[data-kind="0"]').click()
    assert "Leader" in page.inner_text(".filter")
    assert page.locator("#board .lit").count() >= 5
    page.locator("#board g.lit text").first.click()
    until(page, "document.querySelector('#log').innerText.includes('with the leader')")
    settled(page)
    place = page.locator('#board .figure[data-seat="0"][data-kind="0"]').first.get_attribute("data-place")
    page.locator(f"#place-{place} text").first.click()
    texts = page.locator("#choices").inner_text()
    assert "Pillage" in texts
    assert "March" in texts
    page.keyboard.press("Escape")
    assert page.locator(".filter").count() == 0
    card = page.locator("#hand button.tile").first
    card.click()
    assert page.locator("#hand button.tile.picked").count() == 1
    assert page.locator("#choices .choice").count() == 1
    page.locator("#hand button.tile.picked").click()
    until(page, "document.querySelector('#log').innerText.match(/Wolf: (play|commit)/)")


def test_a_march_can_be_taken_back(server, page):
    set_up(page, server, 3, reached=lambda s: s.decision == Decision.ACTION and s.mask[MARCH:].any())
    shown = page.inner_text("#log")
    choose(page, page.locator('.choice-group[aria-label^="march from"] .choice').first)
    page.wait_for_selector("body[data-asks], body[data-ends]")
    page.locator("#undo").click()
    until(page, "shown => document.querySelector('#log').innerText === shown", shown)
    assert page.locator(".undo").count() == 0


def test_a_game_by_keyboard(server, page):
    begin(page, server)
    for _ in range(12):
        assert settled(page)
        asked = page.get_attribute("body", "data-asks")
        page.locator("#question").evaluate("node => { node.tabIndex = -1; node.focus(); }")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('.choice')")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        page.keyboard.press("Tab")  # the second choice: the first may be to pass
        page.keyboard.press("Enter")
        answered(page, asked)


def test_one_screen_for_two_people(server, page):
    begin(page, server, people=2, first_game=True, players=2)
    page.wait_for_selector("#curtain:not([hidden])")
    said = page.inner_text("#curtain")
    first = re.search(r"Pass to (\w+)", said)[1]
    assert page.locator("#hand .tile").count() == 0
    settled(page)
    hands = {first: page.inner_text("#hand")}
    random_choice(page, random.Random(1))
    while settled(page, curtain=False):
        random_choice(page, random.Random(1))
    assert not page.locator("#hand").is_visible()
    assert not page.locator("#log").is_visible()
    other = re.search(r"Pass to (\w+)", page.inner_text("#curtain"))[1]
    assert other != first
    settled(page)
    assert page.locator("#hand").is_visible()
    assert page.inner_text("#hand") != hands[first]
    assert f"{first}'s hand" not in page.inner_text("#log")


PASSED_ON = """() => {
  document.querySelector("#curtain button").click();
  return document.body.dataset.asks;
}"""


def test_keys_at_the_curtain_answer_for_nobody(server, page):
    """The choices of the person before are still there, and a key that is held is meant for them."""
    begin(page, server, people=2, players=3)
    settled(page)
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request.url))
    page.locator("#choices .choice").first.focus()
    page.keyboard.down("Enter")
    page.wait_for_selector(CURTAIN)
    for key in ["Enter", *"123456789"]:
        page.keyboard.down(key)
    assert page.evaluate(PASSED_ON) is None  # the next person's question settles too, though it has the same number
    asked = page.wait_for_selector("body[data-asks]").get_attribute("data-asks")
    page.keyboard.down("2")
    page.wait_for_timeout(300)
    assert len(posts) == 1
    page.keyboard.up("2")
    page.keyboard.press("2")
    answered(page, asked)
    assert len(posts) == 2


def test_a_view_that_arrives_after_a_later_one_is_ignored(server, page):
    """Answers to requests that run side by side arrive in any order."""
    page.goto(server.address)
    shown = page.evaluate("""async () => {
      const { Seat } = await import("./static/seats.js");
      const shown = [];
      const seat = new Seat("", ({ view }) => shown.push(view), () => {});
      for (const tag of ['"a-1"', '"a-1"', '"a-3"', '"a-2"', '"a-10"', '"a-9"', '"b-1"', 'W/"b-1"', 'W/"b-2"'])
        seat.take({ headers: new Headers({ ETag: tag }) }, tag);
      return shown;
    }""")
    assert shown == ['"a-1"', '"a-3"', '"a-10"', '"b-1"', 'W/"b-2"']


@pytest.mark.slow
def test_a_restart_of_the_server(server, page):
    begin(page, server)
    rng = random.Random(6)
    for _ in range(8):
        settled(page)
        random_choice(page, rng)
    settled(page)
    shown = page.inner_text("#hand"), page.inner_text("#question"), page.inner_text("#log")
    server.kill()
    until(page, "document.querySelector('#connection')?.innerText.includes('trying again')")
    server.start()
    page.wait_for_selector("#connection:empty", state="attached")
    page.troubles[:] = [text for text in page.troubles if "ERR_CONNECTION" not in text]
    assert (page.inner_text("#hand"), page.inner_text("#question"), page.inner_text("#log")) == shown
    random_choice(page, rng)
    settled(page)
    page.troubles[:] = [text for text in page.troubles if "ERR_" not in text]


def test_everything_is_on_the_screen_and_has_a_name(server, page):
    begin(page, server, first_game=True)
    settled(page)
    for width, height in [(1024, 768), (1280, 800), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(NAMELESS) == []
    page.click("#show-help")
    page.keyboard.press("Escape")
    page.locator(".points-total").first.click()
    assert "How Wolf came to it" in page.inner_text("#dialog")
    page.keyboard.press("Escape")


BEGIN = """async (count) => {
  const body = JSON.stringify({ seats: [{ person: "" }, { person: "" }], options: { first_game: true } });
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  const statuses = [];
  while (statuses.length < count) statuses.push((await fetch("api/games", options)).status);
  return statuses;
}"""


def test_a_refusal_is_a_line_on_the_page(page, tmp_path):
    server = ServerProcess(tmp_path)

    try:
        page.goto(server.address)
        page.wait_for_selector("button[type=submit]:enabled")
        assert page.evaluate(BEGIN, MAX_GAMES_OF_VISITOR) == [201] * MAX_GAMES_OF_VISITOR
        page.click("button[type=submit]")
        page.wait_for_selector("#problem:not(:empty)")
        said = "you have begun 50 games here: play those, or come back in an hour"
        assert page.inner_text("#problem") == f"That didn't work: {said}."
        (logged,) = page.troubles
        assert "429" in logged
        page.troubles.clear()
    finally:
        server.kill()


def test_ctrl_c_ends_the_server_without_a_trace(tmp_path):
    server = ServerProcess(tmp_path)
    server.process.send_signal(signal.SIGINT)
    assert server.wait() == ""
    assert server.process.returncode == 0
