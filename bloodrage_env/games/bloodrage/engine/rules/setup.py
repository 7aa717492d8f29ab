"""Set-up of a game (rules 2). All chance of a game is here."""

import numpy as np

from .....core.compile.decorators import Ints, rule
from .....core.compile.local_arrays import local_zeros
from .....core.engine.chance import NUM_WORDS, below, seed_words, shuffle
from ..board import DESTROYED_AT_START, FIGURES_AT_START, OUTER_TOKENS
from ..card_ids import NUM_CARDS
from ..decks import copies_in_deck, has_set
from ..ids import (
    GODS_IN_GAME,
    NONE,
    NUM_AGES,
    NUM_GODS,
    NUM_KINDS,
    NUM_OUTER,
    CardSet,
    Option,
    Phase,
    Place,
    Routine,
    Token,
)
from ..stack import no_question, push
from ..state import DECK_SIZE, State
from .gods import place_gods

# Each kind of chance has a stream of its own, so that no option changes another's outcome.
TOKEN_STREAM = 1
RAGNAROK_STREAM = 2
FIRST_PLAYER_STREAM = 3
DECK_STREAM = 4  # and the two that follow; redeal has the next one
GODS_STREAM = 8


@rule
def clear(s: State) -> None:
    """An empty record: zero, or NONE where a field holds a card, a seat or a place."""
    s.num_players = 0
    s.first_game = 0
    s.skip_forced = 0
    s.sets = 0
    s.age = 0
    s.phase = Phase.GODS_GIFTS
    s.first_player = 0
    s.over = 0
    s.truncated = 0
    s.decisions = 0
    no_question(s)
    s.num_legal = 0
    s.mask[:] = 0
    s.stat_step[:] = 0
    s.rage[:] = 0
    s.glory[:] = 0
    s.glory_from[:] = 0
    s.passed[:] = 0
    s.upgrades[:] = NONE
    s.figures[:] = 0
    s.on_board[:] = 0
    s.occupied[:] = 0
    s.pillaged[:] = 0
    s.destroyed[:] = 0
    s.gods[:] = NONE
    s.god_in[:] = NONE
    s.god_tokens[:] = NONE
    s.barred[:] = 0
    s.deck[:] = NONE
    s.draft_round = 0
    s.hand[:] = 0
    s.hand_size[:] = 0
    s.quests[:] = NONE
    s.quest_count[:] = 0
    s.quests_open = 0
    s.pending[:] = NONE
    s.discards[:] = 0
    s.gone[:] = 0
    s.known[:] = 0
    s.known_since[:] = 0
    s.shown[:] = NONE
    s.shown_count[:] = 0
    s.end_known[:] = 0
    s.end_hand[:] = 0
    s.kept[:] = 0
    s.march[:] = 0
    s.dying[:] = 0
    s.depth = 0
    s.stack[:] = 0
    clear_battle(s)


@rule
def clear_battle(s: State) -> None:
    """No battle is on."""
    s.battle = 0
    s.battle_province = NONE
    s.pillager = NONE
    s.in_battle[:] = 0
    s.main[:] = NONE
    s.late[:] = NONE
    s.late_count[:] = 0
    s.text[:] = NONE
    s.counted[:] = 0
    s.fallen[:] = 0
    s.attended[:] = 0
    s.mystics[:] = 0
    s.tide_done = 0
    s.total[:] = 0
    s.winner = NONE
    s.thief = NONE


@rule
def set_up(s: State, seed: int, options: Ints) -> None:
    """Rules 2.1 to 2.5, then the gods; the same seed and options give the same decks, tokens and first player."""
    clear(s)
    num_players = int(options[Option.NUM_PLAYERS])
    s.num_players = num_players
    s.first_game = options[Option.FIRST_GAME]
    s.skip_forced = options[Option.SKIP_FORCED]
    s.sets = options[Option.SETS]
    for seat in range(num_players):
        for kind in range(NUM_KINDS):
            s.figures[seat, kind, Place.RESERVE] = FIGURES_AT_START[kind]
    words = local_zeros(NUM_WORDS, np.int64)
    lay_tokens(s, words, seed)
    draw_ragnarok(s, words, seed)
    seed_words(words, seed, FIRST_PLAYER_STREAM)
    s.first_player = below(words, num_players)
    shuffle_decks(s, seed)
    if has_set(s, CardSet.GODS):
        draw_gods(s, words, seed)
        place_gods(s)
    push(s, Routine.GAME, NONE, NONE)


@rule
def lay_tokens(s: State, words: Ints, seed: int) -> None:
    """One pillage token to each province, face up (rules 2.2)."""
    seed_words(words, seed, TOKEN_STREAM)
    tokens = local_zeros(NUM_OUTER, np.int64)
    for province in range(NUM_OUTER):
        tokens[province] = OUTER_TOKENS[province]
    shuffle(words, tokens, 0, NUM_OUTER)
    for province in range(NUM_OUTER):
        s.token[province] = tokens[province]
    s.token[Place.YGGDRASIL] = Token.ALL_STATS


@rule
def draw_ragnarok(s: State, words: Ints, seed: int) -> None:
    """Three doomed provinces, one an Age; others are destroyed from the start (rules 2.3)."""
    seed_words(words, seed, RAGNAROK_STREAM)
    provinces = local_zeros(NUM_OUTER, np.int64)
    for i in range(NUM_OUTER):
        provinces[i] = i
    shuffle(words, provinces, 0, NUM_OUTER)
    for age in range(NUM_AGES):
        s.ragnarok[age] = provinces[age]
    for i in range(DESTROYED_AT_START[s.num_players]):
        s.destroyed[provinces[NUM_AGES + i]] = 1


@rule
def draw_gods(s: State, words: Ints, seed: int) -> None:
    """Two of the gods; and for each Age an order of the Ragnarok tokens that are left (rules 6.4.5.1 to 6.4.5.3)."""
    seed_words(words, seed, GODS_STREAM)
    gods = local_zeros(NUM_GODS, np.int64)
    for i in range(NUM_GODS):
        gods[i] = i
    shuffle(words, gods, 0, NUM_GODS)
    for i in range(GODS_IN_GAME):
        s.gods[i] = gods[i]
    tokens = local_zeros(NUM_OUTER, np.int64)
    size = 0
    for province in range(NUM_OUTER):
        doomed = False
        for age in range(NUM_AGES):
            doomed = doomed or s.ragnarok[age] == province
        if s.destroyed[province] == 0 and not doomed:
            tokens[size] = province
            size += 1
    for age in range(NUM_AGES):
        shuffle(words, tokens, 0, size)
        for i in range(size):
            s.god_tokens[age, i] = tokens[i]


@rule
def shuffle_decks(s: State, seed: int) -> None:
    """The decks of the three Ages without the cards of larger games and of sets not chosen (rules 2.4, 6.4.1.2)."""
    words = local_zeros(NUM_WORDS, np.int64)
    cards = local_zeros(DECK_SIZE, np.int64)
    for age in range(NUM_AGES):
        size = 0
        for card in range(NUM_CARDS):
            for _ in range(copies_in_deck(s, age, card)):
                cards[size] = card
                size += 1
        seed_words(words, seed, DECK_STREAM + age)
        shuffle(words, cards, 0, size)
        for i in range(size):
            s.deck[age, i] = cards[i]
