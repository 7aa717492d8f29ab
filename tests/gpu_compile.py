"""Compiles one kernel of a game for the current GPU and keeps it on disk: python -m tests.gpu_compile GAME NUMBER.

A process for each kernel, 0 to NUM_KERNELS - 1, so that a machine with many cores compiles all of them at once.
"""

import sys

from bloodrage_agents import gpu_kernels
from bloodrage_env import games
from bloodrage_env.core.engine import gpu_batch

NUM_KERNELS = 13


def main(name: str, number: str) -> None:
    """Compile, and print the name of the kernel."""
    game = games.game(name).batch.one_game
    functions = [*gpu_batch.sources(game), *gpu_kernels.sources(name)[0]]
    assert len(functions) == NUM_KERNELS
    gpu_batch.compiled_kernel(functions[int(number)], game.record)
    print(name, functions[int(number)].__name__)


if __name__ == "__main__":
    main(*sys.argv[1:])
