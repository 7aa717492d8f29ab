"""Hints and reviews of Berserk: they come from what the seat knows, and have the words of the game."""

import random

import numpy as np
import pytest

pytest.importorskip("starlette")

from berserk_position import FIRST, SECOND, Position
from serve_client import Client

from bloodrage_agents.analysis import Analyst
from bloodrage_agents.base import View
from bloodrage_agents.games.berserk.study import TERMS, WORDS, dealt, suffered
from bloodrage_agents.review import Reviewer
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import LIFE, Decision
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.render.replay_page import page_data, replay_page
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.study import Study
from bloodrage_env.terminal.study_text import study_lines

SIMULATIONS = 30


@pytest.fixture(scope="module")
def analyst():
    return Analyst(TERMS)


def questions(seeds):
    """Open questions of random games: (states, seat)."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        states = GAME.new_game(seed, Options(skip_forced=False, max_turns=8))
        while not states[0].over:
            legal = np.flatnonzero(states[0].mask)
            if len(legal) > 1 and rng.random() < 0.06:
                yield states, int(states[0].seat)
            GAME.play.apply(states, 0, int(rng.choice(legal[1:4] if len(legal) > 2 else legal)))


def everything(analyst, states, seat):
    view = View.of(states, 0, seat, "berserk")
    actions = np.flatnonzero(states[0].mask)[:2].tolist()
    return (
        analyst.analyse(view, 5, SIMULATIONS),
        analyst.compare(view, actions, 5, 6).tolist(),
        analyst.outlook(view, actions, 5, 6).scores.tolist(),
    )


def test_it_is_the_same_in_games_that_the_seat_cannot_tell_apart(analyst):
    """rules 9.4: squads, face-down cards and coming rolls dealt otherwise change nothing."""
    kinds, others = set(), 0
    for number, (states, seat) in enumerate(questions(range(4))):
        other = engine.redeal(states, 0, seat, number)
        others += other.tobytes() != states.tobytes()
        assert everything(analyst, states, seat) == everything(analyst, other, seat)
        kinds.add(int(states[0].decision))
    assert others > 10
    assert {Decision.BUY, Decision.MAIN} <= kinds


def test_life_is_counted_by_sides():
    """Wounds, and the whole life of the dead."""
    p = Position()
    a = p.put(FIRST, "Nomad", 12, wounds=2)
    p.put(SECOND, "Zvar", 17, wounds=3)
    dead = p.bury(SECOND, "Minotaur")
    whole = int(LIFE[p.s.card[dead]])
    assert (suffered(p.states, FIRST)[0], dealt(p.states, FIRST)[0]) == (p.s.wounds[a], 3 + whole)
    assert (suffered(p.states, SECOND)[0], dealt(p.states, SECOND)[0]) == (3 + whole, 2)


@pytest.fixture(scope="module")
def replay():
    recorder = Recorder(Replay(4, Options(setup="fixed", skip_forced=False, max_turns=4), players=("one", "two")))
    rng = np.random.default_rng(1)
    while not recorder.states[0].over:
        recorder.apply(int(rng.choice(np.flatnonzero(recorder.states[0].mask))))
    return recorder.replay()


@pytest.fixture(scope="module")
def study(analyst, replay):
    reviewer = Reviewer(analyst, replay, 8)
    return Study(list(reviewer.decisions()), reviewer.result())


def test_a_review_is_of_each_decision(replay, study):
    assert len(study.decisions) == len(replay)
    assert sum(study.result) == pytest.approx(1)
    assert any(judged.costly for judged in study.decisions)  # random answers
    data = page_data(replay, "A game", study=study)["study"]
    assert len(data["course"]) == len(replay) + 1
    assert all(sum(row) == pytest.approx(1000, abs=2) for row in data["course"])
    assert "searched" not in replay_page(replay, "A game").partition('id="data"')[2].partition("</script>")[0]


def test_the_terminal_names_players_and_turns(replay, study):
    lines = list(study_lines(WORDS, replay, study))
    assert [line.split("  ")[1].strip()[:8] for line in lines[1:3]] == ["Player A", "Player B"]
    costly = next(judged for judged in study.decisions if judged.costly)
    turn = replay.at(costly.step)[0].turn
    assert any(line.startswith(f"{costly.step:5}  turn {turn}  Player ") for line in lines)
    assert "Turn 1: Player" in "\n".join(lines)


# ---- at the table


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.setattr("bloodrage_env.serve.studies.HINT_SIMULATIONS", 20)
    monkeypatch.setattr("bloodrage_env.serve.studies.REVIEW_SIMULATIONS", 4)
    with Client(tmp_path / "games", game="berserk") as client:
        yield client


def test_a_person_alone_gets_a_hint(client):
    assert client.call("GET", "/api/texts").json["studied"] is True
    (token, _) = client.new_game(None, "random", setup="fixed")
    view = client.asked(token)
    choices = {choice["action"]: choice["text"] for choice in view["question"]["choices"]}
    hint = client.hint(token, view["question"]["number"]).json
    assert {action: text for action, _, text in hint["network"]}.items() <= choices.items()
    assert hint["best"] == hint["search"][0][0]
    assert sum(hint["wins"]) == pytest.approx(1000, abs=2)
    assert hint["ahead"] == []


@pytest.mark.slow
def test_a_game_is_reviewed_and_played_on(client):
    token = "a" * 20
    seats = [Seat(person="", digest=digest_of(token)), Seat(agent="random")]
    game = Game(seats, 4, Options(setup="fixed", skip_forced=False, max_turns=1))
    rng = random.Random(4)
    while not game.over:
        game.play(rng.choice(np.flatnonzero(game.states[0].mask).tolist()))
    storage = Storage(client.folder, "berserk")
    game_id = storage.new_id()
    storage.create(game_id, game)
    token = f"{game_id}.{token}"
    assert client.call("GET", "/review").status == 200
    assert len(client.call("GET", "/api/seat/game", token=token).json["frames"]) == game.number + 1
    answer = {}
    while "decisions" not in answer:
        answer = client.call("GET", "/api/seat/review", token=token).json
    assert len(answer["decisions"]) == game.number
    made = client.call("POST", "/api/seat/branch", {"step": 3, "seat": 1}, token)
    assert made.status == 201
    assert client.view(made.json["token"])["seat"] == 1
