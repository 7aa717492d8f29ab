"""The example for plain PyTorch (docs/libraries.md); skipped where that is not installed."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bloodrage_env import VectorGames

torch = pytest.importorskip("torch")
example = importlib.import_module("torch_bytes")


def test_it_runs() -> None:
    result = subprocess.run(
        [sys.executable, example.__file__, "--games", "8", "--steps", "5"], capture_output=True, text=True, check=True
    )
    assert result.stdout.endswith(" decisions/s\n")


def test_the_halves_are_stepped_in_turn_and_read_without_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each half by actions for its own open decisions; the tensors are the memory that the games write."""
    steps: list[VectorGames] = []
    tensors: list[int] = []

    class Noted(VectorGames):
        def step_async(self, actions: np.ndarray) -> None:
            assert self.masks[np.arange(self.num_games), actions].all()
            assert {self.observations.ctypes.data, self.masks.ctypes.data} == set(tensors[-2:])
            steps.append(self)
            super().step_async(actions)

    def noted(array: np.ndarray) -> object:
        tensor = from_numpy(array)
        tensors.append(tensor.data_ptr())
        return tensor

    from_numpy = torch.from_numpy
    monkeypatch.setattr(torch, "from_numpy", noted)
    monkeypatch.setattr(example, "VectorGames", Noted)
    assert example.play(torch.device("cpu"), 12, 7) > 0
    assert [id(each) for each in steps] == [id(steps[k % 2]) for k in range(7)]
    assert [each.seed for each in steps[:2]] == [0, 6]


def test_the_network_gives_only_legal_actions_a_chance() -> None:
    games = VectorGames(5, observations="bytes")
    games.reset()
    logits = example.Net()(torch.from_numpy(games.observations), torch.from_numpy(games.masks))
    assert torch.equal(logits.isfinite(), torch.from_numpy(games.masks != 0))


def test_the_example_of_the_page_reads_the_memory_that_is_written() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "libraries.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(code, "libraries.md", "exec"), names)
    counts, games = names["counts"], names["games"]
    assert isinstance(games, VectorGames)
    before = counts.clone()
    for _ in range(2):
        games.step(games.masks.argmax(1))
    assert counts.data_ptr() == games.observations.ctypes.data
    assert not torch.equal(counts, before)
