"""The mirror image of a decision: what a network learns about one side of the map can be used for the other side.

The ring of outer provinces has a mirror image in which neighbours, fjords and regions are again those of the map, with
Manheim for Jotunheim. Only the villages of Andlang and Gimle differ (rules 1.1 to 1.3). So a learner can play some of
its games with mirrored inputs, which doubles the variety of its games.

The mirror is for three players and more. Two players keep pairs of cards, which are asked for in the order of their
ids, and the mirror does not preserve that order.
"""

from typing import Final

import numpy as np

from bloodrage_agents.games.bloodrage.compiled.inputs import INPUTS
from bloodrage_env.core.compile.decorators import Ints
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    CARD_CAPACITY,
    FIGURE_AT,
    FJORD_OF,
    GOAL,
    KIND_CAPACITY,
    MARCH,
    MARCH_FROM,
    MARCH_ID,
    MARCH_TO,
    NUM_ACTIONS,
    NUM_BOARD,
    NUM_OUTER,
    NUM_PLACES,
    NUM_PROVINCES,
    PROVINCE,
    QUEST_CAPACITY,
    QUEST_GLORY,
    QUESTS,
    REGION,
    Goal,
    Place,
)

from ...learn.learnable import Mirror

FEWEST: Final = 3  # players


def _places() -> Ints:
    places = np.arange(NUM_PLACES)
    # The axis of the mirror is between Angerboda and Muspelheim, and between Andlang and Gimle.
    places[:NUM_OUTER] = (Place.ANGERBODA + Place.MUSPELHEIM - np.arange(NUM_OUTER)) % NUM_OUTER
    places[FJORD_OF[:NUM_OUTER]] = FJORD_OF[places[:NUM_OUTER]]
    return places


def _cards() -> Ints:
    cards = np.arange(CARD_CAPACITY)
    region = dict(zip(REGION.tolist(), REGION[PLACES[:NUM_PROVINCES]].tolist(), strict=True))
    for quest in QUESTS:
        goal = region.get(int(GOAL[quest]), GOAL[quest])
        cards[quest] = QUESTS[(GOAL[QUESTS] == goal) & (QUEST_GLORY[QUESTS] == QUEST_GLORY[quest])].item()
    return cards


def _goals() -> Ints:
    goals = np.arange(len(Goal) - 1)
    goals[REGION] = REGION[PLACES[:NUM_PROVINCES]]
    return goals


def _actions() -> Ints:
    actions = np.arange(NUM_ACTIONS)
    actions[PROVINCE : PROVINCE + NUM_PROVINCES] = PROVINCE + PLACES[:NUM_PROVINCES]
    actions[CARD : CARD + CARD_CAPACITY] = CARD + CARDS
    at = FIGURE_AT + np.arange(KIND_CAPACITY)[:, None] * NUM_BOARD
    actions[at + np.arange(NUM_BOARD)] = at + PLACES[:NUM_BOARD]
    actions[MARCH:] = MARCH_ID[PLACES[MARCH_FROM], PLACES[MARCH_TO]]
    return actions


def _inputs() -> Ints:
    quests = np.arange(QUEST_CAPACITY)
    quests[: len(QUESTS)] = np.searchsorted(QUESTS, CARDS[QUESTS])
    last = {
        "about_place": PLACES[:NUM_BOARD],
        "figures": PLACES,
        "room": PLACES[:NUM_OUTER],
        "quests": quests,
        "sure_quests": quests,
    }
    provinces = ("march_from", "strength", "barred", "destroyed", "pillaged", "ragnarok", "god_in", "battle")
    tactics = ("worth", "token_worth", "control", "contested", "win_chance", "threat")
    ledger = ("province_alone", "province_rivals", "province_token")
    last |= dict.fromkeys(provinces + ledger + tactics, PLACES[:NUM_PROVINCES]) | {"scores": ACTIONS}
    cards = ("about_card", "hand", "pack", "packs_seen", "known", "discards", "gone", "table")
    last |= dict.fromkeys(cards, CARDS)
    parts = []
    for section in INPUTS:
        numbers = section.start + np.arange(section.size).reshape(section.shape)
        if section.name in ("tokens", "province_lead", "province_joins"):
            numbers = numbers[PLACES[:NUM_PROVINCES]]
        elif section.name in ("goal_lead", "goal_committed", "goal_held"):
            numbers = numbers[_goals()]
        elif section.name in last:
            numbers = numbers[..., last[section.name]]
        parts.append(numbers.ravel())
    return np.concatenate(parts)


# The mirror of positions: place p becomes PLACES[p], and so on. Each undoes itself.
PLACES: Final = _places()
CARDS: Final = _cards()
ACTIONS: Final = _actions()
MIRROR_INPUTS: Final = _inputs()
MIRROR: Final = Mirror(MIRROR_INPUTS, ACTIONS, FEWEST)
