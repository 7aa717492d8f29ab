"""What always holds, over thousands of random games, and that each invariant is really looked at."""

from itertools import product

import numpy as np
import pytest
from random_play import GODS, KS, MYSTICS, P5, games_in_the_middle

from bloodrage_env.core.engine.checked_play import OUT_OF_RANGE
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import QUEST_INDEX, QUESTS, TYPE
from bloodrage_env.games.bloodrage.engine.ids import NONE, CardType, Decision, Figure, God, Phase, Place, Routine, Slot
from bloodrage_env.games.bloodrage.engine.invariants import Invariant, broken_invariant, play_checked
from bloodrage_env.games.bloodrage.engine.state import MAX_DEPTH, Frame

GAMES = 60  # of each mixture of options, none with the seed of another one
# Every number of players with every choice of sets (rules 6.4.1.1).
ANY = [sum(chosen) for chosen in product((0, P5), (0, KS), (0, MYSTICS), (0, GODS))]
SUBSETS = [(players, sets) for sets in ANY for players in (2, 3, 4, 5) if players < 5 or sets & P5]
ABSENT = 3  # a seat that nobody has with three players


@pytest.mark.parametrize(("players", "sets"), SUBSETS)
@pytest.mark.parametrize(("first_game", "skip_forced"), [(False, True), (True, True), (False, False), (True, False)])
def test_every_law_holds_after_every_decision(players, sets, first_game, skip_forced):
    """Random games end by themselves long before the cap (rules 7.9) and need little of the stack."""
    tally, options = np.zeros(4, np.int64), np.array([players, first_game, skip_forced, sets])
    first = GAMES * (SUBSETS.index((players, sets)) + len(SUBSETS) * (2 * first_game + skip_forced))
    seed = play_checked(np.zeros(1, engine.STATE), first, GAMES, options, tally)
    decisions, invariant, depth, truncated = tally.tolist()
    assert seed == -1, f"seed {seed} breaks {Invariant(invariant).name}"
    assert invariant == 0
    assert truncated == 0
    assert 4 <= depth <= 8 < MAX_DEPTH
    assert 60 * GAMES < decisions < 400 * GAMES


def test_every_law_holds_where_clans_fight():
    """Play that looks for battles, quests and late cards: rare texts come up, and every kind of question."""
    asked = set()
    depth = 0
    for seed, states, _ in games_in_the_middle(range(240), share=1.0):
        invariant = broken_invariant(states, 0)
        assert invariant == Invariant.NONE, f"seed {seed}, decision {states[0].decisions}: {Invariant(invariant).name}"
        asked.add(int(states[0].decision))
        depth = max(depth, int(states[0].depth))
    assert asked == set(Decision)
    assert depth <= 8


def test_a_game_that_is_cut_off_breaks_no_law():
    """rules 7.9: wherever the cap falls, in the draft, a battle or a discard, cards and figures are all there."""
    for seed, states, _ in games_in_the_middle(range(60), share=0.1):
        if engine.is_over(states, 0):
            continue
        question = Decision(int(states[0].decision)).name
        cut = engine.clone(states, 0)
        cut[0].decisions = engine.MAX_DECISIONS - 1
        engine.apply(cut, 0, int(np.flatnonzero(cut[0].mask)[0]))
        if not cut[0].truncated:
            continue  # it ended by itself
        invariant = broken_invariant(cut, 0)
        assert invariant == Invariant.NONE, f"seed {seed}, cut off at {question}: {Invariant(invariant).name}"


@pytest.fixture
def board():
    """A game of three in the Action phase of Age 1, with figures on the board and cards in every hand."""
    for seed in range(1000):
        states = engine.new_game(seed, 3)
        engine.play_random(states, 0, seed, 40)
        s = states[0]
        if s.phase == Phase.ACTION and s.decision == Decision.ACTION and s.on_board[:3].all() and s.hand_size[:3].all():
            assert broken_invariant(states, 0) == Invariant.NONE
            return states
    raise AssertionError("no such game")


def crowd_utgard(s):
    """Four warriors in three villages, all counted."""
    for seat in range(3):
        s.figures[seat, Figure.WARRIOR, Place.RESERVE] += s.figures[seat, Figure.WARRIOR, Place.UTGARD]
        s.on_board[seat] -= s.figures[seat, Figure.WARRIOR, Place.UTGARD]
        s.occupied[Place.UTGARD] -= s.figures[seat, Figure.WARRIOR, Place.UTGARD]
        s.figures[seat, Figure.WARRIOR, Place.UTGARD] = 0
    stand(s, Figure.WARRIOR, Place.UTGARD, 4)


def stand(s, kind, place, count=1):
    """Figures of seat 0 from the reserve to a place, all counted."""
    s.figures[0, kind, Place.RESERVE] -= count
    s.figures[0, kind, place] += count
    s.on_board[0] += count
    s.occupied[place] += count


def ship_ashore(s):
    place = int(np.flatnonzero(s.figures[0, Figure.SHIP])[0])
    if place < len(s.occupied):
        s.on_board[0] -= 1
        s.occupied[place] -= 1
    s.figures[0, Figure.SHIP, place] = 0
    s.figures[0, Figure.SHIP, Place.RESERVE] = 1
    stand(s, Figure.SHIP, Place.YGGDRASIL)


def ship_in_a_dead_fjord(s):
    s.destroyed[:] = 1
    s.figures[:, :, : len(s.occupied)] = 0
    s.occupied[:] = 0
    s.on_board[:] = 0
    s.figures[:3, Figure.WARRIOR, Place.RESERVE] = 8 - s.figures[:3, Figure.WARRIOR, Place.VALHALLA]
    s.figures[:3, Figure.LEADER, Place.RESERVE] = 1 - s.figures[:3, Figure.LEADER, Place.VALHALLA]
    s.figures[:3, Figure.SHIP, Place.VALHALLA] = 0
    s.figures[:3, Figure.SHIP, Place.RESERVE] = 1
    stand(s, Figure.SHIP, Place.FJORD_GIMLE_MYRKULOR)


def warrior_in_ruins(s):
    place = int(np.flatnonzero(s.occupied[:8] == 0)[0])
    s.destroyed[place] = 1
    stand(s, Figure.WARRIOR, place)


def first_card(s, seat=0):
    return int(np.flatnonzero(s.hand[seat])[0])


def unheld_card(s, seat=0):
    return int(np.flatnonzero(s.hand[seat] == 0)[0])


def swap_card(s):
    """The hand keeps its size, but a card of it has become another."""
    s.hand[0, first_card(s)] -= 1
    s.hand[0, Card.TYRS_WRATH] += 1


def late_card(s):
    s.late[2, 0] = Card.TYRS_BASH
    s.late_count[2] = 1


def upgrade_in_a_slot_of_another_type(s):
    """From the hand of seat 0, which has it instead of its first card, into a slot that is not its own."""
    s.upgrades[0, Slot.LEADER] = card = first_card(s)
    s.hand[0, card] -= 1
    s.hand_size[0] -= 1


def commit_no_quest(s):
    """A card of the hand that is not a quest lies among the committed ones."""
    card = next(int(card) for card in np.flatnonzero(s.hand[0]) if TYPE[card] != CardType.QUEST)
    s.hand[0, card] -= 1
    s.hand_size[0] -= 1
    s.quests[0, s.quest_count[0]] = card
    s.quest_count[0] += 1


def face_up_too_early(s):
    """Quests are revealed in the Quest phase; what is known here is none of them."""
    s.known[:] = 0
    s.quests_open = 1


def known_before_it_was_seen(s):
    """A committed quest that all know, although it was committed before they can have seen it in the hand."""
    seat, quest = next((seat, quest) for seat in range(3) for quest in QUESTS if s.hand[seat, quest] == 1)
    s.hand[seat, quest] = 0
    s.hand_size[seat] -= 1
    s.quests[seat, s.quest_count[seat]] = quest
    s.known_since[seat, QUEST_INDEX[quest], 0] = s.quest_count[seat] + 1
    s.quest_count[seat] += 1
    s.known[seat, quest] = 1


def edit(name, *index, by=1):
    """An edit that adds `by` to one number."""

    def change(s):
        s[name][index] += by

    change.__name__ = f"{name}{list(index)} {by:+}"
    return change


def setting(name, value):
    def change(s):
        s[name] = value

    change.__name__ = f"{name} = {value}"
    return change


EDITS = [
    (Invariant.QUESTION, setting("seat", 3)),
    (Invariant.QUESTION, setting("seat", NONE)),
    (Invariant.QUESTION, setting("num_legal", 0)),
    (Invariant.QUESTION, lambda s: s["mask"].__setitem__(0, 1 - s.mask[0])),
    (Invariant.QUESTION, setting("decision", Decision.SAVE)),
    (Invariant.QUESTION, setting("decision", Decision.NONE)),
    (Invariant.QUESTION, setting("truncated", 1)),
    (Invariant.QUESTION, lambda s: s["stack"].__setitem__((1, Frame.SEAT), s.seat)),
    (OUT_OF_RANGE, setting("depth", 0)),
    (OUT_OF_RANGE, setting("depth", MAX_DEPTH)),
    (Invariant.STACK, setting("depth", 1)),
    (Invariant.STACK, setting("phase", Phase.QUEST)),
    (Invariant.STACK, edit("stack", 0, Frame.STEP)),
    (Invariant.STACK, edit("stack", 1, Frame.PLACE)),
    (Invariant.STACK, lambda s: s["stack"].__setitem__((1, Frame.SEAT), 3)),
    (Invariant.STACK, lambda s: s["stack"].__setitem__((1, Frame.ROUTINE), Routine.RAGNAROK)),
    (OUT_OF_RANGE, lambda s: s["stack"].__setitem__((1, Frame.ROUTINE), 99)),
    (Invariant.DECK, edit("deck", 2, 3)),
    (Invariant.DECK, lambda s: s["deck"].__setitem__((1, 0), NONE)),
    (Invariant.DECK, setting("draft_round", 5)),
    (Invariant.CHOICES, lambda s: s["pending"].__setitem__((0, 0), first_card(s))),
    (Invariant.CHOICES, lambda s: s["pending"].__setitem__((1, 1), 3)),
    (Invariant.GODS, lambda s: s["god_in"].__setitem__(Place.YGGDRASIL, God.TYR)),
    (Invariant.BATTLE, setting("battle", 1)),
    (Invariant.BATTLE, setting("pillager", 0)),
    (Invariant.BATTLE, setting("battle_province", 2)),
    (Invariant.BATTLE, setting("winner", 3)),
    (Invariant.BATTLE, lambda s: s["text"].__setitem__(1, Card.TYRS_BASH)),
    (Invariant.MOVES, lambda s: s["march"].__setitem__(1, 1)),
    (Invariant.MOVES, lambda s: s["dying"].__setitem__(4, 1)),
    (Invariant.HISTORY, edit("shown_count", 0, 2)),
    (Invariant.HISTORY, edit("end_known", 0, 1, 5)),
    (Invariant.HISTORY, edit("kept", 0, 1)),
    (Invariant.SLOTS, upgrade_in_a_slot_of_another_type),
    (Invariant.QUESTS, commit_no_quest),
    (Invariant.QUESTS, face_up_too_early),
    (Invariant.FIGURES, edit("figures", 0, Figure.WARRIOR, Place.RESERVE)),
    (Invariant.FIGURES, edit("figures", 2, Figure.LEADER, Place.VALHALLA)),
    (OUT_OF_RANGE, edit("figures", 1, Figure.SHIP, Place.RESERVE, by=-2)),
    (Invariant.FIGURES, edit("figures", 1, Figure.MONSTER_2, Place.VALHALLA)),
    (Invariant.MYSTICS, edit("figures", 1, Figure.MYSTIC, Place.RESERVE)),
    (Invariant.MYSTICS, edit("figures", 0, Figure.MYSTIC, Place.VALHALLA, by=2)),
    (Invariant.FIGURES, edit("figures", 0, Figure.MYSTIC, Place.VALHALLA, by=3)),
    (Invariant.BARS, edit("barred", 1, Place.GIMLE)),
    (Invariant.COUNTS, edit("on_board", 1)),
    (Invariant.COUNTS, edit("occupied", Place.YGGDRASIL)),
    (Invariant.COUNTS, edit("figures", 0, Figure.WARRIOR, Place.GIMLE)),
    (Invariant.VILLAGES, crowd_utgard),
    (Invariant.PLACES, lambda s: stand(s, Figure.WARRIOR, Place.FJORD_GIMLE_MYRKULOR)),
    (Invariant.PLACES, ship_ashore),
    (Invariant.PLACES, ship_in_a_dead_fjord),
    (Invariant.PLACES, warrior_in_ruins),
    (Invariant.CARDS, edit("discards", Card.TROLL)),
    (Invariant.CARDS, edit("gone", 1, Card.TROLL)),
    (Invariant.CARDS, swap_card),
    (Invariant.CARDS, setting("age", 1)),
    (Invariant.CARDS, late_card),
    (Invariant.CARDS, lambda s: s["main"].__setitem__(0, Card.TYRS_BASH)),
    (Invariant.CARDS, lambda s: s["upgrades"].__setitem__((0, Slot.CLAN_3), Card.THORS_GLORY)),
    (Invariant.CARDS, edit("quest_count", 0)),
    (Invariant.HANDS, edit("hand_size", 2)),
    (Invariant.KNOWLEDGE, lambda s: s["known"].__setitem__((1, unheld_card(s, 1)), 1)),
    (OUT_OF_RANGE, lambda s: s["known"].__setitem__((1, first_card(s, 1)), -1)),
    (Invariant.KNOWLEDGE, known_before_it_was_seen),
    (Invariant.SCORES, edit("glory", 0)),
    (Invariant.SCORES, edit("glory_from", 2, 3)),
    (OUT_OF_RANGE, lambda s: s["rage"].__setitem__(1, -1)),
    (OUT_OF_RANGE, lambda s: s["stat_step"].__setitem__((1, 2), 6)),
    (OUT_OF_RANGE, lambda s: s["stat_step"].__setitem__((1, 2), -1)),
    (Invariant.ABSENT, edit("rage", ABSENT)),
    (Invariant.ABSENT, edit("glory", ABSENT)),
    (Invariant.ABSENT, edit("hand_size", ABSENT)),
    (Invariant.ABSENT, edit("figures", ABSENT, Figure.LEADER, Place.RESERVE)),
]


@pytest.mark.parametrize(("invariant", "change"), EDITS, ids=lambda value: getattr(value, "name", None))
def test_each_invariant_is_caught(board, invariant, change):
    change(board[0])
    assert broken_invariant(board, 0) == invariant


GOD_EDITS = {
    "the same god twice": lambda s: s["gods"].__setitem__(1, s.gods[0]),
    "one god only": lambda s: s["gods"].__setitem__(1, NONE),
    "a god in two provinces": lambda s: s["god_in"].__setitem__(Place.YGGDRASIL, s.gods[0]),
    "a god not of the game": lambda s: s["god_in"].__setitem__(s.god_in.argmax(), min(set(God) - set(s.gods.tolist()))),
    "a god in ruins": lambda s: s["destroyed"].__setitem__(s.god_in.argmax(), 1),
    "no token": lambda s: s["god_tokens"].__setitem__((2, 1), NONE),
    "a token too many": lambda s: s["god_tokens"].__setitem__((2, 3), s.god_tokens[2, 0]),
    "the same token twice": lambda s: s["god_tokens"].__setitem__((2, 1), s.god_tokens[2, 0]),
    "a token of the Age track": lambda s: s["god_tokens"].__setitem__((1, 0), s.ragnarok[2]),
    "a token drawn already": lambda s: s["god_tokens"].__setitem__((0, 0), s.god_tokens[1, 0]),
}


@pytest.mark.parametrize("change", GOD_EDITS.values(), ids=GOD_EDITS)
def test_the_gods_are_looked_at(change):
    """rules 6.4.5: in a game with gods, before the first choice."""
    states = engine.new_game(4, 3, sets=GODS)
    assert broken_invariant(states, 0) == Invariant.NONE
    change(states[0])
    assert broken_invariant(states, 0) == Invariant.GODS


def test_no_law_is_left_out():
    assert {invariant for invariant, _ in EDITS} == set(Invariant) - {Invariant.NONE} | {OUT_OF_RANGE}


def test_a_card_between_hand_and_slot_is_counted():
    """While its owner chooses the slot, a paid upgrade is neither in the hand nor on the clan sheet."""
    seen = 0
    for _, states, _ in games_in_the_middle(range(60), share=1.0):
        if states[0].decision == Decision.SLOT:
            seen += 1
            frame = states[0].stack[states[0].depth - 1]
            card = int(frame[Frame.CARD])  # on its way
            frame[Frame.CARD] = Card.TYRS_WRATH if card != Card.TYRS_WRATH else Card.TYRS_DOMAIN
            assert broken_invariant(states, 0) == Invariant.CARDS
            frame[Frame.CARD] = card
    assert seen > 10
