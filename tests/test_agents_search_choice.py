"""The tree search from the root: which move is tried next, and which one is the answer."""

import numpy as np
import pytest
from test_agents_search import GUIDES, both_guides, positions
from test_agents_search_root import Grown

from bloodrage_agents.base import View
from bloodrage_agents.budget import Budget
from bloodrage_agents.ismcts import Ismcts, children, move_of
from bloodrage_agents.mcts.nodes import NUM_LEFT, NUM_PASSES, ROOT
from bloodrage_agents.mcts.settings import Setting
from bloodrage_agents.network import SHIPPED
from bloodrage_env.games.bloodrage import engine


def test_the_noise_is_gumbel_noise():
    """Its mean is Euler's constant and its variance pi^2 / 6."""
    noise = []
    for _, states, seat in positions(211):
        plain, *noisy = (Grown(states, seat, 1, planned=1, seed=k, noise=min(k, 1.0)) for k in range(30))
        for each in noisy:
            noise += [each.nodes[child]["score"] - plain.nodes[child]["score"] for child in children(plain.nodes, ROOT)]
    assert len(noise) > 1000
    assert np.mean(noise) == pytest.approx(np.euler_gamma, abs=0.15)
    assert np.var(noise) == pytest.approx(np.pi**2 / 6, rel=0.2)


@both_guides
def test_halving_goes_on_with_the_best_logit_plus_weighted_mean_value(guide):
    """Danihelka and others (2022), equations 7 and 8: at the end of the first round, and at the end of the search."""

    def best(grown, visits):
        settings = GUIDES[guide][2]
        candidates = [child for child in children(grown.nodes, ROOT) if grown.nodes[child]["visits"] == visits]
        weight = (settings[Setting.OFFSET] + visits) * settings[Setting.CONFIDENCE]
        by_height = {
            grown.nodes[child]["score"] + weight * grown.nodes[child]["values"][seat] / visits: child
            for child in candidates
        }
        return move_of(grown.nodes, by_height[max(by_height)])

    differ = 0
    for number, states, seat in positions(97):
        if states[0].num_legal < 4:
            continue
        first, more, whole = (
            Grown(states, seat, count, planned=32, guide=guide, seed=number, candidates=4) for count in (16, 17, 32)
        )
        assert more.visits()[best(first, 4)] == 5
        assert whole.answer == best(whole, 12)
        differ += best(first, 4) != whole.answer
    assert differ


@both_guides
def test_the_next_move_of_the_root_is_that_of_puct(guide):
    """The formula of `select.select`, by numpy: of moves with visits and without."""
    untried = tried = 0
    for number, states, seat in positions(151):
        for count in (1, 5, 40):
            one, more = (
                Grown(states, seat, each, guide=guide, seed=number, candidates=0) for each in (count, count + 1)
            )
            moves = sorted(children(one.nodes, ROOT), key=lambda child: move_of(one.nodes, child))
            found, mean = one.nodes[moves], one.nodes[ROOT]["values"][seat] / count
            prior = np.exp(found["score"].astype(float))
            prior /= prior.sum()
            known = found["visits"] > 0
            values = found["values"][:, seat] / np.maximum(1, found["visits"])
            siblings = (prior * values)[known].sum() / prior[known].sum()
            heights = np.where(known, values, (mean + count * siblings) / (1 + count))
            weight = GUIDES[guide][2][Setting.EXPLORATION] * np.sqrt(found["available"] + 1)
            best = int((heights + weight * prior / (1 + found["visits"])).argmax())
            assert more.nodes[moves[best]]["visits"] == found["visits"][best] + 1
            tried += bool(known[best])
            untried += not known[best]
    assert tried > 0 < untried


@both_guides
def test_a_high_first_play_keeps_moves_from_being_tried(guide):
    """It is subtracted from the value of moves without visits: one far above 1 leaves all but the first untried."""
    tried = {0.0: [], 100.0: []}
    for number, states, seat in positions(211):
        for first_play, counts in tried.items():
            visits = Grown(states, seat, 40, guide=guide, seed=number, candidates=0, first_play=first_play).visits()
            counts.append(sum(count > 0 for count in visits.values()))
    assert set(tried[100.0]) == {1}
    assert max(tried[0.0]) > 1


@pytest.mark.parametrize("budget", [{"simulations": 401}, {"ms": 300}, {"simulations": 400, "threads": 2}])
def test_an_agent_halves_with_each_kind_of_budget(budget):
    """In each tree two moves have been tried most, as often or one of them once more."""
    states = engine.new_game(1, 4)
    seat = engine.seat_to_act(states, 0)
    agent = Ismcts(path=SHIPPED, **budget)
    agent.act(View.of(states, 0, seat), engine.legal_mask(states, 0), np.random.default_rng(1))
    for each in agent.trees:
        visits = sorted((int(each.nodes[child]["visits"]) for child in children(each.nodes, ROOT)), reverse=True)
        assert visits[0] - visits[1] <= 1
        assert agent.budget.ms or visits[1] > visits[2] > visits[5] > 0  # by the clock it can end earlier


def test_each_tree_of_a_small_budget_is_searched():
    """A caller may give a search a smaller budget than that of the agent."""
    states = engine.new_game(1, 2)
    view, legal = View.of(states, 0, engine.seat_to_act(states, 0)), engine.legal_mask(states, 0)
    answer = Ismcts(simulations=60, threads=4).search(view, np.flatnonzero(legal), 1, Budget(simulations=3).start())
    assert legal[answer.move]
    assert answer.visits.sum() == 4


@pytest.mark.parametrize(("counter", "wrong"), [(NUM_PASSES, 40), (NUM_PASSES, -40), (NUM_LEFT, 100)])
def test_halving_refuses_counters_of_another_search(counter, wrong):
    """No move has been visited as often as they say."""
    states = engine.new_game(1, 4)
    grown = Grown(states, engine.seat_to_act(states, 0), 8, planned=200, candidates=4)
    grown.counters[counter] = wrong
    with pytest.raises(ValueError, match=r"^counters must be those of a search by"):
        grown.grow(100, 200)
