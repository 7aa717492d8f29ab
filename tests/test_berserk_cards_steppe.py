"""The cards of the steppe in Berserk, a test for each clause. Cells as First sees them."""

import pytest
from berserk_position import FIRST, SECOND, Position, decline, shot, struck

from bloodrage_env.games.berserk.engine import Act, Decision
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


def test_nomad_is_quick():
    """rules 1.3: movement 2, nothing else"""
    p = Position()
    nomad = p.put(FIRST, "Nomad", 2)
    p.put(SECOND, "Nomad", 29)
    p.move(nomad, FORWARD, LEFT)
    assert int(p.s.cell[nomad]) == 6
    assert not any(p.legal(p.move_id(nomad, direction)) for direction in Direction)


# ---- Kshar


@pytest.mark.parametrize(("target", "wounds"), [("Borg", 2), ("Nomad", 1), ("Aracent", 1)])
def test_kshar_strikes_harder_at_mountain_creatures(target, wounds):
    """rules 7.6: simple strikes ..."""
    p, _, b = struck("Kshar", target, 1, 1)
    assert p.wounds(b) == wounds


@pytest.mark.parametrize(("target", "wounds"), [("Borg", 2), ("Nomad", 1)])
def test_kshar_strikes_harder_across_a_row(target, wounds):
    """rules 7.6: ... strikes across a row ..."""
    p, _, b = shot(target, shooter="Kshar", start=12)
    assert p.wounds(b) == wounds


@pytest.mark.parametrize(("target", "wounds"), [("Borg", 4), ("Nomad", 3)])
def test_kshar_strikes_specially_for_a_token(target, wounds):
    """rules 7.6: ... and special ones; 7.19"""
    p = Position()
    a, b = p.put(FIRST, "Kshar", 12, tokens=1), p.put(SECOND, target, 17)
    p.act(a, Act.ABILITY_2, 17)
    assert (p.wounds(b), p.s.tokens[a], p.closed(a)) == (wounds, 0, True)


def test_kshar_gains_tokens():
    """rules 3.6: for an action; without one no special strike"""
    p = Position()
    a = p.put(FIRST, "Kshar", 12)
    p.put(SECOND, "Nomad", 17)
    assert not p.can(a, Act.ABILITY_2)
    p.act(a, Act.ABILITY_3)
    assert (p.s.tokens[a], p.closed(a)) == (1, True)


# ---- Firemane, Acolyte, Snakehead, Orc


@pytest.mark.parametrize(("striker", "wounds"), [("Orc", 1), ("Berserk", 0)])
def test_firemane_wounds_strikers(striker, wounds):
    """rules 7.4: a spell; armour doesn't help, protection does"""
    p, a, b = struck(striker, "Firemane", 1, 1)
    assert p.wounds(b) == 3
    assert p.wounds(a) == wounds


def test_firemane_wounds_who_counters_and_who_strikes_otherwise():
    """rules 7.4: any landed strike, magic ones and those across a row too"""
    p, a, b = struck("Firemane", "Orc", 1, 6)
    assert (p.wounds(a), p.wounds(b)) == (3, 1)
    p = Position()
    axe, b = p.put(FIRST, "Axe Master", 12, tokens=1), p.put(SECOND, "Firemane", 17)
    p.act(axe, Act.ABILITY_1, 17, 1)
    assert (p.wounds(b), p.wounds(axe)) == (1, 1)


def test_firemane_does_not_react_to_shots_nor_to_misses():
    """rules 7.4, 4.9"""
    p, a, b = shot("Firemane", 6)
    assert (p.wounds(b), p.wounds(a)) == (3, 0)
    p, a, b = struck("Orc", "Firemane", 6, 5)
    assert p.wounds(a) == 0


def test_firemane_reacts_when_it_has_just_died():
    """rules 4.8 c"""
    p, a, b = struck("Orc", "Firemane", 1, 1, wounds=8)
    assert (p.is_dead(b), p.wounds(a)) == (True, 1)


def test_acolyte_discharges_at_up_to_three_cards():
    """rules 5.5: all different; at least one; then it closes"""
    p = Position()
    a = p.put(FIRST, "Acolyte of Dzar", 2)
    slots = [p.put(SECOND, "Nomad", cell) for cell in (16, 17, 18, 29)]
    p.act(a, Act.ABILITY_1)
    assert not p.legal(0)
    p.choose(16)
    assert (p.wounds(slots[0]), p.closed(a), p.cells()) == (1, False, {17, 18, 29})
    assert p.legal(0)
    p.choose(29)
    assert p.cells() == {17, 18}
    p.choose(18)
    assert ([p.wounds(each) for each in slots], p.closed(a)) == ([1, 0, 1, 1], True)


def test_acolyte_may_end_before():
    """rules 5.5: or when there is no other target"""
    p = Position()
    a = p.put(FIRST, "Acolyte of Dzar", 2)
    slots = [p.put(SECOND, "Nomad", cell) for cell in (16, 17)]
    p.act(a, Act.ABILITY_1, 16)
    p.done()
    assert ([p.wounds(each) for each in slots], p.closed(a)) == ([1, 0], True)
    p = Position()
    a = p.put(FIRST, "Acolyte of Dzar", 2)
    p.put(SECOND, "Nomad", 16)
    p.act(a, Act.ABILITY_1, 16)
    assert (p.asked, p.closed(a)) == ((FIRST, Decision.MAIN), True)


def test_snakehead_strikes_across_a_row_and_has_experience():
    """rules 5.2, 7.12: attack and defence"""
    p, _, b = shot("Nomad", shooter="Snakehead", start=12)
    assert p.wounds(b) == 1
    p = Position()
    a = p.put(FIRST, "Snakehead", 12)
    p.put(SECOND, "Snakehead", 17)
    p.strike(a, 17, 1, 1)
    assert p.asked == (FIRST, Decision.REROLL)
    p.no()
    assert p.asked == (SECOND, Decision.REROLL)
    p.no()
    assert p.asked[1] == Decision.MAIN


@pytest.mark.parametrize(("target", "wounds", "directed"), [("Borg", 4, True), ("Aracent", 3, False)])
def test_orc_against_mountain_creatures(target, wounds, directed):
    """+1 simple strike, and directed"""
    p = Position()
    a, b = p.put(FIRST, "Orc", 12), p.put(SECOND, target, 17)
    p.put(SECOND, "Aracent", 16)
    p.strike(a, 17, 1, 1)
    assert (p.asked[1] == Decision.DEFENDER) != directed
    decline(p)
    assert p.wounds(b) == wounds


def test_orc_strikes_the_card_that_reflects():
    """rules 8.4: the bonus is for the defender; directed was settled before (8.3)"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Aracent", 17)
    b = p.put(SECOND, "Borg", 16)
    p.strike(a, 17, 1, 1)
    p.choose(16)
    assert p.wounds(b) == 4


# ---- Sanctorum, Toa-Dan Guard, Crossbowman, Shieldbearer


def test_sanctorum_takes_nothing_from_weak_simple_strikes():
    """rules 7.14, 8.6: counters too; medium ones, and weak attacks of another kind, do"""
    assert struck("Orc Bully", "Sanctorum", 1, 1)[0].wounds(15) == 0
    assert struck("Orc Bully", "Sanctorum", 4, 1)[0].wounds(15) == 5
    assert struck("Sanctorum", "Orc Bully", 1, 6)[0].wounds(0) == 0
    assert shot("Sanctorum", 1)[0].wounds(15) == 1


@pytest.mark.parametrize(("die", "wounds"), [(1, 2), (4, 2), (6, 3)])
def test_sanctorum_in_formation_strikes_harder_when_weak(die, wounds):
    """rules 7.9"""
    p, _, b = struck("Sanctorum", "Orc", die, 1, near=[("Mercenary", 13)])
    assert p.wounds(b) == wounds


def test_toa_dan_guard_discharges():
    """rules 5.2"""
    p, a, b = shot("Zvar", shooter="Toa-Dan Guard")
    assert (p.wounds(b), p.closed(a)) == (1, True)


@pytest.mark.parametrize(
    ("guard", "closer", "wounds"), [(27, "Nomad", 1), (26, "Nomad", 0), (27, "Berserk", 0), (27, "Skelos", 0)]
)
def test_toa_dan_guard_wounds_cards_that_close_in_its_column(guard, closer, wounds):
    """rules 7.25: a spell"""
    p = Position()
    a = p.put(FIRST, closer, 12)
    p.put(SECOND, "Toa-Dan Guard", guard)
    p.put(SECOND, "Mountain Keeper", 17)
    p.strike(a, 17, 1, 1)
    decline(p)
    assert p.closed(a) == (closer != "Berserk")
    assert p.wounds(a) == wounds


def test_toa_dan_guard_looks_at_abilities_defenders_and_choices_too():
    """rules 7.25: an action of any kind, defending, Gully Gnome; not own cards"""
    p = Position()
    kshar = p.put(FIRST, "Kshar", 12)
    p.put(FIRST, "Toa-Dan Guard", 2)
    p.put(SECOND, "Toa-Dan Guard", 27)
    p.act(kshar, Act.ABILITY_3)
    assert p.wounds(kshar) == 1
    p = Position()
    orc = p.put(FIRST, "Orc", 12)
    p.put(FIRST, "Toa-Dan Guard", 1)
    p.put(SECOND, "Nomad", 17)
    defender = p.put(SECOND, "Nomad", 16)
    p.strike(orc, 17, 6, 5)
    p.choose(16)
    assert p.wounds(defender) == 1
    p = Position()
    gully = p.put(FIRST, "Gully Gnome", 12)
    p.put(FIRST, "Toa-Dan Guard", 2)
    b = p.put(SECOND, "Nomad", 17)
    p.strike(gully, 17, 1, 1)
    p.yes()
    assert (p.wounds(b), p.closed(b)) == (1 + 1, True)


def test_two_toa_dan_guards_wound_twice_until_the_card_is_dead():
    """rules 7.25: one from each, in the order of slots"""
    for wounds, dead in ((0, False), (7, True)):
        p = Position()
        nomad = p.put(FIRST, "Nomad", 12, wounds=wounds)
        p.put(FIRST, "Nomad", 0)
        p.put(SECOND, "Toa-Dan Guard", 22)
        p.put(SECOND, "Toa-Dan Guard", 27)
        p.put(SECOND, "Mountain Keeper", 17)
        p.strike(nomad, 17, 1, 1)
        assert p.is_dead(nomad) == dead
        assert p.wounds(nomad) == (0 if dead else 2)


@pytest.mark.parametrize(("tokens", "die", "wounds"), [(0, 1, 1), (0, 6, 3), (2, 4, 6), (4, 6, 11)])
def test_crossbowman_shoots_harder_with_tokens_and_loses_them(tokens, die, wounds):
    """rules 8.12: +2 for each, then all go"""
    p = Position()
    a, b = p.put(FIRST, "Crossbowman", 7, tokens=tokens), p.put(SECOND, "Orc Bully", 22)
    p.act(a, Act.ABILITY_1, 22, die)
    assert (p.wounds(b), p.s.tokens[a], p.closed(a)) == (wounds, 0, True)


def test_crossbowman_loses_its_tokens_by_a_blocked_shot():
    """rules 7.19"""
    p = Position()
    a, b = p.put(FIRST, "Crossbowman", 7, tokens=3), p.put(SECOND, "Temple Warrior", 22)
    p.act(a, Act.ABILITY_1, 22, 5)
    assert (p.wounds(b), p.s.tokens[a]) == (0, 0)


def test_crossbowman_holds_four_tokens():
    """rules 7.19: at the maximum it can't gain more"""
    for tokens, legal in ((3, True), (4, False)):
        p = Position()
        a = p.put(FIRST, "Crossbowman", 7, tokens=tokens)
        p.put(SECOND, "Nomad", 29)
        assert p.can(a, Act.ABILITY_2) == legal
        if legal:
            p.act(a, Act.ABILITY_2)
            assert p.s.tokens[a] == 4


@pytest.mark.parametrize(("partner", "wounds"), [("Sanctorum", 0), ("Nomad", 2)])
def test_crossbowman_in_formation_is_protected_from_throws(partner, wounds):
    """rules 7.14"""
    p, _, b = shot("Crossbowman", 6, shooter="Mrazen", theirs_near=[(partner, 23)])
    assert p.wounds(b) == wounds


def test_shieldbearer_defends_with_experience():
    """rules 7.12: twice"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Shieldbearer", 17)
    p.strike(a, 17, 1, 1, 2, 3)
    for _ in range(2):
        assert p.asked == (SECOND, Decision.REROLL)
        p.yes()
    assert p.asked[1] == Decision.MAIN


@pytest.mark.parametrize(("shooter", "start", "wounds"), [("Orc Shooter", 7, 2), ("Krondak", 7, 0), ("Kshar", 12, 0)])
def test_shieldbearer_takes_less_from_ranged_attacks(shooter, start, wounds):
    """rules 7.7: shots, discharges, strikes across a row"""
    p = Position()
    a, b = p.put(FIRST, shooter, start), p.put(SECOND, "Shieldbearer", 22)
    p.act(a, Act.ABILITY_2 if shooter == "Krondak" else Act.ABILITY_1, 22, 6)
    assert p.wounds(b) == wounds


@pytest.mark.parametrize(
    ("target", "shields", "wounds"),
    [
        ("Nomad", [(21, 0)], 2),
        ("Nomad", [(23, 0)], 2),
        ("Nomad", [(21, 0), (23, 0)], 1),
        ("Nomad", [(27, 0)], 3),  # behind
        ("Aracent", [(21, 0)], 3),  # no steppe creature
        ("Shieldbearer", [(21, 0)], 1),  # its own help and the other's
        ("Nomad", [(21, 1)], 3),  # face down
    ],
)
def test_shieldbearer_helps_steppe_cards_left_and_right_of_it(target, shields, wounds):
    """rules 8.8"""
    p = Position(turn=1)
    a, b = p.put(FIRST, "Orc Shooter", 7), p.put(SECOND, target, 22)
    for cell, hidden in shields:
        p.put(SECOND, "Shieldbearer", cell, face_down=hidden)
    p.act(a, Act.ABILITY_1, 22, 6)
    assert p.wounds(b) == wounds


def test_shieldbearers_of_the_other_help_nobody():
    """rules 8.8: own cards"""
    p = Position()
    a, b = p.put(FIRST, "Orc Shooter", 7), p.put(SECOND, "Nomad", 22)
    p.put(FIRST, "Shieldbearer", 21)
    p.act(a, Act.ABILITY_1, 22, 6)
    assert p.wounds(b) == 3


@pytest.mark.parametrize(("partner", "wounds"), [("Sanctorum", 2), ("Nomad", 3)])
def test_shieldbearer_in_formation_takes_less_from_simple_strikes(partner, wounds):
    """rules 7.7, 7.9"""
    p, _, b = struck("Orc", "Shieldbearer", 1, 1, theirs_near=[(partner, 22)])
    assert p.wounds(b) == wounds
