"""Policies of earlier versions, for the sections of today: the same moves, and what can't be mapped is refused."""

import hashlib
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bloodrage_agents.compiled.inputs import INPUTS, NUM_INPUTS
from bloodrage_agents.network import FORMAT, Network, old_shapes, packed_table, read_archive, table_of
from bloodrage_env import engine, files
from bloodrage_env.errors import UserError
from bloodrage_env.observation import AT
from bloodrage_training.learn.convert import FIRST_TABLE, convert, convert_file

ROOT = Path(__file__).resolve().parents[1]

# What the teacher played before it was mapped to the sections of five seats and of other sets: SHA-256 of the moves of
# games with the seeds 0 to 20 of two, three and four players in turn, every fourth a first game.
RECORDED_GAMES = 21
RECORDED = "63b9c04b7ba33500"

OWN_TABLE = table_of("bloodrage")


def old_file(seed: int = 0, width: int = 8) -> tuple[bytes, dict[str, np.ndarray]]:
    """A file of format 1 with random weights."""
    rng = np.random.default_rng(seed)
    sizes = old_shapes(width, 1)
    sizes["first_weight"] = (sum(int(np.prod(shape)) for _, shape in FIRST_TABLE), width)
    stored = {name: rng.normal(0, 0.1, shape).astype(np.float16) for name, shape in sizes.items()}
    archive = io.BytesIO()
    np.savez_compressed(archive, format=np.int64(1), **stored)
    return files.sealed(archive.getvalue()), stored


def test_a_mapped_policy_plays_as_before() -> None:
    network, first = Network.load(str(ROOT / "training" / "checkpoints" / "teacher.npz")), np.zeros(1, np.int64)
    digest = hashlib.sha256()
    for seed in range(RECORDED_GAMES):
        states = engine.new_game(seed, 2 + seed % 3, seed % 4 == 3)
        actions: list[int] = []
        seat = engine.seat_to_act(states, 0)
        while seat >= 0:
            logits, _ = network.evaluate(states, first)
            actions.append(int(logits[0].argmax()))
            seat = engine.apply(states, 0, actions[-1])
        digest.update(np.array([len(actions), *actions], "<i4").tobytes())
    assert digest.hexdigest()[:16] == RECORDED


def test_sections_keep_the_beginning_of_each_axis() -> None:
    content, old = old_file()
    table, new = read_archive(convert(content))
    assert table == OWN_TABLE
    start = 0
    at = {section.name: section for section in INPUTS}
    for name, shape in FIRST_TABLE:
        size = int(np.prod(shape))
        section = at[name]
        weights = new["first_weight"][section.start : section.start + section.size].reshape(*section.shape, -1)
        part = tuple(slice(n) for n in shape)
        assert (weights[part].reshape(size, -1) == old["first_weight"][start : start + size]).all(), name
        weights = weights.copy()
        weights[part] = 0
        if name != "players":
            assert not weights.any(), name
        start += size
    assert start == len(old["first_weight"])
    assert not new["first_weight"][AT.sets : AT.sets + at["sets"].size].any()
    for name in ("worth", "control", "scores"):
        assert not new["first_weight"][at[name].start : at[name].start + at[name].size].any()
    assert not new["gain_weight"].any()
    assert not new["gain_bias"].any()
    assert (new["value_weight"][:, 0] == old["value_weight"]).all()
    assert np.abs(new["value_weight"][:, 1:] + old["value_weight"][:, None].astype(float) / 3).max() < 1e-3
    kept = [name for name in old if name not in ("first_weight", "value_weight", "value_bias")]
    assert all((new[name] == old[name]).all() for name in kept)


def test_games_of_five_are_told_as_games_of_four() -> None:
    _, new = read_archive(convert(old_file()[0]))
    assert (new["first_weight"][AT.players + 3] == new["first_weight"][AT.players + 2]).all()


def test_a_file_of_today_is_mapped_to_itself() -> None:
    once = convert(old_file()[0])
    assert convert(once) == once


def test_an_old_file_is_refused_with_the_command(tmp_path: Path) -> None:
    path = tmp_path / "old.npz"
    path.write_bytes(old_file()[0])
    with pytest.raises(UserError, match=r"old.npz is no policy .* map it: python -m bloodrage_training.learn.convert"):
        Network.load(path)
    convert_file(path, path)
    assert Network.load(path).width == 8


def with_table(table: object) -> bytes:
    """A file of today that names other sections."""
    _, stored = read_archive(convert(old_file()[0]))
    archive = io.BytesIO()
    np.savez_compressed(archive, format=np.int64(FORMAT), sections=packed_table(table), **stored)  # type: ignore[arg-type]
    return files.sealed(archive.getvalue())


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ((("glory", (NUM_INPUTS,)),), "section glory was .* smaller"),
        ((("weather", (NUM_INPUTS,)),), "no section weather"),
        ((("glory", (5,)),), "first_weight is"),
        ((("glory", (NUM_INPUTS, 0)),), "damaged"),
        ((("glory", ("x",)),), "damaged"),
        ("glory", "damaged"),
        ((), "damaged"),
        ((("glory", (2,)), ("glory", (NUM_INPUTS - 2,))), "damaged"),
    ],
)
def test_what_cannot_be_mapped(table: object, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        convert(with_table(table))


def test_the_command(tmp_path: Path) -> None:
    """A line on success; one line and status 2 otherwise."""
    command = [sys.executable, "-m", "bloodrage_training.learn.convert"]
    old, new = tmp_path / "old.npz", tmp_path / "new.npz"
    old.write_bytes(old_file()[0])
    done = subprocess.run([*command, old, new], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"wrote {new}\n")
    assert Network.load(new).width == 8
    for given in (tmp_path / "missing.npz", tmp_path):
        done = subprocess.run([*command, given, new], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert str(given) in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr
