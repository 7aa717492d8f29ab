"""Plays a game of TextArena between players that answer with the first legal action, or at random.

`python training/examples/textarena_play.py --game Berserk-v0` prints the rewards. Replace `first` by a call of a model:
it receives all that its player has seen as one text, and returns a text.
"""

import argparse
import random
import re
from collections.abc import Callable, Sequence

import textarena as ta

from bloodrage_agents.textarena_env import register
from bloodrage_env.language.prompt import Parts

Player = Callable[[str], str]


def legal(observation: str) -> list[str]:
    """The ids of the legal actions in the last question of an observation."""
    return re.findall(r"^(\d+): ", observation.rpartition("Legal actions:")[2], re.MULTILINE)


def first(observation: str) -> str:
    """The first legal action."""
    return f"I take the first one.\nAnswer: {legal(observation)[0]}"


def chance(observation: str) -> str:
    """A legal action at random."""
    return f"Answer: {random.choice(legal(observation))}"


def play(name: str, players: Sequence[Player], seed: int) -> dict[int, float]:
    """Play a game and return the rewards of the players."""
    env = ta.make(name, parts=Parts(actions="steps"))
    env.reset(num_players=len(players), seed=seed)
    done = False
    while not done:
        player, observation = env.get_observation()
        done, _ = env.step(players[player](observation))
    rewards, _ = env.close()
    return {player: float(reward) for player, reward in rewards.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Play a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = register()
    parser.add_argument("--game", choices=names, default=names[0])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(play(given.game, (first, chance), given.seed))


if __name__ == "__main__":
    main()
