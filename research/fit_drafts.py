"""Fits how much a policy prefers each card in a draft, for the redeals of a search (`compiled/drafts.py` of the
agents).

The policy plays games against itself, half of them with all card sets. The deck of a finished game contains which card
was taken k-th from each pack. The fitted worths maximise the likelihood of the picks, where card c of a pack P is taken
with probability exp(worth[c]) / sum(exp(worth[d]) for d in P), and a pair of cards by the sum of their worths
(multinomial logit; McFadden 1974). A normal prior keeps the worths of cards finite that are always or never taken.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_agents.games.bloodrage.compiled.drafts import COLUMNS
from bloodrage_agents.network import Network
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import Card, States

from .command_line import OPTIONS, add_numbers

Reals = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PRIOR: Final = 0.2  # the weight of the squares of worths against the picks
ITERATIONS, RATE = 500, 0.05  # of Adam (Kingma and Ba 2015)
NO_CARD: Final = -1


def played(network: Network, players: int, sets: int, games: int, seed: int) -> States:
    """Return finished games in which the policy took the most likely actions."""
    states = np.zeros(games, engine.STATE)
    for game in range(games):
        engine.reset(states, game, (seed + game) % MAX_SEED, np.array((players, False, True, sets)))
    merged = network.for_players(players)
    going = np.arange(games)
    while len(going):
        actions = merged.evaluate(states, going)[0].argmax(1)
        for game, action in zip(going.tolist(), actions.tolist(), strict=True):
            engine.apply(states, game, action)
        going = going[states["over"][going] == 0]
    return states


def picks_of(states: States) -> Ints:
    """Return int64[P, PACK_SIZE], a row for each pick of finished games: the cards that were left, those taken
    first.
    """
    players = int(states[0].num_players)
    at_once = engine.DRAFTED // int(engine.DRAFT_ROUNDS[players])
    packs = (
        states["deck"][:, : engine.NUM_AGES, : players * engine.PACK_SIZE]
        .reshape(-1, engine.PACK_SIZE)
        .astype(np.int64)
    )
    rows = np.full((len(packs), engine.DRAFTED // at_once, engine.PACK_SIZE), NO_CARD)
    for pick in range(engine.DRAFTED // at_once):
        rows[:, pick, : engine.PACK_SIZE - pick * at_once] = packs[:, pick * at_once :]
    return np.asarray(rows.reshape(-1, engine.PACK_SIZE))


def chances(picks: Ints, at_once: int, worths: Reals) -> tuple[Reals, Reals]:
    """Return the log-probability of each pick, float64[P], and the probability that each of its cards was taken."""
    wants = np.where(picks == NO_CARD, 0.0, np.exp(worths[picks]))
    total = wants.sum(1)
    if at_once == 1:
        return np.log(wants[:, 0] / total), wants / total[:, None]
    pairs = (total**2 - (wants**2).sum(1)) / 2
    return np.log(wants[:, 0] * wants[:, 1] / pairs), wants * (total[:, None] - wants) / pairs[:, None]


def fit(picks: Ints, at_once: int) -> Reals:
    """Return float64[NUM_CARDS], the worths that maximise the likelihood of these picks, with mean 0."""
    taken = np.bincount(picks[:, :at_once].ravel(), minlength=engine.NUM_CARDS)
    there = picks != NO_CARD
    worths, mean, square = np.zeros((3, engine.NUM_CARDS))
    for step in range(1, ITERATIONS + 1):
        expected = np.bincount(picks[there], chances(picks, at_once, worths)[1][there], engine.NUM_CARDS)
        gradient = taken - expected - PRIOR * worths
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = RATE * min(1.0, 3 * (1 - step / ITERATIONS) + 0.01)
        worths = worths + rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-12)
    return np.asarray(worths - worths.mean())


def fitted(network: Network, games: int, seed: int) -> dict[str, Reals]:
    """Return the worths by column: one for games of two, one for games of more players."""
    found: dict[str, list[Ints]] = {column: [] for column in COLUMNS}
    for players in range(engine.MIN_SEATS, engine.MAX_SEATS + 1):
        for sets in (0, engine.PLAYABLE) if players < engine.MAX_SEATS else (engine.PLAYABLE,):
            found[COLUMNS[players > engine.MIN_SEATS]].append(picks_of(played(network, players, sets, games, seed)))
    return {column: fit(np.concatenate(picks), 2 if column == COLUMNS[0] else 1) for column, picks in found.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """`python -m research.fit_drafts OUT` writes the table `compiled/drafts.csv`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the table to write, a line for each card")
    OPTIONS.add(parser, "--policy", help="the policy whose picks are fitted (%(default)s)")
    add_numbers(parser, 1, 10**5, games=(250, "games of each number of players, with and without card sets"))
    add_numbers(parser, 0, MAX_SEED, seed=(1, "seed of the deals"))
    given = parser.parse_args(arguments)
    try:
        worths = fitted(Network.load(given.policy), given.games, given.seed)
        lines = [",".join([card.name, *(f"{worths[column][card]:.2f}" for column in COLUMNS)]) for card in Card]
        given.out.write_text("\n".join([",".join(["name", *COLUMNS]), *lines, ""]), encoding="utf-8")
    except (UserError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
