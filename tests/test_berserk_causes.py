"""Each loss and gain of a card has a cause: an answer that declares it, or the line names what has done it."""

import importlib
import re

import numpy as np
import pytest

from bloodrage_env import games
from tests.random_play import even_action

CAUSES = {"Blizzard Child", "Bonecrusher", "Firesetter Gnome", "Foot Knight", "Hammerer", "poison", "regeneration"}
CHANGE = re.compile(r"^(.+\(\w\d+\))(?: dies| takes \d| heals \d|: \+\d)")


def uncaused(name, seed, found):
    """Play a random game; return the lines without a cause, outside of a fight or an action between two cards."""
    events = importlib.import_module(f"bloodrage_env.games.{name}.notation.events")
    causes = importlib.import_module(f"bloodrage_env.games.{name}.notation.causes")
    engine = importlib.import_module(f"bloodrage_env.games.{name}.engine")
    fights, frame = (engine.Routine.STRIKE, engine.Routine.ABILITY), engine.Frame
    rules, bare = games.game(name), []
    players = {"num_players": rules.options.facts()["num_players"].kind.high}
    setup = {"setup": "fixed"} if seed % 2 and name != "berserk_laar" else {}
    options = rules.options.from_json({**players, "skip_forced": False, **setup})
    recorder, rng = games.recorder(options, seed, ["a"] * options.num_players), np.random.default_rng(seed)
    while not rules.play.is_over(recorder.states, 0):
        before, action = rules.play.clone(recorder.states, 0), even_action(recorder.states, rng)
        for last, now, done in events.pieces(before, action):
            top = last[0].stack[int(last[0].depth) - 1]
            fight = top[frame.ROUTINE] in fights and last[0].decision not in causes.BY_TEXT
            party = [events.card_name(now[0], int(top[column])) for column in (frame.ACTOR, frame.TARGET) if fight]
            for event in events._changes(last[0], now[0], None, done != engine.RESUMED):
                change = CHANGE.match(event.text)
                if change is None:
                    continue
                _, _, cause = event.text.partition(" by ")
                found.update([re.sub(r" \(\w\d+\)", "", cause)] if cause else [])
                if not cause and change[1] not in party:
                    bare.append(event.text)
        recorder.apply(action)
    return bare


@pytest.mark.parametrize(
    ("name", "seeds", "wanted"),
    [
        ("berserk", (6, 7, 8, 18), CAUSES),
        ("berserk_laar", range(6), {"Astaroth"}),
        pytest.param("berserk_team", range(2), set(), marks=pytest.mark.slow),
    ],
)
def test_each_loss_and_gain_has_a_cause(name, seeds, wanted):
    found = set()
    for seed in seeds:
        assert uncaused(name, seed, found) == []
    assert wanted <= found
