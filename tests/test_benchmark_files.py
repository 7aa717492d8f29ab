"""The files of `bloodrage benchmark` from which the leaderboard is made."""

import random
from pathlib import Path

import pytest
from pool_here import Here
from project_files import files

from bloodrage_training.benchmark import protocols, record, verify


@pytest.mark.parametrize("path", files("docs/results/benchmark/*.json"), ids=lambda path: path.stem)
def test_a_file_of_the_leaderboard_is_complete_and_plays_again(path: Path) -> None:
    """One deal of each track is played again. A plug-in must be installed for that."""
    found = record.read(path)
    assert {*protocols.required(found.game)} <= {each.protocol.track for each in found.tracks if each.comparable}
    assert verify.verify(found, Here, 1, random.Random(path.stem)) is None
