"""`greedy`: one decision ahead. Each legal action is tried in a few redeals of the game, and the position is evaluated.

The open questions that follow at once (battles, saves, stats) are answered by a fixed rule, so that a pillage is seen
with its end. docs/agents/greedy.md lists the terms of the evaluation.
"""

import numpy as np

from bloodrage_env.core.compile.decorators import entry, rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.core.engine.chance import NUM_WORDS, next_word, seed_words, unit
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    NO,
    NONE,
    NUM_ACTIONS,
    NUM_AGES,
    NUM_CARDS,
    NUM_KINDS,
    NUM_PROVINCES,
    NUM_SLOTS,
    NUM_STATS,
    QUEST_GLORY,
    RAGNAROK_GLORY,
    STAT_BONUS,
    STATE,
    STRENGTH,
    TYPE,
    CardType,
    Decision,
    Phase,
    Place,
    Purpose,
    State,
    States,
    check_game,
    check_open,
    check_seed,
    clan_strength,
    doomed_province,
    end_glory,
    figures_in_reach,
    quest_met,
    quest_times,
    ragnarok_times,
    redeal,
    release_glory,
    strongest_alone,
)

from .weights import NUM_WEIGHTS, STYLES, TABLE

# Terms of the evaluation, in glory (docs/agents/greedy.md).
STEP = 1.5  # a step on a stat, besides the end bonus
RAGE = 1.0
STRENGTH_ON_BOARD = 0.6  # a point of STR, while another Age follows
SURVIVAL = 0.8  # of the glory of figures in the doomed province
TOKEN = 2.0  # a province that can still be pillaged, where the clan is strongest
YGGDRASIL_TOKEN = 5.0
QUEST_STEP = 3.0  # the stat of a quest
IN_HAND = 0.5  # share of its worth that a card in the hand counts
STREAM = 2  # of the generator
BALANCED = STYLES.index("balanced")


@rule
def evaluate(s: State, seat: int) -> float:
    """Return the worth of a clan's position in glory, including its hand and quests, which `s` must contain."""
    worth = float(s.glory[seat]) + RAGE * int(s.rage[seat])
    for stat in range(NUM_STATS):
        step = int(s.stat_step[seat, stat])
        worth += STEP * step + STAT_BONUS[step]
    for slot in range(NUM_SLOTS):
        if s.upgrades[seat, slot] != NONE:
            worth += TABLE[BALANCED, NUM_WEIGHTS + s.upgrades[seat, slot]]
    if s.over == 0:
        worth += figures_worth(s, seat) + cards_worth(s, seat)
    return worth


@rule
def figures_worth(s: State, seat: int) -> float:
    """Return the worth of figures in Valhalla, on the board and in the doomed province, and of control."""
    fallen = 0
    for kind in range(NUM_KINDS):
        fallen += int(s.figures[seat, kind, Place.VALHALLA])
    worth = float(fallen * release_glory(s, seat) + int(s.on_board[seat]) * end_glory(s, seat))
    for province in range(NUM_PROVINCES):
        if s.destroyed[province] == 0 and figures_in_reach(s, seat, province) > 0:
            if province == doomed_province(s):
                glory = int(RAGNAROK_GLORY[s.age]) * ragnarok_times(s, seat) + release_glory(s, seat)
                worth += SURVIVAL * figures_in_reach(s, seat, province) * glory
            elif s.age < NUM_AGES - 1:
                worth += STRENGTH_ON_BOARD * clan_strength(s, seat, province, Purpose.BATTLE)
            able = s.phase == Phase.ACTION and s.rage[seat] > 0 and s.pillaged[province] == 0
            if able and strongest_alone(s, seat, province):
                worth += YGGDRASIL_TOKEN if province == Place.YGGDRASIL else TOKEN
    return worth


@rule
def cards_worth(s: State, seat: int) -> float:
    """Return the worth of quests that would be met now, and of the hand, including a card chosen in secret."""
    worth = 0.0
    times = quest_times(s, seat)
    for i in range(s.quest_count[seat]):
        card = int(s.quests[seat, i])
        worth += (QUEST_GLORY[card] * times + QUEST_STEP) * (1.0 if quest_met(s, seat, card) else 0.3)
    for card in range(NUM_CARDS):
        count = int(s.hand[seat, card])
        if s.phase != Phase.ACTION:
            count += int(s.pending[seat, 0] == card) + int(s.pending[seat, 1] == card)
        worth += IN_HAND * count * TABLE[BALANCED, NUM_WEIGHTS + card]
    return worth


@rule
def settle(s: State, turn: int) -> None:
    """Answer the questions of the turn `turn` by a fixed rule: the strongest card, otherwise no further step."""
    while s.over == 0 and s.phase == Phase.ACTION and s.decision != Decision.ACTION and s.decisions < turn:
        best = engine.pick(s, int(s.num_legal) - 1)
        if s.decision == Decision.BATTLE_CARD:
            strongest = -1
            for card in range(NUM_CARDS):
                if s.mask[CARD + card] == 1:
                    strength = int(STRENGTH[card]) if TYPE[card] == CardType.BATTLE else 0
                    if strength > strongest:
                        strongest = strength
                        best = CARD + card
        elif s.mask[NO] == 1:
            best = NO
        engine.step(s, best)


@rule
def advantage(s: State, seat: int) -> float:
    """Return a clan's evaluation minus that of the best opponent."""
    best = -1e9
    for other in range(s.num_players):
        if other != seat:
            best = max(best, evaluate(s, other))
    return evaluate(s, seat) - best


@entry
def choose_greedy(states: States, index: int, redeals: int, seed: int) -> int:
    """Return the action with the best mean position of the seat to act over `redeals` redeals of game `index`.

    All random numbers follow from the seed. The game can be a hidden view.
    """
    check_game(states, index)
    check_open(states[index])
    check_seed(seed)
    if redeals < 1:
        raise ValueError("redeals must be 1 or more")
    seat = int(states[index].seat)
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, STREAM)
    totals = np.zeros(NUM_ACTIONS)
    scratch = np.zeros(1, STATE)
    for _ in range(redeals):
        world = redeal(states, index, seat, next_word(words))
        for action in range(NUM_ACTIONS):
            if states[index].mask[action] == 1:
                copy_record(scratch, 0, world[0])
                engine.step(scratch[0], action)
                settle(scratch[0], int(scratch[0].decisions) + 60)
                totals[action] += advantage(scratch[0], seat)
    best = -1
    best_total = 0.0
    for action in range(NUM_ACTIONS):
        if states[index].mask[action] == 1:
            total = totals[action] + 1e-6 * unit(words)
            if best < 0 or total > best_total:
                best = action
                best_total = total
    return best
