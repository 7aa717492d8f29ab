"""The page of a replay: its data leads to the scenes of the engine, it is small, and refers to nothing outside."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bloodrage_env.cli import main
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import NONE
from bloodrage_env.games.bloodrage.notation import events, opening_events
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.render.changes import applied
from bloodrage_env.games.bloodrage.render.replay_page import page_data, replay_page
from bloodrage_env.games.bloodrage.render.scene import scene
from bloodrage_env.games.bloodrage.replay import Replay
from tests.random_play import keen_action

MAX_PAGE = 310_000


def played(seed: int, num_players: int = 4, first_game: bool = False) -> Replay:
    game = Recorder(Replay(seed, Options(num_players, first_game)))
    rng = np.random.default_rng(seed)
    while not engine.is_over(game.states, 0):
        game.apply(keen_action(game.states, rng))
    return game.replay()


@pytest.fixture(scope="module")
def replay() -> Replay:
    return played(7)


@pytest.fixture(scope="module")
def data(replay: Replay) -> Any:
    return embedded(replay_page(replay))


def embedded(page: str) -> Any:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert match
    return json.loads(match[1])


def test_the_data_lead_to_the_scenes_of_the_engine(replay: Replay, data: Any) -> None:
    shown = data["first"]
    for step, states in enumerate(replay.states()):
        assert shown == scene(states, 0, all_hands=True)
        if step < len(replay):
            shown = applied(shown, data["changes"][step])
    assert len(data["changes"]) == len(replay)
    assert data["actions"] == list(replay.actions)


def test_the_log_is_what_each_is_shown(replay: Replay, data: Any) -> None:
    def read(step: int, viewer: str) -> list[tuple[int, str]]:
        output = data["log"][step]
        rows = output if isinstance(output, list) else output[viewer]
        return [(kind, data["strings"][number]) for kind, number in rows]

    states = replay.start()
    for viewer, seat in (("all", None), ("none", NONE), ("0", 0), ("3", 3)):
        assert read(0, viewer) == [(int(event.kind), event.text) for event in opening_events(states, seat)]
    for step, action in enumerate(replay.actions, 1):
        for viewer, seat in (("all", None), ("none", NONE), ("1", 1)):
            assert read(step, viewer) == [(int(event.kind), event.text) for event in events(states, action, seat)]
        engine.apply(states, 0, action)


def test_moments_are_ages_and_battles(replay: Replay, data: Any) -> None:
    states = replay.start()
    found = [[0, "age", "Age 1"]]
    for step, action in enumerate(replay.actions, 1):
        age = int(states[0].age)
        lines = [event.text for event in events(states, action)]
        engine.apply(states, 0, action)
        found += [[step, "battle", line.split(":")[0]] for line in lines if re.match(r"battle of \w+: ", line)]
        found += [[step, "age", f"Age {states[0].age + 1}"]] * int(states[0].age > age)
    assert data["moments"] == [*found, [len(replay), "end", "the end"]]
    assert sum(kind == "battle" for _, kind, _ in found) > 3


@pytest.mark.parametrize(("seed", "num_players"), [(1, 4), (2, 4), (3, 3), (4, 2)])
def test_a_page_is_small_and_refers_to_nothing_outside(seed: int, num_players: int) -> None:
    page = replay_page(played(seed, num_players, seed == 2))
    assert len(page.encode()) < MAX_PAGE
    assert set(re.findall(r"https?://[^\s\"']*", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(src|srcset|action)=", page)
    assert not re.search(r"\b(fetch|import|XMLHttpRequest|WebSocket)\(|\burl\((?!#)", page)
    assert all(link.startswith("#") for link in re.findall(r'\bhref="([^"]*)"', page))
    assert "{{" not in page


def test_names_are_text() -> None:
    page = replay_page(Replay(1, Options(2)), "<b>&", ["</script><b>x", "y"])
    assert embedded(page)["agents"] == ["</script><b>x", "y"]
    assert "<title>&lt;b&gt;&amp;</title>" in page
    assert "<b>" not in page


def test_probabilities_are_kept_where_they_were_recorded() -> None:
    replay = played(4, 2)
    states = replay.start()
    legal = np.flatnonzero(states[0].mask).tolist()
    shares = {action: 1 / len(legal) for action in legal}
    shares[legal[1]] += 0.1
    data = page_data(replay.with_probabilities([shares] + [None] * (len(replay) - 1)))
    assert data["probabilities"][1:] == [None] * (len(replay) - 1)
    first = data["probabilities"][0]
    assert [action for action, _, _ in first] == [legal[1], legal[0], *legal[2:]]
    assert first[0][1] == round(1000 / len(legal) + 100)
    assert data["strings"][first[0][2]].startswith("keep ")
    with pytest.raises(UserError, match="3 agents for a game of 2 clans"):
        page_data(replay, agents=["a", "b", "c"])


def test_the_commands_write_the_same_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, one, other = (str(tmp_path / name) for name in ("game.brz", "one.html", "other.html"))
    assert main(["demo", "--quiet", "--players", "2", "--save", saved, "--html", one]) == 0
    assert main(["replay", saved, "--html", other]) == 0
    assert Path(one).read_bytes() == Path(other).read_bytes()
    assert f"wrote {one}: a page for the browser" in capsys.readouterr().err
    assert main(["replay", saved, "--html", str(tmp_path / "no" / "page.html")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
