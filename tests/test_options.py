"""The options of a game, as one record: checked once, the same from the command line to the engine and to files."""

import argparse
import json
from dataclasses import FrozenInstanceError, asdict, fields

import numpy as np
import pytest

from bloodrage_env.core.engine.numbers import checked_seed
from bloodrage_env.core.engine.options import rows
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import NUM_OPTIONS, Option
from bloodrage_env.games.bloodrage.options import DEFAULT, FACTS, Options

P5 = ("p5",)
EVERY = [
    Options(players, first, skip, sets)
    for players, sets in ((2, ()), (3, ()), (4, ()), (4, P5), (5, P5))
    for first in (False, True)
    for skip in (False, True)
]


def parsed(*argv: str, **settled: object) -> Options:
    parser = argparse.ArgumentParser()
    Options.add_arguments(parser, settled)
    return Options.from_arguments(parser.parse_args(argv), **settled)


# ---- values


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 1}, "num_players must be 2 to 5, not 1"),
        ({"num_players": 9}, "num_players must be 2 to 5, not 9"),
        ({"num_players": -(2**70)}, "num_players must be 2 to 5, not -1180591620717411303424"),
    ],
)
def test_values_out_of_range(options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Options(**options)


@pytest.mark.parametrize("value", [2.0, "3", None, True, [3], np.float32(3), np.bool_(True), "3\n" * 1000])
def test_numbers_of_other_types(value: object) -> None:
    with pytest.raises(TypeError, match=r"^num_players must be a whole number, not .{1,60}$"):
        Options(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["first_game", "skip_forced"])
@pytest.mark.parametrize("value", [0, 1, None, "yes", np.int8(1), "yes\n" * 1000])
def test_flags_of_other_types(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=rf"^{name} must be True or False, not .{{1,60}}$"):
        Options(**{name: value})  # type: ignore[arg-type]


def test_values_of_numpy_become_those_of_python() -> None:
    options = Options(np.int64(3), np.bool_(True), np.bool_(False))  # type: ignore[arg-type]
    assert [type(value) for value in asdict(options).values()] == [int, bool, bool, tuple]
    assert options == Options(3, True, False)


def test_they_stay_what_they_are() -> None:
    with pytest.raises(FrozenInstanceError):
        DEFAULT.num_players = 3  # type: ignore[misc]


@pytest.mark.parametrize("seed", [0, 7, 2**63 - 1, np.uint64(2**63 - 1), np.int8(3)])
def test_seeds(seed: int) -> None:
    assert checked_seed(seed) == int(seed)
    assert type(checked_seed(seed)) is int


@pytest.mark.parametrize(
    ("seed", "error"),
    [
        (-1, ValueError),
        (2**63, ValueError),
        (10**900, ValueError),
        (1.0, TypeError),
        (None, TypeError),
        (True, TypeError),
    ],
)
def test_bad_seeds(seed: int, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^seed must be .{1,100}$"):
        checked_seed(seed)


# ---- the same everywhere


def test_the_engine_has_them_in_the_same_order() -> None:
    names = [each.name for each in fields(Options)]
    assert [option.name.lower() for option in Option] == names == list(FACTS)
    assert len(names) == NUM_OPTIONS
    assert set(names) <= set(engine.STATE.names or ())


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_a_game_has_its_options(options: Options) -> None:
    states = engine.new_game(3, *options.numbers())
    assert [states[name][0] for name in FACTS] == options.numbers().tolist()


def test_rows() -> None:
    table = rows(EVERY)
    assert table.dtype == np.int64
    assert table.tolist() == [options.numbers().tolist() for options in EVERY]


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_through_json(options: Options) -> None:
    assert Options.from_json(json.loads(json.dumps(asdict(options)))) == options
    assert Options.from_json(json.loads(json.dumps(options.changed()))) == options


def test_what_is_missing_has_its_default() -> None:
    assert Options.from_json({}) == DEFAULT
    assert Options.from_json({"num_players": 2}) == Options(2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "options are not a table"),
        (None, "options are not a table"),
        ({"weather": "snow"}, "option 'weather' is not known to this version"),
        ({"x" * 9999: 1}, r"option 'x+\.\.\.x+' is not known to this version"),
        ({"num_players": "4"}, "num_players must be a whole number, not '4'"),
        ({"num_players": True}, "num_players must be a whole number, not True"),
        ({"skip_forced": None}, "skip_forced must be True or False, not None"),
        ({"sets": "p5"}, r"sets must be names such as \('p5',\), not 'p5'"),
        ({"sets": 2}, r"sets must be names such as \('p5',\), not 2"),
        ({"sets": ["snow"]}, "sets must be of p5.*, not 'snow'"),
        ({"sets": [["p5"]]}, r"sets must be of p5.*, not \['p5'\]"),
        ({"sets": ["base"]}, "sets must be of p5.*, not 'base'"),
        ({"num_players": 5}, "num_players must be 2 to 4 without the card set p5, not 5"),
    ],
)
def test_other_content_is_refused(content: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{message}$"):
        Options.from_json(content)


def test_in_words() -> None:
    assert str(DEFAULT) == "4 players"
    assert str(Options(2, first_game=True)) == "2 players, first_game=True"
    assert str(Options(3, skip_forced=False)) == "3 players, skip_forced=False"
    assert str(Options(5, sets=("p5",))) == "5 players, sets=p5"


# ---- the command line


def test_arguments() -> None:
    assert parsed() == DEFAULT
    assert parsed("--players", "2") == parsed("--seats", "2") == Options(2)
    assert parsed("--first-game", "--ask-forced") == Options(first_game=True, skip_forced=False)
    assert parsed("--players", "5", "--sets", "p5") == Options(5, sets=P5)
    assert parsed("--sets", "p5,p5") == Options(sets=P5)
    assert parsed("--sets", "") == DEFAULT


def test_five_players_need_their_set() -> None:
    """rules 6.4.1.1: one line, with the cure."""
    with pytest.raises(UserError, match=r"^num_players must be 2 to 4 without the card set p5, not 5$"):
        parsed("--players", "5")


def test_settled_options_have_no_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert parsed("--players", "3", skip_forced=False) == Options(3, skip_forced=False)
    with pytest.raises(SystemExit):
        parsed("--ask-forced", skip_forced=False)
    assert "unrecognized arguments: --ask-forced" in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv",
    [["--players", "1"], ["--seats", "6"], ["--players", "x"], ["--first-game=2"], ["--sets", "snow"], ["--sets", "x"]],
)
def test_bad_arguments_are_refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        parsed(*argv)
    assert stopped.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_every_option_is_described() -> None:
    assert all(facts.meaning and facts.help and facts.flags for facts in FACTS.values())
