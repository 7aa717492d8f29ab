"""The registry of games: what is asked of it, and that nothing else knows which games there are."""

import json
import pickle
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from project_files import ROOT, code_of

from bloodrage_agents import registry
from bloodrage_env import VectorGames, games
from bloodrage_env.errors import UserError

OTHERS = [name for name in games.all_names() if name != games.FIRST]
# The registry, each game's own files, and the package's list of environments.
KNOW = re.compile(
    r"bloodrage_env/(games|__init__|\w+_v0|options|game)\.py|bloodrage_env/games/berserk/|agents/\w+/berserk/"
    r"|[\w/]+/games/berserk_(team|laar)/(__init__|mode)\.py"
)


@pytest.mark.parametrize("name", games.all_names())
def test_a_game_goes_by_one_name(name: str) -> None:
    game = games.game(name)
    assert game.name == name == game.options.game
    assert len(games.presentation(name).seats) == len(games.presentation(name).colours) == game.max_seats
    assert registry.default(name) in registry.names(name)
    assert games.aims(name).options.keys() <= game.options.facts().keys()


def test_another_name_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^there is no game 'chess'; there are bloodrage, berserk, berserk_laar, berserk_team$"
    ):
        games.game("chess")
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        VectorGames(2, game="chess")


@pytest.mark.parametrize("name", games.all_names())
def test_options_go_through_json_with_their_game(name: str) -> None:
    options = games.options_from(name, skip_forced=False)
    content = json.loads(json.dumps(games.options_to_json(options)))
    assert games.options_from_json(content) == options
    for wrong in ({}, {**content, "game": "chess"}, {**content, "game": 1}, {**content, "more": 1}, [], None):
        with pytest.raises((TypeError, ValueError)):
            games.options_from_json(wrong)


@pytest.mark.parametrize("name", games.names())
def test_agents_of_another_game_are_refused_by_name(name: str) -> None:
    for other in set(games.names()) - {name}:
        for spec in set(registry.names(other)) - set(registry.names(name)):
            with pytest.raises(UserError, match=rf"^{spec} plays {games.spec(other).title}, not "):
                registry.parse(spec, name)


def test_no_other_code_knows_which_games_there_are() -> None:
    """Whoever needs something of a game asks the registry by a name that it was given."""
    names = re.compile(rf"""["']({"|".join(games.all_names())})["']|\bgame\s*(==|!=|in)\s*["']""")
    guilty = {
        f"{path.relative_to(ROOT)}: {found[0]}"
        for folder in ("bloodrage_env", "agents", "training")
        for path in (ROOT / folder).rglob("*.py")
        if not KNOW.match(str(path.relative_to(ROOT)))
        for found in names.finditer(code_of(path))
        if found[0].strip("\"'") != games.FIRST  # the program and the package are called so too
    }
    assert guilty == set()


@pytest.mark.parametrize("name", OTHERS)
def test_a_batch_of_another_game(name: str) -> None:
    batch = VectorGames(3, game=name, seed=4)
    batch.reset()
    copy = pickle.loads(pickle.dumps(batch))
    for _ in range(30):
        actions = batch.masks.argmax(axis=1)
        batch.step(actions)
        copy.step(actions)
    assert copy.game is batch.game
    assert (copy.states == batch.states).all()
    assert batch.observations.shape == (3, games.game(name).observation_size)


@pytest.mark.parametrize("name", OTHERS)
def test_one_seat_of_another_game(name: str) -> None:
    env = gymnasium.make("bloodrage/OneSeat-v0", game=name, opponents="random").unwrapped
    check_env(env, skip_render_check=True)
    observation, info = env.reset(seed=1)
    rng = np.random.default_rng(1)
    over, total = False, 0.0
    while not over:
        observation, reward, terminated, truncated, info = env.step(
            int(rng.choice(np.flatnonzero(info["action_mask"])))
        )
        over, total = terminated or truncated, total + reward
    assert observation.shape == (games.game(name).observation_size,)
    assert total in (-1.0, 0.0, 1.0)


@pytest.mark.parametrize("name", games.all_names())
def test_a_redeal_of_a_game_that_is_over_is_a_game(name: str) -> None:
    env = games.environment(name)()
    for seed in range(12):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not any([*env.terminations.values(), *env.truncations.values()]):
            env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        state, seen = env.get_state(), {agent: env.observe(agent)["observation"] for agent in env.agents}
        for seat, agent in enumerate(env.possible_agents):
            env.set_state(env.redeal(seat, seed))
            assert (env.observe(agent)["observation"] == seen[agent]).all()
            env.set_state(state)


@pytest.mark.parametrize("name", OTHERS)
def test_a_batch_of_one_seats_plays_as_each_alone(name: str) -> None:
    heuristic = registry.default(name)
    vector = gymnasium.make_vec("bloodrage/OneSeat-v0", 2, game=name, opponents=heuristic)
    alone = [gymnasium.make("bloodrage/OneSeat-v0", game=name, opponents=heuristic).unwrapped for _ in range(2)]
    observations, infos = vector.reset(seed=[7, 8])
    singles = [env.reset(seed=seed) for env, seed in zip(alone, (7, 8), strict=True)]
    for _ in range(12):
        assert (observations == np.array([each[0] for each in singles])).all()
        actions = infos["action_mask"].argmax(axis=1)
        observations, _, ended, _, infos = vector.step(actions)
        singles = [env.step(int(action)) for env, action in zip(alone, actions, strict=True)]
        if ended.any():
            break
    assert (observations == np.array([each[0] for each in singles])).all()
