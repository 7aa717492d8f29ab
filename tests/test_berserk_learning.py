"""Berserk learned: what its network is told, how it is asked and trained, and which files it takes."""

from pathlib import Path

import numpy as np
import pytest
import torch
from run_content import rounded
from small_ppo import play

from bloodrage_agents import registry
from bloodrage_agents.games.berserk.compiled.forward import FORWARD
from bloodrage_agents.games.berserk.compiled.heuristics import choose_many
from bloodrage_agents.games.berserk.compiled.weights import STYLES
from bloodrage_agents.match import play_game
from bloodrage_agents.network import Network
from bloodrage_agents.scores import LEAST
from bloodrage_env import VectorGames, games
from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.engine import CARD, NUM_CARDS, Decision
from bloodrage_env.games.berserk.game import GAME
from bloodrage_training.learn.average import average
from bloodrage_training.learn.config import Ppo, parse
from bloodrage_training.learn.export import export, policy_of
from bloodrage_training.learn.learnable import learnable
from bloodrage_training.learn.policy import Policy, SparseRows, load_policy
from bloodrage_training.learn.runs import with_policy, write
from bloodrage_training.learn.tables import Tables

COUNT = 24
ALL = np.arange(COUNT)
SMALL = Ppo(game="berserk", width=16, layers=1, games=6, steps=120, players=(2,), self_play=0.5)


def positions(steps: int) -> VectorGames:
    """Open decisions of some games that `hold` and random play have brought so far."""
    batch = VectorGames(COUNT, game="berserk", seed=5)
    batch.reset()
    rng = np.random.default_rng(1)
    styles = np.where(ALL % 2 == 0, STYLES.index("hold"), -1)
    for _ in range(steps):
        actions = (batch.masks + rng.random(batch.masks.shape)).argmax(1)
        choose_many(batch.states, styles, rng.integers(2**62, size=COUNT), actions)
        batch.step(actions)
    return batch


def dense(states: np.ndarray) -> np.ndarray:
    """float32[len(states), num_inputs]."""
    rows = SparseRows.of(states, np.arange(len(states)), FORWARD)
    found = np.zeros((len(rows), FORWARD.num_inputs), np.float32)
    found[np.repeat(np.arange(len(found)), np.diff(rows.offsets)), rows.index] = rows.values
    return found


def trained(game: str = "berserk") -> Policy:
    """A policy that is no longer at its start."""
    torch.manual_seed(3)
    policy = Policy(24, 2, game, ledger=True)  # so that no weight is without an input
    with torch.no_grad():
        for value in policy.parameters():
            value.add_(torch.randn_like(value) * 0.1)
    return policy


@pytest.mark.parametrize("steps", [0, 8, 45, 70, 130])
def test_inputs_are_the_observation_and_a_score_for_each_legal_action(steps: int) -> None:
    batch = positions(steps)
    found = dense(batch.states)
    assert (found[:, : GAME.observation_size] == batch.observations).all()
    scores = found[:, FORWARD.at_scores :]
    assert ((scores > 0) == (batch.masks == 1)).all()
    assert (scores.max(1) == 1).all()
    assert scores[scores > 0].min() >= LEAST - 1e-6


@pytest.mark.parametrize("steps", [0, 8, 45, 70, 130])
def test_inputs_tell_nothing_that_the_seat_may_not_know(steps: int) -> None:
    """rules 9.4, 9.5: neither hidden cards nor dice to come: a redeal for the seat has the same inputs."""
    batch = positions(steps)
    redealt = [GAME.redeal(batch.states, game, int(batch.seats[game]), 77) for game in range(COUNT)]
    assert (dense(np.concatenate(redealt)) == dense(batch.states)).all()


def test_scores_tell_good_actions_from_bad_ones() -> None:
    """Played by its best scores alone, a game is won against random play nearly always, and often against `rush`."""
    known = learnable("berserk")
    policy = Policy(8, 1, "berserk")
    from bloodrage_training.learn.evaluate import against, greedy

    assert against(greedy(policy), "random", 40, game="berserk").share > 0.9
    assert against(greedy(policy), "rush", 60, game="berserk").share > 0.4
    assert known.baselines == ("random", "rush", "hold")


def test_the_likeliest_action_of_a_new_network_has_the_best_score() -> None:
    batch = positions(70)
    logs, values = Policy(16, 1, "berserk")(SparseRows.of(batch.states, ALL, FORWARD))
    scores = dense(batch.states)[:, FORWARD.at_scores :]
    best = scores[ALL, logs.argmax(1).numpy()]
    assert (best > 0.95).all()
    assert values.shape == (COUNT, GAME.max_seats)


@pytest.mark.parametrize("steps", [8, 130])
def test_an_exported_network_answers_as_the_policy(tmp_path: Path, steps: int) -> None:
    policy, batch = trained(), positions(steps)
    export(policy, tmp_path / "policy.npz")
    logits, values = Network.load(tmp_path / "policy.npz", "berserk").evaluate(batch.states, ALL)
    logs, wanted = (each.detach().numpy() for each in rounded(policy)(SparseRows.of(batch.states, ALL, policy.net)))
    chances = np.exp(logits - np.logaddexp.reduce(logits, axis=1)[:, None])
    assert np.allclose(chances, np.exp(logs), atol=1e-5)
    assert np.allclose(values, wanted, atol=1e-4)
    read, stored = policy_of(tmp_path / "policy.npz", "berserk").state_dict(), rounded(policy).state_dict()
    assert all((read[name] == stored[name]).all() for name in stored)


def test_a_file_of_one_game_is_refused_by_the_other(tmp_path: Path) -> None:
    for own, other in (("berserk", "bloodrage"), ("bloodrage", "berserk")):
        path = tmp_path / f"{own}.npz"
        export(trained(own), path)
        titles = f"it plays {games.spec(own).title}, not {games.spec(other).title}"
        with pytest.raises(UserError, match=titles):
            Network.load(path, other)
        write(path.with_suffix(".pt"), with_policy(trained(own)))
        with pytest.raises(UserError, match=f"its network plays '{own}', not {other}"):
            load_policy(path.with_suffix(".pt"), other)
    with pytest.raises(UserError, match="it must be one game"):
        average([Policy(8, 1, game="bloodrage"), Policy(8, 1, "berserk")])


def test_the_agent_plays_whole_games(tmp_path: Path) -> None:
    export(trained(), tmp_path / "policy.npz")
    agents = [registry.make(f"network:path={tmp_path / 'policy.npz'}", "berserk"), registry.make("random", "berserk")]
    played = play_game(agents, 4, games.options_from("berserk"), (1, 2))
    assert played.forfeit_seat is None


def test_a_rollout_learns_from_the_network_alone() -> None:
    """Rows are the network's decisions, in games with both seats or one; both decks are played from both seats."""
    tables = Tables(SMALL, seed=5)
    assert len({tuple(row) for row in tables.games.options.tolist()}) == 2
    assert not tables.mirrored.any()
    batch, counts = play(tables, Policy(16, 1, "berserk"), SMALL.steps)
    assert counts.decisions == len(batch.places) < SMALL.games * SMALL.steps
    assert batch.returns.shape == (counts.decisions, 2)
    assert 0 < batch.known.sum() < len(batch.known)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sets": ["p5"]}, "no card sets"),
        ({"players": [3]}, "num_players"),
        ({"game": "chess"}, "give one of bloodrage, berserk"),
    ],
)
def test_settings_that_berserk_does_not_have_are_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(UserError, match=said):
        parse(Ppo, {"game": "berserk"} | wrong, "a.toml")


@pytest.mark.parametrize("game", games.all_names())
def test_a_run_can_learn_every_game_and_mode(game: str) -> None:
    """With its own numbers of players by default."""
    facts = games.game(game).options.facts()["num_players"].kind
    assert {facts.low <= each <= facts.high for each in parse(Ppo, {"game": game}, "a.toml").players} == {True}


@pytest.mark.parametrize(("game", "players"), [("berserk_team", {4}), ("berserk_laar", {1, 2})])
def test_a_rollout_of_a_mode(game: str, players: set[int]) -> None:
    """rules 10, 11: all numbers of players are played, with either deck; each seat's reward is that of its side."""
    config = Ppo(game=game, games=8, steps=150, self_play=0.5, players=learnable(game).defaults["players"])
    tables = Tables(config, seed=5)
    assert set(tables.games.players.tolist()) == players
    assert len({tuple(row) for row in tables.games.options.tolist()}) == 2 * len(players)
    batch, counts = play(tables, Policy(16, 1, game), config.steps)
    assert counts.decisions == len(batch.places) < config.games * config.steps
    assert set(batch.players.tolist()) == players
    assert 0 < batch.known.sum() < len(batch.known)


def test_train_and_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run from the command line, stopped by its end, and its policy measured."""
    small = ["width=8", "layers=1", "games=6", "steps=40", "decisions=600", "evaluate_every=2", "evaluation_games=4"]
    run = str(tmp_path / "run")
    assert main(["train", "--game", "berserk", "--out", run, *(f"--set={each}" for each in small)]) == 0
    assert load_policy(tmp_path / "run" / "checkpoint.pt", "berserk")[1]["progress"]["decisions"] >= 600
    assert "win rates against random" in capsys.readouterr().err
    measured = ["--deals", "2", "--against", "random", "--seed", "3", "--workers", "1"]
    assert main(["evaluate", "--game", "berserk", run, *measured]) == 0
    table = capsys.readouterr().out
    assert "random" in table
    assert "score" in table


def test_a_question_before_the_battle_is_scored_by_rules_of_thumb() -> None:
    """rules 9.1: the deal is kept, the second seat taken, and each card of the plan bought in its turn."""
    batch = positions(0)
    assert {int(each) for each in batch.states["decision"]} == {Decision.SEAT}
    assert (dense(batch.states)[:, FORWARD.at_scores + 2] == 1).all()  # NO
    later = positions(8)
    buying = (later.states["decision"] == Decision.BUY) & (ALL % 2 == 0)  # `hold`'s games
    assert buying.any()
    best = dense(later.states)[buying, FORWARD.at_scores :].argmax(1)
    assert ((best >= CARD) & (best < CARD + NUM_CARDS)).all()
