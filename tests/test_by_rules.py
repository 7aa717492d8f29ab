"""Search and analysis from the rules of a game alone: the toy has no compiled rollouts, tree or analyst."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from toy_installed import toy

from bloodrage_agents import by_rules, parts, registry
from bloodrage_agents.analysis import line_moves
from bloodrage_agents.base import View
from bloodrage_agents.budget import Budget
from bloodrage_agents.by_rules import RandomPlay, RulesAnalyst, RulesIsmcts, outcome, roll_out_of, seen_by
from bloodrage_agents.match import GameRecord, play_game
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.game import Game, no_redeal, open_to_all
from bloodrage_env.errors import UserError

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


def played(spec: str, seed: int, seat: int = 0) -> GameRecord:
    """A game of an agent against two random ones."""
    agents = [registry.make(spec if each == seat else "random", "toy") for each in range(3)]
    return play_game(agents, seed, games.options_from("toy", num_players=3), range(3))


@pytest.mark.parametrize("spec", ["ismcts:simulations=100", "flat:simulations=100"])
def test_searches_win_more_than_their_share(spec: str) -> None:
    """By far: three random players win a third each, where the points of three rounds can be equal."""
    won = [played(spec, seed, seed % 3) for seed in range(24)]
    assert {game.forfeit_reason for game in won} == {None}
    best = sum(game.scores[seed % 3] == max(game.scores) for seed, game in enumerate(won))
    assert best >= 15


@pytest.mark.parametrize("spec", ["ismcts:ms=5", "flat:ms=5"])
def test_a_search_plays_by_the_clock(spec: str) -> None:
    """How well depends on the machine."""
    assert played(spec, 1).forfeit_reason is None


def test_a_search_is_a_function_of_what_its_seat_knows() -> None:
    game = games.game("toy")
    states = game.new_game(5, games.options_from("toy", num_players=3))
    game.play.apply(states, 0, int(states[0].mask.argmax()))  # seat 0 has chosen in secret
    search = RulesIsmcts(60, game="toy")
    found = []
    for seed in range(4):
        view = View.of(game.redeal(states, 0, 1, seed), 0, 1, "toy")
        answer = search.search(view, view.record[0].mask.nonzero()[0], 7, Budget(60).start())
        found.append((answer.moves.tolist(), answer.visits.tolist(), answer.values.tolist()))
        assert sum(answer.visits) == 60
        assert np.allclose(answer.values.sum(1), 1)
    assert found[1:] == found[:-1]
    assert 1 <= len(search.line(answer.move, 6)) <= 6


def test_no_seat_answers_by_a_secret_of_another() -> None:
    """Seat 1 has one node for its first question, whatever seat 0 has chosen in a deal."""
    game = games.game("toy")
    states = game.new_game(5, games.options_from("toy"))
    search = RulesIsmcts(80, game="toy")
    view = View.of(states, 0, 0, "toy")
    search.search(view, view.record[0].mask.nonzero()[0], 7, Budget(80).start())
    fixed = game.redeal(states, 0, 0, 3)
    led = []
    for action in fixed[0].mask.nonzero()[0].tolist():
        world = game.play.clone(fixed, 0)
        game.play.apply(world, 0, action)
        led.append(seen_by(game, world, 1))
    assert len(led) == 4
    assert len({*led}) == 1


def test_rollouts_of_several_calls_are_those_of_one() -> None:
    game = games.game("toy")
    view = View.of(game.new_game(1, games.options_from("toy")), 0, 0, "toy")
    actions = view.record[0].mask.nonzero()[0].astype(np.int64)
    one, two = np.zeros(4), np.zeros(4)
    roll_out_of("toy")(view.record, 0, 0, 9, 0, 20, actions, one)
    for first in (0, 10):
        parts.roll_out("toy")(view.record, 0, 0, 9, first, 10, actions, two)
    assert one.tolist() == two.tolist()
    assert one[-1] > one[0]  # the highest number wins its round


@pytest.mark.parametrize("leader", range(3))
def test_values_are_those_of_the_seats_clockwise_from_the_one_that_is_asked(leader: int) -> None:
    game = games.game("toy")
    states = game.new_game(5, games.options_from("toy", num_players=3))
    game.play.apply(states, 0, int(states[0].mask.argmax()))
    states[0].points[leader] = 9
    _, values = RandomPlay("toy").evaluate(states, np.zeros(1, np.int64))
    assert states[0].seat == 1
    assert values[0, :3].tolist() == [1.0 if (1 + turn) % 3 == leader else -0.5 for turn in range(3)]


def test_a_line_contains_no_secret_answer_of_another_seat() -> None:
    """Each answer is a move of the search: those of others are played and not shown."""
    game, analyst = games.game("toy"), parts.study("toy").analyst("network")
    assert isinstance(analyst, RulesAnalyst)
    states = game.new_game(5, games.options_from("toy", num_players=3))
    world, line = game.play.clone(states, 0), list[int]()
    for _ in range(5):
        line.append(int(world[0].mask.nonzero()[0][-1]))
        game.play.apply(world, 0, line[-1])
    view: Any = SimpleNamespace(seat=0, redeal=lambda seed: game.play.clone(states, 0))
    shown = line_moves(analyst._terms, view, line, 1)
    assert [(move.seat, move.action) for move in shown] == [(0, line[0]), (0, line[3])]


def test_games_of_an_analysis_begin_with_whole_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a view the hands of the others are blank, also if its seat is asked."""
    game, analyst, dealt = games.game("toy"), parts.study("toy").analyst("network"), list[int]()
    states = game.new_game(5, games.options_from("toy", num_players=3))
    states[0].points[:2] = 1, 0

    def spied(game: Game, states: Records, index: int, seed: int) -> Any:
        dealt.append(int((states[index].owner >= 0).sum()))
        return outcome(game, states, index, seed)

    monkeypatch.setattr(by_rules, "outcome", spied)
    found = [analyst.analyse(View.of(states, 0, 0, "toy"), 1, 0)]
    found.append(analyst.analyse(View.of(game.redeal(states, 0, 0, 9), 0, 0, "toy"), 1, 0))
    assert {*dealt} == {12}
    assert found[0] == found[1]
    assert found[0].wins[0] > 0.4
    assert [*found[0].probabilities.values()] == [0.25] * 4


def test_analyse(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    replay, page = str(tmp_path / "a.replay"), tmp_path / "a.html"
    assert main(["demo", "--game", "toy", "--players", "3", "--agents", "random", "--quiet", "--save", replay]) == 0
    capsys.readouterr()
    assert main(["analyse", replay, "--simulations", "30", "--html", str(page)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^  Red .* \d+ %", out, re.MULTILINE)
    assert "Moves that cost more than 5 %" in out
    assert "<h2>Analysis</h2>" in page.read_text(encoding="utf-8")
    assert main(["analyse", replay, "--agent", "network:path=a.npz"]) == 1
    assert "Highest is analysed by its rules alone" in capsys.readouterr().err


def test_a_game_without_redeal_says_so_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import toy_game.game

    monkeypatch.setattr(toy_game.game, "GAME", replace(games.game("toy"), redeal=no_redeal))
    record = played("ismcts:simulations=5", 1)
    assert (
        record.forfeit_reason == "this game has no redeal, which searches need: give Game(redeal=...), or open_to_all"
    )
    with pytest.raises(UserError, match="has no redeal"):
        View.of(games.game("toy").new_game(1, games.options_from("toy")), 0, 0, "toy").redeal(1)


def test_a_game_without_secrets_is_searched_in_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    import toy_game.game

    monkeypatch.setattr(toy_game.game, "GAME", replace(games.game("toy"), hide=open_to_all, redeal=open_to_all))
    won = [played("ismcts:simulations=100", seed) for seed in range(24)]
    assert sum(game.scores[0] == max(game.scores) for game in won) >= 12


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"redeal": open_to_all}, "a redeal of what hide leaves is not a game"),
        ({"redeal": open_to_all, "hide": open_to_all}, ""),
        ({"hide": open_to_all}, "hide leaves what a redeal changes"),
    ],
)
def test_check_finds_redeals_that_are_none(
    parts: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import toy_game.game

    monkeypatch.setattr(toy_game.game, "GAME", replace(games.game("toy"), **parts))
    assert main(["check", "--game", "toy", "--games", "20"]) == bool(said)
    assert said in capsys.readouterr().err


def test_a_replay_is_not_explained_by_a_network_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = tmp_path / "toy.brz", tmp_path / "page.html"
    assert main(["demo", "--game", "toy", "--players", "3", "--agents", "random", "--quiet", "--save", str(path)]) == 0
    capsys.readouterr()
    assert main(["replay", str(path), "--html", str(page), "--explain", "network"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "has no network to --explain" in line
    assert not page.exists()
