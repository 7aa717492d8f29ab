"""Rules 3.1: the draft, followed pack by pack."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from ages import draft
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import NUM_CARDS, Card
from bloodrage_env.games.bloodrage.engine.cards import COPIES
from bloodrage_env.games.bloodrage.engine.ids import CardSet, Decision, Phase

P5 = 1 << CardSet.P5  # which changes nothing with fewer than five players


def cards_on_offer(states: Any) -> set[int]:
    mask = engine.legal_mask(states, 0)
    legal = {int(a) - act.CARD for a in mask.nonzero()[0]}
    assert all(0 <= card < NUM_CARDS for card in legal), "a draft offers cards only"
    return legal


def hand(states: Any, seat: int) -> Counter[int]:
    return Counter({c: int(n) for c, n in enumerate(states[0].hand[seat]) if n})


def dealt(states: Any, players: int, age: int = 0) -> list[Counter[int]]:
    """The packs as they lie in the deck, eight cards each."""
    deck = [int(c) for c in states[0].deck[age]]
    return [Counter(deck[8 * k : 8 * k + 8]) for k in range(players)]


def keep(states: Any, rng: np.random.Generator, offered: set[int]) -> int:
    card = int(rng.choice(sorted(offered)))
    assert engine.apply(states, 0, act.CARD + card) != engine.ILLEGAL
    return card


def follow_draft(states: Any, players: int, age: int, seed: int) -> None:
    """Play a draft of three to five with random choices, comparing every offer with the packs on the table."""
    rng = np.random.default_rng(seed)
    packs = dealt(states, players, age)
    kept = [Counter[int]() for _ in range(players)]
    for turn in range(6):
        asked = set()
        for _ in range(players):
            assert states[0].decision == Decision.DRAFT
            assert int(states[0].phase) == Phase.GODS_GIFTS
            seat = int(engine.seat_to_act(states, 0))
            asked.add(seat)
            pack = packs[(seat - turn) % players]
            assert pack.total() == 8 - turn
            offered = cards_on_offer(states)
            assert offered == set(+pack)
            card = keep(states, rng, offered)
            kept[seat][card] += 1
            pack[card] -= 1
        assert asked == set(range(players))
    assert int(states[0].phase) == Phase.ACTION
    assert [hand(states, seat) for seat in range(players)] == kept
    assert [int(n) for n in states[0].hand_size[:players]] == [6] * players
    assert [pack.total() for pack in packs] == [2] * players
    assert int(states[0].discards.sum()) == 0


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(12))
def test_one_card_of_six_packs_each(seed, players):
    """rules 3.1.2: keep one, pass the rest to the left, six times; the last two of a pack leave unseen."""
    follow_draft(engine.new_game(seed, players, skip_forced=False, sets=P5), players, 0, seed)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("age", [1, 2])
def test_packs_go_to_the_left_in_every_age(age, players):
    """rules 3.1.2: whoever is first player."""
    g = Scenario(players=players, age=age, seat=2, skip_forced=False)
    g.end_action_phase()
    while g.asked()[1] != Decision.DRAFT:
        g.answer(g.asked()[0], g.legal_actions()[0])
    follow_draft(g.states, players, age, 4)


@pytest.mark.parametrize("seed", range(20))
def test_two_players_keep_two_cards_three_times(seed):
    """rules 3.1.3: both cards come from the same pack, then the packs are exchanged."""
    rng = np.random.default_rng(seed)
    states = engine.new_game(seed, 2, skip_forced=False)
    packs = dealt(states, 2)
    kept = [Counter[int](), Counter[int]()]
    for turn in range(3):
        for _ in range(2):
            seat = int(engine.seat_to_act(states, 0))
            pack = packs[(seat - turn) % 2]
            assert pack.total() == 8 - 2 * turn
            offered = cards_on_offer(states)
            # The lower card is named first, so that a pair can be chosen in one way only.
            assert offered == {c for c in +pack if any(d > c or (d == c and pack[d] > 1) for d in +pack)}
            first = keep(states, rng, offered)
            pack[first] -= 1
            assert int(engine.seat_to_act(states, 0)) == seat
            offered = cards_on_offer(states)
            assert offered == {c for c in +pack if c >= first}
            second = keep(states, rng, offered)
            pack[second] -= 1
            kept[seat].update((first, second))
    assert int(states[0].phase) == Phase.ACTION
    assert [hand(states, seat) for seat in range(2)] == kept
    assert [pack.total() for pack in packs] == [2, 2]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_eight_cards_each_from_the_deck_of_the_age(players):
    """rules 3.1.1: eight cards a clan, in every Age from that Age's deck."""
    g = Scenario(players=players)
    for age in range(2):
        g.state.hand[:] = 0
        g.end_action_phase()
        while g.asked()[1] == Decision.KEEP_CARD:
            g.no(g.asked()[0])
        assert int(g.state.age) == age + 1
        assert g.asked()[1] == Decision.DRAFT
        packs = dealt(g.states, players, age + 1)
        assert [pack.total() for pack in packs] == [8] * players
        together: Counter[int] = sum(packs, Counter())
        assert all(n <= COPIES[CardSet.BASE, players, age + 1, card] for card, n in together.items())
        if players > 2:
            assert cards_on_offer(g.states) == set(packs[g.asked()[0]])
        draft(g)
        assert [g.state.hand_size[seat] for seat in range(players)] == [6] * players
        drafted: Counter[int] = sum((hand(g.states, seat) for seat in range(players)), Counter())
        assert drafted <= together


def test_everyone_chooses_at_the_same_time():
    """rules 3.1.2: no hand shows a card before all have kept theirs; no choice changes an offer."""
    offers = []
    for choice in (0, -1):
        states = engine.new_game(9, 4, skip_forced=False)
        seen = []
        for _ in range(4):
            assert int(states[0].hand_size.sum()) == 0
            legal = sorted(cards_on_offer(states))
            seen.append((int(engine.seat_to_act(states, 0)), legal))
            engine.apply(states, 0, act.CARD + legal[choice])
        assert [int(n) for n in states[0].hand_size[:4]] == [1, 1, 1, 1]
        offers.append(seen)
    assert offers[0] == offers[1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_game_skips_the_draft_of_the_first_age(players):
    """rules 3.1.4: each keeps all eight cards; the later Ages are drafted."""
    states = engine.new_game(21, players, first_game=True)
    assert int(states[0].phase) == Phase.ACTION
    assert states[0].decision == Decision.ACTION
    assert int(engine.seat_to_act(states, 0)) == int(states[0].first_player)
    assert [hand(states, seat) for seat in range(players)] == dealt(states, players)
    g = Scenario(players=players)
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT


@pytest.mark.parametrize("players", [2, 3, 4])
def test_without_the_option_the_first_age_is_drafted(players):
    """rules 3.1.4: the draft of Age 1 is left out only under `first_game`."""
    states = engine.new_game(21, players)
    assert int(states[0].phase) == Phase.GODS_GIFTS
    assert states[0].decision == Decision.DRAFT
    assert int(states[0].hand_size.sum()) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_hand_is_six_new_cards_and_the_kept_one(players):
    """rules 3.1.5, rules 3.1.1: the kept card lies aside during the draft and joins the six."""
    g = Scenario(players=players)
    g.hand(0, "Troll", "Tyr's Bash")
    g.end_action_phase()
    assert g.asked() == (0, Decision.KEEP_CARD)
    g.card(0, "Troll")
    packs = dealt(g.states, players, 1)
    assert all(pack[Card.TROLL] == 0 for pack in packs)
    draft(g)
    assert [int(g.state.hand_size[seat]) for seat in range(players)] == [7] + [6] * (players - 1)
    assert Card.TROLL in g.hand_of(0)
    assert Card.TYRS_BASH not in g.hand_of(1)


def test_the_hand_has_no_limit():
    """rules 3.1.5: twelve cards are fine before the Discard phase."""
    g = Scenario(players=2)
    g.hand(0, *["Tyr's Bash"] * 6, *["Tyr's Smash"] * 6)
    g.invade(0, "leader", "gimle")
    g.pass_(1)
    assert g.asked() == (0, Decision.ACTION)
    assert len(g.hand_of(0)) == 12
