"""Policy files from elsewhere with a checksum that fits: whatever they contain, they load or are refused in a line."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from bloodrage_agents import parts
from bloodrage_agents.network import FORMAT, Network, layout, shapes, table_of
from bloodrage_env import files
from bloodrage_env.errors import UserError

GAME = "berserk"
WIDTH, LAYERS = 4, 2


def npy(array: np.ndarray) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array(content, array)
    return content.getvalue()


def header(shape: str, descr: str = "<f2") -> bytes:
    """A `.npy` that says so, with hardly any content."""
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(64)


def whole() -> dict[str, bytes]:
    """The members of a policy."""
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(size=shape).astype(np.float16) for name, shape in shapes(WIDTH, LAYERS, GAME).items()}
    arrays |= {"format": np.array(FORMAT), **layout(GAME)}
    return {f"{name}.npy": npy(array) for name, array in arrays.items()}


def archive(members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name, each in members.items():
            packed.writestr(name, each)
    return files.sealed(content.getvalue())


def refusal(path: Path, members: dict[str, bytes]) -> str:
    """The line with which they are refused, empty for a policy."""
    path.write_bytes(archive(members))
    try:
        Network.load(path, GAME)
    except UserError as error:
        line = str(error)
        assert line.startswith(f"{path} is not a policy of this environment: ")
        assert line.isprintable()
        assert len(line) < 600
        return line
    return ""


NAMES = list(whole())
NOT_ARRAYS = {
    "text": b"no array",
    "empty": b"",
    "cut": npy(np.zeros(3, np.float16))[:70],
    "magic": b"\x93NUMPY",
    "version": b"\x93NUMPY\x09\x09" + bytes(80),
    "object": npy(np.array([None, {}], dtype=object)),
    "fields": npy(np.zeros(2, [("a\nb", np.float16), ("c" * 500, np.int8)])),
    "words": npy(np.array(["a\nb", "c"])),
    "times": npy(np.array(["2020"], "datetime64[Y]")),
    "other order": npy(np.zeros((3, 3), ">f4")),
    "whole": npy(np.zeros(4, np.int64)),
    "no axis": npy(np.float16(1)),
    "no number": npy(np.zeros((0, 2**40), np.float16)),
    "many axes": npy(np.zeros((1,) * 32, np.float16)),
    "huge": header(f"({2**40},)"),
    "huger": header(f"({2**62}, {2**62})"),
    "below zero": header("(-1, 4)"),
    "no shape": header("None"),
    "code": header("(__import__('os').getpid(),)"),
    "no type": header("(1,)", "nonsense"),
    "deep": header("(" * 5000),
}


@pytest.mark.parametrize("content", NOT_ARRAYS.values(), ids=list(NOT_ARRAYS))
def test_a_member_that_is_no_such_array(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "policy.npz"
    assert refusal(path, whole()) == ""
    for name in NAMES:
        assert refusal(path, whole() | {name: content}), name


@pytest.mark.parametrize("name", NAMES)
def test_members_are_named_as_they_should_be(tmp_path: Path, name: str) -> None:
    path, members = tmp_path / "policy.npz", whole()
    content = members.pop(name)
    assert refusal(path, members)  # missing
    bare = name.removesuffix(".npy")
    for wrong in (bare, f"../{name}", f"/{name}", name.upper(), f"{bare}\n.npy", f"{name}.npy", f"{name}/"):
        assert refusal(path, members | {wrong: content}), wrong
    for more in (bare, "__class__.npy", "\x1b[2J.npy", "x" * 5000):
        assert refusal(path, whole() | {more: content}), more


@pytest.mark.parametrize("name", ["inputs", "actions", "game"])
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    for text in (
        "",
        "{}",
        "[]",
        "[[1]]",
        '[["players", [[]]]]',
        '[["a", [["1"]]], ["a", [["1"]]]]',
        '[["a", [["1", "1"]]]]',
        '["PASS", "PASS"]',
        "[" * 9999,
        f"[{'9' * 9999}]",
    ):
        assert refusal(tmp_path / "policy.npz", whole() | {f"{name}.npy": npy(np.array(text))}), text


def test_a_file_of_another_layout_is_matched_by_name(tmp_path: Path) -> None:
    """Sections, labels and actions that are gone are left out, and new ones have weights of zero."""
    path = tmp_path / "policy.npz"
    net, today = parts.forward(GAME), whole()
    path.write_bytes(archive(today))
    expected = Network.load(path, GAME).arrays
    table = [[name, [list(axis) for axis in axes]] for name, axes in table_of(GAME)]
    weights = {each.name: expected["first_weight"][each.start : each.start + each.size] for each in net.sections}
    # One section is gone, one is new; one lacks its last card, two cards have changed places; actions are reversed.
    gone, swapped = "dice", "deal"
    table = [row for row in table if row[0] != gone]
    rows = {row[0]: row for row in table}
    rows[swapped][1][0] = [rows[swapped][1][0][k] for k in (1, 0, *range(2, 46))]
    changed = {name: weights[name] for name in rows}
    changed[swapped] = weights[swapped][[1, 0, *range(2, 46)]]
    table.append(["more", [["1", "2"]]])
    members = today | {
        "inputs.npy": npy(np.array(json.dumps(table))),
        "actions.npy": npy(np.array(json.dumps(net.action_names[::-1]))),
        "first_weight.npy": npy(np.concatenate([*changed.values(), np.ones((2, WIDTH))]).astype(np.float16)),
        "action_weight.npy": npy(expected["action_weight"][:, ::-1].astype(np.float16)),
        "action_bias.npy": npy(expected["action_bias"][::-1].astype(np.float16)),
    }
    path.write_bytes(archive(members))
    found = Network.load(path, GAME).arrays
    runs = {each.name: slice(each.start, each.start + each.size) for each in net.sections}
    lacking = np.r_[runs[gone], runs[swapped].start + 46 : runs[swapped].stop]
    assert not found["first_weight"][lacking].any()
    kept = np.setdiff1d(np.arange(net.num_inputs), lacking)
    assert (found["first_weight"][kept] == expected["first_weight"][kept]).all()
    for name in expected.keys() - {"first_weight"}:
        assert (found[name] == expected[name]).all(), name


@pytest.mark.filterwarnings("ignore:invalid escape sequence")
@pytest.mark.filterwarnings("ignore:Reading `.npy` or `.npz` file required additional header parsing")
def test_any_change_of_a_member_is_read_or_refused(tmp_path: Path) -> None:
    path, rng = tmp_path / "policy.npz", np.random.default_rng(2)
    refused = 0
    for attempt in range(300):
        members = whole()
        name = NAMES[attempt % len(NAMES)]
        changed = bytearray(members[name])
        for at in rng.integers(min(len(changed), 130), size=1 + attempt % 3):  # the header, mostly
            changed[at] ^= rng.integers(1, 256)
        refused += bool(refusal(path, members | {name: bytes(changed)}))
    assert refused > 100
