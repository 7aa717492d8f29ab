"""What a tournament shows while it is not finished, and of games that were forfeited."""

from dataclasses import replace

import pytest
from stores import VERSIONS, give_up, plan, played

from bloodrage_env.cli import main
from bloodrage_training.tournament.counted import MAX_REASONS, Forfeits, games_of_results
from bloodrage_training.tournament.store import Store

AGENTS = ("balanced", "random", "greedy")


def begun(path, count):
    """A store with the first games of a tournament."""
    what = plan(AGENTS)
    with Store.create(path, what) as store:
        store.join(VERSIONS)
        while count and (each := store.claim(what)) is not None:
            for game in each.games[:count]:
                store.record(each.number, played(game))
            if count >= len(each.games):
                store.finish(each.number)
            count = max(count - len(each.games), 0)
    return str(path)


@pytest.mark.parametrize(
    ("games", "counted", "says"),
    [
        (0, 0, ""),
        (2, 2, "these are the first 2 games of 6: no line-up has been at all 3 seatings yet"),
        (3, 3, ""),
        (4, 3, "not counted: 1 game of line-ups that lack a seating"),
    ],
)
def test_a_report_shows_the_games_that_are_there(tmp_path, capsys, games, counted, says):
    """On the terminal, as a page and as tables."""
    path = begun(tmp_path / "x.sqlite", games)
    page, folder = tmp_path / "x.html", tmp_path / "csv"
    assert main(["tournament", "report", path, "--html", str(page), "--csv", str(folder)]) == 0
    said = capsys.readouterr().out
    assert ("no game is stored yet" in said) == (games == 0)
    assert f"{counted} game{'' if counted == 1 else 's'} of" in said or not games
    for text in (said, page.read_text(encoding="utf-8")):
        assert says in text
        assert ("seating" in said) == bool(says)
    assert (folder / "games.csv").read_text(encoding="utf-8").count("\n") == 1 + 3 * counted


@pytest.mark.parametrize("command", ["report", "resume", "run"])
def test_a_page_does_not_replace_its_store(tmp_path, monkeypatch, capsys, command):
    path = begun(tmp_path / "x.sqlite", 4)
    before = (tmp_path / "x.sqlite").read_bytes()
    monkeypatch.chdir(tmp_path)
    asked = ["--agents", "random,greedy,battle", "--deals", "1", "--store"] if command == "run" else []
    assert main(["tournament", command, *asked, path, "--html", "x.sqlite"]) == 1
    assert "x.sqlite: the command needs this file; name another" in capsys.readouterr().err
    assert (tmp_path / "x.sqlite").read_bytes() == before


def test_a_unit_that_was_given_up_stands_for_no_games(tmp_path):
    with Store.open(begun(tmp_path / "x.sqlite", 4), write=True) as store:
        give_up(store, 1, "no memory left")
        games, missing = games_of_results(store)
        assert len(list(games)) == 3
        assert missing == "not counted: 1 game of line-ups that lack a seating"


def test_forfeits_are_listed_with_their_reason(tmp_path, capsys):
    what = plan(AGENTS, deals=1)
    with Store.create(tmp_path / "x.sqlite", what) as store:
        store.join(VERSIONS)
        unit = store.claim(what)
        for game in unit.games:
            seat = game.line_up.index("greedy")
            forfeit = replace(played(game), actions=(), scores=(0, 0, 0), decisions=(0, 0, 0))
            store.record(0, replace(forfeit, forfeit_seat=seat, forfeit_reason="ValueError: no idea"))
        store.finish(0)
    assert main(["tournament", "report", str(tmp_path / "x.sqlite")]) == 0
    said = capsys.readouterr().out
    assert "greedy forfeited 3 games: ValueError: no idea" in said
    assert said.count("leader") == 1  # the name of the column: nobody leads


def test_only_the_most_frequent_reasons_are_listed():
    games = [
        replace(played_game(), forfeit_seat=0, forfeit_reason=f"reason {number:02}")
        for number in range(MAX_REASONS + 2)
        for _ in range(1 + number % 2)
    ]
    forfeits = Forfeits()
    assert list(forfeits.of(games)) == games
    lines = forfeits.lines()
    assert len(lines) == MAX_REASONS + 1
    assert (lines[0], lines[-1]) == ("a forfeited 2 games: reason 01", "... and 2 more reasons")


def played_game():
    from test_ratings import game

    return game(0, ("a", "b"), (1, 0))
