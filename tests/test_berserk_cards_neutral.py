"""The neutral cards of Berserk, a test for each clause. Cells as First sees them."""

import pytest
from berserk_position import FIRST, SECOND, Position, shot, struck

from bloodrage_env.games.berserk.engine import Act, Card, Decision, Frame
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


# ---- Marauder, Mercenary, Krondak, Forrendor Watch


def test_marauder_strikes_across_a_row():
    """rules 5.2: strength 1, no die."""
    p, a, b = shot("Nomad", shooter="Marauder", start=12)
    assert (p.wounds(b), p.s.die, p.closed(a)) == (1, 0, True)


def test_mercenary_defends_with_experience():
    """rules 4.5: the black die may be rolled again once."""
    p = Position()
    orc = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Mercenary", 17)
    p.strike(orc, 17, 1, 1, 6)
    assert p.asked == (SECOND, Decision.REROLL)
    p.yes()
    assert p.wounds(orc) == 3
    assert p.asked == (FIRST, Decision.MAIN)


@pytest.mark.parametrize(("partner", "wounds"), [("Sanctorum", 2), ("Nomad", 3)])
def test_mercenary_in_formation_takes_less_from_shots(partner, wounds):
    """rules 7.7, 7.9"""
    p, _, b = shot("Mercenary", 6, theirs_near=[(partner, 23)])
    assert p.wounds(b) == wounds


@pytest.mark.parametrize(("partner", "wounds"), [("Sanctorum", 1 + 1), ("Nomad", 2 + 1)])
def test_mercenary_in_formation_takes_less_from_throws(partner, wounds):
    """rules 7.7; Mrazen's +1 is against its defence experience"""
    p, _, b = shot("Mercenary", 6, shooter="Mrazen", theirs_near=[(partner, 23)])
    assert p.wounds(b) == wounds


def test_mercenary_in_formation_takes_discharges_in_full():
    """rules 7.7: shots and throws alone"""
    p, _, b = shot("Mercenary", shooter="Toa-Dan Guard", theirs_near=[("Sanctorum", 23)])
    assert p.wounds(b) == 1


def test_krondak_lights_a_bonfire():
    """rules 7.26: on a free cell anywhere; it is in the way until the opponent's next turn is over."""
    p = Position()
    krondak = p.put(FIRST, "Krondak", 0)
    mover = p.put(SECOND, "Nomad", 22)
    p.act(krondak, Act.ABILITY_1)
    assert p.cells() == set(range(30)) - {0, 22}
    p.choose(17)
    assert (p.closed(krondak), int(p.s.bonfire[17])) == (True, 4)
    p.end_turn()
    assert not p.legal(p.move_id(mover, FORWARD))
    assert p.legal(p.move_id(mover, BACK))
    p.end_turn()
    assert int(p.s.bonfire[17]) == 0
    assert p.s.fires == 0


def test_a_bonfire_is_no_place_for_a_second_one_nor_for_a_push():
    """rules 7.26"""
    p = Position()
    krondak = p.put(FIRST, "Krondak", 0)
    hammerer = p.put(FIRST, "Hammerer", 12)
    b = p.put(SECOND, "Mountain Giant", 17, closed=1)
    p.fire(22, 4)
    p.act(krondak, Act.ABILITY_1)
    assert 22 not in p.cells()
    p.choose(29)
    p.strike(hammerer, 17, 1)
    p.yes()
    assert p.wounds(b) == 4


def test_a_bonfire_is_not_free_for_blizzard_child():
    """rules 7.26"""
    p = Position()
    child = p.put(FIRST, "Blizzard Child", 0)
    b = p.put(SECOND, "Nomad", 29)
    p.fire(28, 4)
    p.fire(24, 4)
    p.act(child, Act.ABILITY_1, 29)
    assert p.wounds(b) == 1


def test_krondak_discharges():
    """rules 5.2: 1, at any range, never adjacent"""
    p = Position()
    krondak = p.put(FIRST, "Krondak", 0)
    far, near = p.put(SECOND, "Nomad", 29), p.put(SECOND, "Zvar", 6)
    p.act(krondak, Act.ABILITY_2)
    assert p.cells() == {29}
    p.choose(29)
    assert (p.wounds(far), p.wounds(near), p.s.die) == (1, 0, 0)


def test_forrendor_watch_shoots():
    """rules 5.2: 1, at any range"""
    p, a, b = shot("Nomad", shooter="Forrendor Watch", start=0, at=29)
    assert (p.wounds(b), p.closed(a)) == (1, True)


# ---- Cutthroat, Paladin, Temple Warrior


def test_cutthroat_is_protected_from_shots():
    """rules 7.14"""
    p, _, b = shot("Cutthroat", 6)
    assert p.wounds(b) == 0


@pytest.mark.parametrize(
    ("near", "theirs_near", "directed"),
    [
        ([], [], False),
        ([("Nomad", 11)], [], False),  # one against the target
        ([("Nomad", 11), ("Nomad", 13)], [], True),
        ([("Nomad", 11), ("Nomad", 13)], [("Nomad", 16)], False),
        ([("Nomad", 11), ("Nomad", 1)], [], False),  # 1 is not adjacent
    ],
)
def test_cutthroat_outnumbering(near, theirs_near, directed):
    """More own creatures than enemies adjacent, itself not counted: attack experience 1 and directed."""
    p = Position()
    a = p.put(FIRST, "Cutthroat", 12)
    p.put(SECOND, "Zvar", 17)
    for seat, cards in ((FIRST, near), (SECOND, theirs_near)):
        for card, cell in cards:
            p.put(seat, card, cell)
    p.strike(a, 17, 1, 1)
    assert p.s.stack[2, Frame.DIRECTED] == directed
    if p.asked[1] == Decision.DEFENDER:
        p.done()
    assert (p.asked[1] == Decision.REROLL) == directed


def test_cutthroat_counts_face_down_cards():
    """rules 2.7: they are creatures"""
    p = Position(turn=1)
    a = p.put(FIRST, "Cutthroat", 22)
    p.put(FIRST, "Nomad", 21)
    p.put(SECOND, "Zvar", 27, face_down=1)
    p.strike(a, 27, 1, 1)
    assert p.asked[1] == Decision.MAIN


def test_paladin_has_armour_and_widens_ranges_in_its_column():
    """rules 7.15, 8.9: wherever in the column, two add up; unlimited ranges stay"""
    p, _, b = struck("Orc", "Paladin of Allamor", 1, 1)
    assert p.wounds(b) == 3 - 1
    for paladins, legal in (((), False), ((27,), True), ((26,), False)):
        p = Position()
        archer = p.put(FIRST, "Dzar Archer", 2)
        for cell in paladins:
            p.put(FIRST, "Paladin of Allamor", cell)
        p.put(SECOND, "Nomad", 29)
        assert p.can(archer, Act.ABILITY_1) == legal
    p = Position()
    initiate = p.put(FIRST, "Initiate of Dzar", 2)
    p.put(FIRST, "Paladin of Allamor", 7)
    p.put(FIRST, "Paladin of Allamor", 12)
    p.put(SECOND, "Nomad", 17)
    assert p.can(initiate, Act.ABILITY_1)


def test_paladins_of_the_other_help_nobody():
    """rules 8.9: own cards"""
    p = Position()
    initiate = p.put(FIRST, "Initiate of Dzar", 2)
    p.put(SECOND, "Paladin of Allamor", 12)
    assert not p.can(initiate, Act.ABILITY_1)


def test_paladin_is_a_formation_partner():
    """rules 7.9: though its own list is left out"""
    p, _, b = struck("Sanctorum", "Nomad", 1, 1, near=[("Paladin of Allamor", 13)])
    assert p.wounds(b) == 2


@pytest.mark.parametrize(("second", "wounds"), [(True, 2), (False, 6)])
def test_temple_warrior_attacks_with_two_dice(second, wounds):
    """rules 7.27: both and the black one lie open before its owner picks."""
    p = Position()
    a = p.put(FIRST, "Temple Warrior", 12)
    b = p.put(SECOND, "Nomad", 17)
    p.strike(a, 17, 6, 1, 2)
    assert p.asked == (FIRST, Decision.PICK_DIE)
    assert (p.s.white.tolist(), p.s.black.tolist()) == ([6, 1], [2, 0])
    p.no() if second else p.yes()
    assert p.wounds(b) == wounds


def test_temple_warrior_reflects_with_two_dice_and_is_not_asked_about_equal_ones():
    """rules 7.27"""
    p = Position()
    a = p.put(FIRST, "Snakehead", 12)
    b = p.put(SECOND, "Temple Warrior", 17)
    p.strike(a, 17, 1, 3, 6)
    assert p.asked == (SECOND, Decision.PICK_DIE)
    p.no()
    assert p.asked == (FIRST, Decision.REROLL)  # after the choice
    p.no()
    assert (p.wounds(a), p.wounds(b)) == (2, 0)
    p = Position()
    a = p.put(FIRST, "Nomad", 12)
    p.put(SECOND, "Temple Warrior", 17)
    p.strike(a, 17, 1, 3, 3)
    assert p.asked[1] == Decision.MAIN


def test_temple_warriors_pick_the_attackers_side_first():
    """rules 7.27"""
    p = Position()
    a, b = p.put(FIRST, "Temple Warrior", 12), p.put(SECOND, "Temple Warrior", 17)
    p.strike(a, 17, 1, 4, 2, 3)
    assert p.asked == (FIRST, Decision.PICK_DIE)
    p.no()
    assert p.asked == (SECOND, Decision.PICK_DIE)
    p.yes()
    assert p.wounds(b) == 4


@pytest.mark.parametrize("closed", [0, 1])
@pytest.mark.parametrize(("dice", "wounds"), [((5,), 0), ((6,), 0), ((4, 6), 3)])
def test_temple_warrior_blocks_ranged_attacks(dice, wounds, closed):
    """rules 7.27: open or closed"""
    p, _, b = shot("Temple Warrior", *dice, closed=closed)
    assert p.wounds(b) == wounds


def test_temple_warrior_blocks_strikes_across_a_row_and_discharges_but_no_melee():
    """rules 7.27"""
    p, _, b = shot("Temple Warrior", 5, shooter="Marauder", start=12)
    assert (p.wounds(b), p.s.block) == (0, 5)
    q = Position()
    lord = q.put(FIRST, "Lord of Lightning", 7)
    c = q.put(SECOND, "Temple Warrior", 22)
    q.act(lord, Act.ABILITY_1, 22, 6)
    assert (q.wounds(c), q.s.block) == (0, 6)
    q = Position()
    borg = q.put(FIRST, "Borg", 12, tokens=1)
    c = q.put(SECOND, "Temple Warrior", 17)
    q.act(borg, Act.ABILITY_1, 17, 6)
    assert (q.wounds(c), q.s.block) == (3, 0)


# ---- Aracent, Berserk, Germet


@pytest.mark.parametrize(("die", "wounds", "poison"), [(1, 2, 1), (4, 2, 2), (6, 3, 2)])
def test_aracent_poisons(die, wounds, poison):
    """rules 7.2, 7.13"""
    p, _, b = struck("Aracent", "Orc", die, 1)
    assert (p.wounds(b), p.s.poison[b]) == (wounds, poison)


def test_aracents_counter_poisons_too_and_the_larger_poison_stays():
    """rules 7.2, 7.13"""
    p, a, _ = struck("Orc", "Aracent", 1, 6)
    assert (p.wounds(a), p.s.poison[a]) == (2, 1)
    p, _, b = struck("Aracent", "Orc", 1, 1, poison=2)
    assert p.s.poison[b] == 2


def test_aracent_has_experience_and_gets_no_poison():
    """rules 7.12, 7.14"""
    p = Position()
    a = p.put(FIRST, "Aracent", 12)
    b = p.put(SECOND, "Aracent", 17)
    p.strike(a, 17, 1, 1, 6)
    p.yes()
    assert p.asked[1] == Decision.MAIN
    assert (p.wounds(b), p.s.poison[b]) == (3, 0)


def test_aracent_poisons_nobody_by_a_miss():
    """rules 7.2"""
    p, _, b = struck("Aracent", "Orc", 6, 5)
    assert p.s.poison[b] == 0


def berserk(*others: tuple[str, int], **fields):
    p = Position()
    a = p.put(FIRST, "Berserk", 12, **fields)
    return p, a, [p.put(SECOND, card, cell) for card, cell in others]


def test_berserk_strikes_again_at_another_card():
    """rules 7.22: the second closes it"""
    p, a, (first, second) = berserk(("Mountain Keeper", 17), ("Mountain Keeper", 16))
    p.strike(a, 17, 1, 1)
    p.no()
    assert p.asked == (FIRST, Decision.AGAIN)
    assert not p.closed(a)
    p.act(a, Act.STRIKE)
    assert p.cells() == {16}
    p.dice(1, 1)
    p.choose(16)
    p.no()
    assert p.wounds(second) == p.wounds(first) == 3
    assert (p.closed(a), p.asked[1]) == (True, Decision.MAIN)


def test_berserk_mixes_strikes():
    """rules 7.22: across a row first or second, at another card"""
    p, a, (near, far) = berserk(("Zvar", 16), ("Nomad", 22))
    p.act(a, Act.ABILITY_1, 22)
    assert (p.asked[1], p.wounds(far), p.closed(a)) == (Decision.AGAIN, 1, False)
    p.strike(a, 16, 1, 1)
    p.no()
    assert (p.wounds(near), p.closed(a)) == (3 - 2, True)
    p, a, (near, far) = berserk(("Zvar", 16), ("Nomad", 22))
    p.strike(a, 16, 1, 1)
    p.no()
    p.act(a, Act.ABILITY_1, 22)
    assert (p.wounds(far), p.closed(a)) == (1, True)


def test_berserk_without_another_target_stays_open_and_is_not_asked():
    """rules 7.22: it may move still, and take no other action"""
    p, a, _ = berserk(("Mountain Keeper", 17), ("Nomad", 29))
    p.strike(a, 17, 6, 5)
    p.no()
    assert p.asked[1] == Decision.MAIN
    assert (p.closed(a), p.can(a), p.legal(p.move_id(a, LEFT))) == (False, False, True)


def test_berserk_may_do_without_the_second_strike():
    """rules 7.22"""
    p, a, _ = berserk(("Mountain Keeper", 17), ("Mountain Keeper", 16))
    p.strike(a, 17, 1, 1)
    p.no()
    p.done()
    assert (p.closed(a), p.can(a)) == (False, False)


def test_the_other_card_is_another_one_wherever_the_first_stands():
    """rules 7.22: a defender is the target of the strike (4.3); Berserk is directed, so that none is named."""
    p, a, (first, _) = berserk(("Mountain Keeper", 17), ("Mountain Keeper", 16))
    p.strike(a, 17, 1, 1)
    assert p.asked[1] != Decision.DEFENDER
    p.no()
    p.s.at[17], p.s.at[18], p.s.cell[first] = -1, first, 18
    p.s.standing[SECOND] ^= 1 << 17 | 1 << 18
    p.act(a, Act.STRIKE)
    assert p.cells() == {16}


def test_berserk_that_closes_or_dies_strikes_no_more():
    """rules 7.22: if it lives and is open"""
    p, a, _ = berserk(("Gully Gnome", 17), ("Mountain Keeper", 16))
    p.strike(a, 17, 1, 6)
    p.no()
    p.yes()  # it closes
    assert (p.closed(a), p.asked[1]) == (True, Decision.MAIN)
    p, a, _ = berserk(("Orc", 17), ("Mountain Keeper", 16), wounds=9)
    p.strike(a, 17, 1, 6)
    p.no()
    assert (p.is_dead(a), p.over) == (True, True)


def test_berserk_is_directed_and_has_experience():
    """rules 7.1, 7.12"""
    p, a, (first, _) = berserk(("Mountain Keeper", 17), ("Mountain Keeper", 16))
    p.strike(a, 17, 1, 1, 6)
    assert p.asked == (FIRST, Decision.REROLL)
    p.yes()
    assert p.wounds(first) == 5


def test_berserk_is_protected_from_poison_and_spells():
    """rules 7.14"""
    p, _, b = struck("Aracent", "Berserk", 1, 1)
    assert p.s.poison[b] == 0
    p = Position()
    child = p.put(FIRST, "Blizzard Child", 0)
    b = p.put(SECOND, "Berserk", 29)
    p.act(child, Act.ABILITY_1, 29)
    assert (p.wounds(b), p.closed(child)) == (0, True)


def test_berserk_has_both_strikes_in_each_own_turn():
    """rules 7.22, 1.7"""
    p, a, _ = berserk(("Mountain Keeper", 17), ("Mountain Keeper", 16))
    p.strike(a, 17, 1, 1)
    p.no()
    p.done()
    p.end_turn()
    p.end_turn()
    assert p.can(a)


@pytest.mark.parametrize(
    ("partner", "movement", "armour"),
    [("NOMAD", 2, 0), ("ORC", 2, 0), ("BORG", 1, 1), ("MARAUDER", 1, 0)],
)
def test_germet_gains_by_the_squad(partner, movement, armour):
    """rules 2.8: movement with a steppe creature, armour with a mountain creature"""
    p = Position(squads=((("GERMET", 12), (partner, 11)), "mountain"))
    q = p.fresh()
    slot = q[0].card.tolist().index(Card.GERMET)
    assert (int(q[0].extra_movement[slot]), int(q[0].moves[slot]), int(q[0].extra_armour[slot])) == (
        movement - 1, movement, armour
    )  # fmt: skip


def test_germet_gains_both():
    """rules 2.8, for the battle: his extra unit is there each turn"""
    q = Position(squads=((("GERMET", 12), ("NOMAD", 11), ("BORG", 13)), "mountain")).fresh()
    slot = q[0].card.tolist().index(Card.GERMET)
    assert (int(q[0].extra_movement[slot]), int(q[0].extra_armour[slot])) == (1, 1)
    p = Position()
    germet = p.put(FIRST, "Germet", 12, extra_movement=1, extra_armour=1, moves=0)
    orc = p.put(SECOND, "Orc", 17)
    p.put(SECOND, "Zvar", 29)
    p.end_turn()
    p.strike(orc, 12, 1, 1)
    assert p.wounds(germet) == 3 - 1
    p.end_turn()
    assert p.s.moves[germet] == 2
