"""The tree search of Berserk: the same one as that of Blood Rage, on the rules of this game."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bloodrage_agents import registry
from bloodrage_agents.base import View
from bloodrage_agents.ismcts import Ismcts, children, move_of
from bloodrage_agents.match import play_game
from bloodrage_agents.mcts.nodes import MOVE_BITS, NUM_CALLS, NUM_DEALS, NUM_NODES, ROOT, SIMULATIONS
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.games.berserk.engine import NUM_ACTIONS, NUM_DECISIONS, NUM_SEATS, NUM_SLOTS, SECRET, Decision
from bloodrage_env.games.berserk.game import GAME
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy

OPTIONS = games.options_from("berserk")
DICE = 7**4


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A policy as new networks are, which plays by the scores that it is told."""
    torch.manual_seed(1)
    file = tmp_path_factory.mktemp("policy") / "policy.npz"
    export(Policy(8, 1, "berserk"), file)
    return str(file)


def position(decision: Decision, seed: int) -> Records:
    """The first open question of a kind in a game of random play."""
    rng = np.random.default_rng(seed)
    for number in range(200):
        states = GAME.new_game(1000 * seed + number, OPTIONS)
        while not GAME.play.is_over(states, 0):
            if int(states[0]["decision"]) == decision and int(states[0]["num_legal"]) > 1:
                return states
            GAME.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0]["mask"]))))
    raise AssertionError(f"no {decision.name}")


def searched(states: Records, agent: Ismcts, seed: int = 1) -> int:
    """What the agent answers for the seat to act."""
    view = View.of(states, 0, int(states[0]["seat"]), "berserk")
    return agent.act(view, states[0]["mask"].copy(), np.random.default_rng(seed))


def test_a_key_has_room_for_every_question() -> None:
    """`moves.question`: kind, seat, two cards and four dice."""
    assert NUM_DECISIONS * NUM_SEATS * (NUM_SLOTS + 1) ** 2 * DICE << MOVE_BITS < 2**63
    assert NUM_ACTIONS <= 1 << MOVE_BITS


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("decision", [Decision.BUY, Decision.PLACE, Decision.MAIN, Decision.TARGET, Decision.DEFENDER])
def test_the_tree_counts_every_simulation(path: str, decision: Decision, guided: bool) -> None:
    states = position(decision, 3)
    agent = Ismcts(60, path=path if guided else None, game="berserk", candidates=0.0)
    answer = searched(states, agent)
    assert states[0]["mask"][answer] == 1
    tree = agent.trees[0]
    root = children(tree.nodes, ROOT)
    assert {move_of(tree.nodes, child) for child in root} == set(np.flatnonzero(states[0]["mask"]).tolist())
    visits = {move_of(tree.nodes, child): int(tree.nodes[child]["visits"]) for child in root}
    assert sum(visits.values()) == tree.counters[SIMULATIONS] == tree.nodes[ROOT]["visits"] <= 60
    assert visits[answer] == max(visits.values())
    assert (tree.counters[NUM_CALLS] > 0) == guided
    assert np.allclose(tree.nodes[ROOT]["values"].sum(), tree.counters[SIMULATIONS])
    assert searched(states, Ismcts(60, path=path if guided else None, game="berserk", candidates=0.0)) == answer


def test_every_deal_has_dice_of_its_own() -> None:
    """rules 9.5: the search draws the dice to come anew, and the true ones are not among them."""
    states = position(Decision.MAIN, 4)
    agent = Ismcts(40, game="berserk")
    searched(states, agent)
    tree = agent.trees[0]
    words = [tuple(each["chance"].tolist()) for each in tree.deals[: tree.counters[NUM_DEALS]]]
    assert len(set(words)) == len(words) > 3
    assert tuple(states[0]["chance"].tolist()) not in words


def test_what_the_other_answers_in_secret_makes_no_branch(path: str) -> None:
    """rules 9.4: while First buys, a tree has no node for a question that Second answers in secret."""
    states = position(Decision.BUY, 5)
    seat = int(states[0]["seat"])
    agent = Ismcts(150, path=path, game="berserk", candidates=0.0)
    searched(states, agent)
    tree, dice_and_cards = agent.trees[0], (NUM_SLOTS + 1) ** 2 * DICE
    for node in tree.nodes[1 : tree.counters[NUM_NODES]]:
        question = int(node["key"]) >> MOVE_BITS
        decision, asked = divmod(question // dice_and_cards, NUM_SEATS)
        assert not (SECRET[decision] and asked != seat)


def test_a_search_beats_random_play() -> None:
    options = games.options_from("berserk", setup="fixed")
    for seat in range(NUM_SEATS):
        agents = [registry.make("random", "berserk"), registry.make("random", "berserk")]
        agents[seat] = registry.make("ismcts:simulations=60", "berserk")
        assert play_game(agents, 6 + seat, options, (1, 2)).scores[seat] == 1


def test_threads_and_files(tmp_path: Path, path: str) -> None:
    """Trees side by side answer legally; the style of the game is that of its default."""
    states = position(Decision.MAIN, 6)
    assert states[0]["mask"][searched(states, Ismcts(8, threads=3, path=path, game="berserk"))] == 1
    assert registry.canonical("ismcts:style=hold", "berserk") == "ismcts"
    assert registry.canonical("ismcts:style=rush", "berserk") == "ismcts:style=rush"


def test_the_ladder_of_a_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`bloodrage ladder --game berserk`: a line for each budget."""
    short = ["--setup", "fixed", "--max-turns", "6", "--workers", "1", "--seed", "1", "--deals", "1"]
    command = ["ladder", "ismcts", "--game", "berserk", "--budgets", "2", "4", "--opponent", "random", *short]
    assert main([*command, "--store", str(tmp_path)]) == 0
    table = capsys.readouterr().out
    assert "Elo is the difference from random" in table
    assert [line.split()[0] for line in table.splitlines()[1:3]] == ["2", "4"]
