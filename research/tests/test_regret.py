"""The regret of policies at decisions that were searched, and the decisions that come with the project."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from damaged_arrays import Change, complaint

from bloodrage_agents.ismcts import children
from bloodrage_agents.mcts.nodes import ROOT
from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env.errors import UserError
from bloodrage_training.learn.export import policy_of
from research.regret import __main__ as command
from research.regret import decisions
from research.regret.decisions import FILE, SEARCHES, Judge, Judged, make, visits_of
from research.regret.measure import (
    ALL,
    EQUAL,
    chances_of,
    equal_of,
    kinds_of,
    mean_of,
    measure,
    regret_of,
    regrets,
)
from research.values.playing import new_games

POLICY = policy_of(file_of(SHIPPED), game="bloodrage")
COUNT, NOISE = 4000, 0.05


@pytest.fixture(scope="module")
def kept() -> Judged:
    """Those that come with the project."""
    return Judged.load(FILE)


def judged(truth: np.ndarray, choices: np.ndarray, noise: float = NOISE) -> Judged:
    """Decisions whose actions have these values, found by two searches with this noise."""
    none = np.zeros(len(choices), np.int64)
    values = truth + np.random.default_rng(3).normal(0, noise, (SEARCHES, len(truth)))
    return Judged({}, none, none + 2, none, none[:0], choices, none + 100, values.astype(np.float32))


def test_where_all_actions_are_equal_there_is_no_regret() -> None:
    """The largest of some noisy values is too high; the value of the same action in another search is not."""
    choices = np.arange(COUNT) % 8 + 2
    found = judged(np.full(choices.sum(), 0.4), choices)
    chances = equal_of(choices)
    regret = regrets(found, chances)
    assert abs(regret.mean()) < 3 * regret.std() / np.sqrt(COUNT)
    starts = np.append(0, choices.cumsum()[:-1])
    biased = np.maximum.reduceat(found.values[0], starts) - np.add.reduceat(chances * found.values[0], starts)
    assert 100 * biased.mean() > 5
    likely = regret_of(found, chances).likely
    assert abs(likely.mean()) < 3 * likely.std() / np.sqrt(COUNT)


def test_a_known_regret_is_found() -> None:
    """Sampled with probabilities 0.7 and 0.3 between 0.5 and 0.8: 21 points. Its most likely action loses 30."""
    found = regret_of(judged(np.tile([0.5, 0.8], COUNT), np.full(COUNT, 2)), np.tile([0.7, 0.3], COUNT))
    assert found.sampled.mean() == pytest.approx(21, abs=0.5)
    assert found.likely.mean() == pytest.approx(30, abs=0.5)
    best = regret_of(judged(np.tile([0.5, 0.8], COUNT), np.full(COUNT, 2)), np.tile([0.0, 1.0], COUNT))
    assert abs(best.sampled.mean()) < 0.5


def test_few_numbers_have_the_interval_of_students_distribution_and_one_has_none() -> None:
    few, one = mean_of(np.array([1.0, 2.0, 6.0])), mean_of(np.array([3.0]))
    assert (few.value, few.high - few.value) == pytest.approx((3, 4.3027 * np.sqrt(7 / 3)))
    assert not one.bounded
    assert one.value == 3


def test_a_search_visits_all_legal_actions_equally_often() -> None:
    """Also actions to which the policy gives no chance; another seed has other deals."""
    states, judge = new_games(np.array([2]), 7), Judge(POLICY, 100)
    choices = int(states[0]["num_legal"])
    one, again, other = (judge.values(states, 0, seed) for seed in (1, 1, 2))
    tree = judge._tree
    visits = [int(tree.nodes[child]["visits"]) for child in children(tree.nodes, ROOT)]
    assert visits == [visits_of(choices, 100)] * choices == [100 // choices] * choices
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert np.abs(one - other).max() < 0.5
    assert visits_of(1000, 100) == 1


def test_the_decisions_of_the_project(kept: Judged) -> None:
    states = kept.states()
    assert FILE.stat().st_size < 2**20
    assert np.bincount(kept.players).tolist() == [0, 0, 500, 0, 500]
    assert (kept.choices * kept.visits > 2900).all()
    assert len({*kinds_of(states)}) == 5
    shipped = regret_of(kept, chances_of(POLICY, states))
    whole = {
        (row.players, row.policy): row for row in measure(kept, kinds_of(states), {SHIPPED: shipped}) if row.kind == ALL
    }
    for players in (2, 4):
        assert 0 < whole[players, SHIPPED].sampled.value < whole[players, SHIPPED].sampled.high
        assert whole[players, SHIPPED].sampled.high < whole[players, EQUAL].sampled.low


def test_decisions_are_made_again_from_their_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, again = (make(POLICY, 4, 40, 7, SHIPPED) for _ in range(2))
    first.save(tmp_path / "first.npz")
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    other = tmp_path / "copy.npz"
    other.write_bytes(file_of(SHIPPED).read_bytes())
    command.main(["measure", SHIPPED, str(other), "--decisions", str(tmp_path / "first.npz")])
    printed = capsys.readouterr()
    head, _, *lines = printed.out.splitlines()
    assert head.startswith("| players | kind | decisions | policy |")
    assert sum(line.endswith(("| 0.00 (0.00 to 0.00) |", "| 0.00 |")) for line in lines) == len(lines) // 3  # changes
    assert "nan" not in printed.out
    assert f"{other}: " in printed.err


def test_the_recipe_tells_how_decisions_were_valued(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "DeviceJudge", Judge)  # without a GPU, the values are those of the CPU
    make(POLICY, 2, 8, 7, SHIPPED, "cuda").save(tmp_path / "made.npz")
    usual = {"policy": SHIPPED, "seed": 7, "simulations": 8}
    assert Judged.load(tmp_path / "made.npz").recipe.items() >= {**usual, "method": "searches without a tree"}.items()
    assert "method" not in make(POLICY, 2, 8, 7, SHIPPED).recipe
    command.main(["measure", SHIPPED, "--decisions", str(tmp_path / "made.npz")])
    assert "| shipped |" in capsys.readouterr().out


def test_searches_on_a_gpu_that_is_missing_are_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(["make", str(tmp_path / "made.npz"), "--device", "cuda"])
    assert "--device cuda: PyTorch finds no such GPU; give cpu" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (lambda arrays: arrays | {"recipe": np.array('{"format": 1, "rules": "0"}')}, "of another version"),
        (lambda arrays: arrays | {"recipe": np.array("[]")}, "Expected `object`, got `array`"),
        (lambda arrays: arrays | {"values": arrays["values"][:, 1:]}, "it is damaged"),
        (lambda arrays: arrays | {"values": arrays["values"] + 1}, "it is damaged"),
        (lambda arrays: arrays | {"values": arrays["values"] * np.float32(np.nan)}, "it is damaged"),
        (lambda arrays: arrays | {"choices": arrays["choices"] - 1}, "it is damaged"),
        (lambda arrays: arrays | {"visits": arrays["visits"] * 0}, "it is damaged"),
        (lambda arrays: arrays | {"lengths": arrays["lengths"][1:]}, "it is damaged"),
        (lambda arrays: {name: array for name, array in arrays.items() if name != "values"}, "it is damaged"),
    ],
)
def test_a_damaged_file_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damaged: Change, reason: str
) -> None:
    path = tmp_path / "damaged.npz"
    said = complaint(command.main, "--decisions", FILE, damaged, path, capsys)
    assert f"{path} holds no judged decisions: " in said
    assert reason in said


def test_values_of_other_decisions_are_refused(kept: Judged, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not those of these decisions"):
        replace(kept, choices=kept.choices[::-1].copy()).states()
    with pytest.raises(UserError, match="not legal"):
        replace(kept, actions=kept.actions[::-1].copy()).states()
    with pytest.raises(SystemExit):
        command.main(["measure", "--decisions", str(tmp_path / "missing.npz")])
