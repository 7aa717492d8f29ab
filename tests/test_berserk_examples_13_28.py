"""The worked examples E.13 to E.28 of the rules of Berserk, a test each. Cells as First sees them."""

import pytest
from berserk_position import FIRST, SECOND, Position, content, new_game

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import DONE, Act, Decision, Phase
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


def duel(mine: str, theirs: str, *dice: int, other: dict[str, int] | None = None, **changes):
    """One card of First on 12 strikes one of Second on 17; a card of each stands aside."""
    p = Position(**changes)
    a, b = p.put(FIRST, mine, 12), p.put(SECOND, theirs, 17, **(other or {}))
    p.put(FIRST, "Nomad", 0)
    p.put(SECOND, "Nomad", 29)
    p.strike(a, 17, *dice)
    return p, a, b


def placing(seat_is_first: bool, count: int):
    """The game at the placement of a squad of so many cards; the other, if First, has placed its own."""
    states = new_game(3)
    s = states[0]
    engine.apply(states, 0, engine.YES if (s.seat == 0) == seat_is_first else engine.NO)
    while s.phase == Phase.DEAL:
        engine.apply(states, 0, engine.YES)
    for seat in (0, 1):
        s.squad[seat] = 0
        s.deal[seat] = 3
        s.squad[seat, : count if seat == 0 else 1] = 1
    s.phase = Phase.PURCHASE
    while s.phase == Phase.PURCHASE:
        s.mask[DONE] = 1
        engine.apply(states, 0, DONE)
    while s.seat != 0:
        engine.apply(states, 0, int(s.mask.argmax()))
    return states


def test_e13_ranged():
    p = Position()
    initiate = p.put(FIRST, "Initiate of Dzar", 2)
    p.put(SECOND, "Nomad", 17)
    p.put(SECOND, "Nomad", 3)
    assert not p.can(initiate, Act.ABILITY_1)
    p.move(initiate, FORWARD)
    p.act(initiate, Act.ABILITY_1)
    assert p.cells() == {17}
    p = Position()
    initiate = p.put(FIRST, "Initiate of Dzar", 0)
    p.put(FIRST, "Paladin of Allamor", 11)
    p.put(SECOND, "Nomad", 26)
    assert not p.can(initiate, Act.ABILITY_1)
    p.move(initiate, RIGHT)
    assert not p.can(initiate, Act.ABILITY_1)
    p.move(initiate, FORWARD)  # entered 2: range 3 + 1, distance 4
    assert p.can(initiate, Act.ABILITY_1)


def test_e14_rerolls():
    p, snake, shield = duel("Snakehead", "Shieldbearer", 2, 3, 6, 2, 5)
    assert p.asked == (FIRST, Decision.REROLL)
    p.yes()
    assert (p.asked, int(p.s.white[0])) == ((SECOND, Decision.REROLL), 6)
    p.yes()
    assert int(p.s.black[0]) == 2
    p.yes()
    assert (p.wounds(snake), p.wounds(shield), p.closed(snake)) == (0, 0, True)


def test_e15_foot_knight():
    p = Position(turn=2)
    knight = p.put(FIRST, "Foot Knight", 12, wounds=9)
    orc = p.put(SECOND, "Orc", 17, wounds=8)
    p.strike(orc, 12, 4, 1)
    assert (p.is_dead(knight), p.is_dead(orc), p.over, p.scores()) == (True, True, True, [0, 0])
    p, a, b = duel("Foot Knight", "Foot Knight", 1, 1)
    assert (p.wounds(b), p.wounds(a)) == (2 + 2, 2)


def test_e16_a_card_that_closes_in_the_guards_column():
    p = Position()
    nomad = p.put(FIRST, "Nomad", 12, wounds=7)
    p.put(FIRST, "Nomad", 0)
    p.put(SECOND, "Toa-Dan Guard", 27)
    struck = p.put(SECOND, "Orc", 17)
    p.strike(nomad, 17, 1, 1)
    assert (p.wounds(struck), p.is_dead(nomad)) == (1, True)


@pytest.mark.parametrize(
    ("start", "at", "to"), [(12, 17, 22), (12, 18, 24), (17, 21, 25), (12, 13, 14), (13, 14, None)]
)
def test_e17_push(start, at, to):
    for go in (True, False):
        p = Position()
        hammerer = p.put(FIRST, "Hammerer", start)
        struck = p.put(SECOND, "Mountain Giant", at, closed=1)
        p.strike(hammerer, at, 1)
        p.yes()
        if to is None:
            assert p.wounds(struck) == 4
            continue
        assert p.asked == (SECOND, Decision.GO_OR_WOUND)
        p.yes() if go else p.no()
        assert (int(p.s.cell[struck]), p.wounds(struck)) == ((to, 2) if go else (at, 4))
    if to is not None:
        p = Position()
        hammerer = p.put(FIRST, "Hammerer", start)
        struck = p.put(SECOND, "Mountain Giant", at, closed=1)
        p.put(SECOND, "Nomad", to, closed=1)
        p.strike(hammerer, at, 1)
        p.yes()
        assert p.wounds(struck) == 4


def test_e18_must_strike():
    p = Position()
    basaarg = p.put(FIRST, "Basaarg Gnome", 12)
    other = p.put(FIRST, "Nomad", 0)
    p.put(SECOND, "Nomad", 17, closed=1)
    p.put(SECOND, "Nomad", 16)
    assert not p.legal(DONE)
    assert not any(p.legal(p.move_id(basaarg, direction)) for direction in Direction)
    p.move(other, FORWARD)
    assert not p.legal(DONE)
    p.act(basaarg, Act.STRIKE)
    assert p.cells() == {17}
    p.choose(17)
    p.no()
    assert p.wounds(15) > 0
    assert p.legal(DONE)


def test_e19_reach():
    for card, back in (("Nomad", 0), ("Hall Guard", 1)):
        p = Position()
        guard = p.put(FIRST, "Hall Guard", 7)
        p.put(FIRST, "Zvar", 0)
        p.put(FIRST, "Forge Keeper", 8)
        struck = p.put(SECOND, card, 17)
        p.put(SECOND, "Axe Master", 18, closed=1)
        p.strike(guard, 17, 3, 6)
        assert (p.wounds(struck), p.wounds(guard)) == (0, back)


def test_e20_a_face_down_target():
    for card, wounds in (("Hammerer", 3), ("Blizzard Child", 0)):
        p = Position(turn=1)
        shooter = p.put(FIRST, "Orc Shooter", 7)
        hidden = p.put(SECOND, card, 27, face_down=1)
        p.act(shooter, Act.ABILITY_1, 27, 6)
        assert (p.wounds(hidden), p.s.face_down[hidden], p.closed(shooter)) == (wounds, 0, True)


def test_e21_closings():
    for closes in (True, False):
        p, minotaur, _ = duel("Minotaur", "Gully Gnome", 1, 6)
        assert p.asked == (FIRST, Decision.CLOSE_OR_WOUND)
        p.yes() if closes else p.no()
        assert p.closed(minotaur) == closes
        assert p.can(minotaur) != closes
        assert p.wounds(minotaur) == (0 if closes else 2)


def test_e21_berserk():
    p = Position()
    berserk = p.put(FIRST, "Berserk", 12)
    struck = p.put(SECOND, "Nomad", 17, wounds=7, closed=1)
    other = p.put(SECOND, "Nomad", 16)
    p.strike(berserk, 17, 1)
    p.no()
    assert p.is_dead(struck)
    assert p.asked == (FIRST, Decision.AGAIN)
    p.done()
    assert not p.closed(berserk)
    assert not p.can(berserk)
    p.end_turn()
    p.strike(other, 12, 1, 1)
    assert p.wounds(berserk) == 1


def test_e22_wounds_without_attack():
    p = Position(turn=2)
    p.put(FIRST, "Firesetter Gnome", 12)
    zvar = p.put(SECOND, "Zvar", 17)
    p.s.stepped[zvar] = 1
    p.end_turn()
    assert p.wounds(zvar) == 1
    p, a, zvar = duel("Gully Gnome", "Zvar", 1, 1)
    p.no()
    assert p.wounds(zvar) == 2
    p, a, zvar = duel("Hammerer", "Zvar", 1, 1)
    p.yes()
    p.no()
    assert p.wounds(zvar) == 2
    for card, wounds in (("Orc", 1), ("Berserk", 0), ("Skelos", 0), ("Lord of Lightning", 0)):
        p, a, _ = duel(card, "Firemane", 1, 1)
        while p.asked[1] == Decision.REROLL:
            p.no()
        assert p.wounds(a) == wounds


def test_e22_poison_passes_armour():
    p = Position(turn=2)
    zvar = p.put(FIRST, "Zvar", 12, poison=2)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert p.wounds(zvar) == 2


def test_e23_shieldbearers():
    p = Position()
    orc = p.put(FIRST, "Orc", 12)
    shield = p.put(SECOND, "Shieldbearer", 17)
    p.put(SECOND, "Sanctorum", 22)
    p.strike(orc, 17, 6, 3)
    for _ in range(1):
        p.no()
    assert p.wounds(shield) == 3
    p = Position()
    shooter = p.put(FIRST, "Orc Shooter", 7)
    p.put(SECOND, "Shieldbearer", 21)
    nomad = p.put(SECOND, "Nomad", 22)
    p.put(SECOND, "Shieldbearer", 23)
    p.act(shooter, Act.ABILITY_1, 22, 6)
    assert p.wounds(nomad) == 1


def test_e24_stun():
    p = Position()
    borg = p.put(FIRST, "Borg", 12, tokens=1)
    orc = p.put(SECOND, "Orc", 17, closed=1)
    p.put(SECOND, "Nomad", 29)
    p.act(borg, Act.ABILITY_1, 17)
    p.end_turn()
    assert (p.closed(orc), p.s.stunned[orc]) == (True, 0)
    p.end_turn()
    p.end_turn()
    assert not p.closed(orc)
    p = Position()
    borg = p.put(FIRST, "Borg", 12, tokens=1)
    orc = p.put(SECOND, "Orc", 17)
    p.act(borg, Act.ABILITY_1, 17)
    assert (p.wounds(orc), p.s.stunned[orc]) == (3, 0)


@pytest.mark.parametrize(
    ("dice", "weaken", "struck", "striker"),
    [((4, 4), None, 2, 0), ((6, 3), False, 4, 1), ((6, 3), True, 2, 0), ((6, 5), None, 0, 1), ((2, 6), None, 0, 2)],
)
def test_e25_difference(dice, weaken, struck, striker):
    p, snake, shield = duel("Snakehead", "Shieldbearer", *dice, combat="difference")
    if weaken is not None:
        assert p.asked == (FIRST, Decision.WEAKEN)
        p.yes() if weaken else p.no()
    assert (p.wounds(shield), p.wounds(snake)) == (struck, striker)


def test_e26_effects_of_the_start():
    p = Position(turn=2)
    axe = p.put(FIRST, "Axe Master", 12)
    keeper = p.put(FIRST, "Forge Keeper", 13, wounds=9, poison=1)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert (p.s.tokens[axe], p.is_dead(keeper)) == (1, True)
    p = Position(turn=2)
    p.put(FIRST, "Firesetter Gnome", 12, wounds=6, poison=1)
    p.put(SECOND, "Nomad", 17, wounds=7)
    p.end_turn()
    assert (p.over, p.scores()) == (True, [0, 0])


def test_e27_reading_the_placement():
    """What Second is shown while First places (see the tests of leaks for the observation)."""
    states = placing(True, 4)
    before = content(engine.hide(states, 0, 1))
    for _ in range(3):
        engine.apply(states, 0, int(states[0].mask.argmax()))
        assert content(engine.hide(states, 0, 1)) == before
    engine.apply(states, 0, int(states[0].mask.argmax()))
    shown = engine.hide(states, 0, 1)
    assert int(shown[0].standing[0]).bit_count() == 4
    exchanged = states.copy()
    exchanged[0].card[[0, 1]] = states[0].card[[1, 0]]
    assert exchanged[0].card[0] != states[0].card[0]
    assert content(engine.hide(exchanged, 0, 1)) == content(shown)


def test_e28_blocks_and_protection():
    p = Position()
    shooter = p.put(FIRST, "Orc Shooter", 7)
    warrior = p.put(SECOND, "Temple Warrior", 22)
    p.act(shooter, Act.ABILITY_1, 22, 5)
    assert (p.wounds(warrior), int(p.s.block), int(p.s.die)) == (0, 5, 0)
    p = Position()
    shooter = p.put(FIRST, "Orc Shooter", 7)
    child = p.put(SECOND, "Blizzard Child", 22)
    p.act(shooter, Act.ABILITY_1, 22, 4)
    assert (p.wounds(child), int(p.s.die), p.closed(shooter)) == (0, 4, True)


def test_e28_defenders_of_a_strike_at_distance_two():
    p = Position()
    guard = p.put(FIRST, "Hall Guard", 7)
    p.put(FIRST, "Forge Keeper", 2)
    p.put(SECOND, "Nomad", 17)
    for cell in (11, 12, 13, 16, 18, 22, 6, 8):
        p.put(SECOND, "Nomad", cell)
    p.act(guard, Act.STRIKE)
    p.choose(17)
    assert p.cells() == {11, 12, 13}


def test_e28_range_of_an_unmoved_initiate():
    for distance, legal in ((2, True), (3, False)):
        p = Position()
        initiate = p.put(FIRST, "Initiate of Dzar", 2)
        p.put(FIRST, "Paladin of Allamor", 7)
        p.put(SECOND, "Nomad", 2 + 5 * distance)
        assert p.can(initiate, Act.ABILITY_1) == legal
