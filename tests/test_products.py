"""The library for products of float32: it may be faster, but not less exact."""

import pytest
import torch

from bloodrage_training.learn import products
from bloodrage_training.learn.products import DEFAULT, ONEDNN, use_one_thread


@pytest.mark.parametrize(("most_error", "expected"), [(1.0, ONEDNN), (0.0, DEFAULT)])
def test_the_error_alone_decides(most_error: float, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times would let a run go on with another library, so with other weights."""
    monkeypatch.setattr(products, "MOST_ERROR", most_error)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    before = torch.get_float32_matmul_precision()
    assert {products._precision.__wrapped__() for _ in range(20)} == {expected}
    assert torch.get_float32_matmul_precision() == before


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
