"""Measured results: reads `docs/results/*.json` and makes the tables of the documents from them.

A file is an object with a title and a list of results. A result has a name, a title, the command that measures it, the
commit and the date at which its figures were recorded, the machine, notes, columns and rows; what is unknown is null.
It may have the versions of its agents (`agent_versions.py`). A column has a name, a unit if all of its numbers share
one, and whether they have a sign. A cell is a text, null, a number or a list. A list is a number with its standard
error or half interval ("error" of the column says which), a number with the ends of its 95 % interval, or these three
and the number of games.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "docs")]

import agent_versions  # noqa: E402

FOLDER = ROOT / "docs" / "results"
BENCHMARK = "benchmark"  # a folder there, with the files of the leaderboard
NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
CELL = re.compile(
    rf"(?P<value>{NUMBER})(?P<unit>(?: (?!of\b|against\b)[^\s\d()]+)*)(?: of (?P<games>[\d,]+))?"
    rf"(?: \((?P<error>±|SE) (?P<size>{NUMBER})\)| \((?P<low>{NUMBER}) to (?P<high>{NUMBER})\))?"
)
MARKER = re.compile(r"^(<!-- result: (\S+)(?: rows=([\d,-]+))? -->)\n.*?^<!-- /result -->$", re.MULTILINE | re.DOTALL)
Result = dict[str, Any]


def read(file: str) -> dict[str, Any]:
    """Return the content of a data file, its fractions as decimal numbers with all their digits."""
    content: dict[str, Any] = json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8"), parse_float=Decimal)
    return content


def result(name: str) -> Result:
    """Return the result that is named "file/name". Those of "benchmark" are made from the files of a game there."""
    file, _, own = name.partition("/")
    if file == BENCHMARK:
        return benchmark(own)
    (found,) = (each for each in read(file)["results"] if each["name"] == own)
    return found  # type: ignore[no-any-return]


def benchmark(game: str) -> Result:
    """Return the leaderboard of a game, from the result files of `bloodrage benchmark`."""
    from bloodrage_training import markdown
    from bloodrage_training.benchmark import rows

    head, *cells = rows.table(rows.leaderboard(FOLDER / BENCHMARK, game))
    shown = [[markdown.code(name), *map(markdown.escaped, more)] for name, *more in cells]
    return {"columns": [{"name": name} for name in head], "rows": shown}


# ---- cells


def as_data(head: Sequence[str], rows: Iterable[Sequence[object]]) -> tuple[list[Result], list[list[Any]]]:
    """Return the columns and rows of a table of texts; a text that is not a number of its kind remains one."""
    columns: list[Result] = []
    cells: list[list[Any]] = []
    for name, texts in zip(head, zip(*rows, strict=True), strict=True):
        texts = tuple(map(str, texts))
        found = [match for text in texts if (match := CELL.fullmatch(text))]
        column: Result = {"name": name}
        if units := [match["unit"].strip() for match in found]:
            unit = max(units, key=units.count)
            if unit and 2 * units.count(unit) >= sum(map(bool, texts)):
                column["unit"] = unit
            if all(match["value"][0] in "+-" or not float(match["value"].replace(",", "")) for match in found):
                column["sign"] = any(match["value"][0] == "+" for match in found)
            if errors := [match["error"] for match in found if match["error"]]:
                column["error"] = errors[0]
        if not column.get("sign", False):
            column.pop("sign", None)
        columns.append(column)
        cells.append([_value(text, column) for text in texts])
    return columns, [list(row) for row in zip(*cells, strict=True)]


def _value(text: str, column: Result) -> Any:
    """Return a cell as data."""
    match = CELL.fullmatch(text)
    if match is None:
        return text or None
    names = ("value", "size") if match["error"] else ("value", "low", "high", "games") if match["low"] else ("value",)
    numbers = [_number(match[name]) for name in names if match[name] is not None]
    data = numbers[0] if len(numbers) == 1 else numbers
    return data if cell_text(data, column) == text else text


def _number(text: str) -> int | Decimal:
    text = text.replace(",", "")
    return Decimal(text) if "." in text else int(text)


def cell_text(cell: Any, column: Result) -> str:
    """Return a cell as the documents show it."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    value, *more = cell if isinstance(cell, list) else [cell]
    sign, unit = "+" if column.get("sign") else "", f" {column['unit']}" if "unit" in column else ""
    text = f"{value:{sign},}{unit}"
    if len(more) == 3:
        text += f" of {more[2]:,}"
    if len(more) == 1:
        text += f" ({column['error']} {more[0]:,})"
    elif more:
        text += f" ({more[0]:{sign},} to {more[1]:{sign},})"
    return text


# ---- Markdown


def table(found: Result, rows: str = "") -> str:
    """Return the table of a result in Markdown, with all of its rows or those of `rows`: "1-3,7" are four of them."""
    columns = found["columns"]
    lines = [[column["name"] for column in columns], ["---"] * len(columns)]
    ranges = [part.partition("-") for part in rows.split(",")] if rows else [("1", "-", str(len(found["rows"])))]
    shown = [row for first, _, last in ranges for row in found["rows"][int(first) - 1 : int(last or first)]]
    lines += [[cell_text(*each) for each in zip(row, columns, strict=True)] for row in shown]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def filled(text: str) -> str:
    """Return a page with the table of each result between its markers."""

    def block(match: re.Match[str]) -> str:
        found = result(match[2])
        note = age_note(match[2].partition("/")[0], found)
        return f"{match[1]}\n{table(found, match[3] or '')}\n{note and f'{chr(10)}{note}{chr(10)}'}<!-- /result -->"

    return MARKER.sub(block, text)


def age_note(file: str, found: Result) -> str:
    """Return a line that names the agents that have changed since a result was measured, or whose versions were not
    recorded; "" if there are none.
    """
    if file == BENCHMARK:  # a test plays games of these files again
        return ""
    lines = []
    if changed := agent_versions.changed(file, found):
        lines.append(f"Measured with earlier versions of {_names(changed)}.")
    if unrecorded := agent_versions.unrecorded(file, found):
        commit = found["commit"] or "an unknown commit"
        lines.append(f"Measured at {commit}; versions of {_names(unrecorded)} not recorded.")
    return " ".join(lines)


def _names(agents: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in agents)


def pages() -> dict[str, str]:
    """Return the pages of the site that show all results, by path: one for each data file, and a list of them."""
    shown, rows = {}, ""
    for path in sorted(FOLDER.glob("*.json")):
        content = read(path.stem)
        parts = [f"# {content['title']}\n", *[f"{content['about']}\n"][: bool(content["about"])]]
        shown[f"results/{path.stem}.md"] = "\n".join(
            [*parts, *(_section(path.stem, each) for each in content["results"])]
        )
        rows += f"| [{content['title']}]({path.stem}.md) | {len(content['results'])} |\n"
    head = "# Measurements\n\nAll measured results, from the files in `docs/results/`.\n\n| | results |\n|---|---|\n"
    return {"results/index.md": head + rows, **shown}


def _section(file: str, found: Result) -> str:
    parts = [f"## {found['title']}"]
    known = [f"{key} {found[key]}" for key in ("date", "machine") if found[key]]
    if found["commit"]:
        known.insert(0, f"commit `{found['commit']}`")
    if known:
        parts.append(f"Recorded: {', '.join(known)}.")
    if found["command"]:
        parts.append(f"```sh\n{found['command']}\n```")
    parts += found["notes"]
    if found["rows"]:
        parts += [table(found), *filter(None, [age_note(file, found)])]
    return "\n\n".join(parts) + "\n"


# ---- writing


def main(arguments: Sequence[str] | None = None) -> None:
    """Save the first table of a Markdown file as a result: `bloodrage leaderboard --markdown`, or one made by hand."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("name", help="the result, as leaderboard/agents")
    parser.add_argument("file", type=Path, help="a Markdown file")
    parser.add_argument("command", help="the command that measured it")
    given = parser.parse_args(arguments)
    lines = re.findall(r"^\|(.*)\|$", given.file.read_text(encoding="utf-8"), re.MULTILINE)
    head, _, *rows = ([cell.strip() for cell in line.split("|")] for line in lines)
    save(given.name, head, rows, given.command)


def save(name: str, head: Sequence[str], rows: Iterable[Sequence[object]], command: str) -> None:
    """Replace the rows of a result by new ones, recorded today at the commit that is checked out."""
    file, _, own = name.partition("/")
    content = read(file)
    (found,) = (each for each in content["results"] if each["name"] == own)
    found["columns"], found["rows"] = as_data(head, rows)
    found["date"] = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    run = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    found["commit"], found["command"] = run.stdout.strip() or None, command
    found["agents"] = agent_versions.now(file, found)
    write(file, content)


def write(file: str, content: dict[str, Any]) -> None:
    """Write a data file, a line for each row and each note."""
    (FOLDER / f"{file}.json").write_text(_json(content, 0) + "\n", encoding="utf-8", newline="\n")


def _json(value: Any, depth: int) -> str:
    """Return JSON in which numbers keep their digits; a row or a column is one line."""
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {_json(each, depth + 1)}" for key, each in value.items()]
        ends = "{}"
    elif isinstance(value, list):
        items = [_json(each, depth + 1) for each in value]
        ends = "[]"
    else:
        return json.dumps(value, ensure_ascii=False)
    if depth > 3 or not value:  # a row, a column
        return f"{ends[0]}{', '.join(items)}{ends[1]}"
    indent = "\n" + "  " * (depth + 1)
    return f"{ends[0]}{indent}{(',' + indent).join(items)}\n{'  ' * depth}{ends[1]}"


if __name__ == "__main__":
    main()
