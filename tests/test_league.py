"""A league: whom the player meets, exploiters, logs, and what happens after a stop. And the slow copy of a policy."""

import copy
import dataclasses
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from pool_here import Here
from run_content import rows, same
from small_ppo import SHORT, SMALL, play, rows_of

from bloodrage_env.errors import UserError
from bloodrage_training.learn import league, ppo, recipe
from bloodrage_training.learn.config import League, Ppo
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.league import Member, members, opponents, priority, runs_of
from bloodrage_training.learn.policy import Policy, load_policy
from bloodrage_training.learn.run import Run
from bloodrage_training.learn.slow import SlowCopy
from bloodrage_training.learn.tables import Tables

CONFIG = League(
    seed=5,
    decisions=1_000,
    exploiter_decisions=500,
    exploiters=(3, 2),
    rounds=2,
    width=16,
    layers=1,
    games=8,
    steps=64,
    minibatch=256,
    learning_rate=1e-3,
    evaluation_games=4,
    league_games=4,
    slow_weight=0.1,
)
MEMBERS = ["player-0", "exploiter-0-3", "exploiter-0-2", "player-1", "exploiter-1-3", "exploiter-1-2", "player-2"]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers in this process."""
    monkeypatch.setattr(league, "make_pool", lambda backend, size: Here(size))


def weights(path: Path) -> dict[str, torch.Tensor]:
    return load_policy(path, game="bloodrage")[0].state_dict()


# ---- whom the player meets


def test_members_are_the_players_and_the_exploiters_of_each_round() -> None:
    assert [member.name for member in members(CONFIG, 2)] == MEMBERS
    assert [member.players for member in members(CONFIG, 2)] == [4, 3, 2, 4, 3, 2, 4]
    assert CONFIG.runs == 6


def test_without_exploiters_named_there_is_one_for_each_number_of_players() -> None:
    assert dataclasses.replace(CONFIG, exploiters=()).exploited_players == (4, 3, 2)


@pytest.mark.parametrize(("players", "par"), [(2, 0.5), (3, 1 / 3), (4, 0.25), (5, 0.2)])
def test_the_priority_depends_on_the_advantage_over_one_opponent(players: int, par: float) -> None:
    """(1 - p)^2, where p is 1/2 for equal players, however many they are."""
    assert priority(par, players) == pytest.approx(0.25)
    assert priority(0.0, players) == 1.0
    assert priority(1.0, players) == league.LEAST
    shares = np.linspace(0, 1, 11)
    found = [priority(float(share), players) for share in shares]
    assert found == sorted(found, reverse=True)


def test_shares_of_the_opponents() -> None:
    """Snapshots, exploiters and styles have their shares; within a kind, the weight is the priority."""
    shares = dict(zip(members(CONFIG, 1), [0.25, 1 / 3, 0.2, 0.5], strict=True))
    config = dataclasses.replace(CONFIG, snapshots=0.5, exploited=0.3, opponents={"loki": 1.0, "balanced": 3.0})
    found = opponents(config, Path("x"), shares)
    assert sum(found.values()) == pytest.approx(1.0)
    assert found["x/player-0.npz"] + found["x/player-1.npz"] == pytest.approx(0.5)
    assert found["x/player-0.npz"] / found["x/player-1.npz"] == pytest.approx(0.25 / priority(0.5, 4))
    assert found["x/exploiter-0-3.npz"] + found["x/exploiter-0-2.npz"] == pytest.approx(0.3)
    assert found["x/exploiter-0-2.npz"] > found["x/exploiter-0-3.npz"]
    assert (found["loki"], found["balanced"]) == (pytest.approx(0.05), pytest.approx(0.15))


def test_before_there_are_exploiters_styles_have_their_share() -> None:
    found = opponents(dataclasses.replace(CONFIG, opponents={"loki": 1.0}), Path("x"), {Member("player-0", 4): 0.25})
    assert found == {"x/player-0.npz": 0.5, "loki": pytest.approx(0.5)}


def test_the_player_meets_those_that_it_beats_least_often() -> None:
    """A network more is a call more at every step."""
    known = [Member(f"player-{number}", 4) for number in range(league.MOST + 3)]
    shares = {member: 0.2 + 0.01 * number for number, member in enumerate(known)}
    met = [name for name in opponents(CONFIG, Path("x"), shares) if name.endswith(".npz")]
    assert met == [f"x/player-{number}.npz" for number in range(league.MOST)]


def test_exploiters_meet_the_player_alone() -> None:
    runs = runs_of(CONFIG, 2, Path("x"), dict.fromkeys(members(CONFIG, 1), 0.3))
    assert list(runs) == ["player-2", "exploiter-1-3", "exploiter-1-2"]
    assert [run.seed for run in runs.values()] == [8, 9, 10]
    for players, run in zip((3, 2), list(runs.values())[1:], strict=True):
        assert (run.start, run.opponents) == ("x/player-1.pt", {"x/player-1.pt": 1.0})
        assert (run.players, run.self_play, run.more_seats, run.decisions) == ((players,), 0.0, 0.0, 500)
        assert run.slow_weight == 0.0  # it is to leave the player
    assert runs["player-2"].slow_weight == 0.1


def test_the_minutes_of_a_league_are_those_of_all_rounds() -> None:
    runs = runs_of(dataclasses.replace(CONFIG, minutes=6.0, rounds=3), 2, Path("x"), {Member("player-0", 4): 0.25})
    assert {run.minutes for run in runs.values()} == {2.0}


def test_the_player_decays_and_averages_in_the_last_round_only() -> None:
    config = dataclasses.replace(CONFIG, average=0.3)
    both = [runs_of(config, number, Path("x"), {Member("player-0", 4): 0.25}) for number in (1, 2)]
    assert [next(iter(runs.values())).average for runs in both] == [0.0, 0.3]
    assert [next(iter(runs.values())).learning_rate_decay for runs in both] == [0.0, 1.0]
    assert {run.learning_rate_decay for runs in both for run in list(runs.values())[1:]} == {1.0}


# ---- a run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a league of two rounds."""
    folder = tmp_path_factory.mktemp("league") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(league, "make_pool", lambda backend, size: Here(size))
        assert league.train(CONFIG, folder)
    return folder


@pytest.mark.slow
def test_a_league(whole: Path) -> None:
    logged = rows(whole / "league.csv")
    assert [(row["updates"], row["member"]) for row in logged] == [
        *(("1", name) for name in MEMBERS[:4]),
        *(("2", name) for name in MEMBERS),
    ]
    assert len(rows(whole / "evaluation.csv")) == 2
    matrix = rows(whole / "matrix.csv")
    assert [row["member"] for row in matrix] == MEMBERS == list(matrix[0])[1:]
    assert all((share == "") == (name == row["member"]) for row in matrix for name, share in list(row.items())[1:])
    assert same(weights(whole / "checkpoint.pt"), weights(whole / "player-2.pt"))
    policies = [policy_of(whole / f"{name}.npz", "bloodrage").state_dict() for name in MEMBERS]
    assert not any(same(one, other) for i, one in enumerate(policies) for other in policies[:i])
    assert not list(whole.glob("round-*/checkpoint.pt"))  # two policies of each member would be kept
    before = (whole / "matrix.csv").stat().st_mtime_ns
    assert league.train(CONFIG, whole)  # all is done
    assert (whole / "matrix.csv").stat().st_mtime_ns == before


@pytest.mark.slow
def test_a_league_goes_on_after_ctrl_c_in_any_run(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen = Run.end_update, set[str]()

    def end_update(self: Run, *given: object) -> None:
        if self.folder.name not in seen:
            seen.add(self.folder.name)
            raise KeyboardInterrupt
        real(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Run, "end_update", end_update)
    while not league.train(CONFIG, tmp_path):
        assert len(seen) < 10
    assert seen == {f"round-{name}" for name in MEMBERS[1:]}
    assert same(weights(tmp_path / "checkpoint.pt"), weights(whole / "checkpoint.pt"))
    for name in ("league.csv", "matrix.csv", "evaluation.csv"):
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("content", [None, "", "updates,member,share\n2,player-0,many\n"])
def test_a_damaged_log_is_refused(whole: Path, tmp_path: Path, content: str | None) -> None:
    log = shutil.copytree(whole, tmp_path, dirs_exist_ok=True) / "league.csv"
    log.unlink() if content is None else log.write_text(content)
    with pytest.raises(UserError, match=r"^[^\n]*league.csv is missing or damaged; train in another folder$"):
        league.train(dataclasses.replace(CONFIG, rounds=3), tmp_path)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("snapshots = 0.8", "stage run (league): snapshots and exploited are 1.1 together; give 1 or less"),
        ("exploiters = [4, 9]", "stage run (league): exploiters is [4, 9]: "),
        ("actors = 2", "the runs of a round are played by its workers; leave actors out"),
        ("seed = 1048575", "its runs have seeds beyond 1048575"),
    ],
)
def test_what_is_wrong_with_a_league_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "recipe.toml").write_text(f"kind = 'league'\n{text}")
    with pytest.raises(UserError, match=re.escape(complaint)):
        recipe.read(tmp_path / "recipe.toml", game="bloodrage")


# ---- the slow copy


def other_policy(policy: Policy) -> Policy:
    """Another policy near this one."""
    found = copy.deepcopy(policy)
    with torch.no_grad():
        for value in found.parameters():
            value.add_(torch.randn_like(value) * 0.03)
    return found


def divergence(policy: Policy, slow: Policy, batch: ppo.Batch) -> float:
    """The mean of KL(policy || slow) over the decisions of a rollout."""
    with torch.no_grad():
        ours, theirs = (each(rows_of(batch, policy))[0] for each in (policy, slow))
    return float((ours.exp() * (ours - theirs)).sum(1).mean())


@pytest.mark.parametrize("sign", [1, -1])
def test_the_penalty_moves_the_policy_to_the_slow_copy(sign: int) -> None:
    """Without rewards, the divergence falls; with a negative weight it would rise."""
    torch.manual_seed(2)
    policy = Policy(24, 2, game="bloodrage")
    slow = SlowCopy(other_policy(policy), 0.0)
    batch, _ = play(Tables(SMALL, seed=2), policy, 60)
    batch.advantages[:], batch.returns[:] = torch.randn(len(batch.advantages)) * 1e-6, batch.values
    before = divergence(policy, slow.policy, batch)
    config = dataclasses.replace(
        SMALL, slow_weight=sign * 100.0, entropy=0.0, value_weight=0.0, epochs=1, clip=1e9, target_kl=1e9
    )
    figures = ppo.learn(policy, torch.optim.SGD(policy.parameters(), 1e-3), batch, config, slow)
    assert (divergence(policy, slow.policy, batch) - before) * sign < -1e-4 * before
    # What is logged is an estimate by the chosen actions.
    assert figures["slow_kl"] == pytest.approx(before, abs=0.5 * before)


def test_the_log_probabilities_of_the_copy_are_those_of_a_policy() -> None:
    torch.manual_seed(2)
    policy = Policy(24, 2, game="bloodrage")
    batch, _ = play(Tables(SMALL, seed=2), policy, 40)
    with ThreadPoolExecutor(2) as pool:
        found = SlowCopy(policy, 0.5).log_probabilities(batch.inputs, batch.places, batch.actions, pool)
    assert torch.allclose(found, batch.log_probabilities, atol=1e-5)


def test_the_copy_follows() -> None:
    torch.manual_seed(2)
    policy = Policy(8, 1, game="bloodrage")
    slow, first, other = SlowCopy(policy, 0.25), copy.deepcopy(policy), other_policy(policy)
    slow.follow(other)
    for mean, one, two in zip(slow.policy.parameters(), first.parameters(), other.parameters(), strict=True):
        assert torch.allclose(mean, 0.75 * one + 0.25 * two, atol=1e-6)
    assert not same(slow.policy.state_dict(), policy.state_dict())  # it is a copy


@pytest.mark.slow
def test_a_run_with_a_slow_copy_resumes_with_it(tmp_path: Path) -> None:
    config: Ppo = dataclasses.replace(SHORT, slow_weight=0.3, slow_rate=0.2)
    assert ppo.train(config, tmp_path / "whole")
    assert ppo.train(config, tmp_path / "stopped", until=2000)
    assert ppo.train(config, tmp_path / "stopped")
    assert same(weights(tmp_path / "whole" / "checkpoint.pt"), weights(tmp_path / "stopped" / "checkpoint.pt"))
    kept = [load_policy(tmp_path / name / "checkpoint.pt", "bloodrage")[1]["slow"] for name in ("whole", "stopped")]
    assert same(*kept)
    assert float(rows(tmp_path / "whole" / "log.csv")[-1]["slow_kl"]) > 0
    other = dataclasses.replace(config, slow_weight=0.0)
    assert ppo.train(other, tmp_path / "without")
    assert not same(weights(tmp_path / "whole" / "checkpoint.pt"), weights(tmp_path / "without" / "checkpoint.pt"))
