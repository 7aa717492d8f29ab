"""The server of games: bad, late, repeated and foreign requests get a clear answer and change nothing."""

import hashlib
import random
import types

import numpy as np
import pytest

pytest.importorskip("starlette")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serve_client import acting, play

from bloodrage_env import games
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS
from bloodrage_env.serve.app import _wait
from bloodrage_env.serve.guard import MAX_HEADERS, Guard

# ---- bad, late, repeated and foreign requests


def unchanged(client, token):
    game = client.game(token)
    return game.number, game.version, hashlib.sha256(game.states.tobytes()).hexdigest()


def test_late_and_repeated_answers_change_nothing(client):
    (token, _) = client.new_game(None, "random")
    question = client.asked(token)["question"]
    action = question["choices"][0]["action"]
    assert client.answer(token, question["number"], action).status == 200
    client.asked(token)
    before = unchanged(client, token)
    for _ in range(2):
        answer = client.answer(token, question["number"], action)
        assert answer.status == 409
        assert answer.json == {"error": "that question is answered already"}
    assert unchanged(client, token) == before


def test_who_is_not_asked_learns_nothing_of_the_number(client):
    one, two = client.new_game(None, None)
    while client.game(one).shown.at_once(client.game(one).states):  # both are asked
        play(client, (one, two), random.Random(1), 1)
    asked, other = (one, two) if client.view(one)["question"] else (two, one)
    number = client.view(asked)["question"]["number"]
    before = unchanged(client, one)
    answers = {client.answer(other, guess, 30).body for guess in (number - 1, number, number + 1)}
    assert answers == {b'{"error":"you are not asked now"}'}
    guesses = [(guess, to) for guess in (number - 1, number, number + 1) for to in (number - 1, number)]
    assert len({client.undo(other, *guess).body for guess in guesses}) == 1
    assert len({client.end(other, guess).body for guess, _ in guesses}) == 1
    assert unchanged(client, one) == before


def test_illegal_actions_are_refused(client):
    (token, _) = client.new_game(None, "random")
    question = client.asked(token)["question"]
    legal = {choice["action"] for choice in question["choices"]}
    before = unchanged(client, token)
    for action in [*(set(range(NUM_ACTIONS)) - legal), -1, NUM_ACTIONS, 10**30, -(10**30)]:
        assert client.answer(token, question["number"], action).status == 422
    assert unchanged(client, token) == before


@pytest.mark.parametrize("client", games.names(), indirect=True)
def test_no_row_of_answers_goes_on_to_another_seat(client):
    tokens, rng, tried = client.new_game(None, None), random.Random(3), 0
    game = client.game(tokens[0])
    while not game.over and tried < 60:
        seat = acting(game)
        if game.held is not None:
            game.end_turn(game.held, game.number_for(game.held))
            continue
        asked, number = game.asked(seat), game.number_for(seat)
        legal = np.flatnonzero(asked[0].mask).tolist()
        before = unchanged(client, tokens[0])
        for action in rng.sample(legal, min(3, len(legal))):
            states = game.rules.play.clone(asked, 0)
            game.rules.play.apply(states, 0, action)
            if states[0].seat != seat and not states[0].over:
                row = [action, int(np.flatnonzero(states[0].mask)[0])]
                assert client.answers(tokens[seat], number, row).status == 409
                tried += 1
        assert unchanged(client, tokens[0]) == before
        game.answer(seat, number, rng.choice(legal))
    assert tried > 20


BAD_BODIES = [
    (b"", 400),
    (b"{", 400),
    (b"\xff\xfe", 400),
    (b"[" * 4000, 400),
    (b"9" * 4090, 422),
    (b"x" * 5000, 413),
    ([], 422),
    (None, 415),
    ({"number": 0}, 422),
    ({"number": 0, "action": True}, 422),
    ({"number": 0, "action": "0"}, 422),
    ({"number": 0.0, "action": 0}, 422),
    ({"number": None, "action": 0}, 422),
    ({"number": 0, "action": 0, "seat": 1}, 422),
]


@pytest.mark.parametrize(("body", "status"), BAD_BODIES, ids=[str(body)[:40] for body, _ in BAD_BODIES])
def test_bad_bodies(client, body, status):
    (token, _) = client.new_game(None, "random")
    client.asked(token)
    before = unchanged(client, token)
    answer = client.call("POST", "/api/seat/answer", body, token)
    assert (answer.status, list(answer.json)) == (status, ["error"])
    assert unchanged(client, token) == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
SEATS = st.lists(st.fixed_dictionaries({}, optional={"person": JSON, "agent": JSON}) | JSON, max_size=5)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(["/api/seat/answer", "/api/seat/answers", "/api/seat/undo", "/api/seat/end", "/api/games"]),
    body=JSON
    | st.fixed_dictionaries({"number": JSON, "action": JSON})
    | st.fixed_dictionaries({"number": JSON, "actions": JSON})
    | st.fixed_dictionaries({"seats": SEATS, "options": JSON | st.fixed_dictionaries({"first_game": JSON})}),
)
def test_any_json_gets_a_clear_answer(client, path, body):
    if not client.tables._open:
        client.token = client.new_game(None, "random")[0]
        client.asked(client.token)
    before = unchanged(client, client.token)
    answer = client.call("POST", path, body, client.token)
    if answer.status == 201:
        assert path == "/api/games"
    else:
        assert 400 <= answer.status < 500
        assert answer.json["error"]
    assert unchanged(client, client.token) == before


@pytest.mark.parametrize("seats", [[], [{"person": ""}], [{"person": ""}] * 5, [{"agent": "random"}]])
def test_how_many_seats(client, seats):
    assert client.call("POST", "/api/games", {"seats": seats, "options": {"first_game": False}}).status == 422
    assert client.tables.storage.ids() == []


@pytest.mark.parametrize("agent", ["", "nobody", "human", "/etc/passwd:X", "os:path", "random:", 7, None])
def test_only_agents_on_offer_can_be_had(client, agent):
    """A spec may name any file of Python to run."""
    seats = [{"person": ""}, {"agent": agent}]
    assert client.call("POST", "/api/games", {"seats": seats, "options": {"first_game": False}}).status == 422


@pytest.mark.parametrize("options", [{"first_game": 1}, {"first_game": None}, {"weather": "snow"}, [], None])
def test_other_options_are_refused(client, options):
    answer = client.call("POST", "/api/games", {"seats": [{"person": ""}] * 2, "options": options})
    assert answer.status == 422
    assert "\n" not in answer.json["error"]


def test_the_seats_and_that_forced_questions_are_asked_are_no_options(client):
    """A question that is skipped would reveal a hand."""
    (token, _) = client.new_game(None, "random", num_players=4, skip_forced=True)
    options = client.game(token).options
    assert (options.num_players, options.skip_forced) == (2, False)


@pytest.mark.parametrize("name", ["x" * 25, "a\nb", "\x1b[2J", "\u202e", 5])
def test_names(client, name):
    assert client.call("POST", "/api/games", {"seats": [{"person": name}] * 2, "options": {}}).status == 422


@pytest.mark.parametrize("token", [None, "", "x", "a.b", "../../x.y", "0" * 16, "0" * 16 + ".x", "x" * 5000, "é"])
def test_tokens_of_nobody(client, token):
    client.new_game(None, "random")
    for method, path in [
        ("GET", "seat"),
        ("POST", "seat/answer"),
        ("POST", "seat/undo"),
        ("POST", "seat/end"),
        ("GET", "seat/replay"),
    ]:
        body = {"number": 0, "action": 0} if method == "POST" else None
        answer = client.call(method, f"/api/{path}", body, token)
        assert answer.status == 401
        assert answer.json == {"error": "this link belongs to no game here"}


def test_a_token_opens_its_own_game_alone(client):
    one, other = client.new_game(None, "random")[0], client.new_game(None, "random")[0]
    mixed = one.partition(".")[0] + "." + other.partition(".")[2]
    assert client.call("GET", "/api/seat", token=mixed).status == 401
    files = b"".join(path.read_bytes() for path in client.folder.iterdir())
    assert one.partition(".")[2].encode() not in files


def test_the_replay_is_for_later(client):
    (token, _) = client.new_game(None, "random")
    answer = client.call("GET", "/api/seat/replay", token=token)
    assert answer.status == 409
    assert "when the game is over" in answer.json["error"]


def test_unknown_paths_and_methods(client):
    for method, path, status in [
        ("GET", "/nothing", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/board/..%2fscene.py", 404),
        ("DELETE", "/api/seat", 405),
        ("GET", "/api/games", 405),
    ]:
        answer = client.call(method, path)
        assert answer.status == status
        assert answer.json["error"]


def test_who_waits_too_often_is_turned_away(client):
    (token, _) = client.new_game(None, "random")
    client.asked(token)
    client.table(token)._waiting[0] = 16
    assert client.call("GET", "/api/seat", token=token, if_none_match="x", prefer="wait=5").status == 429


# ---- other pages, other names


@pytest.mark.parametrize(
    ("host", "good"),
    [
        ("localhost", True),
        ("localhost:8017", True),
        ("LOCALHOST:1", True),
        ("127.0.0.1:8017", True),
        ("[::1]:8017", True),
        ("evil.example", False),
        ("evil.example:8017", False),
        ("localhost.evil.example", False),
        ("192.168.1.5", False),
        ("", False),
        ("[", False),
        ("localhost:", False),
        ("localhost:65536", False),
        ("localhost/x", False),
        ("a@localhost", False),
        ("[127.0.0.1]", False),
        ("[::1%lo]", False),
        (f"[::1%{'a' * 4000}]", False),
    ],
)
def test_hosts(client, host, good):
    assert client.call("GET", "/", host=host).status == (200 if good else 403)


def test_hosts_where_others_may_come():
    guard = Guard(None, ["box"], open_to_others=True)
    assert guard.is_own("192.168.1.5:8017")
    assert guard.is_own("BOX:1")
    assert not guard.is_own("evil.example")


def test_requests_that_name_several_hosts_or_origins():
    """Also where all of them are this server: who reads another one than is checked here would be misled."""
    guard, host, origin = Guard(None), (b"host", b"localhost"), (b"origin", b"http://localhost")
    for headers, good in [
        ([host], True),
        ([host, host], False),
        ([], False),
        ([host, origin], True),
        ([host, origin, origin], False),
    ]:
        assert (guard.stranger({"method": "POST", "headers": headers}) is None) == good, headers


@pytest.mark.parametrize("lines", [1, 300])
def test_the_bytes_between_names_and_values_count(lines):
    """As many bytes as are allowed, and one more."""
    headers = [(b"host", b"localhost"), *[(b"a", b"b")] * lines]
    scope = {"method": "GET", "query_string": b"", "headers": headers}
    left = MAX_HEADERS - sum(len(name) + len(value) + 4 for name, value in headers) - 4
    assert Guard(None).fault(scope | {"raw_path": b"x" * left}) is None
    assert Guard(None).fault(scope | {"raw_path": b"x" * (left + 1)})[0] == 431


@pytest.mark.parametrize(
    ("prefer", "seconds"),
    [("wait=7", 7), ("wait=25", 25), ("wait=26", 25), ("wait=9999", 25), ("wait=10000", 0), ("wait=-1", 0), ("x", 0)],
)
def test_how_long_a_request_waits(prefer, seconds):
    assert _wait(types.SimpleNamespace(headers={"prefer": prefer})) == seconds


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://localhost"},
        {"origin": "http://localhost:99"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"host": "evil.example"},
        {"host": None},
    ],
)
def test_requests_from_other_pages_change_nothing(client, headers):
    (token, _) = client.new_game(None, "random")
    question = client.asked(token)["question"]
    before = unchanged(client, token)
    body = {"number": question["number"], "action": question["choices"][0]["action"]}
    answer = client.call("POST", "/api/seat/answer", body, token, **headers)
    assert answer.status == 403
    assert client.call("POST", "/api/games", {"seats": [], "options": {"first_game": False}}, **headers).status == 403
    assert unchanged(client, token) == before


def test_forms_of_other_pages_change_nothing(client):
    """A form can't send application/json; a browser asks before it sends that to another server."""
    (token, _) = client.new_game(None, "random")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert client.call("POST", "/api/games", {"seats": []}, token, content_type=kind).status == 415


def test_headers_of_every_answer(client):
    for method, path, host in [
        ("GET", "/", None),
        ("GET", "/play", None),
        ("GET", "/game/play.js", None),
        ("GET", "/api/seat", None),
        ("GET", "/nothing", None),
        ("GET", "/", "evil.example"),
    ]:
        headers = client.call(method, path, host=host or "localhost").headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_pages_have_no_inline_scripts_or_styles(client):
    for path in ("/", "/play"):
        page = client.call("GET", path).body.decode()
        assert "<style" not in page
        assert " style=" not in page
        assert page.count("<script") == page.count('<script type="module" src=')
