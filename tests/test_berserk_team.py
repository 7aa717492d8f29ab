"""The team battle of Berserk: set-up, and who is whose enemy (rules 10.1 to 10.10)."""

import numpy as np
import pytest
from berserk_position import content, decline
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
    one_after_another,
    order_of,
    taken_by,
)  # fmt: skip
from bloodrage_env.games.berserk_team.engine import DONE, NUM_SEATS, SQUAD, YES, Act, Decision, Phase

from bloodrage_env.games.berserk_team import engine

SEEDS = range(6)


def test_partners_and_opponents():
    """rules 10.1, 10.21: own, partner, left, right"""
    states = new_game(3)
    states[0].deal_size[:] = 11, 12, 13, 14
    wanted = {A: [11, 13, 12, 14], B: [12, 14, 13, 11], C: [13, 11, 14, 12], D: [14, 12, 11, 13]}
    for seat, sizes in wanted.items():
        assert observed(states, seat)["deal_sizes"].tolist() == sizes


def test_quarters():
    """rules 10.2, 10.5: each places in a quarter of five by three, by the zones of its side"""
    for seed in SEEDS:
        s = begun(seed, Phase.BATTLE)[0][0]
        order = order_of(s)
        for number, seat in enumerate(order):
            own = {each if number % 2 == 0 else 59 - each for each in taken_by(s, seat)}
            left = 5 * (number // 2)
            assert all(each // 10 < 3 and left <= each % 10 < left + 5 for each in own)
            centre = {10 * row + left + column for row in range(3) for column in (1, 2, 3)}
            early = centre if number % 2 == 0 else centre | {20 + left, 24 + left}
            assert len(own & early) == min(len(own), len(early))


def test_the_dice_settle_the_order():
    """rules 10.3: the highest roll is First; partners never roll the same; nobody is asked"""
    firsts = set()
    for seed in range(200):
        states = new_game(seed)
        s = states[0]
        rolls = s.roll_off.tolist()
        assert rolls.count(max(rolls)) == 1
        assert rolls[0] != rolls[2]
        assert rolls[1] != rolls[3]
        assert s.first == rolls.index(max(rolls))
        assert s.decision == Decision.KEEP
        assert s.seat == s.first
        firsts.add((int(s.first), order_of(s)[1]))
    assert len(firsts) == 8


def test_order_of_turns():
    """rules 10.4"""
    states = new_game(2, setup="fixed", skip_forced=False)
    order = order_of(states[0])
    asked = []
    while len(asked) < 9:
        asked.append(int(states[0].seat))
        while states[0].decision != Decision.MAIN:
            engine.apply(states, 0, int(states[0].mask.nonzero()[0][0]))
        engine.apply(states, 0, DONE)
    assert asked == (order * 3)[:9]


def test_what_first_and_second_have():
    """rules 10.5: both players of a team have the crystals of First, or of Second"""
    states = begun(4, Phase.PURCHASE)[0]
    order = order_of(states[0])
    for number, seat in enumerate(order):
        assert observed(states, seat)["crystals"].tolist() == ([24, 46], [25, 48])[number % 2]


@pytest.mark.parametrize("placing", ["in_turn", "at_once"])
def test_one_after_the_other(placing):
    """rules 10.6: in the order of turns; cells are seen as a placement ends, at once when all four have"""
    for seed in SEEDS:
        states, asked = begun(seed, Phase.PLACEMENT, placing=placing)
        order = order_of(states[0])
        assert one_after_another(asked, Decision.KEEP) == order
        assert one_after_another(asked, Decision.BUY) == order
        rng = np.random.default_rng(seed)
        while states[0].phase == Phase.PLACEMENT:
            s = states[0]
            placed = order.index(int(s.seat))
            for viewer in range(NUM_SEATS):
                rows = observed(states, viewer)["numbers"][:, 0].reshape(NUM_SEATS, SQUAD).any(axis=1)
                for place, seat in enumerate((viewer, (viewer + 2) % 4, (viewer + 1) % 4, (viewer + 3) % 4)):
                    shown = placing == "in_turn" and order.index(seat) < placed
                    assert place == 0 or rows[place] == shown
            engine.apply(states, 0, int(rng.choice(s.mask.nonzero()[0])))
        assert (observed(states, A)["numbers"][:, 0].reshape(NUM_SEATS, SQUAD).any(axis=1)).all()


def test_a_partner_is_told_no_more():
    """rules 10.7, 10.22: what a seat sees is the same whatever the partner and the others hold, in every phase"""
    differ = np.zeros(NUM_SEATS, np.int64)
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        states = new_game(seed, skip_forced=False, placing=("in_turn", "at_once")[seed % 2])
        while states[0].phase < Phase.BATTLE or states[0].turn < 4:
            s = states[0]
            if rng.random() < 0.1:
                viewer = int(rng.integers(NUM_SEATS))
                deal = engine.redeal(states, 0, viewer, seed)
                for name, section in observed(states, viewer).items():
                    assert (observed(deal, viewer)[name] == section).all(), name
                assert content(engine.hide(deal, 0, viewer)) == content(engine.hide(states, 0, viewer))
                assert deal[0].deal[viewer].tolist() == s.deal[viewer].tolist()
                for seat in range(NUM_SEATS):
                    differ[(seat - viewer) % 4] += (deal[0].deal[seat] != s.deal[seat]).any()
                    assert deal[0].deal[seat].sum() == s.deal_size[seat]
                if s.seat == viewer:
                    assert deal[0].mask.tolist() == s.mask.tolist()
            legal = s.mask.nonzero()[0]
            if s.decision == Decision.BUY and len(legal) > 1 and legal[0] == DONE:
                legal = legal[1:3]
            keep = s.decision in (Decision.KEEP, Decision.HIDE) and rng.random() < 0.8 and s.mask[YES]
            engine.apply(states, 0, YES if keep else int(rng.choice(legal)))
    assert differ[0] == 0
    assert (differ[1:] > 20).all()


def test_reveal():
    """rules 10.8: the second team is asked for its third rows, one player after the other; they open as turns start"""
    hidden = set()
    for seed in range(10):
        states, asked = begun(seed, Phase.BATTLE)
        s = states[0]
        order = order_of(s)
        assert set(one_after_another(asked, Decision.HIDE)) <= {order[1], order[3]}
        assert one_after_another(asked, Decision.HIDE) == sorted(
            one_after_another(asked, Decision.HIDE), key=order.index
        )
        for number in range(4):
            down = [seat for seat in range(4) if s.face_down[seat * SQUAD : (seat + 1) * SQUAD].any()]
            assert all(order.index(seat) > number for seat in down)
            hidden |= {(number, order.index(seat)) for seat in down}
            while s.turn == number + 1 and not s.over:
                engine.apply(states, 0, DONE if s.mask[DONE] else int(s.mask.nonzero()[0][0]))
    assert hidden >= {(0, 1), (0, 3), (1, 3), (2, 3)}


def test_a_partners_card_is_no_enemy():
    """rules 10.9: no target of a strike or a shot, no partner in formation, counted on no side"""
    p = TeamPosition()
    orc = p.put(A, "Orc", cell("c3"))
    shooter = p.put(A, "Orc Shooter", cell("a1"))
    p.put(C, "Nomad", cell("d3"))
    p.put(C, "Nomad", cell("e1"))
    enemies = {p.s.cell[p.put(B, "Nomad", cell("c4"))], p.s.cell[p.put(D, "Nomad", cell("d4"))]}
    p.answer(p.act_id(orc))
    assert p.cells() == enemies
    p.choose(cell("c4"))
    decline(p)
    p.answer(p.act_id(shooter, Act.ABILITY_1))
    assert p.cells() == enemies
    guard = TeamPosition()
    slot = guard.put(A, "Hall Guard", cell("c3"))
    guard.put(C, "Hall Guard", cell("d3"))
    guard.put(B, "Nomad", cell("c5"))
    assert not guard.can(slot)  # without formation it does not reach so far


def test_own_helps_own_alone():
    """rules 10.9: a partner's Cutthroat is not helped, its Shieldbearer and Paladin do not help"""
    for seat, experience in ((A, 1), (C, 0)):
        p = TeamPosition()
        cutthroat = p.put(A, "Cutthroat", cell("c3"))
        p.put(seat, "Nomad", cell("d3"))
        p.put(seat, "Nomad", cell("d2"))
        p.put(B, "Orc", cell("c4"))
        p.strike(cutthroat, cell("c4"), 1, 1)
        assert (p.asked[1] == Decision.REROLL) == bool(experience)
    for seat, wounds in ((B, 2), (D, 3)):
        p = TeamPosition()
        shooter = p.put(A, "Orc Shooter", cell("a1"))
        target = p.put(B, "Nomad", cell("f5"))
        p.put(seat, "Shieldbearer", cell("g5"))
        p.act(shooter, Act.ABILITY_1, cell("f5"), 6)
        assert p.wounds(target) == wounds
    for seat, reached in ((A, True), (C, False)):
        p = TeamPosition()
        archer = p.put(A, "Gnome Archer", cell("b1"))
        p.put(seat, "Paladin of Allamor", cell("b2"))
        p.put(B, "Nomad", cell("b6"))
        assert p.can(archer, Act.ABILITY_1) == reached


def test_any_creature_may_be_the_partners():
    """rules 10.9, 10.16: a spell may be aimed at it; killed so, it is not killed by an enemy"""
    for seat, by_enemy in ((C, 0), (B, 1)):
        p = TeamPosition()
        child = p.put(A, "Blizzard Child", cell("a1"))
        victim = p.put(seat, "Bonecrusher", cell("f5"), wounds=11)
        p.put(C, "Nomad", cell("j1"))
        p.put(B, "Nomad", cell("j6"))
        p.act(child, Act.ABILITY_1, cell("f5"))
        assert p.is_dead(victim)
        assert p.s.by_enemy[victim] == by_enemy


def test_a_partner_bars_a_strike_across_a_row():
    """rules 10.10"""
    for between, can in ((None, True), (A, True), (C, False), (B, False)):
        p = TeamPosition()
        marauder = p.put(A, "Marauder", cell("c3"))
        p.put(D, "Nomad", cell("c5"))
        if between is not None:
            p.put(between, "Nomad", cell("c4"))
        assert p.can(marauder, Act.ABILITY_1) == can
