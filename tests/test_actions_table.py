"""The table of action ids, walked in both directions (`engine/actions.py`)."""

import numpy as np
import pytest
from random_play import MYSTICS, games_in_the_middle

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import CARD_CAPACITY, NUM_CARDS, Card
from bloodrage_env.games.bloodrage.engine.cards import cards_of
from bloodrage_env.games.bloodrage.engine.ids import (
    KIND_CAPACITY,
    NUM_BOARD,
    NUM_KINDS,
    NUM_PROVINCES,
    NUM_STATS,
    PLAYABLE,
    Decision,
    Figure,
    Place,
)

BLOCKS = {block.name: block for block in engine.BLOCKS}

# Which blocks may answer a question.
ANSWERS = {
    Decision.DRAFT: {"CARD"},
    Decision.ACTION: {"PASS", "SACRIFICE", "RAISE_DEAD", "CARD", "FIGURE_AT", "PROVINCE", "MARCH"},
    Decision.MARCH: {"COUNT"},
    Decision.SLOT: {"SLOT"},
    Decision.FREE_INVADE: {"FIGURE_AT", "NO"},
    Decision.RAISE_DEAD: {"FIGURE_AT"},
    Decision.SACRIFICE: {"FIGURE_AT"},
    Decision.SUCCOR: {"YES", "NO"},
    Decision.FREE_PILLAGE: {"YES", "NO"},
    Decision.CALL: {"FIGURE_AT", "NO"},
    Decision.BATTLE_CARD: {"CARD"},
    Decision.COUNT_QUEST: {"COUNT"},
    Decision.KEEP_FIGURE: {"FIGURE_AT"},
    Decision.SAVE: {"COUNT", "YES"},
    Decision.LATE_CARD: {"CARD", "NO"},
    Decision.BUY_BACK: {"CARD", "NO"},
    Decision.STAT: {"STAT"},
    Decision.LEADER_MOVE: {"PROVINCE", "NO", "FIGURE_AT"},
    Decision.BLESSING: {"YES", "NO"},
    Decision.KEEP_CARD: {"CARD", "NO"},
    Decision.WITHDRAW: {"PROVINCE", "NO"},
    Decision.VICTIM: {"FIGURE_AT", "NO"},
    Decision.GOD_MOVE: {"PROVINCE"},
}


def block_of(action):
    return next(block for block in engine.BLOCKS if block.start <= action < block.start + block.size)


def test_blocks_follow_each_other():
    start = 0
    for block in engine.BLOCKS:
        assert block.start == start
        assert block.size > 0
        assert block.meaning
        start += block.size
    assert start == engine.NUM_ACTIONS
    assert len(BLOCKS) == len(engine.BLOCKS), "two blocks have one name"


@pytest.mark.parametrize("block", engine.BLOCKS, ids=lambda block: block.name)
def test_each_block_stands_where_its_constant_says(block):
    assert getattr(act, block.name) == block.start


def test_sizes_cover_what_they_name():
    sizes = {name: block.size for name, block in BLOCKS.items()}
    assert sizes["STAT"] == NUM_STATS
    assert sizes["PROVINCE"] == NUM_PROVINCES
    assert sizes["CARD"] == CARD_CAPACITY >= NUM_CARDS
    assert sizes["FIGURE_AT"] == KIND_CAPACITY * NUM_BOARD >= NUM_KINDS * NUM_BOARD
    assert sizes["MARCH"] == NUM_PROVINCES * (NUM_PROVINCES - 1)
    assert sizes["COUNT"] == 9, "none to all eight warriors"
    assert sizes["SLOT"] == 3, "a clan has three slots for clan upgrades"
    assert all(sizes[name] == 1 for name in ("PASS", "YES", "NO", "SACRIFICE", "RAISE_DEAD"))


def test_each_id_has_one_block_and_index():
    back = {}
    for action in range(engine.NUM_ACTIONS):
        block = block_of(action)
        back[block.name, action - block.start] = action
    assert len(back) == engine.NUM_ACTIONS
    for (name, index), action in back.items():
        assert BLOCKS[name].start + index == action


def test_figures_at_places_both_ways():
    seen = set()
    for kind in Figure:
        for place in range(NUM_BOARD):
            action = act.figure_at(kind, place)
            assert block_of(action).name == "FIGURE_AT"
            assert divmod(action - act.FIGURE_AT, NUM_BOARD) == (kind, place)
            seen.add(action)
    assert len(seen) == NUM_KINDS * NUM_BOARD


def test_marches_both_ways():
    for n in range(BLOCKS["MARCH"].size):
        here, there = int(act.MARCH_FROM[n]), int(act.MARCH_TO[n])
        assert here != there
        assert act.MARCH_ID[here, there] == act.MARCH + n
    for here in range(NUM_PROVINCES):
        assert act.MARCH_ID[here, here] == -1
    assert (act.MARCH_ID >= 0).sum() == BLOCKS["MARCH"].size


def test_some_ids_never_move():
    """Saved games and trained players depend on them: ids are appended, never moved."""
    assert (act.PASS, act.YES, act.NO, act.SACRIFICE, act.RAISE_DEAD) == (0, 1, 2, 3, 4)
    assert (act.STAT, act.COUNT, act.SLOT, act.PROVINCE, act.CARD) == (5, 8, 17, 20, 29)
    assert (act.FIGURE_AT, act.MARCH, engine.NUM_ACTIONS) == (125, 229, 301)
    assert act.CARD + Card.TROLL == 74
    assert act.figure_at(Figure.WARRIOR, Place.UTGARD) == 142
    assert act.MARCH_ID[Place.YGGDRASIL, Place.ELVAGAR] == 293


def test_a_question_is_answered_from_its_blocks():
    """Over random games: only these blocks, all of them, and no reserved card or figure."""
    assert set(ANSWERS) == set(Decision) - {Decision.NONE}
    legal = np.zeros((2, len(Decision), engine.NUM_ACTIONS), bool)  # without Mystics and with them, by question
    for _, states, _ in games_in_the_middle(range(240), share=1.0):
        s = states[0]
        if s.over:
            assert not s.mask.any()
        else:
            legal[int(s.sets & MYSTICS > 0), int(s.decision)] |= s.mask.view(bool)
    answers = legal.any(axis=0)
    seen = {decision: {block_of(action).name for action in answers[decision].nonzero()[0]} for decision in ANSWERS}
    seen[Decision.LEADER_MOVE].add("FIGURE_AT")  # of two leaders, in test_cards_ks.py: too rare at random
    assert seen == ANSWERS
    assert not answers[:, act.CARD + np.setdiff1d(range(CARD_CAPACITY), cards_of(PLAYABLE))].any()
    assert not legal[0, :, act.figure_at(Figure.MYSTIC, 0) : act.MARCH].any()
