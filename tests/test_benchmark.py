"""`bloodrage benchmark`: runs, result files that are verified, and files that are refused."""

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
from pool_here import Here
from test_docs import generator

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_training import ladder
from bloodrage_training.benchmark import command, protocols, record, rows, verify
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy
from bloodrage_training.tournament.store import Store

FACTS = {"version": 1, "seed": 5, "seconds_a_decision": 60.0, "interval": "95 %"}
LEARNER = {"seed": 1, "games": 8, "threads": 1, "width": 8, "layers": 1, "steps": 50, "minibatch": 256}
TINY = {
    "bloodrage": {
        "duel": FACTS | {"options": {"num_players": 2}, "opponents": ["random", "loki"], "deals": 2},
        "table": FACTS | {"options": {"num_players": 3}, "opponents": ["random"], "deals": 1},
        "exploit": FACTS
        | {
            "options": {"num_players": 2},
            "opponents": [],
            "deals": 2,
            "response": {"decisions": 200, "points": 1, "games": 2, "settings": LEARNER},
        },
    },
    "*": {"duel": FACTS | {"options": {}, "opponents": ["random"], "deals": 1}},
}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protocols of few games, played in this process; files go to a folder of the test."""
    monkeypatch.setattr(protocols, "content", lambda: TINY)
    monkeypatch.setattr(command, "make_pool", lambda backend, size: Here())
    monkeypatch.setattr(verify, "AT_ONCE", 2)  # a duel is compared in two parts
    monkeypatch.chdir(tmp_path)
    Here.results = 0


def run(*words: str | Path) -> int:
    return main(["benchmark", *map(str, words)])


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """The one line of a command that fails."""
    capsys.readouterr()
    assert run(*words) == 1
    said = capsys.readouterr()
    lines = [line for line in said.err.splitlines() if line.startswith("bloodrage benchmark: ")]
    assert (said.out, len(lines)) == ("", 1)
    return lines[0]


def content(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(path).read_text())
    return found


def without_times(path: str) -> dict[str, Any]:
    """A file without what differs each time."""
    found = content(path)
    del found["made"]
    for track in found["tracks"]:
        del track["seconds_a_decision"]
    return found


def policy(path: Path) -> None:
    """A small network of random weights."""
    torch.manual_seed(1)
    export(Policy(8, 1, game="bloodrage"), path)


# ---- protocols


def test_a_track_that_is_named_twice_is_measured_once() -> None:
    assert [each.track for each in protocols.chosen("bloodrage", "duel, table,duel , duel")] == ["duel", "table"]


def test_any_game_of_two_sides_has_a_duel() -> None:
    assert protocols.tracks("berserk_team") == ("duel",)
    found = protocols.protocol("berserk_team", "duel")
    assert (found.opponents, found.options.num_players) == (("random",), 4)
    with pytest.raises(UserError, match="no track 'table'; there are duel"):
        protocols.protocol("berserk_team", "table")


# ---- measuring


@pytest.mark.usefixtures("tiny")
def test_the_same_agent_has_the_same_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("balanced", "--track", "duel,table", "--out", "a", "--stated", "nothing") == 0
    said = capsys.readouterr().out
    assert run("balanced", "--track", "duel,table", "--out", "b", "--stated", "nothing") == 0
    assert without_times("a/benchmark.json") == without_times("b/benchmark.json")
    found = record.read(Path("a/benchmark.json"))
    assert (found.agent, found.digest, found.stated, found.comparable) == ("balanced", None, "nothing", True)
    duel = found.track("duel")
    assert duel is not None
    assert [(each.deal, each.opponent) for each in duel.results] == [
        (deal, other) for deal in range(2) for other in ("random", "loki")
    ]
    assert duel.win_rate().value == sum(sum(each.won) for each in duel.results) / 8
    assert duel.win_rate("loki").value == sum(sum(each.won) for each in duel.results if each.opponent == "loki") / 4
    assert f"{100 * duel.win_rate().value:.1f} %" in said
    with Store.open("a/duel-1.sqlite") as store:
        assert store.recorded() == 8


@pytest.mark.usefixtures("tiny")
def test_an_interrupted_run_is_resumed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(pool: Here, timeout: float) -> list[Any]:
        found = events(pool, timeout)
        if Here.results >= 4:
            raise KeyboardInterrupt
        return found

    events = Here.events
    with monkeypatch.context() as patch:
        patch.setattr(Here, "events", interrupted)
        assert run("balanced", "--track", "duel", "--out", "a") == 130
    assert "the same command resumes it" in capsys.readouterr().err
    assert not Path("a/benchmark.json").exists()
    before = Here.results
    assert run("balanced", "--track", "duel", "--out", "a") == 0
    assert Here.results < before + 8  # not all again
    assert run("balanced", "--track", "duel", "--out", "b") == 0
    assert without_times("a/benchmark.json") == without_times("b/benchmark.json")


@pytest.mark.usefixtures("tiny")
def test_a_run_leaves_its_stores_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("balanced", "--track", "duel,table", "--out", "a") == 0
    assert sorted(each.name for each in Path("a").iterdir()) == ["benchmark.json", "duel-1.sqlite", "table-1.sqlite"]


@pytest.mark.usefixtures("tiny")
def test_games_that_are_not_complete_make_no_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = ladder.play
    monkeypatch.setattr(ladder, "play", lambda *given: play(*given) + 1)
    said = refused(capsys, "balanced", "--track", "duel", "--out", "a")
    assert "duel-1.sqlite: gave up 1 unit;" in said
    assert not Path("a/benchmark.json").exists()


@pytest.mark.usefixtures("tiny")
def test_an_agent_does_not_play_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("loki", "--track", "duel", "--out", "a") == 0
    assert content("a/benchmark.json")["tracks"][0]["win_rates"].keys() == {"random"}
    assert "random is the only opponent of the track table" in refused(capsys, "random", "--track", "table")


@pytest.mark.usefixtures("tiny")
def test_a_trial_is_marked_and_is_no_part_of_the_leaderboard(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("balanced", "--games", "3", "--out", "a") == 0
    assert "(trial, not comparable)" in capsys.readouterr().out
    assert not Path("a/benchmark.json").exists()
    found = content("a/trial.json")
    assert [(each["deals"], each["comparable"]) for each in found["tracks"]] == [(1, False), (1, True)]
    with pytest.raises(UserError, match=r"trial.json is not complete: it is a trial"):
        rows.leaderboard(Path("a"), "bloodrage")
    assert run("balanced", "--out", "a") == 0
    Path("a/trial.json").unlink()
    assert [each.name for each in rows.leaderboard(Path("a"), "bloodrage")] == ["balanced"]
    assert run("balanced", "--track", "duel", "--out", "b") == 0
    with pytest.raises(UserError, match=r"benchmark.json is not complete: it has no track table"):
        rows.leaderboard(Path("b"), "bloodrage")


@pytest.mark.usefixtures("tiny")
def test_other_games_have_benchmarks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hold", "--game", "berserk", "--out", "a") == 0
    assert run("--verify", "a/benchmark.json") == 0
    assert "hold, duel: 1 deal played again, all agree" in capsys.readouterr().out


# ---- policies, responses and plug-ins


@pytest.mark.usefixtures("tiny")
def test_a_file_contains_the_policy_of_its_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It can be verified where the policy is not, and where the policy lies makes no difference."""
    policy(tmp_path / "one.npz")
    (tmp_path / "deep").mkdir()
    shutil.copy("one.npz", "deep/two.npz")
    assert run("network:path=one.npz", "--track", "duel", "--out", "a", "--name", "mine") == 0
    assert run("network:path=deep/two.npz", "--track", "duel", "--out", "b", "--name", "mine") == 0
    assert without_times("a/benchmark.json") == without_times("b/benchmark.json")
    Path("one.npz").unlink()
    shutil.rmtree("b")
    shutil.move("a/benchmark.json", "moved.json")
    shutil.rmtree("a")
    assert run("--verify", "moved.json", "--sample", "2") == 0
    assert "mine, duel: 2 deals of the sample played again, all agree" in capsys.readouterr().out
    shutil.copy("deep/two.npz", "one.npz")
    assert run("network:path=one.npz,sample=all", "--track", "duel", "--out", "c") == 0
    assert record.read(Path("c/benchmark.json")).agent == "network:path=policy.npz,sample=all"
    path = changed(content("c/benchmark.json"), lambda found: found.update(digest="0" * 64))
    assert "its digest is not that of its policy" in refused(capsys, "--verify", path)
    torch.manual_seed(2)
    export(Policy(8, 1, game="bloodrage"), Path("one.npz"))
    assert "has the benchmark of another policy" in refused(capsys, "network:path=one.npz", "--out", "c")


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_a_response_is_part_of_the_file_and_plays_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("loki", "--track", "exploit", "--out", "a") == 0
    found = record.read(Path("a/benchmark.json")).track("exploit")
    assert found is not None
    assert found.response == Path("a/response.npz").read_bytes()
    assert [each.opponent for each in found.results] == ["loki", "loki"]
    gain = 100 * (found.win_rate().value - 0.5)
    assert f"{gain:+.1f}" in capsys.readouterr().out
    assert run("--verify", "a/benchmark.json") == 0
    assert "loki, exploit: 2 deals played again, all agree" in capsys.readouterr().out
    assert "a response is trained against a style" in refused(capsys, "random", "--track", "exploit", "--out", "b")


@pytest.mark.slow  # a process for each game
@pytest.mark.usefixtures("tiny")
def test_a_plug_in_is_measured_if_it_is_trusted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plug_in = "mine.py:First"
    Path("mine.py").write_text(
        "class First:\n    def act(self, observation, mask, rng):\n        return int(mask.argmax())\n"
    )
    assert "add --trust" in refused(capsys, plug_in, "--track", "table")
    assert run(plug_in, "--trust", plug_in, "--track", "table", "--out", "a") == 0
    assert "add --trust" in refused(capsys, "--verify", "a/benchmark.json")
    assert run("--verify", "a/benchmark.json", "--trust", plug_in) == 0
    Path("mine.py").write_text(Path("mine.py").read_text() + "\n")
    said = refused(capsys, "--verify", "a/benchmark.json", "--trust", plug_in)
    assert "the source of mine.py:First is not the one that was measured" in said


# ---- verifying


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The content of a file with a duel of `balanced`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocols, "content", lambda: TINY)
        patch.setattr(command, "make_pool", lambda backend, size: Here())
        patch.chdir(tmp_path_factory.mktemp("made"))
        assert run("balanced", "--track", "duel", "--out", "a") == 0
        return content("a/benchmark.json")


def changed(made: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> Path:
    """A file with a change."""
    found = copy.deepcopy(made)
    change(found)
    path = Path("changed.json")
    path.write_text(json.dumps(found))
    return path


def deal(found: dict[str, Any], number: int = 2) -> dict[str, Any]:
    """A deal of a file's first track."""
    row: dict[str, Any] = found["tracks"][0]["results"][number]
    return row


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda found: deal(found).update(moves="0" * 16), "moves is 0000000000000000 in the file and "),
        (lambda found: deal(found)["scores"][1].reverse(), "scores is "),
        (lambda found: deal(found).update(forfeits=1), "forfeits is 1 in the file and 0 when played"),
    ],
)
def test_a_changed_result_is_found(
    made: dict[str, Any], change: Callable[[dict[str, Any]], object], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(made, change)
    assert run("--verify", path) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"changed.json: duel, deal 1 against random: {what}")
    assert said.count("\n") == 1


@pytest.mark.usefixtures("tiny")
def test_other_versions_are_named_beside_a_difference(made: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    def change(found: dict[str, Any]) -> None:
        deal(found).update(moves="0" * 16)
        found["versions"]["numpy"] = "0.9"

    Path("good.json").write_text(json.dumps(made))
    assert run("--verify", changed(made, change), "good.json") == 1
    first, second = capsys.readouterr().out.splitlines()
    assert "(the file was made with numpy 0.9, here " in first
    assert second == "good.json: balanced, duel: 4 deals played again, all agree"


EXPLOIT = {
    "track": "exploit", "protocol": protocols.digest_of("bloodrage", "exploit", TINY["bloodrage"]["exploit"]),
}  # fmt: skip


def renamed(found: dict[str, Any]) -> None:
    found["tracks"][0]["results"][0]["opponent"] = "loki"


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda found: found.update(format=2), "Expected `int` <= 1 - at `$.format`"),
        (lambda found: found.update(more=1), "Object contains unknown field `more`"),
        (lambda found: found.update(game="chess"), "its game 'chess' is none of bloodrage, berserk"),
        (lambda found: found.update(name="a\nb"), "name is not a text of one line"),
        (lambda found: found.update(agent="balanced "), "agent 'balanced ' is not in the canonical form"),
        (lambda found: found.update(agent="nobody"), "there is no agent 'nobody'"),
        (lambda found: found.update(agent="llm"), "llm can't be measured by a benchmark"),
        (lambda found: found.update(agent="ismcts:ms=9"), "is limited by time"),
        (lambda found: found.update(agent="network:path=/etc/passwd"), "does not use the policy of the file"),
        (
            lambda found: found.update(policy="AAAA"),
            "its policy is not a policy of this environment: it has no checksum",
        ),
        (lambda found: found.update(policy="%"), "Invalid base64 encoded string - at `$.policy`"),
        (lambda found: found.update(tracks=[]), "Expected `array` of length >= 1 - at `$.tracks`"),
        (lambda found: found["tracks"].append(found["tracks"][0]), "it has a track twice"),
        (lambda found: found["tracks"][0].update(track="chess"), "Blood Rage has no track 'chess'; there are duel"),
        (lambda found: found["tracks"][0].update(version=2), "version 2 of the track duel is not version 1"),
        (lambda found: found["tracks"][0].update(protocol="0" * 16), "version 1 of the track duel is not version 1"),
        (lambda found: found["tracks"][0].update(seed=6), "the track duel has another seed or number of deals"),
        (lambda found: found["tracks"][0].update(comparable=False), "another seed or number of deals"),
        (lambda found: found["tracks"][0].update(EXPLOIT), "the track exploit has no response"),
        (lambda found: found["tracks"][0]["results"].pop(), "the track duel has 3 results instead of 4"),
        (renamed, "duel, deal 0 against random: it has the deal, opponent or seed of another place"),
        (lambda found: deal(found).update(won=[1.0]), "duel, deal 1 against random: it is not at 2 seats"),
        (lambda found: deal(found).update(won=[2, 0]), "Expected `float` <= 1.0 - at `$.tracks[0].results[2].won[0]`"),
        (lambda found: deal(found).update(scores=[[1], []]), "duel, deal 1 against random: it is not at 2 seats"),
        (lambda found: deal(found).update(won=[0.25, 0.0]), "the win rates of the track duel are not those of its"),
        (lambda found: found["tracks"][0].update(win_rate=[1.0, 0.9, 1.0]), "are not those of its deals"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(
    made: dict[str, Any], change: Callable[[dict[str, Any]], object], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "--verify", changed(made, change))
    assert said.startswith("bloodrage benchmark: changed.json is not a benchmark of this version: ")
    assert what in said


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"NaN", b"\xff", b"[" * 100_000])
def test_a_file_that_is_no_table_is_refused_in_one_line(text: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.json").write_bytes(text)
    assert refused(capsys, "--row", "latex", "bad.json").endswith(("it is not JSON", "Expected `object`, got `array`"))


@pytest.mark.usefixtures("tiny")
def test_a_large_file_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(record, "MAX_BYTES", 2**20)
    Path("bad.json").write_bytes(b" " * (2**20 + 1))
    assert "it is larger than 1 MiB" in refused(capsys, "--verify", "bad.json")
    assert "can't read nowhere.json: No such file" in refused(capsys, "--verify", "nowhere.json")


# ---- rows


@pytest.mark.usefixtures("tiny")
def test_rows_for_tables(made: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(made, lambda found: found.update(name="a_b", stated="300,000 decisions & 5 % more"))
    (rate,) = [each.win_rate() for each in record.read(path).tracks]
    cell = f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"
    assert run("--row", "markdown", path, path) == 0
    head, line, *others = capsys.readouterr().out.splitlines()
    assert (head, line) == ("| agent | duel | trained |", "| --- | --- | --- |")
    assert others == [f"| `a_b` | {cell} | 300,000 decisions &#38; 5 % more |"] * 2
    assert run("--row", "latex", path) == 0
    assert capsys.readouterr().out.splitlines() == [
        "% agent & duel & trained",
        rf"a\_b & {cell.replace('%', chr(92) + '%')} & 300,000 decisions \& 5 \% more \\",
    ]
    assert "--row needs markdown or latex, and one file or more" in refused(capsys, "--row", path)


HOSTILE = (
    "a_b_c _x_ __y__ a|b` <script>alert(1)</script> | 99.9 % | **x** [y](javascript:z) {: onclick=w } \\| &amp; ~~s~~"
)


@pytest.mark.usefixtures("tiny")
def test_a_name_is_no_markdown_and_no_html(
    made: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In rows of tables and on the page of the leaderboard, which is made from the same files."""
    markdown = pytest.importorskip("markdown")
    results = generator("results")
    path = changed(made, lambda found: found.update(name=HOSTILE, stated=HOSTILE))
    monkeypatch.setattr(rows, "leaderboard", lambda folder, game: [record.read(path)])
    assert run("--row", "markdown", path) == 0
    printed = capsys.readouterr().out
    for table in (printed, results.table(results.benchmark("bloodrage"))):
        shown = markdown.markdown(table, extensions=["tables", "attr_list"])
        (line,) = ElementTree.fromstring(shown).iterfind("tbody/tr")
        assert ["".join(cell.itertext()) for cell in line][::2] == [HOSTILE, HOSTILE]
        assert [[each.tag for each in cell.iter()] for cell in line] == [["td", "code"], ["td"], ["td"]]
        assert [cell.attrib for cell in line] == [{}] * 3


def test_one_thing_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert "name an agent to measure" in refused(capsys)
    assert "name an agent to measure" in refused(capsys, "random", "--verify", "a.json")
    assert "Blood Rage has no track 'chess'" in refused(capsys, "random", "--track", "chess")
