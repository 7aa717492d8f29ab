"""The command line: what it prints, what it refuses, one line for each error."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bloodrage_env import __version__, games
from bloodrage_env.cli import build_parser, commands, main
from bloodrage_env.commands import bench
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.games.bloodrage.engine.cards import TEXT, TITLE, cards_of
from bloodrage_env.games.bloodrage.engine.ids import PLAYABLE
from bloodrage_env.games.bloodrage.engine.signature import RULES_VERSION
from bloodrage_env.games.bloodrage.notation import CLANS
from bloodrage_env.games.bloodrage.replay import Replay

BLOODRAGE = games.game("bloodrage")
PACKAGE = Path(bench.__file__).resolve().parents[1]


def fails(capsys, argv, status=1):
    """Run a command that must fail; returns its one line."""
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
        (["demo", "--seed", "-1"], "'-1' is not a whole number from 0 to 9223372036854775807"),
        (["demo", "--seed", "9223372036854775808"], "is not a whole number"),
        (["demo", "--seed", "x"], "'x' is not a whole number"),
        (["demo", "--players", "6"], "invalid choice: 6"),
        (["demo", "--sets", "snow"], "sets must be of p5, ks, mystics, gods, not 'snow'"),
        (["demo", "--seats", "two"], "invalid int value: 'two'"),
        (["play", "--ask-forced"], "unrecognized arguments: --ask-forced"),
        (["tournament", "run", "--agents", "random", "--store", "x", "--seats", "1"], "invalid choice: 1"),
        (["evaluate", "x.npz", "--seats", "9"], "invalid choice: 9"),
        (["ladder", "ismcts", "--store", "x", "--players", "9"], "invalid choice: 9"),
        (["play", "--seat", "fox"], "'fox' is not a seat: 0 to 4, or wolf, bear, serpent, raven, ram"),
        (["play", "--seat", "5"], "'5' is not a seat"),
        (["replay"], "the following arguments are required: FILE"),
        (["replay", "x.brz", "--to", "1.5"], "'1.5' is not a whole number"),
        (["replay", "x.brz", "--check"], "replay: unrecognized arguments: --check (see bloodrage replay --help)"),
        (["bench", "--fast"], "unrecognized arguments: --fast"),
        (["bench", "--threads", "2,0"], "'2,0' is not a list of numbers from 1 on, such as 1,2"),
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


ACTIONS = ("run", "resume", "report", "verify", "export", "compare")


@pytest.mark.parametrize(
    "words", [*([name] for name in sorted(commands())), *(["tournament", action] for action in ACTIONS)], ids=" ".join
)
def test_help_begins_with_a_sentence_and_ends_with_an_example(capsys, words):
    """The example is a command line that its parser accepts, for the command whose help it ends."""
    assert main([*words, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"[A-Z].*\.", lines[0])
    assert lines[2].startswith("usage: bloodrage ")
    assert lines[-2] == "example:"
    example = shlex.split(lines[-1])
    assert example[: len(words) + 1] == ["bloodrage", *words]
    build_parser(words[0]).parse_args(example[1:])


def test_the_command_alone_gives_help(capsys):
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert "usage: bloodrage" in out
    assert "    play " in out
    assert err == ""


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("bloodrage tou", {"tournament"}),
        ("bloodrage tournament re", {"resume", "report"}),
        ("bloodrage tournament run --sto", {"--store"}),
        ("bloodrage cards --game berserk_t", {"berserk_team"}),
    ],
)
def test_completion(tmp_path, line, offered):
    """As a shell asks for it: the answer is in the file of the variable, separated by the IFS."""
    pytest.importorskip("argcomplete")
    answer = tmp_path / "answer"
    asked = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n"}
    asked |= {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "_ARGCOMPLETE_SUPPRESS_SPACE": "1"}
    subprocess.run([sys.executable, "-m", "bloodrage_env"], env=os.environ | asked, check=True, timeout=300)
    assert set(answer.read_text().split()) == offered


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bloodrage {__version__}\n"


def test_all_versions(capsys):
    assert main(["versions"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"bloodrage {__version__}"
    assert [line.partition(":")[0] for line in lines[-len(games.all_names()) :]] == [*games.all_names()]
    assert main(["versions", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["packages"]["numpy"] == np.__version__
    assert found["games"]["bloodrage"] == {
        "rules": RULES_VERSION, "actions": BLOODRAGE.num_actions, "observation": BLOODRAGE.observation_size,
        "record": BLOODRAGE.state.itemsize,
    }  # fmt: skip


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
    assert "there is no folder" in err
    assert out == ""
    err, _ = fails(capsys, ["play", "--save", str(tmp_path)])
    assert "is a folder; name a file" in err


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


@pytest.mark.parametrize("used", ["--html=x.html", "--verify"])
@pytest.mark.parametrize("ignored", ["--to=0", "--board", "--seat=bear"])
def test_replay_refuses_what_it_would_ignore(capsys, used, ignored):
    err, _ = fails(capsys, ["replay", "x.brz", used, ignored])
    assert f"{used.split('=')[0]} is of the whole game, without {ignored.split('=')[0]}:" in err
    assert "without --html" in fails(capsys, ["replay", "x.brz", "--html=x.html", "--verify"])[0]


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
        if "core" not in path.parts
        if re.search(r"^@(quick_)?entry$|(?<!writer)_for\(COMPILER,", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    facades = {f"bloodrage_env.{re.sub(r'engine[.].*', 'engine', name)}" for name in modules}
    named = {name for game in games.names() for name in games.spec(game).compiled}
    assert facades == {name for name in named if name.startswith("bloodrage_env.")}
