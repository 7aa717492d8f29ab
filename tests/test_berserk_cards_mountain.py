"""The cards of the mountains in Berserk, a test for each clause. Cells as First sees them."""

import pytest
from berserk_position import FIRST, SECOND, Position, decline, shot, struck

from bloodrage_env.games.berserk.engine import DONE, NUMBER, Act, Decision
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


# ---- Firesetter Gnome, Gully Gnome, Gnome Archer, Storm Mage


@pytest.mark.parametrize(("stepped", "wounds"), [(0, 2), (1, 1)])
def test_firesetter_burns_the_enemy_ahead(stepped, wounds):
    """rules 8.11: more if it made no step in its owner's last turn"""
    p = Position(turn=2)
    p.put(FIRST, "Firesetter Gnome", 12)
    b = p.put(SECOND, "Zvar", 17, stepped=stepped)
    beside = p.put(SECOND, "Zvar", 16)
    p.end_turn()
    assert (p.wounds(b), p.wounds(beside)) == (wounds, 0)


def test_firesetter_sees_the_step_that_was_made():
    """rules 8.11: a push is not a step (3.7); before that owner's first turn it did not move"""
    for moves, wounds in (((), 2), ((LEFT, RIGHT), 1)):
        p = Position(turn=2)
        p.put(FIRST, "Firesetter Gnome", 12)
        b = p.put(SECOND, "Nomad", 17, entered=1)
        p.move(b, *moves)
        p.end_turn()
        assert p.wounds(b) == wounds


def test_firesetter_burns_no_own_card_and_none_in_the_others_turn():
    """rules 3.2"""
    p = Position(turn=2)
    p.put(FIRST, "Firesetter Gnome", 12)
    own = p.put(FIRST, "Zvar", 17)
    p.put(SECOND, "Zvar", 29)
    p.end_turn()
    assert p.wounds(own) == 0
    p = Position(turn=3)
    p.put(FIRST, "Firesetter Gnome", 12)
    b = p.put(SECOND, "Zvar", 17)
    p.end_turn()
    assert p.wounds(b) == 0


def test_closed_firesetters_burn_too():
    """rules 1.4: it opens before, unless it is stunned"""
    p = Position(turn=2)
    p.put(FIRST, "Firesetter Gnome", 12, closed=1, stunned=1)
    b = p.put(SECOND, "Zvar", 17)
    p.end_turn()
    assert p.wounds(b) == 2


@pytest.mark.parametrize("closes", [True, False])
def test_gully_gnome_closes_or_wounds(closes):
    """rules 7.18: the struck card's owner chooses"""
    p, _, b = struck("Gully Gnome", "Zvar", 1, 1)
    assert p.asked == (SECOND, Decision.CLOSE_OR_WOUND)
    p.yes() if closes else p.no()
    assert (p.closed(b), p.wounds(b)) == (closes, 0 if closes else 2)


def test_gully_gnome_does_so_by_a_counter_and_not_to_the_closed_dead_or_missed():
    """rules 7.2, 7.18"""
    p, a, _ = struck("Zvar", "Gully Gnome", 1, 6)
    assert p.asked == (FIRST, Decision.CLOSE_OR_WOUND)
    p.no()
    assert (p.wounds(a), p.closed(a)) == (2, True)
    for dice, fields in (((1,), {"closed": 1}), ((1, 1), {"wounds": 13}), ((1, 5), {})):
        p, _, _ = struck("Gully Gnome", "Mountain Keeper" if fields.get("wounds") else "Orc", *dice, **{
            name: 12 if name == "wounds" else value for name, value in fields.items()
        })  # fmt: skip
        assert p.asked[1] != Decision.CLOSE_OR_WOUND


def test_gully_gnome_does_nothing_to_a_card_that_is_protected():
    """rules 7.14: no accompanying effects"""
    p, _, b = struck("Gully Gnome", "Sanctorum", 1, 1)
    assert p.asked[1] == Decision.MAIN
    assert p.wounds(b) == 0


@pytest.mark.parametrize(("closed", "wounds"), [(1, 2), (0, 1)])
def test_gully_gnome_strikes_harder_at_closed_creatures(closed, wounds):
    """rules 7.8; it is directed"""
    p = Position()
    a, b = p.put(FIRST, "Gully Gnome", 12), p.put(SECOND, "Orc", 17, closed=closed)
    p.put(SECOND, "Orc", 16)
    p.strike(a, 17, 1, 1)
    assert p.asked[1] != Decision.DEFENDER
    assert p.wounds(b) == wounds


@pytest.mark.parametrize(("at", "die", "wounds"), [(22, 1, 1), (22, 4, 2), (23, 1, 0), (23, 6, 1), (27, 1, 1)])
def test_gnome_archer_shoots_harder_in_its_column(at, die, wounds):
    """rules 7.8, 7.15: range 4"""
    p, a, b = shot("Nomad", die, shooter="Gnome Archer", start=7, at=at)
    assert (p.wounds(b), p.closed(a)) == (wounds, True)


def test_gnome_archer_has_range_4():
    """rules 7.15"""
    p = Position()
    a = p.put(FIRST, "Gnome Archer", 2)
    p.put(SECOND, "Nomad", 27)
    assert not p.can(a, Act.ABILITY_1)


def test_storm_mage_discharges_at_two_cards():
    """rules 5.5: for one token, a die each, at different cards; gains tokens (3.6)"""
    p = Position()
    a = p.put(FIRST, "Storm Mage", 2)
    one, two = p.put(SECOND, "Zvar", 17), p.put(SECOND, "Zvar", 29)
    assert not p.can(a, Act.ABILITY_1)
    p.act(a, Act.ABILITY_2)
    assert (p.s.tokens[a], p.closed(a)) == (1, True)
    p = Position()
    a = p.put(FIRST, "Storm Mage", 2, tokens=2)
    one, two = p.put(SECOND, "Zvar", 17), p.put(SECOND, "Zvar", 29)
    p.act(a, Act.ABILITY_1, 17, 1, 4)
    assert p.cells() == {29}
    assert p.legal(DONE)
    p.choose(29)
    assert (p.wounds(one), p.wounds(two), p.s.tokens[a], p.closed(a)) == (1, 2, 1, True)


# ---- Mrazen, Iron Golem, Hall Guard, Axe Master, Forge Keeper


@pytest.mark.parametrize(
    ("target", "near", "wounds"),
    [
        ("Nomad", [], 1),
        ("Bonecrusher", [], 2),  # both
        ("Aracent", [], 2),  # attack experience
        ("Iron Golem", [], 2),  # defence experience
        ("Paladin of Allamor", [], 1 + 1 - 1),  # armour, which absorbs 1
        ("Mountain Giant", [], 1),
        ("Mountain Giant", [("Skelos", 23)], 2),  # defence experience in formation
    ],
)
def test_mrazen_throws_harder_at_the_trained(target, near, wounds):
    """rules 7.12: from any source, at that moment"""
    p, _, b = shot(target, 1, shooter="Mrazen", theirs_near=near)
    assert p.wounds(b) == wounds


def test_mrazen_throws_at_range_3():
    """rules 7.15"""
    for at, legal in ((22, True), (27, False)):
        p = Position()
        a = p.put(FIRST, "Mrazen", 7)
        p.put(SECOND, "Nomad", at)
        assert p.can(a, Act.ABILITY_1) == legal


def test_iron_golem_counters_strongly():
    """rules 8.5, 8.6: in the opponent's turn, also at Sanctorum; its own strikes are ordinary"""
    p, a, _ = struck("Orc", "Iron Golem", 1, 6)
    assert p.wounds(a) == 3
    p, a, _ = struck("Sanctorum", "Iron Golem", 1, 6)
    assert p.wounds(a) == 3
    p, _, b = struck("Iron Golem", "Orc", 1, 1)
    assert p.wounds(b) == 1


def test_iron_golem_defends_with_experience_and_gets_no_poison():
    """rules 7.12, 7.14"""
    p = Position()
    a, b = p.put(FIRST, "Aracent", 12), p.put(SECOND, "Iron Golem", 17)
    p.strike(a, 17, 1, 1)
    p.no()
    assert p.asked == (SECOND, Decision.REROLL)
    p.no()
    assert (p.wounds(b), p.s.poison[b]) == (2, 0)


@pytest.mark.parametrize(
    ("near", "targets", "directed"),
    [
        ([], {17}, False),
        ([("Zvar", 11)], {17}, False),
        ([("Forge Keeper", 11)], {17, 22, 23}, False),
        ([("Forge Keeper", 11), ("Axe Master", 13)], {17, 22, 23}, True),
        ([("Forge Keeper", 11), ("Axe Master", 10)], {17, 22, 23}, False),  # no chains
        ([("Forge Keeper", 11), ("Axe Master", 18)], {17, 22, 23}, False),  # a diagonal is not beside
    ],
)
def test_hall_guard_in_formation_reaches_two_cells_and_may_be_directed(near, targets, directed):
    """rules 4.1, 7.9: any direction; directed with two partners beside it"""
    p = Position()
    a = p.put(FIRST, "Hall Guard", 12)
    for card, cell in near:
        p.put(FIRST, card, cell)
    for cell in (17, 22, 23, 16):
        p.put(SECOND, "Nomad", cell)
    p.act(a, Act.STRIKE)
    assert p.cells() == targets | {16}
    p.choose(17)
    assert (p.asked[1] == Decision.DEFENDER) != directed


def test_hall_guard_counters_at_distance_two():
    """rules 4.6: within its own reach"""
    p = Position(turn=2)
    guard = p.put(FIRST, "Hall Guard", 12)
    p.put(FIRST, "Forge Keeper", 11)
    striker = p.put(SECOND, "Hall Guard", 22)
    p.put(SECOND, "Forge Keeper", 21)
    p.strike(striker, 12, 1, 6)
    decline(p)
    assert (p.wounds(guard), p.wounds(striker)) == (0, 2 - 1)


def test_hall_guard_has_armour():
    """rules 7.10"""
    p, _, b = struck("Orc", "Hall Guard", 1, 1)
    assert p.wounds(b) == 4 - 1  # Orc +1 against mountain


@pytest.mark.parametrize(("paid", "die", "wounds"), [(1, 1, 1), (3, 1, 3), (3, 4, 4), (3, 6, 5)])
def test_axe_master_pays_any_number_of_tokens(paid, die, wounds):
    """rules 7.19: at least 1; +1 for each; magic, past armour"""
    p = Position()
    a, b = p.put(FIRST, "Axe Master", 12, tokens=4), p.put(SECOND, "Zvar", 17)
    p.act(a, Act.ABILITY_1)
    assert p.asked == (FIRST, Decision.TOKENS)
    assert [p.legal(NUMBER + n) for n in range(5)] == [True] * 4 + [False]
    p.number(paid)
    p.dice(die)
    p.choose(17)
    assert (p.wounds(b), p.s.tokens[a], p.closed(a)) == (wounds, 4 - paid, True)


def test_axe_master_strikes_adjacent_cards_and_needs_a_token():
    """rules 5.2, 7.19"""
    for tokens, at, legal in ((0, 17, False), (1, 17, True), (1, 22, False)):
        p = Position()
        a = p.put(FIRST, "Axe Master", 12, tokens=tokens)
        p.put(SECOND, "Zvar", at)
        assert p.can(a, Act.ABILITY_1) == legal
        assert p.can(a, Act.ABILITY_2)


@pytest.mark.parametrize(("partner", "tokens"), [("Skelos", 1), ("Zvar", 0)])
def test_axe_master_in_formation_gains_a_token_each_turn(partner, tokens):
    """rules 3.2: as its owner's turn starts"""
    p = Position(turn=2)
    a = p.put(FIRST, "Axe Master", 12)
    p.put(FIRST, partner, 13)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert p.s.tokens[a] == tokens
    p.end_turn()
    assert p.s.tokens[a] == tokens


def test_tokens_are_ten_at_most():
    """rules 7.19: other gains are lost, and the tap can't be chosen"""
    p = Position(turn=2)
    a = p.put(FIRST, "Axe Master", 12, tokens=10)
    p.put(FIRST, "Skelos", 13)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert p.s.tokens[a] == 10
    assert not p.can(a, Act.ABILITY_2)


@pytest.mark.parametrize(
    ("partner", "wounds", "rerolls"),
    [("Mountain Giant", 1, 0), ("Hall Guard", 3, 2), ("Zvar", 3, 0)],
)
def test_forge_keeper_gains_by_its_partners_rank(partner, wounds, rerolls):
    """rules 7.9: elite: armour 2; common: defence experience 2"""
    p = Position()
    a = p.put(FIRST, "Bonecrusher", 12)
    b = p.put(SECOND, "Forge Keeper", 17)
    p.put(SECOND, partner, 18)
    p.strike(a, 17, 1, 1)
    asked = 0
    while p.asked[1] != Decision.MAIN:
        asked += p.asked == (SECOND, Decision.REROLL)
        if p.asked[1] == Decision.DEFENDER:
            p.done()
        elif p.asked[0] == SECOND:
            p.dice(1)
            p.yes()
        else:
            p.no()
    assert (p.wounds(b), asked) == (wounds, rerolls)


# ---- Blizzard Child, Mountain Keeper, Basaarg Gnome


@pytest.mark.parametrize(("blocked", "wounds"), [((), 3), ((28,), 2), ((28, 24), 1)])
def test_blizzard_child_wounds_by_free_cells(blocked, wounds):
    """rules 5.6: one for each free cell next to it, 3 at most, at any distance; no armour"""
    p = Position()
    a, b = p.put(FIRST, "Blizzard Child", 0), p.put(SECOND, "Zvar", 29)
    for cell in blocked:
        p.put(SECOND, "Nomad", cell)
    p.act(a, Act.ABILITY_1, 29)
    assert (p.wounds(b), p.closed(a), p.s.die) == (wounds, True, 0)


def test_blizzard_child_takes_any_creature_with_a_free_cell():
    """rules 5.6: own ones, itself, adjacent ones; none that would take 0"""
    p = Position()
    a = p.put(FIRST, "Blizzard Child", 0)
    own = p.put(FIRST, "Nomad", 5)
    for cell in (29, 28, 24, 23, 27, 22):
        p.put(SECOND, "Nomad", cell)
    p.act(a, Act.ABILITY_1)
    assert p.cells() == {0, 5, 24, 23, 27, 22}
    p.choose(5)
    assert p.wounds(own) == 3


def test_blizzard_child_is_protected_from_shots():
    """rules 7.14"""
    p, _, b = shot("Blizzard Child", 6)
    assert p.wounds(b) == 0


def test_mountain_keeper_gets_no_poison():
    """rules 7.14"""
    p, _, b = struck("Aracent", "Mountain Keeper", 6, 1)
    assert p.s.poison[b] == 0


@pytest.mark.parametrize(
    ("closed", "partner", "wounds"), [(0, "Nomad", 2), (1, "Nomad", 3), (0, "Skelos", 3), (1, "Skelos", 4)]
)
def test_basaarg_gnome_strikes_harder(closed, partner, wounds):
    """rules 7.6: +1 in formation, +1 against closed creatures"""
    p, _, b = struck("Basaarg Gnome", "Mountain Keeper", 1, 1, near=[(partner, 13)], closed=closed)
    assert p.wounds(b) == wounds


@pytest.mark.parametrize("closed", [0, 1])
def test_basaarg_gnome_is_directed_against_closed_creatures(closed):
    """rules 4.2; it has attack experience"""
    p = Position()
    a = p.put(FIRST, "Basaarg Gnome", 12)
    p.put(SECOND, "Orc", 17, closed=closed)
    p.put(SECOND, "Orc", 16)
    p.strike(a, 17, 1, 1)
    assert (p.asked[1] == Decision.DEFENDER) != bool(closed)
    if not closed:
        p.done()
    assert p.asked == (FIRST, Decision.REROLL)


def test_basaarg_gnome_must_strike_only_while_it_is_open_and_in_reach():
    """rules 7.23"""
    for at, closed, own_closed, free in ((22, 1, 0, True), (17, 0, 0, True), (17, 1, 1, True), (17, 1, 0, False)):
        p = Position()
        p.put(FIRST, "Basaarg Gnome", 12, closed=own_closed)
        p.put(SECOND, "Orc", at, closed=closed)
        assert p.legal(DONE) == free
