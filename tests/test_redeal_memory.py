"""What a seat remembers of the cards that it has seen, and what a redeal therefore leaves where it is (rules 2.6)."""

from collections import Counter

import numpy as np
import pytest
from histories import DEALT, Diary, TooHardError, diaries
from random_play import even_action
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import NUM_CARDS, Card
from bloodrage_env.games.bloodrage.engine.cards import COPIES, TYPE
from bloodrage_env.games.bloodrage.engine.ids import NUM_BOARD, CardSet, CardType, Decision, Figure, Phase, Place

PLAYERS = [2, 3, 4]
QUICK_PLAYERS = [2, 3, pytest.param(4, marks=pytest.mark.slow)]
VILLAGES = {Place.ELVAGAR: 4, Place.ANGERBODA: 5, Place.MUSPELHEIM: 5, Place.HORGR: 4, Place.GIMLE: 5}


def redeals(diary, count):
    return [engine.redeal(diary.states, 0, diary.viewer, seed)[0] for seed in range(count)]


def drafted(seed, players, viewer):
    """A diary at the first turn of Age 1."""
    diary = Diary(seed, players, viewer)
    rng = np.random.default_rng(seed)
    while diary.state.phase == Phase.GODS_GIFTS:
        diary.answer(even_action(diary.states, rng))
    return diary


def cards_in(hand):
    return Counter({card: int(n) for card, n in enumerate(hand) if n})


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_every_redeal_is_a_history_that_fits(players):
    """Packs, shown, returned, stolen, committed, revealed and kept cards of whole games: all as the seat saw them."""
    checked = 0
    for diary in diaries(players, range(40), 0.08):
        where = f"seed {diary.seed}, decision {diary.state.decisions}"
        assert diary.fits(diary.states), f"{where}: the diary is wrong"
        for seed in range(4):
            assert diary.fits(engine.redeal(diary.states, 0, diary.viewer, seed)), where
            checked += 1
    assert checked > 800


def test_two_players_know_what_was_taken_of_a_pack_seen_before_and_after():
    """rules 3.1.3: of the own pack the other took two cards, and it came back: they are in the other's hand."""
    for seed in range(40):
        diary = drafted(seed, 2, seed % 2)
        passed = diary.packs[0, 0] - Counter(diary.kept[0, 0])
        taken = passed - diary.packs[0, 2]
        assert sum(taken.values()) == 2
        for s in redeals(diary, 20):
            hand = cards_in(s.hand[1 - diary.viewer])
            assert hand >= taken
            assert not hand & Counter(diary.packs[0, 2])
            # Of the four that went on in round two, the other kept two; the last two left the game.
            last = diary.packs[0, 1] - Counter(diary.kept[0, 1])
            assert sum((hand & last).values()) == 2
            assert cards_in(s.gone[1 - diary.viewer]) == last - hand


def test_four_players_see_their_pack_again_in_round_five():
    """rules 3.1.2: each of the others has one of the three cards that are missing, and which one is open."""
    for seed in range(30):
        diary = drafted(seed, 4, seed % 4)
        missing = diary.packs[0, 0] - Counter(diary.kept[0, 0]) - diary.packs[0, 4]
        assert sum(missing.values()) == 3
        pack = DEALT * diary.viewer
        orders = set()
        for s in redeals(diary, 60):
            taken = s.deck[0, pack + 1 : pack + 4].tolist()
            assert Counter(taken) == missing
            orders.add(tuple(taken))
            for turn, card in enumerate(taken):
                assert s.hand[(diary.viewer + turn + 1) % 4, card] > 0
        assert len(orders) == (6 if len(missing) == 3 else 3)


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_passed_on_lie_with_those_who_came_after(players):
    """A card of a pack that went on is with one of those who had the pack since, or among the last two."""
    seen_with = Counter()
    for seed in range(12):
        diary = drafted(seed, players, 0)
        s = diary.state
        for (_, turn), pack in diary.packs.items():
            start = DEALT * (-turn % players)
            passed = pack - Counter(diary.kept[0, turn])
            for draw in redeals(diary, 12):
                places = draw.deck[0, start + diary.picks * (turn + 1) : start + DEALT].tolist()
                assert Counter(places) == passed
                for k in range(diary.picks * (turn + 1), DEALT):
                    card = int(draw.deck[0, start + k])
                    holder = (-turn + k // diary.picks) % players
                    where = draw.gone if k >= 6 else draw.hand
                    if k >= 6:
                        holder = (-turn + 6 // diary.picks - 1) % players
                    assert where[holder, card] > 0
                    seen_with[turn, holder if k < 6 else "last", card == s.deck[0, start + k]] += 1
    for turn in range(6 // diary.picks - 1):
        assert seen_with[turn, "last", False] > 0, "what is left of a pack passed on is open"


def returned(diary):
    """What a clan took back into the hand in the open and has not shown again: seat, card, its place in the events."""
    for seat in diary.opponents:
        last = {}
        for i, event in enumerate(diary.events[seat]):
            if event[0] == "end":
                last = {}
            elif event[0] == "return":
                last[event[1]] = i
            elif event[0] == "show":
                last.pop(event[1], None)
        for card, i in last.items():
            yield seat, card, i


@pytest.mark.parametrize("players", QUICK_PLAYERS)
def test_a_card_taken_back_stays_in_that_hand(players):
    """rules 4.6: until a face-down quest or the discard; a quest may be what was committed since, never before."""
    stayed = quests_stayed = moved = 0
    for diary in diaries(players, range(60), 0.1):
        if diary.state.phase != Phase.ACTION:
            continue
        for seat, card, i in returned(diary):
            since = sum(event[0] == "commit" for event in diary.events[seat][i:])
            first = int(diary.state.quest_count[seat]) - since
            draws = redeals(diary, 6)
            for s in draws:
                quests = s.quests[seat, : s.quest_count[seat]].tolist()
                assert s.hand[seat, card] + (card in quests[first:]) > 0
                if TYPE[card] != CardType.QUEST or since == 0:
                    assert s.hand[seat, card] > 0
                    stayed += 1
                    quests_stayed += TYPE[card] == CardType.QUEST
                else:
                    moved += card in quests[first:]
                if players < 4:  # there is one copy of each quest
                    assert card not in quests[:first]
    assert stayed > 100
    assert quests_stayed > 20
    assert moved > 0


@pytest.mark.parametrize("players", [2, 3])
def test_a_stolen_card_stays_with_the_thief(players):
    """rules 6.2.7: Loki's Poison takes cards in the open."""
    found = 0
    for diary in diaries(players, range(120), 0.3):
        for seat, card in diary.stolen:
            later = diary.events[seat][diary.events[seat].index(("return", card)) + 1 :]
            if TYPE[card] == CardType.QUEST or ("show", card) in later or diary.state.phase != Phase.ACTION:
                continue
            assert all(s.hand[seat, card] > 0 for s in redeals(diary, 10))
            found += 1
    assert found > 3


@pytest.mark.parametrize("players", PLAYERS)
def test_committed_quests_are_quests(players):
    """rules 3.2.8, S5: what lies face down is a quest of this Age, or one that was kept; which one is open."""
    open_ones = 0
    for diary in diaries(players, range(25), 0.1):
        s = diary.state
        if s.quests_open:
            continue
        for seat in diary.opponents:
            faces = [set() for _ in range(s.quest_count[seat])]
            for draw in redeals(diary, 12):
                quests = draw.quests[seat, : s.quest_count[seat]].tolist()
                assert all(TYPE[card] == CardType.QUEST for card in quests)
                assert all(COPIES[CardSet.BASE, players, : s.age + 1, card].any() for card in quests)
                for face, card in zip(faces, quests, strict=True):
                    face.add(card)
            open_ones += sum(len(face) > 1 for face in faces)
    assert open_ones > 20


@pytest.mark.parametrize("players", PLAYERS)
def test_the_kept_card_is_one_that_the_clan_could_have_had(players):
    """rules 3.3: it comes from the cards of Age 1 that the clan may have taken and has not shown, or took back."""
    varied = 0
    for diary in diaries(players, range(60), 0.1):
        s = diary.state
        if s.age != 1 or s.phase != Phase.GODS_GIFTS or s.draft_round > 0:
            continue
        for seat in diary.opponents:
            shown = cards_in(np.bincount([e[1] for e in diary.events[seat] if e[0] == "show"], minlength=82))
            back = {event[1] for event in diary.events[seat] if event[0] == "return"}
            own = sum((Counter(cards) for cards in diary.kept.values()), Counter())
            kept = set()
            for draw in redeals(diary, 30):
                kept |= set(np.flatnonzero(draw.hand[seat]).tolist())
            assert (len(kept) > 0) == bool(s.hand_size[seat])
            for card in kept - back:
                assert own[card] + shown[card] < COPIES[CardSet.BASE, players, 0, card]
            varied += len(kept) > 1
    assert varied > 5


@pytest.mark.parametrize("players", QUICK_PLAYERS)
def test_a_card_of_an_earlier_age_that_is_shown_was_the_kept_one(players):
    """rules 3.3: one card at most is kept, so that after it there is no other card of that Age in the hand."""
    before = after = 0
    for diary in diaries(players, range(100), 0.2):
        s = diary.state
        if s.age != 1 or s.phase != Phase.ACTION or diary.stolen:
            continue
        decks = COPIES[CardSet.BASE, players]
        only_first = {card for card in range(NUM_CARDS) if decks[0, card] and not decks[1, card]}
        for seat in diary.opponents:
            ends = [i for i, event in enumerate(diary.events[seat]) if event[0] == "end"]
            shown = {event[1] for event in diary.events[seat][ends[0] :] if event[0] == "show"} & only_first
            old = [count_of(draw, seat, only_first) for draw in redeals(diary, 10)]
            if shown:
                assert old == [count_of(s, seat, shown)] * len(old)
                after += 1
            elif diary.events[seat][ends[0]][3] == 1:
                assert max(old) <= 1
                before += max(old) == 1
    assert before > 20
    assert after > 5


def count_of(s, seat, cards):
    """Cards of a set in a hand or among the committed quests."""
    held = s.hand[seat].copy()
    for card in s.quests[seat, : s.quest_count[seat]]:
        held[card] += 1
    return sum(int(held[card]) for card in cards)


def thief_with_two_copies(seed):
    """Four players, Age 3: a clan takes a quest back, commits a quest, and steals another copy of it (rules 6.2.7).

    Return the game, the clan and the quest that it committed; None if the cards of this seed do not allow it.
    """
    states = engine.new_game(seed, 4)
    while not engine.is_over(states, 0) and not (states[0].age == 2 and states[0].decision == Decision.ACTION):
        engine.play_random(states, 0, seed, 1)
    s = states[0]
    quests = np.flatnonzero(TYPE == CardType.QUEST)
    for clan in range(4):
        for other in range(4):
            both = [int(card) for card in quests if s.hand[clan, card] and s.hand[other, card]]
            plain = [c for c in range(82) if s.hand[other, c] and TYPE[c] == CardType.MONSTER]
            if clan != other and both and plain and s.hand[clan, Card.LOKIS_POISON]:
                try:
                    return steal(states, clan, other, both[0], plain[0]), clan, both[0]
                except AssertionError:
                    pass  # upgrades or stats got in the way
    return None


def steal(states, clan, other, quest, plain):
    g = Scenario(players=4, age=3)
    g.states = states
    g.state.figures[:, Figure.MONSTER_1 :, :] = 0
    place = next(p for p in VILLAGES if not g.is_destroyed(p))
    g.state.pillaged[:] = 0

    def battle(pillager, cards):
        for seat in range(4):
            for kind in range(3):
                g.state.figures[seat, kind, Place.RESERVE] += g.state.figures[seat, kind, :NUM_BOARD].sum()
                g.state.figures[seat, kind, Place.RESERVE] += g.state.figures[seat, kind, Place.VALHALLA]
                g.state.figures[seat, kind, :NUM_BOARD] = 0
                g.state.figures[seat, kind, Place.VALHALLA] = 0
        g.put(clan, "warrior", place)
        g.put(other, "leader", place)
        g.state.rage[:] = 6
        g.state.passed[:] = 0
        while g.asked() != (pillager, Decision.ACTION):
            g.pass_(g.asked()[0])
            g.state.passed[:] = 0
            g.state.rage[:] = 6
        g.pillage(pillager, place)
        g.decline_calls()
        while g.asked()[1] == Decision.BATTLE_CARD:
            seat = g.asked()[0]
            g.card(seat, cards[seat])
        while g.asked()[1] != Decision.ACTION:
            seat = g.asked()[0]
            legal = g.legal_actions()
            g.answer(seat, act.NO if act.NO in legal else legal[0])

    battle(clan, {clan: quest, other: plain})
    assert g.state.known[clan, quest] == 1
    g.state.rage[:] = 6
    while g.asked() != (clan, Decision.ACTION):
        g.pass_(g.asked()[0])
        g.state.passed[:] = 0
        g.state.rage[:] = 6
    g.play(clan, quest)
    battle(other, {clan: Card.LOKIS_POISON, other: quest})
    assert g.state.known[clan, quest] == 2
    assert g.state.age == 2
    return g.states


def test_of_two_copies_of_a_quest_the_older_may_be_the_committed_one():
    """rules 2.6: what was seen before the commitment may lie there, although another copy was seen later."""
    found = 0
    for seed in range(3000):
        game = thief_with_two_copies(seed)
        if game is None:
            continue
        states, clan, quest = game
        for viewer in {0, 1, 2, 3} - {clan}:
            committed = Counter(int(engine.redeal(states, 0, viewer, k)[0].quests[clan, 0]) for k in range(300))
            assert committed[quest] > 0, f"seed {seed}: committed {quest}, redeals say {dict(committed)}"
        found += 1
        if found == 3:
            break
    assert found == 3


def test_the_diary_gives_up_rather_than_guess():
    diary = Diary(0, 3, 0)
    diary.state.age = 1
    with pytest.raises(TooHardError):
        diary.positions()
