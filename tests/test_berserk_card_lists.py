"""Own decks and squads of Berserk: files, the command line, replays, stores (rules 9.7)."""

import argparse
import json

import pytest

from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.files import MAX_TABLE
from bloodrage_env.games.berserk.card_lists import DECK, SQUAD_LIST, deck_name
from bloodrage_env.games.berserk.engine import DECKS, Card
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.replay import Replay

TEN = [("Orc", 3), ("NOMAD", 3), ("kshar", 3), ("Firemane", 3), ("Snakehead", 3), ("Hall Guard", 3), ("Axe Master", 3),
       ("Mrazen", 3), ("Cutthroat", 3), ("Zvar", 3)]  # fmt: skip
OWN = "".join(f"{card},{copies}\n" for card, copies in TEN)


@pytest.fixture
def deck_file(tmp_path):
    path = tmp_path / "my.csv"
    path.write_text(OWN)
    return str(path)


def fails(capsys, argv, status=1):
    """Run a command that must fail; returns its one line."""
    assert main(argv) == status
    err = capsys.readouterr().err
    assert err.count("\n") == 1, err
    return err


def test_a_file_is_read_in_every_form_that_programs_write():
    plain = DECK.parse(OWN.encode(), "it")
    assert dict(plain)["HALL_GUARD"] == 3
    for text in (
        "Card,Copies\n" + OWN,
        "\ufeff" + OWN.replace("\n", "\r\n"),
        OWN.replace(",", " , ").replace("\n", "\n\n"),
        "".join(sorted(OWN.splitlines(keepends=True))),
    ):
        assert DECK.parse(text.encode(), "it") == plain
    assert SQUAD_LIST.parse(b"Zvar,12\nOrc,11\nOrc,13\n", "it") == (("ORC", 11), ("ORC", 13), ("ZVAR", 12))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it: a deck has 30 to 50 cards, not 0"),
        (b"Orc,3\nNomad,3\n", "it: a deck has 30 to 50 cards, not 6"),
        (b"Orc,4\n", "it: ORC must be there 1 to 3 times, not 4"),
        (b"Orc,0\n", "it: ORC must be there 1 to 3 times, not 0"),
        (b"Orc,2\norc,1\n", "it: ORC is named twice"),
        (b"card,copies\nOrk,2\n", "it, line 2: there is no card 'Ork'; did you mean Orc?"),
        (b"Orc;2\n", "it, line 1: must be a card and its copies, such as Orc,2"),
        (b"Orc,two\n", "it, line 1: must be a card and its copies, such as Orc,2"),
        (b"Orc,2,3\n", "it, line 1: must be a card and its copies, such as Orc,2"),
        (b"Orc,-2\n", "it, line 1: must be a card and its copies, such as Orc,2"),
        (b'"Orc,2\n', "it, line 1: must be a card and its copies, such as Orc,2"),
        (b"\xff\xfe", "it is not a text in UTF-8"),
        (b"\x00,1\n", "it, line 1: there is no card"),
        (b" " * (MAX_TABLE + 1), "it is larger than 64 KB"),
    ],
)
def test_a_file_that_is_no_deck_is_refused_in_one_line(content, message):
    with pytest.raises(ValueError, match=r"^it") as error:
        DECK.parse(content, "it")
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_the_command_line_names_the_file_and_what_is_wrong_with_it(capsys, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("Orc,2\nOrk,2\n")
    argv = ["demo", "--game", "berserk", "--quiet", "--decks"]
    assert f"{bad}, line 2: there is no card 'Ork'; did you mean Orc?" in fails(capsys, [*argv, f"{bad},steppe"], 2)
    assert f"{tmp_path} can't be read: Is a directory" in fails(capsys, [*argv, f"{tmp_path},steppe"], 2)
    output = fails(capsys, [*argv, f"{tmp_path / 'none.csv'},steppe"], 2)
    assert "decks must be of steppe, mountain, steppe_2, mountain_2, or a file with cards, not " in output
    assert "decks must be two decks, not 1" in fails(capsys, [*argv, "steppe"], 2)


def test_a_replay_with_an_own_deck_plays_without_its_file(capsys, deck_file, tmp_path):
    saved = str(tmp_path / "game.bsk")
    argv = ["demo", "--game", "berserk", "--agents", "random", "--max-turns", "6", "--decks", f"{deck_file},mountain"]
    assert main([*argv, "--quiet", "--save", saved]) == 0
    (tmp_path / "my.csv").unlink()
    capsys.readouterr()
    assert main(["replay", saved, "--verify"]) == 0
    own = DECK.parse(OWN.encode(), "it")
    assert f"decks={DECK.name_of(own)}+mountain" in capsys.readouterr().out
    assert Replay.load(saved).options.decks == (own, "mountain")


@pytest.mark.parametrize("game", games.all_names())
def test_options_are_the_same_behind_the_command_line_and_json(game):
    """For each option of each game: its arguments, and its JSON, make the same options again."""
    own = DECK.parse(OWN.encode(), "it")
    kind = games.game(game).options
    seats = len(games.presentation(game).seats)
    values = {
        "num_players": 1 if game == "berserk_laar" else 3, "first_game": True, "skip_forced": False,
        "sets": ("gods", "mystics"), "combat": "difference", "setup": "fixed", "placing": "at_once", "max_turns": 20,
        "decks": (own, *["steppe"] * (seats - 1)),
        "squads": (*["mountain"] * (seats - 1), (("ORC", 3), ("ORC", 4))),
    }  # fmt: skip
    only = {"berserk": ["num_players"], "berserk_team": ["num_players"], "berserk_laar": ["setup"]}  # with one value
    names = [name for name in kind.facts() if name not in only.get(game, ())]
    for name in names:
        options = kind(**{name: values[name]})
        assert options != kind()
        arguments = options.arguments()
        parser = argparse.ArgumentParser()
        kind.add_arguments(parser)
        assert kind.from_arguments(parser.parse_args(arguments)) == options
        stored = json.loads(json.dumps(games.options_to_json(options)))
        assert games.options_from_json(stored) == options
        assert len(str(options)) < 66


def test_the_same_cards_have_the_same_digest():
    one = Options(decks=(_pairs(0), "steppe"))
    other = Options(decks=(tuple(reversed(_pairs(0))), "steppe"))
    assert str(one) == str(other)
    assert str(Options(decks=(_pairs(1), "steppe"))) != str(one)


def _pairs(start):
    return tuple((Card(card).name, 3) for card in range(start, start + 10))


@pytest.mark.parametrize("game", [name for name in games.all_names() if name != games.FIRST])
def test_a_deck_of_a_game_is_called_by_its_name(game):
    """rules 9.7: the record has more positions than there are cards"""
    seats = len(games.presentation(game).seats)
    for deck in DECKS:
        states = games.game(game).new_game(1, games.options_from(game, decks=[deck] * seats))
        assert deck_name(states[0].deck[0]) == deck
        assert f" {deck}" in games.presentation(game).board_text(states, 0, None, False)
    states = games.game(game).new_game(1, games.options_from(game, decks=[_pairs(0)] * seats))
    assert deck_name(states[0].deck[0]) == DECK.name_of(_pairs(0))
