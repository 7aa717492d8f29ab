"""The elites of the mountains in Berserk, a test for each clause. Cells as First sees them."""

import pytest
from berserk_position import FIRST, SECOND, Position, decline, shot, struck

from bloodrage_env.games.berserk.engine import Act, Decision
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


# ---- Borg, Hammerer, Mountain Giant, Bonecrusher


def test_borg_stuns_a_closed_card():
    """rules 7.17: it misses one opening; for a token, which it gains by 3.6"""
    p = Position()
    a, b = p.put(FIRST, "Borg", 12, tokens=1), p.put(SECOND, "Orc", 17, closed=1)
    p.act(a, Act.ABILITY_1, 17)
    assert (p.wounds(b), p.s.stunned[b], p.s.tokens[a]) == (3, 1, 0)
    p.end_turn()
    assert (p.closed(b), p.s.stunned[b]) == (True, 0)
    p = Position()
    a, b = p.put(FIRST, "Borg", 12), p.put(SECOND, "Orc", 17, closed=1)
    assert not p.can(a, Act.ABILITY_1)
    p.act(a, Act.ABILITY_2)
    assert p.s.tokens[a] == 1


def test_borg_stuns_no_open_card_and_no_dead_one():
    """rules 7.17"""
    p = Position()
    a, b = p.put(FIRST, "Borg", 12, tokens=1), p.put(SECOND, "Orc", 17)
    p.act(a, Act.ABILITY_1, 17)
    assert p.s.stunned[b] == 0
    p = Position()
    a, b = p.put(FIRST, "Borg", 12, tokens=1), p.put(SECOND, "Orc", 17, closed=1, wounds=8)
    p.put(SECOND, "Orc", 29)
    p.act(a, Act.ABILITY_1, 17)
    assert (p.is_dead(b), p.s.stunned[b]) == (True, 0)


def test_hammerer_gains_directed_for_the_battle():
    """rules 7.29: not when it has it already"""
    p = Position()
    a = p.put(FIRST, "Hammerer", 12)
    p.put(SECOND, "Orc", 17)
    p.put(SECOND, "Orc", 16)
    p.act(a, Act.ABILITY_1)
    assert (p.s.directed[a], p.closed(a)) == (1, True)
    p.end_turn()
    p.end_turn()
    assert not p.can(a, Act.ABILITY_1)
    p.strike(a, 17, 1, 1)
    assert p.asked[1] != Decision.DEFENDER


def test_hammerer_need_not_push_and_does_so_in_its_own_turn_only():
    """rules 7.28: asked also where only the wounds are possible"""
    p, _, b = struck("Hammerer", "Orc", 1, 1)
    assert p.asked == (FIRST, Decision.PUSH)
    p.no()
    assert (p.wounds(b), int(p.s.cell[b])) == (2, 17)
    p, a, _ = struck("Orc", "Hammerer", 1, 6)
    assert (p.asked[1], p.wounds(a)) == (Decision.MAIN, 2)


def test_a_push_is_no_step_but_enters_a_cell():
    """rules 3.7, 7.20: closed cards too, none of their units"""
    p, _, b = struck("Hammerer", "Brontobey", 1, closed=1)
    p.yes()
    p.yes()
    assert (int(p.s.cell[b]), p.s.entered[b], p.s.stepped[b], p.s.moves[b]) == (22, 1, 0, 2)


def test_hammerer_does_not_push_the_dead_the_protected_or_the_missed():
    """rules 4.8 b, 7.2, 7.14"""
    for card, dice, wounds in (("Orc", (1, 1), 9), ("Sanctorum", (1, 1), 0), ("Orc", (1, 5), 0)):
        p = Position()
        a = p.put(FIRST, "Hammerer", 12)
        p.put(SECOND, card, 17, wounds=wounds)
        p.put(SECOND, "Nomad", 29)
        p.strike(a, 17, *dice)
        assert p.asked[1] == Decision.MAIN


def test_foot_knight_that_is_pushed_away_cannot_strike_back():
    """rules 8.14: reactions need their reach; Firemane's wound doesn't"""
    for card, wounds in (("Foot Knight", 0), ("Firemane", 1)):
        p, a, _ = struck("Hammerer", card, 1, 1)
        p.yes()
        p.yes()
        assert p.wounds(a) == wounds


@pytest.mark.parametrize(("partner", "asked"), [("Skelos", True), ("Zvar", False)])
def test_mountain_giant_in_formation_defends_with_experience(partner, asked):
    """rules 7.9, 7.12; 8.10: it can be poisoned"""
    p = Position()
    a, b = p.put(FIRST, "Aracent", 12), p.put(SECOND, "Mountain Giant", 17)
    p.put(SECOND, partner, 22)
    p.strike(a, 17, 1, 1)
    p.no()
    assert (p.asked == (SECOND, Decision.REROLL)) == asked
    if asked:
        p.no()
    assert p.s.poison[b] == 1


def test_bonecrusher_in_valhalla_helps_an_own_creature_each_turn():
    """rules 7.24: open or closed; until the end of the turn"""
    p = Position(turn=2)
    p.bury(FIRST, "Bonecrusher")
    a, other = p.put(FIRST, "Orc", 12), p.put(FIRST, "Nomad", 0, closed=1, stunned=1)
    b = p.put(SECOND, "Aracent", 17)
    p.end_turn()
    assert p.asked == (FIRST, Decision.VALHALLA)
    assert p.cells() == {0, 12}
    p.choose(12)
    assert (p.s.bonus[a], p.s.bonus[other]) == (1, 0)
    p.strike(a, 17, 1, 1)
    assert p.wounds(b) == 4
    p.end_turn()
    assert p.s.bonus[a] == 0
    p.end_turn()
    assert p.asked[1] == Decision.VALHALLA


def test_valhalla_needs_an_enemys_card_and_adds_up():
    """rules 6.3, 7.24: in the order of the graveyard"""
    p = Position(turn=2)
    p.bury(FIRST, "Bonecrusher", order=1, by_enemy=0)
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Orc", 29)
    p.end_turn()
    assert p.asked[1] == Decision.MAIN
    p = Position(turn=2)
    second, first = p.bury(FIRST, "Bonecrusher", order=2), p.bury(FIRST, "Bonecrusher", order=1)
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Orc", 29)
    p.end_turn()
    assert int(p.s.actor) == first
    p.choose(12)
    assert int(p.s.actor) == second
    p.choose(12)
    assert p.s.bonus[a] == 2


def test_a_counter_is_stronger_by_valhalla_only_in_that_turn():
    """rules 7.24, 7.29"""
    p = Position(turn=2)
    p.bury(FIRST, "Bonecrusher")
    a = p.put(FIRST, "Orc", 12)
    b = p.put(SECOND, "Aracent", 17)
    p.end_turn()
    p.choose(12)
    p.end_turn()
    p.strike(b, 12, 1, 6)
    p.no()
    assert p.wounds(b) == 3
    assert p.wounds(a) == 0


def test_bonecrusher_has_experience():
    """rules 7.12: attack and defence"""
    p = Position()
    a = p.put(FIRST, "Bonecrusher", 12)
    p.put(SECOND, "Bonecrusher", 17)
    p.strike(a, 17, 1, 1)
    assert p.asked == (FIRST, Decision.REROLL)
    p.no()
    assert p.asked == (SECOND, Decision.REROLL)


# ---- Gobrakh, Lord of Lightning, Zvar


@pytest.mark.parametrize(("start", "at", "wounds"), [(12, 17, 3), (12, 18, 1)])
def test_gobrakh_takes_less_from_diagonal_strikes(start, at, wounds):
    """rules 7.7"""
    p = Position()
    a, b = p.put(FIRST, "Firemane", start), p.put(SECOND, "Gobrakh", at)
    p.strike(a, at, 4, 1)
    assert p.wounds(b) == wounds


def test_gobrakh_takes_less_from_special_and_magic_strikes_and_at_distance_two():
    """rules 7.7: any strike whose source stands diagonally; no shots"""
    for card, start, wounds in (("Borg", 11, 1), ("Borg", 12, 3), ("Hall Guard", 5, 0), ("Hall Guard", 7, 2)):
        p = Position()
        a, b = p.put(FIRST, card, start, tokens=1), p.put(SECOND, "Gobrakh", 17)
        p.put(FIRST, "Forge Keeper", start - 5 if start > 5 else 0)
        p.act(a, Act.ABILITY_1 if card == "Borg" else Act.STRIKE, 17, 1, 1)
        decline(p)
        assert p.wounds(b) == wounds
    p, _, b = shot("Gobrakh", 6, start=10)
    assert p.wounds(b) == 3


@pytest.mark.parametrize(("before", "after"), [(5, 2), (2, 0)])
def test_gobrakh_regenerates(before, after):
    """rules 7.11: at the start of its owner's turn, if it is open"""
    p = Position(turn=2)
    a = p.put(FIRST, "Gobrakh", 12, wounds=before)
    b = p.put(SECOND, "Gobrakh", 29, wounds=before)
    p.end_turn()
    assert (p.wounds(a), p.wounds(b)) == (after, before)


def test_a_stunned_gobrakh_does_not_regenerate():
    """rules 7.11"""
    p = Position(turn=2)
    a = p.put(FIRST, "Gobrakh", 12, wounds=5, closed=1, stunned=1)
    p.put(SECOND, "Orc", 29)
    p.end_turn()
    assert p.wounds(a) == 5


@pytest.mark.parametrize(("tokens", "wounds"), [(0, 2), (1, 5), (3, 11)])
def test_lord_of_lightning_discharges_harder_with_tokens(tokens, wounds):
    """rules 8.12: +3 for each, then one goes"""
    p = Position()
    a, b = p.put(FIRST, "Lord of Lightning", 2, tokens=tokens), p.put(SECOND, "Orc Bully", 29)
    p.act(a, Act.ABILITY_1, 29)
    assert (p.wounds(b), p.s.tokens[a], p.s.die) == (wounds, max(0, tokens - 1), 0)


def test_lord_of_lightning_holds_three_tokens():
    """rules 7.19"""
    for tokens, legal in ((2, True), (3, False)):
        p = Position()
        a = p.put(FIRST, "Lord of Lightning", 2, tokens=tokens)
        p.put(SECOND, "Orc", 29)
        assert p.can(a, Act.ABILITY_2) == legal


def test_lord_of_lightning_is_protected_from_magic():
    """rules 7.14"""
    p, _, b = shot("Lord of Lightning", shooter="Toa-Dan Guard")
    assert p.wounds(b) == 0
    p = Position()
    a, b = p.put(FIRST, "Blizzard Child", 0), p.put(SECOND, "Lord of Lightning", 29)
    p.act(a, Act.ABILITY_1, 29)
    assert p.wounds(b) == 0


def test_zvar_has_experience_and_armour():
    """rules 7.10, 7.12"""
    p = Position()
    a, b = p.put(FIRST, "Zvar", 12), p.put(SECOND, "Zvar", 17)
    p.strike(a, 17, 1, 1)
    assert p.asked == (FIRST, Decision.REROLL)
    p.no()
    assert p.wounds(b) == 3 - 2
