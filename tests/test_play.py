"""A person's game in the terminal: choices, help, undo, leaving."""

import builtins
import io

import numpy as np
import pytest
from random_play import differing, games_in_the_middle, keen_action
from scenario import Scenario

from bloodrage_agents import registry
from bloodrage_agents.match import play_game
from bloodrage_agents.opponents import line_up, opponent
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.commands.play import Session, Thinking
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.actions import FIGURE_AT
from bloodrage_env.games.bloodrage.notation import action_text, events
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, observe
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.presentation import PRESENTATION
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_env.games.bloodrage.terminal.menu import menu
from bloodrage_env.games.bloodrage.terminal.result import reveals


@pytest.fixture
def typed(monkeypatch):
    """Lines that the person types; then the end of the file, or what is raised."""
    lines = []

    def read(prompt=""):
        print(prompt, end="")
        if not lines:
            raise EOFError
        line = lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line

    monkeypatch.setattr(builtins, "input", read)
    return lines


def test_a_whole_game(capsys, typed, tmp_path):
    path = tmp_path / "game.brz"
    typed += ["1"] * 400
    assert main(["play", "--seed", "4", "--seat", "bear", "--players", "3", "--save", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "You are Bear." in out
    assert "Age 3: Release of Valhalla" in out
    assert out.rstrip().splitlines()[-1].endswith(" glory.")
    assert f"saved {path}" in err
    replay = Replay.load(path)
    assert not replay.options.skip_forced
    assert replay.verify()[0].over


def test_the_end_of_the_file_and_ctrl_c_end_cleanly(capsys, typed, tmp_path):
    for stop in ([], [KeyboardInterrupt()], ["q"]):
        path = tmp_path / "left.brz"
        typed[:] = ["1", "1", *stop]
        assert main(["play", "--seed", "4", "--save", str(path)]) == 0
        out, err = capsys.readouterr()
        assert "The game is left after " in out
        assert "Traceback" not in err
        assert 2 <= len(Replay.load(path)) < 20


def test_words_that_mean_nothing_change_nothing(capsys, typed):
    typed += ["q"]
    assert main(["play", "--seed", "4"]) == 0
    left = capsys.readouterr().out.splitlines()[-1]  # others have answered before
    typed[:] = ["", "0", "999", "-1", "1.5", "x", "²", "9" * 5000, "? 99", "? zzz", "?zz", "h", "u", "q"]
    assert main(["play", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert out.count("Give the number of a choice, or h for help.") == 5
    assert out.count("Choices go from 1 to ") == 3
    assert "there is no card 'zzz'" in out
    assert "No card is meant there." in out
    assert "Nothing to take back" in out
    assert out.splitlines()[-1] == left


def test_numbers_may_begin_with_zeros(capsys, typed):
    typed += ["0" * 12 + "999", "? " + "0" * 12 + "4", "0" * 12 + "4", "q"]
    assert main(["play", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "Tyr's Smite: battle card, +5" in out
    assert "(round 2 of 6)" in out


def test_bytes_that_are_no_text_are_a_wrong_answer(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\nq\n" * 2), encoding="utf-8"))
    for _ in range(2):
        assert main(["play", "--seed", "4"]) == 0
        assert "Give the number of a choice" in capsys.readouterr().out


def test_to_pass_takes_the_last_number_twice(capsys, typed):
    states = engine.new_game(4, 2, first_game=True, skip_forced=False)
    assert states[0].seat == 0
    number = str(len(menu(states)[1]))
    typed += [number, "1000", number, "q"]
    assert main(["play", "--seed", "4", "--players", "2", "--first-game"]) == 0
    out = capsys.readouterr().out
    before, after = out.split("gives up 6 Rage: ")
    assert f"{number}  pass" in before
    assert "Wolf: pass" not in before
    assert "Wolf: pass" in after


def test_texts_of_cards(capsys, typed):
    typed += ["? 1", "?", "? frost giant", "?troll", "b", "q"]
    assert main(["play", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "Frost Giant: monster upgrade, STR 4, 4 Rage" in out
    assert "Troll: monster upgrade" in out
    assert out.count("Age 1: 1") >= 3
    assert "pack: " in out


def test_a_seat_that_is_not_in_the_game(capsys):
    assert main(["play", "--players", "2", "--seat", "raven"]) == 1
    assert "Raven is not in a game of 2 players" in capsys.readouterr().err


def test_the_menu_numbers_every_legal_action_once():
    for _, states, _ in games_in_the_middle(range(40), 0.1):
        if states[0].over:
            continue
        lines, actions = menu(states)
        assert sorted(actions) == np.flatnonzero(states[0].mask).tolist()
        assert engine.PASS not in actions[:-1]
        text = " ".join(" ".join(lines).split())
        for number, action in enumerate(actions, start=1):
            assert f"{number} " in text
            if not FIGURE_AT <= action < engine.NUM_ACTIONS:
                assert action_text(states, 0, action) in text
        assert max(map(len, lines)) <= 98


def test_moves_of_a_kind_stand_side_by_side():
    g = Scenario(players=2)
    g.put(0, "warrior", "gimle")
    g.destroyed("elvagar", "angerboda", "muspelheim", "horgr")
    g.go()
    text = "\n".join(menu(g.states)[0])
    assert "march from Gimle (1 Rage) to: " in text
    assert "invade with a warrior (1 Rage): " in text
    assert text.count("invade with") == 3


# ---- opponents


def test_one_agent_for_all_or_one_for_each():
    assert line_up("random", 1, Options(3)) == {0: "random", 2: "random"}
    assert list(line_up("random,random,random", 3, Options(4))) == [0, 1, 2]
    assert set(line_up(None, 0, Options(2))) == {1}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("random,random", "there are 3 opponents: name one agent for all, or 3"),
        ("randm", "there is no agent 'randm'; did you mean random?"),
        ("no/such.py:Agent", "there is no file no/such.py"),
    ],
)
def test_opponents_that_there_are_not(capsys, asked, message):
    assert main(["play", "--opponents", asked]) == 1
    out, err = capsys.readouterr()
    assert err == f"bloodrage play: {message}\n"
    assert out == ""


@pytest.mark.parametrize("name", ["/proc/x.brz", "x" * 246 + ".brz"])
def test_a_file_that_cannot_be_made_is_told_of_before_the_game(capsys, typed, tmp_path, name):
    assert main(["play", "--save", str(tmp_path / name)]) == 1
    out, err = capsys.readouterr()
    assert err.startswith("bloodrage play: can't write ")
    assert err.count("\n") == 1
    assert out == ""
    assert not any(tmp_path.iterdir())


def test_an_opponent_that_fails_ends_the_game_in_a_line(capsys, typed, tmp_path):
    typed += ["1"] * 400
    path = tmp_path / "cut.brz"
    assert main(["play", "--seed", "4", "--opponents", "tests/plug_ins/bad.py:Raises", "--save", str(path)]) == 1
    err = capsys.readouterr().err
    assert "(tests/plug_ins/bad.py:Raises) can't go on: ValueError: no idea" in err.splitlines()[-1]
    assert Replay.load(path).scores is not None


def test_opponents_have_generators_of_their_own():
    """Or they would do alike wherever they have the same choice."""
    one, again, other = (opponent("random", seat, 5, Options(3)) for seat in (1, 1, 2))
    assert one.rng.random() == again.rng.random() != other.rng.random()


def test_opponents_play_the_same_game_again():
    played = []
    for _ in range(2):
        states = engine.new_game(3, 2, skip_forced=False)
        others = [opponent("random", seat, 3, Options(2)) for seat in range(2)]
        while not states[0].over:
            engine.apply(states, 0, others[engine.seat_to_act(states, 0)](states))
        played.append(engine.scores(states, 0).tolist())
    assert played[0] == played[1]


def test_a_terminal_says_who_thinks(capsys, monkeypatch):
    states = engine.new_game(3, 2, skip_forced=False)
    thinking = Thinking(PRESENTATION, False)
    thinking.show(states)
    thinking.clear()
    assert capsys.readouterr().out == ""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    while PRESENTATION.secret(states) or PRESENTATION.at_once(states):
        engine.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    text = f"{PRESENTATION.seats[int(states[0].seat)]} thinks ..."
    thinking.show(states)
    thinking.show(states)
    assert capsys.readouterr().out == f"{text}\r"
    thinking.clear()
    assert capsys.readouterr().out == " " * len(text) + "\r"


@pytest.mark.parametrize("game", ["bloodrage", "berserk", "berserk_team"])
def test_what_waits_tells_neither_who_nor_how_many_answers_in_secret(game, capsys, monkeypatch):
    """The same line stays for all secret answers of others, whoever gives them."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    shown, play, count = games.presentation(game), games.game(game).play, 0
    states, thinking = games.game(game).new_game(3, games.options_from(game, skip_forced=False)), Thinking(shown, False)
    while not (shown.secret(states) or shown.at_once(states)):
        play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    while shown.secret(states) or shown.at_once(states):
        thinking.show(states)
        count += 1
        play.apply(states, 0, int(np.flatnonzero(states[0].mask)[-1]))
    assert count > 2
    assert capsys.readouterr().out == "Another player thinks ...\r"


def test_a_person_is_an_agent_too(capsys, typed):
    """`human`, in a game like any other: asked for what its seat must answer, by what its seat knows."""
    typed += ["x", "b", "u", "?"] + ["1"] * 400
    game = play_game([registry.make("human"), registry.make("random")], 4, Options(2), [1, 2])
    out = capsys.readouterr().out
    assert game.forfeit_reason is None
    assert out.count("> ") == game.decisions[0] + 4
    assert "Nothing can be taken back in this game." in out
    assert "Give the number of a choice" in out
    replay = Replay(4, Options(2), game.actions)
    firsts = [menu(states)[1][0] for states in replay.states() if states[0].seat == 0]
    mine = [action for states, action in zip(replay.states(), game.actions, strict=False) if states[0].seat == 0]
    assert mine == firsts


def test_a_person_who_leaves_forfeits(capsys, typed):
    typed += ["1", "q"]
    game = play_game([registry.make("random"), registry.make("human")], 4, Options(2), [1, 2])
    assert (game.forfeit_seat, game.forfeit_reason, game.decisions[1]) == (1, "has left the game", 2)


# ---- taking back


def test_what_came_of_an_own_choice_is_taken_back(capsys, typed):
    """In the first game of this seed the person plays an upgrade into a slot, and thinks better of it twice."""
    seed = 4
    game = Recorder(Replay(seed, Options(first_game=True, skip_forced=False)))
    while engine.seat_to_act(game.states, 0) != 0:
        game.apply(int(np.flatnonzero(game.states[0].mask)[0]))
    me = Session(game, "bloodrage", 0, {}, False)
    start, count = engine.clone(game.states, 0), len(game.actions)
    lines, _ = menu(game.states)
    troops = next(line for line in lines if "Brothers in Arms" in line)
    typed += [troops.split()[0], "u"]
    me.choose()
    assert action_text(game.states, 0, 2) == "invade nowhere"
    assert me.marks == [count]
    me.choose()
    assert not differing(game.states, start)
    assert len(game.actions) == count
    assert "Taken back." in capsys.readouterr().out


def test_nothing_is_taken_back_once_others_have_acted(capsys, typed):
    typed += ["1", "u", "u", "q"]
    assert main(["play", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert out.count("Nothing to take back") == 2
    assert "Taken back" not in out


def test_what_brings_something_to_light_is_known():
    g = Scenario(players=2, skip_forced=False)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Tyr's Bash", "Troll")
    g.hand(1, "Manheim")
    g.put(0, "warrior", "utgard")
    g.go()
    texts = {action_text(g.states, 0, int(a)): int(a) for a in np.flatnonzero(g.states[0].mask)}
    assert not reveals(g.states, texts["march from Utgard to Andlang (1 Rage)"], 0)
    assert not reveals(g.states, texts["pillage Gimle for Rage"], 0)
    g.pillage(0, "gimle")
    g.card(0, "Tyr's Bash")
    action = int(np.flatnonzero(g.states[0].mask)[0])
    assert reveals(g.states, action, 0), "another seat answers"


def seen(states, seat):
    vector = np.zeros(OBSERVATION_SIZE, np.float32)
    observe(states, 0, seat, vector)
    return vector


def test_where_nothing_is_revealed_all_possible_worlds_look_the_same_afterwards():
    """What may be taken back: the same answer, in worlds that the seat can't tell apart, leads to what looks alike."""
    hidden = 0
    for seed, states, rng in games_in_the_middle(range(36, 84), 0.3):
        s = states[0]
        if s.over or s.skip_forced:
            continue
        seat = int(s.seat)
        action = keen_action(states, rng)
        if reveals(states, action, seat):
            continue
        world = engine.redeal(states, 0, seat, seed)
        output = events(states, action, seat)
        assert events(world, action, seat) == output
        after = engine.clone(states, 0)
        engine.apply(after, 0, action)
        engine.apply(world, 0, action)
        assert np.array_equal(seen(after, seat), seen(world, seat))
        hidden += len(differing(after, world)) > 0
    assert hidden > 300
