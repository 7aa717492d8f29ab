"""The adapter and the example for TextArena; skipped where that is not installed (docs/libraries.md)."""

import importlib
from typing import Any

import pytest
from first_move import first_move
from toy_installed import toy

pytest.importorskip("textarena")

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY

from bloodrage_agents import registry
from bloodrage_agents.match import play_game
from bloodrage_agents.textarena_env import TextGameEnv, register
from bloodrage_env import games
from bloodrage_env.core.engine.rewards import win_rewards
from bloodrage_env.language.prompt import Parts, refusal

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")
example = importlib.import_module("textarena_play")


@pytest.fixture(scope="module")
def names(toy: str) -> Any:
    found = register()
    yield found
    for name in found:
        del ENV_REGISTRY[name]


def test_a_game_has_the_result_of_the_engine(names: list[str]) -> None:
    """Both players take the first legal action."""
    assert "Toy-v0" in names
    rewards = example.play("Toy-v0", (example.first, example.first), 5)
    options = games.options_from("toy", num_players=2)

    class First:
        def act(self, observation: Any, action_mask: Any, rng: Any) -> int:
            return int(action_mask.argmax())

    record = play_game([First(), First()], 5, options, (1, 2))
    assert list(rewards.values()) == win_rewards(record.scores)


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_the_games_of_the_project_begin(game: str) -> None:
    env = TextGameEnv(game, Parts(actions="steps"))
    env.reset(num_players=2, seed=1)
    for _ in range(5):
        player, messages = env.get_observation()
        assert player == env.episode.seat
        done, _ = env.step(example.first(messages[-1][1]))
        assert not done
    player, messages = env.get_observation()
    assert "one line `Answer: ACTION`" in messages[0][1] or messages[-1][1].endswith("Answer:")


def test_answers_that_cannot_be_read_lose() -> None:
    env = TextGameEnv("toy", tries=2)
    env.reset(num_players=2, seed=1)
    player, _ = env.get_observation()
    done, info = env.step("I don't know.")
    assert (done, "is not a legal action" in info["reason"]) == (False, True)
    again, messages = env.get_observation()
    assert again == player
    assert "This answer can't be used" in messages[0][1]
    done, _ = env.step("still not")
    rewards, info = env.close()
    assert done
    assert (rewards[player], rewards[1 - player]) == (-1, 1)
    assert info[player]["invalid_move"]


def test_no_player_is_shown_what_another_one_sees(names: list[str]) -> None:
    env = TextGameEnv("bloodrage", Parts(actions="steps"))
    env.reset(num_players=2, seed=1)
    prompts: dict[int, set[str]] = {0: set(), 1: set()}
    for _ in range(4):
        player, messages = env.get_observation()
        prompts[player] |= {text for _, text, _ in messages[1:]}
        env.step(example.first(messages[-1][1]))
    assert prompts[0]
    assert prompts[1]
    assert not prompts[0] & prompts[1]


@pytest.mark.parametrize("game", ["toy", "bloodrage"])
def test_an_observation_is_the_rules_and_what_is_new(names: list[str], game: str) -> None:
    """It does not grow with the game, is the same if it is asked for again, and is forgotten at a reset."""
    env = ta.make(f"{game.title()}-v0", parts=Parts(actions="steps"))
    beginnings = []
    for _ in range(2):
        env.reset(num_players=2, seed=1)
        for turn in range(8):
            player, shown = env.get_observation()
            assert shown == f"{env.episode.system()}\n\n{env.episode.prompt()}"
            assert env.get_observation() == (player, shown)
            if not turn:
                beginnings.append(shown)
            env.step("no")
            _, again = env.get_observation()
            assert again == f"{env.episode.system()}\n\n{refusal(reason_of(again))}\n\n{env.episode.prompt()}"
            if env.step(example.first(shown))[0]:
                break
    assert beginnings[0] == beginnings[1]


def reason_of(shown: str) -> str:
    return shown.partition("This answer can't be used: ")[2].partition(". Answer again.")[0]


def test_the_example_runs(
    names: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "register", lambda: names)
    example.main(["--game", "Toy-v0"])
    assert capsys.readouterr().out.startswith("{0: ")


def test_agents_play_the_other_seats_of_an_episode() -> None:
    from bloodrage_agents.episode import Episode

    assert registry.default("toy")
    episode = Episode(games.options_from("toy", num_players=3), 4, {0: "random", 2: "high"})
    assert episode.seats == [1]
    while episode.seat >= 0:
        assert episode.seat == 1
        assert episode.answer(f"Answer: {first_move(episode.prompt())}") is None
    assert episode.readable(1) == 1.0
    assert 0 <= episode.won(1) <= 1
