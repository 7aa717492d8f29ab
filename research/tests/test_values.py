"""The error of value functions on positions that were played out, and the positions that come with the project."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from damaged_arrays import Change, complaint
from pool_here import Here

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env.core.engine.rewards import win_rewards
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_AGES
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.policy import Policy
from bloodrage_training.tournament.estimates import PARTS
from research.values import __main__ as command
from research.values import games
from research.values.measure import (
    EQUAL,
    REDEALT,
    Value,
    error,
    explained,
    measure,
    noise_of,
    squared_errors,
    value_of,
)
from research.values.playing import from_seat, new_games
from research.values.positions import FILE, KINDS, Positions, make

POLICY = policy_of(file_of(SHIPPED), game="bloodrage")
COUNT, ROLLOUTS = 2000, 20


@pytest.fixture(scope="module")
def kept() -> Positions:
    """Those that come with the project."""
    return Positions.load(FILE)


def drawn(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Chances of two seats, float64[COUNT, 2], and results of play-outs with these chances."""
    rng = np.random.default_rng(seed)
    first = rng.uniform(0.1, 0.9, COUNT)
    wins = (rng.random((COUNT, ROLLOUTS)) < first[:, None]).astype(float)
    return np.stack([first, 1 - first], 1), np.stack([wins, 1 - wins], 2)


@pytest.mark.parametrize("points", [0, 5, 17])
def test_a_known_error_is_measured_without_the_noise_of_the_play_outs(points: int) -> None:
    chances, played = drawn()
    signs = np.where(np.arange(COUNT) % 2, 1, -1)[:, None]
    value = Value.exact(chances + signs * points / 100)
    found = error(squared_errors(value, played)[:, 0])
    assert found.low <= points <= found.high
    assert found.value**2 == pytest.approx(points**2, abs=15)  # 3 points where there is no error
    raw = 100 * np.sqrt(((value.chances - played.mean(1)) ** 2).mean())
    assert raw > np.hypot(points, 9)  # of a perfect value too: that is the noise of 20 play-outs


def test_one_position_has_no_interval() -> None:
    assert (error(np.array([0.04])).value, error(np.array([0.04])).bounded) == (pytest.approx(20), False)
    assert error(np.array([0.04, 0.01])).bounded


def test_other_play_outs_have_no_error() -> None:
    chances, played = drawn()
    others = (np.random.default_rng(2).random((COUNT, ROLLOUTS, 2)) < chances[:, None]).astype(float)
    found = squared_errors(Value.mean(others), played)
    assert abs(found.mean()) < 3 * found.mean(1).std() / np.sqrt(COUNT)
    assert noise_of(others).mean() == pytest.approx((chances * (1 - chances)).mean() / ROLLOUTS, rel=0.05)


def test_explained_is_the_share_of_the_variance_of_results() -> None:
    chances, played = drawn()
    equal = np.full_like(chances, 0.5)
    assert explained(Value.exact(equal), played, equal) == 0
    known = chances[:, 0].var() / 0.25  # of results that are won as often as lost
    assert explained(Value.exact(chances), played, equal) == pytest.approx(known, abs=0.02)
    assert explained(Value.mean(played), played, equal) > known  # the same play-outs: it has seen the results


@pytest.mark.parametrize("players", [2, 4])
def test_the_value_head_is_read_as_chances_from_the_seat_to_act(players: int) -> None:
    """A reward of the winner is a chance of 1, seats that are not there have none."""
    policy, states = Policy(8, 0, game="bloodrage"), new_games(np.array([players]), 5)
    policy.value.weight.data.zero_()
    scores = [0] * players
    scores[1] = 1
    policy.value.bias.data[:players] = policy.value.bias.data.new_tensor(win_rewards(scores))
    assert value_of(policy, states).chances == pytest.approx(np.eye(1, MAX_SEATS, 1))
    wins = np.arange(MAX_SEATS, dtype=np.float32)[None]
    turned = from_seat(wins, np.array([players]), np.array([players - 1]))[0]
    assert turned.tolist() == [players - 1, *range(players - 1), *[0] * (MAX_SEATS - players)]


def test_the_positions_of_the_project(kept: Positions) -> None:
    """As many of each number of players and Age; open decisions of several kinds; the shipped policy knows something,
    and play-outs of redeals, which know what a seat can know, more.
    """
    states = kept.states()
    for players in (2, 4):
        ages = states["age"][kept.players == players]
        assert np.bincount(ages).tolist() == pytest.approx([len(states) / 2 / NUM_AGES] * NUM_AGES, abs=1)
    assert (states["num_players"] == kept.players).all()
    assert (states["mask"].sum(1) > 1).all()
    assert {*KINDS} < {*states["decision"].tolist()}
    assert len(states) == 10_000
    assert kept.played.shape[1] == kept.redealt.shape[1] == 8
    rows = measure(kept, states["age"].astype(np.int64), {SHIPPED: value_of(POLICY, states)})
    errors = {row.function: row.own for row in rows if row.players == 4 and row.age is None}
    assert errors[EQUAL].low > errors[SHIPPED].high
    assert errors[SHIPPED].low > errors[REDEALT].high
    on_redeals = {row.function: row.redealt for row in rows if row.players == 4 and row.age is None and row.redealt}
    assert on_redeals.keys() == {EQUAL, SHIPPED}
    assert on_redeals[EQUAL].low > on_redeals[SHIPPED].high


def test_positions_are_made_again_from_their_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, again = (make(POLICY, 6, 2, 7, SHIPPED) for _ in range(2))
    assert first.states()["age"].tolist() == [0, 0, 1, 1, 2, 2]
    assert (first.played.sum(2, dtype=int) == PARTS).all()
    assert (first.played != first.redealt).any()
    first.save(tmp_path / "first.npz")
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    command.main(["measure", "--positions", str(tmp_path / "first.npz")])
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("| players | Age | positions |")
    assert len(lines) == 2 * (1 + NUM_AGES) * 3


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (lambda arrays: arrays | {"recipe": np.array('{"format": 1, "rules": "0"}')}, "of another version"),
        (lambda arrays: arrays | {"recipe": np.array("[]")}, "Expected `object`, got `array`"),
        (lambda arrays: arrays | {"played": arrays["played"][:, :1]}, "it is damaged"),
        (lambda arrays: arrays | {"played": arrays["played"] // 2}, "it is damaged"),
        (lambda arrays: arrays | {"lengths": arrays["lengths"][1:]}, "it is damaged"),
        (lambda arrays: arrays | {"players": arrays["players"] + 9}, "it is damaged"),
        (lambda arrays: {name: array for name, array in arrays.items() if name != "seeds"}, "it is damaged"),
    ],
)
def test_a_damaged_file_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damaged: Change, reason: str
) -> None:
    path = tmp_path / "damaged.npz"
    said = complaint(command.main, "--positions", FILE, damaged, path, capsys)
    assert f"{path} holds no positions: " in said
    assert reason in said


def test_actions_that_are_not_legal_are_one_line(kept: Positions, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not legal"):
        replace(kept, actions=kept.actions[::-1].copy()).states()
    with pytest.raises(SystemExit):
        command.main(["measure", "--positions", str(tmp_path / "missing.npz")])


def test_ctrl_c_while_workers_play_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "make_pool", lambda backend, size: Here(size))
    monkeypatch.setattr(games, "play_file", interrupted)
    with pytest.raises(KeyboardInterrupt):
        command.main(["play", str(tmp_path), "--workers", "2"])
