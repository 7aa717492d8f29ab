"""Makes the positions of `decisions.py`: questions of games between `network` and `balanced`, and their values.

The value of an action is the mean over redeals for the seat. In each redeal the action is taken, and the policy of
`network` answers for the other seat, with the same random numbers for all actions, until the seat has its next choice;
there the search that `network` guides says how likely it is to win. If the game ends before, its result counts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.base import View, agent_rng, draw_seed
from bloodrage_agents.budget import Budget
from bloodrage_agents.ismcts import Ismcts
from bloodrage_agents.match import ask, reset
from bloodrage_agents.network import SHIPPED, Network
from bloodrage_env.core.engine.rewards import victory_share
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS, Decision, States
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.games.bloodrage.language.decisions import OPTIONS, Position

WANTED: Final = {"ACTION": 100, "DRAFT": 40, "BATTLE_CARD": 25, "CALL": 10, "MARCH": 8, "KEEP_CARD": 7, "STAT": 10}
MOST_ACTIONS: Final = 24  # legal actions of a position
APART: Final = 0.03  # win probability between the best and the worst action
CHANCE: Final = 0.06  # of a question to be taken: those of one game have much in common
LOOK: Final = (3, 30)  # redeals and simulations by which positions are selected


class Values:
    """Values of actions by `deals` redeals and a search of `simulations`."""

    def __init__(self, deals: int, simulations: int) -> None:
        self.deals, self.simulations = deals, simulations
        self._network = Network.load(SHIPPED, Options.game).for_players(OPTIONS.num_players)
        self._search = Ismcts(simulations=simulations, path=SHIPPED, game=Options.game)

    def of(self, view: View, seed: int) -> dict[int, float]:
        """Return the win probability of the seat of a view after each legal action."""
        rng = agent_rng("values", seed)
        sums: dict[int, float] = defaultdict(float)
        for _ in range(self.deals):
            dealt, noise = view.redeal(draw_seed(rng)), draw_seed(rng)
            for action in np.flatnonzero(view.record[0].mask).tolist():
                states = engine.clone(dealt, 0)
                engine.apply(states, 0, action)
                sums[action] += self._worth(states, view.seat, noise)
        return {action: round(total / self.deals, 4) for action, total in sums.items()}

    def _worth(self, states: States, seat: int, seed: int) -> float:
        """The win probability of a seat, at its next choice."""
        rng = agent_rng("others", seed)
        while not engine.is_over(states, 0):
            if states[0].num_legal == 1:
                engine.apply(states, 0, int(states[0].mask.argmax()))
            elif engine.seat_to_act(states, 0) != seat:
                logits, _ = self._network.evaluate(states, np.array([0]))
                engine.apply(states, 0, int((logits[0] + rng.gumbel(size=NUM_ACTIONS)).argmax()))
            else:
                return self._searched(View.of(states, 0, seat, Options.game), seed)
        return victory_share(engine.scores(states, 0).astype(np.int32), seat)

    def _searched(self, view: View, seed: int) -> float:
        """The value of the move that the search selects."""
        legal = np.flatnonzero(view.record[0].mask)
        answer = self._search.search(view, legal, seed, Budget(simulations=self.simulations).start())
        return float(answer.wins[view.seat])


def questions(seed: int) -> Iterator[tuple[int, tuple[int, ...], States]]:
    """Yield questions of games: the seed, the actions before, and the game."""
    rng = np.random.default_rng(seed)
    number = 0
    while True:
        number += 1
        deal, first = int(rng.integers(1 << 62)), number % 2
        states, actions = engine.new_game(deal, *OPTIONS.numbers()), list[int]()
        agents = [registry.make("network" if seat == first else "balanced", Options.game) for seat in range(2)]
        rngs = [agent_rng("decisions", deal, seat) for seat in range(2)]
        for seat, agent in enumerate(agents):
            reset(agent, seat, OPTIONS)
        while not engine.is_over(states, 0):
            seat = engine.seat_to_act(states, 0)
            if 2 <= states[0].num_legal <= MOST_ACTIONS and rng.random() < CHANCE:
                yield deal, tuple(actions), states
            actions.append(ask(agents[seat], states, 0, seat, rngs[seat], Options.game))
            engine.apply(states, 0, actions[-1])


def make(values: Values, seed: int, wanted: Mapping[str, int] = WANTED) -> Iterator[Position]:
    """Yield so many positions of each kind of question, in which the choice matters."""
    look, left, found = Values(*LOOK), Counter(wanted), 0
    for deal, actions, states in questions(seed):
        kind = Decision(int(states[0].decision)).name
        if not left[kind]:
            continue
        seat = engine.seat_to_act(states, 0)
        view = View.of(states, 0, seat, Options.game)
        glance = look.of(view, seed)
        if max(glance.values()) - min(glance.values()) < APART:
            continue
        found += 1
        yield Position(deal, actions, kind, int(states[0].age) + 1, values.of(view, seed + found))
        left[kind] -= 1
        if not +left:
            return
