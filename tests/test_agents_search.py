"""Search agents: what the tree holds, that nothing hidden plays a part, and that they find what there is to find."""

import numpy as np
import pytest
from scenario import Scenario
from test_network import by_matrices

from bloodrage_agents import budget, registry
from bloodrage_agents.base import View
from bloodrage_agents.budget import Budget, Meter
from bloodrage_agents.flat import Flat
from bloodrage_agents.games.bloodrage.compiled import tree
from bloodrage_agents.games.bloodrage.compiled.heuristics import play_heuristics
from bloodrage_agents.games.bloodrage.compiled.moves import HIDDEN_QUEST, NUM_MOVES
from bloodrage_agents.games.bloodrage.compiled.rollout import roll_out
from bloodrage_agents.games.bloodrage.compiled.weights import STYLES
from bloodrage_agents.ismcts import Ismcts, children, move_of
from bloodrage_agents.match import play_game
from bloodrage_agents.mcts.nodes import (
    MAX_NODES,
    MOVE_BITS,
    NODE,
    NUM_COUNTERS,
    NUM_NODES,
    ROOT,
    SIMULATIONS,
)
from bloodrage_agents.mcts.settings import GUIDED, PLAIN, row_of
from bloodrage_agents.network import SHIPPED, Network, NetworkAgent
from bloodrage_agents.random import RandomAgent
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import NUM_CARDS
from bloodrage_env.games.bloodrage.engine.cards import TYPE
from bloodrage_env.games.bloodrage.engine.ids import MAX_SEATS, NUM_BOARD, NUM_KINDS, CardType, Decision, Figure, Place
from bloodrage_env.games.bloodrage.engine.state import PACK_SIZE
from bloodrage_env.games.bloodrage.options import Options

SECRET = (Decision.DRAFT, Decision.BATTLE_CARD, Decision.KEEP_CARD)
BALANCED = STYLES.index("balanced")
NETWORK = Network.load(SHIPPED)
# What a search goes by: weights and their width, or none for the heuristic and rollouts; and the constants.
GUIDES = {
    "heuristic": (np.zeros(0, np.float32), 0, row_of(PLAIN)),
    "network": (NETWORK.vector, NETWORK.width, row_of(GUIDED)),
}
both_guides = pytest.mark.parametrize("guide", GUIDES)


class Guided(Ismcts):
    """With the shipped policy."""

    def __init__(self, simulations):
        super().__init__(simulations, path=SHIPPED)


every_search = pytest.mark.parametrize("kind", [Ismcts, Guided, Flat])


def grown(states, seat, simulations, seed=1, room=MAX_NODES, calls=1, guide="heuristic"):
    """The nodes of a search, and how many they are."""
    nodes, deals = np.zeros(room, NODE), np.zeros(64, engine.STATE)
    counters = np.zeros(NUM_COUNTERS, np.int64)
    for _ in range(calls):
        tree.grow(states, 0, seat, seed, simulations // calls, 0, BALANCED, *GUIDES[guide], deals, nodes, counters)
    assert counters[SIMULATIONS] == simulations
    return nodes, int(counters[NUM_NODES])


def test_a_key_has_room_for_every_question():
    """The greatest key is a number of 64 bits with a sign."""
    questions = len(Decision) * MAX_SEATS * (NUM_BOARD + 1) * (NUM_KINDS + 1) * (NUM_CARDS + 1) ** (MAX_SEATS + 1)
    assert questions << MOVE_BITS < 2**63
    assert NUM_MOVES <= 1 << MOVE_BITS


def question_of(key):
    """Decision and seat of the question that a key names (`moves.question`)."""
    rest = int(key) >> MOVE_BITS
    rest //= (NUM_CARDS + 1) ** (MAX_SEATS + 1) * (NUM_KINDS + 1) * (NUM_BOARD + 1)
    return Decision(rest // MAX_SEATS), rest % MAX_SEATS


def positions(every, seeds=range(8)):
    """Positions of games between heuristics in which the seat to act has a choice; number, states, seat."""
    number = 0
    for seed in seeds:
        states = engine.new_game(seed, 2 + seed % 3)
        styles = np.full(MAX_SEATS, BALANCED)
        while engine.seat_to_act(states, 0) >= 0:
            number += int(states[0].num_legal > 1)
            if states[0].num_legal > 1 and number % every == 0:
                yield number, states, engine.seat_to_act(states, 0)
            play_heuristics(states, 0, styles, number, 1)


def answer(agent, states, seat, number):
    """What an agent says when it sees this game from a seat."""
    return agent.act(View.of(states, 0, seat), engine.legal_mask(states, 0), np.random.default_rng(number))


# ---- the tree


@both_guides
def test_a_tree_adds_up(guide):
    """Visits are those of the children and of the node itself, outcomes are shares, availability bounds visits.

    The same move in answer to another question leads to another child.
    """
    found = answered_twice = 0
    for number, states, seat in positions(151):
        nodes, size = grown(states, seat, 300, number, guide=guide)
        players = int(states[0].num_players)
        assert nodes["visits"][ROOT] == 300
        assert nodes["visits"][:size].sum() - 300 == sum(
            nodes["visits"][child] for node in range(size) for child in children(nodes, node)
        )
        for node in range(size):
            below = children(nodes, node)
            visits = int(nodes[node]["visits"])
            keys = [int(nodes[child]["key"]) for child in below]
            assert len(set(keys)) == len(keys)
            answered_twice += len({move_of(nodes, child) for child in below}) < len(keys)
            in_children = sum(int(nodes[child]["visits"]) for child in below)
            # A simulation stays in the node that it made, and in one where the game ends or nothing is open.
            assert in_children == visits if node == ROOT else in_children <= max(0, visits - 1)
            values = nodes[node]["values"]
            assert values.sum() == pytest.approx(visits)
            assert (values >= 0).all()
            assert (values <= visits + 1e-9).all()
            assert (values[players:] == 0).all()
            for child in below:
                assert nodes[child]["visits"] <= nodes[child]["available"] <= visits
                found += 1
    assert found > 1000
    assert answered_twice


@both_guides
def test_a_tree_does_not_depend_on_the_calls_that_grew_it(guide):
    for number, states, seat in positions(211):
        nodes, size = grown(states, seat, 120, number, guide=guide)
        again, size_again = grown(states, seat, 120, number, calls=4, guide=guide)
        assert size == size_again
        assert nodes[:size].tobytes() == again[:size].tobytes()


@both_guides
def test_a_full_tree_goes_on_counting(guide):
    """Memory is bounded: without room for more nodes the simulations go on in those that there are."""
    for number, states, seat in positions(211):
        nodes, size = grown(states, seat, 400, number, room=400, guide=guide)
        assert size <= 400
        assert nodes["visits"][ROOT] == 400
        assert sum(int(nodes[child]["visits"]) for child in children(nodes, ROOT)) == 400


@both_guides
def test_what_others_choose_in_secret_makes_no_branch(guide):
    """rules 7.1: no draft, battle card or kept card of another seat, and no quest by name (rules 3.2.8)."""
    seen, hidden_quests = set(), 0
    for number, states, seat in positions(61):
        nodes, size = grown(states, seat, 300, number, guide=guide)
        for node in range(1, size):
            decision, mover = question_of(nodes[node]["key"])
            move = move_of(nodes, node)
            seen.add((decision, mover == seat))
            if mover != seat:
                assert decision not in SECRET
                if decision == Decision.ACTION and act.CARD <= move < act.FIGURE_AT:
                    assert TYPE[move - act.CARD] != CardType.QUEST
                hidden_quests += move == HIDDEN_QUEST
            else:
                assert move != HIDDEN_QUEST
    assert hidden_quests > 30
    assert {(Decision.DRAFT, True), (Decision.ACTION, True), (Decision.ACTION, False)} <= seen


@both_guides
def test_each_seat_plays_for_itself(guide):
    """What others visit most in the tree is better for them than the mean of what they try, not for the observer."""
    gains = np.zeros(2)
    for number, states, seat in positions(101):
        nodes, size = grown(states, seat, 600, number, guide=guide)
        for node in range(1, size):
            below = [child for child in children(nodes, node) if nodes[child]["visits"] > 0]
            movers = {question_of(nodes[child]["key"])[1] for child in below}
            visits = np.array([nodes[child]["visits"] for child in below])
            if len(below) < 2 or len(movers) > 1 or movers == {seat} or visits.sum() < 40:
                continue
            means = np.array([nodes[child]["values"] / nodes[child]["visits"] for child in below])
            gains += (means[visits.argmax()] - visits @ means / visits.sum())[[*movers, seat]]
    assert gains[0] > 0 > gains[1]


def test_rollouts_of_several_calls_are_those_of_one():
    _, states, seat = next(positions(5))
    moves = np.flatnonzero(states[0].mask)
    once, first, second = (np.zeros(len(moves)) for _ in range(3))
    roll_out(states, 0, seat, 9, 0, 40, moves, once)
    roll_out(states, 0, seat, 9, 0, 20, moves, first)
    roll_out(states, 0, seat, 9, 20, 20, moves, second)
    assert first + second == pytest.approx(once)
    assert first.tolist() != second.tolist()


@every_search
def test_the_answer_is_the_same_in_games_that_the_seat_cannot_tell_apart(kind):
    agent, count = kind(simulations=60), 0
    for number, states, seat in positions(41):
        other = engine.redeal(states, 0, seat, number)
        assert answer(agent, states, seat, 5) == answer(agent, other, seat, 5), f"position {number}"
        count += 1
    assert count > 20


def test_seeds_make_a_difference():
    """Otherwise the test above would say little."""
    agent = Ismcts(simulations=8)
    assert any(
        len({answer(agent, states, seat, number) for number in range(6)}) > 1 for _, states, seat in positions(101)
    )


# ---- the network in the tree


def test_priors_are_the_network_s_own():
    """In the tree it says what its matrices say: logits as priors."""
    checked = 0
    for number, states, seat in positions(31):
        nodes, _ = grown(states, seat, 1, number, guide="network")
        logits, _ = by_matrices(NETWORK, states, np.zeros(1, np.int64))
        for child in children(nodes, ROOT):
            assert float(nodes[child]["score"]) == pytest.approx(float(logits[0, move_of(nodes, child)]), abs=1e-3)
            checked += 1
    assert checked > 200


def test_a_few_simulations_try_what_the_network_prefers():
    """The first move tried is the one with the highest prior."""
    for number, states, seat in positions(31):
        nodes, _ = grown(states, seat, 1, number, guide="network")
        best = max(children(nodes, ROOT), key=lambda child: float(nodes[child]["score"]))
        assert nodes[best]["visits"] == 1
        view, mask = View.of(states, 0, seat), engine.legal_mask(states, 0)
        assert move_of(nodes, best) == NetworkAgent(sample="none").act(view, mask, np.random.default_rng(0))


def test_a_search_has_one_guide():
    with pytest.raises(UserError, match=r"^ismcts takes style or path, not both$"):
        registry.make("ismcts:style=loki,path=shipped")
    with pytest.raises(UserError, match="can't read no/such"):
        registry.make("ismcts:path=no/such.npz")


# ---- what there is to find


def nothing_in_hand(g, seat):
    """The cards that the deck gave to a seat in the third Age have all been shown: a redeal leaves it none."""
    s = g.state
    picks = 2 if g.players == 2 else 1
    dealt = [
        s.deck[2, pack * PACK_SIZE + k]
        for pack in range(g.players)
        for k in range(6)
        if (pack + k // picks) % g.players == seat
    ]
    s.shown[2, seat, : len(dealt)] = dealt
    s.shown_count[2, seat] = len(dealt)


def last_invade():
    """Seat 0 is two glory behind and has one Rage: a warrior in the doomed province earns four."""
    g = Scenario(players=3, age=3)
    for seat in (1, 2):
        g.passed(seat)
        nothing_in_hand(g, seat)
    for kind in (Figure.LEADER, Figure.SHIP):
        g.put(0, kind, Place.VALHALLA)
    g.doomed(Place.UTGARD)
    g.rage(0, 1)
    g.glory(0, 10)
    g.glory(1, 12)
    g.go()
    return g, act.figure_at(Figure.WARRIOR, Place.UTGARD)


def last_battle():
    """One STR against three, no card on the other side: only the strongest card wins, and with it the game."""
    g = Scenario(players=3, age=3)
    for seat in (1, 2):
        g.passed(seat)
        nothing_in_hand(g, seat)
    g.put(0, Figure.WARRIOR, Place.ELVAGAR)
    g.put(1, Figure.LEADER, Place.ELVAGAR)
    g.token(Place.ELVAGAR, "GLORY")
    g.hand(0, "Tyr's Rage", "Tyr's Bash", "Odin's Tide")
    g.rage(0, 1)
    g.glory(0, 10)
    g.glory(1, 15)
    g.pillage(0, Place.ELVAGAR)
    g.decline_calls()
    assert g.asked() == (0, Decision.BATTLE_CARD)
    return g, act.CARD + g.hand_of(0)[-1]


@pytest.mark.parametrize("position", [last_invade, last_battle])
@every_search
def test_finds_the_one_move_that_wins(kind, position):
    g, winning = position()
    assert len(g.legal_actions()) > 2
    for number in range(5):
        assert answer(kind(simulations=300), g.states, 0, number) == winning


# ---- whole games


@pytest.mark.parametrize("options", [Options(2), Options(3, first_game=True), Options(4, skip_forced=False)])
def test_plays_whole_games(options):
    """The other searches do so in test_agents_protocol.py."""
    agents = [Guided(simulations=12) for _ in range(options.num_players)]
    record = play_game(agents, 5, options, range(options.num_players))
    assert record.forfeit_reason is None
    assert len(record.actions) > 50


@every_search
def test_beats_random_players(kind):
    for seed in range(2):
        agents = [RandomAgent(), RandomAgent(), kind(simulations=100), RandomAgent()]
        record = play_game(agents, seed, Options(4), range(4))
        assert record.forfeit_reason is None
        assert record.scores[2] > max(record.scores[seat] for seat in (0, 1, 3)) + 10


# ---- budgets


def test_simulations_are_counted():
    """A tree search ends early where no other action can become the answer; flat Monte Carlo tries each action once,
    whatever the budget.
    """
    states = engine.new_game(1, 4)
    agent = Ismcts(simulations=2500)  # more than one chunk
    answer(agent, states, engine.seat_to_act(states, 0), 1)
    tree = agent.trees[0]
    done = int(tree.counters[SIMULATIONS])
    first, second = sorted((int(tree.nodes[child]["visits"]) for child in children(tree.nodes, ROOT)), reverse=True)[:2]
    assert 1250 <= done <= 2500
    assert done == 2500 or first - second > 2500 - done
    assert answer(Flat(simulations=1), states, engine.seat_to_act(states, 0), 1) >= act.CARD


class Clock:
    """A clock on which each simulation takes so many milliseconds."""

    def __init__(self, ms):
        self.now, self.ms = 0.0, ms

    def __call__(self):
        return self.now

    def run(self, simulations):
        self.now += simulations * self.ms / 1000


@pytest.mark.parametrize("ms", [0.01, 1, 30])
@pytest.mark.parametrize("unit", [1, 7])
def test_milliseconds_are_kept(ms, unit, monkeypatch):
    """At most one unit more than the budget, and the most of it is used."""
    clock = Clock(ms)
    monkeypatch.setattr(budget, "perf_counter", clock)
    meter = Budget(ms=200).start()
    while size := meter.chunk(unit):
        clock.run(size * unit)
    assert 190 <= clock.now * 1000 <= 201 + unit * ms


def test_stages_end_where_they_should():
    meter = Budget(simulations=100).start()
    assert [meter.chunk(10, 0.5), meter.chunk(10, 0.5), meter.chunk(10), meter.chunk(10)] == [5, 0, 5, 0]


def test_flat_search_halves_and_adds_up(monkeypatch):
    """Eight actions, 240 simulations: an equal part for each of three stages, and values are means over all of them."""
    rounds = []

    def rolled(record, index, seat, seed, done, more, actions, sums):
        rounds.append((len(actions), done, more))
        sums += more * np.where(actions == first, 1.0 if done == 0 else 0.55, 0.6)

    monkeypatch.setattr("bloodrage_agents.games.bloodrage.compiled.rollout.roll_out", rolled)
    states = engine.new_game(1, 4)
    view, legal = View.of(states, 0, engine.seat_to_act(states, 0)), np.flatnonzero(engine.legal_mask(states, 0))
    first = legal[0]
    assert len(legal) == 8
    answer = Flat(simulations=240).search(view, legal, 0, Budget(simulations=240).start())
    assert answer.move == first
    assert answer.values[answer.moves != first, view.seat] == pytest.approx([0.6] * 7)
    assert rounds == [(8, 0, 10), (4, 10, 20), (2, 30, 40)]


def test_one_legal_action_needs_no_search(monkeypatch):
    monkeypatch.setattr(Meter, "chunk", lambda *_: pytest.fail("it searched"))
    states = engine.new_game(1, 4)
    mask = np.zeros(act.NUM_ACTIONS, np.int8)
    mask[act.CARD + 3] = 1
    for kind in (Ismcts, Flat):
        view = View.of(states, 0, engine.seat_to_act(states, 0))
        assert kind(ms=10**6).act(view, mask, np.random.default_rng(0)) == act.CARD + 3


@pytest.mark.parametrize("wrong", [{}, {"simulations": 5, "ms": 5}, {"simulations": 0}, {"ms": -1}])
def test_a_budget_is_one_positive_number(wrong):
    with pytest.raises(UserError):
        Ismcts(**wrong)
