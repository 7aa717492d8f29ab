"""Components and set-up of Berserk (rules 1 and 2)."""

import numpy as np
import pytest
from berserk_position import FIRST, SECOND, Position, new_game

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import Act, Card, Decision, Element, Phase
from bloodrage_env.games.berserk.engine import board as b
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


def setting_up(phase: Phase, seed: int = 3, first: int = 0):
    """A game at the beginning of a phase of the set-up, with seat `first` as First."""
    states = new_game(seed, skip_forced=False)
    s = states[0]
    engine.apply(states, 0, engine.YES if s.seat == first else engine.NO)
    rng = np.random.default_rng(seed)
    while s.phase < phase:
        legal = s.mask.nonzero()[0]
        engine.apply(states, 0, engine.YES if s.phase == Phase.DEAL else int(rng.choice(legal)))
    return states


# ---- 1 Components


def test_cells_rows_and_columns():
    """rules 1.1"""
    assert [int(b.ROW_OF[17]), int(b.COLUMN_OF[17])] == [3, 2]
    assert (b.STEP[0, :, 12].tolist(), b.STEP[1, :, 12].tolist()) == ([17, 7, 11, 13], [7, 17, 13, 11])
    assert b.STEP[0, LEFT, 10] == b.STEP[1, RIGHT, 10] == b.OFF_BOARD
    assert [engine.NUM_CELLS, engine.ROWS, engine.COLUMNS] == [30, 6, 5]


def test_second_sees_the_board_turned():
    """rules 1.1: the same answer of Second means the turned cell and direction"""
    p = Position(turn=2)
    slot = p.put(SECOND, "Nomad", 17)
    p.put(FIRST, "Nomad", 0)
    p.answer(engine.MOVE + FORWARD)
    assert int(p.s.cell[slot]) == 12
    p.answer(engine.MOVE + LEFT)
    assert int(p.s.cell[slot]) == 13


def test_distance():
    """rules 1.2: the larger difference; beside, column, diagonal"""
    assert [int(b.DISTANCE[12, cell]) for cell in (12, 18, 22, 29, 10)] == [0, 1, 2, 3, 2]
    assert {cell for cell in range(30) if b.NEAR[12] >> cell & 1} == {6, 7, 8, 11, 13, 16, 17, 18}
    assert {cell for cell in range(30) if b.BESIDE[12] >> cell & 1} == {7, 11, 13, 17}
    assert {cell for cell in range(30) if b.NEAR[0] >> cell & 1} == {1, 5, 6}
    assert {cell for cell in range(30) if b.IN_COLUMN[12] >> cell & 1} == {2, 7, 12, 17, 22, 27}
    assert [int(b.DIAGONAL[12, cell]) for cell in (18, 24, 17, 12, 23)] == [1, 1, 0, 0, 0]


def test_a_card_has_an_element_a_rank_and_numbers():
    """rules 1.3"""
    orc, zvar, marauder = Card.ORC, Card.ZVAR, Card.MARAUDER
    assert [Element(int(engine.ELEMENT[each])).name for each in (orc, zvar, marauder)] == [
        "STEPPE",
        "MOUNTAIN",
        "NEUTRAL",
    ]
    assert [int(engine.ELITE[each]) for each in (orc, zvar)] == [0, 1]
    assert [int(engine.UNIQUE[each]) for each in (orc, marauder)] == [0, 1]
    assert len(Card) == engine.NUM_CARDS == 47


def test_a_closed_card_does_nothing_but_keeps_its_other_abilities():
    """rules 1.4: no move, act, defence, die; armour, formation and reactions go on"""
    p = Position()
    a = p.put(FIRST, "Kshar", 12, closed=1, tokens=1)
    p.put(SECOND, "Orc", 17)
    assert not any(p.can(a, act) for act in Act)
    assert not any(p.legal(p.move_id(a, direction)) for direction in Direction)
    p = Position()
    a, c = p.put(FIRST, "Orc", 12), p.put(SECOND, "Foot Knight", 17, closed=1)
    p.put(SECOND, "Sanctorum", 18, closed=1)
    p.strike(a, 17, 6)
    assert (p.wounds(c), p.wounds(a), p.s.black[0]) == (4 - 2, 2, 0)


def test_what_lies_on_a_card_is_public():
    """rules 1.5: it stays when everything unseen is blanked"""
    p = Position()
    c = p.put(SECOND, "Orc", 17, wounds=3, poison=2, tokens=1, stunned=1, directed=1, closed=1)
    p.go()
    shown = engine.hide(p.states, 0, FIRST)[0]
    assert [int(shown[name][c]) for name in ("wounds", "poison", "tokens", "stunned", "directed", "closed")] == [
        3, 2, 1, 1, 1, 1,
    ]  # fmt: skip


def test_the_dead_stay_dead():
    """rules 1.6: in their owner's graveyard, whose cards are known"""
    p = Position()
    p.put(FIRST, "Orc", 12)
    c = p.put(SECOND, "Nomad", 17, wounds=7)
    p.put(SECOND, "Nomad", 29)
    p.strike(0, 17, 1, 1)
    assert (p.is_dead(c), int(p.s.cell[c]), int(p.s.card[c]), int(p.s.at[17])) == (
        True,
        engine.NONE,
        Card.NOMAD,
        engine.NONE,
    )


def test_counters_of_this_turn_start_again_in_every_turn():
    """rules 1.7: those of all cards, in either player's"""
    p = Position()
    a = p.put(FIRST, "Orc", 12, entered=2, absorbed=1, strikes=1, closed=1)
    c = p.put(SECOND, "Orc", 29, entered=1, absorbed=1)
    p.end_turn()
    assert [int(p.s[name][slot]) for name in ("entered", "absorbed", "strikes") for slot in (a, c)] == [0] * 6


def test_what_cannot_be_carried_out_cannot_be_declared():
    """rules 1.8, 5.4: no target, no strike; nothing is paid"""
    p = Position()
    a = p.put(FIRST, "Kshar", 12, tokens=1)
    p.put(SECOND, "Orc", 29)
    assert [p.can(a, act) for act in Act] == [False, False, False, True]


# ---- 2.1 Roll-off


def test_the_higher_roll_chooses_to_be_first_or_second():
    """rules 2.1"""
    seen = set()
    for seed in range(40):
        states = new_game(seed)
        s = states[0]
        winner = int(s.roll_off.argmax())
        assert s.roll_off[0] != s.roll_off[1]
        assert (int(s.seat), s.decision, s.deal.sum()) == (winner, Decision.SEAT, 0)
        answer = engine.YES if seed % 2 else engine.NO
        engine.apply(states, 0, answer)
        assert int(s.first) == (winner if answer == engine.YES else 1 - winner)
        seen.add((winner, int(s.first)))
    assert len(seen) == 4


# ---- 2.2 to 2.4


# Elites of the mountains, less Zvar (8), that cost so much together.
ELITES = {
    15: [Card.BORG, Card.HAMMERER, Card.MOUNTAIN_GIANT],
    16: [Card.BORG, Card.HAMMERER, Card.GOBRAKH],
    17: [Card.HAMMERER, Card.MOUNTAIN_GIANT, Card.BONECRUSHER],
    18: [Card.BORG, Card.GOBRAKH, Card.LORD_OF_LIGHTNING],
}


def can_add_zvar(first: int, **squad: int) -> bool:
    """Whether Zvar, the last card, can join a squad of seat 0 which is First or Second."""
    states = setting_up(Phase.PURCHASE, first=first)
    s = states[0]
    while s.seat != 0:
        engine.apply(states, 0, int(s.mask.nonzero()[0][-1]))
    s.deal[0] = 9
    s.squad[0] = 0
    for card, copies in squad.items():
        s.squad[0, Card[card]] = copies
    engine.refresh(states, 0)
    return bool(s.mask[engine.CARD + Card.ZVAR])


@pytest.mark.parametrize(("first", "elements", "gold"), [(0, 1, 24), (0, 2, 23), (1, 1, 25), (1, 2, 24)])
def test_gold(first, elements, gold):
    """rules 2.2: one less for a second element; see also E.6"""
    more = {"NOMAD": 1} if elements == 2 else {"MARAUDER": 0}
    for cost, legal in ((gold - 8, True), (gold - 7, False)):
        assert can_add_zvar(first, **more, **{card.name: 1 for card in ELITES[cost]}) == legal


@pytest.mark.parametrize(("first", "both"), [(0, 24 + 22), (1, 25 + 23)])
def test_gold_and_silver(first, both):
    """rules 2.2, 2.4: commons may be paid in both; neutral is not an element"""
    for cheap in range(4):
        cost = 4 * 8 + cheap * 3 + 8
        assert can_add_zvar(first, TEMPLE_WARRIOR=4, FIRESETTER_GNOME=cheap) == (cost <= both)
    assert can_add_zvar(first, TEMPLE_WARRIOR=5) == (both >= 48)


def test_the_deal():
    """rules 2.3: 15 of the own deck; one fewer each time; down to 1; First, then Second"""
    states = new_game(5, skip_forced=False)
    s = states[0]
    engine.apply(states, 0, engine.YES)
    first = int(s.first)
    for size in range(15, 0, -1):
        assert (int(s.seat), s.decision) == (first, Decision.KEEP)
        assert s.deal_size.tolist() == [size if seat == first else 15 for seat in (0, 1)]
        for seat in (0, 1):
            assert s.deal[seat].sum() == s.deal_size[seat]
            assert (s.deal[seat] <= s.deck[seat]).all()
        assert bool(s.mask[engine.NO]) == (size > 1)
        engine.apply(states, 0, engine.NO if size > 1 else engine.YES)
    assert int(s.seat) == 1 - first
    engine.apply(states, 0, engine.YES)
    assert s.phase == Phase.PURCHASE


def test_a_deal_is_random():
    """rules 2.3: each card of a deck as often as another"""
    found = np.zeros(47)
    for seed in range(300):
        states = new_game(seed)
        engine.apply(states, 0, engine.YES)
        found += states[0].deal[0, :47]
    deck = states[0].deck[0, :47]
    share = found[deck > 0] / (deck[deck > 0].astype(int) * 300)
    assert (abs(share - 0.5) < 0.12).all()


def test_a_purchase_has_one_sequence_and_at_least_one_card():
    """rules 2.4, 7.16, 9.1: card numbers never fall; uniques once; others may double"""
    states = setting_up(Phase.PURCHASE)
    s = states[0]
    assert (int(s.seat), bool(s.mask[engine.DONE])) == (int(s.first), False)
    s.deal[0, [Card.NOMAD, Card.MARAUDER, Card.FIREMANE]] = 2
    engine.refresh(states, 0)
    engine.apply(states, 0, engine.CARD + Card.MARAUDER)
    assert (bool(s.mask[engine.DONE]), s.mask[engine.CARD + Card.MARAUDER]) == (True, 0)
    engine.apply(states, 0, engine.CARD + Card.NOMAD)
    assert (s.mask[engine.CARD + Card.NOMAD], s.mask[engine.CARD + Card.MARAUDER]) == (1, 0)
    engine.apply(states, 0, engine.CARD + Card.NOMAD)
    assert s.mask[engine.CARD + Card.NOMAD] == 0
    assert s.mask[engine.CARD + Card.FIREMANE] == 1
    engine.apply(states, 0, engine.DONE)
    assert int(s.seat) == 1 - int(s.first)


def test_the_rest_of_the_deal_is_out_of_the_game():
    """rules 2.4: what is placed is what was bought"""
    states = setting_up(Phase.REVEAL)
    s = states[0]
    for seat in (0, 1):
        cards = s.card[seat * 15 : seat * 15 + 15]
        assert np.bincount(cards[cards >= 0], minlength=64).tolist() == s.squad[seat].tolist()


# ---- 2.5 to 2.8


def test_first_places_wholly_then_second():
    """rules 2.5, 9.1: the cards in rising order of their numbers; see also E.5"""
    states = setting_up(Phase.PLACEMENT, first=1)
    s = states[0]
    for seat in (1, 0):
        for number in range(int(s.squad[seat].sum())):
            assert (int(s.seat), s.decision) == (seat, Decision.PLACE)
            card = np.repeat(np.arange(64), s.squad[seat])[number]
            cell = int(s.mask.nonzero()[0][0]) - engine.CELL
            last = number == s.squad[seat].sum() - 1
            engine.apply(states, 0, engine.CELL + cell)
            own = cell if seat == 1 else 29 - cell
            assert last or int(s.card[s.at[own]]) == card
    assert s.phase > Phase.PLACEMENT


def test_slots_follow_the_cells():
    """rules 9.3: first row from left to right, second, third, in the own view"""
    states = setting_up(Phase.REVEAL)
    s = states[0]
    for seat in (0, 1):
        cells = [int(c) for c in s.cell[seat * 15 : seat * 15 + 15] if c != engine.NONE]
        own = [c if seat == s.first else 29 - c for c in cells]
        assert own == sorted(own, key=lambda c: (-(c // 5), c % 5))


def revealing(third: list[Card]):
    """The game at the reveal, where Second (seat 1) has these cards in its third row and a Nomad in its first."""
    states = setting_up(Phase.REVEAL, first=0)
    s = states[0]
    for slot in range(15, 30):
        if s.cell[slot] != engine.NONE:
            s.at[s.cell[slot]] = engine.NONE
        s.card[slot] = s.cell[slot] = engine.NONE
        s.face_down[slot] = 0
    s.standing[1] = 0
    s.squad[1] = 0
    for slot, (card, cell) in enumerate([(Card.NOMAD, 17), *zip(third, range(28, 24, -1), strict=False)], 15):
        s.card[slot], s.cell[slot], s.at[cell], s.face_down[slot] = card, cell, slot, 1
        s.standing[1] |= 1 << cell
        s.squad[1, card] += 1
    s.decision, s.depth = 0, 1
    s.stack[0, 1] = Phase.REVEAL
    engine.go_on(states, 0, engine.RESUMED)
    engine.go_on(states, 0, engine.RESUMED)
    return states


def test_reveal():
    """rules 2.6: Second is asked card by card of its third row, when all other cards lie open"""
    states = revealing([Card.ORC, Card.FIREMANE])
    s = states[0]
    assert (int(s.seat), s.decision, int(s.actor)) == (1, Decision.HIDE, 16)
    assert s.face_down.nonzero()[0].tolist() == [16, 17]
    engine.apply(states, 0, engine.NO)
    assert (int(s.actor), s.face_down.nonzero()[0].tolist()) == (17, [16, 17])  # shown all together
    engine.apply(states, 0, engine.YES)
    assert (s.phase, s.face_down.nonzero()[0].tolist()) == (Phase.BATTLE, [17])


def test_a_card_that_starts_the_battle_cannot_stay_face_down():
    """rules 2.6: it is asked all the same, so that nobody learns it"""
    states = revealing([Card.GERMET, Card.FIREMANE])
    s = states[0]
    assert (s.decision, s.mask.nonzero()[0].tolist()) == (Decision.HIDE, [engine.NO])
    assert not engine.is_openly_forced(states, 0)


def test_face_down_cards_are_turned_up_as_seconds_first_turn_begins():
    """rules 2.7, 3.1 b"""
    p = Position(turn=1)
    p.put(FIRST, "Nomad", 0)
    c = p.put(SECOND, "Firemane", 27, face_down=1)
    p.end_turn()
    assert p.s.face_down[c] == 0


def test_a_face_down_card_has_no_ability_and_is_in_no_formation():
    """rules 2.7: no guard, no shield, no partner"""
    p = Position(turn=1)
    a = p.put(FIRST, "Orc", 22)
    c = p.put(SECOND, "Shieldbearer", 21)
    p.put(SECOND, "Sanctorum", 26, face_down=1)
    p.put(SECOND, "Toa-Dan Guard", 27, face_down=1)
    p.strike(a, 21, 1, 1)
    p.done()
    p.no()
    assert (p.wounds(c), p.wounds(a)) == (3, 0)


def test_a_face_down_card_may_be_struck_and_is_turned_up_before_anything_else():
    """rules 2.7, 4.2: directed and bonuses by what it is"""
    p = Position(turn=1)
    a = p.put(FIRST, "Orc", 22)
    c = p.put(SECOND, "Borg", 27, face_down=1)
    p.put(SECOND, "Nomad", 26)
    p.strike(a, 27, 1, 1)
    assert (p.asked[1], p.wounds(c), p.s.face_down[c]) == (Decision.MAIN, 4, 0)


def test_a_face_down_card_may_defend_and_is_turned_up():
    """rules 2.7, 8.3: what was directed or not stays"""
    p = Position(turn=1)
    a = p.put(FIRST, "Orc", 22)
    p.put(SECOND, "Nomad", 27)
    c = p.put(SECOND, "Borg", 26, face_down=1)
    p.strike(a, 27, 1, 1)
    assert p.cells() == {26}
    p.choose(26)
    assert (p.wounds(c), p.s.face_down[c], p.closed(c)) == (4, 0, True)


def test_the_battle_starts_with_full_movement():
    """rules 2.8, 2.10: First's turn"""
    states = new_game(setup="fixed")
    s = states[0]
    cards = s.card >= 0
    assert (s.moves[cards] == engine.MOVEMENT[s.card[cards]]).all()
    assert (int(s.turn), int(s.seat), s.decision) == (1, int(s.first), Decision.MAIN)


def test_germet_counts_cards_that_lie_face_down():
    """rules 2.8"""
    states = revealing([Card.KSHAR])
    s = states[0]
    s.card[15] = Card.GERMET
    s.squad[1, [Card.NOMAD, Card.GERMET]] = 0, 1
    engine.apply(states, 0, engine.YES)
    assert (int(s.extra_movement[15]), int(s.moves[15]), int(s.extra_armour[15])) == (1, 2, 0)


def test_nobody_has_vanguard():
    """rules 2.9, 7.3"""
    assert not any("vanguard" in text.lower() for text in engine.TEXT)
