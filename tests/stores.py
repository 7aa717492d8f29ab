"""Stores of tournaments between agents at random, played, and altered behind their back."""

import contextlib
import sqlite3
from typing import Any

from pool_here import DeadlyPool

from bloodrage_agents.match import play_game
from bloodrage_agents.random import RandomAgent
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.tasks import Done, Event, Result, Task
from bloodrage_training.tournament import codec
from bloodrage_training.tournament.records import Plan, StoredGame
from bloodrage_training.tournament.store import Store

VERSIONS = {"bloodrage": "0", "rules": "1"}


def plan(agents=("a", "b", "c"), mode="round-robin", seats=3, deals=2, seed=0, **more):
    return Plan(tuple(agents), ("f",) * len(agents), mode, Options(seats), seed, deals=deals, **more)


def played(game):
    """The game between agents at random, whatever their names."""
    agents = [RandomAgent() for _ in game.line_up]
    went = play_game(agents, game.seed, game.options, range(game.options.num_players))
    return StoredGame(
        game.id, game.deal, game.seating, game.seed, game.line_up, game.options, went.actions, went.scores,
        went.forfeit_seat, went.forfeit_reason, tuple(round(each, 6) for each in went.seconds), went.decisions,
    )  # fmt: skip


def fill(path, what=None, play=None):
    """Make a store of which all is played; returns its games."""
    what, play, games = what or plan(), play or played, []
    with Store.create(path, what) as store:
        store.join(VERSIONS)
        while (each := store.claim(what)) is not None:
            for game in each.games:
                games.append(play(game))
                store.record(each.number, games[-1])
            store.finish(each.number)
    return games


def give_up(store, number, reason):
    """Have workers die at a unit until it is given up, whoever had it."""
    store.join(VERSIONS)
    given_up = False
    while not given_up:
        store._db.execute("UPDATE units SET state = 'claimed', writer = ? WHERE number = ?", (store._writer, number))
        given_up = store.fail(number, reason)


def change(path, statement, values=(), sealed=True):
    """Change a store behind its back, with or without the checksums of facts and games."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(statement, values)
        for table in ("facts", "games") if sealed else ():
            for *row, _ in db.execute(f"SELECT * FROM {table}").fetchall():
                key = "name" if table == "facts" else "id"
                db.execute(f"UPDATE {table} SET checksum = ? WHERE {key} = ?", (codec.checksum(*row), row[0]))
        db.commit()


class FitfulPool(DeadlyPool):
    """A deadly pool which yet has agents at random play every fourth unit of a tournament."""

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        super().submit(number, task)
        self.unit = arguments[2]

    def events(self, timeout: float) -> list[Event]:
        (died,) = super().events(timeout)
        if died.number % 4 < 3:
            return [died]
        return [*(Result(died.number, played(game)) for game in self.unit.games), Done(died.number)]
