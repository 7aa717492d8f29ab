"""The learner among a league: its steps are those of the environment played one game at a time."""

import copy
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from bloodrage_agents.compiled.weights import HELD_OUT
from bloodrage_env import bloodrage_v0
from bloodrage_env.errors import UserError
from bloodrage_env.options import DEFAULT, Options
from bloodrage_training.learn.export import export
from bloodrage_training.learn.league import SELF, League, Member
from bloodrage_training.learn.policy import Policy
from bloodrage_training.learn.selfplay import SelfPlayVecEnv

PLAYERS = (Options(4), Options(3), Options(2))
OPPONENTS = ("random", "battle", "balanced")


def make_league(folder: Path, self_play: float = 0.3) -> League:
    """A small league."""
    torch.manual_seed(1)
    return League(folder, Policy(16, 1), OPPONENTS, self_play, max_snapshots=2)


class Recorded(SelfPlayVecEnv):
    """Notes every action of every game, in order."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.history: list[list[int]] = [[] for _ in range(self.num_envs)]

    def _step(self, which: np.ndarray) -> None:
        for game in which:
            self.history[game].append(int(self.actions[game]))
        super()._step(which)


class Slow:
    """One game of the learner, by the PettingZoo class and the noted actions."""

    def __init__(self, players: int) -> None:
        self.env = bloodrage_v0.env(num_players=players)

    def begin(self, seed: int, learner: int, history: list[int]) -> None:
        """A new game: the history is eaten up from now on."""
        self.env.reset(seed=seed)
        self.learner, self.history = f"player_{learner}", history

    def wait(self) -> None:
        """Play on until the learner is asked or the game ends."""
        while self.env.agent_selection != self.learner and not self.over:
            self.env.step(self.history.pop(0))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return any(self.env.terminations.values())


def test_steps_are_those_of_the_environment_played_one_game_at_a_time(tmp_path: Path) -> None:
    games = 9
    env = Recorded(games, PLAYERS, make_league(tmp_path), 100)
    observations = env.reset()
    slow = [Slow(int(players)) for players in env.players]
    seeds = [100 + game for game in range(games)]
    for game in range(games):
        slow[game].begin(seeds[game], int(env.learners[game]), env.history[game])
        slow[game].wait()
    rng = np.random.default_rng(2)
    finished, seats, paid = 0, set(), set()
    for _ in range(180):
        masks = env.action_masks()
        for game, one in enumerate(slow):
            seen = one.env.observe(one.learner)
            assert np.array_equal(observations[game], seen["observation"])
            assert np.array_equal(masks[game], seen["action_mask"])
            assert masks[game].any()
        learners = env.learners.copy()
        observations, rewards, dones, infos = env.step((masks + rng.random(masks.shape)).argmax(1))
        for game, one in enumerate(slow):
            one.env.step(one.history.pop(0))
            one.wait()
            assert dones[game] == one.over
            assert rewards[game] == pytest.approx(one.env.rewards[one.learner] if one.over else 0.0)
            if one.over:
                assert one.learner == f"player_{learners[game]}"
                seen = one.env.observe(one.learner)["observation"]
                assert np.array_equal(infos[game]["terminal_observation"], seen)
                assert infos[game]["episode"]["r"] == pytest.approx(one.env.rewards[one.learner])
                assert "TimeLimit.truncated" not in infos[game]
                finished += 1
                seats.add(int(learners[game]))
                paid.add(float(rewards[game]) > 0)
                seeds[game] += games
                one.begin(seeds[game], int(env.learners[game]), one.history)
                one.wait()
    assert finished > 20
    assert seats == {0, 1, 2, 3}
    assert paid == {True, False}


def test_masks_are_as_maskable_ppo_asks_for_them(tmp_path: Path) -> None:
    env = SelfPlayVecEnv(5, PLAYERS, make_league(tmp_path), 1)
    env.reset()
    assert is_masking_supported(env)
    assert get_action_masks(env).shape == (5, 261)
    assert np.array_equal(get_action_masks(env), env.masks)


def test_an_illegal_answer_is_refused(tmp_path: Path) -> None:
    env = SelfPlayVecEnv(3, PLAYERS, make_league(tmp_path), 1)
    env.reset()
    with pytest.raises(ValueError, match="not legal in environment 1"):
        env.step(np.where(np.arange(3) == 1, env.masks.argmin(1), env.masks.argmax(1)))


def test_the_same_seed_plays_the_same_games(tmp_path: Path) -> None:
    played = []
    for _ in range(2):
        env = SelfPlayVecEnv(4, PLAYERS, make_league(tmp_path), 7)
        torch.manual_seed(5)
        env.reset()
        played.append([env.step(env.masks.argmax(1))[0] for _ in range(60)])
    assert np.array_equal(played[0], played[1])


def test_shaping_leaves_the_sum_of_a_game_as_it_is(tmp_path: Path) -> None:
    env = SelfPlayVecEnv(6, PLAYERS, make_league(tmp_path), 3)
    env.glory_weight = 0.7
    env.reset()
    rng = np.random.default_rng(2)
    sums, finished, moved = np.zeros(6), 0, 0
    for _ in range(200):
        _, rewards, dones, infos = env.step((env.masks + rng.random(env.masks.shape)).argmax(1))
        sums += rewards
        moved += int(np.count_nonzero(rewards[~dones]))
        for game in np.flatnonzero(dones):
            assert sums[game] == pytest.approx(infos[game]["episode"]["r"], abs=1e-4)
            sums[game] = 0.0
            finished += 1
    assert finished > 10
    assert moved > 50


def test_who_does_well_against_the_learner_is_drawn_more_often(tmp_path: Path) -> None:
    league = make_league(tmp_path, self_play=0.2)
    for _ in range(300):
        league.members[1].record(1.0, 4)
        league.members[3].record(0.1, 4)
    chances = league.chances()
    assert chances.sum() == pytest.approx(1)
    assert chances[0] == pytest.approx(0.2)
    assert chances[1] < 0.01 < chances[2] < chances[3]
    drawn = np.bincount(league.draw(4000, np.random.default_rng(1)), minlength=4) / 4000
    assert drawn == pytest.approx(chances, abs=0.03)


def test_equal_play_is_no_lead() -> None:
    for players in (2, 3, 4):
        member = Member("x", 100.0, 100 / players, 100 / players)
        assert member.lead == pytest.approx(0)
        assert member.weight == pytest.approx(0.25)
    # A quarter to each of four; half of the games against three of a kind is three times their strength.
    assert Member("x", 100.0, 50.0, 25.0).odds == pytest.approx(3)


def test_results_are_kept_for_the_member_that_played(tmp_path: Path) -> None:
    league = make_league(tmp_path, self_play=0.0)
    env = SelfPlayVecEnv(12, (DEFAULT,), league, 3)
    env.reset()
    before = [member.games for member in league.members]
    for _ in range(80):
        env.step(env.masks.argmax(1))
    assert league.members[0].games == before[0]
    assert all(member.games > 8 for member in league.members[1:])


def test_a_league_is_kept(tmp_path: Path) -> None:
    league = make_league(tmp_path)
    for number in range(4):
        league.add_snapshot(f"snapshot-{number}", league.policies[SELF])
        league.members[-1].record(0.5, 4)
    assert len(list(tmp_path.glob("*.pt"))) == 4  # until it is sure that nobody needs the old ones
    again = make_league(tmp_path)
    again.resume(league.state())
    league.sweep(league.state())
    assert [vars(member) for member in again.members] == [vars(member) for member in league.members]
    assert len(again.snapshots) == 2
    assert {path.stem for path in tmp_path.glob("*.pt")} == {member.name for member in again.snapshots}
    owners = np.array([league.members.index(member) for member in league.snapshots])
    env = SelfPlayVecEnv(2, (DEFAULT,), again, 1)
    env.reset()
    actions = np.full(2, -1)
    again.act(owners, env.states, env.masks, actions, np.random.default_rng(0))
    assert (env.masks[np.arange(2), actions] == 1).all()


def test_games_go_on_from_what_is_kept(tmp_path: Path) -> None:
    """The same learner's decisions, and after them the same games, whatever was played in the meantime."""
    env = SelfPlayVecEnv(9, PLAYERS, make_league(tmp_path), 7)
    env.glory_weight = 0.5
    env.reset()
    for _ in range(90):
        env.step(env.masks.argmax(1))
    kept = copy.deepcopy(env.state())
    members = env.league.state()

    def go_on(env: SelfPlayVecEnv) -> list[np.ndarray]:
        torch.manual_seed(5)
        env.rng = np.random.default_rng(3)
        seen = [env.observations.copy(), env.masks.copy()]
        for _ in range(60):
            seen += env.step(env.masks.argmax(1))[:3]
        return seen

    expected = go_on(env)
    other = SelfPlayVecEnv(9, PLAYERS, make_league(tmp_path), 7)
    other.glory_weight = 0.5
    other.league.resume(members)
    other.resume(kept)
    assert all(np.array_equal(a, b) for a, b in zip(expected, go_on(other), strict=True))
    assert sum(int(dones.sum()) for dones in expected[4::3]) > 5


def test_an_unknown_member_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no opponent 'odin'"):
        League(tmp_path, Policy(8, 1), ["odin"], 0.5, 1)


@pytest.mark.parametrize("name", HELD_OUT)
def test_a_held_out_style_is_no_member(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=f"^held out: {name} "):
        League(tmp_path, Policy(8, 1), ["random", name], 0.5, 1)


def test_a_new_style_may_be_a_member(tmp_path: Path) -> None:
    assert [member.name for member in League(tmp_path, Policy(8, 1), ["rusher"], 0.5, 1).members] == ["self", "rusher"]


def test_a_policy_of_a_file_may_be_a_member(tmp_path: Path) -> None:
    """It plays as it is in its file, whatever the learner has become, and is no snapshot that may be dropped."""
    torch.manual_seed(3)
    export(Policy(8, 1), tmp_path / "old.npz")
    name = str(tmp_path / "old.npz")
    league = League(tmp_path, Policy(16, 1), [name, "random"], 0.5, max_snapshots=1)
    assert ([member.name for member in league.members], league.snapshots) == (["self", name, "random"], [])
    for number in range(2):
        league.add_snapshot(f"snapshot-{number}", league.policies[SELF])
    again = League(tmp_path, Policy(16, 1), [name, "random"], 0.5, max_snapshots=1)
    again.resume(league.state())
    assert [member.name for member in again.members] == ["self", name, "random", "snapshot-1"]
    env = SelfPlayVecEnv(64, (DEFAULT,), again, 1)
    env.reset()
    with torch.no_grad():
        again.policies[name].actions.bias[int(np.flatnonzero(env.masks[0])[0])] = 50.0  # now sure of itself
    actions = np.full(64, -1)
    again.act(np.where(np.arange(64) == 0, 1, -1), env.states, env.masks, actions, np.random.default_rng(0))
    assert actions[0] == np.flatnonzero(env.masks[0])[0]
    assert (actions[1:] == -1).all()


def test_a_run_with_other_files_cannot_go_on(tmp_path: Path) -> None:
    for name in ("one.npz", "two.npz"):
        export(Policy(8, 1), tmp_path / name)
    league = League(tmp_path, Policy(16, 1), [str(tmp_path / "one.npz")], 0.5, 1)
    with pytest.raises(ValueError, match=r"its league has self, .*one\.npz"):
        League(tmp_path, Policy(16, 1), [str(tmp_path / "two.npz")], 0.5, 1).resume(league.state())


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.npz"):
        League(tmp_path, Policy(8, 1), [str(tmp_path / "none.npz")], 0.5, 1)
