"""`OneSeatVector`: what Gymnasium's own `SyncVectorEnv` over single games returns, step by step, in every mode."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from bloodrage_agents.opponents import Opponent
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE
from bloodrage_env.gym import OneSeat, OneSeatVector

ID = "bloodrage/OneSeat-v0"
GAMES = 5
MODES = list(AutoresetMode)


def pair(mode: AutoresetMode, **options: Any) -> "tuple[OneSeatVector, SyncVectorEnv[Any, Any]]":
    """The batch, and Gymnasium's vector of single games."""
    return (
        OneSeatVector(GAMES, autoreset_mode=mode, **options),
        SyncVectorEnv([lambda: OneSeat(**options)] * GAMES, autoreset_mode=mode),
    )


def interrupted(*_: Any) -> int:
    """An agent during whose turn the user presses Ctrl-C."""
    raise KeyboardInterrupt


def legal(env: OneSeatVector, rng: np.random.Generator) -> Any:
    """int64[num_envs]: a legal action of each game, 0 for one that is over."""
    masks = env.action_masks()
    return (masks * (1 + rng.random(masks.shape))).argmax(1)


def both(one: Any, other: Any) -> Any:
    """What the first returned, once it is the same as what the second returned."""
    assert data_equivalence(one, other, exact=True)
    return one


@pytest.mark.filterwarnings("ignore:.*an illegal action ends its game:UserWarning")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "balanced", "num_players": 2, "reward": "margin"},
        {"opponents": "greedy:redeals=1,random,loki", "first_game": True, "reward": "rank"},
    ],
    ids=["compiled", "mixed"],
)
def test_it_is_the_vector_of_single_games(mode: AutoresetMode, options: dict[str, Any]) -> None:
    batch, single = pair(mode, **options)
    rng = np.random.default_rng(1)
    both(batch.reset(seed=7), single.reset(seed=7))
    ends, paid = 0, 0.0
    for step in range(260):
        actions = legal(batch, rng)
        if step % 50 == 49:
            actions[step % GAMES] = NUM_ACTIONS - 1 - actions[step % GAMES]  # nearly always illegal
        _, rewards, terminated, truncated, _ = both(batch.step(actions), single.step(actions))
        over = terminated | truncated
        ends, paid = ends + int(over.sum()), paid + float(np.abs(rewards).sum())
        if mode is AutoresetMode.DISABLED and over.any():
            both(batch.reset(options={"reset_mask": over}), single.reset(options={"reset_mask": over.copy()}))
    assert ends > GAMES
    assert paid > 0
    both(batch.reset(seed=[3, None, 5, None, 7]), single.reset(seed=[3, None, 5, None, 7]))
    both(batch.reset(), single.reset())


def test_make_vec_gives_the_batch() -> None:
    env = gymnasium.make_vec(
        ID, 3, vectorization_mode="vector_entry_point", num_players=2, opponents="random", autoreset_mode="SameStep"
    )
    assert isinstance(env, OneSeatVector)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.observation_space.shape == (3, OBSERVATION_SIZE)
    assert env.action_space == gymnasium.spaces.MultiDiscrete([NUM_ACTIONS] * 3)
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert np.array_equal(infos["action_mask"], env.action_masks())
    assert OneSeatVector.metadata.get("autoreset_mode") is None


def test_arrays_are_the_callers() -> None:
    env = OneSeatVector(2, 2, opponents="random")
    observations, infos = env.reset(seed=1)
    kept, masks = observations.copy(), infos["action_mask"].copy()
    infos["action_mask"][:] = 0
    assert np.array_equal(env.action_masks(), masks)
    env.step(legal(env, np.random.default_rng(1)))
    assert np.array_equal(observations, kept)


def test_it_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="num_envs is 0; give 1 to 10,000,000"):
        OneSeatVector(0)
    with pytest.raises(ValueError, match="is not a valid AutoresetMode"):
        OneSeatVector(1, autoreset_mode="never")
    env = OneSeatVector(3, 2, opponents="random", autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded):
        env.step([0, 0, 0])
    some = np.array([True, False, False])
    with pytest.raises(ResetNeeded, match="the first reset begins all games"):
        env.reset(options={"reset_mask": some})
    with pytest.raises(ValueError, match="there are 2 seeds; give one number, or one for each of 3 games"):
        env.reset(seed=[1, 2])
    env.reset(seed=1)
    for marks in (~some & False, some[:2], some.astype(int), [True, False, False]):
        with pytest.raises(ValueError, match=r"options\['reset_mask'\] must be bool\[3\] with at least one True"):
            env.reset(options={"reset_mask": marks})
    for actions in ([0, 0], [0.0, 0.0, 0.0], 0):
        with pytest.raises(ValueError, match=r"give int\[3\]"):
            env.step(actions)
    wrong = legal(env, np.random.default_rng(1))
    wrong[1] = NUM_ACTIONS
    with pytest.warns(UserWarning, match="illegal"):
        _, rewards, terminated, _, _ = env.step(wrong)
    assert rewards.tolist() == [0.0, -1.0, 0.0]
    assert terminated.tolist() == [False, True, False]
    with pytest.raises(ResetNeeded, match="reset_mask"):
        env.step(wrong)


MASKED: Any = np.ma.masked_array([0, 0], mask=[False, True])


@pytest.mark.parametrize(
    ("actions", "given"),
    [
        ([], r"float64\[0\]"),
        (None, r"object\[\]"),
        ("ab", r"str64\[\]"),
        ([0, None], r"object\[2\]"),
        ([True, False], r"bool\[2\]"),
        ([[0], [0, 0]], r"\[\[0\], \[0, 0\]\]"),
        (MASKED, r"masked int64\[2\]"),
        (MASKED[:1], r"masked int64\[1\]"),
    ],
)
def test_actions_that_are_none(actions: Any, given: str) -> None:
    env = OneSeatVector(2, 2, opponents="random")
    env.reset(seed=1)
    before = env.action_masks()
    with pytest.raises(ValueError, match=rf"^actions are {given}; give int\[2\]$"):
        env.step(actions)
    assert np.array_equal(env.action_masks(), before)


@pytest.mark.parametrize("seed", [1.5, "12", True, MASKED, [1, "2"], [1.0, 2], np.array([1.0, 2.0]), {}])
def test_seeds_that_are_none(seed: Any) -> None:
    with pytest.raises(TypeError, match=r"^seed must be a whole number, not "):
        OneSeatVector(2, 2, opponents="random").reset(seed=seed)


def test_seeds_of_other_counts_and_other_arguments_of_reset() -> None:
    env = OneSeatVector(2, 2, opponents="random")
    for seed in ([], [1], np.array([[1, 2]])):
        with pytest.raises(
            ValueError, match=f"^there are {len(seed)} seeds; give one number, or one for each of 2 games$"
        ):
            env.reset(seed=seed)
    wanted, _ = env.reset(seed=[1, 2])
    for same in (1, np.int64(1), np.array([1, 2]), (1, 2)):
        assert np.array_equal(env.reset(seed=same)[0], wanted)
    with pytest.raises(TypeError, match=r"^options must be None or a dict, not 5$"):
        env.reset(options=5)  # type: ignore[arg-type]
    for marks in ([], np.ma.masked_array([True, False], mask=[False, True])):
        with pytest.raises(ValueError, match=r"must be bool\[2\] with at least one True"):
            env.reset(options={"reset_mask": marks})


@pytest.mark.parametrize("mode", MODES)
def test_an_opponent_that_fails_ends_the_games(mode: AutoresetMode, monkeypatch: Any) -> None:
    """The learner gets no mask of another seat, and cannot answer for it."""
    env = OneSeatVector(2, 2, opponents="greedy:redeals=1", seat=0, autoreset_mode=mode)
    env.reset(seed=1)
    monkeypatch.setattr(Opponent, "__call__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        [env.step(env.action_masks().argmax(1)) for _ in range(9)]
    assert not env.action_masks().any()
    with pytest.raises(KeyboardInterrupt):
        env.reset()
    assert not env.action_masks().any()
    monkeypatch.undo()
    if mode is AutoresetMode.DISABLED:
        with pytest.raises(ResetNeeded):
            env.step([0, 0])
    else:
        env.step([0, 0])  # begins games
        assert env.action_masks().any(1).all()


def test_a_game_of_the_batch_has_its_own_chance() -> None:
    """The games before and after it change nothing."""
    alone, among = OneSeatVector(1, 3, opponents="battle"), OneSeatVector(4, 3, opponents="battle")
    rng = np.random.default_rng(1)
    seen, _ = alone.reset(seed=9)
    many, _ = among.reset(seed=[1, 2, 9, 3])
    for _ in range(120):
        assert np.array_equal(seen[0], many[2])
        actions = legal(among, rng)
        many, *_ = among.step(actions)
        seen, *_ = alone.step(actions[2:3])


def test_it_renders_every_game() -> None:
    env = OneSeatVector(2, opponents="random", render_mode="ansi")
    with pytest.raises(ResetNeeded):
        env.render()
    env.reset(seed=1)
    assert [type(each) for each in env.render()] == [str, str]
