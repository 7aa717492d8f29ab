"""SVG, pixels and the window: what they show, and that the environment's steps stay as they are."""

import copy
import importlib
import pickle
import re
import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from bloodrage_env import bloodrage_v0
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.cards import TITLE
from bloodrage_env.games.bloodrage.engine.ids import NUM_BOARD, Figure, Place
from bloodrage_env.games.bloodrage.render.geometry import SHEETS
from bloodrage_env.games.bloodrage.render.picture import picture
from bloodrage_env.games.bloodrage.render.scene import scene
from bloodrage_env.games.bloodrage.render.show import Board
from bloodrage_env.games.bloodrage.render.svg import board_svg
from bloodrage_env.render.shapes import FRAME, Group, Words
from tests.random_play import games_in_the_middle, keen_action

NAMESPACE = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{NAMESPACE}text")]


def test_svg_is_well_formed_and_whole() -> None:
    for _, states, _ in games_in_the_middle(range(6), 0.1):
        svg = board_svg(states, 0, all_hands=True)
        root = ElementTree.fromstring(svg)
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        assert len(ids) == len(set(ids))
        for place in range(NUM_BOARD):
            assert f"place-{place}" in ids
        figures = sum(len(entry["figures"]) for entry in scene(states, 0)["places"] if not entry["destroyed"])
        assert sum(name.startswith("figure-") for name in ids if name) == figures


def test_svg_refers_to_nothing_outside() -> None:
    svg = board_svg(engine.new_game(1, 4), 0)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in svg


def test_svg_shows_the_hand_of_its_viewer_only() -> None:
    states = engine.new_game(1, 4, True)
    for viewer in range(4):
        words = " ".join(texts(board_svg(states, 0, viewer)))
        for card in np.flatnonzero(states[0].hand[viewer]):
            assert TITLE[card].split()[0] in words
        assert "hand:" not in " ".join(texts(board_svg(states, 0)))


def test_texts_stay_in_the_picture() -> None:
    """Roughly: a letter is about 0.6 of its size wide."""

    def words(shapes: Any) -> Any:
        for shape in shapes:
            if isinstance(shape, Group):
                yield from words(shape.shapes)
            elif isinstance(shape, Words):
                yield shape

    for _, states, _ in games_in_the_middle(range(8), 0.1):
        moves = ["a line that is long enough to be folded, for certain, in whatever there is of room for it"] * 20
        for shape in words(picture(scene(states, 0, 0, moves=moves))):
            width = 0.6 * shape.size * len(shape.text)
            left = {"start": shape.x, "middle": shape.x - width / 2, "end": shape.x - width}[shape.anchor]
            assert FRAME.x <= left, shape
            assert left + width <= FRAME.right, shape
            assert shape.y <= FRAME.bottom - 3, shape
            if shape.x >= SHEETS[0].x:
                assert left + width <= SHEETS[0].right, shape


def test_a_board_shows_itself_in_a_notebook() -> None:
    states = engine.new_game(1, 3)
    assert Board(states, seat=1)._repr_html_() == board_svg(states, 0, 1)
    env = bloodrage_v0.env(num_players=3)
    assert "reset()" in env._repr_html_()
    env.reset(seed=1)
    assert env._repr_html_() == board_svg(states, 0)


# ---- pixels and the window


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Any:
    module = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return module


def started(**options: Any) -> Any:
    env = bloodrage_v0.env(**options)
    env.reset(seed=5)
    return env


def play(env: Any, steps: int, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        env.step(keen_action(env.get_state(), rng))


def test_pixels_follow_the_state(pygame: Any) -> None:
    env = started(render_mode="rgb_array")
    first = env.render()
    assert first.shape == (800, 1280, 3)
    assert first.dtype == np.uint8
    assert (env.render() == first).all()
    play(env, 30)
    second = env.render()
    assert (first != second).any()
    second[:] = 0  # the caller's own
    assert env.render().any()


def test_a_figure_is_seen_where_it_stands(pygame: Any) -> None:
    from bloodrage_env.games.bloodrage.render.geometry import SPOTS

    states = engine.new_game(5, 4)
    states[0].destroyed[:] = 0
    before = bloodrage_v0.raw_env.picture("rgb_array", states)
    states[0].figures[2, Figure.WARRIOR, Place.HORGR] = 1
    changed = (bloodrage_v0.raw_env.picture("rgb_array", states) != before).any(axis=2)
    x, y = (round(c) for c in SPOTS[Place.HORGR].slots[0])
    assert changed[y - 10, x]
    assert not changed[:200, :700].any()


def test_the_window_follows_the_steps(pygame: Any) -> None:
    env = started(render_mode="human")
    assert env.render() is None
    before = pygame.surfarray.array3d(pygame.display.get_surface())
    play(env, 30)
    assert (pygame.surfarray.array3d(pygame.display.get_surface()) != before).any()
    env.close()
    assert pygame.display.get_surface() is None
    env.close()


def test_moves_are_told_as_everybody_saw_them(pygame: Any) -> None:
    env = started(render_mode="rgb_array")
    play(env, 24)  # the draft
    assert not any("keep" in move for move in env._show.moves)
    play(env, 40)
    assert len(env._show.moves) > 3
    assert not any("hand" in move for move in env._show.moves)
    env.reset(seed=6)
    assert not env._show.moves


def test_copies_step_for_themselves(pygame: Any) -> None:
    env = started(render_mode="human")
    env.render()
    for other in (copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = env.get_state().tobytes()
        play(other, 3)
        assert env.get_state().tobytes() == before
        assert other.get_state().tobytes() != before
    env.close()


def test_an_illegal_action_ends_a_game_that_is_shown(pygame: Any) -> None:
    env = started(render_mode="rgb_array")
    env.step(-1)
    assert all(env.terminations.values())
    assert env.render().any()


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array", "human"])
def test_the_step_of_a_subclass_is_called(mode: str | None, pygame: Any) -> None:

    class Counted(bloodrage_v0.raw_env):
        steps = 0

        def step(self, action: Any) -> None:
            self.steps += 1
            super().step(action)

    env = Counted(render_mode=mode)
    env.reset(seed=5)
    for stepped in (env, copy.deepcopy(env)):
        stepped.steps = 0
        play(stepped, 3)
        assert stepped.steps == 3
        stepped.close()


def test_without_pygame_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    monkeypatch.delitem(sys.modules, "bloodrage_env.render.pixels", raising=False)
    monkeypatch.delattr(importlib.import_module("bloodrage_env.render"), "pixels", raising=False)
    with pytest.raises(UserError, match="pygame-ce: install bloodrage with the extra render"):
        started(render_mode="rgb_array").render()


def test_the_picture_says_who_may_not_pillage_what() -> None:
    """rules 6.4.1.7: open to all."""
    states = engine.new_game(1, 3, sets=1 << engine.CardSet.MYSTICS)
    states[0].barred[1, Place.GIMLE] = 1
    assert "no pillage of Gimle" in " ".join(texts(board_svg(states, 0)))
