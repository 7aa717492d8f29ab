"""The worked examples E.1 to E.12 of the rules of Berserk, a test each. Cells as First sees them."""

import pytest
from berserk_position import CARD, FIRST, SECOND, Position, new_game

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import DONE, Act, Card, Decision, Phase
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


def test_e1_odds():
    """E.1, rules 4.4."""
    closed, both = [0, 0, 0], {"weak": 0, "medium": 0, "strong": 0, "miss": 0, "counter": 0}
    for white in range(1, 7):
        p, _, b = duel("Orc Bully", "Orc Bully", white, other={"closed": 1})
        closed[{4: 0, 5: 1, 7: 2}[p.wounds(b)]] += 1
        for black in range(1, 7):
            p, a, b = duel("Orc Bully", "Orc Bully", white, black)
            assert p.wounds(a) in (0, 4)
            kind = {4: "weak", 5: "medium", 7: "strong", 0: "counter" if p.wounds(a) else "miss"}[p.wounds(b)]
            both[kind] += 1
    assert closed == [3, 2, 1]
    assert both == {"weak": 12, "medium": 8, "strong": 4, "miss": 6, "counter": 6}


@pytest.mark.parametrize(("dice", "struck", "striker"), [((4, 2), 3, 0), ((6, 5), 0, 0), ((6, 6), 0, 1)])
def test_e2_orc_strikes_nomad(dice, struck, striker):
    p, a, b = duel("Orc", "Nomad", *dice)
    assert (p.wounds(b), p.wounds(a)) == (struck, striker)
    assert (p.closed(a), p.closed(b)) == (True, False)


def test_e2_closed_nomad():
    p, a, b = duel("Orc", "Nomad", 6, other={"closed": 1})
    assert (p.wounds(b), p.closed(a)) == (4, True)


def defended(attacker="Orc", closed_defender=0, closed_target=0):
    p = Position()
    a = p.put(FIRST, attacker, 12)
    target = p.put(SECOND, "Nomad", 17, closed=closed_target)
    defender = p.put(SECOND, "Mrazen", 16, closed=closed_defender)
    p.put(SECOND, "Firemane", 22)
    p.strike(a, 17, 5, 6)
    return p, a, target, defender


@pytest.mark.parametrize("closed_target", [0, 1])
def test_e3_defender(closed_target):
    p, a, target, defender = defended(closed_target=closed_target)
    assert p.asked == (SECOND, Decision.DEFENDER)
    assert p.cells() == {16}
    p.choose(16)
    assert (p.wounds(a), p.wounds(defender), p.wounds(target)) == (1, 0, 0)
    assert (p.closed(a), p.closed(defender), p.closed(target)) == (True, True, bool(closed_target))


def test_e3_nobody_to_name():
    for p in (defended(closed_defender=1)[0], defended(attacker="Gully Gnome")[0]):
        assert p.asked[1] != Decision.DEFENDER


def test_e4_named_defenders():
    p = Position()
    bully = p.put(FIRST, "Orc Bully", 12)
    p.put(SECOND, "Nomad", 17)
    defender = p.put(SECOND, "Mountain Giant", 16)
    p.strike(bully, 17, 6, 1)
    p.choose(16)
    assert p.wounds(defender) == 5
    p = Position()
    minotaur = p.put(FIRST, "Minotaur", 12)
    p.put(SECOND, "Nomad", 17)
    defender = p.put(SECOND, "Mountain Giant", 16)
    p.strike(minotaur, 17, 1, 1)
    p.choose(16)
    assert (p.closed(defender), p.closed(minotaur)) == (True, False)


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


def layout(seat_is_first: bool, count: int, order: list[int]) -> tuple[int, ...]:
    """The cells of the cards in turn, in the own view, where each takes the first cell of `order` that it may."""
    states = placing(seat_is_first, count)
    cells = []
    while states[0].phase == Phase.PLACEMENT and states[0].seat == 0:
        cells.append(next(cell for cell in order if states[0].mask[engine.CELL + cell] == 1))
        engine.apply(states, 0, engine.CELL + cells[-1])
    return tuple(cells)


CENTRE = {1, 2, 3, 6, 7, 8, 11, 12, 13}
WINGS = (0, 4, 5, 9)


def test_e5_placement_of_first():
    assert set(layout(True, 9, list(range(15)))) == CENTRE
    for cell in WINGS:
        for number in range(10):
            cells = placed_outside(True, 10, cell, number, CENTRE)
            assert set(cells) == CENTRE | {cell}
            assert cells[number] == cell
    for order in (range(15), range(14, -1, -1)):
        fourteen = set(layout(True, 14, list(order)))
        assert fourteen > CENTRE | set(WINGS)
        assert len(fourteen & {10, 14}) == 1


def test_e5_placement_of_second():
    """Cells 15-19, 21-23 and 26-28 as First sees them are 10-14, 6-8 and 1-3 in the own view."""
    inner = {10, 11, 12, 13, 14, 6, 7, 8, 1, 2, 3}
    for cell in WINGS:
        for number in range(12):
            cells = placed_outside(False, 12, cell, number, inner)
            assert set(cells) == inner | {cell}
            assert cells[number] == cell


def placed_outside(seat_is_first: bool, count: int, outside: int, number: int, inner: set[int]) -> tuple[int, ...]:
    """The cells of a squad of which the card `number` goes to `outside`, the others to the inner zone."""
    states = placing(seat_is_first, count)
    cells: list[int] = []
    while states[0].phase == Phase.PLACEMENT and states[0].seat == 0:
        mask = states[0].mask[engine.CELL : engine.CELL + 15]
        legal = [cell for cell in mask.nonzero()[0].tolist() if (cell == outside) == (len(cells) == number)]
        assert set(mask.nonzero()[0].tolist()) <= inner | set(WINGS)
        cells.append(next(cell for cell in legal if cell == outside or cell in inner))
        engine.apply(states, 0, engine.CELL + cells[-1])
    return tuple(cells)


def buys(first: bool, **wanted: int):
    """Buy cards with a deal that has three of each; returns the game where a card was refused, or the end."""
    states = new_game(3)
    s = states[0]
    engine.apply(states, 0, engine.YES if (s.seat == 0) == first else engine.NO)
    while s.phase == Phase.DEAL:
        engine.apply(states, 0, engine.YES)
    s.deal[:] = 3
    if not first:
        engine.refresh(states, 0)
        engine.apply(states, 0, CARD)
        engine.apply(states, 0, DONE)
    engine.refresh(states, 0)
    for card, copies in sorted(wanted.items(), key=lambda each: Card[each[0]]):
        for _ in range(copies):
            if s.mask[CARD + Card[card]] == 0:
                return False
            engine.apply(states, 0, CARD + Card[card])
    return True


def test_e6_money():
    """E.6, rules 2.2, 2.4."""
    big = {"MINOTAUR": 1, "ORC_BULLY": 1, "BRONTOBEY": 1}  # 24 gold
    assert buys(True, **big, ORC=2, NOMAD=1, FIREMANE=1)  # and 17
    assert buys(True, **big, ORC=2, NOMAD=1, FIREMANE=1, ACOLYTE_OF_DZAR=1)  # 22
    assert not buys(True, **big, ORC=2, NOMAD=2, FIREMANE=1, ACOLYTE_OF_DZAR=1)
    twenty = {"ORC_BULLY": 1, "BRONTOBEY": 1, "ORC_SHOOTER": 1}
    assert buys(True, **twenty, ORC=3, NOMAD=1, FIREMANE=2)  # 26
    assert not buys(True, **twenty, ORC=3, NOMAD=2, FIREMANE=2)
    more = {"MINOTAUR": 2, "BRONTOBEY": 1}  # 25
    assert not buys(True, **more)
    assert buys(True, **more, MARAUDER=1, ORC=3, FIREMANE=1)  # and 22
    assert not buys(True, **more, MARAUDER=1, ORC=3, FIREMANE=1, NOMAD=1)
    mixed = {"MINOTAUR": 1, "GOBRAKH": 1, "ORC_BULLY": 1}
    assert not buys(True, **mixed)  # 24 gold, and there are 23
    assert buys(True, MINOTAUR=1, GOBRAKH=1, BRONTOBEY=1)
    assert buys(False, MINOTAUR=2, BRONTOBEY=1, ORC=3, FIREMANE=2)  # 25 and 23
    assert not buys(False, MINOTAUR=2, BRONTOBEY=1, ORC=3, FIREMANE=2, NOMAD=1)


def test_e7_armour():
    p = Position()
    zvar = p.put(SECOND, "Zvar", 17)
    p.put(SECOND, "Nomad", 29)
    borg = p.put(FIRST, "Borg", 12, tokens=1)
    shooter = p.put(FIRST, "Orc Shooter", 7)
    lord = p.put(FIRST, "Lord of Lightning", 2)
    orc = p.put(FIRST, "Sanctorum", 11)
    p.act(borg, Act.ABILITY_1, 17)
    assert p.wounds(zvar) == 1
    p.act(shooter, Act.ABILITY_1, 17, 4)
    assert p.wounds(zvar) == 3
    p.act(lord, Act.ABILITY_1, 17)
    assert p.wounds(zvar) == 5
    p.end_turn()
    assert p.asked == (SECOND, Decision.MAIN)
    p.end_turn()
    p.strike(orc, 17, 4, 1)
    while p.asked[1] == Decision.DEFENDER:
        p.done()
    assert p.wounds(zvar) == 5


def test_e8_armour_comes_and_goes():
    """The partner of Foot Knight is pushed away; then another card is pushed beside it."""
    for comes in (False, True):
        p = Position()
        knight = p.put(SECOND, "Foot Knight", 17)
        p.put(SECOND, "Sanctorum", 18)
        p.put(SECOND, "Nomad", 29)
        if comes:
            p.put(SECOND, "Skelos", 20)
        strikers = [p.put(FIRST, "Nomad", 11), p.put(FIRST, "Aracent", 12)]
        hammerer = p.put(FIRST, "Hammerer", 13, directed=1)
        p.s.moves[hammerer] = 0
        p.strike(strikers[0], 17, 1, 1)
        if p.asked[1] == Decision.DEFENDER:
            p.done()
        assert (p.wounds(knight), int(p.s.absorbed[knight])) == (0, 1)
        p.strike(hammerer, 18, 4, 1)
        if p.asked[1] == Decision.DEFENDER:
            p.done()
        p.yes()
        p.yes()
        assert p.s.at[23] != -1
        if comes:  # as if pushed there
            slot = int(p.s.at[20])
            p.s.at[20], p.s.at[16], p.s.cell[slot] = -1, slot, 16
            p.s.standing[SECOND] ^= 1 << 20 | 1 << 16
        p.strike(strikers[1], 17, 1, 1)
        if p.asked[1] == Decision.DEFENDER:
            p.done()
        while p.asked[1] == Decision.REROLL:
            p.no()
        assert p.wounds(knight) == (1 if comes else 2)
        p.end_turn()
        assert p.s.absorbed[knight] == 0


def test_e9_poison():
    p = Position(turn=2)
    orc = p.put(FIRST, "Orc", 12)
    p.put(FIRST, "Nomad", 0)
    aracent = p.put(SECOND, "Aracent", 17)
    p.put(SECOND, "Nomad", 29)
    p.strike(aracent, 12, 2, 1)
    p.no()
    assert (p.wounds(orc), p.s.poison[orc]) == (2, 1)
    p.end_turn()
    assert p.wounds(orc) == 3
    p.end_turn()
    p.strike(aracent, 12, 4, 1)
    p.no()
    assert (p.wounds(orc), p.s.poison[orc]) == (5, 2)
    p.end_turn()
    assert p.wounds(orc) == 7
    for _ in range(2):
        p.end_turn()
    assert p.wounds(orc) == 9


def test_e9_a_stunned_card_takes_no_poison():
    p = Position(turn=2)
    orc = p.put(FIRST, "Orc", 12, closed=1, poison=2)
    p.put(FIRST, "Nomad", 0)
    borg = p.put(SECOND, "Borg", 17, tokens=1)
    p.act(borg, Act.ABILITY_1, 12)
    p.end_turn()
    assert (p.wounds(orc), p.closed(orc)) == (3, True)


@pytest.mark.parametrize(("card", "wounds"), [("Mountain Keeper", 2), ("Sanctorum", 0)])
def test_e9_no_poison(card, wounds):
    p, _, b = duel("Aracent", card, 1, 1)
    p.no()
    assert (p.wounds(b), p.s.poison[b]) == (wounds, 0)


@pytest.mark.parametrize(("wounds", "first", "after"), [(9, True, 8), (9, False, None), (1, False, 0), (1, True, 2)])
def test_e10_gobrakh(wounds, first, after):
    p = Position(turn=2)
    gobrakh = p.put(FIRST, "Gobrakh", 12, wounds=wounds, poison=2)
    p.put(FIRST, "Nomad", 0)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert p.asked == (FIRST, Decision.HEAL_FIRST)
    p.yes() if first else p.no()
    assert p.is_dead(gobrakh) == (after is None)
    if after is not None:
        assert p.wounds(gobrakh) == after


def test_e11_formation():
    for partner, cell, wounds in (("Mercenary", 13, 2), ("Mercenary", 18, 1), ("Skelos", 13, 2)):
        p = Position()
        sanctorum = p.put(FIRST, "Sanctorum", 12)
        p.put(FIRST, partner, cell)
        struck = p.put(SECOND, "Nomad", 17)
        p.strike(sanctorum, 17, 1, 1)
        assert p.wounds(struck) == wounds
        p = Position(turn=2)
        p.put(FIRST, "Sanctorum", 12)
        p.put(FIRST, partner, cell, closed=1)
        striker = p.put(SECOND, "Nomad", 17)
        p.strike(striker, 12, 1, 6)
        assert p.wounds(striker) == wounds


def test_e11_forge_keeper():
    p = Position(turn=2)
    p.put(FIRST, "Mountain Giant", 11, closed=1)
    keeper = p.put(FIRST, "Forge Keeper", 12)
    p.put(FIRST, "Hall Guard", 13, closed=1)
    orc = p.put(SECOND, "Orc", 17)
    p.strike(orc, 12, 6, 5)
    for _ in range(2):
        assert p.asked == (FIRST, Decision.REROLL)
        p.dice(1)
        p.yes()
    assert p.wounds(keeper) == 5 - 2
    assert p.closed(orc)


def across(*others: tuple[int, str, int], fire: int = 0, target: str = "Nomad", at: int = 22):
    p = Position()
    marauder = p.put(FIRST, "Marauder", 12)
    slot = p.put(SECOND, target, at)
    for seat, card, cell in others:
        p.put(seat, card, cell)
    if fire:
        p.fire(fire, 4)
    return p, marauder, slot


def test_e12_across_a_row():
    p, marauder, _ = across(*((SECOND, "Nomad", cell) for cell in (2, 10, 14)))
    p.act(marauder, Act.ABILITY_1)
    assert p.cells() == {2, 10, 14, 22}
    assert not (lambda q: q[0].can(q[1], 1))(across((SECOND, "Nomad", 17)))
    assert not (lambda q: q[0].can(q[1], 1))(across(fire=17))
    p, marauder, slot = across((FIRST, "Nomad", 17))
    p.act(marauder, Act.ABILITY_1, 22)
    assert p.wounds(slot) == 1
    for target, struck, striker in (("Shieldbearer", 0, 0), ("Firemane", 1, 1), ("Foot Knight", 1, 0)):
        p, marauder, slot = across(target=target)
        p.act(marauder, Act.ABILITY_1, 22)
        assert (p.wounds(slot), p.wounds(marauder)) == (struck, striker)
