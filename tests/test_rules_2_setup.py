"""Rules 2: the set-up, seen over many seeds, and what everybody may know."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from ages import FJORDS, PROVINCES, RING
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.board import STAT_VALUE
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import COPIES, TYPE
from bloodrage_env.games.bloodrage.engine.ids import (
    NUM_BOARD,
    CardSet,
    CardType,
    Decision,
    Figure,
    Place,
    Source,
    Token,
)

SEEDS = range(60)
PLAYERS = (2, 3, 4)


def games(players: int) -> list[Any]:
    return [engine.new_game(seed, players)[0] for seed in SEEDS]


@pytest.mark.parametrize("players", PLAYERS)
def test_clans_begin_with_nothing(players):
    """rules 2.1: stats on step 1, glory 0, all figures in the reserve, no upgrade, no quest."""
    state = engine.new_game(7, players)[0]
    assert int(state.num_players) == players
    for seat in range(players):
        assert [int(STAT_VALUE[stat, state.stat_step[seat, stat]]) for stat in range(3)] == [6, 3, 4]
        assert int(state.glory[seat]) == 0
        assert int(state.figures[seat, :, :NUM_BOARD].sum()) == 0
        assert int(state.figures[seat, :, Place.VALHALLA].sum()) == 0
        assert (state.upgrades[seat] == -1).all()
        assert int(state.quest_count[seat]) == 0


@pytest.mark.parametrize("players", PLAYERS)
def test_tokens_are_shuffled_and_face_up(players):
    """rules 2.2: Yggdrasil keeps its own; every outer province sees every other token over the seeds."""
    seen: list[set[int]] = [set() for _ in RING]
    for state in games(players):
        assert int(state.token[Place.YGGDRASIL]) == Token.ALL_STATS
        assert int(state.pillaged.sum()) == 0
        for province in range(8):
            seen[province].add(int(state.token[province]))
    assert all(tokens == {Token.RAGE, Token.AXES, Token.HORNS, Token.GLORY} for tokens in seen)


@pytest.mark.parametrize(("players", "destroyed"), [(4, 1), (3, 2), (2, 3)])
def test_ragnarok_tokens(players, destroyed):
    """rules 2.3: three provinces are doomed; with 4 / 3 / 2 players 1 / 2 / 3 others are destroyed."""
    ever_doomed: list[set[int]] = [set(), set(), set()]
    ever_destroyed: set[int] = set()
    for state in games(players):
        doomed = [int(p) for p in state.ragnarok]
        gone = {p for p in range(9) if state.destroyed[p]}
        assert len(set(doomed)) == 3
        assert len(gone) == destroyed
        assert not gone & set(doomed)
        assert Place.YGGDRASIL not in gone | set(doomed)
        for age in range(3):
            ever_doomed[age].add(doomed[age])
        ever_destroyed |= gone
    assert all(provinces == set(range(8)) for provinces in ever_doomed)
    assert ever_destroyed == set(range(8))


def test_no_figure_enters_a_destroyed_province():
    """rules 2.3: neither by Invade nor by March; a doomed province can still be entered."""
    g = Scenario()
    g.destroyed("elvagar")
    g.doomed("utgard")
    g.put(0, "warrior", "horgr")
    assert not g.can_invade("leader", "elvagar")
    assert not g.can_invade("warrior", "elvagar")
    assert not g.can_march("horgr", "elvagar")
    assert {p for p in PROVINCES if g.can_invade("leader", p)} == set(RING) - {"elvagar"}
    assert {p for p in PROVINCES if p != "horgr" and g.can_march("horgr", p)} == set(PROVINCES) - {
        "elvagar",
        "horgr",
    }


def test_a_destroyed_province_takes_no_free_invade():
    """rules 2.3: by no means: the free Invade of an upgrade can't go there either."""
    g = Scenario()
    g.destroyed("elvagar", "gimle")
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert {p for p in PROVINCES if g.can_choose("leader", p)} == set(RING) - {"elvagar", "gimle"}


def test_a_destroyed_province_takes_no_leader_after_a_pillage():
    """rules 2.3: the Lord of Hammers goes to Andlang or Yggdrasil, not to destroyed Horgr."""
    g = Scenario()
    g.destroyed("horgr")
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "utgard")
    g.pillage(0, "utgard")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    assert {p for p in PROVINCES if g.can_province(p)} == {"andlang", "yggdrasil"}


def test_a_destroyed_province_takes_no_figure_from_valhalla():
    """rules 2.3: Frigga's Domain offers the six others; a ship needs a standing province too."""
    g = Scenario()
    g.destroyed("horgr", "muspelheim")
    g.upgrade(0, "Frigga's Domain")
    g.put(0, "warrior", "valhalla")
    g.put(0, "ship", "valhalla")
    g.raise_dead(0)
    assert {p for p in PROVINCES if g.can_choose("warrior", p)} == set(RING) - {"horgr", "muspelheim"}
    assert {p for p in FJORDS if g.can_choose("ship", p)} == set(FJORDS) - {"fjord_muspelheim_horgr"}


def test_a_destroyed_province_cannot_be_pillaged():
    """rules 2.3: the ship in its fjord pillages the other province only."""
    g = Scenario()
    g.destroyed("elvagar")
    g.put(0, "ship", "fjord_elvagar_angerboda")
    assert [p for p in PROVINCES if g.can_pillage(p)] == ["angerboda"]


@pytest.mark.parametrize("destroyed", [("andlang",), ("gimle",), ("andlang", "gimle")])
def test_a_destroyed_province_counts_for_no_quest(destroyed):
    """rules 2.3: ships in both fjords of Alfheim: one province left meets the quest, none doesn't."""
    g = Scenario(players=2)
    g.destroyed(*destroyed)
    g.put(0, "ship", "fjord_utgard_andlang")
    g.upgrade(0, "Sea Serpent")
    g.put(0, "monster_1", "fjord_gimle_myrkulor")
    g.quest(0, "Alfheim")
    g.end_action_phase()
    assert (g.asked() == (0, Decision.STAT)) == (len(destroyed) == 1)
    assert g.from_source(0, Source.QUEST) == 0 or len(destroyed) == 1


@pytest.mark.parametrize(("fjord", "supported"), FJORDS.items())
def test_a_fjord_works_while_one_of_its_provinces_stands(fjord, supported):
    """rules 2.3: a ship enters it with one province destroyed, not with both."""
    first, second = supported
    for gone in ((first,), (second,), (first, second)):
        g = Scenario()
        g.destroyed(*gone)
        assert g.can_invade("ship", fjord) == (len(gone) == 1)


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_for_more_players_leave_the_decks(players):
    """rules 2.4: `4+` leaves with 3 players, `3+` too with 2; the decks are shuffled."""
    orders: list[set[tuple[int, ...]]] = [set(), set(), set()]
    for state in games(players):
        for age in range(3):
            deck = [int(c) for c in state.deck[age] if c >= 0]
            assert Counter(deck) == {c: n for c, n in enumerate(COPIES[CardSet.BASE, players, age].tolist()) if n}
            orders[age].add(tuple(deck))
    assert all(len(order) == len(SEEDS) for order in orders)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_player_is_random(players):
    """rules 2.5: every seat is first in some games, and in about its share of them."""
    first = Counter(int(state.first_player) for state in games(players))
    assert set(first) == set(range(players))
    assert min(first.values()) >= len(SEEDS) // players // 2


@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_seed_deals_the_same_game(players):
    """rules 2.5: chance lies in the seed."""
    assert engine.new_game(11, players).tobytes() == engine.new_game(11, players).tobytes()
    assert engine.new_game(11, players).tobytes() != engine.new_game(12, players).tobytes()


OPEN = (
    "age",
    "phase",
    "first_player",
    "decision",
    "seat",
    "figures",
    "token",
    "pillaged",
    "destroyed",
    "ragnarok",
    "rage",
    "glory",
    "stat_step",
    "passed",
    "upgrades",
    "hand_size",
    "quest_count",
    "discards",
)


def game_with_a_quest() -> tuple[Any, int]:
    """A first game of three whose first player has committed to one of two or more quests."""
    for seed in range(1000):
        states = engine.new_game(seed, 3, first_game=True)
        seat = int(states[0].first_player)
        quests = [c for c in range(len(TYPE)) if TYPE[c] == CardType.QUEST and states[0].hand[seat, c]]
        if len(quests) >= 2:
            assert engine.apply(states, 0, act.CARD + quests[0]) != engine.ILLEGAL
            return states, seat
    raise AssertionError("no seed gives two quests")


def test_what_is_open_and_what_is_hidden():
    """rules 2.6: drawing anew what a seat can't know keeps all that is open and the own cards."""
    states, committed = game_with_a_quest()
    viewer = (committed + 1) % 3
    quests, hands, third = set(), set(), set()
    for seed in range(30):
        other = engine.redeal(states, 0, viewer, seed)
        for name in OPEN:
            assert np.array_equal(other[0][name], states[0][name]), name
        assert np.array_equal(other[0].hand[viewer], states[0].hand[viewer])
        assert np.array_equal(engine.legal_mask(other, 0), engine.legal_mask(states, 0))
        quests.add(int(other[0].quests[committed, 0]))
        hands.add(other[0].hand[committed].tobytes())
        third.add(other[0].hand[(committed + 2) % 3].tobytes())
    assert len(quests) > 1
    assert all(TYPE[c] == CardType.QUEST for c in quests)
    assert len(hands) > 10
    assert len(third) > 10


def test_the_owner_knows_the_own_quests():
    """rules 2.6: a committed quest is hidden from the others only."""
    states, committed = game_with_a_quest()
    for seed in range(30):
        other = engine.redeal(states, 0, committed, seed)
        assert np.array_equal(other[0].quests[committed], states[0].quests[committed])
        assert np.array_equal(other[0].hand[committed], states[0].hand[committed])


def quests_revealed() -> tuple[Any, int, int]:
    """A first game of two in 3.4: the first player has met a quest, the other one has failed at one."""
    regions = {Card.MANHEIM_1: (7, 0, 1), Card.JOTUNHEIM_1: (2, 3, 4), Card.ALFHEIM_1: (5, 6)}
    for seed in range(1000):
        states = engine.new_game(seed, 2, first_game=True)
        state = states[0]
        first = int(state.first_player)
        other = 1 - first
        met = [c for c in regions if state.hand[first, c]]
        failed = [c for c in (*regions, Card.GLORIOUS_DEATH_1) if state.hand[other, c]]
        if not met or not failed:
            continue
        place = next((p for p in regions[met[0]] if not state.destroyed[p]), None)
        if place is None:
            continue
        answers = [act.CARD + met[0], act.CARD + failed[0], act.figure_at(Figure.LEADER, place), act.PASS]
        for action in [*answers, act.PASS, act.NO, act.NO]:
            assert engine.apply(states, 0, int(action)) != engine.ILLEGAL
        assert (state.decision, int(state.seat)) == (Decision.STAT, first)
        return states, first, other
    raise AssertionError("no seed fits")


def test_quests_are_open_from_the_quest_phase_on():
    """rules 2.6, rules 3.4: all are revealed at once, the one that fails too; neither is drawn anew."""
    states, first, other = quests_revealed()
    for viewer in (first, other):
        for seed in range(20):
            drawn = engine.redeal(states, 0, viewer, seed)
            assert np.array_equal(drawn[0].quests, states[0].quests)
            assert np.array_equal(drawn[0].discards, states[0].discards)


def test_packs_are_hidden():
    """rules 2.6: a seat knows its own pack; what the others look at is drawn anew."""
    states = engine.new_game(5, 4)
    asked = engine.seat_to_act(states, 0)
    mask = engine.legal_mask(states, 0).copy()
    others = set()
    for seed in range(30):
        assert np.array_equal(engine.legal_mask(engine.redeal(states, 0, asked, seed), 0), mask)
        seen = engine.redeal(states, 0, (asked + 1) % 4, seed)
        others.add(engine.legal_mask(seen, 0).tobytes())
    assert len(others) > 10


def test_cards_discarded_in_a_battle_or_from_a_slot_are_open():
    """rules 2.6: they lie among the discards that all may read."""
    g = Scenario(players=2)
    g.upgrade(0, "Brothers in Arms")
    g.hand(0, "Experts in Arms", "Tyr's Bash")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.play(0, "Experts in Arms")
    g.no(0)
    assert [card.name for card in g.discards()] == ["BROTHERS_IN_ARMS"]
    g.pass_(1)
    g.pillage(0, "gimle")
    assert [card.name for card in g.discards()] == ["TYRS_BASH", "BROTHERS_IN_ARMS"]
