"""How many sequences of decisions there are from set positions: a rule that allows or asks too much or too little
changes the numbers. Where a comment derives a number from the rules, it does not come from the engine.
"""

from functools import partial
from math import comb

import pytest
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import Decision


def after(states, action):
    """The game after an answer; with `skip_forced` questions with one legal answer don't count (rules 7.7)."""
    result = engine.clone(states, 0)
    engine.apply(result, 0, int(action))
    while result[0].skip_forced and result[0].num_legal == 1:
        engine.apply(result, 0, int(result[0].mask.argmax()))
    return result


def count(states, depth):
    """Sequences of so many decisions, or up to the end of the game."""
    if depth == 0 or engine.is_over(states, 0):
        return 1
    mask = engine.legal_mask(states, 0)
    if depth == 1:
        return int(mask.sum())
    total = 0
    for action in mask.nonzero()[0]:
        total += count(after(states, action), depth - 1)
    return total


def count_until(states, decision):
    """Sequences of decisions until a question of this kind comes, and how many of them there are a length."""
    lengths = {}

    def walk(here, length):
        if engine.is_over(here, 0) or int(here[0].decision) == decision:
            lengths[length] = lengths.get(length, 0) + 1
            return
        for action in engine.legal_mask(here, 0).nonzero()[0]:
            walk(after(here, action), length + 1)

    for action in engine.legal_mask(states, 0).nonzero()[0]:
        walk(after(states, action), 1)
    return lengths


def test_draft_of_two():
    """rules 3.1.3, 7.4: two of eight for each, then two of six for each; one of a pair comes first, the lower id."""
    states = engine.new_game(1, 2, skip_forced=False)
    assert [count(states, depth) for depth in range(1, 5)] == [7, 28, 28 * 7, 28 * 28]
    assert count(states, 6) == comb(8, 2) ** 2 * comb(6, 2)


def test_draft_of_three():
    """rules 3.1.2: one of eight each, then one of seven; two copies of a card in a pack are one choice."""
    faces = {}
    for seed in range(20):
        states = engine.new_game(seed, 3)
        packs = [len(set(states[0].deck[0, p : p + 8].tolist())) for p in (0, 8, 16)]
        faces[seed] = packs
        assert count(states, 3) == packs[0] * packs[1] * packs[2]
        if packs == [8, 8, 8]:
            assert count(states, 5) == 8**3 * 7**2
            break
    assert any(min(packs) < 8 for packs in faces.values())


def opening(players):
    """A first turn without cards, no province destroyed, no token taken."""
    return Scenario(players=players)


def after_invades():
    """Two clans with a leader, two warriors and a ship each, side by side."""
    g = Scenario(players=2, age=2)
    for seat, place in ((0, "utgard"), (1, "gimle")):
        g.put(seat, "leader", place)
        g.put(seat, "warrior", place, 2)
        g.put(seat, "ship", "fjord_utgard_andlang")
    g.hand(0, "Alfheim", "Tyr's Crush", "Valkyrie")
    g.hand(1, "Heimdall's Eye", "Loki's Eminence")
    return g


def crowded():
    """Few villages left, many kinds of figures, upgrades that ask."""
    g = Scenario(players=3, age=3, seat=1)
    g.upgrade(1, "Frigga's Succor", "Thor's Domain", "Dark Elf", "Troll")
    g.put(0, "warrior", "utgard", 2)
    g.put(2, "leader", "elvagar")
    g.put(2, "warrior", "elvagar", 2)
    g.put(1, "leader", "horgr")
    g.put(1, "monster_2", "horgr")
    g.put(0, "warrior", "horgr")
    g.rage(0, 2)
    g.rage(1, 5)
    g.rage(2, 1)
    g.destroyed("gimle", "myrkulor")
    return g


# First turn: pass, the leader or a warrior to 8 provinces, the ship to 4 fjords: 21. The next turn of the same clan:
# after the leader 22 (pass, 8 warriors, 4 ships, 8 marches, 1 pillage), after a warrior 30 (8 leaders more), after the
# ship 19 (pass, 8 leaders, 8 warriors, 2 pillages), all in all 8 * 22 + 8 * 30 + 4 * 19 = 492. With two players that is
# the third turn, whichever of 21 answers the other gave; the other's second turn if the first clan has passed; and
# after two passes the draft of Age 2 begins with 7 choices of a lower card.
POSITIONS = [
    (partial(opening, 2), [21, 21 * 21, 21 * 492 + 492 + 7]),
    (partial(opening, 3), [21, 21 * 21, 21 * 21 * 21, 227768]),
    (after_invades, [13, 58, 209, 1053]),
    (crowded, [24, 96, 1309, 20581]),
]


@pytest.mark.parametrize(("position", "numbers"), POSITIONS)
def test_action_phase(position, numbers):
    g = position()
    g.go()
    assert [count(g.states, depth) for depth in range(1, len(numbers) + 1)] == numbers


def test_march():
    """rules 3.2.6: 2 * 4 * 2 - 1 = 15 ways to choose some of a leader, three warriors and a monster.

    Where only four have room: one less. Where three: 11, without the one way to send five and three to send four.
    Where two: 7 (three kinds alone, two warriors, three pairs of kinds). Where one: 3.
    """
    g = Scenario(players=2)
    g.upgrade(0, "Troll")
    for kind, n in (("leader", 1), ("warrior", 3), ("monster_1", 1)):
        g.put(0, kind, "muspelheim", n)
    g.put(1, "warrior", "utgard", 2)
    g.put(1, "warrior", "elvagar", 2)
    g.go()
    marches = {}
    for action in g.legal_actions():
        begun = after(g.states, action)
        if begun[0].decision == Decision.MARCH:
            marches[int(begun[0].about_place)] = sum(count_until(begun, Decision.ACTION).values())
    assert marches == {0: 7, 1: 15, 3: 14, 4: 3, 5: 11, 6: 15, 7: 11, 8: 15}


def test_battle():
    """Everything from the pillage to the next action: cards, late cards, what is saved, stats, what is taken back."""
    g = Scenario(players=3, age=3, seat=0)
    g.upgrade(0, "Tyr's Prowess")
    g.upgrade(1, "Frigga's Protection", "Volur Witch")
    g.upgrade(2, "Tyr's Wrath")
    g.put(0, "leader", "angerboda")
    g.put(0, "warrior", "angerboda")
    g.put(1, "warrior", "angerboda", 2)
    g.put(1, "monster_1", "angerboda")
    g.put(2, "warrior", "elvagar")
    g.hand(0, "Tyr's Rage", "Odin's Tide", "Heimdall's Gaze")
    g.hand(1, "Odin's Smite", "Thor's Ascension")
    g.hand(2, "Alfheim", "Loki's Poison")
    g.rage(1, 2)
    g.go()
    g.pillage(0, "angerboda")
    assert count_until(g.states, Decision.ACTION) == {4: 8, 5: 16, 6: 77, 7: 58, 8: 35, 9: 155, 10: 112, 11: 20}


def test_sacrifice():
    """rules 6.3.8, 7.4: two of leader, three warriors, ship in their places, named by rising id, then one of 3 stats.

    Kinds at places: L, W (two in one place), W' and S: pairs of different ones 6, and the two warriors together.
    """
    g = Scenario(players=2, age=3)
    g.upgrade(0, "Frigga's Sacrifice")
    g.put(0, "leader", "utgard")
    g.put(0, "warrior", "utgard", 2)
    g.put(0, "warrior", "gimle")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.go()
    g.sacrifice(0)
    assert sum(count_until(g.states, Decision.ACTION).values()) == 7 * 3
