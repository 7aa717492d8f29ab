"""The files of measured results and the tables that are made from them."""

import re
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from project_files import ROOT, files
from test_docs import generator, text_of


def results() -> ModuleType:
    """docs/results.py."""
    return generator("results")


@pytest.mark.parametrize("path", files("docs/results/*.json"), ids=lambda path: path.stem)
def test_a_file_of_results_is_whole(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each result says where its figures are from, as far as that is known; its rows fit its columns."""
    module = results()
    content = module.read(path.stem)
    names = [each["name"] for each in content["results"]]
    assert len(names) == len(set(names))
    for each in content["results"]:
        known = ["name", "title", "command", "commit", "date", "machine", "notes", "columns", "rows"]
        assert [key for key in each if key != "agents"] == known
        assert re.fullmatch(r"[0-9a-f]{7,40}", each["commit"] or "0000000")
        assert re.fullmatch(r"2\d{3}-\d\d-\d\d", each["date"] or "2000-01-01")
        assert {len(row) for row in each["rows"]} <= {len(each["columns"])}
        assert each["rows"] or each["notes"]
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module.write(path.stem, content)
    assert text_of(tmp_path / path.name) == text_of(path)


def test_the_commits_of_results_exist() -> None:
    """A commit that was rewritten before it was pushed can't be looked up."""
    git = subprocess.run(["git", "rev-list", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    if git.returncode or (ROOT / ".git" / "shallow").exists():
        pytest.skip("not a whole clone of the repository")
    named = {one for path in files("docs/results/*.json") for one in re.findall(r'"commit": "(\w+)"', text_of(path))}
    assert named
    assert [one for one in sorted(named) if f"\n{one}" not in f"\n{git.stdout}"] == []


@pytest.mark.parametrize(
    ("texts", "column", "cells"),
    [
        (["85.0 % (83.6 to 86.2)", "9.1 %", ""], {"unit": "%"}, [["85.0", "83.6", "86.2"], "9.1", None]),
        (["26.1 % (± 1.9)", "30.0 % (± 2.0)"], {"unit": "%", "error": "±"}, [["26.1", "1.9"], ["30.0", "2.0"]]),
        (["36.9 % of 1,240 (31.7 to 42.3)"], {"unit": "%"}, [["36.9", "31.7", "42.3", "1240"]]),
        (["+488 (+437 to +555)", "-2 (-32 to +24)", "<-1424"], {"sign": True}, [[488, 437, 555], [-2, -32, 24], ...]),
        (["1,600", "0.10", "40 minutes"], {}, ["1600", "0.10", ...]),
    ],
)
def test_a_cell_is_shown_as_it_was_read(texts: list[str], column: dict[str, object], cells: list[object]) -> None:
    """Numbers keep their digits; what is not a number of its column is kept as text (`...` here)."""
    module = results()
    (read,), rows = module.as_data(["head"], [[text] for text in texts])
    assert read == {"name": "head", **column}
    expected = [text if cell is ... else cell for text, cell in zip(texts, cells, strict=True)]
    found = [row[0] for row in rows]
    assert [[*map(str, cell)] if isinstance(cell, list) else cell and str(cell) for cell in found] == [
        [*map(str, cell)] if isinstance(cell, list) else cell for cell in expected
    ]
    assert [module.cell_text(cell, read) for cell in found] == texts


def test_new_results_replace_the_rows_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = results()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    first = {"name": "b", "title": "B", "command": None, "commit": None, "date": None, "machine": None}
    module.write("a", {"title": "A", "results": [{**first, "notes": ["n"], "columns": [], "rows": []}]})
    (tmp_path / "b.md").write_text("| agent | won |\n|---|---|\n| random | 25.0 % |\n| loki | 75.0 % |\n\nA note.\n")
    module.main(["a/b", str(tmp_path / "b.md"), "play"])
    found = module.result("a/b")
    assert (found["command"], found["notes"]) == ("play", ["n"])
    assert found["date"] is not None
    page = module.filled("Text\n<!-- result: a/b rows=1 -->\nold\n<!-- /result -->\nmore")
    table = "| agent | won |\n| --- | --- |\n| random | 25.0 % |"
    assert page == f"Text\n<!-- result: a/b rows=1 -->\n{table}\n<!-- /result -->\nmore"


@pytest.mark.parametrize(("rows", "shown"), [("", "abcde"), ("2", "b"), ("1-3", "abc"), ("1-2,4-5", "abde")])
def test_a_table_shows_some_rows(rows: str, shown: str) -> None:
    found = {"columns": [{"name": "x"}], "rows": [[each] for each in "abcde"]}
    assert results().table(found, rows).splitlines()[2:] == [f"| {each} |" for each in shown]


@pytest.mark.parametrize(
    ("game", "name"),
    [
        *[("bloodrage", name) for name in ("balanced", "network", "ismcts")],
        *[(game, "hold") for game in ("berserk", "berserk_team", "berserk_laar")],
        pytest.param("berserk", "network", marks=pytest.mark.slow),
        pytest.param("berserk_laar", "ismcts", marks=pytest.mark.slow),
    ],
)
def test_the_stored_version_of_an_agent_is_how_it_plays(game: str, name: str) -> None:
    """If it fails, the agent plays otherwise: `python docs/agent_versions.py`, and measure again what pages show."""
    versions = generator("agent_versions")
    assert versions.version(game, name) == versions.known()[game][name]


def test_a_result_of_berserk_names_its_games_and_agents() -> None:
    """The teams, Laar and the duel have agents of one name each; "the player" is the policy."""
    versions = generator("agent_versions")
    head = {"command": None, "columns": [{"name": "opponent"}], "notes": ["The shipped player."]}
    for title, row, wanted in [
        ("Strength", "`hold`", ["berserk/hold", "berserk/network"]),
        ("First team", "`rush`", ["berserk_team/rush", "berserk_team/network"]),
        ("The angel's side", "`ismcts:path=shipped`", ["berserk_laar/ismcts", "berserk_laar/network"]),
    ]:
        found = {**head, "title": title, "rows": [[row]]}
        assert versions.named("berserk", found) == wanted
        old = {**found, "agents": dict.fromkeys(wanted, "0" * 12)}
        assert versions.changed("berserk", old) == [each.partition("/")[2] for each in wanted]
        assert versions.unrecorded("berserk", old) == []
    found = {**head, "title": "x", "command": "bloodrage play --game berserk_laar --agents hold,rush", "rows": []}
    assert versions.named("experiments", found) == ["berserk_laar/rush", "berserk_laar/hold"]


def test_results_that_are_older_than_their_agents_are_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, versions = results(), generator("agent_versions")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    first = {"name": "b", "title": "B", "command": None, "commit": None, "date": None, "machine": None, "notes": []}
    row = {
        **first,
        "columns": [{"name": "agent"}],
        "rows": [["`ismcts:simulations=9`"], [f"`balanced` against {versions.SHIPPED}"]],
    }
    module.write("a", {"title": "A", "about": "", "results": [row]})
    page = "<!-- result: a/b -->\n<!-- /result -->"
    assert "an unknown commit; versions of `balanced`, `ismcts`, `network` not recorded." in module.filled(page)
    module.save("a/b", ["agent"], row["rows"], "play")
    assert "Measured" not in module.filled(page)
    changed = {**versions.known(), "bloodrage": {**versions.known()["bloodrage"], "network": "0" * 12}}
    monkeypatch.setattr("agent_versions.known", lambda: changed)
    assert "Measured with earlier versions of `network`." in module.filled(page)
    assert "Measured with earlier versions of `network`." in module.pages()["results/a.md"]
