"""The Battle for Laar as an environment: PettingZoo, batches, one seat, replays, texts, agents (rules 11)."""

import copy
import io
import pickle
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from berserk_laar_position import begun, slot_of
from berserk_mode_checks import check_agent, check_replay
from berserk_position import content
from bloodrage_env.games.berserk_laar.engine import CARD, DEMON, DONE, LIFE, NUM_CARDS, Phase
from bloodrage_env.games.berserk_laar.game import GAME
from bloodrage_env.games.berserk_laar.options import Options
from pettingzoo.test import api_test, seed_test
from pool_here import Here

from bloodrage_agents import registry
from bloodrage_agents.match import play_game
from bloodrage_env import VectorGames, berserk_v0, games
from bloodrage_env.cli import main
from bloodrage_env.core.engine.rewards import share_of, victory_share, win_reward
from bloodrage_training.tournament import command

PLAYERS = (1, 2)
EVERY = [{"num_players": 1, "skip_forced": False}, {"num_players": 2, "combat": "difference", "max_turns": 30}]


def over(states: np.ndarray, seed: int) -> np.ndarray:
    """A game played to its end; squads are large."""
    rng = np.random.default_rng(seed)
    while not states[0].over:
        legal = states[0].mask.nonzero()[0]
        if len(legal) > 1 and legal[0] == DONE and CARD <= legal[1] < CARD + NUM_CARDS:
            legal = legal[1:]
        GAME.play.apply(states, 0, int(rng.choice(legal)))
    return states


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_pettingzoo_accepts_it(options):
    api_test(berserk_v0.env(mode="laar", **options), num_cycles=200)
    seed_test(lambda: berserk_v0.env(mode="laar", **options), num_cycles=60)


def test_agents_by_mode():
    """rules 11.2: the demon alone is not an agent"""
    assert berserk_v0.env(mode="laar").possible_agents == ["player_0", "player_1"]
    assert berserk_v0.env(mode="laar", num_players=1).possible_agents == ["player_0"]
    assert berserk_v0.parallel_env(mode="laar", num_players=1).possible_agents == ["player_0"]


def test_a_game_of_two_squads_stays_as_it_was():
    """Records and observations of both have the same sizes."""
    duel = games.game("berserk")
    assert (duel.state.itemsize, duel.observation_size, duel.num_actions) == (1520, 3501, GAME.num_actions)
    assert (GAME.state.itemsize, GAME.observation_size) == (1520, 3501)


def test_what_is_paid():
    """rules 11.10, 11.11: +1, -1 or 0; alone nobody else is paid the opposite"""
    paid = {players: set() for players in PLAYERS}
    for seed in range(24):
        players = 1 + seed % 2
        options = Options(num_players=players, max_turns=(200, 4)[seed % 6 > 3])
        states = begun(seed, num_players=players, max_turns=options.max_turns)
        if seed % 4 > 1:
            states[0].wounds[slot_of(states[0], DEMON)] = LIFE[DEMON] - 6
        states = over(states, seed)
        rewards = GAME.rewards["win"](GAME.play.scores(states, 0).tolist())
        assert rewards == ([0.0] * players if states[0].truncated else rewards)
        paid[players].add(tuple(rewards))
    assert paid[1] == {(1.0,), (-1.0,), (0.0,)}
    assert paid[2] == {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}


@pytest.mark.parametrize(("score", "share", "reward"), [(1, 1.0, 1.0), (0, 0.5, 0.0), (-1, 0.0, -1.0)])
def test_the_share_of_a_single_player(score, share, reward):
    assert victory_share(np.array([score], np.int32), 0) == share
    assert win_reward(share, 1) == reward
    assert share_of(reward, 1) == share


@pytest.mark.parametrize("players", PLAYERS)
def test_a_batch_plays_the_games_that_its_seeds_say(players):
    options = Options(num_players=players, max_turns=12)
    batch = VectorGames(3, game=GAME.name, seed=5, num_players=players, max_turns=12)
    batch.reset()
    alone = [GAME.new_game(5 + game, options) for game in range(3)]
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(90):
        actions = [int(rng.choice(mask.nonzero()[0])) for mask in batch.masks]
        wanted = {}
        for game, states in enumerate(alone):
            assert batch.masks[game].tolist() == states["mask"][0].tolist()
            if GAME.play.apply(states, 0, actions[game]) == -1:
                wanted[game] = GAME.rewards["win"](GAME.play.scores(states, 0).tolist())
                alone[game] = GAME.new_game(int(batch.seeds[game]) + 3, options)
        batch.step(np.array(actions))
        for game, rewards in wanted.items():
            assert batch.rewards[game].tolist() == [*rewards, *[0.0] * (2 - players)]
            ended += 1
    assert ended > 2


def test_copies_and_states():
    env = berserk_v0.env(mode="laar", num_players=1)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    while env.agents and env.unwrapped.get_state()["phase"][0] < Phase.BATTLE:
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert content(other.get_state()) == content(env.get_state())


@pytest.mark.parametrize("players", PLAYERS)
def test_one_seat(players):
    env = gymnasium.make("bloodrage/OneSeat-v0", game=GAME.name, opponents="random", num_players=players).unwrapped
    rng = np.random.default_rng(1)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        done, total = False, 0.0
        while not done:
            observation, reward, ended, cut, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            done, total = ended or cut, total + reward
        assert observation.shape == (GAME.observation_size,)
        assert total in (-1.0, 0.0, 1.0)


@pytest.mark.parametrize("players", PLAYERS)
def test_replays(players, tmp_path: Path):
    options = Options(num_players=players, placing="at_once", decks=("mountain", "steppe_2"))
    check_replay(GAME, options, list("ab"[:players]), tmp_path / "game.bsk")


@pytest.mark.parametrize("players", PLAYERS)
def test_texts(players):
    """rules 11.2: boards, questions, answers, events and results; the demon alone goes by its name"""
    shown = games.presentation(GAME.name)
    texts, results = [], []
    for seed in range(4):
        states = GAME.new_game(seed, Options(num_players=players, placing=("in_turn", "at_once")[seed % 2]))
        rng = np.random.default_rng(seed)
        texts += [each.text for each in shown.opening_events(states, None)]
        while not states[0].over:
            action = int(rng.choice(states[0].mask.nonzero()[0]))
            if rng.random() < 0.2 or states[0].phase < Phase.BATTLE:
                for seat in range(players):
                    texts.append(shown.board_text(states, 0, seat, False))
                    texts += [each.text for each in shown.events(states, action, seat)]
                texts += [shown.decision_text(states, 0), shown.action_text(states, 0, action)]
                texts += shown.terminal.menu(states)[0]
            GAME.play.apply(states, 0, action)
        results.append(shown.result_table(states))
        texts.append(shown.board_text(states, 0, None, False))
    assert any("Varahiel" in text and "begins on" in text for text in texts)
    assert any(text.startswith(("Turn ", "Astaroth wins")) for text in texts)
    assert not any("face down: no card" in text for text in texts)
    alone = [text for text in [*texts, *results] if "Player B" in text]
    assert (alone == []) == (players == 1)
    assert all(len(text.splitlines()) == 3 for text in results)
    assert any("won" in text for text in results)


def test_the_two_cards_are_described():
    """rules 11.1"""
    shown = games.presentation(GAME.name)
    text = "\n".join(shown.about(["Astaroth", "varahiel"]))
    assert "Astaroth: neutral, unique, in no deck" in text
    assert "heals" in text
    assert {"Astaroth", "Varahiel"} <= {word for line in shown.reference() for word in line.split()}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("spec", ["hold", "rush", "flat:simulations=4", "ismcts:simulations=4"])
def test_agents_play_it(spec, players):
    """What they do is legal, and the same whatever is hidden from their seat."""
    options = Options(num_players=players)
    check_agent(GAME, spec, options, 12)


def test_a_search_plays_better_than_chance():
    """rules 11.2: alone too"""
    won = {}
    for spec in ("random", "ismcts:simulations=60"):
        played = [
            play_game([registry.make(spec, GAME.name)], seed, Options(num_players=1), [seed]) for seed in range(8)
        ]
        won[spec] = sum(each.scores[0] for each in played)
    assert won["random"] < won["ismcts:simulations=60"]


def test_a_tournament(monkeypatch, tmp_path, capsys):
    """Of two players; a single one is compared with nobody, which is said in a line."""
    monkeypatch.setattr(command, "make_pool", lambda backend, size: Here())
    argv = ["tournament", "run", "--game", GAME.name, "--agents", "random,hold", "--deals", "2", "--seed", "1"]
    assert main([*argv, "--players", "1", "--store", str(tmp_path / "one.db")]) == 1
    assert capsys.readouterr().err == (
        "bloodrage tournament: a tournament needs games of 2 players or more: a single player is compared with nobody\n"
    )
    assert main([*argv, "--store", str(tmp_path / "two.db")]) == 0
    assert "hold" in capsys.readouterr().out
    assert main(["tournament", "verify", str(tmp_path / "two.db")]) == 0


def test_the_terminal_names_no_opponent_of_a_single_player(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    main(["play", "--game", GAME.name, "--players", "1", "--seed", "1"])
    assert capsys.readouterr().out.startswith("You play alone.\n")
