"""Tables of agents alone, which somebody watches."""

import asyncio
import json
import random

import pytest

pytest.importorskip("starlette")

from serve_client import Client, play

from bloodrage_env.core.shown.table_page import WATCHER
from bloodrage_env.errors import UnavailableError
from bloodrage_env.games.bloodrage.notation import opening_events
from bloodrage_env.serve.table import Table

SEATS = [{"agent": "random"}] * 3


def begin(client, first_game=True):
    answer = client.call("POST", "/api/games", {"seats": SEATS, "options": {"first_game": first_game}})
    assert answer.status == 201
    assert answer.json["tokens"] == [None] * 3
    return answer.json["watch"]


def pace(client, token, milliseconds, paused=False):
    return client.call("POST", "/api/seat/pace", {"milliseconds": milliseconds, "paused": paused}, token)


def played(client, token):
    client.loop.run_until_complete(asyncio.wait([client.table(token)._driver]))
    return client.view(token)


def test_agents_play_to_the_end_and_it_can_be_watched(client):
    token = begin(client)
    view = client.view(token)
    assert view["seat"] == WATCHER
    assert view["question"] is view["quests"] is None
    view = played(client, token)
    assert view["scene"]["over"]
    found = [text for entry in view["log"] for kind, text in entry["lines"]]
    start = client.game(token).replay().start()
    assert found[: len(list(opening_events(start, None)))] == [event.text for event in opening_events(start, None)]
    assert client.call("GET", "/api/seat/replay", token=token).status == 200


def test_who_watches_has_no_part_in_the_game(client):
    token = begin(client)
    assert pace(client, token, 0, paused=True).status == 200
    view = client.view(token)
    assert view["turn"] == {"held": None, "undo": [], "revealed": False, "number": None}
    number = client.game(token).number
    for answer in (
        client.answer(token, number, 0),
        client.undo(token, number, number),
        client.end(token, number),
        client.hint(token, number),
        client.allow(token),
    ):
        assert answer.status == 409, answer
    assert client.view(token) == view


def test_a_pause_lasts_until_it_goes_on(client):
    token = begin(client)
    assert pace(client, token, 0, paused=True).status == 200
    before = client.game(token).number
    client.loop.run_until_complete(asyncio.sleep(0.2))
    assert client.game(token).number == before
    assert pace(client, token, 0).status == 200
    assert played(client, token)["scene"]["over"]


def test_an_agent_that_can_not_be_asked_in_a_pause_is_asked_again(client, monkeypatch):
    asked = asyncio.Event()

    async def unavailable(*_arguments):
        await asked.wait()
        raise UnavailableError("it does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(Table, "_answered", unavailable)
        token = begin(client)
        assert pace(client, token, 0, paused=True).status == 200
        asked.set()
        client.loop.run_until_complete(asyncio.sleep(0.1))
    assert client.view(token)["unavailable"]
    assert client.call("POST", "/api/seat/agent", {"again": True}, token).status == 200
    assert pace(client, token, 0).status == 200
    assert played(client, token)["scene"]["over"]


@pytest.mark.parametrize("milliseconds", [-1, 10_001])
def test_a_pace_that_is_refused(client, milliseconds):
    assert pace(client, begin(client), milliseconds).status == 422


@pytest.mark.parametrize("milliseconds", [0, 10_000])
def test_a_pace_that_is_set(client, milliseconds):
    token = begin(client)
    assert pace(client, token, milliseconds, paused=True).status == 200
    assert client.table(token)._pace == milliseconds / 1000


def test_nobody_sets_the_pace_where_people_play(client):
    (token, _) = client.new_game(None, "random")
    assert pace(client, token, 5).status == 409


def test_it_goes_on_after_a_restart(client):
    token = begin(client)
    assert pace(client, token, 0, paused=True).status == 200
    before = client.view(token)
    client.loop.run_until_complete(client.tables.close())
    with Client(client.folder) as later:
        assert later.call("GET", "/api/seat", token=token).status == 200
        view = played(later, token)
        assert view["scene"]["over"]
        assert view["log"][: len(before["log"])] == before["log"]


def test_play_goes_on_from_a_step_of_it(client):
    token = begin(client)
    played(client, token)
    answer = client.call("POST", "/api/seat/branch", {"step": 5, "seat": 1}, token)
    assert answer.status == 201
    view = client.asked(answer.json["token"])
    assert [each["person"] for each in view["players"]] == [None, "", None]


def test_who_watches_sees_all_hands_and_nobody_watches_people_without_a_link(client):
    token = begin(client, first_game=False)
    assert pace(client, token, 0, paused=True).status == 200
    s = client.game(token).states[0]
    for seat, clan in enumerate(client.view(token)["scene"]["clans"]):
        assert len(clan["private"]["hand"]) == s.hand_size[seat]
    players = [{"person": ""}, {"agent": "random"}]
    assert client.call("POST", "/api/games", {"seats": players, "options": {}}).json["watch"] is None


def chances(client, token):
    return client.call("GET", "/api/seat/chances", token=token)


def test_the_chances_of_agents_are_shown_to_who_watches_them(client):
    token = begin(client, first_game=False)
    assert pace(client, token, 0, paused=True).status == 200
    during = chances(client, token).json
    assert during["number"] == client.game(token).number
    assert sum(during["chances"]) == pytest.approx(1000, abs=3)
    assert all(0 < chance < 1000 for chance in during["chances"])
    pace(client, token, 0)
    view = played(client, token)
    glory = [clan["glory"] for clan in view["scene"]["clans"]]
    final = chances(client, token).json["chances"]
    assert [chance > 0 for chance in final] == [each == max(glory) for each in glory]


def test_nobody_is_shown_chances_from_all_hands_where_people_play(client):
    """A spectator may be one of them."""
    link, tokens = client.new_table("Ann", "Ben")
    for token in (link, *tokens):
        answer = chances(client, token)
        assert answer.status == 403
        assert len(answer.json["error"].splitlines()) == 1
    assert chances(client, "0" * 16 + ".x").status == 401


def shown(client, token, *paths):
    return [client.call("GET", f"/api/seat/{path}", token=token) for path in paths]


def test_who_watches_people_sees_all_hands_with_chances_once_the_game_is_over(client):
    """Until then it is refused the same whatever is hidden, in the last phase too."""
    link, tokens = client.new_table("Ann", "Ben", "Cid")
    paths = ("game", "replay", "review", "talk")
    refused = shown(client, link, *paths)
    assert [answer.status for answer in refused] == [409] * len(paths)
    while not client.game(link).over:
        assert shown(client, link, *paths) == refused
        play(client, tokens, random.Random(client.game(link).number), 20)
    game, (answer,) = client.game(link), shown(client, link, "game")
    assert answer.status == 200
    data = answer.json
    assert [len(clan["private"]["hand"]) for clan in data["first"]["clans"]] == game.replay().start()[
        0
    ].hand_size.tolist()[:3]
    assert len(data["course"]) == len(data["changes"]) + 1 == game.number + 1
    assert all(sum(each) == pytest.approx(1000, abs=2) for each in data["course"])
    scores = game.rules.play.scores(game.states, 0).tolist()
    assert [chance > 0 for chance in data["course"][-1]] == [score == max(scores) for score in scores]
    assert shown(client, tokens[0], "game") == [answer]


def test_a_file_of_a_game_to_which_nobody_can_come_is_refused(client):
    """Of agents alone that nobody can watch, or with free seats and no link to take them with."""
    seats = [{"person": "Ann"}, {"visitor": True}]
    table = client.call("POST", "/api/games", {"seats": seats, "options": {}}).json["watch"]
    for token in (begin(client), table):
        game_id = token.partition(".")[0]
        path = client.folder / f"{game_id}.json"
        content = json.loads(path.read_text())
        path.write_text(json.dumps(content | {"watcher": None}))
        with Client(client.folder) as later:
            assert later.call("GET", "/api/seat", token=token).status == 410
            assert "nobody can come to this table" in later.said[0]
