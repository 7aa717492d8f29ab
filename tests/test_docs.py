"""The documents: generated parts are fresh, examples run, links and citations lead somewhere, every rule is tested."""

import contextlib
import importlib.util
import io
import re
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core import config
from project_files import ROOT, files, name_of
from scenario import Scenario
from test_actions_table import ANSWERS

from bloodrage_agents import registry
from bloodrage_agents.match import play_game
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import Decision, Routine
from bloodrage_env.games.bloodrage.engine.state import Frame
from bloodrage_env.games.bloodrage.options import Options

PAGES = files("*.md", "docs/*.md", "docs/agents/*.md", "docs/berserk/**/*.md")
SOURCES = files(*(f"{each}/**/*.py" for each in ("bloodrage_env", "agents", "training", "tests", "docs")))
# Berserk has rules of its own (`test_berserk_docs.py`).
RULES_SOURCES = [path for path in SOURCES if "berserk" not in str(path.relative_to(ROOT))]
RULES_TESTS = [path for path in files("tests/**/*.py") if "berserk" not in path.name]
RULES_PAGES = [path for path in [*PAGES, *files("docs/templates/*.md")] if "berserk" not in name_of(path)]
OTHER_RULES = ROOT.parent / "shared" / "rules.md"
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# "rules 4.6", "rules 1.1, 1.3", "rules 4.3 to 4.5"; after the first one only numbers with a dot are paragraphs.
CITATION = re.compile(r"\b[Rr]ules\s+(\d+(?:\.\d+)*(?:(?:,\s|,?\sand\s|\sto\s|;\s|\sor\s)\d+(?:\.\d+)+)*)")

compiled_only = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes when the engine is not compiled")


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def generator(name: str = "generate") -> ModuleType:
    """docs/generate.py as a module, or another script from there."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- generated pages


def test_generated_pages_are_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert generator().main(["--check"]) == 0, capsys.readouterr().err


def test_check_fails_for_a_stale_page_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = generator()
    (tmp_path / "page.md").write_text("old\n", encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "PAGES", {"page.md": lambda: "new\n", "missing.md": lambda: "new\n"})
    assert module.main(["--check"]) == 1
    assert "stale: page.md, missing.md" in capsys.readouterr().err
    assert text_of(tmp_path / "page.md") == "old\n"
    assert not (tmp_path / "missing.md").exists()
    assert module.main([]) == 0
    assert module.main(["--check"]) == 0
    assert text_of(tmp_path / "missing.md") == "new\n"


def test_the_table_of_decisions_is_what_games_ask() -> None:
    """Each kind of question is answered with just the blocks that `environment.md` names."""
    assert {decision: set(blocks.split()) for decision, (blocks, _) in generator().DECISIONS.items()} == ANSWERS


def test_the_engine_page_names_all_of_the_engine_once() -> None:
    page = generator("engine_page").reference(generator().table)
    assert sorted(re.findall(r"\*\*`(\w+)`\*\*", page)) == sorted(engine.__all__)


def test_the_engine_page_describes_nothing_that_is_not_there() -> None:
    """Its table has the names that are neither a function nor an enumeration; these have docstrings."""
    module = generator("engine_page")
    values = {name: getattr(engine, name) for name in engine.__all__}
    described = {name: value for name, value in values.items() if module.plain(value) or isinstance(value, type)}
    assert set(module.MEANINGS) == set(values) - set(described)
    assert {name for name, value in described.items() if not (module.plain(value) or value).__doc__} == set()


@compiled_only
def test_the_engine_page_says_who_may_call_a_function() -> None:
    roles = {"Entry": "entry", "GamesEntry": "entry", "Rule": "rule", "SharedRule": "rule", "function": "Python"}
    module = generator("engine_page")
    shown = re.findall(r"\*\*`(\w+)`\*\* \((entry|rule|Python)\)", module.reference(generator().table))
    plain = module.plain
    assert len(shown) == sum(plain(getattr(engine, name)) is not None for name in engine.__all__)
    assert {name: who for name, who in shown if roles[type(getattr(engine, name)).__name__] != who} == {}


@compiled_only
def test_the_table_of_the_game_is_what_games_are_like() -> None:
    """A few of the games behind it are near it; if not, `python -m research.measure.games` measures it again."""
    module = importlib.import_module("research.measure.games")
    written = generator("results").result("games/decisions")["rows"]
    assert len(written) == len(module.PLAYERS) * len(module.PLAYED_BY)
    for players, name, mean, spread, of_each, legal, most in written:
        games = module.measured(int(players), module.PLAYED_BY[name.strip("`")], 40)
        assert float(mean) == pytest.approx(np.mean(games.decisions), rel=0.08)
        assert float(of_each) == pytest.approx(float(mean) / int(players), abs=1)
        assert float(legal) == pytest.approx(np.mean(games.legal), rel=0.08)
        low, high = map(int, spread.split(" to "))
        assert low <= min(games.decisions)
        assert max(games.decisions) <= high
        assert max(games.legal) <= int(most)


# ---- examples


@compiled_only
def test_the_tutorial_leads_to_an_agent() -> None:
    """It looks at a game to its end, and writes an agent that finishes one."""
    look, agent = PYTHON_BLOCK.findall(text_of(ROOT / "docs" / "tutorial.md"))
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(look, "look", "exec"), {"__name__": "__main__"})
    assert output.getvalue().splitlines()[0] == "player_2 (3292,) legal actions: 8"
    assert len(output.getvalue().splitlines()) == 5
    names: dict[str, Any] = {}
    exec(compile(agent, "agent", "exec"), names)
    table = [names["Raider"](), *(registry.make("random") for _ in range(3))]
    assert play_game(table, 1, Options(), range(4)).forfeit_reason is None


def test_the_examples_show_how_to_train_to_play_to_batch_and_to_redeal() -> None:
    shown = {page: "".join(PYTHON_BLOCK.findall(text_of(ROOT / page))) for page in ("README.md", "docs/environment.md")}
    assert [name for name in ("MaskablePPO", "agent_iter") if name not in shown["README.md"]] == []
    assert [name for name in ("VectorGames(", ".redeal(") if name not in shown["docs/environment.md"]] == []


def test_the_stack_of_the_architecture_page_is_the_engines() -> None:
    """The worked example of a nested pillage, played."""
    clans = ("Wolf", "Bear", "Serpent", "Raven")
    g = Scenario(players=4, age=2, seat=0)
    g.put(0, "warrior", "utgard")
    g.put(1, "warrior", "utgard")
    g.put(2, "warrior", "horgr")
    for seat in range(4):
        g.hand(seat, "Tyr's Rage")
    g.hand(1, "Tyr's Crush")
    g.upgrade(1, "Loki's Blessing", "Thor's Domain")
    played = []

    def note(routines_of_nobody: tuple[Routine, ...] = (Routine.GAME, Routine.ACTION_PHASE)) -> None:
        frames = g.state.stack[: g.state.depth]
        names = [
            Routine(routine).name + ("" if routine in routines_of_nobody else f"({clans[seat]})")
            for routine, seat in frames[:, [Frame.ROUTINE, Frame.SEAT]]
        ]
        played.append([*names, Decision(int(g.state.decision)).name])

    g.go()
    note()
    g.pillage(0, "utgard")
    note()
    g.no(2)
    note()
    g.card(1, "Tyr's Rage")
    note()
    g.yes(1)
    note()
    g.yes(1)
    note()
    g.choose(2, "warrior", "horgr")
    note()
    page = text_of(ROOT / "docs" / "architecture.md")
    block = page.split("<!-- stack -->")[1].split("<!-- /stack -->")[0].strip().splitlines()
    assert [re.split(r"\s{2,}", line.strip())[:-1] for line in block] == played


# ---- rules and their tests


def paragraphs() -> list[str]:
    """The numbered paragraphs of the rules, and section 5, which has no smaller parts."""
    return [*re.findall(r"^\*\*(\d+(?:\.\d+){1,3})\*\*", text_of(ROOT / "docs" / "rules.md"), re.MULTILINE), "5"]


def numbers_in(text: str) -> list[str]:
    """The paragraphs that a text cites."""
    return [number for numbers in CITATION.findall(text) for number in re.findall(r"\d+(?:\.\d+)*", numbers)]


def test_every_paragraph_of_the_rules_is_cited_by_a_test() -> None:
    """A paragraph that only heads others counts as cited when one of those is."""
    cited = {number for path in RULES_TESTS for number in numbers_in(text_of(path))}
    known = paragraphs()
    missing = [
        number
        for number in known
        if number not in cited and not any(other.startswith(f"{number}.") and other in cited for other in known)
    ]
    assert missing == []


def test_every_citation_names_a_paragraph() -> None:
    rules = text_of(ROOT / "docs" / "rules.md")
    known = {
        *paragraphs(),
        *re.findall(r"^## (\d)\b", rules, re.MULTILINE),
        *re.findall(r"^- (7\.\d+)\b", rules, re.MULTILINE),
    }
    wrong = {
        f"{path.relative_to(ROOT)}: rules {number}"
        for path in [*RULES_SOURCES, *RULES_PAGES]
        for number in numbers_in(text_of(path))
        if number not in known
    }
    assert wrong == set()


def test_the_paragraphs_stand_in_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in paragraphs()[:-1]]
    assert numbers == sorted(numbers)
    for before, after in pairwise(numbers):
        same_level = before[:-1] == after[:-1]
        assert not same_level or after[-1] == before[-1] + 1, f"{before} is followed by {after}"


@pytest.mark.skipif(not OTHER_RULES.exists(), reason="the other statement of the rules is not here")
def test_the_paragraphs_are_those_of_the_other_statement_of_the_rules() -> None:
    """Each paragraph of the one is there in the other."""
    others = re.findall(r"^(?:#+ )?(\d+(?:\.\d+)+)\s", text_of(OTHER_RULES), re.MULTILINE)
    assert sorted(paragraphs()[:-1]) == sorted(others)


# ---- links


def slug(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_links_lead_somewhere() -> None:
    dead = []
    for page in PAGES:
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text_of(page)):
            if re.match(r"https?:", target):
                continue
            path = (page.parent / target).resolve() if target else page
            if not path.exists() or not path.is_relative_to(ROOT):
                dead.append(f"{name_of(page)}: {target}")
            elif anchor and anchor not in map(slug, re.findall(r"^#+ (.*)$", text_of(path), re.MULTILINE)):
                dead.append(f"{name_of(page)}: {target}#{anchor}")
    assert dead == []


def test_the_rules_for_people_leave_out_how_the_environment_asks() -> None:
    page = (ROOT / "bloodrage_env/games/bloodrage/table_page/static/rules.json").read_text(encoding="utf-8")
    assert "How the environment asks" in (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert "environment asks" not in page
    assert not re.search(r"\b7\.\d\b", page)  # nor what refers to it
