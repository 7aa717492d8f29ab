"""Transcripts of language models: beside replays, on their pages, and what they never contain."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from chat_server import Endpoint, serving
from pool_here import Here
from toy_installed import toy

pytest.importorskip("httpx2")
pytest.importorskip("starlette")

from serve_client import Client
from test_llm import SECRET, first_legal

from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.language import transcript
from bloodrage_training.tournament import command

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy", "no_proxy")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


def spec(endpoint: Endpoint, **more: Any) -> str:
    named = {"model": "m", "url": endpoint.url, "key": "OPENAI_API_KEY", **more}
    return "llm:" + ",".join(f"{name}={value}" for name, value in named.items())


def events_in(endpoint: Endpoint) -> list[bool]:
    """Of each request, whether its prompt has events."""
    return ["Since your last turn:" in each["messages"][-1]["content"] for each in endpoint.requests]


@pytest.mark.parametrize("game", ["toy", "berserk"])
def test_demo_saves_a_transcript_that_the_page_of_the_replay_shows(tmp_path: Path, game: str) -> None:
    saved, page, again = (str(tmp_path / name) for name in ("game.brz", "demo.html", "replay.html"))
    options = ["--setup", "fixed", "--max-turns", "4"] if game == "berserk" else ["--players", "2"]
    with serving(first_legal) as endpoint:
        agents = f"{spec(endpoint, input_price=2)},random"
        words = ["demo", "--game", game, *options, "--agents", agents, "--quiet", "--save", saved, "--html", page]
        assert main(words) == 0
    lines = transcript.load(saved)
    replay = games.replays(game).load(saved)
    assert len(lines) == len(endpoint.requests) > 1
    assert [each["action"] for each in lines] == [replay.actions[each["step"]] for each in lines]
    assert {each["seat"] for each in lines} == {0}
    assert all(each["cost"] > 0 and each["seconds"] > 0 for each in lines)
    assert events_in(endpoint)[1]
    assert main(["replay", saved, "--html", again]) == 0
    shown = Path(again).read_text(encoding="utf-8")
    assert shown == Path(page).read_text(encoding="utf-8")
    assert '<section id="talk"' in shown
    assert "Of these I like the first one." in shown


def test_a_game_without_a_model_has_none_and_removes_an_earlier_one(tmp_path: Path) -> None:
    saved = tmp_path / "game.brz"
    transcript.beside(saved).write_text("{}\n", encoding="utf-8")
    assert main(["demo", "--game", "toy", "--agents", "random", "--quiet", "--save", str(saved)]) == 0
    assert transcript.load(saved) == []
    assert not transcript.beside(saved).exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "line 1 is not JSON"),
        ("[]", "line 1 lacks a number"),
        (json.dumps(dict.fromkeys(transcript.NUMBERS, 0)), "line 1 has no messages"),
        (json.dumps({**dict.fromkeys(transcript.NUMBERS, 0), "refused": [], "messages": [{"role": 1}]}), "no messages"),
    ],
)
def test_a_damaged_transcript_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    saved = tmp_path / "game.brz"
    assert main(["demo", "--game", "toy", "--agents", "random", "--quiet", "--save", str(saved)]) == 0
    transcript.beside(saved).write_text(content + "\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(saved), "--html", str(tmp_path / "page.html")]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\r"])
def test_a_model_may_answer_with_any_end_of_a_line(tmp_path: Path, end: str) -> None:
    """Lines of the file end at newlines alone: Unicode has more ends of lines, which JSON leaves as they are."""
    numbers = dict.fromkeys(transcript.NUMBERS, 0)
    said = [{"role": "assistant", "content": f"one{end}two"}]
    lines = [{**numbers, "action": 1, "random": False, "refused": [f"a{end}b"], "messages": said}] * 2
    transcript.save(lines, tmp_path / "game.brz")
    assert transcript.load(tmp_path / "game.brz") == lines


def test_the_decisions_of_two_models_are_in_the_order_of_the_game(tmp_path: Path) -> None:
    with serving(first_legal) as endpoint:
        words = ["demo", "--game", "toy", "--players", "2", "--agents", f"{spec(endpoint)},{spec(endpoint)}", "--quiet"]
        assert main([*words, "--save", str(tmp_path / "game.brz")]) == 0
    steps = [each["step"] for each in transcript.load(tmp_path / "game.brz")]
    assert steps == [*range(len(endpoint.requests))]


def test_the_markup_of_a_model_is_text(tmp_path: Path) -> None:
    from bloodrage_env.render.talk import with_talk

    line = {"step": 0, "seat": 0, "messages": [{"role": "assistant", "content": "</script><script>alert(1)</script>"}]}
    page = with_talk("<html><body class='x'><p></p></body></html>", [line], ["one"])
    assert "alert(1)</script>" not in page
    assert page.index('id="talk"') > page.index("<body class='x'>")
    assert with_talk("<body>", [], ["one"]) == "<body>"


def test_a_person_plays_against_a_model_that_observes_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = str(tmp_path / "game.brz")
    monkeypatch.setattr("builtins.input", lambda _: "1")
    with serving(first_legal) as endpoint:
        words = ["play", "--game", "toy", "--players", "2", "--seed", "3", "--opponents", spec(endpoint)]
        assert main([*words, "--save", saved]) == 0
    assert len(transcript.load(saved)) == len(endpoint.requests)
    assert all(events_in(endpoint)[1:])


def test_a_model_at_a_table_of_the_server(tmp_path: Path) -> None:
    with serving(first_legal) as endpoint:
        agent = spec(endpoint)
        with Client(tmp_path, [(agent, "a model"), ("random", "")], game="toy") as client:
            token = client.new_game(None, agent)[0]
            while not (view := client.asked(token))["scene"]["over"]:
                client.answer(token, view["question"]["number"], view["question"]["choices"][0]["action"])
    (saved,) = tmp_path.glob(f"*{transcript.SUFFIX}")
    lines = transcript.load(next(tmp_path.glob(f"*{games.replays('toy').suffix}")))
    assert len(lines) == len(endpoint.requests) > 1
    assert all(events_in(endpoint)[1:])
    assert saved.stat().st_mode & 0o077 == 0


def test_transcripts_of_one_folder_do_not_overwrite_each_other(tmp_path: Path) -> None:
    from test_llm import played

    with serving(first_legal) as endpoint:
        for _ in range(2):
            played(endpoint, transcript=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game1_seat0.jsonl", "game2_seat0.jsonl"]


def test_the_key_is_in_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Specs, stores, reports, replays, transcripts and what is printed, also where the endpoint fails."""
    answered: list[str] = []

    def answer(messages: list[dict[str, str]]) -> str | int:
        answered.append(first_legal(messages))
        return 401 if len(answered) in (5, 20) else answered[-1]

    with serving(answer) as endpoint, mock.patch.object(command, "make_pool", side_effect=lambda *_: Here()):
        agents = f"{spec(endpoint, retries=0, transcript=tmp_path / 'talk')},random"
        store = f"{tmp_path}/a.db"
        words = [
            "tournament",
            "run",
            "--game",
            "toy",
            "--agents",
            agents,
            "--deals",
            "2",
            "--seed",
            "1",
            "--store",
            store,
        ]
        assert main(words) == 1
        name = agents.removesuffix(",random")
        assert main(["tournament", "resume", store, "--allow", name]) == 0
        assert main(["tournament", "report", store, "--html", f"{tmp_path}/r.html", "--csv", f"{tmp_path}/csv"]) == 0
        main(["demo", "--game", "toy", "--players", "2", "--agents", agents, "--save", f"{tmp_path}/g.brz"])
        assert endpoint.keys
        assert all(SECRET in each for each in endpoint.keys)
    said = capsys.readouterr()
    assert SECRET not in said.out + said.err
    found = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(found) > 5
    assert [path.name for path in found if SECRET.encode() in path.read_bytes()] == []
