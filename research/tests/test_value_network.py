"""Games to learn values from, the value network and its training."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_SOURCES
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.learnable import learnable
from bloodrage_training.learn.policy import Inputs, Policy, SparseRows, load_policy
from bloodrage_training.learn.runs import with_policy, write
from bloodrage_training.markdown import escaped
from research.values import __main__ as command
from research.values import games
from research.values.games import SIDE_BY_SIDE, Played, Targets, mark_of, options_of, play
from research.values.network import ValueNet
from research.values.playing import new_games
from research.values.train import Learner, Settings, returns_of

POLICY = policy_of(file_of(SHIPPED), game="bloodrage")


@pytest.fixture(scope="module")
def played() -> Played:
    """A few games."""
    return play(POLICY, 8, 77)


@pytest.fixture(scope="module")
def targets(played: Played) -> Targets:
    """Some of their decisions."""
    return played.targets(POLICY.net, np.random.default_rng(3))


def equal(one: Played, other: Played) -> bool:
    return all(np.array_equal(array, vars(other)[name]) for name, array in vars(one).items())


def some_rows(players: int, count: int = 6) -> tuple[SparseRows, Inputs]:
    """The same inputs without zeros, and as bytes."""
    states, known, which = new_games(np.full(count, players), 9), learnable("bloodrage"), np.arange(count)
    inputs = Inputs.empty(count, known.forward)
    known.write(states, which, np.zeros(count, bool), inputs, known.forward)
    return SparseRows.of(states, which, known.forward), inputs


def test_decisions_have_the_results_of_their_games(targets: Targets) -> None:
    """Each has the result of its game from its own seat."""
    assert {*targets.players.tolist()} >= {2, 4}
    assert (np.diff(targets.game) >= 0).all()
    assert np.allclose(targets.wins.sum(1), 1)
    absent = np.arange(MAX_SEATS) >= targets.players[:, None]
    assert not targets.wins[absent].any()
    assert not targets.glory[absent].any()
    for number in np.unique(targets.game):
        rows = np.flatnonzero(targets.game == number)
        players = targets.players[rows[0]]
        assert players == options_of(int(number)).num_players
        by_seat = [np.roll(targets.wins[row, :players], targets.seat[row]).tolist() for row in rows]
        assert all(each == by_seat[0] for each in by_seat)
        totals = targets.glory[rows[0]].sum(1)[:players]
        assert (totals == totals.max())[targets.wins[rows[0], :players] > 0].all()


def test_a_file_has_the_games_of_its_seeds(played: Played, targets: Targets, tmp_path: Path) -> None:
    """A seed plays the same games again; the same decisions can be read with the ledger."""
    played.save(tmp_path / "kept.npz", "a mark")
    again = Played.load(tmp_path / "kept.npz", "a mark")
    assert equal(again, played)
    assert equal(play(POLICY, 8, 77), played)
    assert SIDE_BY_SIDE == 1000
    with_ledger = again.targets(POLICY.net.reading(True), np.random.default_rng(3))
    without = again.targets(POLICY.net.reading(False), np.random.default_rng(3))
    assert (with_ledger.seat == targets.seat).all()
    read = (with_ledger.rows.index >= POLICY.net.of_ledger.start) & (with_ledger.rows.index < POLICY.net.of_ledger.stop)
    assert read.any()
    assert (with_ledger.rows.index[~read] == without.rows.index).all()


def test_games_that_do_not_fit_their_seeds_are_refused(played: Played) -> None:
    for actions in (played.actions[::-1].copy(), np.zeros_like(played.actions)):
        with pytest.raises(UserError, match="has an illegal action"):
            Played(played.first, played.lengths, actions).targets(POLICY.net, np.random.default_rng(3))
    short = Played(played.first, played.lengths // 2, played.actions)
    with pytest.raises(UserError, match=r"illegal action|has no end"):
        short.targets(POLICY.net, np.random.default_rng(3))


@pytest.mark.parametrize("name", ["policy", "rules"])
def test_games_of_another_policy_are_refused(played: Played, tmp_path: Path, name: str) -> None:
    mark = mark_of(POLICY)
    other = mark_of(Policy(8, 0, game="bloodrage")) if name == "policy" else f"0 {mark.split()[1]}"
    assert other != mark
    played.save(tmp_path / "games.npz", other)
    with pytest.raises(UserError, match="another policy or other rules"):
        Played.load(tmp_path / "games.npz", mark)
    with pytest.raises(UserError, match="can't read"):
        Played.load(tmp_path / "missing.npz", mark)


def test_lambda_returns_are_turned_from_seat_to_seat() -> None:
    """Three decisions of a game of three and one of a game of two; seat 2 wins the first one."""
    players, seats = np.array([3, 3, 3, 2]), np.array([0, 1, 2, 1])
    wins, chances = np.zeros((2, 4, MAX_SEATS), np.float32)
    wins[[0, 1, 2, 3], [2, 1, 0, 1]] = 1
    chances[:3, :3] = (0.5, 0.3, 0.2), (0.6, 0.4, 0.0), (0.1, 0.2, 0.7)
    none = np.zeros(0)
    some = Targets(none, np.array([4, 4, 4, 5]), seats, players, wins, none)  # type: ignore[arg-type]
    assert returns_of(chances, some, 1.0) == pytest.approx(wins)
    found = returns_of(chances, some, 0.0)
    assert found[:, :3] == pytest.approx(np.array([(0.0, 0.6, 0.4), (0.7, 0.1, 0.2), (1, 0, 0), (0, 1, 0)]), abs=1e-6)
    half = returns_of(chances, some, 0.5)
    assert half[1, :3] == pytest.approx(0.5 * found[1, :3] + 0.5 * wins[1, :3])
    expected = 0.5 * found[0, :3] + 0.5 * np.roll(half[1, :3], 1)
    assert half[0, :3] == pytest.approx(expected)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_are_those_of_the_seats_of_the_game(players: int) -> None:
    """On bytes as on sparse rows; the layers are those of the policy that it begins with."""
    torch.manual_seed(2)
    policy = Policy(16, 1, game="bloodrage")
    net = ValueNet.of_policy(policy)
    for weights in net.chance.parameters():
        weights.data.normal_()
    rows, inputs = some_rows(players)
    number = torch.full((len(rows),), players)
    logs, glory = net(rows, number)
    chances = logs.exp()
    assert torch.allclose(chances.sum(1), torch.ones(len(rows)))
    assert not chances[:, players:].any()
    assert glory.shape == (len(rows), MAX_SEATS, NUM_SOURCES)
    assert torch.allclose(net(inputs, number)[0], logs, atol=1e-4)
    hidden = net.trunk(rows)
    assert torch.allclose(policy.value(hidden), policy(rows)[1], atol=1e-5)


@pytest.mark.parametrize("ledger", [False, True])
def test_training_lowers_the_loss_and_can_be_resumed(played: Played, tmp_path: Path, ledger: bool) -> None:
    played.save(tmp_path / "games.npz", "a mark")

    def learner() -> Learner:
        torch.manual_seed(3)
        settings = Settings(epochs=12, minibatch=32, learning_rate=3e-3, lambda_share=0.0)
        return Learner(ValueNet(16, 1, ledger), [tmp_path / "games.npz"], "a mark", settings)

    whole, stopped, resumed = learner(), learner(), learner()
    losses = [*whole.learn(tmp_path / "whole.pt")]
    assert losses[-1] < 0.8 * losses[0]
    several = stopped.learn(tmp_path / "stopped.pt")
    assert [next(several) for _ in range(5)] == losses[:5]
    stopped.save(tmp_path / "stopped.pt")
    resumed.resume(tmp_path / "stopped.pt")
    assert [*resumed.learn(tmp_path / "stopped.pt")] == losses[5:]
    one, other = (ValueNet.load(tmp_path / f"{name}.pt") for name in ("whole", "stopped"))
    assert one.trunk.net.ledger == ledger
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))
    torch.nn.init.constant_(stopped.weights[0], torch.nan)
    with pytest.raises(UserError, match="the network diverged in file 6"):
        next(several)
    shorter = Learner(ValueNet(16, 1, ledger), [tmp_path / "games.npz"], "a mark", Settings(epochs=2))
    with pytest.raises(UserError, match="is of another run"):
        shorter.resume(tmp_path / "whole.pt")


def test_the_command_plays_trains_and_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files that are there are not played again."""
    monkeypatch.setattr(games, "SIDE_BY_SIDE", 2)
    folder, net = str(tmp_path / "games"), str(tmp_path / "net.pt")
    for lines in (2, 0):
        command.main(["play", folder, "--games", "4"])
        assert capsys.readouterr().err.count(" s\n") == lines
    command.main(["train", net, "--folder", folder, "--games", "4", "--epochs", "2", "--ledger"])
    assert "file 4 of 4" in capsys.readouterr().err
    command.main(["measure", "--net", net, "--games", folder])
    shown = capsys.readouterr().out
    assert f"| {escaped(net)} |" in shown
    assert f"{net}, 2 players: " in shown


def test_checkpoints_of_policies_and_value_networks_are_not_mixed_up(tmp_path: Path) -> None:
    ValueNet(8, 0).save(tmp_path / "net.pt")
    write(tmp_path / "policy.pt", with_policy(Policy(8, 0, game="bloodrage")))
    with pytest.raises(UserError, match="is not a checkpoint"):
        load_policy(tmp_path / "net.pt", game="bloodrage")
    with pytest.raises(UserError, match="is not a checkpoint"):
        ValueNet.load(tmp_path / "policy.pt")
