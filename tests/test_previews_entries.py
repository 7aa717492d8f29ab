"""What the engine's entries tell Python of a position: prices, forces, quests, packs, outcomes, questions."""

import numpy as np
from mystics import ODIN, alone, mystics
from random_play import differing, even_action
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import NUM_CARDS, Card
from bloodrage_env.games.bloodrage.engine.ids import NONE, Decision, Figure, Phase, Place


def price(g: Scenario, action: int) -> int:
    """What an answer costs."""
    assert g.legal(action)
    return engine.price_of(g.states, 0, action)


def test_prices_of_a_turn() -> None:
    """Rules 3.2.5 to 3.2.9, 6.3.6, 6.3.7, 6.3.8: the action, with what upgrades make of it."""
    g = alone()
    g.rage(0, 9)
    g.upgrade(0, "Tyr's Challenge", "Frigga's Domain", "Frigga's Sacrifice")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "warrior", "valhalla")
    g.hand(0, "Valkyrie")
    g.pillaged("gimle")
    g.go()
    gimle = Place.GIMLE
    assert price(g, act.PASS) == 0
    assert price(g, act.figure_at(Figure.LEADER, gimle)) == 0
    assert price(g, act.figure_at(Figure.SHIP, engine.FJORD_OF[gimle])) == 2
    assert price(g, int(engine.MARCH_ID[gimle, Place.YGGDRASIL])) == 1
    assert price(g, act.CARD + Card.VALKYRIE) == engine.PRICE[Card.VALKYRIE] > 0
    assert price(g, act.PROVINCE + gimle) == 2
    assert price(g, act.RAISE_DEAD) == 1
    assert price(g, act.SACRIFICE) == 0


def test_forces_are_figures_and_their_strength() -> None:
    """Rules 4.3: those of the province and of its fjord, ships of the fjord for both provinces that it supports."""
    g = Scenario(3)
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "ship", Place(engine.FJORD_OF[Place.GIMLE]))
    g.put(2, "warrior", "utgard")
    figures, strength = engine.forces(g.states, 0)
    assert figures.shape == strength.shape == (3, engine.NUM_PROVINCES)
    assert (figures[0, Place.GIMLE], strength[0, Place.GIMLE]) == (4, 3 + 2 + 2)
    assert (figures[0, Place.MYRKULOR], strength[0, Place.MYRKULOR]) == (1, 2)
    assert (figures[2].sum(), strength[2].sum()) == (1, 1)
    assert not figures[1].any()


def test_quests_met_are_those_of_the_board() -> None:
    """Rules 3.4: a region where the clan is strongest alone, and nothing that is not a quest."""
    g = Scenario(2)
    g.put(0, "leader", "gimle")
    met = engine.quests_met(g.states, 0, 0)
    assert met.shape == (NUM_CARDS,)
    goals = {engine.Goal(engine.GOAL[card]) for card in np.flatnonzero(met)}
    assert goals == {engine.Goal.ALFHEIM}
    assert not engine.quests_met(g.states, 0, 1).any()


def test_a_held_pack_is_what_can_be_kept() -> None:
    """Rules 3.1.2: before each choice the pack has the cards that may be chosen; none but in a draft."""
    states = engine.new_game(11, 4)
    rng = np.random.default_rng(11)
    while states[0].phase == Phase.GODS_GIFTS:
        pack = engine.held_pack(states, 0, int(states[0].seat))
        assert len(pack) == engine.PACK_SIZE - states[0].draft_round
        assert pack.tolist() == sorted(pack.tolist())
        assert set(pack.tolist()) == set((np.flatnonzero(states[0].mask) - act.CARD).tolist())
        engine.apply(states, 0, even_action(states, rng))
    assert len(engine.held_pack(states, 0, 0)) == 0


def test_the_outcome_of_a_battle_is_what_comes_of_it() -> None:
    """Rules 4.6: totals and winner where they are about to be compared; the game itself does not change."""
    compared = 0
    for seed in range(5):
        states = engine.new_game(seed, 3)
        rng = np.random.default_rng(seed)
        while not engine.is_over(states, 0):
            action = even_action(states, rng)
            for piece in engine.pieces(states, 0, action):
                if piece.compares:
                    before = piece.before.copy()
                    totals, winner = engine.battle_outcome(piece.before, 0)
                    assert not differing(before, piece.before)
                    s = piece.before[0]
                    fighting = [seat for seat in range(3) if s.in_battle[seat]]
                    best = max(totals[seat] for seat in fighting)
                    ahead = [seat for seat in fighting if totals[seat] == best]
                    assert winner == s.winner == (ahead[0] if len(ahead) == 1 else NONE)
                    assert s.total[:3].tolist() == totals.tolist()
                    compared += 1
            engine.apply(states, 0, action)
    assert compared > 8


def test_what_a_call_and_a_march_are_about() -> None:
    """Rules 3.2.6, 4.1: who pillages and how many have declined; where the march begins."""
    g = Scenario(3)
    for seat in range(3):
        g.put(seat, "warrior", ("gimle", "myrkulor", "andlang")[seat], 2)
    g.go()
    nothing = engine.asked_in(g.states, 0)
    assert nothing == (NONE, 0, NONE, 0, NONE, NONE, 0, NONE)
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.CALL)
    assert engine.asked_in(g.states, 0)[:2] == (0, 0)
    g.no(1)
    assert engine.asked_in(g.states, 0)[:2] == (0, 1)
    g = alone()
    g.put(0, "warrior", "gimle", 3)
    g.go()
    g.answer(0, int(engine.MARCH_ID[Place.GIMLE, Place.YGGDRASIL]))
    assert g.asked() == (0, Decision.MARCH)
    assert engine.asked_in(g.states, 0).origin == Place.GIMLE


def test_whose_village_a_mystic_may_take() -> None:
    """Rules 6.4.4.9, 6.4.4.10: clan by clan to the left of its owner."""
    g = mystics(alone(3), 0, "reserve")
    g.upgrade(0, ODIN)
    g.put(1, "warrior", "horgr")
    g.put(2, "warrior", "horgr")
    g.invade(0, "mystic", "horgr")
    for clan in (1, 2):
        asked = engine.asked_in(g.states, 0)
        assert (asked.taker, asked.kind, asked.raised, asked.victim) == (0, Figure.MYSTIC, 0, clan)
        if clan == 1:
            g.no(0)
