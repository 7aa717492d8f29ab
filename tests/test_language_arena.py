"""Several models on the same things: failures of endpoints, runs that are resumed, comparisons, changes."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chat_server import Answer, Endpoint, serving
from first_move import listed_move

from bloodrage_agents import registry
from bloodrage_env.cli import main
from bloodrage_env.errors import UnavailableError, UserError
from bloodrage_env.language.transcript import Talk
from bloodrage_training.benchmark import language
from bloodrage_training.benchmark.language import DECISIONS, GAMES, QUESTIONS, Entrant, Item, Outcome, Track
from bloodrage_training.benchmark.language_file import Answers, Result
from bloodrage_training.benchmark.language_results import content, lines, results
from bloodrage_training.games.bloodrage.language import track as protocol
from bloodrage_training.tournament.estimates import Estimate, wilson

LINE = {
    "refused": ["no"], "classes": ["illegal"], "prompt_tokens": 5, "answer_tokens": 2, "cost": 0.5, "seconds": 2.0,
}  # fmt: skip


def made(ask: Callable[[Any], Outcome] = lambda agent: Outcome(0.5, False), count: int = 4) -> Track:
    """A track of a few items that are asked without any game."""
    items = [
        Item(group, name, number, number // 2 if group == GAMES else number, ask)
        for group, name in ((DECISIONS, "decisions"), (QUESTIONS, "questions, room"), (GAMES, "games against random"))
        for number in range(count)
    ]
    return Track("bloodrage", 1, "0" * 16, tuple(items), True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "language.jsonl"


def asked(track: Track, path: Path, *specs: str, workers: int = 1) -> Answers:
    with (path.parent.parent / "progress").open("w") as stream:
        return language.ask_all(track, [Entrant(spec) for spec in specs], path, workers, stream)


def test_a_run_goes_on_where_it_was_ended(path: Path) -> None:
    """Whatever ends it, also within a line."""
    calls: list[str] = []

    def ask(agent: Any) -> Outcome:
        calls.append(type(agent).__name__)
        if len(calls) == 6:
            raise RuntimeError("killed")
        return Outcome(0.5, False)

    track = made(ask)
    with pytest.raises(RuntimeError):
        asked(track, path, "random", "greedy")
    assert len(path.read_bytes().splitlines()) == 1 + 5
    with path.open("ab") as file:
        file.write(b'{"agent": "torn')
    calls.clear()
    calls += ["before"] * 10
    answers = asked(track, path, "random", "greedy")
    assert len(calls) == 10 + 16 - 5, "an item is asked again"
    assert sorted(answers.of("greedy", "decisions")) == [0, 1, 2, 3]
    assert answers.of("greedy", "questions, room") == {}, "no language model"
    before = path.read_bytes()
    asked(track, path, "greedy")
    assert len(calls) == 10 + 16 - 5
    assert path.read_bytes() == before
    asked(track, path, "balanced")
    assert len(calls) == 10 + 16 - 5 + 8, "an agent can be added"


def test_a_failure_of_an_endpoint_is_no_result(path: Path) -> None:
    """An agent is left after three failures in a row; all others are asked on."""
    broken = [True]
    calls: list[str] = []

    def ask(agent: Any) -> Outcome:
        calls.append(name := type(agent).__name__)
        if broken[0] and name == "RandomAgent" and calls.count(name) > 2:
            raise UnavailableError("the endpoint is\nbroken")
        return Outcome(0.5, False, [LINE])

    track, both = made(ask), [Entrant("random"), Entrant("greedy")]
    found = results(track, both, asked(track, path, "random", "greedy"))
    random, greedy = found.standings
    assert calls.count("RandomAgent") == 2 + language.MAX_FAILURES
    assert [(part.count, part.missing, part.failed) for part in random.parts] == [(2, 2, 0), (0, 4, 0)]
    assert (random.failures, random.missing, random.failure) == (3, 6, "the endpoint is broken")
    assert (greedy.failures, greedy.missing, greedy.failure) == (0, 0, None)
    assert not found.comparable
    assert {each.group: each.count for each in found.comparisons} == {DECISIONS: 2}
    broken[0] = False
    again = results(track, both, asked(track, path, "random", "greedy")).standings[0]
    assert (again.failures, again.missing, again.failure) == (3, 0, None)
    assert calls.count("RandomAgent") == 2 + 3 + 6
    assert again.talk == Talk(8, 0, 8, 0, 40, 16, 4.0, 16.0)


def test_an_endpoint_that_fails_now_and_then_is_asked_on(path: Path) -> None:
    calls: list[Any] = []

    def ask(agent: Any) -> Outcome:
        calls.append(agent)
        if len(calls) % 2:
            raise UnavailableError("busy")
        return Outcome(0.5, False)

    assert len(asked(made(ask), path, "random").failures("random")) == language.MAX_FAILURES + 1
    assert len(calls) == 8


def test_questions_without_an_answer_make_no_interval_narrower(path: Path) -> None:
    with Answers.open(path, "bloodrage", 1, "0" * 16) as answers:
        for number in range(8):
            answers.add(Result("one", "questions, room", number, float(number % 2)))
    (standing,) = results(made(count=50), [Entrant("one", talks=True)], answers).standings
    (part,) = (each for each in standing.parts if each.group == QUESTIONS)
    assert (part.count, part.missing) == (8, 42)
    assert Estimate(part.value, part.low, part.high) == wilson(0.5, 8)


def test_pairs_are_compared_on_the_same_items(path: Path) -> None:
    """The interval is that of the differences, though the values themselves are far apart; games are by deal."""
    rng = np.random.default_rng(3)
    values = rng.uniform(0.1, 0.6, 50)
    track = made(count=50)
    with Answers.open(path, "bloodrage", 1, "0" * 16) as answers:
        for number, value in enumerate(values.tolist()):
            for part in ("decisions", "games against random"):
                answers.add(Result("one", part, number, value))
                answers.add(Result("two", part, number, value + 0.1 + 0.01 * (number % 2)))
    compared = {each.group: each for each in results(track, [Entrant("one"), Entrant("two")], answers).comparisons}
    difference = compared[DECISIONS]
    assert (difference.first, difference.second, difference.count) == ("one", "two", 50)
    assert difference.value == pytest.approx(-0.105)
    assert difference.low == pytest.approx(-0.105 - 2.0096 * 0.005 * np.sqrt(50 / 49) / np.sqrt(50), abs=1e-4)
    assert np.isnan(compared[GAMES].low), "both seats of a deal are one observation, and all deals are alike"
    assert compared[GAMES].value == pytest.approx(-0.105)


def test_the_seats_of_a_deal_are_one_observation(path: Path) -> None:
    """20 games that are won or lost at both seats have the interval of 10 games."""
    track = made(count=20)
    with Answers.open(path, "bloodrage", 1, "0" * 16) as answers:
        for number in range(20):
            answers.add(Result("one", "games against random", number, float(number // 2 < 5)))
        (part,) = (each for each in results(track, [Entrant("one")], answers).standings[0].parts if each.group == GAMES)
    assert (part.value, part.count) == (0.5, 20)
    assert (part.low, part.high) == pytest.approx((0.2, 0.8), abs=0.02)  # 0.30 to 0.70 for 20 independent games


def test_changes_are_pooled_over_the_agents(path: Path) -> None:
    track = made(count=10)
    entrants = [Entrant("a"), Entrant("b"), Entrant("a1", "a", "tries=1"), Entrant("b1", "b", "tries=1")]
    with Answers.open(path, "bloodrage", 1, "0" * 16) as answers:
        for number in range(10):
            for spec, more in (("a", 0.0), ("b", 0.2), ("a1", 0.1), ("b1", 0.5)):
                answers.add(Result(spec, "decisions", number, more + 0.01 * number))
    found = results(track, entrants, answers)
    changes = {each.second: each for each in found.changes}
    assert {name: round(each.value, 9) for name, each in changes.items()} == {"a": 0.1, "b": 0.3, "": 0.2}
    assert changes[""].count == 20
    assert [(each.first, each.second) for each in found.comparisons] == [("a", "b")]
    assert "decisions, tries=1, all: +20.0 of 20" in "\n".join(lines(found))
    json.dumps(content(found, "", None), allow_nan=False)


def test_what_is_varied_is_asked_no_games() -> None:
    model = registry.canonical("llm:model=m,url=http://127.0.0.1:9/v1,tries=3,state=json")
    entrants = language.entrants([model, "random"], ["tries=1", "actions=none", "tries=3"], "bloodrage")
    assert [(each.spec, each.change) for each in entrants] == [
        (model, ""),
        ("random", ""),
        ("llm:model=m,url=http://127.0.0.1:9/v1,tries=1,state=json", "tries=1"),
        ("llm:model=m,url=http://127.0.0.1:9/v1,state=json,actions=none", "actions=none"),
    ]
    groups = [{item.group for item in each.asked(made().items)} for each in entrants]
    assert groups[0] == {DECISIONS, QUESTIONS, GAMES}
    assert groups[2] == {DECISIONS, QUESTIONS}
    for wrong in ("tries=0", "colour=red"):
        with pytest.raises(UserError):
            language.entrants([model], [wrong], "bloodrage")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace(b"0.5", b"0.6", 1), "line 2: it is not what was written"),
        (lambda text: text.replace(b'"random"', b"5", 1), "line 2: Expected `str`, got `int` - at `$.agent`; move"),
        (lambda text: text.replace(b'"version": 1', b'"version": 2', 1), "line 1: it is not what was written"),
        (lambda text: b"[]\n" + text, "line 1: Expected `object`, got `array`"),
        (lambda text: b"\xff\n", "line 1: it is not JSON"),
        (lambda text: b'{"a": ' + b"[" * 99_999 + b"\n", "line 1: Expected `bool | int | float | str | object | null`"),
    ],
)
def test_another_file_is_one_line(path: Path, change: Callable[[bytes], bytes], said: str) -> None:
    asked(made(), path, "random")
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(UserError, match=re.escape(f"{path}, {said}")):
        asked(made(), path, "random")


def test_answers_to_another_protocol_are_not_mixed(path: Path) -> None:
    asked(made(), path, "random")
    with pytest.raises(UserError, match="has answers to another version"):
        asked(Track("bloodrage", 2, "0" * 16, made().items, True), path, "random")


def test_the_threads_work_at_once() -> None:
    together = threading.Barrier(3, timeout=20)
    assert sorted(language.in_threads([1, 2, 3], lambda each: (together.wait(), each)[1], 3)) == [1, 2, 3]
    assert list(language.in_threads([], lambda each: each, 3)) == []


# ---- the command, with models


def answer_of(which: int) -> Callable[[list[dict[str, str]]], Answer]:
    """The first legal action, or the last one; the first choice of a question."""

    def answer(messages: list[dict[str, str]]) -> Answer:
        shown = messages[-1]["content"]
        choices = re.findall(r"X one of `([^`]*)`", shown)
        legal = "Legal actions:" in shown
        return f"Answer: {listed_move(shown, which) if legal else choices[0] if choices else 'pass'}"

    return answer


@pytest.fixture
def endpoints(monkeypatch: pytest.MonkeyPatch, no_proxy: None) -> Iterator[list[Endpoint]]:
    """Three models. The last one fails from its 12th request on, until `release` of its endpoint is set."""
    pytest.importorskip("httpx2")
    monkeypatch.setattr(protocol, "OPPONENTS", ("random",))
    monkeypatch.setattr(protocol, "EACH", 2)
    monkeypatch.setattr(language, "PART", 20)

    def fails(messages: list[dict[str, str]]) -> Answer:
        endpoint = found[2]
        return 503 if len(endpoint.requests) > 11 and not endpoint.release.is_set() else answer_of(-1)(messages)

    with ExitStack() as stack:
        found = [stack.enter_context(serving(each)) for each in (answer_of(0), answer_of(-1), fails)]
        yield found


def test_three_models_of_which_one_fails(
    endpoints: list[Endpoint], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    specs = [f"llm:model=m{n},url={each.url},retries=0,output_price=9" for n, each in enumerate(endpoints)]
    words = ["benchmark", *specs, "--track", "language", "--games", "2", "--workers", "2", "--out", str(tmp_path)]
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert "can't be used: it answered with status 503; the same command asks again" in err.splitlines()[-1]
    assert "failures of the endpoint: " in out
    counts = [len(each.requests) for each in endpoints]
    endpoints[2].release.set()
    page = tmp_path / "page.html"
    assert main([*words, "--json", "--html", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [len(each.requests) for each in endpoints[:2]] == counts[:2], "what has an answer is not asked again"
    assert found == json.loads((tmp_path / "language-trial.json").read_text(encoding="utf-8"))
    assert [part["name"] for part in found["agents"][0]["parts"]][:2] == ["decisions", "questions, battle"]
    assert len({json.dumps([part["count"] for part in each["parts"]]) for each in found["agents"]}) == 1
    assert [each["failures"] > 0 for each in found["agents"]] == [False, False, True]
    assert all(each["talk"]["cost"] > 0 for each in found["agents"])
    assert {(each["group"], each["count"]) for each in found["comparisons"]} >= {("decisions", 10), ("games", 2)}
    shown = page.read_text(encoding="utf-8")
    assert re.findall(r'<section id="(\w+)">', shown) == ["agents", "differences", "models", "failures"]
    assert all(registry.canonical(spec) in shown for spec in specs)
    assert [f"{number}: m{number - 1}" in shown for number in (1, 2, 3)] == [True] * 3
    assert "1: m0 − 2: m1" in shown
    capsys.readouterr()
    assert main([*words[:2], "--vary", "actions=none", *words[4:]]) == 0
    assert "actions=none, 1: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random", "greedy"], "only --track language measures several agents; name one"),
        (["random", "--track", "table", "--vary", "tries=1"], "--vary is for --track language"),
        (["random", "--json"], "--json is for --track language"),
        (["--html", "x.html", "--verify", "x"], "--html is for --track language"),
        (["random", "greedy", "--track", "language", "--name", "x"], "--name names one agent; leave it out"),
        (["random", "--track", "language", "--vary", "tries=1"], "--vary changes language models; none is named"),
        (
            ["random", "--track", "language", "--backend", "ray"],
            "--backend ray has no effect on the track language; leave it out",
        ),
        (["random", "--game", "berserk", "--track", "language"], "Berserk has no language track"),
        (["random", "human", "--track", "language"], "a person can't be measured by a benchmark"),
        (["random", "--track", "language", "--html", "."], ". is a folder; name a file"),
        (["random", "--track", "language", "--html", "nowhere/x.html"], "there is no folder nowhere for x.html"),
    ],
)  # fmt: skip
def test_wrong_words(words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["benchmark", *words, "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"bloodrage benchmark: {said}\n"


@pytest.mark.parametrize("change", ["x", "=1", "tries=", "tries=1,words=7", "a b=1"])
def test_what_is_no_change(change: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "random", "--track", "language", "--vary", change]) == 2
    said = f"bloodrage benchmark: argument --vary: {change!r} is not one argument, which is written NAME=VALUE"
    assert capsys.readouterr().err.startswith(said)


def test_the_track_of_a_shipped_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(protocol, "OPPONENTS", ("random",))
    words = ["benchmark", "random", "--track", "language", "--games", "2", "--workers", "1", "--out", str(tmp_path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith("language track, version 4\n\n1: random\n  decisions: ")
    assert "questions" not in out
    assert (tmp_path / "language-trial.json").exists()
