"""Golden games: whole games as text, replayed line by line.

A rules change shows here as a difference in a game. Where it is wanted, write the files anew with
`python -m tests.make_golden` and look at what changed.
"""

import pytest
from golden_text import FOLDER, SIGNATURES, Options, game_text, read_actions, read_options

from bloodrage_env.games.bloodrage.engine.ids import Decision

FILES = sorted(path for path in FOLDER.glob("*.txt") if path.stem not in SIGNATURES)
HINT = "wanted? `python -m tests.make_golden` writes the golden files anew"


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_game(path):
    expected = lines_of(path)
    options = read_options(expected[0])
    last = ""
    count = 0
    for count, (line, wanted) in enumerate(zip(game_text(options, read_actions(expected)), expected, strict=False), 1):
        if line[:1].isdigit():
            last = line
        assert line == wanted, f"{path.name}, line {count}, after {last}\n{HINT}"
    assert count == len(expected)


def test_the_golden_games_show_the_game():
    """Two, three and four players, with and without a draft in Age 1 and with forced questions asked."""
    options = {read_options(lines_of(path)[0])[:1] + read_options(lines_of(path)[0])[2:] for path in FILES}
    assert {each[0] for each in options} == {2, 3, 4}
    assert {each[1] for each in options} == {each[2] for each in options} == {False, True}
    questions = {line.split()[2] for path in FILES for line in lines_of(path) if line[:1].isdigit()}
    rare = {"SACRIFICE", "FREE_PILLAGE", "BUY_BACK"}
    assert questions >= {decision.name for decision in Decision} - {"NONE"} - rare
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 250_000


def test_options_are_read_as_written():
    for options in (Options(2, 5), Options(4, 2**40, True, False), Options(3, 1, sets=10)):
        assert read_options(options.line) == options
