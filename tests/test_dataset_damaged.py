"""Damaged manifests, shards and result files: one line, and nothing wrong is read."""

import random
from pathlib import Path

import fuzz_datasets
import pytest
from pool_here import Here

from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.dataset import command as dataset

COUNT = 150


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (benchmark, dataset):
        monkeypatch.setattr(command, "make_pool", lambda backend, size: Here())


def test_damaged_datasets(tmp_path: Path) -> None:
    folder = fuzz_datasets.small_dataset(tmp_path)
    assert fuzz_datasets.manifests(folder, COUNT, random.Random(2)) > COUNT // 2
    assert fuzz_datasets.shards(folder, COUNT, random.Random(3)) > COUNT // 2


def test_damaged_result_files(tmp_path: Path) -> None:
    text = fuzz_datasets.small_benchmark(tmp_path)
    assert fuzz_datasets.benchmarks(text, COUNT, random.Random(4)) > COUNT // 2
