"""Plug-ins that play by the rules: the base class is not needed, nor `sees` and `reset`."""

import numpy as np

from bloodrage_agents.base import Agent, draw_seed
from bloodrage_env.games.bloodrage import engine


class First:
    """The legal action of the lowest id."""

    def act(self, observation, action_mask, rng):
        return int(np.flatnonzero(action_mask)[0])


class Dice:
    """Any legal action; `skip` numbers of the generator are thrown away first."""

    def __init__(self, skip=0):
        self.skip = skip

    def act(self, observation, action_mask, rng):
        rng.random(self.skip)
        return rng.choice(np.flatnonzero(action_mask))


class Looker(Agent):
    """Looks at the game, redeals it and plays on at random, then chooses by what came of it."""

    sees = "view"

    def reset(self, seat, options):
        self.seat, self.options = seat, options

    def act(self, view, action_mask, rng):
        assert view.seat == self.seat
        assert view.record[0].num_players == self.options.num_players
        world = view.redeal(draw_seed(rng))
        engine.play_random(world, 0, draw_seed(rng), 50)
        legal = np.flatnonzero(action_mask)
        return int(legal[int(world[0].glory.sum()) % len(legal)])


class Counts:
    """Numbers its games and decisions, so that a test sees what lives on. It plays the first legal action."""

    def __init__(self):
        self.games = 0

    def reset(self, seat, options):
        self.games += 1

    def act(self, observation, action_mask, rng):
        legal = np.flatnonzero(action_mask)
        return int(legal[min(self.games, len(legal)) - 1])


class Chatty(First):
    """Prints whatever it likes."""

    def act(self, observation, action_mask, rng):
        print("thinking aloud " * 1000)
        return super().act(observation, action_mask, rng)


class Keeper:
    """Keeps the generator, and a memory on which its answers depend."""

    def __init__(self):
        self.memory = [0]

    def act(self, observation, action_mask, rng):
        self.rng = rng
        self.memory.append(self.memory[-1] + int(self.rng.integers(100)))
        legal = np.flatnonzero(action_mask)
        return int(legal[self.memory[-1] % len(legal)])
