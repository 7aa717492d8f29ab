"""rules 6.3.9 and 6.3.10: Frigga's Protection and the Volur Witch."""

import pytest
from clans import ACTS, alone
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure

NEXT = (1, Decision.ACTION)
SAVE = (0, Decision.SAVE)


# ---- 6.3.9 Frigga's Protection
def _protected(rage=6, *, winner=5):
    """Seat 0 loses two warriors and the ship, STR 4, at Gimle, where it pillages."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Protection", "Fire Dragons")
    g.rage(0, rage)
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle", winner - 3)
    g.pillage(0, "gimle")
    return g


def test_protection_saves_some_of_each_kind():
    """rules 6.3.9: 1 Rage a figure; the saved stay where they are, no Dragons for a saved ship."""
    g = _protected()
    assert g.asked() == SAVE
    assert g.state.about_kind == Figure.WARRIOR
    assert [g.can_count(n) for n in range(4)] == [True, True, True, False]
    assert not g.can_yes()
    g.count(0, 1)
    assert g.asked() == SAVE
    assert g.state.about_kind == Figure.SHIP
    g.count(0, 1)
    assert g.rage_of(0) == 4
    assert (g.figures(0, "warrior", "gimle"), g.figures(0, "warrior", "valhalla")) == (1, 1)
    assert g.figures(0, "ship", "fjord_gimle_myrkulor") == 1
    assert g.glory_of(0) == 0
    assert g.asked() == NEXT


def test_protection_may_save_nothing():
    """rules 6.3.9: optional; the ship that dies pays its Dragons."""
    g = _protected()
    g.count(0, 0)
    g.count(0, 0)
    assert g.rage_of(0) == 6
    assert dead(g, 0) == 3
    assert g.glory_of(0) == 8


def test_protection_as_far_as_the_rage_goes():
    """rules 6.3.9: with 1 Rage one figure of any kind."""
    g = _protected(rage=1)
    assert [g.can_count(n) for n in range(3)] == [True, True, False]
    g.count(0, 1)
    assert g.asked() == NEXT  # nothing is left for the ship
    assert g.rage_of(0) == 0
    assert g.figures_in(0, "gimle") == 1
    g = _protected(rage=1)
    g.count(0, 0)
    g.count(0, 1)
    assert g.figures(0, "ship", "fjord_gimle_myrkulor") == 1


def test_protection_without_rage_is_not_asked():
    """rules 6.3.9: nothing to pay with (the defender is at 0 Rage)."""
    g = Scenario(2)
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 0)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert dead(g, 1) == 1
    assert g.asked() == ACTS


def test_protection_against_smite_keeps_the_strength():
    """rules 6.3.9: whenever it would be destroyed: saved from Smite, the two make it a tie, and are asked again."""
    g = Scenario(2)
    g.upgrade(1, "Frigga's Protection")
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.hand(0, "Odin's Smite")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 1)  # Smite: 2 against 2, a tie
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 2)  # the tie
    assert g.rage_of(1) == 3
    assert g.figures_in(1, "gimle") == 2
    assert not g.is_pillaged("gimle")
    assert dead(g, 0) == 1


def test_protection_against_tide():
    """rules 6.3.9: the figure that Tide would take stays and fights."""
    g = Scenario(2)
    g.upgrade(1, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.KEEP_FIGURE)
    g.choose(1, "leader", "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 1)  # 4 against 4: a tie
    g.count(1, 1)  # the leader
    g.count(1, 0)  # the warrior
    assert g.rage_of(1) == 4
    assert (g.figures(1, "leader", "gimle"), g.figures(1, "warrior", "gimle")) == (1, 0)
    assert not g.is_pillaged("gimle")


def test_protection_against_troll_and_fire_giant():
    """rules 6.3.9: in battle or not."""
    for monster, kinds in (("Troll", ["warrior"]), ("Fire Giant", ["leader", "warrior", "ship"])):
        g = Scenario(2)
        g.upgrade(0, monster)
        g.upgrade(1, "Frigga's Protection")
        g.put(1, "leader", "gimle")
        g.put(1, "warrior", "gimle")
        g.put(1, "ship", "fjord_gimle_myrkulor")
        g.invade(0, "monster_1", "gimle")
        for kind in kinds:
            assert g.asked() == (1, Decision.SAVE)
            assert g.state.about_kind == Figure[kind.upper()]
            g.count(1, 1)
        assert g.asked() == NEXT
        assert g.rage_of(1) == 6 - len(kinds)
        assert dead(g, 1) == 0


def test_protection_not_in_ragnarok():
    """rules 6.3.9: except by Ragnarok, even if there were Rage (3.2.4 leaves none; set by hand here)."""
    g = alone()
    g.upgrade(0, "Frigga's Protection")
    g.doomed("gimle")
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "horgr")
    g.quest(0, "Jotunheim")
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)
    g.rage(0, 6)
    g.raise_stat(0, "axes")
    assert g.asked()[1] == Decision.DRAFT
    assert g.figures(0, "leader", "reserve") == 1
    assert g.glory_of(0) == 5 + 2


def test_protected_figures_do_not_count_as_destroyed():
    """rules 6.3.9: no Valkyrie, no Thor's Glory for the two saved warriors."""
    g = Scenario(2)
    g.upgrade(0, "Valkyrie", "Thor's Glory")
    g.upgrade(1, "Frigga's Protection")
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 3)
    g.pillage(0, "gimle")
    g.count(1, 2)
    assert g.glory_of(0) == 3 + 2 * 1  # Axes, Valkyrie for one
    assert g.figures_in(1, "gimle") == 2


def test_protection_paid_with_tricked_rage_after_passing():
    """rules 6.3.9: a clan that passed pays with the Rage that Trickery has just won (3.2.3, 6.1.4)."""
    g = Scenario(2)
    g.upgrade(1, "Frigga's Protection")
    g.passed(1)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.hand(1, "Loki's Trickery")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    assert [g.can_count(n) for n in range(3)] == [True, True, False]
    g.count(1, 1)
    assert (g.rage_of(0), g.rage_of(1)) == (5, 0)
    assert g.figures_in(1, "gimle") == 1
    assert g.asked() == ACTS


# ---- 6.3.10 the Volur Witch
def _witch(place="gimle", *, enemies=4, rage=6, protection=False):
    g = Scenario(2)
    g.upgrade(0, "Volur Witch")
    if protection:
        g.upgrade(0, "Frigga's Protection")
    g.rage(0, rage)
    g.put(0, "monster_1", place)
    g.put(1, "warrior", place, enemies)
    g.pillage(0, place)
    return g


@pytest.mark.parametrize("enemies", [3, 4])
def test_witch_escapes_from_a_lost_battle(enemies):
    """rules 6.3.10: lost, or tied, in an outer province: to Yggdrasil instead of being destroyed."""
    g = _witch(enemies=enemies)
    assert g.asked() == SAVE
    assert g.state.about_kind == Figure.MONSTER_1
    assert g.legal_actions() == [act.YES, act.COUNT]
    g.yes(0)
    assert (g.figures(0, "monster_1", "yggdrasil"), dead(g, 0)) == (1, 0)
    assert g.rage_of(0) == 6
    assert g.asked() == NEXT


def test_witch_may_die():
    """rules 6.3.10: she may go, up to her owner (6.1.7)."""
    g = _witch()
    g.count(0, 0)
    assert g.figures(0, "monster_1", "valhalla") == 1


def test_witch_dies_in_yggdrasil():
    """rules 6.3.10: no escape from where she would escape to."""
    g = _witch("yggdrasil")
    assert g.figures(0, "monster_1", "valhalla") == 1
    assert g.asked() == NEXT


def test_witch_that_wins_stays():
    """rules 6.3.10: only when her clan loses."""
    g = _witch(enemies=2)
    assert g.asked() == NEXT
    assert g.figures(0, "monster_1", "gimle") == 1


def test_witch_and_protection_to_choose_from():
    """rules 6.3.10: where Protection works her owner may pay for it instead."""
    g = _witch(protection=True)
    assert g.legal_actions() == [act.YES, act.COUNT, act.COUNT + 1]
    g.count(0, 1)
    assert (g.figures(0, "monster_1", "gimle"), g.rage_of(0)) == (1, 5)
    g = _witch(protection=True)
    g.yes(0)
    assert (g.figures(0, "monster_1", "yggdrasil"), g.rage_of(0)) == (1, 6)


def test_witch_under_protection_in_yggdrasil():
    """rules 6.3.10: there only Protection helps."""
    g = _witch("yggdrasil", protection=True)
    assert g.legal_actions() == [act.COUNT, act.COUNT + 1]
    g.count(0, 1)
    assert g.figures(0, "monster_1", "yggdrasil") == 1


def test_witch_without_rage_for_protection():
    """rules 6.3.10: the escape is free; Protection can't be paid by a clan at 0 Rage."""
    g = Scenario(2)
    g.upgrade(1, "Volur Witch", "Frigga's Protection")
    g.rage(1, 0)
    g.put(1, "monster_1", "gimle")
    g.put(0, "warrior", "gimle", 4)
    g.pillage(0, "gimle")
    assert g.legal_actions() == [act.YES, act.COUNT]


def test_witch_escapes_from_tide_and_is_out_of_the_battle():
    """rules 6.3.10: the same in Tide; her STR is gone (6.2.4), the warrior alone loses to 2."""
    g = Scenario(2)
    g.upgrade(1, "Volur Witch")
    g.put(0, "warrior", "gimle")
    g.put(1, "monster_1", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    g.choose(1, "warrior", "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.yes(1)
    assert g.figures(1, "monster_1", "yggdrasil") == 1
    assert g.is_pillaged("gimle")
    assert g.figures(1, "warrior", "valhalla") == 1


def test_witch_tide_in_yggdrasil_has_no_escape():
    """rules 6.3.10: Tide there destroys her."""
    g = Scenario(2)
    g.upgrade(1, "Volur Witch")
    g.put(0, "warrior", "yggdrasil")
    g.put(1, "monster_1", "yggdrasil")
    g.put(1, "warrior", "yggdrasil")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "yggdrasil")
    g.choose(1, "warrior", "yggdrasil")
    assert g.figures(1, "monster_1", "valhalla") == 1


@pytest.mark.parametrize("protection", [False, True])
def test_witch_leaves_before_ragnarok(protection):
    """rules 6.3.10: no Ragnarok glory then; Protection is of no use in Ragnarok."""
    g = alone()
    g.upgrade(0, "Volur Witch")
    if protection:
        g.upgrade(0, "Frigga's Protection")
    g.doomed("gimle")
    g.put(0, "monster_1", "gimle")
    g.put(0, "warrior", "gimle")
    g.end_action_phase()
    assert g.asked() == SAVE
    assert g.legal_actions() == [act.YES, act.COUNT]
    g.yes(0)
    assert g.figures(0, "monster_1", "yggdrasil") == 1
    assert g.glory_of(0) == 2  # the warrior's


def test_witch_may_fall_in_ragnarok():
    """rules 6.3.10: up to her owner; then she earns the glory of a figure."""
    g = alone(age=3)
    g.upgrade(0, "Volur Witch")
    g.doomed("gimle")
    g.put(0, "monster_1", "gimle")
    g.end_action_phase()
    g.count(0, 0)
    assert g.glory_of(0) == 4
    assert g.figures(0, "monster_1", "reserve") == 1  # released


def test_an_escaped_witch_is_not_destroyed():
    """rules 6.3.10: no Valkyrie pays for her."""
    g = Scenario(2)
    g.upgrade(1, "Volur Witch")
    g.upgrade(0, "Valkyrie")
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "monster_1", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.yes(1)
    assert g.glory_of(0) == 3 + 2


def test_the_escape_is_no_invade():
    """rules 6.3.10: it sets nothing off, although Thor's Domain would pay in Yggdrasil."""
    g = Scenario(2)
    g.upgrade(0, "Volur Witch", "Thor's Domain", "Frigga's Succor")
    g.put(0, "monster_1", "gimle")
    g.put(1, "warrior", "gimle", 4)
    g.pillage(0, "gimle")
    g.yes(0)
    assert g.asked() == NEXT


def test_two_clans_save_in_clockwise_order_from_the_pillager():
    """rules 6.3.10: seat 1 pillages and ties: seat 2's Protection is asked before seat 0's Witch (6.1.2)."""
    g = Scenario(3, seat=1)
    g.upgrade(2, "Frigga's Protection")
    g.upgrade(0, "Volur Witch")
    g.put(1, "leader", "gimle")
    g.put(2, "leader", "gimle")
    g.put(0, "monster_1", "gimle")
    g.pillage(1, "gimle")
    assert g.asked() == (2, Decision.SAVE)
    g.count(2, 1)
    assert g.asked() == SAVE
    g.yes(0)
    assert g.figures_in(2, "gimle") == 1
    assert dead(g, 1) == 1
