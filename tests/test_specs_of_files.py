"""Agents that a file names: none connects, reads, writes or runs code unless the user has typed its spec."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import Endpoint, serving
from stores import change, fill

from bloodrage_agents import registry
from bloodrage_agents.shipped import Asks
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.benchmark.record import Record
from bloodrage_training.tournament import codec
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.store import Store

SECRET = "a-password-of-the-bank"
PLUG_IN = """
import pathlib
pathlib.Path({mark!r}).write_text("ran")


class Agent:
    def act(self, observation, action_mask, rng):
        return int(action_mask.nonzero()[0][0])
"""


def evil_plan(*agents: str, game: str = games.FIRST) -> Plan:
    """A plan as its author would make it elsewhere: with the fingerprints that this project computes."""
    specs = [registry.canonical(spec, game) for spec in agents]
    prints = tuple(registry.fingerprint(spec, game) for spec in specs)
    return Plan(tuple(specs), prints, "round-robin", games.options_from(game, num_players=2), 1, deals=1)


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch, no_proxy: None) -> None:
    monkeypatch.setenv("MY_BANK_PASSWORD", SECRET)


def nothing(messages: list[dict[str, str]]) -> str:
    return "no answer"


def plug_in(folder: Path) -> tuple[str, Path]:
    """A plug-in that leaves a mark when it is loaded, and the mark."""
    mark = folder / "mark"
    (folder / "plug_in.py").write_text(PLUG_IN.format(mark=str(mark)))
    return f"{(folder / 'plug_in.py').as_posix()}:Agent", mark


def model(endpoint: Endpoint, folder: Path) -> str:
    return f"llm:model=m,url={endpoint.url},key=MY_BANK_PASSWORD,retries=0,transcript={folder / 'talk'}"


@pytest.mark.usefixtures("no_key")
def test_a_store_sends_nothing_until_its_agent_is_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openai")
    store = tmp_path / "store.sqlite"
    with serving(nothing) as endpoint:
        spec = model(endpoint, tmp_path)
        Store.create(store, evil_plan("random", spec)).close()
        resume = ["tournament", "resume", str(store), "--workers", "1"]
        assert main(resume) == 1
        said = capsys.readouterr().err
        assert endpoint.requests == []
        assert not (tmp_path / "talk").exists()
        (line,) = said.splitlines()
        for what in (f"connects to {endpoint.url}", "sends the environment variable MY_BANK_PASSWORD", "writes files"):
            assert what in line
        typed = shlex.split(line.partition("to allow that, add ")[2])
        assert main([*resume, *typed]) == 0
        assert set(endpoint.keys) == {f"Bearer {SECRET}"}
    assert SECRET not in capsys.readouterr().out


def test_a_store_runs_no_code_and_reads_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stranger, _ = plug_in(tmp_path)
    store = tmp_path / "store.sqlite"
    Store.create(store, evil_plan("random", stranger)).close()
    assert main(["tournament", "resume", str(store)]) == 1
    assert f"names an agent that runs the code of {stranger}; to allow that, add --allow" in capsys.readouterr().err
    given = json.loads(codec.plan_to_text(evil_plan("random", "balanced")))
    given["agents"][1] = f"network:path={tmp_path}/fifo.npz"
    change(store, "UPDATE facts SET value = ? WHERE name = 'plan'", (json.dumps(given),))
    assert main(["tournament", "resume", str(store)]) == 1
    assert f"reads the file {tmp_path}/fifo.npz" in capsys.readouterr().err  # a file that is not even there


def leaderboard_of(folder: Path, spec: str) -> list[str]:
    """The table with a run of `bloodrage exploit` from elsewhere, whose agent is `spec`."""
    run = folder / "run"
    run.mkdir()
    plan = replace(evil_plan("random", "balanced"), mode="focus", agents=("random", spec))
    Store.create(run / "games.db", plan).close()
    options = ["--players", "2", "--deals", "1", "--store", str(folder / "stores"), "--exploit", str(run)]
    return ["leaderboard", "--agents", "random", *options]


def test_a_run_of_exploit_reads_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(leaderboard_of(tmp_path, f"network:path={tmp_path}/fifo.npz")) == 1
    assert f"names an agent that reads the file {tmp_path}/fifo.npz; to allow that, add --agents" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "setting",
    ["start = {}", "opponents = {{ {} = 1.0 }}", 'opponents = {{ "ismcts:simulations=2,path=FILE" = 1.0 }}'],
)
def test_a_recipe_reads_no_file_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], setting: str
) -> None:
    pytest.importorskip("torch")
    from bloodrage_training.learn import recipe

    file = f"{tmp_path}/mine.npz"
    read: list[str] = []
    monkeypatch.setattr(recipe, "check", lambda stages, folder: read.append("checked"))
    monkeypatch.setattr(recipe, "train", lambda stages, folder, **options: read.append("trained"))
    text = setting.format(json.dumps(file)).replace("FILE", file)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "recipe.toml").write_text(text)
    words = ["train", str(elsewhere / "recipe.toml"), "--out", str(tmp_path / "run")]
    assert main(words) == 1
    assert f"names the policy {file}; to allow that, add --allow {file}\n" in capsys.readouterr().err
    assert read == []
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.toml").write_text(text)  # a whole run from elsewhere
    assert main(["train", "--out", str(tmp_path / "run")]) == 1
    assert read == []
    (tmp_path / "run" / "config.toml").unlink()
    main([*words, "--allow", file])
    assert read == ["checked", "trained"]
    assert f"--allow {file}" in capsys.readouterr().err


def test_a_result_file_runs_no_code_with_arguments_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--trust` names the plug-in; its arguments can name files, so they are to be typed too."""
    stranger, mark = plug_in(tmp_path)
    spec = f"{stranger}:file=/etc/hostname"
    found = Record("bloodrage", spec, "a", "0" * 64, "", codec.now(), {}, None, ())
    monkeypatch.setattr(benchmark, "read", lambda path: found)
    assert main(["benchmark", "--verify", "result.json", "--trust", stranger]) == 1
    assert f"to allow that, add --trust {spec}" in capsys.readouterr().err
    assert main(["benchmark", "--verify", "result.json", "--trust", spec]) == 1
    assert "is not the one that was measured" in capsys.readouterr().err
    assert not mark.exists()


def test_what_only_reads_a_file_makes_no_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reports, tables, replays and comparisons show the agents that a file names."""
    stranger, mark = plug_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    plan = evil_plan("llm:model=m,url=http://127.0.0.1:1/v1,key=MY_BANK_PASSWORD,transcript=talk", stranger)
    (game, *_) = fill("x.sqlite", plan)
    tried: list[str] = []
    for name in ("make", "load"):
        monkeypatch.setattr(registry, name, lambda spec, *rest: tried.append(spec))
    commands = [
        ["tournament", "report", "x.sqlite", "--html", "x.html", "--csv", "x"],
        ["tournament", "verify", "x.sqlite"],
        ["tournament", "export", "x.sqlite", game.id, "x.brz"],
        ["tournament", "export", "x.sqlite", "x.json"],
        ["tournament", "compare", "x.sqlite", "x.sqlite"],
        ["replay", "x.brz", "--html", "replay.html"],
    ]
    for words in commands:
        assert main(words) == 0, words
    assert stranger in capsys.readouterr().out
    assert (tried, mark.exists(), Path("talk").exists()) == ([], False, False)


def test_what_each_argument_asks_for_is_stated() -> None:
    """An argument of any text can name a file, an address or a variable; this list has those that do not."""
    harmless = {"model"}
    for game in games.names():
        for name, agent in registry.table(game).items():
            free = [each.name for each in agent.arguments if each.kind is str and not each.choices and not each.asks]
            assert {*free} <= harmless, (game, name)
            assert agent.alone or agent.asks or any(each.asks for each in agent.arguments), (game, name)
    assert {each.asks for each in registry.table()["llm"].arguments} == {None, *Asks} - {Asks.READ}


@pytest.mark.parametrize(
    ("spec", "asks"),
    [
        ("random", []),
        ("ismcts:simulations=10000,path=shipped", []),
        ("network", []),
        ("human", ["asks a person in the terminal"]),
        ("network:path=a.npz", ["reads the file a.npz"]),
        ("llm:model=m", ["asks a language model"]),
        ("package.module:Agent:depth=3", ["runs the code of package.module:Agent"]),
    ],
)
def test_what_a_spec_asks_for(spec: str, asks: list[str]) -> None:
    assert registry.parse(spec).asks == asks
    registry.check_granted([spec], [spec], games.FIRST, "a file")
    if asks:
        with pytest.raises(UserError, match="names an agent that"):
            registry.check_granted([spec], ["random"], games.FIRST, "a file")


def test_a_spec_is_granted_with_its_arguments() -> None:
    asked = "llm:model=m,url=http://here/v1"
    registry.check_granted(["llm:url=http://here/v1,model=m"], [asked], games.FIRST, "a file")
    for other in (f"{asked},key=KEY", "llm:model=m,url=http://there/v1"):
        with pytest.raises(UserError, match="names an agent that"):
            registry.check_granted([other], [asked], games.FIRST, "a file")


@pytest.mark.parametrize(
    "url", ["http://name:word@host/v1", "https://token@host/v1", "http://host/v1?key=word", "http://[x"]
)
def test_an_address_has_no_password(url: str) -> None:
    with pytest.raises(UserError) as error:
        registry.parse(f"llm:model=m,url={url}")
    assert "word" not in str(error.value).replace("password", "")
    assert "\n" not in str(error.value)


def test_a_spec_is_one_line() -> None:
    with pytest.raises(UserError, match="can't be printed"):
        registry.parse("llm:model=\x1b[2J")
