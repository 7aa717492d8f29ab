"""The library that multiplies matrices of float32 on the CPU: MKL, which PyTorch calls by default, or oneDNN.

On processors of AMD oneDNN takes half the time. PyTorch calls it with the precision "medium", which permits bfloat16.
Where oneDNN rounds to it, as on processors with AMX, MKL remains: `bfloat16` is a setting of its own.
"""

import functools
import time
from typing import Final

import torch

DEFAULT, ONEDNN = "highest", "medium"  # precisions of PyTorch, by the library that they select
ROWS, WIDTH = 1024, 256  # of the products that are measured
TIMES: Final = 8
FASTER: Final = 0.8  # of the time of MKL: a smaller gain isn't worth a choice that noise could turn
MOST_ERROR: Final = 1e-3  # of a product of numbers around 1; that of float32 is 5e-5, of bfloat16 0.1


def use_one_thread() -> None:
    """Let PyTorch compute in the thread that calls it, with the faster library. Runs have threads of their own."""
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision(_precision())


@functools.cache
def _precision() -> str:
    """Return the precision that selects the faster library for one thread, measured in some milliseconds."""
    if torch.cuda.is_available():  # the precision is that of a GPU's products, too
        return DEFAULT
    before = torch.get_float32_matmul_precision()
    seconds, error = (dict[str, float]() for _ in range(2))
    generator = torch.Generator().manual_seed(1)
    left, right = torch.randn(ROWS, WIDTH, generator=generator), torch.randn(WIDTH, WIDTH, generator=generator)
    exact = left.double() @ right.double()
    for name in DEFAULT, ONEDNN:
        torch.set_float32_matmul_precision(name)
        error[name] = float((left @ right - exact).abs().max())
        seconds[name] = min(_seconds(left, right) for _ in range(TIMES))
    torch.set_float32_matmul_precision(before)
    return chosen(seconds, error)


def chosen(seconds: dict[str, float], error: dict[str, float]) -> str:
    """Return the precision whose library is faster, unless it rounds to less than float32."""
    faster = seconds[ONEDNN] < FASTER * seconds[DEFAULT]
    return ONEDNN if faster and error[ONEDNN] < MOST_ERROR else DEFAULT


def _seconds(left: torch.Tensor, right: torch.Tensor) -> float:
    began = time.thread_time()
    torch.mm(left, right)
    return time.thread_time() - began
