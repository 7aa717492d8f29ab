"""Agents by name: every shipped one can be made, plug-ins too, and whatever is wrong is said in a line."""

import re
import shutil
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from bloodrage_agents import parts, registry
from bloodrage_agents.base import AgentLike
from bloodrage_agents.games.bloodrage import heuristics, table
from bloodrage_agents.games.bloodrage.table import AGENTS
from bloodrage_agents.match import play_game
from bloodrage_agents.shipped import Argument, Shipped
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options

ROOT = Path(__file__).parents[1]
PLUG_INS = Path(__file__).parent / "plug_ins"
GOOD, BAD = PLUG_INS / "good.py", PLUG_INS / "bad.py"


@pytest.fixture
def thinker(monkeypatch):
    """A shipped agent with an argument of every kind."""
    arguments = (
        Argument("ms", "time", int, 100, 1, 1000),
        Argument("simulations", "number", int, None, 1, 1000),
        Argument("explore", "how much", float, 1.5, 0, 10),
        Argument("style", "whose", str, "loki", choices=("battle", "loki", "quest")),
        Argument("sample", "or the best", bool, False),
    )
    thinker = Shipped("test_agents_registry:Thinker", "thinks", arguments, (("ms", "simulations"),), {"level": 3})
    monkeypatch.setattr(table, "AGENTS", replace(AGENTS, agents={**AGENTS.agents, "thinker": thinker}))


class Thinker:
    def __init__(self, **arguments):
        self.arguments = arguments

    def act(self, observation, action_mask, rng):
        raise AssertionError


# ---- shipped agents


def test_a_network_plays_from_the_shipped_file_or_another():
    assert registry.canonical("network:path=shipped,sample=all") == "network:sample=all"
    with pytest.raises(UserError, match="can't read no/such"):
        registry.make("network:path=no/such.npz")


def test_styles_are_those_of_the_heuristics():
    choices = {each.name: each.choices for each in AGENTS.agents["ismcts"].arguments}
    assert choices["style"] == heuristics.STYLES
    assert {agent.fixed["style"]: name for name, agent in AGENTS.agents.items() if "style" in agent.fixed} == {
        style: style for style in heuristics.STYLES
    }


@pytest.mark.parametrize("name", [*registry.alone(), "human"])
def test_every_shipped_agent_can_be_made(name):
    agent = registry.make(name)
    assert isinstance(agent, AgentLike)
    assert registry.canonical(name) == name
    assert registry.is_shipped(name)
    assert agent is not registry.make(name)
    assert re.fullmatch("[0-9a-f]{64}", registry.fingerprint(name))


def test_arguments_reach_the_agent_with_defaults_and_what_the_name_says(thinker):
    assert registry.make("thinker").arguments == {
        "level": 3,
        "ms": 100,
        "explore": 1.5,
        "style": "loki",
        "sample": False,
    }
    made = registry.make("thinker: style=quest , simulations=7,sample=true,explore=2").arguments
    assert made == {"level": 3, "simulations": 7, "explore": 2.0, "style": "quest", "sample": True}
    assert type(made["explore"]) is float


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("thinker", "thinker"),
        ("thinker:", "thinker"),
        (" thinker:ms=100 ", "thinker"),
        ("thinker:style=quest,ms=20", "thinker:ms=20,style=quest"),
        ("thinker:sample=true,explore=1.50", "thinker:sample=true"),
        ("thinker:explore=2", "thinker:explore=2.0"),
        ("thinker:simulations=100", "thinker:simulations=100"),
        ("thinker:simulations=1", "thinker:simulations=1"),  # the bounds are values
        ("thinker:simulations=1000", "thinker:simulations=1000"),
        ("a/./b.py:Agent:y=1,x=text", "a/b.py:Agent:x=text,y=1"),
        ("some.module:Agent", "some.module:Agent"),
    ],
)
def test_there_is_one_way_to_write_a_spec(thinker, spec, canonical):
    assert registry.canonical(spec) == canonical
    assert registry.canonical(canonical) == canonical


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("thinkr", "there is no agent 'thinkr'; did you mean thinker?"),
        ("", "there is no agent ''; there are random, "),
        ("thinker:mss=3", "thinker has no argument 'mss'; did you mean ms?"),
        ("thinker:zzz=3", "thinker has no argument 'zzz'; it takes ms, simulations, explore, style, sample"),
        ("random:x=1", "random has no argument 'x'; it takes none"),
        ("thinker:ms=0", "thinker: ms=0 is not 1 to 1000"),
        ("thinker:ms=1001", "thinker: ms=1001 is not 1 to 1000"),
        ("thinker:ms=ten", "thinker: ms=ten is not 1 to 1000"),
        ("thinker:ms=1.5", "thinker: ms=1.5 is not 1 to 1000"),
        ("thinker:ms=true", "thinker: ms=true is not 1 to 1000"),
        ("thinker:explore=nan", "thinker: explore=nan is not 0 to 10"),
        ("thinker:explore=inf", "thinker: explore=inf is not 0 to 10"),
        ("thinker:explore=11", "thinker: explore=11 is not 0 to 10"),
        ("thinker:sample=1", "thinker: sample=1 is not true or false"),
        ("thinker:style=lokki", "thinker: style=lokki is not battle, loki or quest; did you mean loki?"),
        ("thinker:ms=1,simulations=5", "thinker takes ms or simulations, not both"),
        ("thinker:ms=1,ms=2", "in 'thinker:ms=1,ms=2' ms is given twice"),
        ("thinker:ms", "in 'thinker:ms' 'ms' is not an argument, which is written name=value"),
        ("thinker:ms=", "in 'thinker:ms=' 'ms=' is not an argument, which is written name=value"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said_in_a_line(thinker, spec, message):
    for use in (registry.make, registry.canonical, registry.fingerprint, registry.is_shipped):
        with pytest.raises(UserError) as caught:
            use(spec)
        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)


def test_a_list_of_specs_is_split_where_a_new_one_begins():
    text = "random,ismcts:ms=50,style=loki, a/b.py:C:x=1,y=2,random"
    assert registry.split(text) == ["random", "ismcts:ms=50,style=loki", "a/b.py:C:x=1,y=2", "random"]
    assert registry.split("random") == ["random"]


def test_the_help_names_every_agent_and_argument(thinker, capsys):
    assert main(["tournament", "run", "--help"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^thinker +thinks$", text, re.MULTILINE)
    assert "    style: whose (battle, loki or quest; default loki)" in text
    assert "    simulations: number (1 to 1000)" in text
    assert "    sample: or the best (true or false; default false)" in text
    for name, agent in AGENTS.agents.items():
        assert re.search(rf"^{name} +{re.escape(agent.says)}$", text, re.MULTILINE)
    assert main(["tournament", "run", "--game", "berserk", "--help"]) == 0
    assert "\nrush " in capsys.readouterr().out


def test_the_page_lists_what_is_shipped():
    """The table in docs/agents.md has a row for each name, and each argument with its default and range."""
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8").partition("## How strong")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE))
    assert list(rows) == registry.names()
    for name, agent in AGENTS.agents.items():
        says, arguments = rows[name].split(" | ")
        assert says == agent.says
        described = [
            f"`{each.name}` {each.described()}"
            + ("" if each.default is None else f" ({registry.written(each.default)})")
            for each in agent.arguments
        ]
        assert arguments == ("; ".join(described) or "none")


def test_the_examples_of_the_page_run(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    plug_in, game = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "plug_in.py"
    path.write_text(plug_in)
    agents = [registry.make(f"{path}:Passer"), registry.make("random")]
    assert play_game(agents, 1, Options(2), [1, 2]).forfeit_reason is None
    exec(compile(game, "docs/agents.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.startswith("(")


# ---- plug-ins


def test_a_plug_in_of_a_file_or_a_module():
    for source in (GOOD, GOOD.relative_to(Path.cwd()) if GOOD.is_relative_to(Path.cwd()) else GOOD):
        agent = registry.make(f"{source}:Dice:skip=3")
        assert agent.skip == 3
    assert not registry.is_shipped(f"{GOOD}:Dice")
    assert type(registry.make("bloodrage_agents.random:RandomAgent")).__name__ == "RandomAgent"
    assert not registry.is_shipped("bloodrage_agents.random:RandomAgent")


def test_arguments_of_plug_ins_are_what_they_spell(tmp_path):
    path = tmp_path / "plug_in.py"
    path.write_text("class Any:\n    def __init__(self, **a):\n        self.a = a\n    def act(self, *a): pass\n")
    made = registry.make(f"{path}:Any:a=1,b=-2.5,c=true,d=text,e=1e-3,f=x.pt,g=٣")
    assert made.a == {"a": 1, "b": -2.5, "c": True, "d": "text", "e": 0.001, "f": "x.pt", "g": "٣"}
    assert registry.canonical(f"{path}:Any:e=1e-3,a=1") == f"{path}:Any:a=1,e=0.001"


@pytest.mark.parametrize("name", ["bloodrage_agents.by_text:ByText", "a/b.py:Agent"])
def test_an_argument_of_a_plug_in_may_be_a_plug_in(name):
    parsed = registry.parse(f"{name}:agent=mine.py:Mine")
    assert (parsed.name, parsed.arguments) == (name, {"agent": "mine.py:Mine"})


@pytest.mark.parametrize("value", [1e16, -2.5e-7, 123456789012345678e99, 12345678901234567e-20, 1e-120])
def test_a_number_is_read_as_it_was_written(value):
    assert registry.parse(f"a.py:A:x={registry.written(value)}").arguments == {"x": value}
    assert registry.parse("a.py:A:x=1e999").arguments == {"x": "1e999"}  # too large for a number


def test_a_file_of_a_plug_in_runs_once_for_each_content(tmp_path):
    """Agents of one content have one class, new content is loaded, and a file that failed is run again."""
    path, ready = tmp_path / "plug_in.py", tmp_path / "ready"
    source = "import pathlib\npathlib.Path({0!r}).stat()\nclass Agent:\n    level = {1}\n    def act(self, *a): pass\n"
    path.write_text(source.format(str(ready), 1))
    with pytest.raises(UserError, match="FileNotFoundError"):
        registry.make(f"{path}:Agent")
    ready.touch()
    first = registry.make(f"{path}:Agent")
    assert type(registry.make(f"{path}:Agent")) is type(first)
    path.write_text(source.format(str(ready), 2))
    assert (first.level, registry.make(f"{path}:Agent").level) == (1, 2)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def broken(:\n", r"can't make .*: SyntaxError: "),
        ("import sys; sys.exit('bye')", r"can't make .*: SystemExit: bye"),
        ("import no_such_module", r"can't make .*: ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0", r"can't make .*: ZeroDivisionError"),
        ("", r".* has no class Agent"),
        ("Agent = 1", r".* has no class Agent"),
        ("class Agent: pass", r".* is not an agent: it has no method act\(observation, action_mask, rng\)"),
        ("class Agent:\n    act = 1", r".* is not an agent: it has no method act"),
        ("class Agent:\n    def __init__(self, x): pass", r"can't make .*: TypeError: .*'x'"),
        ("x = '\0'", r"can't make .*: (SyntaxError|ValueError): "),
    ],
)
def test_what_is_wrong_with_a_plug_in_is_said_in_a_line(tmp_path, source, message):
    path = tmp_path / "plug_in.py"
    path.write_text(source)
    with pytest.raises(UserError, match=message) as caught:
        registry.make(f"{path}:Agent")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no/such/file.py:Agent", "there is no file no/such/file.py"),
        (
            "no_such_module:Agent",
            "can't make no_such_module:Agent: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("os:getcwd", "os has no class getcwd"),
        (f"{BAD}:NoAct", f"{BAD}:NoAct is not an agent: it has no method act(observation, action_mask, rng)"),
        (f"{BAD}:not_a_class", f"{BAD} has no class not_a_class"),
        (f"{GOOD}:Dice:skipp=3", f"can't make {GOOD}:Dice: TypeError: Dice.__init__() got an unexpected"),
    ],
)
def test_a_plug_in_that_there_is_not(spec, message):
    with pytest.raises(UserError) as caught:
        registry.make(spec)
    assert str(caught.value).startswith(message)


# ---- fingerprints


def test_the_fingerprint_is_that_of_spec_and_sources(thinker, tmp_path, monkeypatch):
    assert registry.fingerprint("thinker:ms=100") == registry.fingerprint("thinker")
    prints = [
        registry.fingerprint(spec) for spec in ("random", "thinker", "thinker:ms=99", f"{GOOD}:First", f"{GOOD}:Dice")
    ]
    path = tmp_path / "plug_in.py"
    shutil.copy(GOOD, path)
    before = registry.fingerprint(f"{path}:First")
    assert registry.fingerprint(f"{path}:First") == before
    path.write_text(path.read_text() + "\n")
    prints += [before, registry.fingerprint(f"{path}:First")]
    monkeypatch.setattr(games, "game", lambda name: SimpleNamespace(rules_version="another"))
    prints += [registry.fingerprint("random"), registry.fingerprint(f"{path}:First")]
    assert len(set(prints)) == len(prints)
    with pytest.raises(UserError, match="there is no file"):
        registry.fingerprint("no/such.py:Agent")


@pytest.mark.parametrize(
    ("folder", "game"),
    [
        *((each, "bloodrage") for each in (".", "mcts", "games/bloodrage", "games/bloodrage/compiled")),
        *((f"games/{each}", mode) for mode in ("berserk_team", "berserk_laar") for each in ("berserk", mode)),
    ],
)
def test_the_fingerprint_of_a_shipped_agent_is_that_of_all_sources_of_agents(tmp_path, monkeypatch, folder, game):
    copy = tmp_path / "agents"
    shutil.copytree(ROOT / "agents" / "bloodrage_agents", copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / folder / "extra.py").write_text("")
    before, real = registry.fingerprint("random", game), parts.folders(game)
    copies = [copy / each.relative_to(ROOT / "agents" / "bloodrage_agents") for each in real]
    monkeypatch.setattr(parts, "folders", lambda game: copies)
    assert registry.fingerprint("random", game) != before
    (copy / folder / "extra.py").unlink()
    assert registry.fingerprint("random", game) == before


def test_the_fingerprint_has_the_file_that_an_argument_names(tmp_path, monkeypatch):
    path = tmp_path / "policy"
    agent = Shipped("bloodrage_agents.random:RandomAgent", "reads a file", (Argument("path", "a file", str),))
    monkeypatch.setattr(table, "AGENTS", replace(AGENTS, agents={"reader": agent}))
    with pytest.raises(UserError, match="can't read"):
        registry.fingerprint(f"reader:path={path}")
    path.write_bytes(b"1")
    before = registry.fingerprint(f"reader:path={path}")
    path.write_bytes(b"2")
    assert registry.fingerprint(f"reader:path={path}") != before


def test_the_fingerprint_has_the_shipped_policy(tmp_path, monkeypatch):
    """Another shipped policy is another player, also where a spec does not name it."""
    specs = [
        ("network", "bloodrage"),
        ("ismcts:path=shipped", "bloodrage"),
        ("network", "berserk"),
        ("network", "berserk_laar"),
    ]
    before, real = [registry.fingerprint(*each) for each in specs], parts.policy
    monkeypatch.setattr(parts, "policy", lambda game: tmp_path / real(game).name)
    for change in (b"", b"another"):
        for game in ("bloodrage", "berserk", "berserk_laar"):
            parts.policy(game).write_bytes(real(game).read_bytes() + change)
        after = [registry.fingerprint(*each) for each in specs]
        assert [one == other for one, other in zip(before, after, strict=True)] == [not change] * len(specs)


def test_to_find_the_file_of_a_plug_in_runs_nothing_of_its_package(tmp_path, monkeypatch):
    """A tournament looks for it in the process that knows all deals."""
    package = tmp_path / "strange_package" / "inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("raise AssertionError('was run')")
    (package / "player.py").write_text("raise AssertionError('was run')")
    monkeypatch.syspath_prepend(tmp_path)
    spec = "strange_package.inner.player:Player"
    assert len(registry.fingerprint(spec)) == 64
    assert registry.source_of(spec) == package / "player.py"
    for missing in (
        "strange_package.inner.nobody:X",
        "strange_package.nobody.player:X",
        "strange_package.inner.player.x:X",
    ):
        with pytest.raises(UserError, match="there is no module"):
            registry.source_of(missing)
    assert not any(name.startswith("strange_package") for name in sys.modules)


def test_an_installed_package_names_its_agents(monkeypatch):
    """An entry point is a plug-in under a name; a shipped agent's name can't be taken."""
    points = [
        EntryPoint("theirs", "their_package.players:Clever", registry.GROUP),
        EntryPoint("random", "their_package.players:Impostor", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    assert registry.installed() == {"theirs": "their_package.players:Clever"}
    assert registry.canonical("theirs:depth=3") == "their_package.players:Clever:depth=3"
    assert not registry.is_shipped("theirs")
    assert registry.is_shipped("random")
    with pytest.raises(UserError, match=r"there is no agent 'their'; did you mean theirs\?"):
        registry.parse("their")
