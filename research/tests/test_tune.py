"""The tuner: SPSA over the constants of a search and the numbers of a style."""

import json
import re
from argparse import ArgumentTypeError

import numpy as np
import pytest

from bloodrage_agents import registry
from bloodrage_agents.games.bloodrage.compiled.weights import COLUMN, NUM_WEIGHTS, STYLES, TABLE, Weight
from bloodrage_agents.match import GameRecord
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import Card
from bloodrage_env.games.bloodrage.options import Options
from research.tune import search, spsa
from research.tune.__main__ import held_number, main
from research.tune.search import Search
from research.tune.spsa import Numbers
from research.tune.style import Style

BALANCED = TABLE[STYLES.index("balanced")].astype(np.float64)
ISMCTS = "ismcts:path=shipped,simulations=2"
GUIDED = "ismcts:simulations=100,path=shipped"


# ---- the method


class Duel:
    """Numbers of which the side wins that is nearer to the best."""

    def __init__(self, pairs, best=(1.2, 90.0), low=(0.0, 0.0)):
        steps, high = np.array([0.15, 20.0]), np.array([100.0, 10_000.0])
        self.numbers = Numbers(("one", "other"), np.array([0.3, 30.0]), steps, np.array(low), high)
        self.pairs, self.deals, self.best = pairs, 1, np.array(best)
        self.tried = []

    def play(self, up, down, players, rng):
        self.tried.extend([*up, *down])
        far = [np.abs((side - self.best) / self.numbers.steps).sum(1) for side in (up, down)]
        return np.sign(far[1] - far[0])

    def as_text(self, values):
        return str(values)


def tuned(subject, iterations):
    values = subject.numbers.values
    for k in range(iterations):
        values = spsa.iterate(subject, values, k, iterations, 4, seed=1)
    return values


@pytest.mark.parametrize("pairs", [1, 9])
def test_numbers_move_towards_what_wins(pairs):
    one, other = tuned(Duel(pairs), 300)
    assert one == pytest.approx(1.2, abs=0.15)
    assert other == pytest.approx(90, abs=20)


def test_several_changes_find_the_way_in_fewer_iterations():
    few, many = Duel(1), Duel(9)
    best = few.best / few.numbers.steps
    after = [np.abs(tuned(each, 20) / each.numbers.steps - best).sum() for each in (few, many)]
    assert after[1] < after[0]


def test_numbers_keep_to_what_they_may_be():
    subject = Duel(1, best=(-5.0, 90.0), low=(0.25, 0.0))
    assert tuned(subject, 40)[0] == 0.25
    assert min(row[0] for row in subject.tried) == 0.25


# ---- the constants of a search


def test_a_lead_is_that_of_the_seats_that_were_moved():
    def game(*glory):
        return GameRecord(1, Options(len(glory)), (), glory)

    assert search.lead(game(5, 3), [True, False]) == 1
    assert search.lead(game(5, 7, 6), [True, False, True]) == -1
    assert search.lead(game(7, 7, 6), [True, False, True]) == 0
    with pytest.raises(UserError, match="an agent forfeited: broken"):
        search.lead(GameRecord(1, Options(2), (), (0, 0), 1, "broken"), [True, False])


def test_every_constant_that_can_be_tuned_is_an_argument():
    for name in search.STEPS:
        spec = search.with_constants("ismcts:simulations=5", {name: 0.25})
        assert registry.parse(spec).arguments[name] == 0.25


def test_a_search_begins_with_its_own_constants():
    subject = Search(f"{GUIDED},exploration=2", ["exploration", "offset"], {}, 1, 1, 4)
    assert subject.numbers.values.tolist() == [2.0, 50.0]
    assert subject.as_text(np.array([0.5, 40.0])) == f"{GUIDED},exploration=0.5000,offset=40.0000"
    for budget in ("simulations=100", "ms=5"):
        subject = Search(f"ismcts:path=shipped,{budget}", ["exploration"], {}, 1, 1, 2)
        assert subject.numbers.values.tolist() == [0.53]
    held = Search(GUIDED, [], {"offset": 10.0}, 1, 1, 4)
    assert set(held.numbers.names) == set(search.STEPS) - {"offset", "sharpness"}
    assert registry.parse(held.spec).arguments["offset"] == 10


@pytest.mark.parametrize(
    ("spec", "idle"),
    [
        (GUIDED, {"sharpness"}),
        (f"{GUIDED},candidates=0", {"sharpness", "confidence", "offset"}),
        ("ismcts:ms=50,path=shipped,threads=2", {"sharpness"}),
        ("ismcts:simulations=100", {"confidence", "offset"}),
        ("ismcts:simulations=100,candidates=8", set()),
    ],
)
def test_what_makes_no_difference_is_not_tuned(spec, idle):
    assert set(Search(spec, [], {}, 1, 1, 4).numbers.names) == set(search.STEPS) - idle
    for name in idle:
        for names, held in (([name], {}), (["noise"], {name: 1.0})):
            with pytest.raises(UserError, match=rf"{name} has no effect.*: it is for .*; leave it out$"):
                Search(spec, names, held, 1, 1, 4)


def test_the_seats_of_a_deal_are_exchanged():
    """The same constants on both sides win as much as they lose."""
    subject = Search(ISMCTS, ["exploration"], {}, 1, 1, 2)
    same = np.array([[0.3]])
    assert subject.play(same, same, 2, np.random.default_rng(2)).tolist() == [0.0]


# ---- the numbers of a style


def test_what_is_held_or_has_no_part_is_not_tuned():
    subject = Style("balanced", [], {"QUEST": 1.5}, 3, 2)
    named = set(subject.numbers.names)
    assert not named & {"QUEST", "NOISE", "PASS", "HUNT", "WIDESPREAD_1"}
    assert {"RAGE", "CROWD", "TROLL"} <= named
    assert subject.rows(subject.numbers.values[None])[0, Weight.QUEST] == 1.5
    assert Style("balanced", ["RAGE", "TROLL"], {}, 3, 2).numbers.names == ("RAGE", "TROLL")


def test_shares_stay_shares():
    subject = Style("balanced", ["GUESS", "QUEST"], {}, 1, 1)
    values = subject.numbers.values
    rows = subject.numbers.limited(np.stack([values + 9, values - 9]))
    assert rows[:, 0].tolist() == [1.0, 0.0]
    assert rows[0, 1] == pytest.approx(BALANCED[Weight.QUEST] + 9, abs=1e-4)


def test_both_ways_are_played_in_the_same_games():
    """With no change at all neither is ahead, and games are worth something else in another change."""
    subject = Style("balanced", [], {}, 2, 4)
    rows = np.tile(subject.numbers.values, (2, 1))
    assert subject.play(rows, rows, 3, np.random.default_rng(3)).tolist() == [0.0, 0.0]
    worth = subject.worth(np.tile(BALANCED, (4, 1)), 8, 3, np.random.default_rng(3))
    assert worth[0, 0] != worth[0, 1]


def test_a_style_that_passes_is_behind():
    subject = Style("balanced", ["RAGE"], {}, 1, 12)
    lazy = BALANCED.copy()
    lazy[Weight.PASS] = 99.0
    worth = subject.worth(np.stack([BALANCED, lazy]), 12, 4, np.random.default_rng(3))
    assert worth[0, 0] > worth[1, 0] + 0.2


def test_numbers_are_told_as_a_column_of_the_table():
    subject = Style("hunter", ["TROLL"], {"HUNT": 0.5}, 1, 1)
    head, *lines = subject.as_text(np.array([1.25])).splitlines()
    found = dict(line.split(",") for line in lines)
    assert head == "name,hunter"
    assert (found["HUNT"], found["TROLL"]) == ("0.50", "1.25")
    assert float(found["RAGE"]) == pytest.approx(TABLE[STYLES.index("hunter"), Weight.RAGE], abs=0.005)
    assert COLUMN["TROLL"] == NUM_WEIGHTS + Card.TROLL
    assert "WIDESPREAD_1" not in found  # of a set that is not played


# ---- the command


@pytest.mark.parametrize(
    "rest",
    [
        [ISMCTS, "exploration", "--seats", "2"],
        ["hunter", "--hold", "HUNT=4", "--pairs", "2", "--deals", "1", "--players", "2"],
    ],
)
def test_a_run_goes_on_where_its_log_ends(rest, tmp_path, capsys):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    main([*rest, "--iterations", "2", "--log", str(whole)])
    parts.write_text(whole.read_text().splitlines(keepends=True)[0])
    main([*rest, "--iterations", "2", "--log", str(parts)])
    assert parts.read_text() == whole.read_text()
    assert len(whole.read_text().splitlines()) == 2
    output, progress = capsys.readouterr()
    half = len(output) // 2
    assert output[:half] == output[half:]
    assert progress.count("iteration 2 of 2, 0.0 minutes to go") == 2
    if rest[0] == ISMCTS:
        last = json.loads(whole.read_text().splitlines()[-1])
        assert registry.parse(output.splitlines()[0]).arguments["exploration"] == last["exploration"]
    else:
        assert output.startswith("name,hunter\n")
        assert "\nHUNT,4.00\n" in output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["random", "exploration"], "random has no constants to tune; ismcts has"),
        (["ismcts", "speed"], "speed can't be tuned; there are exploration"),
        (["ismcts", "noise"], "log.jsonl: its last line is not of noise; name another file with --log"),
        (["balanced", "HATE"], "a style has no weight or card 'HATE'"),
        (["balanced", "HUNT"], "nothing is left of balanced to tune"),
        (["balanced", "--hold", "HUNT"], "'HUNT' is not written as NAME=number"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments, complaint, tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text('{"offset": 30.0}\n')
    with pytest.raises(SystemExit):
        main([*arguments, "--log", str(log)])
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    "line", ["{", "[", "[]", '{"exploration": NaN}', '{"exploration": "x"}', '{"offset": 1e999}', "[" * 99_999]
)
def test_a_damaged_log_is_refused_in_a_line(line, tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text(f"{line}\n")
    with pytest.raises(SystemExit):
        main(["ismcts", "exploration", "--log", str(log)])
    assert re.search(r"log.jsonl: its? .+; name another file with --log$", capsys.readouterr().err.strip())


def test_a_held_number_has_a_name_and_a_value():
    assert held_number("HUNT=1.5") == ("HUNT", 1.5)
    with pytest.raises(ArgumentTypeError):
        held_number("HUNT=much")
