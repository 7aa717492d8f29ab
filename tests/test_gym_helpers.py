"""What the helpers of Gymnasium and Stable-Baselines3 make of `bloodrage/OneSeat-v0`, here and in other processes."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo

from bloodrage_env import games
from bloodrage_env.gym import OneSeat, OneSeatVector

ID = "bloodrage/OneSeat-v0"
ANYWHERE = f"bloodrage_env:{ID}"  # in a process that has not imported `bloodrage_env`, too
GAMES = games.all_names()
MODES = ["ansi", "rgb_array"]


@pytest.mark.parametrize("game", GAMES)
def test_the_metadata_names_the_pictures_of_the_game(game: str) -> None:
    for env in (OneSeat(game=game), OneSeatVector(1, game=game)):
        assert env.metadata["render_modes"] == MODES
    for mode in MODES:
        OneSeat(game=game, render_mode=mode)


def test_a_picture_that_a_game_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.environment("berserk").metadata, "render_modes", ["ansi"])
    for make in (OneSeat, OneSeatVector):
        with pytest.raises(TypeError, match=r"^render_mode of berserk must be None or one of ansi, not 'rgb_array'$"):
            make(game="berserk", render_mode="rgb_array")
        with pytest.raises(ValueError, match=r"^render_mode of berserk must be None or one of ansi, not 'human'$"):
            make(game="berserk", render_mode="human")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_make_vec_of_gymnasium(game: str, mode: str) -> None:
    env = gymnasium.make_vec(ID, 2, vectorization_mode=mode, game=game, opponents="random")
    try:
        _, infos = env.reset(seed=1)
        seen, _, terminated, _, infos = env.step(infos["action_mask"].argmax(1))
        assert seen.shape == (2, games.game(game).observation_size)
        assert infos["action_mask"].any(1).tolist() == (~terminated).tolist()
    finally:
        env.close()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "start",
    ["here", "fork", *(pytest.param(each, marks=pytest.mark.slow) for each in ("forkserver", "spawn"))],
)
def test_make_vec_env_of_stable_baselines(game: str, start: str) -> None:
    util = pytest.importorskip("stable_baselines3.common.env_util")
    vec = pytest.importorskip("stable_baselines3.common.vec_env")
    kwargs: dict[str, Any] = {}
    if start != "here":
        kwargs = {"vec_env_cls": vec.SubprocVecEnv, "vec_env_kwargs": {"start_method": start}}
    name = ID if start in ("here", "fork") else ANYWHERE
    env = util.make_vec_env(name, 1, seed=1, env_kwargs={"game": game, "opponents": "random"}, **kwargs)
    try:
        env.reset()
        masks = np.stack(env.env_method("action_masks"))
        seen, _, dones, _ = env.step(masks.argmax(1))
        assert seen.shape == (1, games.game(game).observation_size)
        assert not dones.any()
    finally:
        env.close()


def test_videos_of_gymnasium_and_stable_baselines(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    pytest.importorskip("pygame")
    util = pytest.importorskip("stable_baselines3.common.env_util")
    vec = pytest.importorskip("stable_baselines3.common.vec_env")
    given = {"opponents": "random", "num_players": 2, "render_mode": "rgb_array"}
    env = RecordVideo(gymnasium.make(ID, **given), str(tmp_path), video_length=3, disable_logger=True)
    _, info = env.reset(seed=1)
    for _ in range(4):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    env.close()
    several = vec.VecVideoRecorder(
        util.make_vec_env(ID, 1, env_kwargs=given), str(tmp_path), lambda step: step == 0, video_length=3
    )
    several.reset()
    for _ in range(4):
        several.step(np.stack(several.env_method("action_masks")).argmax(1))
    several.close()
    sizes = {file.name: file.stat().st_size for file in tmp_path.glob("*.mp4")}
    assert set(sizes) == {"rl-video-episode-0.mp4", "rl-video-step-0-to-step-3.mp4"}
    assert min(sizes.values()) > 1000


def test_the_progress_bar_of_stable_baselines(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rich")
    pytest.importorskip("tqdm")
    contrib = pytest.importorskip("sb3_contrib")
    util = pytest.importorskip("stable_baselines3.common.env_util")
    env = util.make_vec_env(ID, 1, seed=1, env_kwargs={"opponents": "random"})
    contrib.MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, n_epochs=1).learn(16, progress_bar=True)
    assert "16/16" in capfd.readouterr().out
