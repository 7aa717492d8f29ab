"""Many games on a GPU: kernels that begin, check and step them, and write their next decisions. A thread has a game."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from numba import config, cuda, types

from ..compile.decorators import Bytes2, Floats2, Ints, Ints2, Mask2, Records
from .batch import OneGame
from .chance import MAX_SEED, below, seed_words
from .flow import GAME_OVER
from .sparse import nth_set

if not config.ENABLE_CUDASIM:
    from ..compile.cuda import compiled

BLOCK: Final = 64  # threads
LANES: Final = 32  # threads for the mask of a game: a warp
K = TypeVar("K", bound=tuple[Any, ...])


class Kernels(NamedTuple):
    """The kernels for many games, or their sources. `launch` runs one."""

    begin_games: Any
    find_illegal: Any
    step_games: Any
    write_decisions: Any
    write_observations: Any
    seed_choices: Any
    choose_actions: Any
    find_wrong_redeal: Any
    redeal_games: Any


def sources(game: OneGame) -> Kernels:
    """Make the kernels of a game as plain functions."""
    begin, step, write_bytes, write_rewards = game.begin, game.step, game.write_bytes, game.write_rewards
    redeal = game.redeal
    num_actions = game.sizes.actions

    def begin_games(states: Records, seeds: Ints, options: Ints2) -> None:
        """Set up each game from its seed."""
        game = cuda.grid(1)
        if game < len(states):
            begin(states[game], seeds[game], options[game])

    def find_illegal(states: Records, actions: Ints, first: Ints) -> None:
        """Lower `first[0]` to the first game whose action is not legal."""
        game = cuda.grid(1)
        if game < len(states):
            action = actions[game]
            if action < 0 or action >= num_actions or states[game].mask[action] == 0:
                cuda.atomic.min(first, 0, game)

    def step_games(
        states: Records, actions: Ints, seeds: Ints, stride: int, options: Ints2, rewards: Floats2, dones: Mask2
    ) -> None:
        """Answer the question of each game with a legal action, and set up games that end, as `batch.step_games`."""
        game = cuda.grid(1)
        if game < len(states):
            s = states[game]
            for seat in range(rewards.shape[1]):
                rewards[game, seat] = 0.0
            dones[game, 0] = 0
            dones[game, 1] = 0
            if step(s, actions[game]) == GAME_OVER:
                write_rewards(s, rewards, game)
                dones[game, 0] = 1
                dones[game, 1] = s.truncated
                seeds[game] = (int(seeds[game]) + stride) & MAX_SEED
                begin(s, seeds[game], options[game])

    def write_decisions(states: Records, lanes: int, masks: Mask2, seats: Ints) -> None:
        """Write the open question of each game, with `lanes` threads for each, which write neighbouring bytes."""
        game, lane = cuda.grid(1) // lanes, cuda.grid(1) % lanes
        if game < len(states):
            seats[game] = states[game].seat
            for action in range(lane, num_actions, lanes):
                masks[game, action] = states[game].mask[action]

    def write_observations(states: Records, rows: Bytes2) -> None:
        """Write the observation of each seat to act."""
        game = cuda.grid(1)
        if game < len(states):
            s = states[game]
            write_bytes(s, int(s.seat), rows[game])

    def seed_choices(words: Ints2, seed: int) -> None:
        """Set the generator of each game, `words[game]`, for random actions."""
        game = cuda.grid(1)
        if game < len(words):
            seed_words(words[game], seed, game)

    def choose_actions(states: Records, words: Ints2, actions: Ints) -> None:
        """Choose a random legal action of each game."""
        game = cuda.grid(1)
        if game < len(states):
            s = states[game]
            actions[game] = nth_set(s.mask[:], below(words[game], int(s.num_legal)))

    def find_wrong_redeal(states: Records, seats: Ints, seeds: Ints, first: Ints) -> None:
        """Lower `first[0]` to the first game whose seat or seed is out of range."""
        game = cuda.grid(1)
        if game < len(states):
            if seats[game] < 0 or seats[game] >= states[game].num_players or seeds[game] < 0:
                cuda.atomic.min(first, 0, game)

    def redeal_games(states: Records, seats: Ints, seeds: Ints) -> None:
        """Make a redeal of each game in place, for a seat, from a seed."""
        game = cuda.grid(1)
        if game < len(states):
            redeal(states[game], seats[game], seeds[game])

    return Kernels(
        begin_games, find_illegal, step_games, write_decisions, write_observations, seed_choices, choose_actions,
        find_wrong_redeal, redeal_games,
    )  # fmt: skip


def compiled_for_gpu(functions: K, record: types.Record) -> K:
    """Return kernels for the current GPU, in the place of the functions of a named tuple."""
    return type(functions)(*(compiled_kernel(each, record) for each in functions))


def compiled_kernel(function: Callable[..., None], record: types.Record) -> Any:
    """Return a function as a kernel for the current GPU, or for the simulator of numba."""
    return cuda.jit(function) if config.ENABLE_CUDASIM else compiled(function, record)


def launch(kernel: Any, threads: int, *arguments: Any) -> None:
    """Run a kernel with a number of threads."""
    kernel[(threads + BLOCK - 1) // BLOCK, BLOCK](*arguments)
