"""Pinned protocols, and the files of `bloodrage benchmark` from which the leaderboard is made."""

import random
from hashlib import sha256
from pathlib import Path

import pytest
from pool_here import Here
from project_files import ROOT, files

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_training.benchmark import protocols, record, verify
from bloodrage_training.games.bloodrage.language import track as language

# The digest of each version of each protocol. Results of one version must stay comparable: a change of a protocol needs
# another version, and a new line here.
PINNED = {
    ("bloodrage", "duel", 1): "1b1731d8869a640d",
    ("bloodrage", "duel", 2): "c7985cdd561ba648",
    ("bloodrage", "duel", 3): "a27b34cbda23fd45",
    ("bloodrage", "table", 1): "a957e9fe7d0f4336",
    ("bloodrage", "table", 2): "a21be2175d8c3276",
    ("bloodrage", "table", 3): "1240f58005b31b59",
    ("bloodrage", "held-out", 1): "c6a3f12499a0135c",
    ("bloodrage", "exploit", 1): "d0e724aa1d4fc4f9",
    ("berserk", "duel", 1): "0a33a7e39c800267",
    ("berserk", "duel", 2): "1a0a65c364ff64ca",
    ("berserk", "exploit", 1): "4e4a45907a5dcebc",
    ("*", "solo", 1): "464fc95c5f59ed68",
    ("*", "duel", 1): "5f1384554f19d023",
    ("*", "table", 1): "ba2c527b4f53997e",
}
# The start of the SHA-256 of the policy that guides an opponent: another one needs another version, too.
GUIDES = {
    ("bloodrage", "duel", 2): "9d55eba6aef10c3a",
    ("bloodrage", "table", 2): "9d55eba6aef10c3a",
    ("bloodrage", "duel", 3): "9e333b8e11b9473c",
    ("bloodrage", "table", 3): "9e333b8e11b9473c",
    ("bloodrage", "language", 4): "9e333b8e11b9473c",
    ("berserk", "duel", 1): "42278f49697377f5",
    ("berserk", "duel", 2): "179368ce8e5be4f4",
}


@pytest.mark.parametrize("path", files("docs/results/benchmark/*.json"), ids=lambda path: path.stem)
def test_a_file_of_the_leaderboard_is_complete_and_plays_again(path: Path) -> None:
    """One deal of each track is played again. A plug-in must be installed for that."""
    found = record.read(path)
    assert {*protocols.required(found.game)} <= {each.protocol.track for each in found.tracks if each.comparable}
    assert verify.verify(found, Here, 1, random.Random(path.stem)) is None


def test_a_sample_is_drawn_from_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who makes a file does not know which deals are played again."""
    seen: list[int] = []
    compared = lambda plan, deals, make_pool: seen.extend(each.deal for each in deals)  # noqa: E731
    monkeypatch.setattr(verify, "_first_difference", compared)
    found = record.read(ROOT / "docs/results/benchmark/random.json")
    for seed in range(9):
        assert verify.verify(found, Here, 1, random.Random(seed)) is None
    assert len(seen) == 9 * len(found.tracks)
    assert len({*seen}) > 9


def test_a_protocol_whose_opponent_is_guided_changes_with_the_policy() -> None:
    guided = {
        (game, track, each["version"]): sha256(Path(file_of(SHIPPED, game)).read_bytes()).hexdigest()[:16]
        for game, named in protocols.content().items()
        for track, each in named.items()
        if any("path=shipped" in opponent for opponent in each["opponents"])
    }
    network = Path(file_of(SHIPPED, "bloodrage")).read_bytes()
    guided["bloodrage", "language", language.VERSION] = sha256(network).hexdigest()[:16]  # `network` plays in it
    assert guided == {key: GUIDES.get(key) for key in guided}


def test_a_protocol_changes_with_its_version_only() -> None:
    given = {
        (game, track, each["version"]): protocols.digest_of(game, track, each)
        for game, named in protocols.content().items()
        for track, each in named.items()
    }
    assert given == {key: PINNED.get(key) for key in given}


@pytest.mark.parametrize(("game", "track"), [key[:2] for key in PINNED if key[0] != "*"])
def test_the_agents_and_options_of_a_protocol_are_valid(game: str, track: str) -> None:
    """Every option is named, so that a new default changes nothing; no opponent is limited by time."""
    found = protocols.protocol(game, track)
    given = protocols.content()[game][track]["options"]
    assert {*found.options.facts()} - {*given} <= {"squads"}  # which the set-up "full" does not use
    for each in found.opponents:
        record.check_agent(each, game)
    assert found.deals >= 25
