"""Files that last: whole or not at all, and a checkpoint is read only as it was written."""

import io
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bloodrage_env import files
from bloodrage_env.errors import UserError, interruptible
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy, load_policy
from bloodrage_training.learn.runs import cut_log, with_policy, write
from bloodrage_training.report import page


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """Of a small network."""
    write(tmp_path / "checkpoint.pt", with_policy(Policy(16, 2, game="bloodrage"), progress={"updates": 3}))
    return tmp_path / "checkpoint.pt"


def refusal(path: Path) -> str:
    """The one line with which a checkpoint is refused."""
    with pytest.raises(UserError) as caught:
        load_policy(path, game="bloodrage")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- writing


WRITERS = {
    "files": lambda path: files.write(path, b"new"),
    "checkpoint": lambda path: write(path, with_policy(Policy(16, 2, game="bloodrage"))),
    "policy": lambda path: export(Policy(16, 2, game="bloodrage"), path),
    "replay": lambda path: Replay(1).save(path),
    "page": lambda path: page.write(path, "new"),
    "log": lambda path: cut_log(path, 0),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, kind: str, monkeypatch: Any) -> None:
    """Otherwise a power cut may leave an empty file under it; and then the name is made to last."""
    path, done = tmp_path / "file", []
    path.write_text("updates\n1\n")
    sync, rename = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append(os.readlink(f"/proc/self/fd/{handle}")), sync(handle)))
    monkeypatch.setattr(Path, "replace", lambda old, new: (done.append(f"{old} > {new}"), rename(old, new)))
    WRITERS[kind](path)
    assert len(done) == 3
    assert done[1:] == [f"{done[0]} > {path}", str(tmp_path)]
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("kind", WRITERS)
def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, kind: str, monkeypatch: Any) -> None:
    path = tmp_path / "file"
    path.write_text("updates\n1\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        WRITERS[kind](path)
    assert caught.value.filename == str(path)
    assert path.read_text() == "updates\n1\n"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to("target")
    for content in b"one", b"two":  # at first there is no target
        files.write(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    files.check_place(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.write(pipe, b"new")
    assert os.read(reader, 9) == b"new"
    os.close(reader)
    assert pipe.is_fifo()
    with pytest.raises(OSError, match="No space left") as caught:
        files.write("/dev/full", b"new")
    assert caught.value.filename == "/dev/full"


# ---- sealed files


def interrupted_at(number: int) -> Any:
    """A trace that raises KeyboardInterrupt at this line of `zipfile`, or later outside a clean-up."""
    lines = 0

    def trace(frame: Any, event: str, arg: object) -> Any:
        nonlocal lines
        if "zipfile" in frame.f_code.co_filename and event == "line":
            lines += 1
            if lines == number:
                raise KeyboardInterrupt
        return trace

    return trace


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of __del__
def test_ctrl_c_at_any_line_of_an_archive_is_ctrl_c() -> None:
    arrays, ended = {"one": np.arange(3), "two": np.array("text")}, 0
    old = sys.gettrace()
    for number in range(1, 2000):
        sys.settrace(interrupted_at(number))
        try:
            content = files.archive(arrays)
        except KeyboardInterrupt:
            ended += 1
        else:
            break
        finally:
            sys.settrace(old)
    assert ended > 100
    assert np.load(io.BytesIO(content))["one"].tolist() == [0, 1, 2]


def test_the_line_of_an_error_that_a_user_can_mend_remains_after_ctrl_c() -> None:
    @interruptible()
    def full() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        full()
    with pytest.raises(ZeroDivisionError), interruptible():
        raise ZeroDivisionError


def test_a_sealed_file_is_still_an_archive(checkpoint: Path) -> None:
    with zipfile.ZipFile(checkpoint) as archive:
        assert archive.testzip() is None
    assert torch.load(checkpoint, weights_only=True)["progress"] == {"updates": 3}
    with pytest.raises(ValueError, match="without a comment"):
        files.sealed(checkpoint.read_bytes())


def test_a_checkpoint_without_a_checksum_is_refused(checkpoint: Path) -> None:
    torch.save(with_policy(Policy(16, 2, game="bloodrage")), checkpoint)
    assert refusal(checkpoint).endswith("or of an older version; copy it again, or make it again")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"shape": {"width": 10**9, "layers": 2}}, "2 layers of width 1000000000"),
        ({"shape": {"width": 16, "layers": 10**6}}, "1000000 layers"),
        ({"shape": {"width": True, "layers": 2}}, "width True"),
        ({"shape": [16, 2]}, "something else"),
        ({"policy": {}}, "something else"),
        ({"policy": Policy(16, 3, game="bloodrage").state_dict()}, "something else"),
        (
            {"policy": {**Policy(16, 2, game="bloodrage").state_dict(), "first_bias": torch.full((16,), torch.nan)}},
            "not finite",
        ),
        ({"more": Path("x")}, "something else"),  # an object, which only unpickling would make
    ],
)
def test_a_checkpoint_of_something_else_is_refused(checkpoint: Path, content: dict[str, Any], complaint: str) -> None:
    write(checkpoint, with_policy(Policy(16, 2, game="bloodrage")) | content)
    assert complaint in refusal(checkpoint)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("doubled", [False, True])
def test_an_archive_that_is_none_of_pytorch_s_is_refused(checkpoint: Path, doubled: bool) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(checkpoint) as whole, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in whole.namelist() * (1 + doubled):
            archive.writestr(name, bytes(10**6))
    checkpoint.write_bytes(files.sealed(made.getvalue()))
    assert ("twice" if doubled else "unpacks to more than") in refusal(checkpoint)


def test_a_checkpoint_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    assert "can't read" in refusal(tmp_path / "missing.pt")
    assert "can't read" in refusal(tmp_path)
