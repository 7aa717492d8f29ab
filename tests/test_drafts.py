"""What a search takes the others to have drafted: as likely as they draft, and as far as the seat can't know."""

from itertools import combinations

import numpy as np
import pytest
from test_agents_search import positions

from bloodrage_agents.games.bloodrage.compiled import tree
from bloodrage_agents.games.bloodrage.compiled.drafts import LOG_WANTS, resample_draft, score_picks
from bloodrage_agents.games.bloodrage.compiled.heuristics import play_heuristics
from bloodrage_agents.games.bloodrage.compiled.weights import STYLES
from bloodrage_agents.mcts.nodes import NODE, NUM_COUNTERS, NUM_DEALS, Doubles
from bloodrage_agents.mcts.settings import PLAIN, Setting, row_of
from bloodrage_agents.network import SHIPPED, Network
from bloodrage_env.core.compile.decorators import Floats, entry
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import CARD, MAX_SEATS, NUM_CARDS, PACK_SIZE, PLAYABLE, Decision, States
from research import fit_drafts

BALANCED = STYLES.index("balanced")


@entry
def redraft(states: States, observer: int, wants: Doubles, seed: int) -> None:
    """What `resample_draft` does to the first game."""
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, 0)
    resample_draft(states[0], observer, wants, words)


@entry
def scored(states: States, settings: Doubles, scores: Floats) -> bool:
    """What `score_picks` does for the first game."""
    return score_picks(states[0], settings, scores)


def deals(states, observer, wants, number):
    """So many redeals, drafted by these wants."""
    for seed in range(number):
        deal = engine.redeal(states, 0, observer, seed)
        redraft(deal, observer, wants, seed)
        yield deal[0]


def in_draft(players, rounds, seed=3):
    """A game in the draft of the first Age after so many rounds; the seat to act is the observer."""
    states = engine.new_game(seed, players)
    while states[0].draft_round < rounds:
        engine.apply(states, 0, int(np.flatnonzero(engine.legal_mask(states, 0))[0]))
    return states, engine.seat_to_act(states, 0)


def all_wanted_alike(card=None, much=1.0):
    wants = np.ones(NUM_CARDS)
    if card is not None:
        wants[card] = much
    return wants


def passed_first(states, observer):
    """The cards that the observer passed on in the first round."""
    start = observer * PACK_SIZE
    return states[0]["deck"][0, start + 1 : start + PACK_SIZE].tolist()


# ---- the chance of a deal


def test_who_surely_takes_a_card_has_it():
    """Rules 3.1.2: the clan to the left has taken it out of the pack that the observer passed on."""
    states, observer = in_draft(4, 2)
    left, place = (observer + 1) % 4, observer * PACK_SIZE + 1
    has = [
        deal["deck"][0, place] == card and deal["hand"][left, card] >= 1
        for card in set(passed_first(states, observer))
        for deal in deals(states, observer, all_wanted_alike(card, 1e9), 20)
    ]
    assert np.mean(has) > 0.9  # a swap of two cards in particular may not have been tried


@pytest.mark.parametrize("alike", [True, False])
def test_a_pick_out_of_a_pack_that_was_seen_has_its_chance(alike):
    """The clan to the left has taken one card of seven, each by what it is wanted."""
    states, observer = in_draft(4, 2)
    cards = passed_first(states, observer)
    rng = np.random.default_rng(1)
    wants = all_wanted_alike() if alike else np.exp(rng.normal(0, 1.5, NUM_CARDS))
    number = 2000
    found = np.zeros(NUM_CARDS)
    for deal in deals(states, observer, wants, number):
        found[deal["deck"][0, observer * PACK_SIZE + 1]] += 1
    wanted = np.bincount(cards, wants[cards], NUM_CARDS) / wants[cards].sum()
    error = np.sqrt(wanted * (1 - wanted) / number)
    assert (np.abs(found / number - wanted) <= 4.5 * error).all()
    assert found.sum() == found[cards].sum()


def test_two_picks_at_once_out_of_a_pack_that_was_not_seen_have_their_chance():
    """Rules 3.1.3: of the pack before it the observer has seen the six cards that the other clan left."""
    states, observer = in_draft(2, 1)
    other = 1 - observer
    start = other * PACK_SIZE
    left = states[0]["deck"][0, start + 2 : start + PACK_SIZE].tolist()
    own = observer * PACK_SIZE
    unseen = [card for i, card in enumerate(states[0]["deck"][0].tolist())
              if card >= 0 and not own <= i < own + PACK_SIZE and not start + 2 <= i < start + PACK_SIZE]  # fmt: skip
    wants = np.exp(np.random.default_rng(2).normal(0, 1.2, NUM_CARDS))
    chance = np.zeros(NUM_CARDS)
    for pair in combinations(unseen, 2):
        pack = wants[[*pair, *left]]
        likely = pack[0] * pack[1] / sum(a * b for a, b in combinations(pack, 2))
        for card in pair:
            chance[card] += likely
    chance *= 2 / chance.sum()
    number = 2000
    found = np.zeros(NUM_CARDS)
    for deal in deals(states, observer, wants, number):
        for card in deal["deck"][0, start : start + 2]:
            found[card] += 1
    assert (np.abs(found / number - chance) <= 4.5 * np.sqrt(np.maximum(chance, 1e-9) / number) + 1e-9).all()


# ---- what stays


def grown_deals(states, seat, seed, drafts=1.0):
    """The deals of a search."""
    settings = row_of({**PLAIN, Setting.DRAFTS: drafts})
    found, nodes, counters = np.zeros(8, engine.STATE), np.zeros(4096, NODE), np.zeros(NUM_COUNTERS, np.int64)
    tree.grow(
        states, 0, seat, seed, 40, 0, BALANCED, np.zeros(0, np.float32), 0, settings, found, nodes, counters
    )  # fmt: skip
    return found[: counters[NUM_DEALS]]


def same(one, other, besides=()):
    return all(np.array_equal(one[name], other[name]) for name in one.dtype.names if name not in besides)


@pytest.mark.parametrize(("players", "sets"), [(2, 0), (3, PLAYABLE), (4, 0), (5, PLAYABLE)])
def test_a_deal_is_a_game_that_the_observer_cannot_tell_from_its_own(players, sets):
    """Also where quests are committed, cards shown and others have chosen in secret (rules 7.1)."""
    checked = moved = 0
    for game in range(2):
        states = np.zeros(1, engine.STATE)
        engine.reset(states, 0, 50 + game, np.array((players, False, True, sets)))
        number = 0
        while engine.seat_to_act(states, 0) >= 0:
            number += 1
            if number % 23 == 0 and states[0].num_legal > 1:
                seat = engine.seat_to_act(states, 0)
                view = engine.hide(states, 0, seat)
                by_lot = grown_deals(states, seat, number, drafts=0.0)
                for deal, other in zip(grown_deals(states, seat, number), by_lot, strict=False):
                    alone = np.array([deal])
                    engine.check_state(alone, 0)
                    assert same(engine.hide(alone, 0, seat), view, besides=["pending"])  # all others have chosen
                    moved += not np.array_equal(deal["deck"], other["deck"])
                    checked += 1
            play_heuristics(states, 0, np.full(MAX_SEATS, BALANCED), number, 1)
    assert checked > 60
    assert moved > checked / 4


def test_who_drafts_too_surely_is_refused():
    states = engine.new_game(1, 2)
    with pytest.raises(ValueError, match="DRAFTS of MOST_DRAFTS or less"):
        grown_deals(states, engine.seat_to_act(states, 0), 1, drafts=2.5)


def test_deals_are_the_same_in_games_that_the_seat_cannot_tell_apart():
    for number, states, seat in positions(83):
        other = engine.redeal(states, 0, seat, number)
        assert same(grown_deals(states, seat, number), grown_deals(other, seat, number))


# ---- what others pick in the tree


@pytest.mark.parametrize("players", [2, 4])
def test_others_pick_in_the_tree_by_the_same_chances_as_in_deals(players):
    states, _ = in_draft(players, 1)
    weight, scores = 0.7, np.zeros(engine.NUM_ACTIONS, np.float32)
    assert scored(states, row_of({**PLAIN, Setting.DRAFTS: weight}), scores)
    chances = np.exp(scores) * states[0].mask
    pack = np.array([np.flatnonzero(states[0].mask) - CARD])
    expected = fit_drafts.chances(pack, 1, weight * LOG_WANTS[int(players > 2)])[1]
    assert chances[pack[0] + CARD] / chances.sum() == pytest.approx(expected[0], rel=1e-4)


def test_the_network_answers_other_questions_and_all_where_deals_are_even():
    states, _ = in_draft(4, 1)
    scores = np.zeros(engine.NUM_ACTIONS, np.float32)
    assert not scored(states, row_of(PLAIN), scores)
    while states[0].decision == Decision.DRAFT:
        engine.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    assert not scored(states, row_of({**PLAIN, Setting.DRAFTS: 0.7}), scores)
    assert not scores.any()


# ---- how much cards are wanted


def picks(players, games=6):
    return fit_drafts.picks_of(fit_drafts.played(Network.load(SHIPPED), players, 0, games, 77))


@pytest.mark.parametrize(("players", "at_once"), [(2, 2), (4, 1)])
def test_the_shipped_policy_drafts_by_the_table(players, at_once):
    """Where this fails with a new policy, `research.fit_drafts` makes the table again."""
    found = picks(players)
    by_table = fit_drafts.chances(found, at_once, LOG_WANTS[int(players > 2)])[0].mean()
    by_lot = fit_drafts.chances(found, at_once, np.zeros(NUM_CARDS))[0].mean()
    assert by_table > by_lot + 0.5


def test_picks_are_told_by_the_deck():
    """Seven cards are left at the second pick of a pack, and at two seats six."""
    for players, at_once in ((3, 1), (2, 2)):
        found = picks(players, 1)
        assert len(found) == 3 * players * 6 // at_once
        assert [int((row >= 0).sum()) for row in found[:3]] == [8, 8 - at_once, 8 - 2 * at_once]
        assert found[1][: 8 - at_once].tolist() == found[0][at_once:].tolist()


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_fit_finds_the_worths_that_made_the_picks(at_once):
    rng = np.random.default_rng(4)
    worths = np.zeros(NUM_CARDS)
    worths[:12] = rng.normal(0, 1.5, 12)
    packs = np.stack([rng.permutation(12)[:PACK_SIZE] for _ in range(6000)])
    # The highest of worths with Gumbel noise is a pick; of pairs that of their sums.
    if at_once == 1:
        noisy = worths[packs] + rng.gumbel(size=packs.shape)
        best = noisy.argmax(1)[:, None]
    else:
        pairs = np.array([*combinations(range(PACK_SIZE), 2)])
        sums = worths[packs[:, pairs]].sum(2)
        best = pairs[(sums + rng.gumbel(size=sums.shape)).argmax(1)]
    rest = np.array([[*first, *(k for k in range(PACK_SIZE) if k not in first)] for first in best.tolist()])
    found = fit_drafts.fit(np.take_along_axis(packs, rest, 1), at_once)
    assert found[:12] - found[:12].mean() == pytest.approx(worths[:12] - worths[:12].mean(), abs=0.25)


def test_the_command_writes_a_table(tmp_path, capsys):
    out = tmp_path / "drafts.csv"
    fit_drafts.main([str(out), "--games", "1"])
    head, *rows = out.read_text().splitlines()
    assert head == "name,two,more"
    assert [row.partition(",")[0] for row in rows] == [card.name for card in engine.Card]
    with pytest.raises(SystemExit):
        fit_drafts.main([str(out), "--policy", "missing.npz"])
    assert "can't read missing.npz" in capsys.readouterr().err
