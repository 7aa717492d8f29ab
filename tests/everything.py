"""Everything that is sent about random games, encoded as JSON: views, logs, hints, replays, reviews.

`python -m tests.everything bloodrage 0 3000` does it for the games of so many seeds, and prints what it has encoded.
"""

import asyncio
import importlib
import json
import sys
from collections import Counter

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.shown.table_page import WATCHER
from bloodrage_env.encoding import as_bytes
from bloodrage_env.games.berserk.engine import DECKS
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.views import view
from tests.random_play import even_action, keen_action, options_of

SHOWN = 0.05  # of the positions
HINTED = 0.01


def new_game(game, seed):
    """People, who are asked everything, or agents alone; each number of seats and card set comes up in a few seeds."""
    if game == games.FIRST:
        options = options_of(seed)
        options = Options(options.num_players, options.first_game, skip_forced=False, sets=options.sets)
    else:
        kind, names = games.game(game).options, list(DECKS)
        players, setups = (kind.facts()[name].kind for name in ("num_players", "setup"))
        decks = [names[seed // 2 % len(names)], names[seed // 4 % len(names)]] * (players.high // 2)
        wanted = {"decks": decks} if seed % 2 else {"setup": setups.names[-1]} if seed % 3 else {"combat": "difference"}
        count = players.high - seed % (players.high - players.low + 1)
        options = kind.from_json({"num_players": count, "skip_forced": False, **wanted})
    seats = [Seat(person="", digest=digest_of(str(seat)), hints=True) for seat in range(options.num_players)]
    if seed % 8 == 7:
        return Game([Seat(agent="random")] * len(seats), seed, options, watcher="")
    return Game(seats, seed, options)


def encode(data, kind, counts):
    """JSON that reads as what it was made of."""
    json.loads(as_bytes(data))
    counts[kind] += 1


def play(game, seed, counts, studies=None):
    """A random game to its end."""
    table, rng = new_game(game, seed), np.random.default_rng(seed)
    pick = keen_action if game == games.FIRST and seed % 2 else even_action
    viewers = table.people or [WATCHER]
    found = dict.fromkeys(viewers, 0)
    while True:
        for seat in viewers:
            log = table.log(seat)
            for entry in log[found[seat] :]:
                encode(entry, "log entries", counts)
            found[seat] = len(log)
            if table.over or rng.random() < SHOWN:
                encode(view(table, seat), "views", counts)
        if table.over:
            break
        seat = table.seat_to_act
        if studies is not None and rng.random() < HINTED:
            json.loads(asyncio.run(studies.hint(table.states, seat, table.number)))
            counts["hints"] += 1
        table._play(pick(table.states, rng))
    assert table.faults == []
    counts["games"] += 1
    replay = table.replay()
    if rng.random() < SHOWN:
        pages = importlib.import_module(f"bloodrage_env.games.{game}.render.replay_page")
        page = pages.page_data(replay, "A game", replay.players)
        encode(page, "replay pages", counts)
    if studies is not None:
        json.loads(asyncio.run(studies.review(replay, [])))
        counts["reviews"] += 1


def main(game, first, count):
    counts = Counter()
    for seed in range(first, first + count):
        play(game, seed, counts)
        if counts["games"] % 100 == 0:
            print(dict(counts), flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
