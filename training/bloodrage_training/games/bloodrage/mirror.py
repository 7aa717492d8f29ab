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
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import Goal, Place

from ...learn.learnable import Mirror

FEWEST: Final = 3  # players


def _places() -> Ints:
    places = np.arange(engine.NUM_PLACES)
    # The axis of the mirror is between Angerboda and Muspelheim, and between Andlang and Gimle.
    places[: engine.NUM_OUTER] = (Place.ANGERBODA + Place.MUSPELHEIM - np.arange(engine.NUM_OUTER)) % engine.NUM_OUTER
    places[engine.FJORD_OF[: engine.NUM_OUTER]] = engine.FJORD_OF[places[: engine.NUM_OUTER]]
    return places


def _cards() -> Ints:
    cards = np.arange(engine.CARD_CAPACITY)
    region = dict(zip(engine.REGION.tolist(), engine.REGION[PLACES[: engine.NUM_PROVINCES]].tolist(), strict=True))
    for quest in engine.QUESTS:
        goal = region.get(int(engine.GOAL[quest]), engine.GOAL[quest])
        cards[quest] = engine.QUESTS[
            (engine.GOAL[engine.QUESTS] == goal) & (engine.QUEST_GLORY[engine.QUESTS] == engine.QUEST_GLORY[quest])
        ].item()
    return cards


def _goals() -> Ints:
    goals = np.arange(len(Goal) - 1)
    goals[engine.REGION] = engine.REGION[PLACES[: engine.NUM_PROVINCES]]
    return goals


def _actions() -> Ints:
    actions = np.arange(engine.NUM_ACTIONS)
    actions[engine.PROVINCE : engine.PROVINCE + engine.NUM_PROVINCES] = engine.PROVINCE + PLACES[: engine.NUM_PROVINCES]
    actions[engine.CARD : engine.CARD + engine.CARD_CAPACITY] = engine.CARD + CARDS
    at = engine.FIGURE_AT + np.arange(engine.KIND_CAPACITY)[:, None] * engine.NUM_BOARD
    actions[at + np.arange(engine.NUM_BOARD)] = at + PLACES[: engine.NUM_BOARD]
    actions[engine.MARCH :] = engine.MARCH_ID[PLACES[engine.MARCH_FROM], PLACES[engine.MARCH_TO]]
    return actions


def _inputs() -> Ints:
    quests = np.arange(engine.QUEST_CAPACITY)
    quests[: len(engine.QUESTS)] = np.searchsorted(engine.QUESTS, CARDS[engine.QUESTS])
    last = {
        "about_place": PLACES[: engine.NUM_BOARD],
        "figures": PLACES,
        "room": PLACES[: engine.NUM_OUTER],
        "quests": quests,
        "sure_quests": quests,
    }
    provinces = ("march_from", "strength", "barred", "destroyed", "pillaged", "ragnarok", "god_in", "battle")
    tactics = ("worth", "token_worth", "control", "contested", "win_chance", "threat")
    ledger = ("province_alone", "province_rivals", "province_token")
    last |= dict.fromkeys(provinces + ledger + tactics, PLACES[: engine.NUM_PROVINCES]) | {"scores": ACTIONS}
    cards = ("about_card", "hand", "pack", "packs_seen", "known", "discards", "gone", "table")
    last |= dict.fromkeys(cards, CARDS)
    parts = []
    for section in INPUTS:
        numbers = section.start + np.arange(section.size).reshape(section.shape)
        if section.name in ("tokens", "province_lead", "province_joins"):
            numbers = numbers[PLACES[: engine.NUM_PROVINCES]]
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
