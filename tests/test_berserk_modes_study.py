"""Hints and reviews of the modes of Berserk (rules 10, 11): a player alone, and partners."""

import numpy as np
import pytest

from bloodrage_agents.base import View
from bloodrage_agents.review import Reviewer
from bloodrage_env import games
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.study import Study

FORMS = [("berserk_team", 4, 2), ("berserk_laar", 1, 1), ("berserk_laar", 2, 1)]
FORM = pytest.mark.parametrize(("name", "players", "team"), FORMS)


def played(name: str, players: int, turns: int) -> Recorder:
    """A game with random answers that lasts some turns, with given squads if the mode has them."""
    setup = games.game(name).options.facts()["setup"].kind.names[-1]
    options = games.options_from(name, num_players=players, max_turns=turns, setup=setup)
    recorder, rng = games.recorder(options, 3), np.random.default_rng(1)
    while not recorder.states[0].over:
        legal = np.flatnonzero(recorder.states[0].mask)
        recorder.apply(int(rng.choice(legal[1:4] if len(legal) > 2 else legal)))
    return recorder


@FORM
def test_win_probabilities_are_those_of_the_side(name: str, players: int, team: int) -> None:
    """Each seat has its part of the victory; a player alone has no other player to share it with."""
    analyst = games.study(name).analyst("network")
    replay = played(name, players, 2).replay()
    asked = [step for step, states in enumerate(replay.states()) if states[0].num_legal > 1][-6:]
    for step in asked:
        states = replay.at(step)
        view = View.of(states, 0, int(states[0].seat), name)
        actions = np.flatnonzero(states[0].mask)[:2].tolist()
        found, compared = analyst.analyse(view, 5, 30), analyst.compare(view, actions, 5, 6)
        assert len(found.wins) == players
        assert sum(found.wins) == pytest.approx(1) if players > 1 else 0 <= found.wins[0] <= 1
        assert team * found.wins[view.seat] == pytest.approx(found.tried[0].value, abs=0.02)
        assert ((compared >= 0) & (compared <= 1)).all()


@FORM
def test_a_review_has_a_page(name: str, players: int, team: int) -> None:
    studied, replay = games.study(name), played(name, players, 1).replay()
    reviewer = Reviewer(studied.analyst("network"), replay, 8)
    study = Study(list(reviewer.decisions()), reviewer.result())
    data = studied.study_data(replay, study)
    sums = {sum(row) for row in data["course"]}
    assert len(data["course"]) == len(replay) + 1
    assert all(abs(each - 1000) <= 2 for each in sums) if players > 1 else len(sums) > 1
    assert len(list(studied.lines(replay, study))) > players
    assert 'id="data"' in studied.replay_page(replay, "A game", None, study)
