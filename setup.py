"""The long description of the package: the README as an index shows it, where no file of the repository is at hand."""

import re
from pathlib import Path

from setuptools import setup

PICTURE = re.compile(r"^(?:\| )?!\[[^]]*\]\((?!https?:).*\n(?:\|.*\n)*\n?", re.MULTILINE)  # or a table of them
LINK = re.compile(r"\[([^]]*)\]\((?!https?:)[^)]*\)")


def long_description(readme: str) -> str:
    """Return the README without pictures and links to files of the repository: a link becomes its text."""
    return LINK.sub(r"\1", PICTURE.sub("", readme))


if __name__ == "__main__":
    readme = (Path(__file__).resolve().parent / "README.md").read_text(encoding="utf-8")
    setup(long_description=long_description(readme), long_description_content_type="text/markdown")
