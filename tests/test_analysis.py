"""Analysis and review: what they say adds up, comes from what the seat knows alone, and finds a blunder."""

import dataclasses
import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from random_play import games_in_the_middle
from scenario import Scenario
from test_agents_search import last_battle, last_invade, positions

from bloodrage_agents.analysis import COMPARED_DEALS, Analyst, line_moves
from bloodrage_agents.base import View
from bloodrage_agents.games.berserk import study as berserk
from bloodrage_agents.games.bloodrage.study import TERMS
from bloodrage_agents.ismcts import Ismcts
from bloodrage_agents.network import SHIPPED, NetworkAgent
from bloodrage_agents.review import Reviewer
from bloodrage_env import games
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.core.engine.rewards import victory_share
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place
from bloodrage_env.games.bloodrage.notation.questions import answer_text
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_env.study import COSTLY, SHOWN_MOVES, Analysis, Judged, Move, Tried, analysis_data

SIMULATIONS = 60


@pytest.fixture(scope="module")
def analyst():
    return Analyst(TERMS)


def test_an_analysis_adds_up(analyst):
    """Shares have sum 1, legal actions alone are named, visits are the simulations, lines begin so."""
    count = 0
    for number, states, seat in positions(61):
        found = analyst.analyse(View.of(states, 0, seat), number, SIMULATIONS)
        legal = set(np.flatnonzero(states[0].mask).tolist())
        assert set(found.probabilities) == legal
        assert sum(found.probabilities.values()) == pytest.approx(1, abs=1e-5)
        assert len(found.wins) == states[0].num_players
        assert sum(found.wins) == pytest.approx(1)
        assert min(found.wins) >= 0
        assert 0 < sum(tried.visits for tried in found.tried) <= SIMULATIONS
        visits = [tried.visits for tried in found.tried]
        assert visits == sorted(visits, reverse=True)
        assert min(visits) > 0
        for tried in found.tried:
            assert tried.action in legal
            assert 0 <= tried.value <= 1
            assert tried.line[0] == Move(seat, answer_text(states, 0, tried.action), tried.action)
            count += len(tried.line)
    assert count > 100


def test_the_network_alone_says_what_its_agent_plays(analyst):
    agent = NetworkAgent(sample="none")
    for number, states, seat in positions(61):
        view = View.of(states, 0, seat)
        found = analyst.analyse(view, number, 0)
        assert found.tried == ()
        assert found.best == agent.act(view, engine.legal_mask(states, 0), np.random.default_rng(0))
        assert found.wins == analyst.wins(view, number)


@pytest.mark.parametrize("simulations", [60, 2000])
def test_its_search_is_that_of_the_agent_with_so_many_simulations(analyst, simulations):
    agent = Ismcts(simulations=simulations, path=SHIPPED)
    for number, states, seat in positions(301):
        view = View.of(states, 0, seat)
        answer = agent.search(view, np.flatnonzero(states[0].mask), number, agent.budget.start())
        found = analyst.analyse(view, number, simulations)
        wanted = {int(move): int(visits) for move, visits in zip(answer.moves, answer.visits, strict=True) if visits}
        assert {tried.action: tried.visits for tried in found.tried} == wanted


def everything(analyst, view, seed):
    """All that an analyst says of an open question."""
    actions = np.flatnonzero(view.record[0].mask)[:2].tolist()
    compared, later = (
        analyst.compare(view, actions, seed).tolist(),
        analyst.outlook(view, actions, seed, 4).scores.tolist(),
    )
    return analyst.analyse(view, seed, SIMULATIONS), analyst.wins(view, seed), compared, later


def test_it_is_the_same_in_games_that_the_seat_cannot_tell_apart(analyst):
    """Rules 2.6: hands, packs, quests, choices in secret and chance to come dealt otherwise change nothing."""
    kinds, others = set(), 0
    for number, states, seat in positions(61):
        other = engine.redeal(states, 0, seat, number)
        others += other[0].hand.tobytes() != states[0].hand.tobytes()
        one, two = (everything(analyst, View.of(each, 0, seat), 5) for each in (states, other))
        assert one == two, f"position {number}"
        kinds.add(int(states[0].decision))
    assert others > 10
    assert {Decision.DRAFT, Decision.ACTION} <= kinds


def test_who_saw_the_true_game_would_be_found_out(analyst):
    """The test above can fail: what the seat that is asked is told depends on cards that another seat does not see."""
    differing = 0
    for number, states, seat in positions(61):
        watching = (seat + 1) % int(states[0].num_players)
        other = engine.redeal(states, 0, watching, number)
        if engine.seat_to_act(other, 0) == seat:
            differing += analyst.course(states) != analyst.course(other)
    assert differing > 5


def test_win_probabilities_of_a_seat_that_is_not_asked(analyst):
    """They too come from what that seat knows."""
    for seed, states, _ in games_in_the_middle(range(8), 0.02):
        if engine.is_over(states, 0):
            continue
        for seat in range(int(states[0].num_players)):
            wins = analyst.wins(View.of(states, 0, seat), seed)
            other = engine.redeal(states, 0, seat, seed)
            assert wins == analyst.wins(View.of(other, 0, seat), seed)
            assert sum(wins) == pytest.approx(1)


def test_only_the_seat_that_is_asked_has_a_question(analyst):
    states = engine.new_game(1, 4)
    with pytest.raises(ValueError, match="not asked"):
        analyst.analyse(View.of(states, 0, (engine.seat_to_act(states, 0) + 1) % 4), 1)


def test_a_course_ends_with_the_result(analyst):
    for _, states, _ in games_in_the_middle(range(6), 0.02):
        course = analyst.course(states)
        assert sum(course) == pytest.approx(1)
        if engine.is_over(states, 0):
            scores = engine.scores(states, 0).astype(np.int32)
            assert course == tuple(victory_share(scores, seat) for seat in range(len(scores)))


@pytest.mark.parametrize("position", [last_invade, last_battle])
def test_the_one_move_that_wins_is_worth_most(analyst, position):
    g, winning = position()
    others = [action for action in g.legal_actions() if action != winning]
    view = View.of(g.states, 0, 0)
    compared = analyst.compare(view, [winning, *others], 3)
    assert compared.shape == (len(others) + 1, COMPARED_DEALS)
    assert compared[0].mean() > compared[1:].mean(axis=1).max()
    assert analyst.analyse(view, 3, 200).best == winning


def test_an_action_with_a_question_of_its_own_is_played_on_by_the_others_too(analyst):
    """Its worth is not that of the next question alone, which is the same in all redeals."""
    checked = 0
    for seed, states, _ in games_in_the_middle(range(40), 0.02):
        if engine.is_over(states, 0):
            continue
        seat = engine.seat_to_act(states, 0)
        for action in np.flatnonzero(states[0].mask).tolist():
            later = states.copy()
            engine.apply(later, 0, action)
            if engine.seat_to_act(later, 0) == seat and later[0].num_legal > 1 and checked < 8:
                assert analyst.compare(View.of(states, 0, seat), [action], seed).std() > 0
                checked += 1
    assert checked == 8


def test_a_line_goes_as_far_as_it_can_be_played():
    g, winning = last_invade()
    view = View.of(g.states, 0, 0)
    shown = line_moves(TERMS, view, [winning, act.PASS, act.MARCH], 1)
    assert [move.seat for move in shown] == [0] * len(shown)
    assert shown[0].text == answer_text(g.states, 0, winning)
    assert line_moves(TERMS, view, [act.MARCH], 1) == ()


def test_a_line_contains_no_secret_answer_of_another_seat():
    """A late card is a move of the tree, unlike a battle card. It is played, so what follows is asked of its seat."""
    g = Scenario(2)
    for seat, title in ((0, "Heimdall's Gaze"), (1, "Tyr's Smash")):
        g.put(seat, Figure.LEADER, Place.GIMLE)
        g.hand(seat, "Heimdall's Eye", title)
    g.pillage(0, Place.GIMLE)
    gaze, smash = (act.CARD + g.hand_of(seat)[1] for seat in range(2))
    view = SimpleNamespace(seat=1, redeal=lambda seed: g.states.copy())
    shown = line_moves(TERMS, view, [smash, gaze, act.NO], 1)  # the battle card of seat 0 is not in the tree
    assert [(move.seat, move.action) for move in shown] == [(1, smash), (1, act.NO)]
    assert shown[1].text == "add no card"


def test_a_line_goes_on_after_secret_answers_that_are_not_in_the_tree():
    """Berserk: those of the other seat have their first legal answer."""
    game = games.game("berserk")
    states = game.new_game(1, games.options_from("berserk"))
    world, line, left_out = states.copy(), [], 0
    view = SimpleNamespace(seat=0, redeal=lambda seed: states.copy())
    while len(line) < 40:
        seat, action = int(world[0].seat), int(world[0].mask.argmax())
        secret = seat != 0 and games.presentation("berserk").secret(world)
        left_out += bool(world[0].num_legal > 1 and secret)
        line += [(seat, action)] if world[0].num_legal > 1 and not secret else []
        game.play.apply(world, 0, action)
    assert left_out
    shown = line_moves(berserk.TERMS, view, [action for _, action in line], 1)
    assert [(move.seat, move.action) for move in shown] == line


def test_analysis_is_by_a_network():
    assert isinstance(Analyst.of(TERMS, "network"), Analyst)
    with pytest.raises(UserError, match="analysis is by a network, not by 'balanced'"):
        Analyst.of(TERMS, "balanced")
    with pytest.raises(UserError, match=r"can't read no/such\.npz"):
        Analyst.of(TERMS, "network:path=no/such.npz")


# ---- review


def at_random(seed):
    """A whole game of two."""
    game = Recorder(Replay(seed, Options(2)))
    rng = np.random.default_rng(seed)
    while not engine.is_over(game.states, 0):
        game.apply(int(rng.choice(np.flatnonzero(game.states[0].mask))))
    return game.replay()


@pytest.fixture(scope="module")
def reviewed(analyst):
    """A game at random, which has blunders, its first decisions as judged, and the result."""
    replay = at_random(0)
    reviewer = Reviewer(analyst, replay, 40)
    return replay, list(itertools.islice(reviewer.decisions(), 22)), reviewer.result()


def test_a_review_judges_every_decision(analyst, reviewed):
    replay, decisions, result = reviewed
    every = list(Reviewer(analyst, replay, 0).decisions())
    assert [judged.action for judged in every] == list(replay.actions)
    assert [judged.step for judged in every] == list(range(len(replay)))
    assert [(judged.step, judged.action) for judged in decisions] == [*enumerate(replay.actions[: len(decisions)])]
    assert decisions[:4] == list(itertools.islice(Reviewer(analyst, replay, 40).decisions(), 4))  # from the same seeds
    for states, judged in zip(replay.states(), decisions, strict=False):
        assert judged.seat == engine.seat_to_act(states, 0)
        assert sum(judged.course) == pytest.approx(1)
        assert (judged.analysis is None) == (states[0].num_legal == 1)
        assert judged.cost >= 0
        assert (judged.cost > 0) == (judged.better is not None)
        if judged.better is not None:
            assert states[0].mask[judged.better]
            assert judged.better != judged.action
    scores = np.array(replay.scores, np.int32)
    assert result == tuple(victory_share(scores, seat) for seat in range(2))


def test_a_review_finds_blunders(reviewed):
    """A game at random has some; the one that costs most gives away more than a fifth of the game."""
    _, decisions, _ = reviewed
    costly = [judged for judged in decisions if judged.costly]
    assert costly
    assert all(judged.cost > COSTLY or judged.price is not None for judged in costly)
    assert max(judged.cost for judged in costly) > 0.2


def test_without_a_search_there_is_no_cost(analyst):
    game = Recorder(Replay(1, Options(2)))
    for _ in range(12):
        game.apply(int(game.states[0].mask.argmax()))
    replay = dataclasses.replace(game.replay(), scores=None)
    reviewer = Reviewer(analyst, replay, 0)
    decisions = list(reviewer.decisions())
    assert len(decisions) == 12
    assert all(judged.cost == 0 for judged in decisions)
    assert [judged.course for judged in decisions] == [
        analyst.course(states) for states, _ in zip(replay.states(), decisions, strict=False)
    ]
    assert reviewer.result() == analyst.course(replay.at(-1))


# ---- as data


def test_what_is_shown_is_the_first_of_it():
    tried = tuple(
        Tried(action, 10 - action, 0.5, (Move(0, f"move {action}", action), Move(1, "end", 0))) for action in range(7)
    )
    analysis = Analysis(0, {action: (10 - action) / 100 for action in range(10)}, (0.7, 0.3), tried)
    data = analysis_data(analysis, lambda action: f"action {action}", str.upper)
    assert data["wins"] == [700, 300]
    assert data["network"][0] == [0, 100, "ACTION 0"]
    assert len(data["network"]) == 8
    assert len(data["search"]) == SHOWN_MOVES
    assert data["search"][1] == [1, 9, 500, "ACTION 1", [[0, "MOVE 1"], [1, "END"]]]
    assert not Judged(0, 0, 0, (1.0,), cost=COSTLY).costly
