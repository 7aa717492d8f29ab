"""`bloodrage bench`: figures as JSON and as a table, the yardstick, peers."""

import json
import os
import subprocess
import sys
from dataclasses import fields

import pytest

from bloodrage_env import __version__, games
from bloodrage_env.cli import main
from bloodrage_env.commands import bench, measures, peers
from bloodrage_env.core.api.aims import Aims
from bloodrage_env.core.shown.lookup import MOST, find_titles
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.aims import AIMS

BLOODRAGE = games.game("bloodrage")


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(measures, "QUICK", measures.Effort(1, 2, 2))
    monkeypatch.setattr(measures, "BATCH", 8)
    monkeypatch.setattr(measures, "SHORTEST", 0.001)
    monkeypatch.setattr(measures, "_timed_start", lambda game, environment: 0.5)
    monkeypatch.setattr(bench, "_cores", lambda: 2)


def test_bench_as_json(capsys, short):
    assert main(["bench", "--json", "--quick", "--cold"]) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert set(result) == {"game", "machine", "figures", "peers"}
    assert len(result["figures"]) == 13 + len(AIMS.others)
    for figure in result["figures"]:
        assert figure["value"] > 0, figure
        assert (figure["ratio"] is None) == (figure["against"] != "one thread")
        assert (figure["met"] is None) == (figure["aim"] is None or figure["against"] == "spades")
    names = {figure["name"] for figure in result["figures"]}
    assert "engine alone, random play" in names
    assert "first start on a machine" in names
    assert "measuring AEC loop" in err


def test_bench_as_a_table(capsys, short):
    assert main(["bench", "--quick"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 12 + len(AIMS.others)
    assert all("decisions/s" in line or "seconds" in line or "bytes" in line for line in lines)
    assert next(line for line in lines if "state record" in line).endswith("ok")


def test_bench_of_agents(capsys, monkeypatch):
    monkeypatch.setattr(measures, "QUICK", measures.Effort(1, 10, 1))
    assert main(["bench", "--agents", "--quick", "--json"]) == 0
    figures = {each["name"]: each for each in json.loads(capsys.readouterr().out)["figures"]}
    assert figures["balanced, compiled"]["unit"] == figures["greedy, as an agent"]["unit"] == "games/min"
    assert figures["ismcts"]["unit"] == figures["flat"]["unit"] == "simulations/s"
    assert all(each["value"] > 0 for each in figures.values())


@pytest.mark.slow
@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_bench_of_the_learner(game, capsys, monkeypatch):
    monkeypatch.setattr(measures, "QUICK", measures.Effort(1, 10, 30))
    monkeypatch.setattr("bloodrage_training.learn.measures.GAMES", 12)
    assert main(["bench", "--game", game, "--train", "--quick", "--json"]) == 0
    figures = {each["name"].strip(): each for each in json.loads(capsys.readouterr().out)["figures"]}
    assert figures["training on cpu, one thread"]["unit"] == "decisions/s"
    assert figures["learning"]["unit"] == figures["inputs"]["unit"] == "microseconds a decision"
    assert figures["two threads"]["against"] == "one thread"
    assert all(each["value"] > 0 for each in figures.values())


def test_bench_sets_rates_beside_another_game(capsys, short, monkeypatch):
    for name in ("CLASSICS", "RLCARD"):
        monkeypatch.setattr(peers, name, {})
    monkeypatch.setattr(peers, "_open_spiel", lambda game, call: lambda: 1000)
    assert main(["bench", "--quick", "--peers", "--json", "--threads", "2,3"]) == 0
    result = json.loads(capsys.readouterr().out)
    rows = [each["name"] for each in result["peers"] if each["name"].startswith("OpenSpiel spades")]
    assert rows == ["OpenSpiel spades", "OpenSpiel spades, legal_actions"]
    beside = {each["name"]: each for each in result["figures"] if each["against"] == "spades"}
    assert sum(each["aim"] is not None for each in beside.values()) == 6
    for name, each in beside.items():
        assert each["spread"][0] <= each["ratio"] <= each["spread"][1] < each["value"], name
        assert each["met"] == (None if each["aim"] is None else each["ratio"] >= each["aim"]), name
    (two,) = (each for each in result["figures"] if each["against"] == "one thread")  # no third core
    assert two["name"] == "  bytes, 2 threads"
    assert two["met"] == (two["ratio"] >= AIMS.two_threads)


def test_bench_says_how_much_memory_a_decision_takes(capsys, short):
    assert main(["bench", "--quick", "--json"]) == 0
    each = {figure["name"]: figure["bytes"] for figure in json.loads(capsys.readouterr().out)["figures"]}
    assert each["engine alone, random play"] == 2 * BLOODRAGE.state.itemsize
    difference = each["  dense, float32"] - each["batch of 8 with masks and bytes"]
    assert difference == 3 * BLOODRAGE.observation_size
    assert (
        each["one call a decision, bytes"]
        == 2 * BLOODRAGE.state.itemsize + BLOODRAGE.observation_size + BLOODRAGE.num_actions
    )
    assert each["  sparse"] < each["  dense, float32"]
    assert each["copy of a game, into a kept record"] is None


def test_peers_that_are_missing_are_named(capsys, short, monkeypatch):
    monkeypatch.setattr(peers, "CLASSICS", {"no_such_game_v9": 1})
    monkeypatch.setattr(peers, "OPEN_SPIEL", {"spades": 1})
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setattr(peers, "RLCARD", {})
    assert main(["bench", "--quick", "--peers"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split()[:4] == ["PettingZoo", "no_such_game_v9", "not", "installed"]


def test_an_aec_environment_is_measured_by_its_decisions():
    class Env:
        """Ten turns."""

        def reset(self, seed):
            self.left = 10

        def agent_iter(self):
            while self.left:
                self.left -= 1
                yield "a"

        def last(self):
            import numpy as np

            return {"action_mask": np.ones(3, np.int8)}, 0, self.left == 0, False, {}

        def step(self, action):
            assert (action is None) == (self.left == 0)

    assert measures.aec_rates(Env(), measures.Effort(1, 1, 1), 2).rate > 0


def test_start_times_are_measured_in_processes_of_their_own():
    assert measures._timed_start("bloodrage", dict(os.environ)) > 0.05
    assert engine.STATE.itemsize <= AIMS.record


def test_part_of_a_title_shows_all_cards_with_it(capsys):
    assert main(["cards", "frigg"]) == 0
    said = capsys.readouterr().out
    for title in ("Charm", "Chosen", "Domain", "Grace", "Protection", "Sacrifice", "Succor"):
        assert f"\nFrigga's {title}: " in f"\n{said}"
    assert "cards of this name: Frigga's Charm" in said  # of the god
    many = {number: f"card {number}" for number in range(MOST + 1)}
    with pytest.raises(UserError, match="write more of the name"):
        find_titles(["car"], many, many, "card")


def test_the_package_is_the_command():
    command = [sys.executable, "-m", "bloodrage_env", "--version"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout.strip()) == (0, f"bloodrage {__version__}")


def test_a_game_without_aims_has_none():
    said = {each.name: getattr(Aims(), each.name) for each in fields(Aims)}
    assert said == dict.fromkeys(said) | {"options": {}, "others": {}}
