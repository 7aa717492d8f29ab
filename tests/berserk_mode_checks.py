"""Checks that the tests of every mode of Berserk share."""

import json
from pathlib import Path

import numpy as np
from berserk_position import content

from bloodrage_agents import registry
from bloodrage_agents.match import ask, reset
from bloodrage_env import games


def check_replay(game, options, players, path: Path) -> None:
    """A random game is saved, loaded and played again with the same options and the same record."""
    recorder = games.recorder(options, 7, players)
    rng = np.random.default_rng(7)
    while not game.play.is_over(recorder.states, 0):
        recorder.apply(int(rng.choice(recorder.states[0].mask.nonzero()[0])))
    recorder.replay().save(path)
    assert games.of_replay(str(path)) == game.name
    again = games.replays(game.name).load(path)
    assert again.options == options
    assert content(again.verify()) == content(recorder.states)
    assert games.options_from_json(json.loads(json.dumps(games.options_to_json(options)))) == options


def check_agent(game, spec, options, apart) -> None:
    """Answers in eight positions, `apart` random decisions from each other, are legal and the same after a redeal."""
    states = game.new_game(4, options)
    agent = registry.make(spec, game.name)
    for number in range(8):
        seat = int(states[0].seat)
        actions = []
        for played in (states, game.redeal(states, 0, seat, number)):
            reset(agent, seat, options)
            actions.append(ask(agent, played, 0, seat, np.random.default_rng(number), game.name))
        assert actions[0] == actions[1]
        assert states[0].mask[actions[0]]
        game.play.play_random(states, 0, number, apart)
        if states[0].over:
            break
