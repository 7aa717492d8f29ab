"""A policy and its mirror image in one network: the mean of the two is stronger than either.

The ring of outer provinces has a mirror image in which neighbours, fjords and regions are again those of the map, with
Manheim for Jotunheim; only the villages of Andlang and Gimle are not the same (rules 1.1 to 1.3). So a policy can
play from mirrored observations. Its answers there need not be the same: what is noise in what it learned of one side
cancels in the mean. The mean is a policy of twice the width, whose halves can be trained further.

It is meant for three players and more. Two keep pairs of cards, one asked for after the other in the order of their
ids, which the mirror does not keep.
"""

import argparse
from pathlib import Path
from typing import Final

import numpy as np
import torch

from bloodrage_env.core.compiled import Ints
from bloodrage_env.engine import (
    CARD,
    FIGURE_AT,
    FJORD_OF,
    GOAL,
    MARCH,
    MARCH_FROM,
    MARCH_ID,
    MARCH_TO,
    NUM_ACTIONS,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    NUM_OUTER,
    NUM_PLACES,
    NUM_PROVINCES,
    PROVINCE,
    QUEST_GLORY,
    QUESTS,
    REGION,
    Place,
)
from bloodrage_env.observation import SECTIONS

from .export import export_or_complain, policy_of
from .policy import Policy


def _places() -> Ints:
    places = np.arange(NUM_PLACES)
    # The mirror stands between Angerboda and Muspelheim, and between Andlang and Gimle.
    places[:NUM_OUTER] = (Place.ANGERBODA + Place.MUSPELHEIM - np.arange(NUM_OUTER)) % NUM_OUTER
    places[FJORD_OF[:NUM_OUTER]] = FJORD_OF[places[:NUM_OUTER]]
    return places


def _cards() -> Ints:
    cards = np.arange(NUM_CARDS)
    region = dict(zip(REGION.tolist(), REGION[PLACES[:NUM_PROVINCES]].tolist(), strict=True))
    for quest in QUESTS:
        goal = region.get(int(GOAL[quest]), GOAL[quest])
        cards[quest] = QUESTS[(GOAL[QUESTS] == goal) & (QUEST_GLORY[QUESTS] == QUEST_GLORY[quest])].item()
    return cards


def _actions() -> Ints:
    actions = np.arange(NUM_ACTIONS)
    actions[PROVINCE : PROVINCE + NUM_PROVINCES] = PROVINCE + PLACES[:NUM_PROVINCES]
    actions[CARD : CARD + NUM_CARDS] = CARD + CARDS
    at = FIGURE_AT + np.arange(NUM_KINDS)[:, None] * NUM_BOARD
    actions[at + np.arange(NUM_BOARD)] = at + PLACES[:NUM_BOARD]
    actions[MARCH:] = MARCH_ID[PLACES[MARCH_FROM], PLACES[MARCH_TO]]
    return actions


def _observation() -> Ints:
    quests = np.searchsorted(QUESTS, CARDS[QUESTS])
    last = {
        "about_place": PLACES[:NUM_BOARD],
        "figures": PLACES,
        "room": PLACES[:NUM_OUTER],
        "quests": quests,
        "sure_quests": quests,
    }
    provinces = ("march_from", "strength", "barred", "destroyed", "pillaged", "ragnarok", "god_in", "battle")
    last |= dict.fromkeys(provinces, PLACES[:NUM_PROVINCES])
    cards = ("about_card", "hand", "pack", "packs_seen", "known", "discards", "gone", "table")
    last |= dict.fromkeys(cards, CARDS)
    parts = []
    for section in SECTIONS:
        numbers = section.start + np.arange(section.size).reshape(section.shape)
        if section.name == "tokens":
            numbers = numbers[PLACES[:NUM_PROVINCES]]
        elif section.name in last:
            numbers = numbers[..., last[section.name]]
        parts.append(numbers.ravel())
    return np.concatenate(parts)


# What stands where in the mirror: place p becomes PLACES[p], and so on. Each undoes itself.
PLACES: Final = _places()
CARDS: Final = _cards()
ACTIONS: Final = _actions()
OBSERVATION: Final = _observation()


def with_mirror(policy: Policy) -> Policy:
    """The policy of twice the width whose logits and values are the means of what this one says of both views."""
    width = policy.width
    own, mirrored = slice(width), slice(width, None)
    both = Policy(2 * width, len(policy.layers))
    with torch.no_grad():
        both.first_weight[:, own] = policy.first_weight
        both.first_weight[:, mirrored] = policy.first_weight[OBSERVATION]
        both.first_bias.copy_(policy.first_bias.repeat(2))
        for wide, layer in zip(both.linears, policy.linears, strict=True):
            wide.weight.copy_(torch.block_diag(layer.weight, layer.weight))
            wide.bias.copy_(layer.bias.repeat(2))
        both.actions.weight[:, own] = policy.actions.weight / 2
        both.actions.weight[:, mirrored] = policy.actions.weight[ACTIONS] / 2
        both.actions.bias.copy_((policy.actions.bias + policy.actions.bias[ACTIONS]) / 2)
        both.value.weight.copy_(policy.value.weight.repeat(1, 2) / 2)
        both.value.bias.copy_(policy.value.bias)
    return both


def main() -> None:
    """`python -m bloodrage_training.learn.mirror WIDE.npz RUN/checkpoint.pt`; an .npz has a mirror image too."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("policy", type=Path)
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    export_or_complain(parser, lambda: with_mirror(policy_of(given.file)), given.policy)


if __name__ == "__main__":
    main()
