"""The kernels of a game in PTX, the assembly language of GPUs: python -m tests.gpu_ptx GAME. Needs no GPU."""

import re
import sys

import numba.cuda.dispatcher

from bloodrage_env import games
from bloodrage_env.core.cuda import ptx_of
from bloodrage_env.core.gpu_batch import sources

CAPABILITY = (9, 0)


class Device:
    """What numba-cuda asks of a device when it compiles for one."""

    compute_capability = CAPABILITY


def main(name: str) -> None:
    """Print the size of each kernel, and whatever it calls to allocate memory, which kernels must not."""
    numba.cuda.dispatcher.get_current_device = lambda: Device
    game = games.game(name).batch.one_game
    for kernel in sources(game):
        text = ptx_of(kernel, game.record, CAPABILITY)
        calls = sorted(set(re.findall(r"NRT_\w+|malloc\b", text)))
        print(kernel.__name__, len(text), *calls)


if __name__ == "__main__":
    main(*sys.argv[1:])
