"""The pictures of Berserk and its modes: what they show, and what they do not."""

import re
from typing import Any

import numpy as np
import pytest

from bloodrage_env import games

MODES = [name for name in games.all_names() if name.startswith("berserk")]


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Any:
    module = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return module


def played(mode: str, seed: int, decisions: int, **arguments: Any) -> Any:
    """An environment after random decisions, or at the end of the game."""
    env = games.environment(mode)(**arguments)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            break
        env.step(int(rng.choice(np.flatnonzero(env.infos[agent]["action_mask"]))))
    return env


def texts(env: Any) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", env._repr_html_())


@pytest.mark.parametrize("mode", MODES)
def test_pixels_follow_the_game(mode: str, pygame: Any) -> None:
    env = played(mode, 3, 60, render_mode="rgb_array")
    first = env.render()
    assert first.shape == (800, 1280, 3)
    assert first.dtype == np.uint8
    env.reset(seed=4)
    assert (env.render() != first).any()


def test_the_window_follows_the_steps(pygame: Any) -> None:
    env = played("berserk", 3, 30, render_mode="human")
    before = pygame.surfarray.array3d(pygame.display.get_surface())
    agent = env.agent_selection
    for _ in range(20):
        agent = env.agent_selection
        env.step(int(env.infos[agent]["action_mask"].argmax()))
    assert (pygame.surfarray.array3d(pygame.display.get_surface()) != before).any()
    env.close()
    assert pygame.display.get_surface() is None


@pytest.mark.parametrize("mode", MODES)
def test_each_card_in_play_is_on_the_board(mode: str) -> None:
    shown = 0
    for seed in range(18):
        env = played(mode, seed, 40 + 60 * (seed % 3))
        words = texts(env)
        for slot, card in env.observation_struct("player_0")["cards"].items():
            if "row" in card and "face_down" not in card:
                shown += 1
                assert slot in words
                assert all(any(word in text for text in words) for word in card["card"].split())
    assert shown > 10


@pytest.mark.parametrize("mode", MODES)
def test_a_picture_has_public_information_alone(mode: str) -> None:
    """Another deal of what nobody but its owner has seen has the same picture."""
    differed = 0
    for seed in range(8):
        for decisions in (6, 14, 25):
            env = played(mode, seed, decisions)
            before, state = env._repr_html_(), env.get_state()
            seats = range(int(state[0].num_players))
            for seat in seats:
                other = env.redeal(seat, seed + 100)
                differed += other.tobytes() != state.tobytes()
                env.set_state(other)
                assert env._repr_html_() == before
                env.set_state(state)
    assert differed


@pytest.mark.parametrize("mode", MODES)
def test_no_line_leaves_the_picture(mode: str) -> None:
    for seed in range(4):
        html = played(mode, seed, 400)._repr_html_()
        for x, y in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"', html):
            assert 0 <= float(x) <= 1280
            assert 0 <= float(y) <= 800
