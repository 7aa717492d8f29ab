"""A card or a figure kind more, added to a copy of the packages: nothing moves, and policies and agents go on.

What is changed here is what CONTRIBUTING says that it takes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from layouts import layout

import bloodrage_agents
import bloodrage_env

TESTS = Path(__file__).parent
PACKAGES = [Path(str(each.__file__)).parent for each in (bloodrage_env, bloodrage_agents)]
NEW = "NEW_ONE"
# By file, what takes the place of what; of nothing at its end.
Changes = list[tuple[str, str, str]]
CARD: Changes = [
    (
        "bloodrage_env/games/bloodrage/engine/card_ids.py",
        "    THORS_CHOSEN = 81\n",
        f"    THORS_CHOSEN = 81\n    {NEW} = 82\n",
    ),
    (
        "bloodrage_env/games/bloodrage/engine/cards.csv",
        "",
        f"{NEW},New One,base,BATTLE,Loki,4,0,0,0,NONE,1:2 2:2 3:2,win_glory=3,The winner gains 3 glory.\n",
    ),
    (
        "bloodrage_agents/games/bloodrage/compiled/weights.py",
        "    Card.THORS_CHOSEN: 8.00,\n",
        f"    Card.THORS_CHOSEN: 8.00,\n    Card.{NEW}: 4.00,\n",
    ),
]
UPGRADE: Changes = [
    CARD[0],
    (
        "bloodrage_env/games/bloodrage/engine/cards.csv",
        "",
        f"{NEW},New One,ks,MONSTER,,3,3,0,0,NONE,1:2 2:2 3:2 3:2,,It has no text.\n",
    ),
]
QUEST: Changes = [
    CARD[0],
    (
        "bloodrage_env/games/bloodrage/engine/cards.csv",
        "",
        f"{NEW},New One,base,QUEST,,0,0,0,6,MANHEIM,1:2 1:2 1:2,,Be strictly the strongest in Manheim.\n",
    ),
]
KIND: Changes = [
    ("bloodrage_env/games/bloodrage/engine/ids.py", "    MYSTIC = 5\n", f"    MYSTIC = 5\n    {NEW} = 6\n"),
    ("bloodrage_env/games/bloodrage/engine/ids.py", "NUM_KINDS: Final = 6\n", "NUM_KINDS: Final = 7\n"),
    ("bloodrage_env/games/bloodrage/engine/board.py", "Slot.MONSTER_2, NONE]", "Slot.MONSTER_2, NONE, NONE]"),
    (
        "bloodrage_env/games/bloodrage/engine/board.py",
        "[1, NUM_WARRIORS, 1, 0, 0, 0]",
        "[1, NUM_WARRIORS, 1, 0, 0, 0, 0]",
    ),
    (
        "bloodrage_env/games/bloodrage/engine/board.py",
        "[1, NUM_WARRIORS, 1, 1, 1, NUM_MYSTICS]",
        "[1, NUM_WARRIORS, 1, 1, 1, NUM_MYSTICS, 3]",
    ),
    ("bloodrage_env/games/bloodrage/engine/board.py", "[3, 1, 2, 0, 0, 2]", "[3, 1, 2, 0, 0, 2, 2]"),
]
BERSERK: Changes = [
    ("bloodrage_env/games/berserk/engine/card_ids.py", "    ZVAR = 46\n", f"    ZVAR = 46\n    {NEW} = 47\n"),
    ("bloodrage_env/games/berserk/engine/cards.csv", "", f"{NEW},New One,neutral,,0,4,1,10,1,3,3,4,armour=1,,,,\n"),
    ("bloodrage_env/games/berserk/engine/decks.csv", "", f"{NEW},3,3,0,0\n"),
]


def copied(folder: Path, changes: Changes) -> Path:
    """The packages with changes, in a folder."""
    for package in PACKAGES:
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, old, new in changes:
        file = folder / name
        text = file.read_text(encoding="utf-8")
        assert not old or text.count(old) == 1, f"{name}: {old}"
        file.write_text(text.replace(old, new) if old else text + new, encoding="utf-8")
    return folder


def run(folder: Path, *arguments: str) -> Any:
    """What `layouts.py` prints for the packages of a folder, without compilation."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    variables |= {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join((str(folder), str(TESTS)))}
    done = subprocess.run(
        [sys.executable, str(TESTS / "layouts.py"), *arguments],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("bloodrage", CARD),
        ("bloodrage", UPGRADE),
        ("bloodrage", QUEST),
        ("bloodrage", KIND),
        ("berserk", BERSERK),
    ],
    ids=["card", "upgrade", "quest", "kind", "berserk"],
)
def test_nothing_moves(tmp_path: Path, game: str, changes: Changes) -> None:
    """Ids, inputs and records are as they were, but a reserved position of each axis has a name."""
    today, later = layout(game), run(copied(tmp_path, changes), game)
    assert later["size"] == today["size"]
    assert later["record"] == today["record"]
    for table in ("actions", "inputs"):
        assert len(later[table]) == len(today[table])
        changed = [pair for pair in zip(today[table], later[table], strict=True) if pair[0] != pair[1]]
        assert changed
        for was, named in changed:
            assert NEW in named
            assert re.fullmatch(re.escape(named).replace(NEW, r"\d+"), was)


def test_all_figures_of_a_new_kind_are_in_the_observation_space(tmp_path: Path) -> None:
    bounds = run(copied(tmp_path, KIND), "bloodrage")["most"]
    assert bounds[f"figures[0, {NEW}, RESERVE]"] == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "changes", "card"),
    [("bloodrage", CARD, NEW), ("bloodrage", KIND, "TYRS_BASH"), ("berserk", BERSERK, NEW)],
    ids=["card", "kind", "berserk"],
)
def test_every_agent_plays_on(tmp_path: Path, game: str, changes: Changes, card: str) -> None:
    assert run(copied(tmp_path, changes), game, card) > 20
