"""The stop rule `--until-width`, in tournaments whose games are drawn and not played."""

import io

import numpy as np

from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.terminal.progress import Progress
from bloodrage_training.tasks import Done, Result
from bloodrage_training.tournament import run as tournament_module
from bloodrage_training.tournament.ratings import rate
from bloodrage_training.tournament.records import Plan, StoredGame
from bloodrage_training.tournament.store import Store


class DrawnPool:
    """A pool whose games are drawn: by strengths plus luck, the one named `loser` always last."""

    def __init__(self, strengths):
        self.strengths, self.waiting = strengths, []
        self.rng = np.random.default_rng(1)

    def idle(self):
        return not self.waiting

    def submit(self, number, task, plan, hidden, unit):
        for game in unit.games:
            play = [self.strengths[name] + 400 * self.rng.gumbel() for name in game.line_up]
            glory = tuple(0 if name == "loser" else 1000 + int(x) for name, x in zip(game.line_up, play, strict=True))
            count = len(game.line_up)
            found = StoredGame(
                game.id, game.deal, game.seating, game.seed, game.line_up, game.options, (), glory, None, None,
                (0.1,) * count, (1,) * count,
            )  # fmt: skip
            self.waiting.append(Result(number, found))
        self.waiting.append(Done(number))

    def events(self, timeout):
        found, self.waiting = self.waiting, []
        return found

    def interrupt(self):
        pass

    def close(self):
        pass


def play_until(path, monkeypatch, strengths, **stop):
    """A tournament with drawn games, rated after every unit; returns its outcome and the ratings."""
    monkeypatch.setattr("bloodrage_training.tournament.run._RATING_PAUSE", 0.0)
    monkeypatch.setattr("bloodrage_training.tournament.run._RATING_SHARE", 0)
    monkeypatch.setattr("bloodrage_training.tournament.run._BEAT", 0.0)
    names = tuple(strengths)
    plan = Plan(names, ("0" * 64,) * len(names), "round-robin", Options(), **stop)
    with Store.create(path, plan) as store:
        store.join({})
        outcome = tournament_module.run(store, plan, DrawnPool(strengths), Progress(io.StringIO(), None))
        return outcome, rate(names, store.finished())


def test_until_width_stops_although_one_agent_loses_everything(tmp_path, monkeypatch):
    strengths = {"loser": 0.0, "b": 100.0, "c": 0.0, "d": 50.0}
    outcome, ratings = play_until(tmp_path / "x.sqlite", monkeypatch, strengths, until_width=150.0, deals=60)
    assert outcome.reason.startswith("the leader's interval is ")
    assert outcome.reason.endswith("Elo wide, the goal was 150")
    assert not outcome.complete
    assert tournament_module.MIN_DEALS <= ratings.deals < 60
    assert ratings.leader_width() <= 150
    assert ratings.field.tolist() == [False, True, True, True]


def test_until_width_alone_does_not_play_on_forever_where_nothing_has_a_width(tmp_path, monkeypatch):
    outcome, ratings = play_until(tmp_path / "x.sqlite", monkeypatch, {"loser": 0.0, "b": 0.0}, until_width=50.0)
    assert outcome.reason == (
        "no two agents both win and lose often enough to have an interval; to play on say --deals or --minutes"
    )
    assert ratings.deals == tournament_module.MIN_DEALS
    outcome, ratings = play_until(
        tmp_path / "y.sqlite", monkeypatch, {"loser": 0.0, "b": 0.0}, until_width=50.0, deals=25
    )
    assert outcome.complete
    assert ratings.deals == 25
