"""Random games that get into trouble: pillages, quests and late cards more often than blind chance has them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import TYPE
from bloodrage_env.games.bloodrage.engine.ids import CardSet, CardType
from bloodrage_env.games.bloodrage.options import Options

P5, KS, MYSTICS, GODS = (1 << card_set for card_set in (CardSet.P5, CardSet.KS, CardSet.MYSTICS, CardSet.GODS))

# Weights of the actions, where blind chance would have one for each.
KEEN = np.ones(act.NUM_ACTIONS)
KEEN[act.PASS] = 0.1
KEEN[act.NO] = 0.3
KEEN[act.PROVINCE : act.CARD] = 8.0
KEEN[act.CARD : act.FIGURE_AT] = 2.0
KEEN[act.CARD + np.flatnonzero(TYPE == CardType.QUEST)] = 6.0
KEEN[act.CARD + Card.LOKIS_POISON] = 30.0


def differing(one: Any, other: Any) -> list[str]:
    """Fields in which two games, arrays of one record, differ; not the padding, which numpy need not copy."""
    if one[:1].tobytes() == other[:1].tobytes():
        return []
    return [name for name in engine.STATE.names or () if not np.array_equal(one[0][name], other[0][name])]


def keen_action(states: Any, rng: np.random.Generator) -> int:
    """A legal action; battles and cards are likelier than with equal chances."""
    legal = np.flatnonzero(states[0].mask)
    bounds = KEEN[legal].cumsum()
    return int(legal[np.searchsorted(bounds, rng.random() * bounds[-1], side="right")])


def even_action(states: Any, rng: np.random.Generator) -> int:
    """A legal action, each as likely as any other."""
    return int(rng.choice(np.flatnonzero(states[0].mask)))


def options_of(seed: int) -> Options:
    """Every mixture of seats, first_game and skip_forced comes up among any 32 seeds in a row, some with other sets."""
    players = 2 + seed % 4
    on = {"p5": players == 5, "ks": seed % 3 == 0, "mystics": seed % 5 < 2, "gods": seed % 7 < 3}
    sets = [name for name in on if on[name]]
    return Options(players, first_game=seed // 4 % 4 == 3, skip_forced=seed // 16 % 2 == 0, sets=tuple(sets))


def games_in_the_middle(
    seeds: range, share: float, keen: bool = True
) -> Iterator[tuple[int, Any, np.random.Generator]]:
    """Stop at a share of all decisions of games from these seeds, also before the first and after the last one.

    Yield the seed, the game itself (not a copy) and the generator in use.
    """
    for seed in seeds:
        rng = np.random.default_rng(seed)
        states = engine.new_game(seed, *options_of(seed).numbers())
        yield seed, states, rng
        while not engine.is_over(states, 0):
            engine.apply(states, 0, keen_action(states, rng) if keen else even_action(states, rng))
            if rng.random() < share or engine.is_over(states, 0):
                yield seed, states, rng
