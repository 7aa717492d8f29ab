"""The library that multiplies matrices of float32 on the CPU: MKL, which PyTorch calls by default, or oneDNN.

On processors of AMD oneDNN takes half the time. PyTorch calls it with the precision "medium", which permits bfloat16.
Where oneDNN rounds to it, as on processors with AMX, MKL remains: `bfloat16` is a setting of its own. Times decide
nothing: the two libraries round differently, so a run that goes on has to multiply as it did before.
"""

import functools
from typing import Final

import torch

DEFAULT, ONEDNN = "highest", "medium"  # precisions of PyTorch, by the library that they select
ROWS, WIDTH = 1024, 256  # of the product whose error is measured
MOST_ERROR: Final = 1e-3  # of a product of numbers around 1; that of float32 is 5e-5, of bfloat16 0.1


def use_one_thread() -> None:
    """Let PyTorch compute in the thread that calls it, with oneDNN where it keeps float32. Runs have threads of their
    own.
    """
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision(_precision())


@functools.cache
def _precision() -> str:
    """Return the precision that selects oneDNN, unless oneDNN then rounds to less than float32."""
    if torch.cuda.is_available():  # the precision is that of a GPU's products, too
        return DEFAULT
    before = torch.get_float32_matmul_precision()
    generator = torch.Generator().manual_seed(1)
    left, right = torch.randn(ROWS, WIDTH, generator=generator), torch.randn(WIDTH, WIDTH, generator=generator)
    exact = left.double() @ right.double()
    try:
        torch.set_float32_matmul_precision(ONEDNN)
        error = float((left @ right - exact).abs().max())
    finally:
        torch.set_float32_matmul_precision(before)
    return ONEDNN if error < MOST_ERROR else DEFAULT
