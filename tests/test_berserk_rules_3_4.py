"""Turns and simple strikes of Berserk (rules 3 and 4). Cells as First sees them."""

import pytest
from berserk_position import FIRST, SECOND, Position, decline, generator, struck

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import DONE, MOVE, Act, Decision
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


# ---- 3 The turn


def test_start_of_a_turn():
    """rules 3.1: own closed cards open, stunned ones don't; movement is full again, that of closed ones too"""
    p = Position()
    p.put(FIRST, "Nomad", 0)
    a = p.put(SECOND, "Nomad", 29, closed=1, moves=0, stepped=1)
    c = p.put(SECOND, "Nomad", 28, closed=1, stunned=1, moves=0)
    p.end_turn()
    assert (p.closed(a), p.s.moves[a], p.s.stepped[a]) == (False, 2, 0)
    assert (p.closed(c), p.s.stunned[c], p.s.moves[c]) == (True, 0, 2)


def test_the_others_cards_stay_as_they_are():
    """rules 3.1 c, d: the player's cards"""
    p = Position()
    a = p.put(FIRST, "Nomad", 0, closed=1, moves=1, stepped=1)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert (p.closed(a), p.s.moves[a], p.s.stepped[a]) == (True, 1, 1)


def test_the_victory_check_at_the_start():
    """rules 3.1 f, 6.4: poison kills the last card"""
    p = Position()
    p.put(FIRST, "Nomad", 0)
    p.put(SECOND, "Nomad", 29, wounds=7, poison=1)
    p.end_turn()
    assert (p.over, p.scores()) == (True, [1, 0])


def test_effects_of_the_start_in_order():
    """rules 3.2: Valhalla is asked before fires burn; regeneration and poison come last, by slots"""
    p = Position(turn=2)
    p.bury(FIRST, "Bonecrusher")
    p.put(FIRST, "Firesetter Gnome", 12, poison=1)
    p.put(FIRST, "Gobrakh", 11, poison=1)
    p.put(FIRST, "Gobrakh", 10, poison=2)
    c = p.put(SECOND, "Zvar", 17)
    p.end_turn()
    assert (p.asked, p.wounds(c)) == ((FIRST, Decision.VALHALLA), 0)
    p.choose(12)
    assert (p.asked[1], int(p.s.actor), p.wounds(c), p.wounds(1)) == (Decision.HEAL_FIRST, 2, 2, 1)
    p.no()
    assert int(p.s.actor) == 3


def test_a_firesetter_that_dies_of_poison_has_burnt_before():
    """rules 3.2: effects are carried out though the card that has them dies"""
    p = Position(turn=2)
    a = p.put(FIRST, "Firesetter Gnome", 12, poison=1, wounds=6)
    p.put(FIRST, "Nomad", 0)
    c = p.put(SECOND, "Zvar", 17)
    p.end_turn()
    assert (p.is_dead(a), p.wounds(c)) == (True, 2)


def test_the_main_part_in_any_order():
    """rules 3.3: cards move and act mixed; nothing is compulsory; passing ends the turn"""
    p = Position()
    a, c = p.put(FIRST, "Nomad", 2), p.put(FIRST, "Kshar", 3)
    p.put(SECOND, "Nomad", 29)
    p.move(a, FORWARD)
    p.act(c, Act.ABILITY_3)
    p.move(a, FORWARD)
    assert p.legal(DONE)
    p.end_turn()
    assert p.asked == (SECOND, Decision.MAIN)


def test_a_player_with_nothing_to_do_passes():
    """rules 3.3, 9.1: the one answer is given when everybody can see it"""
    p = Position()
    p.s.skip_forced = 1
    p.put(FIRST, "Nomad", 0, closed=1)
    p.put(SECOND, "Nomad", 29)
    p.go()
    assert [a for a in range(engine.NUM_ACTIONS) if p.legal(a)] == [DONE]
    assert engine.is_openly_forced(p.states, 0)


def test_moves():
    """rules 3.4: to free cells beside, no diagonals, no jumps, into the enemy half, in portions; no closing"""
    p = Position()
    a = p.put(FIRST, "Nomad", 12)
    p.put(FIRST, "Orc", 11)
    p.put(SECOND, "Orc", 13)
    p.fire(7, 4)
    assert [p.legal(MOVE + direction) for direction in Direction] == [True, False, False, False]
    p.move(a, FORWARD)
    assert (int(p.s.cell[a]), p.s.moves[a], p.closed(a), p.s.stepped[a], p.s.entered[a]) == (17, 1, False, 1, 1)
    p.move(a, FORWARD)
    assert not any(p.legal(MOVE + direction) for direction in Direction)


def test_units_stay_after_a_strike_that_did_not_close():
    """rules 3.4, 7.21"""
    p = Position()
    a = p.put(FIRST, "Minotaur", 12)
    p.put(SECOND, "Orc", 17)
    p.strike(a, 17, 1, 1)
    assert p.legal(p.move_id(a, BACK))


def test_an_action_closes_when_everything_is_over():
    """rules 3.5, 4.8 d: it is open while it is asked on its strike"""
    p = Position()
    a = p.put(FIRST, "Gully Gnome", 12)
    p.put(SECOND, "Orc", 17)
    p.strike(a, 17, 1, 1)
    assert not p.closed(a)
    p.no()
    assert p.closed(a)


def test_tap_abilities_are_chosen_one_an_action():
    """rules 3.6: and each card with an ability paid in tokens can gain one"""
    for card in ("Kshar", "Dzar Archer", "Storm Mage", "Axe Master", "Borg", "Crossbowman", "Lord of Lightning"):
        p = Position()
        a = p.put(FIRST, card, 12)
        p.put(SECOND, "Orc", 29)
        acts = [act for act in Act if engine.ABILITIES[engine.Part.ATTACK, p.s.card[a], act] == engine.Attack.TOKEN]
        assert len(acts) == 1
        p.act(a, acts[0])
        assert (p.s.tokens[a], p.closed(a)) == (1, True)


def test_a_push_needs_a_free_cell_and_spends_no_units():
    """rules 3.7: open and closed cards alike"""
    for closed in (0, 1):
        p, _, c = struck("Hammerer", "Nomad", 1, 1, closed=closed)
        p.yes()
        p.yes()
        assert (int(p.s.cell[c]), p.s.moves[c], p.s.stepped[c]) == (22, 2, 0)


def test_the_end_of_a_turn():
    """rules 3.8: bonuses and the other's old bonfires end"""
    p = Position(turn=4)
    p.put(FIRST, "Nomad", 0)
    a = p.put(SECOND, "Nomad", 29, bonus=2)
    p.fire(12, 4)
    p.fire(13, 5)
    p.end_turn()
    assert (p.s.bonus[a], p.s.bonfire[12], p.s.bonfire[13], int(p.s.fires)) == (0, 0, 5, 1 << 13)
    assert p.asked == (FIRST, Decision.MAIN)


# ---- 4 Simple strike


def test_targets():
    """rules 4.1: adjacent enemies, open or closed, no own cards"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    p.put(FIRST, "Orc", 11)
    for cell, closed in ((16, 0), (18, 1), (22, 0), (6, 0)):
        p.put(SECOND, "Nomad", cell, closed=closed)
    p.act(a, Act.STRIKE)
    assert p.cells() == {6, 16, 18}


def test_directed_strikes_have_no_defender():
    """rules 4.2, 4.3"""
    for card, asked in (("Orc", True), ("Gully Gnome", False)):
        p = Position()
        a = p.put(FIRST, card, 12)
        p.put(SECOND, "Aracent", 17)
        p.put(SECOND, "Aracent", 16)
        p.strike(a, 17, 1, 1)
        assert (p.asked[1] == Decision.DEFENDER) == asked


def test_a_defender_may_be_left_unnamed():
    """rules 4.3: one at most, before any die"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    c, other = p.put(SECOND, "Aracent", 17), p.put(SECOND, "Aracent", 16)
    p.strike(a, 17, 1, 1)
    assert p.s.white.tolist() == [0, 0]
    p.done()
    assert (p.wounds(c), p.wounds(other), p.closed(other)) == (3, 0, False)


def test_dice_are_white_then_black():
    """rules 4.4, 9.5"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Aracent", 17)
    p.put(SECOND, "Aracent", 16)
    p.act(a, Act.STRIKE, 17)
    p.s.chance[:] = generator(6, 2)
    p.done()
    assert (p.s.white.tolist(), p.s.black.tolist()) == ([6, 0], [2, 0])


def test_rerolls_white_first_each_seen_before_the_next():
    """rules 4.5: who stops is not asked again, even if nothing can change"""
    p = Position()
    a = p.put(FIRST, "Brontobey", 12)
    p.put(SECOND, "Bonecrusher", 17)
    p.strike(a, 17, 1, 5, 2)
    assert p.asked == (FIRST, Decision.REROLL)
    p.yes()
    assert (p.asked, int(p.s.white[0])) == ((FIRST, Decision.REROLL), 2)
    p.no()
    assert p.asked == (SECOND, Decision.REROLL)
    p.no()
    assert p.asked[1] == Decision.MAIN


def test_attack_experience_works_against_closed_cards_too():
    """rules 7.12; a closed card rolls no die, and so has no reroll"""
    p = Position()
    a = p.put(FIRST, "Snakehead", 12)
    p.put(SECOND, "Shieldbearer", 17, closed=1)
    p.strike(a, 17, 1)
    assert p.asked == (FIRST, Decision.REROLL)
    p.no()
    assert p.asked[1] == Decision.MAIN


def test_a_counter_is_a_simple_strike():
    """rules 4.6, 4.8 d: it lands like any other, nobody answers, the reflecting card stays open"""
    p, a, c = struck("Zvar", "Sanctorum", 1, 6, theirs_near=[("Mercenary", 18)])
    assert (p.wounds(a), p.closed(a), p.closed(c)) == (2 - 2, True, False)
    p, a, c = struck("Orc", "Skelos", 1, 6)
    assert p.wounds(a) == 3


def test_landing_in_order():
    """rules 4.7: kind, protection, strength with bonuses and reductions at least 0, armour"""
    p, _, c = struck("Acolyte of Dzar", "Zvar", 1, 1)
    assert (p.wounds(c), p.s.absorbed[c]) == (0, 1)
    p, _, c = struck("Gully Gnome", "Skelos", 1, 1)  # 1 - 2
    assert p.wounds(c) == 0
    assert p.asked[1] == Decision.CLOSE_OR_WOUND  # it has landed all the same


def test_magic_passes_armour():
    """rules 4.7 d, 7.10"""
    p = Position()
    a, c = p.put(FIRST, "Toa-Dan Guard", 7), p.put(SECOND, "Zvar", 22)
    p.act(a, Act.ABILITY_1, 22)
    assert p.wounds(c) == 1


def test_afterwards():
    """rules 4.8: deaths before reactions, the attacker closes before the defender, then the victory check"""
    p = Position()
    a = p.put(FIRST, "Orc", 12, wounds=9)
    c = p.put(SECOND, "Firemane", 17, wounds=7)
    p.strike(a, 17, 1, 1)
    assert (p.is_dead(a), p.is_dead(c), p.over, p.scores()) == (True, True, True, [0, 0])


def test_a_guard_kills_the_attacker_that_closes_first():
    """rules 4.8 d, 7.25: the defender closes after it"""
    p = Position()
    a = p.put(FIRST, "Orc", 12, wounds=9)
    p.put(FIRST, "Toa-Dan Guard", 1)
    p.put(SECOND, "Toa-Dan Guard", 27)
    p.put(SECOND, "Aracent", 17)
    c = p.put(SECOND, "Aracent", 16)
    p.strike(a, 17, 6, 5)
    p.choose(16)
    assert (p.is_dead(a), p.closed(c), p.wounds(c)) == (True, True, 1)


def test_a_miss_closes_too():
    """rules 4.9: attacker and defender; nothing else happens"""
    p = Position()
    a = p.put(FIRST, "Aracent", 12)
    p.put(SECOND, "Orc", 17)
    c = p.put(SECOND, "Orc", 16)
    p.strike(a, 17, 6, 5)
    p.choose(16)
    p.no()
    assert (p.closed(a), p.closed(c), p.wounds(c), p.s.poison[c]) == (True, True, 0, 0)


@pytest.mark.parametrize(
    ("dice", "attacker", "other"),
    [
        ((2, 1), 4, None), ((3, 1), 5, 4), ((4, 1), 5, None), ((5, 1), 7, 4), ((6, 1), 7, None),
        ((1, 2), 4, None), ((1, 3), None, None), ((1, 4), None, 4), ((1, 5), 4, 5), ((1, 6), None, 5),
        ((4, 4), 4, None), ((5, 5), None, 4),
    ],
)  # fmt: skip
def test_the_table_of_differences(dice, attacker, other):
    """rules 4.10: Orc Bully (4-5-7) against another"""
    p = Position(combat="difference")
    a, c = p.put(FIRST, "Orc Bully", 12), p.put(SECOND, "Orc Bully", 17)
    p.strike(a, 17, *dice)
    if attacker is not None and other is not None:
        assert p.asked == (FIRST if dice[0] > dice[1] else SECOND, Decision.WEAKEN)
        p.no()
    assert (p.wounds(c), p.wounds(a)) == (attacker or 0, other or 0)


@pytest.mark.parametrize(("dice", "attacker", "other"), [((3, 1), 4, 0), ((5, 1), 5, 0), ((1, 5), 0, 4)])
def test_weakening(dice, attacker, other):
    """rules 4.10: the column one nearer to 0"""
    p = Position(combat="difference")
    a, c = p.put(FIRST, "Orc Bully", 12), p.put(SECOND, "Orc Bully", 17)
    p.strike(a, 17, *dice)
    p.yes()
    assert (p.wounds(c), p.wounds(a)) == (attacker, other)


def test_against_a_closed_card_experience_counts_on_the_die():
    """rules 4.10: held within 1 to 6, no rerolls"""
    for die, wounds in ((3, 4), (6, 5), (1, 2)):
        p = Position(combat="difference")
        a, c = p.put(FIRST, "Snakehead", 12), p.put(SECOND, "Orc", 17, closed=1)
        p.strike(a, 17, die)
        assert (p.asked[1], p.wounds(c)) == (Decision.MAIN, wounds)


def test_two_strikes_deal_their_wounds_together():
    """rules 4.10: both die; effects of both come after the deaths"""
    p = Position(combat="difference")
    a, c = p.put(FIRST, "Orc Bully", 12, wounds=15), p.put(SECOND, "Orc Bully", 17, wounds=15)
    p.strike(a, 17, 3, 1)
    p.no()
    assert (p.is_dead(a), p.is_dead(c), p.scores()) == (True, True, [0, 0])
    p = Position(combat="difference")
    a, c = p.put(FIRST, "Aracent", 12), p.put(SECOND, "Gully Gnome", 17)
    p.strike(a, 17, 2, 1)  # 3 - 1
    p.no()
    assert (p.s.poison[c], p.wounds(c), p.wounds(a)) == (2, 2, 1)
    assert p.asked == (FIRST, Decision.CLOSE_OR_WOUND)


def test_a_dead_source_has_its_effects_still():
    """rules 4.8 b: on the struck card if that lives, from where it died"""
    p = Position(combat="difference")
    p.put(FIRST, "Nomad", 0)
    a, c = p.put(FIRST, "Hammerer", 12, wounds=11), p.put(SECOND, "Mountain Keeper", 17)
    p.strike(a, 17, 3, 1)
    p.no()
    assert p.is_dead(a)
    assert p.asked == (FIRST, Decision.PUSH)
    p.yes()
    p.yes()
    assert int(p.s.cell[c]) == 22


def test_a_counter_out_of_reach_is_a_miss_of_its_own():
    """rules 4.10: the choice goes by the table; the attacker's entry stands"""
    p = Position(combat="difference")
    a = p.put(FIRST, "Hall Guard", 7)
    p.put(FIRST, "Forge Keeper", 8)
    c = p.put(SECOND, "Orc", 17)
    p.strike(a, 17, 3, 1)
    assert p.asked == (FIRST, Decision.WEAKEN)
    p.no()
    assert (p.wounds(c), p.wounds(a)) == (3, 0)
    decline(p)
