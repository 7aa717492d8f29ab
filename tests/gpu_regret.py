"""Values of decisions by searches on a GPU, in numba's simulator: python -m tests.gpu_regret.

Set NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1.
"""

from collections import Counter
from unittest import mock

import numpy as np

from bloodrage_env.core.engine.rewards import share_of
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_training.learn.policy import Policy
from research.regret import decisions
from research.regret.decisions import SEARCHES, DeviceJudge, visits_of
from research.values.playing import new_games

from .gpu_search import OnHost

SIMULATIONS, BATCH = 24, 2  # of three decisions


def last_decisions():
    """The last decisions of two games with several legal actions and a new game; and these games at their ends."""
    states, rng = new_games(np.array([2, 3, 4]), 5), np.random.default_rng(1)
    kept = states.copy()
    for game in range(2):
        while not states[game]["over"]:
            if states[game]["num_legal"] > 1:
                kept[game] = states[game]
            GAME.play.apply(states, game, int(rng.choice(np.flatnonzero(states[game]["mask"]))))
    return kept, states


def main() -> None:
    """Value them, on the device and by simulations on the CPU, and print what was compared."""
    (states, ends), policy, tried = last_decisions(), Policy(8, 1, "bloodrage"), []

    def counted(self, which, seats, seeds, rows, visits, actions):
        tried.extend(seeds[rows, visits].tolist())  # of redeals
        return OnHost._outcomes(self, which, seats, seeds, rows, visits, actions)

    def valued(seed):
        return [*DeviceJudge(policy, SIMULATIONS, BATCH).value_all(states, np.random.default_rng(seed))]

    found, again, other = valued(1), valued(1), valued(2)
    with mock.patch.multiple(decisions.RootSearcher, outcome=OnHost.outcome, of=OnHost.of, create=True), \
            mock.patch.object(decisions.RootSearcher, "_outcomes", counted):  # fmt: skip
        host = valued(1)
    for values, same, wanted, state in zip(found, again, host, states, strict=True):
        assert values.dtype == np.float32
        assert values.shape == (SEARCHES, state["num_legal"])
        assert ((values >= 0) & (values <= 1)).all()
        assert np.array_equal(values, same)
        assert np.allclose(values, wanted, atol=1e-5)
    assert any(not np.array_equal(*each) for each in zip(found, other, strict=True))
    visits = [SEARCHES * visits_of(legal, SIMULATIONS) for legal in states["num_legal"].tolist()]
    redeals = np.repeat(states["num_legal"], visits)  # each for all actions
    assert sorted(Counter(tried).values()) == sorted(redeals.tolist())
    for game, state in enumerate(states[:2]):  # both are decided
        reward = GAME.rewards["win"](GAME.play.scores(ends, game))[int(state["seat"])]
        assert (found[game] == share_of(reward, int(state["num_players"]))).all()
    print(f"{len(found)} decisions, no difference")


if __name__ == "__main__":
    main()
