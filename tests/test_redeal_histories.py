"""The distribution of redeals, against all histories that fit, counted one by one in `histories.py`.

Seeds are fixed, so that the tests are deterministic; a right sampler passes whatever the seeds. Where all demands can
be met one way only a redeal is exactly uniform; otherwise it is close (`redeal.py`), and the bounds say how close.
"""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from histories import Diary, diaries
from random_play import even_action

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import Decision, Phase

DRAWS = 4000
CLOSE = 0.1  # to the exact share of a card in a hand, or of a quest among the committed


def chi_square(counts, shares, draws):
    """How many standard deviations the statistic is above what chance gives; rare outcomes are put together."""
    rare = [key for key, share in shares.items() if share * draws < 5]
    assert all(key in shares for key in counts), "a redeal that fits no history"
    bins = [(counts[key], share * draws) for key, share in shares.items() if share * draws >= 5]
    if rare:
        bins.append((sum(counts[key] for key in rare), sum(shares[key] for key in rare) * draws))
    if len(bins) < 2:
        return 0.0
    freedom = len(bins) - 1
    return (sum((n - wanted) ** 2 / wanted for n, wanted in bins) - freedom) / (2 * freedom) ** 0.5


def drawn(diary, draws=DRAWS):
    return Counter(diary.truth(engine.redeal(diary.states, 0, diary.viewer, seed)) for seed in range(draws))


def shares_of_cards(distribution):
    """Share of each (opponent, card, copies in hand) and (opponent, commitment, quest)."""
    shares = Counter()
    for clans, share in distribution.items():
        for i, (hand, quests) in enumerate(clans):
            for card, copies in Counter(hand).items():
                shares[i, "hand", card, copies] += share
            for j, card in enumerate(quests):
                shares[i, "quest", j, card] += share
    return shares


def one_way_only(diary):
    """No quest is committed, and no card shown that may have come from several packs or from an earlier Age."""
    s = diary.state
    if s.quest_count.any() and not s.quests_open:
        return False
    for age in range(int(s.age) + 1):
        sources = Counter()
        for cards, _ in diary.groups(age):
            sources.update(set(cards))
        for seat in diary.opponents:
            for event in diary.events_of(seat, age):
                if event[0] == "show" and (sources[event[1]] > 1 or event[1] in earlier_decks(diary, age)):
                    return False
    return True


def earlier_decks(diary, age):
    """Cards that may have come from an Age before `age`."""
    return {card for before in range(age) for cards, _ in diary.groups(before) for card in cards}


@pytest.mark.slow
@pytest.mark.parametrize(("players", "wanted"), [(2, 60), (3, 12)])
def test_exactly_uniform_where_each_card_came_one_way(players, wanted):
    """Draft and Action phase; two players in all Ages, three in the first one."""
    checked = 0
    deviations = []
    for diary in diaries(players, range(120), 0.06):
        if players > 2 and diary.state.age > 0:
            continue
        if checked == wanted:
            break
        if not one_way_only(diary):
            continue
        shares = diary.positions()
        if len(shares) > 1500:
            continue
        deviation = chi_square(drawn(diary, 2000), shares, 2000)
        assert deviation < 5.0, f"seed {diary.seed}, decision {diary.state.decisions}"
        deviations.append(deviation)
        checked += len(shares) > 1
    assert checked == wanted
    assert np.mean(deviations) < 0.7


@pytest.mark.slow
@pytest.mark.parametrize(("players", "wanted"), [(2, 100), (3, 20)])
def test_close_to_uniform_everywhere(players, wanted):
    """Whatever has been shown, taken back, committed and kept: no impossible history, and no possible one is missed."""
    checked = 0
    for diary in diaries(players, range(120), 0.05):
        s = diary.state
        if checked == wanted:
            break
        if s.phase == Phase.GODS_GIFTS or (players > 2 and s.age > 0):
            continue
        shares = diary.positions()
        counts = drawn(diary, 1000)
        where = f"seed {diary.seed}, decision {s.decisions}"
        assert diary.truth(diary.states) in shares, f"{where}: the diary is wrong"
        assert all(key in shares for key in counts), f"{where}: a redeal that fits no history"
        likely = [key for key, share in shares.items() if share > 0.02]
        assert all(key in counts for key in likely), f"{where}: a history is never drawn"
        exact = shares_of_cards(shares)
        found = shares_of_cards({key: n / 1000 for key, n in counts.items()})
        for key in exact.keys() | found.keys():
            off = abs(exact[key] - found[key])
            assert off < CLOSE, f"{where}: {key} has share {exact[key]:.3f}, in redeals {found[key]:.3f}"
        checked += 1
    assert checked == wanted


def at_round(players, seed, draft_round, viewer):
    """Age 1, the viewer about to choose as the last one: everybody else has chosen in secret."""
    for attempt in range(seed, seed + 100):
        diary = Diary(attempt, players, viewer)
        rng = np.random.default_rng(attempt)
        s = diary.state
        if (int(s.first_player) + players - 1) % players != viewer:
            continue
        while not (s.draft_round == draft_round and s.seat == viewer):
            diary.answer(even_action(diary.states, rng))
        if s.pending[viewer, 0] == -1:
            return diary
    raise AssertionError("no seed fits")


def test_first_round_of_two_players():
    """Twelve cards unseen: eight are in the other's pack, and it has chosen any two of them."""
    diary = at_round(2, 0, 0, 1)
    s = diary.state
    pack = {int(card) for card in s.deck[0, 8:16]}
    unseen = sorted({int(card) for card in s.deck[0] if card >= 0} - pack)
    assert len(unseen) == 12
    chosen = Counter()
    packs = Counter()
    for seed in range(DRAWS):
        draw = engine.redeal(diary.states, 0, 1, seed)[0]
        chosen[tuple(draw.pending[0].tolist())] += 1
        packs.update(draw.deck[0, :8].tolist())
    pairs = dict.fromkeys(combinations(unseen, 2), 1 / 66)
    assert chi_square(chosen, pairs, DRAWS) < 4.0
    for card in unseen:
        assert abs(packs[card] / DRAWS - 8 / 12) < 0.04


def test_second_round_of_two_players():
    """The other holds the six cards that came from here, and two of the six that nobody has shown."""
    diary = at_round(2, 0, 1, 1)
    s = diary.state
    passed = diary.packs[0, 0] - Counter(diary.kept[0, 0])
    now = {int(card) for card in s.deck[0, 2:8]}
    unseen = sorted({int(c) for c in s.deck[0] if c >= 0} - set(diary.packs[0, 0]) - now)
    assert len(unseen) == 6
    both = Counter()
    for seed in range(DRAWS):
        draw = engine.redeal(diary.states, 0, 1, seed)[0]
        both[tuple(np.flatnonzero(draw.hand[0]).tolist()), tuple(draw.pending[0].tolist())] += 1
    shares = {
        (hand, pair): 1 / 225 for hand in combinations(unseen, 2) for pair in combinations(sorted(passed.elements()), 2)
    }
    assert chi_square(both, shares, DRAWS) < 4.0


def test_a_battle_card_face_down_is_any_card_of_the_hand():
    """rules 4.3: with what the hand may be counted exactly, each of its cards is as likely to lie there."""
    found = 0
    for diary in diaries_in_battle(range(200)):
        s = diary.state
        other = diary.opponents[0]
        if s.pending[other, 0] == -1 or s.quest_count[other] or not one_way_only(diary):
            continue
        shares = Counter()
        for clans, share in diary.positions().items():
            for card in clans[0][0]:
                shares[card] += share / len(clans[0][0])
        counts = Counter(
            int(engine.redeal(diary.states, 0, diary.viewer, seed)[0].pending[other, 0]) for seed in range(DRAWS)
        )
        assert chi_square(counts, shares, DRAWS) < 5.0
        found += 1
        if found == 8:
            break
    assert found == 8


def diaries_in_battle(seeds):
    """Two players: the viewer chooses a battle card, and the other has chosen already."""
    for seed in seeds:
        diary = Diary(seed, 2, seed % 2)
        rng = np.random.default_rng(seed)
        while not engine.is_over(diary.states, 0) and diary.state.age == 0:
            if diary.state.decision == Decision.BATTLE_CARD and diary.state.seat == diary.viewer:
                yield diary
                break
            diary.answer(even_action(diary.states, rng))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_from_a_redeal_as_from_the_game(players):
    """Redeals of a redeal: a hidden card has the same chances, whatever hidden state one begins with."""
    states = engine.new_game(11, players)
    while states[0].phase != Phase.ACTION:
        engine.play_random(states, 0, 5, 1)
    other = engine.redeal(states, 0, 0, 12345)
    assert not np.array_equal(other[0].hand, states[0].hand)
    hands = [np.zeros(engine.CARD_CAPACITY), np.zeros(engine.CARD_CAPACITY)]
    for seed in range(1500):
        hands[0] += engine.redeal(states, 0, 0, seed)[0].hand[1]
        hands[1] += engine.redeal(other, 0, 0, seed + 10_000)[0].hand[1]
    spread = np.sqrt((hands[0] + hands[1]).clip(1))
    assert (np.abs(hands[0] - hands[1]) / spread).max() < 4.0


def test_four_players_after_the_draft():
    """What each opponent has of each card, against the exact shares over packs (no demand, so exactly uniform)."""
    diary = Diary(3, 4, 2)
    rng = np.random.default_rng(3)
    while diary.state.phase == Phase.GODS_GIFTS:
        diary.answer(even_action(diary.states, rng))
    exact = Counter()
    for cards, places in diary.groups(0):
        for seat in diary.opponents:
            for card, copies in cards.items():
                exact[seat, card] += places.count(seat) * copies / max(1, len(places))
    found = Counter()
    for seed in range(DRAWS):
        hands = engine.redeal(diary.states, 0, 2, seed)[0].hand
        for seat in diary.opponents:
            for card in np.flatnonzero(hands[seat]).tolist():
                found[seat, card] += int(hands[seat, card])
    for key in exact.keys() | found.keys():
        assert abs(found[key] / DRAWS - exact[key]) < 0.04, key
    assert sum(exact.values()) == pytest.approx(18)
