"""Where everything of a game is, and a game that all its agents play in turn; `test_new_card.py` runs it on copies.

`python layouts.py GAME` prints the layout as JSON, `python layouts.py GAME CARD` plays until the card was offered.
"""

import itertools
import json
import sys
from typing import Any

import numpy as np

from bloodrage_agents import match, parts, registry
from bloodrage_agents.network import SHIPPED, Network
from bloodrage_env import games

SLOW = ("flat:simulations=1", "ismcts:simulations=2", "ismcts:simulations=1,path=shipped")  # without compilation
SHORT: dict[str, dict[str, Any]] = {"berserk": {"max_turns": 2}}  # games


def layout(name: str) -> dict[str, Any]:
    """What each action id, each input of networks (the observation first) and each part of the record is."""
    game, net = games.game(name), parts.forward(name)
    Network.load(SHIPPED, name)
    inputs = [
        f"{section.name}[{', '.join(labels)}]"
        for section in net.sections
        for labels in itertools.product(*section.labels)
    ]
    return {
        "actions": list(net.action_names),
        "inputs": inputs,
        "most": dict(zip(inputs, game.most.tolist(), strict=False)),
        "record": [f"{field} {kind}" for field, kind in (game.state.fields or {}).items()],
        "size": game.state.itemsize,
    }


def play(name: str, card: str) -> int:
    """Play games of two to their ends, each question answered by another agent, until one offered the card.

    Return how many questions there were. Raise Forfeit for a wrong answer.
    """
    game = games.game(name)
    options = game.options(num_players=2, **SHORT.get(name, {}))
    fast = [each for each in registry.alone(name) if each not in ("flat", "ismcts")]
    agents = [registry.make(each, name) for each in (*fast, *SLOW)]
    for agent in agents:
        match.reset(agent, 0, options)
    turns = agents[: len(fast)] * (20 // len(fast)) + agents[len(fast) :]
    wanted = parts.forward(name).action_names.index(f"CARD[{card}]")
    rng, asked = np.random.default_rng(1), 0
    for seed in range(1, 9):  # the first one offers the cards of `test_new_card.py`
        states, met = game.new_game(seed, options), 0
        while (seat := game.play.seat_to_act(states, 0)) >= 0:
            met += int(states[0].mask[wanted])
            game.play.apply(states, 0, match.ask(turns[asked % len(turns)], states, 0, seat, rng, name))
            asked += 1
        if met:
            return asked
    raise RuntimeError(f"{card} was not offered")


if __name__ == "__main__":
    print(json.dumps(play(*sys.argv[1:]) if sys.argv[2:] else layout(sys.argv[1])))
