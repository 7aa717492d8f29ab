"""Files that are written atomically and, if they are sealed, verified by a checksum when they are read.

A sealed file is a zip archive (as those of numpy and PyTorch) whose comment is a SHA-256 over all bytes before it.
Other programs can read it as an archive. Faults raise UserError with a message that does not contain the file's name.
"""

import contextlib
import csv
import errno
import hashlib
import io
import os
import secrets
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .errors import UserError, interruptible

_MARK: Final = b"sha256 "
_COMMENT: Final = len(_MARK) + 64  # bytes: the digest is in hex
_END: Final = b"PK\5\6"  # of the last record of an archive, whose last two bytes are the length of the comment
_END_SIZE: Final = 22
MAX_TABLE: Final = 64 * 1024  # bytes of a CSV file that a user writes


def write(path: str | os.PathLike[str], content: bytes, mode: int = 0o666) -> None:
    """Write a file atomically, even if the process is killed or the power fails. Raise OSError.

    A link stays one, to the new file. Devices and pipes are written as they are. `mode` is the permission of the file
    before the user's umask is applied.
    """
    target, unfinished = _places(path)
    try:
        if _is_special(path):
            Path(path).write_bytes(content)
            return
        with open(unfinished, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise
    sync_folder(target.parent)


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise OSError for a path, other than a folder, that `write` cannot write. Nothing is changed."""
    if not _is_special(path):
        _, unfinished = _places(path)
        unfinished.touch(exist_ok=False)
        unfinished.unlink()
    elif not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _is_special(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a device, a pipe or a folder, which no file can replace."""
    return os.path.exists(path) and not os.path.isfile(path)


def _places(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Return where a file is, behind links, and where it is written first."""
    target = Path(os.path.realpath(path))
    return target, target.with_name(f".{target.name}.{secrets.token_hex(4)}")


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, where its file system supports it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def archive(arrays: Mapping[str, npt.NDArray[Any]], compressed: bool = True) -> bytes:
    """Return the content of a zip archive of arrays by name, as `numpy.savez` writes it.

    Raise KeyboardInterrupt itself for Ctrl-C: `zipfile` raises a ValueError if it is interrupted in an entry.
    """
    content = io.BytesIO()
    save = np.savez_compressed if compressed else np.savez
    with interruptible():
        save(content, **dict[str, Any](arrays))
    return content.getvalue()


def sealed(archive: bytes) -> bytes:
    """Return the content of a sealed file. `archive` is the content of a zip archive without a comment."""
    if archive[-_END_SIZE:][: len(_END)] != _END:
        raise ValueError("it is not a zip archive without a comment")
    body = archive[:-2] + _COMMENT.to_bytes(2, "little")
    return body + _MARK + _digest(body)


def read_sealed(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the content of a sealed file of at most `most` bytes, after a check of its checksum.

    Raise UserError for a larger or damaged file, OSError for a file that cannot be read.
    """
    with Path(path).open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise UserError(f"it is larger than {most >> 20} MiB")
    check_sealed(content)
    return content


def check_sealed(content: bytes) -> None:
    """Raise UserError unless this is the content of a sealed file with its checksum."""
    body, comment = content[:-_COMMENT], content[-_COMMENT:]
    if not comment.startswith(_MARK):
        raise UserError("it has no checksum: it is cut short, or of an older version; copy it again, or make it again")
    if comment != _MARK + _digest(body):
        raise UserError("it is damaged: its checksum does not fit; copy it again, or make it again")


def check_archive(content: bytes, most: int) -> None:
    """Raise UserError unless it is a zip archive without duplicate names, of at most `most` bytes unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except Exception as error:  # a file from elsewhere may raise anything
        raise UserError(f"it is not a zip archive ({type(error).__name__})") from error
    seen: set[str] = set()
    for entry in entries:
        if entry.filename in seen:
            raise UserError(f"it has {entry.filename[:40]!a} twice")
        seen.add(entry.filename)
    if sum(entry.file_size for entry in entries) > most:
        raise UserError(f"it unpacks to more than {most:,} bytes")


def csv_lines(content: bytes, name: str, what: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the place of each line of a CSV file that is not blank, such as "my.csv, line 2", and its cells.

    Raise UserError, with one line that begins with `name`, for a file that is too large to be `what`, or no text.
    """
    if len(content) > MAX_TABLE:
        raise UserError(f"{name} is larger than {MAX_TABLE // 1024} KB: no {what}")
    try:
        lines = io.StringIO(content.decode("utf-8-sig"), newline=None)
    except UnicodeDecodeError:
        raise UserError(f"{name} is not a text in UTF-8") from None
    for number, line in enumerate(lines, start=1):
        cells = [each.strip() for each in next(csv.reader([line]), [])]
        if any(cells):
            yield f"{name}, line {number}", cells


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
