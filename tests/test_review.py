"""Reviews: what a costly decision gives away, and the reason that is given for it."""

import dataclasses

import numpy as np
import pytest
from random_play import games_in_the_middle

from bloodrage_agents.analysis import Analyst
from bloodrage_agents.base import View
from bloodrage_agents.games.bloodrage.study import TERMS, WORDS, fallen, glory
from bloodrage_agents.match import ask
from bloodrage_agents.network import NetworkAgent
from bloodrage_agents.played_on import places_of
from bloodrage_agents.review import Reviewer
from bloodrage_env import games
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import Decision
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_env.render.study_data import study_data
from bloodrage_env.study import Analysis, Judged, Outlook, Price, Study
from bloodrage_env.terminal.study_text import cost_text

DEALS = 8


def questions(decision, name="bloodrage"):
    """Questions of a kind in games of random play, with at least three answers."""
    for seed, states, _ in games_in_the_middle(range(60), 0.02):
        if not engine.is_over(states, 0) and states[0].decision == decision and states[0].num_legal > 2:
            yield seed, View.of(states, 0, engine.seat_to_act(states, 0), name)


def test_actions_are_compared_at_the_same_moment():
    """Who passes has its next choice in the next Age: by then it had gained all glory of an Age, another move none."""
    ends = []

    def noted(games_, seat):
        ends.append((games_["age"].copy(), games_["over"].copy()))
        return glory(games_, seat)

    analyst, passes = Analyst(dataclasses.replace(TERMS, gained=noted)), 0
    for seed, view in questions(Decision.ACTION):
        others = [action for action in np.flatnonzero(view.record[0].mask).tolist() if action != act.PASS]
        if not view.record[0].mask[act.PASS] or not others or passes == 4:
            continue
        ends.clear()
        analyst.outlook(view, [act.PASS, others[0]], seed, DEALS)
        ages, over = next(each for each in ends if len(each[0]) == 2 * DEALS)
        assert ((ages == view.record[0].age + 1) | (over == 1)).all()
        passes += 1
    assert passes == 4


def test_an_outlook_to_the_end_has_the_places_of_the_results():
    analyst, seen = Analyst(TERMS), set()
    for seed, view in questions(Decision.ACTION):
        if view.record[0].age < 2 or len(seen) > 2:
            continue
        actions = np.flatnonzero(view.record[0].mask)[:2].tolist()
        found = analyst.outlook(view, actions, seed, DEALS, to_the_end=True)
        assert found.scores.shape == found.lost.shape == found.places.shape == (2, DEALS)
        assert ((found.places >= 1) & (found.places <= view.record[0].num_players)).all()
        assert (found.lost >= 0).all()
        seen.update(found.places.ravel().tolist())
    assert len(seen) > 2


def test_equal_scores_share_their_places(monkeypatch):
    scores = {0: [5, 7, 5], 1: [9, 1, 9], 2: [1, 2, 3]}

    class Scored:
        def scores(self, _, game):
            return np.array(scores[game])

    assert places_of(Scored(), np.zeros(3), 0).tolist() == [2.5, 1.5, 3.0]


def test_pieces_that_come_back_were_lost():
    """Valhalla is empty again at the end of an Age."""
    analyst, most = Analyst(TERMS), 0.0
    for seed, view in questions(Decision.ACTION):
        if view.record[0].age == 0:
            actions = np.flatnonzero(view.record[0].mask)[:1].tolist()
            most = max(most, analyst.outlook(view, actions, seed, DEALS).lost.max() - fallen(view.record, view.seat)[0])
    assert most > 1


# ---- prices


class MadeUp:
    """An analyst that recommends the first legal action, with given outcomes of that and of the action played."""

    def __init__(self, shares, end=(0, 0), places=(1, 1), near=(0, 0), noise=0.0):
        self.shares, self.end, self.places, self.near, self.noise = shares, end, places, near, noise

    def analyse(self, view, seed, simulations):
        legal = np.flatnonzero(view.record[0].mask).tolist()
        chances = {each: float(each == legal[0]) for each in legal}
        return Analysis(view.seat, chances, (0.5, 0.5), ())

    def course(self, states):
        return 0.5, 0.5

    def compare(self, view, actions, seed):
        assert actions[0] != actions[1]
        return np.outer(self.shares, np.ones(16))

    def outlook(self, view, actions, seed, to_the_end=False):
        scores = np.outer(self.end if to_the_end else self.near, np.ones(16))
        scores[0] += self.noise * np.resize((-1, 1), 16)
        return Outlook(scores, np.zeros((2, 16)), np.outer(self.places, np.ones(16)))


def judged(analyst):
    """The first decision of a game whose action was the last one that was legal."""
    game = Recorder(Replay(1, Options(2)))
    game.apply(int(np.flatnonzero(game.states[0].mask)[-1]))
    return next(Reviewer(analyst, game.replay(), 1).decisions())


@pytest.mark.parametrize(
    ("analyst", "price", "costly"),
    [
        (MadeUp((0.01, 0.01), end=(20, 12)), Price(0, 8), True),
        (MadeUp((0.01, 0.01), end=(20, 19), places=(3, 3.5)), Price(0.5, 1), True),
        (MadeUp((0.01, 0.01), end=(20, 19)), Price(0, 1), False),
        (MadeUp((0.01, 0.01), end=(12, 20)), None, False),
        (MadeUp((0.01, 0.01), end=(20, 12), noise=50), None, False),  # it may be chance
        (MadeUp((0.01, 0.01), end=(20, 12), places=(4, 3)), None, False),  # more glory, but a worse place
        (MadeUp((0.5, 0.5), end=(20, 0)), None, False),  # not lost: the win counts
    ],
)
def test_a_lost_position_is_priced_in_places_and_score(analyst, price, costly):
    """It cost nothing there, because no action could lose 5 % of the win probability."""
    found = judged(analyst)
    assert found.price == price
    assert found.costly == costly
    assert (found.better is not None) == (price is not None)


def test_a_costly_decision_has_what_was_missed():
    found = judged(MadeUp((0.5, 0.3), near=(7, 3)))
    assert (found.cost, found.missed) == (pytest.approx(0.2), (4, 0, False))
    assert judged(MadeUp((0.5, 0.3), near=(7, 3), noise=50)).missed == (0, 0, False)  # no reason by chance
    assert judged(MadeUp((0.5, 0.3), near=(1, 3), end=(9, 3))).missed == (6, 0, True)  # it pays only later
    assert judged(MadeUp((0.5, 0.48), near=(7, 3))).missed is None
    assert judged(MadeUp((0.5, 0.01), near=(7, 3), end=(20, 12))).price is None  # the position was not lost


def test_a_price_is_shown_as_such():
    found = Judged(0, 0, 1, (0.5, 0.5), Analysis(0, {1: 1.0}, (0.5, 0.5), ()), better=0, price=Price(0.5, 6.25))
    assert found.costly
    assert cost_text(WORDS, found) == "0.5 places and 6.2 glory"
    assert cost_text(WORDS, dataclasses.replace(found, price=Price(0.01, 6))) == "6.0 glory"
    assert cost_text(WORDS, dataclasses.replace(found, price=None, cost=0.07)) == "7 %"
    game = Recorder(Replay(1, Options(2)))
    game.apply(int(np.flatnonzero(game.states[0].mask)[-1]))
    at = dataclasses.replace(found, action=game.replay().actions[0], better=int(game.replay().at(0)[0].mask.argmax()))
    data = study_data(WORDS.label, game.replay(), Study([at], (0.5, 0.5)))
    assert data["decisions"][0]["price"] == [50, 625]


@pytest.mark.slow
def test_a_lost_game_shows_more_than_the_first_mistakes():
    """Three mistakes were shown of a player whose moves are random: the game was lost early."""
    network, game = NetworkAgent(), Recorder(Replay(7, Options(2)))
    rng = np.random.default_rng(1)
    while not engine.is_over(game.states, 0):
        seat = engine.seat_to_act(game.states, 0)
        legal = np.flatnonzero(game.states[0].mask)
        game.apply(ask(network, game.states, 0, seat, rng, "bloodrage") if seat else int(rng.choice(legal)))
    scores = engine.scores(game.states, 0)
    assert scores[1] > scores[0] + 40
    found = list(Reviewer(games.study("bloodrage").analyst("network"), game.replay(), 50).decisions())
    mistakes = [one for one in found if one.costly and one.seat == 0]
    assert sum(one.price is not None for one in mistakes) > 3
    assert all(one.missed is not None for one in mistakes)
