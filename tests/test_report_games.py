"""The games in the report of a tournament: which they are, that they open, and that the page fits a phone."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_reader import Page

from bloodrage_env.cli import build_parser
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.games.berserk.options import Options as BerserkOptions
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.report.chosen import MAX_CHOSEN, MAX_FORFEITS, Candidates, Choice
from bloodrage_training.report.replays import scripts_of
from bloodrage_training.report.write import report, write_report
from bloodrage_training.tournament.ratings import rate
from bloodrage_training.tournament.records import Plan, StoredGame
from tests.test_report import planned, played, results_of, stored

NAMES = ("strong", "middle", "weak")


def game(number: int, line_up: tuple[str, ...], scores: tuple[int, ...], forfeit: int | None = None) -> StoredGame:
    """A game of which only the result is looked at."""
    return StoredGame(
        f"{number:032x}", number, 0, 1, line_up, Options(len(line_up)), (), scores, forfeit,
        None if forfeit is None else "it broke", (1.0,) * len(line_up), (9,) * len(line_up),
    )  # fmt: skip


def chosen(games: list[StoredGame], names: tuple[str, ...] = NAMES) -> list[Choice]:
    candidates = Candidates()
    for each in games:
        candidates.add(each)
    return candidates.chosen(rate(names, games))


USUAL = [game(n, NAMES, (30, 20, 10)) for n in range(9)]


def test_the_closest_game_is_the_one_of_the_least_margin() -> None:
    close = game(20, NAMES, (30, 29, 1))
    found = {each.agent: each.game for each in chosen([*USUAL, close]) if each.kind == "closest game"}
    assert found == {"strong": close.id, "middle": close.id, "weak": USUAL[0].id}


def test_of_equally_close_games_the_longest_is_shown() -> None:
    short, long = game(20, NAMES, (30, 29, 1)), replace(game(21, NAMES, (30, 29, 1)), actions=(0,) * 9)
    found = chosen([*USUAL, short, long, replace(short, id="f" * 32)])
    assert {each.game for each in found if each.kind == "closest game" and each.agent != "weak"} == {long.id}
    assert found[0].why == "1 point between it and the best other, in 9 decisions"


def test_the_greatest_upset_is_of_the_widest_difference_in_elo() -> None:
    """`weak` ahead of `strong` is more of an upset than ahead of `middle`, by however few points."""
    small, great = game(20, NAMES, (30, 10, 20)), game(21, NAMES, (19, 30, 20))
    found = {each.agent: each for each in chosen([*USUAL, small, great]) if each.kind == "greatest upset"}
    assert (found["weak"].game, found["strong"].game) == (great.id, great.id)
    assert found["weak"].why == "weak 1 point ahead of strong"


def test_without_an_upset_there_is_none() -> None:
    assert [each for each in chosen(USUAL) if each.kind == "greatest upset"] == []


def test_forfeited_games_are_shown_and_are_nothing_else() -> None:
    lost = game(20, NAMES, (30, 30, 30), forfeit=2)
    found = chosen([*USUAL, lost])
    assert [each for each in found if each.game == lost.id] == [Choice(lost.id, "weak", "forfeit", "it broke")]


def test_a_page_holds_a_limited_number_of_games() -> None:
    names = tuple(f"agent-{n:02}" for n in range(30))
    games = [game(n, (names[n], names[(n + 1) % 30]), (n, 2 * n)) for n in range(30)]
    games += [game(100 + n, names[:2], (0, 0), forfeit=0) for n in range(30)]
    found = chosen(games, names)
    assert len({each.game for each in found}) == MAX_CHOSEN
    assert sum(each.kind == "forfeit" for each in found) == MAX_FORFEITS


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(5, first_game=True, skip_forced=False, sets=("p5", "gods")),
        BerserkOptions(),
        BerserkOptions(combat="difference", setup="fixed", max_turns=50, skip_forced=False),
    ],
    ids=str,
)
def test_the_command_plays_what_was_planned(options: GameOptions) -> None:
    words = options.arguments()
    args = build_parser("demo", options.game).parse_args(["demo", "--game", options.game, *words])
    assert type(options).from_arguments(args) == options


def test_scripts_are_found_in_linear_time() -> None:
    """A lazy pattern took a time with the square of the length: minutes here."""
    assert scripts_of("<script>" * 200_000) == []
    page = "<script>a</script><script type='x'>b</script>\n<script type=\"module\">c\nd</script><script>e"
    assert scripts_of(page) == ["a", "c\nd"]


def test_the_page_says_what_plays_it_again() -> None:
    plan = Plan(("random", "greedy", "it's"), ("f",) * 3, "focus", Options(3, sets=("ks",)), 5, 2.5, deals=40)
    games = list(played(replace(plan, deals=1)))
    shown = Page(report(results_of(plan, games)))
    lines = re.findall(r"^bloodrage tournament .*$", shown.text.replace("<pre>", "\n"), re.MULTILINE)
    assert len(lines) == 1  # the first stands at the end of a line
    command = shlex.split(re.findall(r"bloodrage tournament run.*", shown.text)[0])
    args = build_parser("tournament").parse_args(command[1:])
    assert (args.agents, args.mode, args.num_players, args.seed) == ("random,greedy,it's", "focus", 3, 5)
    assert (args.deals, args.seconds_a_decision, args.sets) == (1, 2.5, ("ks",))
    drawn = Page(report(results_of(replace(plan, seed=None), games))).text
    assert "--seed" not in drawn
    assert "The deals were drawn at random" in drawn


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a store with a forfeited game."""
    folder = tmp_path_factory.mktemp("report")
    plan = planned(("random", "b", "c"), 2, num_players=3)
    games = list(played(plan))
    games[0] = replace(games[0], actions=games[0].actions[:40], forfeit_seat=1, forfeit_reason="TypeError")
    write_report(stored(folder / "games.db", plan, games), folder / "page.html")
    return folder / "page.html"


@pytest.fixture
def opened(browser: Any, written: Path) -> Iterator[Any]:
    pages = []

    def go(width: int, fragment: str = "") -> Any:
        page = browser.new_page(viewport={"width": width, "height": 844})
        page.troubles = []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda message: page.troubles.append(message.text))
        inside = (written.as_uri(), "about:", "data:", "blob:")
        page.on("request", lambda each: None if each.url.startswith(inside) else page.troubles.append(each.url))
        page.goto(written.as_uri() + fragment)
        pages.append(page)
        return page

    yield go
    for page in pages:
        assert page.troubles == []
        page.close()


# Parts that are wider than the screen, or than the frame that they lie in.
SCROLLS = """() => [...document.querySelectorAll("html, .wide, figure, pre, table, details:not(.replay)")]
  .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.outerHTML.slice(0, 80))"""


@pytest.mark.browser
def test_nothing_scrolls_sideways_on_a_phone(opened: Any) -> None:
    page = opened(390)
    assert page.evaluate(SCROLLS) == []
    cell = page.locator("td[data-column='win rate']").first
    assert cell.evaluate("node => getComputedStyle(node, '::before').content") == '"win rate"'


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_each_row_leads_to_its_games(opened: Any, width: int) -> None:
    page = opened(width)
    rows = page.locator("#ratings .wide").first.locator("tbody tr")
    assert rows.count() == 3
    for number in range(3):
        link = rows.nth(number).get_by_role("link", name="closest game")
        box = page.locator(link.get_attribute("href"))
        assert not box.get_attribute("open")
        link.click()
        frame = box.frame_locator("iframe")
        frame.get_by_text("Game ", exact=False).first.wait_for()
        assert frame.locator("#board, svg").count()
        assert box.bounding_box()["y"] < 800  # it is on the screen
        box.locator("summary").click()  # closed again: several agents may have one game
    page.locator("#forfeits a").first.click()
    page.locator("details.replay[open] iframe").wait_for()
    assert "TypeError" in page.locator("details.replay[open]").inner_text()


@pytest.mark.browser
def test_an_address_opens_its_game_and_frames_may_do_nothing_else(opened: Any) -> None:
    first = opened(1280).locator("details.replay").first.get_attribute("id")
    page = opened(1280, f"#{first}")
    frame = page.locator(f"#{first} iframe")
    frame.wait_for()
    assert frame.get_attribute("sandbox") == "allow-scripts"
    page.frame_locator(f"#{first} iframe").locator("svg").first.wait_for()
