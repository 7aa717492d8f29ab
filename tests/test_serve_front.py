"""A server of all games: its start page, games that are loaded when they are asked for, and tables that it lists."""

import asyncio
import time

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.commands.serve import folder_of
from bloodrage_env.errors import UserError
from bloodrage_env.serve.front import Front, described, make_front
from bloodrage_env.serve.plain import page_of
from bloodrage_env.serve.seating import at_level
from bloodrage_env.serve.storage import Storage
from bloodrage_env.serve.tables import OPEN, Tables
from tests.serve_client import AGENTS, Client

NAMES = ("bloodrage", "berserk")


class AllGames(Client):
    """A client of two games; `loads` are the names of the games that were loaded, in order."""

    def __init__(self, folder, load=None):
        super().__init__(folder / "games")
        self.loads = []

        def load_one(name, own_folder):
            self.loads.append(name)
            if load is not None:
                load(name)
            return Tables(Storage(own_folder, name), [spec for spec, _ in AGENTS], 0.0, self.said.append), AGENTS

        self.tables = Front({name: folder / name for name in NAMES}, load_one)
        self.app = make_front(self.tables, ["localhost"], False, None)


@pytest.fixture
def front(tmp_path):
    with AllGames(tmp_path) as client:
        yield client


def test_a_game_is_loaded_when_it_is_asked_for(front):
    shown = front.call("GET", "/api/front").json
    assert [(each["name"], each["title"]) for each in shown["games"]] == [(n, games.spec(n).title) for n in NAMES]
    assert front.loads == []
    for _ in range(2):
        assert front.call("GET", "/berserk/api/texts").json["title"] == "Berserk"
    assert front.loads == ["berserk"]
    assert front.call("GET", "/bloodrage/").status == 200
    assert front.loads == ["berserk", "bloodrage"]
    assert front.call("GET", "/nothing/").status == 404


@pytest.mark.parametrize("game", games.all_names())
def test_the_start_page_knows_which_games_are_taught(game):
    assert described(game)["lessons"] == [lesson.title for lesson in page_of(game).lessons()]


def test_play_now(front):
    """The person has the first seat of a game with the usual options; the others are agents."""
    for game in NAMES:
        token = front.call("POST", f"/{game}/api/now", {"level": "Medium"}).json["token"]
        players = front.call("GET", f"/{game}/api/seat", token=token).json["players"]
        assert [player["agent"] for player in players] == [None, *["random"] * (len(players) - 1)]
        assert front.call("POST", f"/{game}/api/own", {"tokens": [token, "x.y"]}).json["stands"][1] is None
        assert front.call("POST", "/api/find", {"token": token}).json == {"game": game}
        link = front.call("GET", f"/{game}/api/seat/link", token=token).json["link"]
        assert link == f"http://localhost/{game}/play#{token}"
    assert front.call("POST", "/api/find", {"token": "0.0"}).status == 401


def test_levels_of_agents():
    levels = {"random": "Easy", "hold": "Medium", "network": "Hard"}
    assert at_level("Medium", list(levels), levels) == "hold"
    assert at_level("Strongest", list(levels), levels) == "network"
    assert at_level("Hard", ["hold", "random"], levels) == "hold"
    assert at_level("Easy", ["mine"], {}) == "mine"


def test_tables_for_anybody_are_listed(front, tmp_path):
    """They are listed with the names of their people, after a restart too; those with a link are not."""
    seats = [{"person": "Ada"}, {"visitor": "anybody"}, {"agent": "random"}]
    made = front.call("POST", "/bloodrage/api/games", {"seats": seats, "options": {}}).json
    closed = [{"person": "Bo"}, {"visitor": True}]
    assert front.call("POST", "/bloodrage/api/games", {"seats": closed, "options": {}}).status == 201
    (table,) = front.call("GET", "/api/front").json["tables"]
    token = table.pop("token")
    assert token == made["watch"] == f"{made['tokens'][0].partition('.')[0]}.{OPEN}"
    assert table == {"game": "bloodrage", "people": ["Ada"], "free": 1, "seats": 3}

    taken = front.call("POST", "/bloodrage/api/seat/claim", {"seat": 1, "name": "Cy"}, token)
    assert front.call("GET", "/bloodrage/api/seat", token=taken.json["token"]).json["seat"] == 1
    assert front.call("GET", "/api/front").json["tables"][0]["people"] == ["Ada", "Cy"]
    with AllGames(tmp_path) as again:
        assert again.call("GET", "/api/front").json["tables"] == []
        assert again.call("GET", "/bloodrage/api/texts").status == 200
        assert [each["token"] for each in again.call("GET", "/api/front").json["tables"]] == [token]


def test_how_a_game_stands(front):
    """Who looks at the start page is told whose turn it is, without counting as present at the table."""
    seats = [{"person": "Ada"}, {"visitor": "anybody"}]
    made = front.call("POST", "/berserk/api/games", {"seats": seats, "options": {"setup": "fixed"}}).json
    own = made["tokens"][0]
    views = front.call("GET", "/berserk/api/seat", token=own).json
    (table,) = front.tables.loaded["berserk"]._open.values()
    came = dict(table.presence._came)
    stands = front.call("POST", "/berserk/api/own", {"tokens": [own, made["watch"]]}).json["stands"]
    assert stands[0]["asked"] == (views["question"] is not None)
    assert [each["over"] for each in stands] == [False, False]
    assert not stands[1]["asked"]
    assert table.presence._came == came
    assert front.call("POST", "/berserk/api/own", {"tokens": [1]}).status == 422


def test_links_are_found_without_loading_a_game(front, tmp_path):
    """So a flood of requests for links costs a look at the folders each."""
    for token in ("0" * 16 + ".x", "../" * 5 + "x.y", "*.y", "", ".", "\0.x"):
        assert front.call("POST", "/api/find", {"token": token}).status == 401
    assert front.loads == []
    made = front.call("POST", "/berserk/api/now", {"level": "Easy"}).json["token"]
    with AllGames(tmp_path) as again:
        assert again.call("POST", "/api/find", {"token": made}).json == {"game": "berserk"}
        assert again.loads == []


def test_a_stored_game_is_loaded_for_its_own_secrets_alone(front, tmp_path, monkeypatch):
    token = front.call("POST", "/bloodrage/api/now", {"level": "Easy"}).json["token"]
    game_id = token.partition(".")[0]
    with AllGames(tmp_path) as again:
        again.call("GET", "/bloodrage/api/texts")
        tables = again.tables.loaded["bloodrage"]
        loaded, load = [], tables.storage.load
        monkeypatch.setattr(tables.storage, "load", lambda game_id: [loaded.append(game_id), load(game_id)][1])
        for secret in ("", "x", OPEN):
            assert again.call("GET", "/bloodrage/api/seat", token=f"{game_id}.{secret}").status == 401
        assert (loaded, tables._open) == ([], {})
        assert again.call("GET", "/bloodrage/api/seat", token=token).status == 200
        assert loaded == [game_id]


def test_a_game_whose_code_fails_as_it_is_loaded_is_tried_again(tmp_path, monkeypatch):
    faults = [ImportError("no decks")]

    def broken(name):
        if faults:
            raise faults.pop()

    with AllGames(tmp_path, broken) as client:
        monkeypatch.setattr("bloodrage_env.serve.front.REST", 0.1)
        for _ in range(3):
            with pytest.raises(ImportError, match="no decks"):
                client.call("GET", "/berserk/api/texts")
        client.loop.run_until_complete(asyncio.sleep(0.2))
        assert client.call("GET", "/berserk/api/texts").status == 200


def test_a_game_that_can_not_be_loaded(tmp_path, monkeypatch):
    """It is tried again after a rest, however many requests come meanwhile."""
    faults = [UserError("no decks")]

    def broken(name):
        if name == "berserk" and faults:
            raise faults.pop()

    with AllGames(tmp_path, broken) as client:
        monkeypatch.setattr("bloodrage_env.serve.front.REST", 0.5)
        for _ in range(5):
            answer = client.call("GET", "/berserk/api/texts")
            assert answer.status == 500
            assert answer.json["error"] == "Berserk can't be started: no decks"
        assert client.loads == ["berserk"]
        assert client.call("GET", "/bloodrage/api/texts").status == 200
        while client.call("GET", "/berserk/api/texts").status == 500:
            client.loop.run_until_complete(asyncio.sleep(0.05))
        assert client.loads == ["berserk", "bloodrage", "berserk"]


def test_a_game_that_is_being_prepared(tmp_path, monkeypatch):
    """A page says so and asks again; the game is loaded once."""
    monkeypatch.setattr("bloodrage_env.serve.front.MAX_WAIT", 0.01)
    with AllGames(tmp_path, lambda name: time.sleep(0.5)) as client:
        page = client.call("GET", "/bloodrage/", accept="text/html")
        assert (page.status, page.headers["refresh"]) == (503, "3")
        assert b"being prepared" in page.body
        answer = client.call("GET", "/bloodrage/api/texts")
        while answer.status == 503:
            answer = client.call("GET", "/bloodrage/api/texts")
        assert answer.status == 200
        assert client.loads == ["bloodrage"]


def test_folders_of_games(tmp_path, capsys):
    assert folder_of(str(tmp_path), "berserk", "berserk") == tmp_path
    assert folder_of(str(tmp_path), "berserk", None) == tmp_path / "berserk-games"
    (tmp_path / f"{'0' * 16}.json").touch()
    assert main(["serve", "--port", "0", "--games", str(tmp_path)]) == 1
    assert "has the games of one kind: name it with --game" in capsys.readouterr().err
    assert main(["serve", "--agents", "random"]) == 1
    assert capsys.readouterr().err == "bloodrage serve: --agents are those of one game: name it with --game\n"
