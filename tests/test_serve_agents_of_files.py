"""`ID.json` of a game from elsewhere: its agents run no code and connect nowhere unless the server offers them."""

import json
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("openai")

from chat_server import serving
from serve_client import AGENTS, Client
from test_llm import first_legal
from test_specs_of_files import plug_in

from bloodrage_env.serve.storage import Storage


def reseated(folder: Path, token: str, spec: str) -> None:
    """Have the file of a game name another agent."""
    path = folder / f"{token.partition('.')[0]}.json"
    content = json.loads(path.read_bytes())
    for seat in content["seats"]:
        if seat["agent"] is not None:
            seat["agent"] = spec
    path.write_text(json.dumps(content))


def begun(folder: Path, spec: str) -> str:
    """The token of a game against this agent, as its file says."""
    with Client(folder) as client:
        (token, _) = client.new_game(None, "random")
        client.asked(token)
    reseated(folder, token, spec)
    return str(token)


def test_a_plug_in_of_a_file_is_not_run(tmp_path: Path) -> None:
    spec, mark = plug_in(tmp_path)
    token = begun(tmp_path / "games", spec)
    with Client(tmp_path / "games") as client:
        assert client.call("GET", "/api/seat", token=token).status == 410
        assert [each for each in client.said if "runs the code of" in each and "add --agents" in each]
    assert not mark.exists()
    with Client(tmp_path / "games", [*AGENTS, (spec, "a plug-in")]) as client:
        assert client.call("GET", "/api/seat", token=token).status == 200


def test_a_finished_game_is_shown_and_continues_without_its_agent(tmp_path: Path) -> None:
    """The file of a finished game names a language model. The game is shown; what continues it asks nobody."""
    with Client(tmp_path / "games") as client:
        answer = client.call("POST", "/api/games", {"seats": [{"agent": "random"}] * 2, "options": {}})
        token = answer.json["watch"]
        assert client.asked(token)["scene"]["over"]
    with serving(first_legal) as endpoint:
        reseated(tmp_path / "games", token, f"llm:model=m,url={endpoint.url}")
        with Client(tmp_path / "games") as later:
            assert later.view(token)["scene"]["over"]
            branch = later.call("POST", "/api/seat/branch", {"step": 3, "seat": 0}, token)
            assert branch.status == 201, branch
            assert later.asked(branch.json["token"])["question"] is not None
            assert [each for each in later.said if "asks a language model" in each]
        assert endpoint.requests == []


def test_the_file_alone_makes_no_agent(tmp_path: Path) -> None:
    spec, mark = plug_in(tmp_path)
    token = begun(tmp_path / "games", spec)
    Storage(tmp_path / "games", "bloodrage").load(token.partition(".")[0])
    assert not mark.exists()
