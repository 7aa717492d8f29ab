"""The files of `bloodrage benchmark` from which the leaderboard is made."""

import random
from hashlib import sha256
from pathlib import Path

import pytest
from pool_here import Here
from project_files import files

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_training.benchmark import protocols, record, verify

# The start of the SHA-256 of the policy that guides an opponent: another one needs another version, too.
GUIDES = {
    ("bloodrage", "duel", 2): "9d55eba6aef10c3a",
    ("bloodrage", "table", 2): "9d55eba6aef10c3a",
    ("berserk", "duel", 1): "42278f49697377f5",
}


@pytest.mark.parametrize("path", files("docs/results/benchmark/*.json"), ids=lambda path: path.stem)
def test_a_file_of_the_leaderboard_is_complete_and_plays_again(path: Path) -> None:
    """One deal of each track is played again. A plug-in must be installed for that."""
    found = record.read(path)
    assert {*protocols.required(found.game)} <= {each.protocol.track for each in found.tracks if each.comparable}
    assert verify.verify(found, Here, 1, random.Random(path.stem)) is None


def test_a_protocol_whose_opponent_is_guided_changes_with_the_policy() -> None:
    guided = {
        (game, track, each["version"]): sha256(Path(file_of(SHIPPED, game)).read_bytes()).hexdigest()[:16]
        for game, named in protocols.content().items()
        for track, each in named.items()
        if any("path=shipped" in opponent for opponent in each["opponents"])
    }
    assert guided == {key: GUIDES.get(key) for key in guided}
