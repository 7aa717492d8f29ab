"""SPSA over the constants of the search."""

import json
import sys

import pytest

from bloodrage_agents import registry
from bloodrage_agents.match import GameRecord
from bloodrage_env.errors import UserError
from bloodrage_env.options import Options
from bloodrage_training import tune

STEPS = {"exploration": 0.15, "offset": 20.0}


def test_constants_move_towards_what_wins():
    """The best is exploration 1.2 and offset 90; each game is won by what is nearer."""

    def far(constants):
        return abs(constants["exploration"] - 1.2) / 0.15 + abs(constants["offset"] - 90) / 20

    constants = {"exploration": 0.3, "offset": 30.0}
    for k in range(300):
        constants = tune.iterate(
            constants, STEPS, k, 300, lambda up, down, _: 1.0 if far(up) < far(down) else -1.0, seed=1
        )
    assert constants["exploration"] == pytest.approx(1.2, abs=0.15)
    assert constants["offset"] == pytest.approx(90, abs=20)


def test_constants_keep_to_what_the_argument_may_be():
    constants = {"first_play": 0.0}
    tried = []

    def match(up, down, _k):
        tried.extend([up["first_play"], down["first_play"]])
        return 1.0 if up["first_play"] < down["first_play"] else -1.0

    for k in range(20):
        constants = tune.iterate(constants, tune.STEPS, k, 20, match, seed=3)
    assert constants == {"first_play": 0.0}
    assert min(tried) == 0.0


def test_a_lead_is_that_of_the_seats_that_were_moved():
    def game(*glory):
        return GameRecord(1, Options(len(glory)), (), glory)

    assert tune.lead(game(5, 3), [True, False]) == 1
    assert tune.lead(game(5, 7, 6), [True, False, True]) == -1
    assert tune.lead(game(7, 7, 6), [True, False, True]) == 0
    with pytest.raises(UserError, match="an agent forfeited: broken"):
        tune.lead(GameRecord(1, Options(2), (), (0, 0), 1, "broken"), [True, False])


def test_every_constant_that_can_be_tuned_is_an_argument():
    for name in tune.STEPS:
        spec = tune.with_constants("ismcts:simulations=5", {name: 0.25})
        assert registry.parse(spec).arguments[name] == 0.25
    assert tune.begin("ismcts:path=shipped,exploration=2", ["exploration"]) == {"exploration": 2.0}


def command(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["tune", *map(str, arguments)])
    tune.main()


def test_a_run_goes_on_where_its_log_ends(tmp_path, monkeypatch, capsys):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    rest = ["ismcts:simulations=2", "exploration", "--seats", 2, "--iterations"]
    command(monkeypatch, *rest, 2, "--log", whole)
    parts.write_text(whole.read_text().splitlines(keepends=True)[0])
    command(monkeypatch, *rest, 2, "--log", parts)
    assert parts.read_text() == whole.read_text()
    assert len(whole.read_text().splitlines()) == 2
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert (
        registry.parse(first).arguments["exploration"] == json.loads(whole.read_text().splitlines()[-1])["exploration"]
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["balanced", "exploration"], "balanced has no constants to tune; ismcts has"),
        (["ismcts", "speed"], "speed can't be tuned; there are exploration"),
        (["ismcts", "noise"], "is of other constants"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments, complaint, tmp_path, monkeypatch, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text('{"offset": 30.0}\n')
    with pytest.raises(SystemExit):
        command(monkeypatch, *arguments, "--log", log)
    assert complaint in capsys.readouterr().err
