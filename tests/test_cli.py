"""The command line: what it prints, what it refuses, one line for each error."""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from bloodrage_env import __version__, games
from bloodrage_env.cli import build_parser, main
from bloodrage_env.commands import bench, measures, peers
from bloodrage_env.core.aims import Aims
from bloodrage_env.core.lookup import MOST, find_titles
from bloodrage_env.core.replay import Recorder
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.aims import AIMS
from bloodrage_env.games.bloodrage.engine.cards import TEXT, TITLE, cards_of
from bloodrage_env.games.bloodrage.engine.ids import PLAYABLE
from bloodrage_env.games.bloodrage.engine.signature import RULES_VERSION
from bloodrage_env.games.bloodrage.notation import CLANS
from bloodrage_env.games.bloodrage.replay import Replay

BLOODRAGE = games.game("bloodrage")
PACKAGE = Path(bench.__file__).resolve().parents[1]


def fails(capsys, argv, status=1):
    """Runs a command that must fail; returns its one line."""
    assert main(argv) == status
    out, err = capsys.readouterr()
    assert err.count("\n") == 1, err
    assert err.startswith("bloodrage")
    return err, out


@pytest.fixture
def game(tmp_path):
    """A replay of a whole game of three, and its path."""
    path = tmp_path / "game.brz"
    assert main(["demo", "--quiet", "--players", "3", "--seed", "8", "--save", str(path)]) == 0
    return Replay.load(path), str(path)


# ---- the command line itself


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["dance"], "invalid choice: 'dance'"),
        (["demo", "--seed", "-1"], "'-1' is no whole number from 0 to 9223372036854775807"),
        (["demo", "--seed", "9223372036854775808"], "is no whole number"),
        (["demo", "--seed", "x"], "'x' is no whole number"),
        (["demo", "--players", "6"], "invalid choice: 6"),
        (["demo", "--sets", "snow"], "sets must be of p5, ks, mystics, gods, not 'snow'"),
        (["demo", "--seats", "two"], "invalid int value: 'two'"),
        (["play", "--ask-forced"], "unrecognized arguments: --ask-forced"),
        (["tournament", "run", "--agents", "random", "--store", "x", "--seats", "1"], "invalid choice: 1"),
        (["evaluate", "x.npz", "--seats", "9"], "invalid choice: 9"),
        (["ladder", "ismcts", "--store", "x", "--players", "9"], "invalid choice: 9"),
        (["play", "--seat", "fox"], "'fox' is no seat: 0 to 4, or wolf, bear, serpent, raven, ram"),
        (["play", "--seat", "5"], "'5' is no seat"),
        (["replay"], "the following arguments are required: FILE"),
        (["replay", "x.brz", "--to", "1.5"], "'1.5' is no whole number"),
        (["bench", "--fast"], "unrecognized arguments: --fast"),
        (["bench", "--threads", "2,0"], "'2,0' is no list of numbers from 1 on, such as 1,2"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(capsys, argv, message):
    err, out = fails(capsys, argv, 2)
    assert message in err
    assert "--help" in err
    assert out == ""


def test_help(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for name in ("demo", "play", "replay", "bench", "cards", "compile"):
        assert f"    {name} " in text
        assert main([name, "--help"]) == 0
    assert build_parser().prog == "bloodrage"


def test_the_command_alone_gives_help(capsys):
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert "usage: bloodrage" in out
    assert "    play " in out
    assert err == ""


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bloodrage {__version__}\n"


def test_the_citation_is_of_this_version():
    text = (Path(__file__).parents[1] / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in text


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_needs_no_engine(option):
    """It comes at once: numba and the engine are loaded by the commands that use them."""
    code = f"import sys; from bloodrage_env.cli import main; main([{option!r}]); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_closed_pipe_ends_quietly():
    code = "import sys; from bloodrage_env.cli import main; sys.exit(main(['demo']))"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PACKAGE.parent
    ) as running:
        running.stdout.close()
        said = running.stderr.read()
        assert running.wait(600) == 1
    assert b"Traceback" not in said


# ---- demo


def test_demo_tells_a_game(capsys):
    assert main(["demo", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    for age in (1, 2, 3):
        for phase in ("Gods' Gifts", "Action", "Discard", "Quest", "Ragnarok", "Release of Valhalla"):
            assert f"\nAge {age}: {phase}\n" in text
    assert re.search(r"\n  \w+ \d+ \+ \d+ = \d+, \w+ \d+ \+ \d+ = \d+.*: (\w+ wins|a tie, all lose)\n", text)
    assert "╭─ Yggdrasil ─" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
    game = Recorder(Replay(3))
    assert text.startswith("\nA game of 4 clans\n")
    assert f"Wolf{'':5}" in text
    assert game.states[0].num_players == 4


def test_the_same_seed_gives_the_same_game(capsys):
    texts = []
    for seed in ("5", "5", "6"):
        assert main(["demo", "--seed", seed, "--players", "2", "--first-game"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]


def test_quiet_prints_the_result(capsys):
    assert main(["demo", "--quiet", "--seed", "3", "--players", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["clan", "glory"]
    assert sorted(line.split()[1] for line in lines[1:4]) == sorted(CLANS[:3])
    for line in lines[1:4]:
        numbers = [int(n) for n in line.split()[2:]]
        assert numbers[0] == sum(numbers[1:]), "glory is that of its sources"
    assert re.fullmatch(r".* with \d+ glory\.", lines[5])
    assert lines[6].startswith("Seed 3, ")


def test_colours_when_asked_for(capsys):
    assert main(["demo", "--quiet", "--colour", "always"]) == 0
    assert "\x1b[33mWolf\x1b[0m" in capsys.readouterr().out


def test_a_place_to_save_is_looked_at_first(capsys, tmp_path):
    err, out = fails(capsys, ["demo", "--save", str(tmp_path / "none" / "x.brz")])
    assert "it is in no directory" in err
    assert out == ""
    err, _ = fails(capsys, ["play", "--save", str(tmp_path)])
    assert "it is a directory" in err


# ---- replay


def test_replay_tells_the_saved_game(capsys, game):
    replay, path = game
    capsys.readouterr()
    assert main(["demo", "--seed", "8", "--players", "3"]) == 0
    output = capsys.readouterr().out
    assert main(["replay", path]) == 0
    assert capsys.readouterr().out.split("clan")[0] in output.split("╭─")[0] + "\n    "
    assert main(["replay", path, "--to", "30", "--seat", "bear"]) == 0
    text = capsys.readouterr().out
    assert "Bear's hand" in text
    assert "Wolf's hand" not in text
    assert len(replay) > 30


def test_replay_verifies(capsys, game):
    replay, path = game
    capsys.readouterr()
    assert main(["replay", path, "--verify"]) == 0
    out = capsys.readouterr().out
    assert out == f"{path}: 3 players, seed 8, {len(replay)} actions, rules version {RULES_VERSION}: plays to the end\n"


def test_replay_shows_a_board(capsys, game):
    _, path = game
    capsys.readouterr()
    assert main(["replay", path, "--board", "--to", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "The clans choose in secret."
    assert main(["replay", path, "--board"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "End of the game"


def test_replay_refuses_what_does_not_play(capsys, game, tmp_path):
    replay, path = game
    capsys.readouterr()
    count = len(replay)
    assert f"has {count} actions, not {count + 1}" in fails(capsys, ["replay", path, "--to", str(count + 1)])[0]
    assert "Raven is not in" in fails(capsys, ["replay", path, "--seat", "raven"])[0]
    assert "none.brz: No such file" in fails(capsys, ["replay", str(tmp_path / "none.brz")])[0]
    assert "Is a directory" in fails(capsys, ["replay", str(tmp_path)])[0]
    broken = tmp_path / "broken\n.brz"
    broken.write_bytes(Path(path).read_bytes()[:-3])
    assert "broken .brz is damaged: its checksum" in fails(capsys, ["replay", str(broken)])[0]
    wrong = tmp_path / "wrong.brz"
    Replay(1, actions=(0,)).save(wrong)
    assert "wrong.brz: action 1 (0) is not legal" in fails(capsys, ["replay", str(wrong)])[0]


# ---- cards


def test_the_list_of_cards(capsys):
    assert main(["cards"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for title in (TITLE[card] for card in cards_of(PLAYABLE)):
        assert any(line.startswith(f"  {title} ") for line in lines)
    assert max(map(len, lines)) <= 98


@pytest.mark.parametrize("name", [["troll"], ["Troll"], ["TROLL"], ["tro"]])
def test_a_card(capsys, name):
    assert main(["cards", *name]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Troll: monster upgrade, STR 2, 2 Rage\n")
    assert TEXT[TITLE.index("Troll")] in " ".join(text.split())


def test_a_card_by_a_part_of_its_title(capsys):
    assert main(["cards", "serpent"]) == 0
    assert capsys.readouterr().out.startswith("Sea Serpent: ")


def test_a_quest_has_a_face_for_each_age(capsys):
    assert main(["cards", "glorious", "death"]) == 0
    assert capsys.readouterr().out.count("Glorious Death: quest, ") == 3
    assert main(["cards", "manheim_2"]) == 0
    assert capsys.readouterr().out.startswith("Manheim: quest, 7 glory\n")


def test_a_god(capsys):
    assert main(["cards", "tyr"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["Tyr", "In", "a"]


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        (["troll", "serpent"], ["Troll", "Sea Serpent"]),
        (["frost", "giant", "tro"], ["Frost Giant", "Troll"]),
        (["frigga's grace", "fire", "giant", "troll"], ["Frigga's Grace", "Fire Giant", "Troll"]),
        (["frigga", "troll"], ["Frigga", "Troll"]),
    ],
)
def test_several_names(capsys, words, titles):
    """Each takes as many words as make one."""
    assert main(["cards", *words]) == 0
    parts = capsys.readouterr().out.strip().split("\n\n")
    assert [part for part, title in zip(parts, titles, strict=True) if not part.strip().startswith(title)] == []


def test_a_god_leads_to_the_cards_of_its_name(capsys):
    assert main(["cards", "frigga"]) == 0
    assert "cards of this name: Frigga's Charm" in capsys.readouterr().out.replace("\n  ", " ")


def test_no_such_card(capsys):
    assert "there is no card 'trollx'; did you mean Troll?" in fails(capsys, ["cards", "trollx"])[0]
    assert "there is no card 'zzzz'\n" in fails(capsys, ["cards", "zzzz"])[0]
    assert main(["cards", "lord"]) == 0
    assert [line[:7] for line in capsys.readouterr().out.splitlines() if line.startswith("Lord")] == ["Lord of"] * 3


def test_every_card_can_be_shown(capsys):
    for title in sorted({TITLE[card] for card in cards_of(PLAYABLE)}):
        assert main(["cards", title]) == 0
        assert capsys.readouterr().out.startswith(f"{title}: ")


# ---- compile and bench


def test_compile_says_what_it_did(capsys):
    assert main(["compile"]) == 0
    assert re.fullmatch(r"\d+ compiled functions ready after \d+\.\d s\.\n", capsys.readouterr().out)


def test_compile_knows_every_module_with_entries():
    modules = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "core"
        if re.search(r"^@(quick_)?entry$|(?<!writer)_for\(COMPILER,", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    facades = {f"bloodrage_env.{re.sub(r'engine[.].*', 'engine', name)}" for name in modules}
    named = {name for game in games.names() for name in games.spec(game).compiled}
    assert facades == {name for name in named if name.startswith("bloodrage_env.")}


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
