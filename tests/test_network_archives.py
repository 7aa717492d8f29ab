"""Policy files from elsewhere with a checksum that fits: whatever they contain, they load or are refused in a line."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from bloodrage_agents.network import Network, packed_table, shapes, table_of
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
    arrays |= {"format": np.array(3), "sections": packed_table(table_of(GAME))}
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
        assert line.startswith(f"{path} is no policy of this environment: ")
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


def test_tables_of_sections_that_are_none(tmp_path: Path) -> None:
    for text in (
        "",
        "{}",
        "[]",
        "[[1]]",
        '[["players", [-1]]]',
        '[["a", [1]], ["a", [1]]]',
        "[" * 9999,
        f"[{'9' * 9999}]",
    ):
        assert refusal(tmp_path / "policy.npz", whole() | {"sections.npy": npy(np.array(text))}), text


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
