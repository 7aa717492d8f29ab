"""Plays a game of kaggle-environments between agents that answer with a legal action at random.

`python training/examples/kaggle_play.py --game berserk` prints the rewards. Replace `chance` by a call of a model: it
is given the rules and the open question as texts, and returns a text.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from typing import Any

from kaggle_environments import make

from bloodrage_agents.kaggle_env import register

Player = Callable[[Any], str]


def chance(observation: Any) -> str:
    """A legal action at random. A model reads `observation.rules` and `observation.prompt`."""
    return f"I draw one.\nAnswer: {random.choice(observation.legalActions)}"


def play(name: str, players: Sequence[Player | str], seed: int, **configuration: Any) -> list[float | None]:
    """Play a game and return the rewards of the players; None for one that gave no legal answer."""
    env = make(name, configuration={"seed": seed, **configuration})
    return [each.reward for each in env.run(list(players))[-1]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = register()
    parser.add_argument("--game", choices=names, default=names[0])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(play(given.game, (chance, "random"), given.seed))


if __name__ == "__main__":
    main()
