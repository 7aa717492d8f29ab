"""What each mode of Berserk shows in the terminal and on the page: boards that fit, partners, no secret."""

import builtins
from importlib import import_module

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.games.berserk.engine import Decision

FORMS = ("berserk", "berserk_team", "berserk_laar")


def positions(game, **options):
    """Positions of a random game."""
    play = games.game(game).play
    states, rng = (
        games.game(game).new_game(5, games.options_from(game, skip_forced=False, **options)),
        np.random.default_rng(5),
    )
    while not states[0].over:
        yield states
        legal = states[0].mask.nonzero()[0]
        play.apply(states, 0, int(rng.choice(legal[legal > 0] if len(legal) > 1 else legal)))


@pytest.mark.parametrize("game", FORMS)
def test_boards_fit_a_terminal_and_cut_nothing(game):
    """100 columns; of each card all that there is to say stands in its cell."""
    board = import_module(f"bloodrage_env.games.{game}.notation.board")
    seen = 0
    for position in positions(game):
        states = games.game(game).play.clone(position, 0)
        s = states[0]
        for slot in range(len(s.card)):  # marks that are rare in random games
            if s.cell[slot] >= 0 and s.phase == 5:
                s.tokens[slot], s.poison[slot], s.closed[slot] = 10, 2, 1
        *lines, _ = board.board_text(states, 0, int(s.seat)).splitlines()  # the question is a sentence
        assert max(map(len, lines)) <= 100
        cells = [[line[at : at + board.WIDTH] for line in lines] for at in range(0, board.LINE, board.WIDTH + 1)]
        texts = ["".join("".join(column).split()) for column in cells]
        for slot, card in board.seen_by(states, int(s.seat))["cards"].items():
            if "row" in card and s.phase == 5 and "face_down" not in card:
                wanted = f"{slot} {card['card']} {board.state_of(card)}"
                assert any("".join(wanted.split()) in text for text in texts), wanted
                seen += 1
    assert seen > 100


def test_a_partner_is_no_opponent(capsys, monkeypatch):
    """rules 10.1: in the first lines, and above the board"""
    lines = ["1", "1", "2", "q"]
    monkeypatch.setattr(builtins, "input", lambda prompt="": lines.pop(0))
    argv = ["play", "--game", "berserk_team", "--setup", "fixed", "--seed", "4", "--seat", "b", "--opponents", "random"]
    assert main(argv) == 0
    out = capsys.readouterr().out
    first = "Against Player A (random), Player C (random). Your partner is Player D (random)."
    assert out.splitlines()[0] == first
    assert out.count("Teams: Players A and C against Players B and D; your partner is Player D") > 1


@pytest.mark.parametrize("game", FORMS)
def test_who_has_chosen_in_secret_is_told_by_nothing(game):
    """rules 2.4, 2.5: one text for a purchase, and for a placement at once, whoever is asked; the page names no seat"""
    shown, page = (import_module(f"bloodrage_env.games.{game}.{part}") for part in ("notation", "table_page.seen"))
    options = games.options_from(game, placing="at_once")
    texts, seats = {}, {}
    for states in positions(game, placing="at_once"):
        s = states[0]
        if s.decision not in (Decision.BUY, Decision.PLACE):
            continue
        text = shown.public_decision_text(states, 0)
        view = page.seen(states, -1, asked=False, choices=[], options=options)["scene"]["question"]
        assert view["text"] == text
        texts.setdefault(int(s.decision), set()).add((text, view["seat"]))
        seats.setdefault(int(s.decision), set()).add(int(s.seat))
    assert {len(each) for each in texts.values()} == {1}
    wanted = {"berserk": 2, "berserk_team": 4, "berserk_laar": 1}[game]
    assert [len(each) for each in seats.values()] == [wanted] * 2
