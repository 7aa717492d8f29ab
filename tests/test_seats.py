"""Five seats everywhere: whatever has an entry a seat follows `MAX_SEATS`, and no code counts seats by a number."""

import ast
import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from project_files import ROOT, files, name_of

from bloodrage_agents.games.bloodrage.compiled.plan import PLAN
from bloodrage_agents.mcts.nodes import NODE
from bloodrage_env import VectorGames
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.dealing.groups import DEAL
from bloodrage_env.games.bloodrage.engine.ids import MAX_SEATS, MIN_SEATS
from bloodrage_env.games.bloodrage.notation.words import CLAN_LETTERS, CLANS
from bloodrage_env.games.bloodrage.observation import SECTIONS
from bloodrage_env.games.bloodrage.render import ansi, colours, geometry
from bloodrage_env.games.bloodrage.table_page import PAGE
from bloodrage_env.render import STATIC as RENDER_STATIC

SERVE_STATIC = ROOT / "bloodrage_env" / "serve" / "static"
SOURCES = files("bloodrage_env/**/*.py", "agents/**/*.py", "training/**/*.py")

# What a game, a deal and an agent's plan have for each clan, and the axis of the clans.
BY_CLAN = {
    "stat_step": 0, "rage": 0, "glory": 0, "glory_from": 0, "passed": 0, "upgrades": 0, "figures": 0, "on_board": 0,
    "hand": 0, "hand_size": 0, "quests": 0, "quest_count": 0, "pending": 0, "gone": 0, "known": 0, "known_since": 0,
    "shown": 1, "shown_count": 1, "end_known": 1, "end_hand": 1, "kept": 1, "in_battle": 0, "main": 0, "late": 0,
    "late_count": 0, "text": 0, "counted": 0, "fallen": 0, "attended": 0, "total": 0,
}  # fmt: skip
DEAL_BY_CLAN = {"slots": 2, "secret": 1, "kept_card": 1, "from_known": 1, "committed": 0, "known_left": 0, "room": 1}
PLAN_BY_CLAN = {"below": 0, "force": 0, "present": 0, "threat": 0}


@pytest.mark.parametrize(("dtype", "axes"), [(engine.STATE, BY_CLAN), (DEAL, DEAL_BY_CLAN), (PLAN, PLAN_BY_CLAN)])
def test_records_have_room_for_every_clan(dtype: np.dtype, axes: dict[str, int]) -> None:
    assert {name: dtype[name].shape[axis] for name, axis in axes.items()} == dict.fromkeys(axes, MAX_SEATS)
    assert NODE["values"].shape[0] >= MAX_SEATS


def test_observations_have_a_row_for_every_seat() -> None:
    shapes_of = {section.name: section.shape for section in SECTIONS}
    by_seat = {"stats", "rage", "upgrades", "figures", "strength", "table", "in_battle", "actor", "totals", "next_turn"}
    assert {shapes_of[name][0] for name in by_seat} == {MAX_SEATS}
    assert {shapes_of[name][0] for name in ("known", "sure_quests")} == {MAX_SEATS - 1}
    assert shapes_of["players"] == (MAX_SEATS - MIN_SEATS + 1,)


def test_batches_pay_every_seat() -> None:
    assert VectorGames(2).rewards.shape == (2, MAX_SEATS)


def test_every_clan_has_a_name_a_letter_and_colours() -> None:
    for each in (CLANS, CLAN_LETTERS, colours.CLAN_FILL, colours.CLAN_INK, ansi.COLOURS, geometry.SHEETS):
        assert len(each) == MAX_SEATS
    for distinct in (CLANS, CLAN_LETTERS, colours.CLAN_FILL, ansi.COLOURS):
        assert len(set(distinct)) == MAX_SEATS
    assert all(len(spot.chips) in (0, MAX_SEATS) for spot in geometry.SPOTS)


# What the colour-blind see of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHTS = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def as_lab(colour: str, sight: str) -> np.ndarray:
    """A colour in CIELAB, as somebody with this sight sees it."""
    part = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    seen = XYZ @ np.clip(np.array(SIGHTS[sight]) @ linear, 0, 1) / np.array([0.9505, 1, 1.089])
    x, y, z = np.where(seen > 0.008856, np.cbrt(seen), 7.787 * seen + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHTS)
def test_clan_colours_differ_for_everybody(sight: str) -> None:
    seen = [as_lab(colour, sight) for colour in colours.CLAN_FILL]
    assert min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2)) > 20


@pytest.mark.parametrize(
    ("sheet", "classes"),
    [(RENDER_STATIC / "page.css", ("of", "edge", "wins")), (SERVE_STATIC / "style.css", ("clan",))],
)
def test_style_sheets_have_every_clan(sheet: Path, classes: tuple[str, ...]) -> None:
    text = sheet.read_text(encoding="utf-8")
    for name in classes:
        assert set(re.findall(rf"\.{name}-(\d)\b", text)) == {str(seat) for seat in range(MAX_SEATS)}


def test_the_start_page_offers_every_number_of_clans() -> None:
    page = (PAGE.static / "index.html").read_text(encoding="utf-8")
    select = page.split('<select id="players">')[1].split("</select>")[0]
    assert re.findall(r"<option[^>]*>(\d)", select) == [str(n) for n in range(MIN_SEATS, MAX_SEATS + 1)]
    script = (PAGE.static / "start.js").read_text(encoding="utf-8")
    assert f"const MOST = {MAX_SEATS};" in script


def numbers_of(node: ast.AST) -> tuple[object, ...] | None:
    """The constants of a tuple, a list, or of what `range` is called with."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        parts = node.args
    if parts is None or not all(isinstance(part, ast.Constant) for part in parts):
        return None
    return tuple(part.value for part in parts if isinstance(part, ast.Constant))


NO_SEATS = {("board.py", (2, 3, 4))}  # glory by Age


def test_no_code_counts_seats_by_a_number() -> None:
    """Neither loops over four or five, nor lists of the numbers of players."""
    loops, lists = {(4,), (5,), (2, 5), (2, 6)}, {(2, 3, 4), (2, 3, 4, 5)}
    found = [
        f"{name_of(path)}, line {node.lineno}: {numbers}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call | ast.Tuple | ast.List)
        and (numbers := numbers_of(node)) in (loops if isinstance(node, ast.Call) else lists)
        and (path.name, numbers) not in NO_SEATS
    ]
    assert found == []
