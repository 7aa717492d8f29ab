"""Every kind of file that the project reads, damaged: what is not refused is what the file says, and nothing else.

`python tests/damaged_files.py KIND COUNT [SEED]` damages so many files of a kind ("all" of each kind), half of them by
their bytes and half by the values in them, with checksums that fit again. It prints a line for each kind: how many were
refused, read, and as they were. Games under way (`set_state`) are those of `fuzz_states.py`.
"""

import contextlib
import io
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import damage
import file_kinds
import file_kinds_stores
import file_kinds_training
from file_kinds import Kind, UnwritableError

from bloodrage_env.cli import main as command_line
from bloodrage_env.errors import UserError

KINDS = [*file_kinds.KINDS, file_kinds_stores.KIND, *file_kinds_training.KINDS]
MOST = 1000  # characters of a line
COMMANDS = 20  # of so many files one is given to the command line


def line_of(kind: Kind, error: BaseException) -> str:
    """The message of a refusal, after a check that it is one."""
    assert isinstance(error, UserError) or type(error) is kind.refusal, f"{type(error).__name__}: {error}"
    said = str(error)
    assert len(said.splitlines()) == 1, f"not one line: {said[:300]!r}"
    assert 0 < len(said) < MOST, f"{len(said)} characters: {said[:300]!r}"
    return said


def said_by_command(words: list[str]) -> tuple[int, str]:
    """The status of a command and what it says on stderr, with warnings as they are."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
        status = command_line(words)
    return status, errors.getvalue()


class Hunt:
    """Damages files of one kind in a folder."""

    def __init__(self, kind: Kind, folder: Path, seed: int) -> None:
        self.kind, self.rng = kind, random.Random(f"{kind.name} {seed}")
        self.path = kind.make(folder)
        self.whole = self.path.read_bytes()
        self.tree = kind.unpack(self.whole)
        self.wanted = kind.again(kind.read(self.path))
        assert not (what := damage.difference(kind.known(self.tree), self.wanted)), f"of the whole file {what}"
        self.counts: Counter[str] = Counter()

    def damaged(self) -> tuple[bytes, bool]:
        """Another content, and whether its checksums were made again."""
        while True:
            if self.rng.random() < (0.5 if self.kind.sealed else 0.3):
                content, values = damage.bytes_of(self.whole, self.rng), False
            else:
                try:
                    content, values = self.kind.pack(self.kind.harm(self.tree, self.rng)), True
                except (UnwritableError, RecursionError):  # of what is nested deeply
                    continue
            if content != self.whole:
                return content, values

    def step(self) -> None:
        """Damage a file once and look at what is read. Raise AssertionError, with what is wrong."""
        content, values = self.damaged()
        self.path.write_bytes(content)
        try:
            found = self.kind.read(self.path)
        except Exception as error:
            line_of(self.kind, error)
            refused = True
        else:
            refused = False
            again = self.kind.again(found)
            if self.kind.sealed and not values:
                assert not (what := damage.difference(again, self.wanted)), f"without a checksum {what}"
            else:
                with contextlib.suppress(RecursionError):  # of what is nested deeply nothing is known here
                    told = self.kind.known(self.kind.unpack(content))
                    assert not (what := damage.difference(told, again)), f"in the file and as it is read {what}"
            self.counts["read" if damage.difference(again, self.wanted) else "as it was"] += 1
        self.counts["refused"] += refused
        if self.kind.words is not None and self.rng.randrange(COMMANDS) == 0:
            status, said = said_by_command(self.kind.words(self.path))
            assert not refused or status != 0 or self.kind.partly, "the command line takes what the reader refuses"
            assert status == 0 or (said.count("\n") == 1 and said[:-1].isprintable()), f"{status}: {said[:2000]!r}"
            self.counts["commands"] += 1


def hunt(kind: Kind, count: int, seed: int = 1, shown: int = 0) -> Counter[str]:
    """Damage so many files of a kind. With `shown`, go on after each fault, and print the first ones."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        found = Hunt(kind, Path(folder), seed)
        for number in range(count):
            try:
                found.step()
            except Exception as error:
                if not shown:
                    raise
                found.counts["failed"] += 1
                if found.counts["failed"] <= shown:
                    print(f"  {kind.name} {number}: {type(error).__name__}: {str(error)[:1000]}", flush=True)
        return found.counts


if __name__ == "__main__":
    wanted = [each for each in KINDS if sys.argv[1] in ("all", each.name)]
    for each in wanted:
        counts = hunt(each, int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1, shown=20)
        print(f"{each.name}: {', '.join(f'{number:,} {what}' for what, number in sorted(counts.items()))}", flush=True)
