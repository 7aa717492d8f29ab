"""Flyers, by the cards of `berserk_own_cards.csv`; `test_berserk_own_cards.py` runs these tests in a process that has
those cards. Cells as First sees them.
"""

import numpy as np
import pytest
from berserk_keywords import DECK_OF_ALL, OWN, before_first_turn
from berserk_position import FIRST, SECOND, Position, new_game
from berserk_team_position import A, B, C, D, TeamPosition

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import Act, Card, Decision, Effect, Phase

FLYERS = [card for card in OWN if engine.EFFECTS[Effect.FLYER, Card[card]]]
FLYING = DECK_OF_ALL[0]


def flies(p, slot):
    return int(p.s.cell[slot]) == engine.AIR


def is_flyer(card):
    return 0 <= card < len(Card) and engine.EFFECTS[Effect.FLYER, card] == 1


def legal_moves(p):
    return [each for each in range(engine.MOVE, engine.ACT) if p.legal(each)]


def flyers_in(s, seat):
    return [
        slot for slot in range(seat * engine.SQUAD, seat * engine.SQUAD + engine.SQUAD) if s.cell[slot] == engine.AIR
    ]


# ---- the zone


def test_a_flyer_is_next_to_nothing_and_does_not_move():
    """rules 12.9: no formation, no step, no cell beside it for a spell, no column."""
    p = Position()
    eagle, pike = p.fly(FIRST, "Eagle"), p.put(FIRST, "Pikeman", 0)
    child = p.put(FIRST, "Blizzard Child", 29)
    hawk = p.fly(SECOND, "Hawk")
    p.put(SECOND, "Orc", 12)
    assert [engine.partners(p.s, slot, engine.ANY_RANK) for slot in (eagle, pike)] == [0, 0]
    assert {(each - engine.MOVE) // 4 for each in legal_moves(p)} == {pike, child}
    p.act(child, Act.ABILITY_1)
    assert (p.cells(), p.flyers()) == ({0, 12, 29}, set())
    assert hawk not in p.flyers()


@pytest.mark.parametrize("column", range(5))
def test_a_flyer_closes_in_no_column(column):
    """rules 7.25, 12.9"""
    p = Position()
    hawk = p.fly(FIRST, "Hawk")
    p.put(SECOND, "Toa-Dan Guard", 20 + column)
    p.act(hawk, Act.STRIKE, None, 1, 5)
    if p.asked[1] == Decision.TARGET:
        p.choose(20 + column)
    assert (p.closed(hawk), p.wounds(hawk)) == (True, 0)


def test_who_has_only_flyers_has_cards_left():
    """rules 6.4, 12.9: it loses with the last of them, which goes to the graveyard."""
    p = Position()
    hawk = p.fly(FIRST, "Hawk", wounds=7)
    orc = p.put(SECOND, "Orc", 25)
    p.end_turn()
    assert p.asked == (SECOND, Decision.MAIN)
    p.act(orc, Act.STRIKE, None, 1, 1)
    if p.asked[1] == Decision.TARGET:
        p.choose_flyer(hawk)
    assert (p.is_dead(hawk), int(p.s.fell_at[hawk]), p.over, p.scores()) == (True, engine.AIR, True, [0, 1])


# ---- set-up


def played_to_the_battle(seed, only=(), **options):
    """Positions of a set-up; `only` these cards are bought, if there are any in a deal."""
    states = new_game(seed, decks=(FLYING,) * 2, skip_forced=False, **options)
    s, rng = states[0], np.random.default_rng(seed)
    while s.phase < Phase.BATTLE:
        yield states
        legal = s.mask.nonzero()[0]
        if s.decision == Decision.BUY and only:
            legal = [each for each in legal if each - engine.CARD in only] or legal[:1]
        elif s.decision == Decision.BUY and len(legal) > 1 and legal[0] == engine.DONE:
            legal = legal[1:]
        engine.apply(states, 0, int(rng.choice(legal)))
    yield states


@pytest.mark.parametrize("placing", ["in_turn", "at_once"])
def test_flyers_come_to_the_zone_with_the_end_of_their_owners_placement(placing):
    """rules 12.10: face up, in the slots after the others; seen with the cells of their owner, and no sooner."""
    seen = unseen = 0
    for seed in range(8):
        for states in played_to_the_battle(seed, placing=placing):
            s = states[0]
            if s.phase < Phase.PLACEMENT:
                continue
            for seat in (FIRST, SECOND):
                count = sum(int(s.squad[seat, Card[card]]) for card in FLYERS)
                shown = flyers_in(engine.hide(states, 0, 1 - seat)[0], seat)
                assert len(shown) == (count if engine.squad_is_seen(s, seat) else 0)
                seen, unseen = seen + len(shown), unseen + (len(shown) < len(flyers_in(s, seat)))
                assert not s.face_down[flyers_in(s, seat)].any()
                cards = [
                    slot
                    for slot in range(seat * engine.SQUAD, seat * engine.SQUAD + engine.SQUAD)
                    if s.card[slot] != engine.NONE
                ]
                assert (s.cell[cards] == engine.AIR).tolist() == sorted(s.cell[cards] == engine.AIR)
    assert seen > 10
    assert (unseen > 0) == (placing == "at_once")


def test_zones_of_the_placement_count_the_others():
    """rules 2.5, 12.10: with five flyers and nine others First takes the nine cells in the middle, and no other."""
    for states in played_to_the_battle(0):
        s = states[0]
        if s.decision == Decision.PLACE and not (s.cell != engine.NONE).any():
            s.squad[:] = 0
            s.squad[s.seat, [Card.NOMAD, Card["HAWK"]]] = 9, 5
            engine.refresh(states, 0)
            rows = [(np.flatnonzero(s.mask) - engine.CELL) // 5, (np.flatnonzero(s.mask) - engine.CELL) % 5]
            assert len(rows[0]) == 9
            assert set(rows[1]) == {1, 2, 3}
            return


def test_a_squad_of_flyers_is_not_placed():
    """rules 12.10"""
    asked = set()
    for states in played_to_the_battle(1, only=[Card[card] for card in FLYERS]):
        asked.add(Decision(int(states[0].decision)))
    assert Decision.BUY in asked
    assert Decision.PLACE not in asked
    assert {int(each) for each in states[0].cell} == {engine.NONE, engine.AIR}


def test_in_a_given_squad_a_flyer_takes_no_cell():
    """rules 9.7, 12.10: its slot comes after the others."""
    p = before_first_turn([("HAWK", 12), ("ORC", 2), ("NOMAD", 0)], [("ORC", 12)])
    assert [int(each) for each in p.s.card[:3]] == [Card.NOMAD, Card.ORC, Card["HAWK"]]
    assert [int(each) for each in p.s.cell[:3]] == [0, 2, engine.AIR]
    assert p.s.at[12] == engine.NONE


# ---- strikes and abilities of flyers


@pytest.mark.parametrize(
    ("flyer", "act"),
    [
        ("Hawk", Act.STRIKE),
        ("Eagle", Act.ABILITY_1),
        ("Drake", Act.STRIKE),
        ("Drake", Act.ABILITY_1),
        ("Drake", Act.ABILITY_2),
    ],
)
def test_a_flyer_reaches_every_enemy(flyer, act):
    """rules 12.11: on the board, and in the opponent's zone; no own card."""
    p = Position()
    actor = p.fly(FIRST, flyer)
    p.fly(FIRST, "Hawk")
    p.put(FIRST, "Orc", 11)
    other = p.fly(SECOND, "Hawk")
    for cell in (0, 12, 29):
        p.put(SECOND, "Orc", cell)
    p.act(actor, act)
    assert (p.cells(), p.flyers()) == ({0, 12, 29}, {other})


def test_an_influence_of_a_flyer_reaches_everybody_and_reaches_flyers():
    """rules 12.11, 12.12, 12.20: a range does not matter there"""
    p = Position()
    eagle, wraith = p.fly(FIRST, "Eagle"), p.put(FIRST, "Wraith", 0)
    hawk, orc = p.fly(SECOND, "Hawk"), p.put(SECOND, "Orc", 29)
    p.act(wraith, Act.ABILITY_1, None, 6)
    assert (p.cells(), p.flyers()) == ({0}, {eagle, hawk})
    p.choose_flyer(hawk)
    assert p.wounds(hawk) == 3
    p.act(eagle, Act.ABILITY_2)
    assert (p.cells(), p.flyers()) == ({0, 29}, {eagle, hawk})
    p.choose(29)
    assert p.wounds(orc) == 1


def test_an_attack_on_a_flyer_wounds_it():
    """rules 4.7, 12.11"""
    p = Position()
    hawk, eagle = p.fly(FIRST, "Hawk"), p.fly(SECOND, "Eagle")
    p.put(SECOND, "Orc", 0)
    p.act(hawk, Act.STRIKE, None, 6, 1)
    p.choose_flyer(eagle)
    assert (p.wounds(eagle), p.closed(hawk), p.closed(eagle)) == (3, True, False)


def test_vanguard_reaches_no_flyer():
    """rules 12.2, 12.12: it strikes an adjacent card, and a flyer is next to nothing, also when it is the last card"""
    p = before_first_turn([("OUTRIDER", 12)], [("HAWK", 12)])
    assert p.asked == (FIRST, Decision.MAIN)
    assert p.s.turn == 1


# ---- attacks on flyers


@pytest.mark.parametrize(
    ("card", "act"),
    [("Gnome Archer", Act.ABILITY_1), ("Mrazen", Act.ABILITY_1), ("Initiate of Dzar", Act.ABILITY_1)],
)
def test_ranged_attacks_reach_flyers_at_any_distance(card, act):
    """rules 7.15, 12.12: with a range of 4, 3 and 1; no enemy on the board is in range."""
    p = Position()
    actor = p.put(FIRST, card, 0)
    hawk = p.fly(SECOND, "Hawk")
    p.put(SECOND, "Orc", 29)
    p.act(actor, act, None, 6)
    if p.asked[1] == Decision.TARGET:
        assert (p.cells(), p.flyers()) == (set(), {hawk})
        p.choose_flyer(hawk)
    assert p.closed(actor)
    assert p.wounds(hawk) > 0


def test_flyers_are_healed():
    """rules 12.4, 12.12"""
    p = Position()
    mender, mine = p.put(FIRST, "Mender", 0), p.fly(FIRST, "Hawk", wounds=3)
    theirs = p.fly(SECOND, "Hawk", wounds=1)
    p.fly(SECOND, "Hawk")
    p.put(SECOND, "Orc", 29)
    p.act(mender, Act.ABILITY_1)
    assert (p.cells(), p.flyers()) == (set(), {mine, theirs})
    p.choose_flyer(mine)
    assert p.wounds(mine) == 1


@pytest.mark.parametrize(
    ("card", "act", "reached"),
    [
        ("Orc", Act.STRIKE, {True: set(), False: {15}}),
        ("Waker", Act.ABILITY_1, {True: set(), False: {15}}),
        ("Axe Master", Act.ABILITY_1, {True: set(), False: {15}}),
        ("Snakehead", Act.ABILITY_1, {True: set(), False: set()}),
    ],
)
@pytest.mark.parametrize("grounded", [True, False])
def test_melee_reaches_a_flyer_while_its_owner_has_no_card_on_the_board(card, act, reached, grounded):
    """rules 12.12: simple, special and magic strikes; none across a row."""
    p = Position()
    actor = p.put(FIRST, card, 12, tokens=1)
    hawk = p.fly(SECOND, "Hawk")
    p.fly(FIRST, "Hawk")
    if grounded:
        p.put(SECOND, "Nomad", 29)
    found = set()
    if p.can(actor, act):
        p.act(actor, act)
        if p.asked[1] == Decision.TOKENS:
            p.number(1)
        found = p.flyers() if p.asked[1] == Decision.TARGET else {hawk}
    assert found == reached[grounded]


def test_a_flyer_and_a_card_on_the_board_counter_each_other():
    """rules 4.6, 12.13"""
    p = Position()
    hawk, orc = p.fly(FIRST, "Hawk"), p.put(SECOND, "Orc", 29)
    p.strike(hawk, 29, 1, 6)
    assert (p.wounds(hawk), p.wounds(orc)) == (3, 0)
    p = Position()
    orc, hawk = p.put(FIRST, "Orc", 12), p.fly(SECOND, "Hawk")
    p.act(orc, Act.STRIKE, None, 1, 6)
    if p.asked[1] == Decision.TARGET:
        p.choose_flyer(hawk)
    assert (p.wounds(orc), p.wounds(hawk)) == (1, 0)


@pytest.mark.parametrize(("card", "wounds"), [("Firemane", 1), ("Foot Knight", 0)])
def test_reactions_to_a_flyer(card, wounds):
    """rules 7.4, 8.14, 12.13: a Foot Knight needs an adjacent striker."""
    p = Position()
    hawk, struck = p.fly(FIRST, "Hawk"), p.put(SECOND, card, 17)
    p.strike(hawk, 17, 1, 1)
    assert (p.wounds(hawk), p.wounds(struck)) == (wounds, 1)


# ---- defenders


def test_only_an_open_flyer_defends_where_a_flyer_strikes():
    """rules 4.3, 12.14: not the card beside the target, nor a closed flyer."""
    p = Position()
    hawk, orc = p.fly(FIRST, "Hawk"), p.put(SECOND, "Orc", 17)
    p.put(SECOND, "Nomad", 18)
    eagle = p.fly(SECOND, "Eagle")
    p.fly(SECOND, "Hawk", closed=1)
    p.strike(hawk, 17, 6, 1)
    assert p.asked == (SECOND, Decision.DEFENDER)
    assert (p.cells(), p.flyers()) == (set(), {eagle})
    p.choose_flyer(eagle)
    assert (p.wounds(eagle), p.wounds(orc), p.closed(eagle), p.closed(hawk)) == (3, 0, True, True)


def test_only_another_flyer_defends_where_a_flyer_is_struck():
    """rules 4.3, 12.14"""
    p = Position()
    skelos, hawk = p.put(FIRST, "Skelos", 12), p.fly(SECOND, "Hawk")
    p.put(SECOND, "Nomad", 18)
    eagle = p.fly(SECOND, "Eagle")
    p.act(skelos, Act.STRIKE)
    p.choose_flyer(hawk)
    assert (p.asked, p.cells(), p.flyers()) == ((SECOND, Decision.DEFENDER), set(), {eagle})


def test_a_flyer_does_not_defend_on_the_board():
    """rules 4.3, 12.14"""
    p = Position()
    orc = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Nomad", 17)
    p.fly(SECOND, "Eagle")
    p.strike(orc, 17, 1, 1)
    assert p.asked[1] == Decision.MAIN


def test_the_partners_flyer_may_defend():
    """rules 10.11, 12.14"""
    p = TeamPosition()
    hawk = p.fly(A, "Hawk")
    p.put(B, "Orc", 45)
    eagle = p.fly(D, "Eagle")
    p.fly(C, "Eagle")
    p.act(hawk, Act.STRIKE)
    p.choose(45)
    assert (p.asked, p.flyers()) == ((D, Decision.DEFENDER), {eagle})


# ---- texts of cards


def test_a_flyer_is_not_pushed():
    """rules 7.28, 12.15: it takes the wounds, and nobody is asked."""
    p = Position()
    hammerer, hawk = p.put(FIRST, "Hammerer", 12), p.fly(SECOND, "Hawk")
    p.act(hammerer, Act.STRIKE, None, 1, 1)
    if p.asked[1] == Decision.TARGET:
        p.choose_flyer(hawk)
    assert p.asked == (FIRST, Decision.PUSH)
    p.yes()
    assert (p.wounds(hawk), p.asked) == (2 + 2, (FIRST, Decision.MAIN))


@pytest.mark.parametrize("closed", [0, 1])
def test_a_closed_flyer_in_reach_must_be_struck(closed):
    """rules 7.23, 12.15"""
    p = Position()
    gnome, hawk, other = p.put(FIRST, "Basaarg Gnome", 12), p.fly(SECOND, "Hawk", closed=closed), p.fly(SECOND, "Hawk")
    assert p.legal(engine.DONE) == (closed == 0)
    p.act(gnome, Act.STRIKE)
    assert p.flyers() == ({hawk} if closed else {hawk, other})


def test_valhalla_helps_a_flyer():
    """rules 7.24, 12.15"""
    p = Position(turn=2)
    hawk, orc = p.fly(FIRST, "Hawk"), p.put(FIRST, "Orc", 12)
    p.bury(FIRST, "Bonecrusher")
    p.put(SECOND, "Orc", 29)
    p.end_turn()
    assert (p.asked, p.cells(), p.flyers()) == ((FIRST, Decision.VALHALLA), {12}, {hawk})
    p.choose_flyer(hawk)
    assert [int(p.s.bonus[slot]) for slot in (hawk, orc)] == [1, 0]


@pytest.mark.parametrize(("card", "act"), [("Krondak", Act.ABILITY_2), ("Forrendor Watch", Act.ABILITY_1)])
def test_bonuses_against_flyers(card, act):
    """rules 12.16: of the discharge and of the shot, not against a card on the board."""
    for flying in (True, False):
        p = Position()
        actor = p.put(FIRST, card, 0)
        target = p.fly(SECOND, "Hawk") if flying else p.put(SECOND, "Orc", 29)
        p.act(actor, act)
        if p.asked[1] == Decision.TARGET:
            p.choose_flyer(target) if flying else p.choose(29)
        assert p.wounds(target) == 1 + flying


def test_skelos_strikes_flyers():
    """rules 12.16"""
    p = Position()
    skelos, hawk = p.put(FIRST, "Skelos", 12), p.fly(SECOND, "Hawk")
    p.put(SECOND, "Orc", 29)
    p.act(skelos, Act.STRIKE)
    if p.asked[1] == Decision.TARGET:
        assert (p.cells(), p.flyers()) == (set(), {hawk})


@pytest.mark.parametrize(("partner", "act", "wounds"), [
    ("Minotaur", Act.STRIKE, 0), ("Nomad", Act.STRIKE, 2), ("Minotaur", Act.ABILITY_1, 0), ("Nomad", Act.ABILITY_1, 3),
])  # fmt: skip
def test_attacks_of_flyers_do_nothing_to_skelos_in_formation(partner, act, wounds):
    """rules 7.9, 12.16: strikes and abilities."""
    p = Position()
    drake, skelos = p.fly(FIRST, "Drake"), p.put(SECOND, "Skelos", 17)
    p.put(SECOND, partner, 18)
    p.act(drake, act, 17, 1, 1)
    assert (p.wounds(skelos), p.closed(drake)) == (wounds, True)


def test_the_watch_flies_when_a_flyer_dies():
    """rules 12.17: of either side; one that lies face down does not, and nobody does when another card dies. It has
    movement left, but no cell to go to.
    """
    p = Position(turn=1)
    watch, other = p.put(FIRST, "Forrendor Watch", 0), p.put(FIRST, "Forrendor Watch", 1)
    third = p.put(FIRST, "Forrendor Watch", 2)
    theirs, hidden = p.put(SECOND, "Forrendor Watch", 20), p.put(SECOND, "Forrendor Watch", 29, face_down=1)
    nomad, hawk = p.put(SECOND, "Nomad", 22, wounds=7), p.fly(SECOND, "Hawk", wounds=6)
    p.act(watch, Act.ABILITY_1, 22)
    assert p.is_dead(nomad)
    assert not flies(p, other)
    p.act(other, Act.ABILITY_1)
    p.choose_flyer(hawk)
    assert p.is_dead(hawk)
    assert [flies(p, slot) for slot in (watch, other, third, theirs, hidden)] == [True, True, True, True, False]
    assert [int(p.s.at[cell]) for cell in (0, 1, 2, 20)] == [engine.NONE] * 4
    assert int(p.s.moves[third]) == 1
    assert legal_moves(p) == []
