"""`bloodrage` as a game of OpenSpiel: import this module, then `pyspiel.load_game("bloodrage(players=2)")`.

OpenSpiel wants a game whose chance is all in nodes of its own. Here a game's whole chance comes from its seed, so there
is one such node, at the root, which draws one of DEALS seeds. Whoever searches must not look at the deal:
`resample_from_infostate` samples all that a player can't know.

`python training/examples/openspiel_game.py --steps N` lets an information-set tree search of OpenSpiel play against
random play, for this number of decisions.
"""

import argparse
import hashlib
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from bloodrage_env.core.engine.rewards import share_of, win_rewards
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_DECISIONS, MAX_SEATS, NUM_ACTIONS, STATE
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, observe
from bloodrage_env.games.bloodrage.options import Options

DEALS = 1024  # outcomes of the chance node; deal i is the game of `seed + i`

TYPE = pyspiel.GameType(
    short_name="bloodrage",
    long_name="Blood Rage",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    min_num_players=2,
    max_num_players=MAX_SEATS - 1,  # five need the card set p5
    # An observation leaves out the order of past moves: there is no information state, which would hold all of it.
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"players": 4, "seed": 0},
)


class BloodRageGame(pyspiel.Game):
    """Parameters: `players` (2 to 4) and `seed`, that of the first of DEALS deals."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.players, self.seed = int(given.get("players", 4)), int(given.get("seed", 0))
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=DEALS,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_DECISIONS,
        )
        super().__init__(TYPE, info, given)

    def new_initial_state(self) -> "BloodRageState":
        """Before the deal."""
        return BloodRageState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return the information of a player. The parameters are those of OpenSpiel and have no effect."""
        return Observer()


class BloodRageState(pyspiel.State):
    """One game; `states` is the engine's array of one record, all zeros before the deal."""

    def __init__(self, game: BloodRageGame) -> None:
        super().__init__(game)
        self.players, self.seed = game.players, game.seed
        self.states = np.zeros(1, STATE)
        self.dealt = False

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's names for chance and the end."""
        if not self.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else engine.seat_to_act(self.states, 0)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all equally likely."""
        return [(deal, 1 / DEALS) for deal in range(DEALS)]

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in engine.legal_mask(self.states, 0).nonzero()[0]]

    def _apply_action(self, action: int) -> None:
        if not self.dealt:
            self.dealt = True
            engine.reset(self.states, 0, self.seed + action, Options(self.players).numbers())
        elif engine.apply(self.states, 0, action) == engine.ILLEGAL:
            raise ValueError(f"action {action} is not legal here")

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else f"action {action}"

    def is_terminal(self) -> bool:
        """Whether the game is over; one that is cut off (rules 7.9) ends by its scores."""
        return self.dealt and engine.is_over(self.states, 0)

    def returns(self) -> list[float]:
        """The `win` reward of each player, zeros before the end."""
        return win_rewards(engine.scores(self.states, 0).tolist()) if self.is_terminal() else [0.0] * self.players

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> "BloodRageState":
        """Return a state that the player cannot distinguish from this one, with hidden information sampled."""
        result: BloodRageState = self.clone()
        result.states = engine.redeal(self.states, 0, player, int(probability_sampler() * 2**62))
        return result

    def __str__(self) -> str:
        return " ".join(str(action) for action in self.history())


class Observer:
    """The observation of the environment; see docs/environment.md."""

    def __init__(self) -> None:
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BloodRageState, player: int) -> None:
        """Fill the tensor by what the player sees."""
        if state.dealt:
            observe(state.states, 0, player, self.tensor)
        else:
            self.tensor[:] = 0.0

    def string_from(self, state: BloodRageState, player: int) -> str:
        """A digest of the tensor and, if it is the player's turn, of what it may do."""
        self.set_from(state, player)
        seen = self.tensor.tobytes()
        if state.current_player() == player:
            seen += engine.legal_mask(state.states, 0).tobytes()
        return hashlib.blake2b(seen, digest_size=16).hexdigest()


pyspiel.register_game(TYPE, BloodRageGame)


# ---- a search of OpenSpiel plays it


class Playout(mcts.Evaluator):
    """The value of a leaf: the rest of the game at random, in one compiled call."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def evaluate(self, state: BloodRageState) -> Any:
        """float64[players]: what the playout pays."""
        end = state.clone()
        engine.play_random(end.states, 0, int(self.rng.integers(2**62)), MAX_DECISIONS)
        return np.array(end.returns())

    def prior(self, state: BloodRageState) -> list[tuple[int, float]]:
        """All legal actions alike."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def search(game: BloodRageGame, simulations: int, seed: int) -> ismcts.ISMCTSBot:
    """OpenSpiel's tree search over information sets, the one in Python (docs/libraries.md says why)."""
    return ismcts.ISMCTSBot(
        game=game,
        evaluator=Playout(seed),
        uct_c=1.0,
        max_simulations=simulations,
        random_state=np.random.RandomState(seed),
        use_observation_string=True,
    )


def play(game: BloodRageGame, bot: Any, own: int, rng: np.random.Generator) -> tuple[BloodRageState, int]:
    """A game of the bot, at seat `own`, against random play: its end, and how many decisions the bot made."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            action = int(rng.integers(DEALS))
        elif state.current_player() == own:
            action, decisions = int(bot.step(state)), decisions + 1
        else:
            action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
    return state, decisions


def main() -> None:
    """Let the search play until it has made `--steps` decisions, and print its win rate."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--steps", type=int, default=500, help="decisions of the search")
    parser.add_argument("--players", type=int, choices=range(2, MAX_SEATS), default=2)
    parser.add_argument("--simulations", type=int, default=20, help="of each decision")
    given = parser.parse_args()
    game = pyspiel.load_game(f"bloodrage(players={given.players})")
    bot, rng = search(game, given.simulations, 1), np.random.default_rng(1)
    shares: list[float] = []
    decisions, clock = 0, time.perf_counter()
    while decisions < given.steps:
        own = len(shares) % given.players
        end, made = play(game, bot, own, rng)
        decisions += made
        shares.append(share_of(end.returns()[own], given.players))
    seconds = time.perf_counter() - clock
    print(f"{decisions} decisions of the search in {seconds:.0f} s, {decisions / seconds:.0f} a second")
    print(f"win rate against {given.players - 1} random: {np.mean(shares):.2f} of {len(shares)} games")


if __name__ == "__main__":
    main()
