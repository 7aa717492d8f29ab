"""The kernels of a game in PTX, the assembly language of GPUs: python -m tests.gpu_ptx GAME [FOLDER].

Needs no GPU."""

import re
import sys
from pathlib import Path

import numba.cuda.dispatcher

from bloodrage_agents import gpu_kernels
from bloodrage_env import games
from bloodrage_env.core.compile.cuda import ptx_of
from bloodrage_env.core.engine.gpu_batch import sources

CAPABILITY = (9, 0)


class Device:
    """What numba-cuda asks of a device when it compiles for one."""

    compute_capability = CAPABILITY


def main(name: str, folder: str = "") -> None:
    """Print the size of each kernel, and whatever it calls to allocate memory, which kernels must not.

    With a folder, write KERNEL.ptx there, for `ptxas`.
    """
    numba.cuda.dispatcher.get_current_device = lambda: Device
    game = games.game(name).batch.one_game
    for kernel in (*sources(game), *gpu_kernels.sources(name)[0]):
        text = ptx_of(kernel, game.record, CAPABILITY)
        if folder:
            (Path(folder) / f"{kernel.__name__}.ptx").write_text(text)
        calls = sorted(set(re.findall(r"NRT_\w+|malloc\b", text)))
        print(kernel.__name__, len(text), *calls)


if __name__ == "__main__":
    main(*sys.argv[1:])
