"""`bloodrage examples`: copies the examples and recipes that come with the package into a folder."""

import argparse
import os
import re
import shutil
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from bloodrage_env.errors import UserError
from bloodrage_env.text import counted

TRAINING: Final = Path(__file__).resolve().parents[1]  # the folder `training` of a checkout, or that of packages
SHARE: Final = "share/bloodrage/"  # of a wheel's data: pyproject.toml lists the files
PATTERNS: Final = ("*.py", "configs/*.toml", "examples/*.py", "examples/*.txt")  # of `training`
POLICY: Final = re.compile(r"checkpoints/\w+\.npz")  # that a recipe names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    into = "the folder, in which a folder `training` is made, as in the documents (this one)"
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help=into)


def run(args: argparse.Namespace) -> int:
    """Copy the files. Return the exit status."""
    folder = Path(args.folder)
    if (folder / "training").exists():
        raise UserError(f"{folder / 'training'} exists already; name another folder")
    found = sources()
    try:
        for name, file in found.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / name)
    except OSError as error:
        raise UserError(f"can't write into {folder}: {error.strerror or error}") from error
    print(f"wrote {counted(len(found), 'file')}: {os.path.join(args.folder, 'training')}")
    return 0


def sources() -> dict[str, Path]:
    """Return the files by their names below the folder: those of the checkout, or of the installed wheel."""
    if TRAINING.name == "training":  # an editable install has copies in `share`, which may be old
        files = [file for each in PATTERNS for file in sorted(TRAINING.glob(each))]
        recipes = [file.read_text(encoding="utf-8") for file in files if file.suffix == ".toml"]
        files += [TRAINING / name for name in sorted({name for text in recipes for name in POLICY.findall(text)})]
        return {f"training/{file.relative_to(TRAINING).as_posix()}": file for file in files}
    found = {}
    for file in distribution("bloodrage").files or ():
        _, share, name = file.as_posix().partition(SHARE)
        if share and not name.endswith(".pyc"):
            found[name] = Path(str(file.locate()))
    return found
