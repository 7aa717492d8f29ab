"""The team battle of Berserk: defenders, card texts, the end, what a seat may know (rules 10.11 to 10.22)."""

import pytest
from berserk_position import decline
from berserk_team_position import (
    A,
    B,
    C,
    D,
    TeamPosition,
    begun,
    cell,
    new_game,
    observed,
    order_of,
)  # fmt: skip
from bloodrage_env.games.berserk_team.engine import DONE, NONE, NUM_SEATS, SQUAD, Act, Decision, Direction, Phase
from bloodrage_env.games.berserk_team.game import GAME

from bloodrage_env.games.berserk_team import engine


def attacked_in_company(**owners: int) -> tuple[TeamPosition, dict[str, int]]:
    """A's Orc on c3 strikes D's Nomad on c4; other cards stand on the cells given."""
    p = TeamPosition()
    orc = p.put(A, "Orc", cell("c3"))
    slots = {"c4": p.put(D, "Nomad", cell("c4"))}
    for name, seat in owners.items():
        slots[name] = p.put(seat, "Mountain Keeper", cell(name))
    p.strike(orc, cell("c4"), 1, 1)
    return p, slots


def test_the_owner_names_a_defender_first():
    """rules 10.11: then the partner is asked for its own cards"""
    p, slots = attacked_in_company(b4=D, d4=B)
    assert p.asked == (D, Decision.DEFENDER)
    assert p.cells() == {cell("b4")}
    p.done()
    assert p.asked == (B, Decision.DEFENDER)
    assert p.cells() == {cell("d4")}
    p.choose(cell("d4"))
    assert p.closed(slots["d4"])
    assert p.wounds(slots["d4"]) > 0
    assert p.wounds(slots["c4"]) == 0


def test_only_who_can_is_asked_for_a_defender():
    """rules 10.11: nobody is asked without a card to name; the partner not once a defender is named"""
    p, _ = attacked_in_company(d4=B)
    assert p.asked == (B, Decision.DEFENDER)
    p.done()
    assert p.asked[1] == Decision.MAIN
    p, slots = attacked_in_company(b4=D, d4=B)
    p.choose(cell("b4"))
    assert p.asked[1] == Decision.MAIN
    assert p.closed(slots["b4"])
    p, _ = attacked_in_company(b3=C, d3=C)
    assert p.asked[1] == Decision.MAIN  # the attacker's partner defends nobody


def test_a_defender_of_the_partner_rolls_for_itself():
    """rules 10.11: its owner answers for its dice"""
    p = TeamPosition()
    orc = p.put(A, "Orc", cell("c3"))
    p.put(D, "Nomad", cell("c4"))
    p.put(B, "Iron Golem", cell("d4"))
    p.strike(orc, cell("c4"), 1, 1)
    p.choose(cell("d4"))
    assert p.asked == (B, Decision.REROLL)


def test_a_bonfire_burns_to_the_own_next_turn():
    """rules 10.12"""
    p = TeamPosition(turn=5)
    krondak = p.put(A, "Krondak", cell("a1"))
    for seat, name in ((B, "j6"), (C, "j1"), (D, "a6")):
        p.put(seat, "Nomad", cell(name))
    p.act(krondak, Act.ABILITY_1, cell("e4"))
    for seat in (A, B, C, D):
        assert p.asked == (seat, Decision.MAIN)
        assert p.s.fires >> cell("e4") & 1 == 1
        p.done()
    assert p.s.fires == 0


def test_whose_turn_it_is():
    """rules 10.13: an Iron Golem counters strongly in the turn of either opponent; a Hammerer pushes in its own turn"""
    for turn, striker, keeper in ((5, A, B), (5, A, D), (6, B, C), (8, D, A)):
        p = TeamPosition(turn=turn)
        mine = p.put(striker, "Mountain Giant", cell("c3"))
        p.put(keeper, "Iron Golem", cell("c4"))
        for seat, name in ((A, "a1"), (B, "j6"), (C, "j1"), (D, "a6")):
            p.put(seat, "Nomad", cell(name))
        p.strike(mine, cell("c4"), 1, 6)
        decline(p)
        assert p.wounds(mine) == 3
    p = TeamPosition(turn=5)
    striker = p.put(A, "Mountain Giant", cell("c3"))
    p.put(D, "Hammerer", cell("c4"))
    p.put(B, "Nomad", cell("j6"))
    p.strike(striker, cell("c4"), 1, 6)
    assert p.asked[1] == Decision.MAIN  # a counter in another's turn pushes nobody


@pytest.mark.parametrize(("struck", "front", "wounds"), [(D, B, 4), (D, D, 3), (B, B, 3), (B, D, 4)])
def test_the_opponents_own_first_row(struck, front, wounds):
    """rules 10.14: that of the owner of the struck card"""
    p = TeamPosition()
    skelos = p.put(A, "Skelos", cell("c3"))
    target = p.put(struck, "Mountain Giant", cell("d2"))
    p.put(front, "Nomad", cell("g4") if front == B else cell("b4"))
    p.strike(skelos, cell("d2"), 1, 1)
    decline(p)
    assert p.wounds(target) == wounds


def test_a_first_row_is_that_of_the_quarter():
    """rules 10.14: a card of its owner beside the quarter does not stand in it"""
    p = TeamPosition()
    skelos = p.put(A, "Skelos", cell("c3"))
    target = p.put(D, "Mountain Giant", cell("d2"))
    p.put(D, "Nomad", cell("g4"))
    p.strike(skelos, cell("d2"), 1, 1)
    decline(p)
    assert p.wounds(target) == 4


def test_guards_of_both_opponents_watch():
    """rules 10.15"""
    p = TeamPosition()
    orc = p.put(A, "Orc", cell("c3"))
    p.put(B, "Mountain Giant", cell("b4"))
    p.put(B, "Toa-Dan Guard", cell("c6"))
    p.put(D, "Toa-Dan Guard", cell("c5"))
    p.put(C, "Toa-Dan Guard", cell("c1"))
    p.strike(orc, cell("b4"), 1, 1)
    decline(p)
    assert p.wounds(orc) == 2


@pytest.mark.parametrize(("stepped", "wounds"), [(0, 2), (1, 1)])
def test_a_firesetter_looks_at_the_owners_last_turn(stepped, wounds):
    """rules 10.17: the turns of others in between do not count; and a start opens nobody else's cards"""
    p = TeamPosition(turn=5)
    p.put(A, "Nomad", cell("a1"))
    p.put(B, "Firesetter Gnome", cell("d5"))
    mine = p.put(C, "Mountain Giant", cell("d4"), stepped=stepped)
    closed = p.put(C, "Nomad", cell("j1"), closed=1)
    p.put(D, "Nomad", cell("a6"))
    p.end_turn()
    assert p.asked[0] == B
    assert p.wounds(mine) == wounds
    assert p.closed(closed)
    p.end_turn()
    assert not p.closed(closed)
    assert p.s.stepped[mine] == 0


def test_who_has_no_cards_is_passed_over():
    """rules 10.18: the turn is counted; bonfires of others end in it"""
    p = TeamPosition(turn=5)
    p.put(A, "Nomad", cell("a1"))
    p.put(C, "Nomad", cell("j1"))
    p.put(D, "Nomad", cell("a6"))
    p.fire(cell("e4"), 6)
    p.end_turn()
    assert p.asked == (C, Decision.MAIN)
    assert p.s.turn == 7
    assert p.s.fires == 0
    p.end_turn()
    assert p.asked == (D, Decision.MAIN)


def test_who_loses_the_last_card_in_the_own_turn_is_asked_no_more():
    """rules 10.18: here by a counter; the turn ends at once"""
    p = TeamPosition(turn=5)
    nomad = p.put(A, "Nomad", cell("c3"), wounds=7)
    p.put(B, "Nomad", cell("a6"))
    p.put(C, "Nomad", cell("j1"))
    p.put(D, "Mountain Giant", cell("c4"))
    p.strike(nomad, cell("c4"), 1, 6)
    assert p.is_dead(nomad)
    assert (p.asked, int(p.s.turn)) == ((B, Decision.MAIN), 6)
    assert (p.s.white[0], p.s.black[0]) == (1, 6)


def test_counters_return_to_0_in_a_turn_passed_over():
    """rules 10.18: also in the last turn of a game, after which nothing of the turn before is left"""
    p = TeamPosition(turn=5, max_turns=6)
    orc = p.put(A, "Orc", cell("c3"))
    p.put(C, "Nomad", cell("j1"))
    p.put(D, "Mountain Giant", cell("c4"))
    p.strike(orc, cell("c4"), 1, 1)
    assert p.s.strikes[orc] == 1
    p.end_turn()
    assert (p.over, p.s.turn) == (True, 6)
    assert p.s.strikes[orc] == 0


def test_a_dead_players_valhalla_rests():
    """rules 10.18: it helps nobody while its owner has no card on the board"""
    p = TeamPosition(turn=5)
    p.put(A, "Nomad", cell("a1"))
    p.put(D, "Nomad", cell("a6"))
    p.put(C, "Nomad", cell("j1"))
    p.bury(B, "Bonecrusher")
    p.end_turn()
    assert p.asked == (C, Decision.MAIN)


def test_a_team_wins_together():
    """rules 10.19: the last card of the other team dies; the dead partner wins too; the same for the losers"""
    p = TeamPosition()
    orc = p.put(A, "Orc", cell("c3"))
    p.put(D, "Nomad", cell("c4"), wounds=7)
    p.strike(orc, cell("c4"), 1, 1)
    assert p.over
    assert p.scores() == [1, 0, 1, 0]
    assert GAME.rewards["win"](p.scores()) == [1, -1, 1, -1]


def test_a_game_goes_on_while_a_partner_has_cards():
    """rules 10.19"""
    p = TeamPosition()
    orc = p.put(A, "Orc", cell("c3"))
    p.put(D, "Nomad", cell("c4"), wounds=7)
    p.put(B, "Nomad", cell("j6"))
    p.strike(orc, cell("c4"), 1, 1)
    assert not p.over
    p.end_turn()
    assert p.asked[0] == B


def test_a_draw_when_all_are_dead():
    """rules 10.19: both teams lose their last cards together"""
    p = TeamPosition(combat="difference")
    orc = p.put(A, "Orc", cell("c3"), wounds=9)
    p.put(D, "Nomad", cell("c4"), wounds=7)
    p.strike(orc, cell("c4"), 5, 3)
    while not p.over:
        p.no()
    assert p.scores() == [0, 0, 0, 0]
    assert GAME.rewards["win"](p.scores()) == [0, 0, 0, 0]


def test_length_of_a_game():
    """rules 10.20: the turns of all four are counted"""
    states = new_game(3, setup="fixed", max_turns=6)
    order = order_of(states[0])
    seats = []
    while not engine.is_over(states, 0):
        seats.append(int(states[0].seat))
        engine.apply(states, 0, DONE if states[0].mask[DONE] else int(states[0].mask.nonzero()[0][0]))
    assert (states[0].turn, states[0].truncated) == (6, 1)
    assert engine.scores(states, 0).tolist() == [0, 0, 0, 0]
    assert set(seats) <= set(order)


def test_slots_and_cells_of_an_observation():
    """rules 10.21: slots by the cells of the own quarter; cells as the own team sees them"""
    squads = [(("NOMAD", 12), ("ORC", 0)), "steppe", (("ZVAR", 14),), "mountain"]
    states = new_game(5, setup="fixed", squads=squads)
    s = states[0]
    order = order_of(s)
    assert [int(card) for card in s.card[:2]] == [engine.Card.NOMAD, engine.Card.ORC]
    number = order.index(A)
    wanted = 22 + 5 * (number // 2)
    assert s.cell[0] == (wanted if number % 2 == 0 else 59 - wanted)
    for viewer in range(NUM_SEATS):
        view = observed(states, viewer)
        for place, seat in enumerate((viewer, (viewer + 2) % 4, (viewer + 1) % 4, (viewer + 3) % 4)):
            for slot in range(SQUAD):
                if s.card[seat * SQUAD + slot] != NONE:
                    here = int(s.cell[seat * SQUAD + slot])
                    here = here if order.index(viewer) % 2 == 0 else 59 - here
                    row, column = view["rows"][place * SQUAD + slot], view["columns"][place * SQUAD + slot]
                    assert (row.argmax(), column.argmax()) == divmod(here, 10)


def test_a_step_is_forward_for_the_team():
    """rules 10.2: the second team sees the board turned"""
    for turn, seat, there in ((5, A, "c4"), (6, B, "c2"), (7, C, "c4"), (8, D, "c2")):
        p = TeamPosition(turn=turn)
        mine = p.put(seat, "Orc", cell("c3"))
        for other, name in ((A, "a1"), (B, "j6"), (C, "j1"), (D, "a6")):
            p.put(other, "Nomad", cell(name))
        p.move(mine, Direction.FORWARD)
        assert p.s.cell[mine] == cell(there)


def test_redeals_draw_all_three_others():
    """rules 10.22: squads that the others can have bought, placed by their zones"""
    for seed in range(4):
        states = begun(seed, Phase.REVEAL, placing="at_once")[0] if seed % 2 else begun(seed, Phase.PLACEMENT)[0]
        s = states[0]
        for viewer in range(NUM_SEATS):
            deal = engine.redeal(states, 0, viewer, seed)
            engine.check_state(deal, 0)
            for seat in range(NUM_SEATS):
                assert (deal[0].squad[seat] <= deal[0].deal[seat]).all()
                assert (deal[0].deal[seat] <= s.deck[seat]).all()
