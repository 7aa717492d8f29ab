"""`--game berserk` on the commands: what they print and refuse, one line for each error."""

import builtins
import csv
import itertools
import json
import re

import numpy as np
import pytest
from page_reader import Page

from bloodrage_env import games
from bloodrage_env.cli import game_in, main
from bloodrage_env.commands import measures
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.engine import DONE, RULES_VERSION, TEXT, TITLE, Decision, Phase
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.notation import decision_text
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.render.replay_page import page_data
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.games.berserk.terminal import caution, menu, offered, reveals

FIXED = ["--game", "berserk", "--setup", "fixed"]


def fails(capsys, argv, status=1):
    """Run a command that must fail; returns its one line."""
    assert main(argv) == status
    out, err = capsys.readouterr()
    assert err.count("\n") == 1, err
    assert err.startswith("bloodrage")
    return err, out


@pytest.fixture
def saved(tmp_path, capsys):
    """A replay of a whole game, and its path."""
    path = tmp_path / "game.bsk"
    assert main(["demo", *FIXED, "--quiet", "--seed", "8", "--save", str(path)]) == 0
    capsys.readouterr()
    return Replay.load(path), str(path)


@pytest.mark.parametrize(
    ("words", "game"),
    [
        (["demo"], "bloodrage"),
        (["demo", "--seed", "1", "--game", "berserk"], "berserk"),
        (["tournament", "run", "--game=berserk"], "berserk"),
        (["demo", "--game", "chess"], "bloodrage"),
        (["demo", "--game"], "bloodrage"),
    ],
)
def test_the_game_is_read_before_the_options(words, game):
    assert game_in(words) == game


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["demo", "--game", "chess"], "argument --game: invalid choice: 'chess'"),
        (["demo", "--game", "berserk", "--first-game"], "unrecognized arguments: --first-game"),
        (["demo", "--setup", "fixed"], "unrecognized arguments: --setup fixed"),
        (["demo", "--game", "berserk", "--decks", "steppe,snow"], "decks must be of "),
        (["play", "--game", "berserk", "--seat", "wolf"], "'wolf' is not a seat: 0 to 1, or a, b"),
    ],
)
def test_options_are_those_of_the_game(capsys, argv, message):
    err, out = fails(capsys, argv, 2)
    assert message in err
    assert out == ""


def test_demo_tells_a_game(capsys):
    assert main(["demo", "--game", "berserk", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("\nA game of Berserk by the table of the book, at most 200 turns\n")
    assert [name for name in ("Deal", "Purchase", "Placement", "Reveal", "Battle") if f"\n{name}\n" not in text] == []
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
    lines = text.splitlines()
    assert re.fullmatch(r"Seed 3, \d+ decisions of hold, rush\.", lines[-1])
    assert lines[-4].split() == ["player", "result", "cards", "left", "life", "left", "cards", "lost"]
    assert sorted(line.split()[3] for line in lines[-3:-1]) == ["lost", "won"]
    assert sum("wins" in line for line in lines) == 1, "the winner is named once beside the table"
    parts = [lines.index(name) for name in ("Deal", "Purchase", "Placement", "Reveal", "Battle")]
    assert all(b - a > 2 for a, b in itertools.pairwise(parts)), "no part is a bare heading"


def test_colours_when_asked_for(capsys):
    assert main(["demo", *FIXED, "--colour", "always"]) == 0
    text = capsys.readouterr().out
    assert "\x1b[33mPlayer A\x1b[0m" in text
    assert re.search("\x1b\\[3[36]m[AB]\\d+\x1b\\[0m", text)


def test_replay_tells_and_verifies(capsys, saved):
    replay, path = saved
    assert main(["replay", path, "--verify"]) == 0
    out = capsys.readouterr().out
    version = f"rules version {RULES_VERSION}"
    assert out.startswith(f"{path}: 2 players, setup=fixed, seed 8, {len(replay)} actions, {version}: plays to")
    assert main(["replay", path, "--game", "berserk", "--to", "20", "--seat", "b", "--board"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("Player ")
    assert main(["replay", path]) == 0
    assert {line.split()[3] for line in capsys.readouterr().out.splitlines()[-2:]} == {"won", "lost"}


def test_a_replay_of_the_other_game_is_refused_in_a_line(capsys, saved, tmp_path):
    other = tmp_path / "game.brz"
    assert main(["demo", "--quiet", "--players", "2", "--save", str(other)]) == 0
    capsys.readouterr()
    err, _ = fails(capsys, ["replay", saved[1], "--game", "bloodrage"])
    assert "is a game of Berserk, not of Blood Rage" in err
    err, _ = fails(capsys, ["replay", str(other), "--game", "berserk"])
    assert "is a game of Blood Rage, not of Berserk" in err
    assert "'c' is not a seat: 0 to 1, or a, b" in fails(capsys, ["replay", saved[1], "--seat", "c"])[0]
    with pytest.raises(UserError, match="is not a replay: it does not begin with 'berserk replay '"):
        Replay.load(other)


def test_a_replay_is_analysed(capsys, tmp_path):
    recorder = games.recorder(games.options_from("berserk", setup="fixed"), 1)
    for _ in range(4):
        recorder.apply(int(recorder.states[0].mask.argmax()))
    path, page = tmp_path / "game.bsk", tmp_path / "page.html"
    recorder.replay().save(path)
    assert main(["analyse", str(path), "--simulations", "4", "--html", str(page)]) == 0
    assert "Win probability over the game" in capsys.readouterr().out
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))[1])
    assert len(data["study"]["decisions"]) == 4


@pytest.mark.parametrize(
    "argv",
    [
        ["evaluate", "policy.npz", "--against", "rush"],
        ["ladder", "rush", "--store", "ladder"],
        ["ladder", "flat", "--opponent", "rush", "--store", "ladder"],
        ["exploit", "rush", "--out", "run"],
        ["serve", "--game", "bloodrage", "--agents", "rush"],
    ],
)
def test_commands_of_one_game_refuse_agents_of_the_other(capsys, tmp_path, monkeypatch, argv):
    monkeypatch.chdir(tmp_path)
    assert "rush plays Berserk, not Blood Rage" in fails(capsys, argv)[0]


def test_the_page_of_a_replay_holds_every_board(capsys, saved, tmp_path):
    replay, path = saved
    page = tmp_path / "game.html"
    assert main(["replay", path, "--html", str(page)]) == 0
    assert f"wrote {page}" in capsys.readouterr().err
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)
    data = json.loads(found[1])
    assert data == json.loads(json.dumps(page_data(replay, "Berserk, seed 8", replay.players)))
    assert len(data["frames"]) == len(replay) + 1
    for frame, states in zip(data["frames"], replay.states(), strict=True):
        s = states[0]
        assert {(slot, cell) for slot, _, cell, _, _ in frame["cards"]} == {
            (slot, int(s.cell[slot])) for slot in np.flatnonzero(s.cell >= 0)
        }
        assert ("squads" in frame) == (Phase.ROLL_OFF < s.phase < Phase.BATTLE)
        for seat, rows in enumerate(frame.get("squads", ())):
            assert [[card, s.deal[seat, card], s.squad[seat, card]] for card in np.flatnonzero(s.deal[seat])] == rows
    with pytest.raises(UserError, match="1 names for a game of 2 players"):
        page_data(replay, "x", ["a"])


def test_cards(capsys):
    assert main(["cards", "--game", "berserk"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [title for title in TITLE if not any(line.startswith(f"  {title} ") for line in lines)] == []
    assert main(["cards", "--game", "berserk", "orc"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("Orc: steppe, Orc, 5 crystals\n  life 10, movement 1, strike 3-3-4\n")
    assert TEXT[TITLE.index("Orc")] in " ".join(output.split())
    assert "there is no card 'troll'" in fails(capsys, ["cards", "--game", "berserk", "troll"])[0]


def test_check_plays_every_kind_of_game(capsys):
    assert main(["check", "--game", "berserk", "--games", "12"]) == 0
    assert re.match(r"12 random games with 2 players, [\d,]+ decisions: every number in", capsys.readouterr().out)
    assert main(["check", "--game", "berserk", "--games", "2", "--combat", "difference", "--max-turns", "3"]) == 0


def test_bench(capsys, monkeypatch):
    monkeypatch.setattr(measures, "QUICK", measures.Effort(1, 2, 2))
    monkeypatch.setattr(measures, "BATCH", 8)
    monkeypatch.setattr(measures, "_timed_start", lambda game, environment: 0.5)
    assert main(["bench", "--game", "berserk", "--json", "--quick"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["game"] == "berserk"
    names = {each["name"]: each["value"] for each in result["figures"]}
    assert names["state record"] == GAME.state.itemsize < 2048
    assert names["engine alone, random play"] > 0


def test_bench_of_agents(capsys, monkeypatch):
    monkeypatch.setattr(measures, "QUICK", measures.Effort(1, 10, 1))
    assert main(["bench", "--game", "berserk", "--agents", "--quick", "--json"]) == 0
    figures = {each["name"]: each for each in json.loads(capsys.readouterr().out)["figures"]}
    assert figures["rush, compiled"]["unit"] == figures["hold, as an agent"]["unit"] == "games/min"
    assert figures["flat"]["unit"] == "simulations/s"


# ---- play


@pytest.fixture
def typed(monkeypatch):
    """Lines that the person types; then the end of the file."""
    lines = []

    def read(prompt=""):
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr(builtins, "input", read)
    return lines


def test_a_person_plays_a_game(capsys, typed, tmp_path):
    path = tmp_path / "game.bsk"
    typed += ["h", "?", "b", "? orc", *["1"] * 900]
    argv = ["play", *FIXED, "--max-turns", "30", "--seed", "4", "--seat", "b", "--opponents", "random"]
    assert main([*argv, "--save", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Against Player A (random)." in out
    assert "You are Player B. h for help." in out
    assert "Orc: steppe" in out
    replay = Replay.load(path)
    assert replay.players == ("random", "human")
    assert replay.verify()[0].over


def test_the_end_of_the_file_leaves_the_game(capsys, typed):
    typed += ["2", "u"]
    assert main(["play", *FIXED, "--seed", "4", "--opponents", "random"]) == 0
    assert "The game is left after " in capsys.readouterr().out


def position(seed=5):
    """A game with given squads, at its first turn."""
    game = Recorder(Replay(seed, Options(setup="fixed", skip_forced=False)))
    return game.states


def test_the_menu_has_every_answer_once_and_to_pass_last():
    states = position()
    assert states[0].decision == Decision.MAIN
    lines, actions = menu(states)
    assert sorted(actions) == np.flatnonzero(states["mask"][0]).tolist()
    assert len(lines) == len(actions)
    assert actions[-1] == DONE
    assert lines[-1].split(maxsplit=1)[1] == "pass the turn"
    assert offered(states, int(states[0].seat), actions) == sorted({int(card) for card in states[0].card if card >= 0})
    assert decision_text(states, 0).endswith("moves and acts.")


def test_passing_is_asked_twice_where_cards_can_act():
    states = position()
    able = False
    rng = np.random.default_rng(0)
    while not able:
        GAME.play.apply(states, 0, int(rng.choice(np.flatnonzero(states["mask"][0]))))
        lines, actions = menu(states)
        able = states[0].decision == Decision.MAIN and any("strike" in line for line in lines)
        expected = "To pass ends your turn, and cards of yours can still act" if able else ""
        assert not able or caution(states, DONE) == expected
        assert caution(states, actions[0]) == ""


def test_what_reveals_something_cannot_be_taken_back():
    states = position()
    seat = int(states[0].seat)
    lines, actions = menu(states)
    step = next(action for action, line in zip(actions, lines, strict=True) if "goes to" in line)
    assert not reveals(states, step, seat)
    assert reveals(states, DONE, seat), "the turn goes to the other player"


# ---- tournaments


def test_a_tournament_from_run_to_export(capsys, tmp_path):
    store, file = str(tmp_path / "store.sqlite"), str(tmp_path / "game.bsk")
    argv = ["tournament", "run", *FIXED, "--max-turns", "20", "--agents", "random,rush", "--deals", "2", "--seed", "1"]
    assert main([*argv, "--store", store, "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "4 games of 2 deals" in out
    assert out.splitlines()[2].split() == [
        "agent", "Elo", "from", "the", "field", "from", "the", "leader", "win", "rate", "place", "score", "seats",
        "forfeits",
    ]  # fmt: skip
    assert main(["tournament", "verify", store]) == 0
    assert "every game plays as stored" in capsys.readouterr().out
    from bloodrage_training.tournament.store import Store

    with Store.open(store) as opened:
        game = next(iter(opened.games()))
        assert opened.plan().options == game.options == Options(setup="fixed", max_turns=20)
    assert main(["tournament", "export", store, game.id, file]) == 0
    assert Replay.load(file).actions == game.actions
    capsys.readouterr()
    html, tables = tmp_path / "page.html", tmp_path / "tables"
    assert main(["tournament", "report", store, "--html", str(html), "--csv", str(tables)]) == 0
    capsys.readouterr()
    output = Page(html.read_text(encoding="utf-8"))
    output.check_alone(replays=True)
    assert "Berserk tournament" in output.text
    assert not {"Blood Rage", "glory"} & set(re.findall("Blood Rage|glory", output.text))
    assert {"ratings", "pairs", "seats", "lengths", "forfeits", "games", "command"} <= set(output.ids)
    assert not {"scores", "sources", "drafts", "cards"} & set(output.ids)
    assert "closest game" in output.table("Agents")["rush"]["games"]
    assert "--game berserk --setup fixed --max-turns 20" in output.text
    assert {each.name for each in tables.iterdir()} == {"games.csv", "agents.csv", "pairs.csv"}
    with (tables / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["score"]) for row in rows if row["game"] == game.id] == list(game.scores)
    with (tables / "agents.csv").open(encoding="utf-8", newline="") as file:
        assert not [name for name in csv.DictReader(file).fieldnames if "glory" in name]
    assert (
        "balanced plays Blood Rage, not Berserk"
        in fails(capsys, ["tournament", "report", store, "--anchor", "balanced"])[0]
    )


def test_agents_are_those_of_the_game(capsys, tmp_path):
    store = str(tmp_path / "store.sqlite")
    argv = ["tournament", "run", "--deals", "1", "--store", store, "--agents"]
    assert "balanced plays Blood Rage, not Berserk" in fails(capsys, [*argv, "random,balanced", *FIXED])[0]
    assert "rush plays Berserk, not Blood Rage" in fails(capsys, [*argv, "random,rush"])[0]
    assert games.names() == ("bloodrage", "berserk")
