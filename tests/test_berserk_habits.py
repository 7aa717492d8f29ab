"""Patterns over games of Berserk: kills that were left, cards lost beside enemies, defenders that were not named."""

from functools import cache

import numpy as np
import pytest
from berserk_position import SECOND, Position

pytest.importorskip("starlette")

from bloodrage_env import games
from bloodrage_env.core.shown.table_page import Habit
from bloodrage_env.games.berserk.engine import ACT, CELL, DONE, Decision
from bloodrage_env.games.berserk.table_page.habits import LEFT, STRUCK, UNDEFENDED, habits
from tests.serve_client import Client

MODES = ("berserk", "berserk_team", "berserk_laar")
WEAK, MISSES = 1, 5  # a white and a black die


class Played(Position):
    """A position whose answers are kept, with the game before each."""

    def __init__(self, **changes):
        super().__init__(**changes)
        self.steps = []

    def answer(self, action):
        self.steps.append((self.states.copy(), action))
        super().answer(action)

    def strike(self, cell):
        """The one strike that is legal, at a card on a cell."""
        self.answer(next(action for action in range(ACT, CELL) if self.legal(action)))
        self.answer(self.seen(cell))

    def found(self, text):
        return [(step, is_bad) for each, step, is_bad in habits(self.steps, 0) if each == text]


@pytest.mark.parametrize(("wounds", "is_bad"), [(6, True), (0, False)])
def test_a_turn_that_ends_with_a_kill_left(wounds, is_bad):
    """rules 3.4: the turn is passed while an open card could kill the one next to it."""
    g = Played()
    g.put(0, "nomad", 12)  # 1-2-3
    g.put(1, "nomad", 17, wounds=wounds)  # life 8
    g.go()
    g.answer(DONE)
    assert g.found(LEFT) == [(0, is_bad)]


def test_a_closed_card_has_left_no_kill():
    g = Played()
    g.put(0, "nomad", 12, closed=1)
    g.put(0, "nomad", 0)
    g.put(1, "nomad", 17, wounds=7)
    g.go()
    g.answer(DONE)
    assert g.found(LEFT) == [(0, False)]


@pytest.mark.parametrize(("wounds", "found"), [(7, [(0, True)]), (0, [])])
def test_a_card_that_struck_and_died(wounds, found):
    """It struck next to an enemy who could kill it, who did; with all of its life it was in no danger."""
    g = Played()
    g.put(0, "nomad", 12, wounds=wounds)
    g.put(0, "nomad", 0)
    g.put(1, "nomad", 17)
    g.go()
    g.dice(WEAK, MISSES)
    g.strike(17)
    g.answer(DONE)
    assert g.asked[0] == SECOND
    g.dice(WEAK)
    g.strike(12)
    g.answer(DONE)
    g.answer(DONE)
    assert g.found(STRUCK) == found


def played(name, seed):
    """The steps of a random game, as lists of copies."""
    recorder = games.recorder(games.options_from(name, skip_forced=False), seed)
    rng, play, steps = np.random.default_rng(seed), games.game(name).play, []
    while not play.is_over(recorder.states, 0):
        action = int(rng.choice(np.flatnonzero(recorder.states[0].mask)))
        steps.append((recorder.states.copy(), action))
        recorder.apply(action)
    return (*steps, (recorder.states.copy(), None))


played = cache(played)


@pytest.mark.parametrize("name", MODES)
def test_what_is_found_in_random_games_is_so(name):
    """Each is at a step of the seat of its kind, and a card is lost if it is dead before the owner's next turn."""
    page, squad, count = games.table_page(name), 15, dict.fromkeys((LEFT, STRUCK, UNDEFENDED), 0)
    for seed in range(12):
        steps = played(name, seed)
        for text, step, is_bad in page.habits(steps[:-1], 0):
            s, action = steps[step][0][0], steps[step][1]
            assert s.seat == 0
            count[text] += 1
            if text == LEFT:
                assert (s.decision, action) == (Decision.MAIN, DONE)
                continue
            assert s.decision == (Decision.MAIN if text == STRUCK else Decision.DEFENDER)
            slot = (action - ACT) // ((CELL - ACT) // squad) if text == STRUCK else int(s.target)
            later = [
                each[0][0]
                for each in steps[step + 1 :]
                if each[1] is None
                or (
                    each[0][0].decision == Decision.MAIN
                    and (text == UNDEFENDED or (each[0][0].seat == 0 and each[0][0].turn > s.turn))
                )
            ]
            assert is_bad == bool(later[0].died[slot])
    assert count[LEFT] > 5
    assert count[STRUCK] + count[UNDEFENDED] > 5 or name == "berserk_laar"  # two players, whose seat 0 has few cards


@pytest.mark.parametrize("name", MODES)
def test_patterns_are_those_of_what_the_player_knew(name):
    """Twins: with all that the seat did not know blanked in each position, the patterns are the same."""
    page, hide = games.table_page(name), games.game(name).hide
    for seed in range(3):
        steps = played(name, seed)[:-1]
        known = [(hide(states, 0, 0), action) for states, action in steps]
        told = [(text, step) for text, step, _ in page.habits(steps, 0)]
        assert [(text, step) for text, step, _ in _found(page, known)] == told
        assert told


def _found(page, known):
    """The patterns of positions that can't be played on: the last action is left out."""
    return list(page.habits(known, 0))


def test_patterns_of_stored_games_with_their_steps(tmp_path):
    """What the server answers, for a game that is over; one that goes on is left out."""
    with Client(tmp_path, game="berserk") as client:
        tokens = []
        for _ in range(2):
            (token, _) = client.new_game(None, "random")
            tokens.append(token)
        game = client.game(tokens[0])
        rng = np.random.default_rng(3)
        while not game.over:
            game.play(int(rng.choice(np.flatnonzero(game.states[0].mask))))
        replay = game.replay()
        wanted = [Habit(*each) for each in habits(zip(replay.states(), replay.actions, strict=False), 0)]
        found = client.call("POST", "/api/habits", {"tokens": tokens}).json["habits"]
    bad = [each for each in wanted if each.is_bad]
    assert bad
    for text in {each.text for each in bad}:
        steps = [each.step for each in bad if each.text == text]
        done = sum(each.text == text for each in wanted)
        (entry,) = [each for each in found if each["text"] == text.replace("#", f"{len(steps)} of {done}")]
        assert entry["games"] == [[0, steps]]
