"""The library for products of float32: it may be faster, but not less exact."""

import pytest
import torch

from bloodrage_training.learn.products import DEFAULT, ONEDNN, chosen, use_one_thread


@pytest.mark.parametrize(
    ("seconds", "error", "expected"),
    [
        (0.5, 5e-5, ONEDNN),
        (0.9, 5e-5, DEFAULT),  # too little
        (0.2, 0.1, DEFAULT),  # bfloat16
    ],
)
def test_the_choice(seconds: float, error: float, expected: str) -> None:
    assert chosen({DEFAULT: 1.0, ONEDNN: seconds}, {DEFAULT: 3e-5, ONEDNN: error}) == expected


def test_products_keep_the_bits_of_float32() -> None:
    before = torch.get_float32_matmul_precision()
    try:
        use_one_thread()
        assert torch.get_float32_matmul_precision() in (DEFAULT, ONEDNN)
        assert torch.get_num_threads() == 1
        left, right = torch.randn(64, 512), torch.randn(512, 64)
        assert (left @ right - left.double() @ right.double()).abs().max() < 1e-3
    finally:
        torch.set_float32_matmul_precision(before)
