"""How far others have come in a choice that they make in secret: no record that a seat is given may say it."""

import random
from collections import Counter

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.games.berserk.engine import SECRET
from bloodrage_env.games.berserk.engine import Decision as BerserkDecision
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import Decision

BERSERK = [name for name in games.all_names() if name != games.FIRST]  # its forms have the same questions

# What may not change from one twin to the other: it lies open, or is the seat's own.
OPEN = {
    "bloodrage": (
        "decision",
        "age",
        "phase",
        "draft_round",
        "late_count",
        "main",
        "hand_size",
        "battle",
        "quest_count",
    ),
} | dict.fromkeys(BERSERK, ("decision", "seat", "phase", "turn"))
KINDS = {
    "bloodrage": {Decision.DRAFT, Decision.BATTLE_CARD, Decision.LATE_CARD, Decision.KEEP_CARD},
    "berserk": {BerserkDecision.BUY, BerserkDecision.PLACE, BerserkDecision.HIDE},
    "berserk_team": {BerserkDecision.BUY, BerserkDecision.PLACE, BerserkDecision.HIDE},
    "berserk_laar": {BerserkDecision.BUY, BerserkDecision.PLACE},
}
GAMES = {"bloodrage": 6, "berserk": 40, "berserk_team": 20, "berserk_laar": 40}


def in_secret(name, states):
    if name == "bloodrage":
        return bool(engine.is_secret(states, 0))
    return bool(SECRET[states[0].decision])


def differing(game, one, other):
    return [name for name in game.state.names or () if not np.array_equal(one[name], other[name])]


@pytest.mark.parametrize("name", games.all_names())
def test_the_views_of_twins_that_have_come_to_different_places_are_the_same(name):
    """rules 2.6, 7.1, 7.8; Berserk 8.2, 9.4: every kind of secret choice, before and after an answer of another seat.

    `redeal`, which draws from what `hide` leaves, gives the same from both.
    """
    game = games.game(name)
    compared: Counter[int] = Counter()
    for number in range(GAMES[name]):
        rng = np.random.default_rng(number)
        states = game.new_game(number, game.options.drawn(random.Random(number), {}))
        while not game.play.is_over(states, 0):
            twin = game.play.clone(states, 0)
            game.play.apply(twin, 0, int(rng.choice(states[0].mask.nonzero()[0])))
            decision = int(states[0].decision)
            if in_secret(name, states) and all(np.array_equal(states[each], twin[each]) for each in OPEN[name]):
                for viewer in set(range(int(states[0].num_players))) - {int(states[0].seat), int(twin[0].seat)}:
                    if name == "bloodrage" and not np.array_equal(states[0].pending[viewer], twin[0].pending[viewer]):
                        continue  # its own answer was forced
                    where = f"game {number}, decision {states[0].decisions}, seat {viewer}"
                    views = [game.hide(each, 0, viewer) for each in (states, twin)]
                    assert not differing(game, *views), where
                    if compared[decision] < 5:
                        assert not differing(game, *(game.redeal(each, 0, viewer, number) for each in (states, twin)))
                    compared[decision] += 1
            states = twin
    assert set(compared) == KINDS[name]
    assert min(compared.values()) > 2
