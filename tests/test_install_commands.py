"""Every `pip install` of the documents and of messages names what can be installed.

No package index has bloodrage, so a command installs the checkout, a wheel or the repository.
"""

import re
import shlex
import tomllib

import pytest
from project_files import ROOT, files, name_of

PAGES = files("*.md", "docs/*.md", "docs/agents/*.md", "docs/berserk/**/*.md", "docs/site/*.py", "notebooks/*.ipynb")
SOURCES = files("bloodrage_env/**/*.py", "agents/**/*.py", "training/**/*.py")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
INLINE = re.compile(r"`([^`]+)`")
OWN = re.compile(r"(?:bloodrage|\.|\S*bloodrage-\S*\.whl)(?:\[(?P<extras>[\w,-]*)\])?(?P<from>\s*@ \S+)?")
VALUED = ("-r", "--requirement", "-c", "--constraint", "--find-links", "-f")


def commands(text: str) -> list[list[str]]:
    """The words after `pip install` of each command of a page, in a line of its own or between backticks."""
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    found = [line.strip().split(" # ")[0] for line in lines if line.startswith("    ") and "`" not in line]
    others = "\n".join(line for line in lines if not line.startswith("    "))
    found += [" ".join(each.split()) for each in INLINE.findall(others)]
    return [shlex.split(each.partition("pip install")[2]) for each in found if "pip install" in each]


def fault(words: list[str]) -> str:
    """What is wrong with a command; "" for nothing."""
    words = [*words]
    if "pytest" in words and "pytest-timeout" not in words:
        return "the options of pytest need pytest-timeout"
    while words:
        word = words.pop(0)
        if word in VALUED:
            file = words.pop(0)
            if not re.search(r"[A-Z]{3}|NAME", file) and "/" in file and not (ROOT / file).exists():
                return f"there is no {file}"
        elif (own := OWN.fullmatch(word)) is not None:
            unknown = {*(own["extras"] or "").split(",")} - {*EXTRAS, ""}
            if unknown:
                return f"there is no extra {', '.join(unknown)}"
            if word.startswith("bloodrage") and not own["from"] and ".whl" not in word:
                return "no index has bloodrage"
    return ""


CASES = [(name_of(page), words) for page in PAGES for words in commands(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "words"), CASES, ids=[page for page, _ in CASES])
def test_a_command_installs_what_there_is(page: str, words: list[str]) -> None:
    assert fault(words) == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("`pip install 'bloodrage[train]'`", "no index has bloodrage"),
        ("    pip install bloodrage", "no index has bloodrage"),
        ("    pip install -e . pytest", "the options of pytest need pytest-timeout"),
        ("text `pip install -e\n'.[trian]'` text", "there is no extra trian"),
        ("    pip install -e '.[train,web]'  # comment", ""),
        ('    pip install "bloodrage[web] @ git+https://example.org/bloodrage.git"', ""),
        ("    pip install \\\n        dist/bloodrage-0.2.0-py3-none-any.whl[nothing]", "there is no extra nothing"),
        ("    pip install -r training/no.txt", "there is no training/no.txt"),
    ],
)
def test_faults_are_found(text: str, says: str) -> None:
    (words,) = commands(text)
    assert fault(words) == says


def test_messages_name_the_extra_and_no_index() -> None:
    """Of a missing package (`MissingPackageError`), whose extra exists."""
    texts = {name_of(path): path.read_text(encoding="utf-8") for path in SOURCES}
    assert [name for name, text in texts.items() if re.search(r"pip install ['\"]?bloodrage", text)] == []
    named = [each for text in texts.values() for each in re.findall(r'MissingPackageError\([^)]*"(\w+)"\)', text)]
    assert len(named) >= 7
    assert {*named} <= {*EXTRAS}
