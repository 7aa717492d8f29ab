"""The server of games: who may ask what, what changes, what stays; bad, late, repeated and foreign requests."""

import hashlib
import random
import sys

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serve_client import Client

from bloodrage_env.cli import main
from bloodrage_env.replay import Replay
from bloodrage_env.serve.guard import Guard
from bloodrage_env.serve.storage import Storage


@pytest.fixture
def client(tmp_path):
    with Client(tmp_path / "games") as client:
        yield client


def play(client, tokens, rng, decisions=10**6, keen=False):
    """Random answers of all people, to the end or for so many decisions; returns how many."""
    done = 0
    people = [token for token in tokens if token]
    while done < decisions:
        views = [client.view(token) for token in people]
        if views[0]["scene"]["over"]:
            return done
        asked = [(token, view) for token, view in zip(people, views, strict=True) if view["question"]]
        if not asked:
            client.asked(people[0])
            continue
        token, view = asked[0]
        choices = view["question"]["choices"]
        if keen and len(choices) > 1:
            choices = [choice for choice in choices if choice["name"] != "PASS"]
        assert client.answer(token, view["question"]["number"], rng.choice(choices)["action"]).status == 200
        done += 1
    return done


# ---- a game


def test_a_whole_game_of_one_person_and_agents(client):
    tokens = client.new_game("random", None, "random")
    assert [token is None for token in tokens] == [True, False, True]
    play(client, tokens, random.Random(1))
    view = client.view(tokens[1])
    assert view["scene"]["over"]
    assert view["question"] is None
    assert [sum(row) for row in view["glory"]] == [clan["glory"] for clan in view["scene"]["clans"]]
    answer = client.call("GET", "/api/seat/replay", token=tokens[1])
    assert answer.headers["content-disposition"].endswith('.brz"')
    assert Replay.from_bytes(answer.body).verify()[0].over


def test_two_people_see_each_others_moves_and_not_their_cards(client):
    one, two = client.new_game(None, None, first_game=True)
    for seat, token in enumerate((one, two)):
        clans = client.view(token)["scene"]["clans"]
        assert len(clans[seat]["private"]["hand"]) == 8
        assert clans[1 - seat]["private"] is None
    first = one if client.view(one)["question"] else two
    other = two if first == one else one
    tag = client.call("GET", "/api/seat", token=other).headers["etag"]
    question = client.view(first)["question"]
    assert client.answer(first, question["number"], question["choices"][-1]["action"]).status == 200
    news = client.call("GET", "/api/seat", token=other, if_none_match=tag)
    assert news.status == 200
    assert question["choices"][-1]["text"] in news.json["log"][-1]["lines"][0][1]


def test_who_waits_is_told_of_news(client):
    (token, _) = client.new_game(None, "random")
    answer = client.call("GET", "/api/seat", token=token)
    same = client.call("GET", "/api/seat", token=token, if_none_match=answer.headers["etag"])
    assert same.status in (200, 304)  # the agent may have played meanwhile
    client.asked(token)
    answer = client.call("GET", "/api/seat", token=token)
    same = client.call("GET", "/api/seat", token=token, if_none_match=answer.headers["etag"], prefer="wait=0")
    assert (same.status, same.body) == (304, b"")
    old = client.call("GET", "/api/seat", token=token, if_none_match='"old"', prefer="wait=20")
    assert (old.status, old.body) == (200, answer.body)


def test_what_a_choice_says_and_touches(client):
    (token, _) = client.new_game(None, "random", first_game=True)
    question = client.asked(token)["question"]
    invades = [choice for choice in question["choices"] if choice["group"] == "invade with the leader (free)"]
    assert invades
    assert all(choice["place"] is not None and choice["kind"] == 0 and choice["target"] for choice in invades)
    assert [choice["text"] for choice in question["choices"] if choice["name"] == "PASS"] == ["pass"]


def test_forced_questions_of_the_only_person_are_answered_for_them(client):
    tokens = client.new_game(None, "random")
    rng = random.Random(5)
    while not (view := client.asked(tokens[0]))["scene"]["over"]:
        assert len(view["question"]["choices"]) > 1
        action = rng.choice(view["question"]["choices"])["action"]
        assert client.answer(tokens[0], view["question"]["number"], action).status == 200


def test_questions_about_a_hand_are_asked_of_several_people_though_forced(client):
    """Else an answer that comes at once would tell what is not in the hand."""
    forced = set()
    for game in range(4):
        tokens = client.new_game(None, None)
        rng = random.Random(game)
        while not client.view(tokens[0])["scene"]["over"]:
            token, view = next((t, v) for t in tokens if (v := client.view(t))["question"])
            if len(view["question"]["choices"]) == 1:
                forced.add(view["scene"]["question"]["decision"])
            action = rng.choice(view["question"]["choices"])["action"]
            client.answer(token, view["question"]["number"], action)
    assert forced
    assert forced <= {"DRAFT", "BATTLE_CARD", "LATE_CARD", "KEEP_CARD", "ACTION"}


# ---- taking back


def find_march(client, token):
    """Play on until a march can be begun; its view and action."""
    while True:
        view = client.asked(token)
        choices = view["question"]["choices"]
        marches = [choice for choice in choices if choice["origin"] is not None]
        if marches:
            return view, marches[0]["action"]
        leaders = [choice for choice in choices if choice["kind"] == 0 and choice["place"] is not None]
        chosen = (leaders or choices)[0]
        client.answer(token, view["question"]["number"], chosen["action"])


def test_a_choice_within_a_move_can_be_taken_back(client):
    (token, _) = client.new_game(None, "random", first_game=True)
    for _ in range(2):  # a warrior beside the leader, so that the march asks something
        view = client.asked(token)
        invade = next(c for c in view["question"]["choices"] if c["kind"] in (0, 1) and c["place"] == free_place(view))
        client.answer(token, view["question"]["number"], invade["action"])
    view, march = find_march(client, token)
    before = client.game(token).number
    client.answer(token, before, march)
    during = client.view(token)
    assert during["question"]["undo"]
    assert len(during["log"]) == len(view["log"]) + 1
    assert client.undo(token, during["question"]["number"]).status == 200
    assert client.view(token) == view
    assert client.undo(token, before).status == 409
    assert client.view(token) == view


def free_place(view):
    return next(
        p
        for p, entry in enumerate(view["scene"]["places"][:8])
        if not entry["destroyed"]
        and p in {choice["place"] for choice in view["question"]["choices"]}
        and len(entry["figures"]) < 3
    )


def test_nothing_is_taken_back_once_others_have_acted(client):
    (token, _) = client.new_game(None, "random", first_game=True)
    view = client.asked(token)
    pass_on = view["question"]["choices"][0]
    client.answer(token, view["question"]["number"], pass_on["action"])
    later = client.asked(token)
    assert not later["question"]["undo"]
    answer = client.undo(token, later["question"]["number"])
    assert (answer.status, client.view(token)) == (409, later)


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
    asked, other = (one, two) if client.view(one)["question"] else (two, one)
    number = client.view(asked)["question"]["number"]
    before = unchanged(client, one)
    answers = {client.answer(other, guess, 30).body for guess in (number - 1, number, number + 1)}
    answers |= {client.undo(other, guess).body for guess in (number - 1, number, number + 1)}
    assert answers == {b'{"error":"you are not asked now"}'}
    assert unchanged(client, one) == before


def test_illegal_actions_are_refused(client):
    (token, _) = client.new_game(None, "random")
    question = client.asked(token)["question"]
    legal = {choice["action"] for choice in question["choices"]}
    before = unchanged(client, token)
    for action in [*(set(range(261)) - legal), -1, 261, 10**30, -(10**30)]:
        assert client.answer(token, question["number"], action).status == 422
    assert unchanged(client, token) == before


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


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(["/api/seat/answer", "/api/seat/undo", "/api/games"]),
    body=JSON
    | st.fixed_dictionaries({"number": JSON, "action": JSON})
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


@pytest.mark.parametrize("seats", [[], [{"person": ""}], [{"person": ""}] * 5, [{"agent": "random"}] * 2])
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


@pytest.mark.parametrize("name", ["x" * 25, "a\nb", "\x1b[2J", "\u202e", 5])
def test_names(client, name):
    assert client.call("POST", "/api/games", {"seats": [{"person": name}] * 2, "options": {}}).status == 422


@pytest.mark.parametrize("token", [None, "", "x", "a.b", "../../x.y", "0" * 16, "0" * 16 + ".x", "x" * 5000, "é"])
def test_tokens_of_nobody(client, token):
    client.new_game(None, "random")
    for method, path in [("GET", "seat"), ("POST", "seat/answer"), ("POST", "seat/undo"), ("GET", "seat/replay")]:
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
    client.table(token)._waiting = 16
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
    ],
)
def test_hosts(client, host, good):
    assert client.call("GET", "/", host=host).status == (200 if good else 403)


def test_hosts_where_others_may_come():
    guard = Guard(None, ["box"], open_to_others=True)
    assert guard.is_own("192.168.1.5:8017")
    assert guard.is_own("BOX:1")
    assert not guard.is_own("evil.example")


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
        ("GET", "/static/play.js", None),
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


# ---- a restart


def test_games_survive_a_restart(client):
    tokens = client.new_game(None, "random", None)
    play(client, tokens, random.Random(8), 40)
    people = [tokens[0], tokens[2]]
    client.asked(people[0])
    views = [client.view(token) for token in people]
    with Client(client.folder) as later:
        for token, view in zip(people, views, strict=True):
            restored = later.view(token)
            restored["question"] = restored["question"] and {**restored["question"], "undo": view["question"]["undo"]}
            assert restored == view
        play(later, tokens, random.Random(9))
        assert later.view(people[0])["scene"]["over"]


def test_damaged_games_are_said_to_be(client):
    (token, _) = client.new_game(None, "random")
    client.asked(token)
    game_id = token.partition(".")[0]
    for name, content in [
        (f"{game_id}.json", b"{}"),
        (f"{game_id}.json", b'{"format":1,"seats":[{}, 3]}'),
        (f"{game_id}.brz", b"nonsense"),
    ]:
        path = client.folder / name
        kept = path.read_bytes()
        path.write_bytes(content)
        with Client(client.folder) as later:
            answer = later.call("GET", "/api/seat", token=token)
            assert answer.status == 410
            assert later.said
        path.write_bytes(kept)


def test_a_folder_that_can_not_be_written_stops_no_game(client, monkeypatch):
    (token, _) = client.new_game(None, "random")
    question = client.asked(token)["question"]

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Storage, "save", full)
    assert client.answer(token, question["number"], question["choices"][0]["action"]).status == 200
    assert "No space left" in client.said[-1]
    assert client.call("POST", "/api/games", {"seats": [{"person": ""}] * 2, "options": {}}).status == 507


def test_the_folder_is_not_filled(client, monkeypatch):
    monkeypatch.setattr("bloodrage_env.serve.tables.MAX_GAMES", 2)
    client.new_game(None, None)
    client.new_game(None, None)
    assert client.call("POST", "/api/games", {"seats": [{"person": ""}] * 2, "options": {}}).status == 507


# ---- agents


def test_an_agent_that_fails_is_replaced_and_everybody_told(client, monkeypatch):
    from bloodrage_env.errors import UserError
    from bloodrage_env.serve import tables

    real = tables.opponent

    def failing(spec, *rest):
        if spec == "broken":
            raise UserError("Bear (broken) can't play: it is broken.")
        return real(spec, *rest)

    monkeypatch.setattr(tables, "opponent", failing)
    client.tables.agents = ("broken",)
    (token, _) = client.new_game(None, "broken")
    play(client, [token], random.Random(3), 20)
    notes = [text for entry in client.view(token)["log"] for kind, text in entry["lines"] if kind == "note"]
    assert notes == ["Bear (broken) can't play: it is broken. Random moves from here on."]


def test_ten_games_at_once(client):
    tokens = [client.new_game("random", None, "random", "random")[1] for _ in range(10)]
    rng = random.Random(4)
    for token in tokens * 3:
        question = client.asked(token)["question"]
        assert client.answer(token, question["number"], rng.choice(question["choices"])["action"]).status == 200


# ---- the command


def test_a_port_that_is_taken(capsys, tmp_path):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--agents", "random", "--games", str(tmp_path)]) == 1
    said = f"bloodrage serve: can't listen at 127.0.0.1 port {port}: Address already in use\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("agents", ["nobody", "human", "missing.py:Agent"])
def test_agents_that_there_are_not(capsys, tmp_path, agents):
    assert main(["serve", "--agents", agents, "--games", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith("bloodrage serve: ")
    assert err.count("\n") == 1


def test_a_missing_extra_is_said_in_a_line(capsys, monkeypatch, tmp_path):
    import builtins

    real = builtins.__import__

    def missing(name, *rest):
        if name == "uvicorn":
            raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "bloodrage_env.serve.connections", raising=False)
    monkeypatch.setattr(builtins, "__import__", missing)
    assert main(["serve", "--games", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "bloodrage serve: uvicorn is missing: pip install 'bloodrage[web]'\n"
