"""The elites of the steppe in Berserk, a test for each clause. Cells as First sees them."""

import pytest
from berserk_position import FIRST, SECOND, Position, decline, shot, struck

from bloodrage_env.games.berserk.engine import Act, Decision
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


def test_dzar_archer_gains_a_token_with_each_shot():
    """rules 8.13: a blocked one too; range 4"""
    for card, dice, wounds in (("Nomad", (1,), 1), ("Temple Warrior", (6,), 0), ("Foot Knight", (6,), 0)):
        p = Position()
        a, b = p.put(FIRST, "Dzar Archer", 7), p.put(SECOND, card, 22)
        p.act(a, Act.ABILITY_1, 22, *dice)
        assert (p.wounds(b), p.s.tokens[a]) == (wounds, 1)
    p = Position()
    a = p.put(FIRST, "Dzar Archer", 2)
    p.put(SECOND, "Nomad", 27)
    assert not p.can(a, Act.ABILITY_1)


def test_dzar_archer_discharges_for_a_token_and_gains_them():
    """rules 3.6, 7.19"""
    for tokens in (0, 1):
        p = Position()
        a, b = p.put(FIRST, "Dzar Archer", 2, tokens=tokens), p.put(SECOND, "Nomad", 27)
        assert p.can(a, Act.ABILITY_2) == bool(tokens)
        p.act(a, Act.ABILITY_3 if tokens == 0 else Act.ABILITY_2, 27, 4)
        assert (p.wounds(b), p.s.tokens[a]) == ((3, 0) if tokens else (0, 1))


def test_initiate_reaches_further_for_cells_entered():
    """rules 7.20: forth and back count; gone at the end of the turn; it closes with the discharge"""
    p = Position()
    a, b = p.put(FIRST, "Initiate of Dzar", 2), p.put(SECOND, "Nomad", 17)
    p.move(a, FORWARD, BACK)
    p.act(a, Act.ABILITY_1, 17, 6)
    assert (p.wounds(b), p.closed(a)) == (4, True)
    p.end_turn()
    assert p.s.entered[a] == 0


def test_initiate_is_protected_from_discharges():
    """rules 7.14"""
    p, _, b = shot("Initiate of Dzar", shooter="Toa-Dan Guard")
    assert p.wounds(b) == 0


@pytest.mark.parametrize(("before", "wounds"), [(3, 1), (4, 2)])
def test_orc_shooter_shoots_harder_at_the_wounded(before, wounds):
    """rules 7.8: four wounds or more"""
    p, _, b = shot("Orc", 1, wounds=before)
    assert p.wounds(b) == before + wounds


@pytest.mark.parametrize(("partner", "wounds"), [("Sanctorum", 1), ("Nomad", 3)])
def test_foot_knight_in_formation_has_armour(partner, wounds):
    """rules 7.9, 7.10"""
    p, _, b = struck("Orc", "Foot Knight", 1, 1, theirs_near=[(partner, 22)])
    assert p.wounds(b) == wounds


def test_foot_knight_is_protected_from_shots_and_strikes_back():
    """rules 7.14, 7.4: a special strike of 2, armour counts"""
    p, _, b = shot("Foot Knight", 6)
    assert p.wounds(b) == 0
    for card, wounds in (("Orc", 2), ("Zvar", 0)):
        p, a, b = struck(card, "Foot Knight", 1, 1)
        assert (p.wounds(b), p.wounds(a)) == (3, wounds)


def test_foot_knight_answers_counters_special_and_magic_strikes():
    """rules 7.4: any melee strike"""
    p, a, b = struck("Foot Knight", "Orc", 1, 6)
    assert (p.wounds(a), p.wounds(b)) == (3, 2)
    for card, tokens in (("Borg", 1), ("Axe Master", 1)):
        p = Position()
        a, b = p.put(FIRST, card, 12, tokens=tokens), p.put(SECOND, "Foot Knight", 17)
        p.act(a, Act.ABILITY_1, 17, 4)
        assert p.wounds(b) > 0
        assert p.wounds(a) == (2 if card == "Borg" else 1)


def test_foot_knight_does_not_reach_a_striker_that_is_not_adjacent():
    """rules 7.4, 8.14: a Hall Guard's strike from two cells away is a melee strike"""
    p = Position()
    a = p.put(FIRST, "Hall Guard", 7)
    p.put(FIRST, "Zvar", 0)
    p.put(FIRST, "Forge Keeper", 8)
    b = p.put(SECOND, "Foot Knight", 17)
    p.strike(a, 17, 1, 1)
    assert (p.wounds(b), p.wounds(a)) == (2, 0)


@pytest.mark.parametrize(("moves", "wounds"), [((), 3), ((LEFT, RIGHT), 5)])
def test_brontobey_strikes_harder_for_cells_entered_and_ahead(moves, wounds):
    """rules 7.20; +1 against the creature ahead"""
    p = Position()
    a, b = p.put(FIRST, "Brontobey", 12), p.put(SECOND, "Orc", 17)
    p.move(a, *moves)
    p.strike(a, 17, 1, 1)
    decline(p)
    assert p.wounds(b) == wounds


def test_brontobey_against_one_that_is_not_ahead():
    """rules 1.2: for Second ahead is the other way"""
    for cell, turn, wounds in ((18, 3, 2), (17, 3, 3)):
        p = Position(turn=turn)
        a, b = p.put(FIRST, "Brontobey", 12), p.put(SECOND, "Orc", cell)
        p.strike(a, cell, 1, 1)
        decline(p)
        assert p.wounds(b) == wounds
    p = Position(turn=2)
    p.put(FIRST, "Orc", 12)
    a = p.put(SECOND, "Brontobey", 17)
    p.strike(a, 12, 1, 1)
    decline(p)
    assert p.wounds(0) == 3


def test_brontobey_is_directed_and_has_experience():
    """rules 7.1, 7.12: twice"""
    p = Position()
    a = p.put(FIRST, "Brontobey", 12)
    p.put(SECOND, "Orc", 17)
    p.put(SECOND, "Orc", 16)
    p.strike(a, 17, 1, 1, 2, 3)
    for _ in range(2):
        assert p.asked == (FIRST, Decision.REROLL)
        p.yes()
    assert p.asked[1] == Decision.MAIN


@pytest.mark.parametrize(("attacker", "wounds"), [("Gully Gnome", 0), ("Brontobey", 1), ("Orc", 3)])
def test_skelos_takes_less_from_directed_strikes(attacker, wounds):
    """rules 7.7: Orc is directed against mountain creatures alone"""
    p, _, b = struck(attacker, "Skelos", 1, 1)
    assert p.wounds(b) == wounds


def test_skelos_takes_less_from_directed_counters():
    """rules 4.6: a counter is directed by keyword, or if its condition is met"""
    p, a, _ = struck("Skelos", "Aracent", 1, 6)
    assert p.wounds(a) == 2
    p, a, _ = struck("Skelos", "Brontobey", 1, 6)
    assert p.wounds(a) == 2 + 1 - 2


@pytest.mark.parametrize(("cells", "wounds"), [([17], 3), ([22], 4)])
def test_skelos_strikes_harder_when_the_first_row_is_open(cells, wounds):
    """rules 8.7: the opponent's own first row without a card of that opponent"""
    p = Position()
    a = p.put(FIRST, "Skelos", cells[0] - 5)
    b = p.put(SECOND, "Orc", cells[0])
    p.strike(a, cells[0], 1, 1)
    decline(p)
    assert p.wounds(b) == wounds


def test_skelos_is_protected_from_magic_and_has_experience():
    """rules 7.14, 7.12: spells, magic strikes, discharges; two rerolls"""
    p, _, b = shot("Skelos", shooter="Toa-Dan Guard")
    assert p.wounds(b) == 0
    p = Position()
    axe, b = p.put(FIRST, "Axe Master", 12, tokens=3), p.put(SECOND, "Skelos", 17)
    p.act(axe, Act.ABILITY_1)
    p.number(3)
    p.dice(6)
    p.choose(17)
    assert (p.wounds(b), p.s.tokens[axe]) == (0, 0)
    p = Position()
    child, b = p.put(FIRST, "Blizzard Child", 0), p.put(SECOND, "Skelos", 29)
    p.act(child, Act.ABILITY_1, 29)
    assert p.wounds(b) == 0
    p = Position()
    a = p.put(FIRST, "Skelos", 12)
    p.put(SECOND, "Orc", 17)
    p.strike(a, 17, 1, 1, 2, 3)
    for _ in range(2):
        p.yes()
    assert p.asked[1] == Decision.MAIN


def test_skelos_is_a_formation_partner():
    """rules 7.9"""
    p, _, b = struck("Sanctorum", "Nomad", 1, 1, near=[("Skelos", 13)])
    assert p.wounds(b) == 2


@pytest.mark.parametrize(("defended", "wounds"), [(True, 2), (False, 4)])
def test_orc_bully_strikes_weaker_at_named_defenders(defended, wounds):
    """rules 7.8"""
    p = Position()
    a = p.put(FIRST, "Orc Bully", 12)
    target, other = p.put(SECOND, "Mountain Keeper", 17), p.put(SECOND, "Mountain Keeper", 16)
    p.strike(a, 17, 1, 1)
    p.choose(16) if defended else p.done()
    assert p.wounds(other if defended else target) == wounds


def test_minotaur_strikes_twice():
    """rules 7.21: it may move between, and others act; the second closes it"""
    p = Position()
    a = p.put(FIRST, "Minotaur", 12)
    other = p.put(FIRST, "Kshar", 0)
    b = p.put(SECOND, "Mountain Keeper", 17)
    p.strike(a, 17, 1, 1)
    assert not p.closed(a)
    p.act(other, Act.ABILITY_3)
    p.move(a, LEFT)
    p.strike(a, 17, 1, 1)
    assert (p.wounds(b), p.closed(a)) == (6, True)


def test_minotaur_has_two_strikes_each_own_turn_and_stays_open_with_one():
    """rules 7.21: a counter is none of them"""
    p = Position()
    a = p.put(FIRST, "Minotaur", 12)
    b = p.put(SECOND, "Orc", 17)
    p.strike(a, 17, 6, 5)
    p.end_turn()
    assert not p.closed(a)
    p.strike(b, 12, 1, 6)
    p.end_turn()
    assert p.s.strikes[a] == 0
    p.strike(a, 17, 6, 5)
    assert not p.closed(a)


@pytest.mark.parametrize(("die", "wounds"), [(1, 3), (4, 4), (6, 6)])
def test_minotaur_in_formation_strikes_harder_when_strong(die, wounds):
    """rules 7.9"""
    p, _, b = struck("Minotaur", "Mountain Keeper", die, 1, near=[("Mercenary", 13)])
    assert p.wounds(b) == wounds


def test_minotaur_has_armour():
    """rules 7.10"""
    p, _, b = struck("Orc", "Minotaur", 1, 1)
    assert p.wounds(b) == 1
