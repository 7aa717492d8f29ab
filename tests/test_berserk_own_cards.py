"""Cards of one's own in Berserk: the file, its errors, and the rules of its keywords (rules 12)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bloodrage_env.core.compile import stamps
from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.engine import Attack, Card, Effect, keywords, own
from bloodrage_env.games.berserk.engine.decks import WORDS
from bloodrage_env.games.berserk.engine.signature import RULES_VERSION

TESTS = Path(__file__).parent
TABLE = TESTS / "berserk_own_cards.csv"
MAIN = "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"
HEAD = b"name,cost,life,element,strike,movement,keywords\n"


def run(table: Path | str, *arguments: str, compiled: bool = False) -> "subprocess.CompletedProcess[str]":
    """Run Python where these are the own cards."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    variables |= {"NUMBA_DISABLE_JIT": str(int(not compiled)), own.VARIABLE: str(table)}
    return subprocess.run(
        [sys.executable, *arguments], env=variables, cwd=TESTS.parent, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("tests", ["keywords", "marks", "flyers", "flyers_shown", "flyers_browser"])
def test_every_keyword_follows_its_paragraph(tests: str) -> None:
    """Rules 12: these tests, in a process that has a card with each keyword."""
    done = run(TABLE, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/berserk_{tests}.py")
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_the_table_of_these_tests_has_every_keyword_that_no_card_of_the_game_has() -> None:
    """rules 12.1"""
    rows = own.rows_of(TABLE.read_bytes(), "it")
    effects = {item.partition("=")[0] for row in rows for item in row["effects"].split()}
    printed = {each.name.lower() for each in Effect if each < Effect.VANGUARD}
    assert {each.effect for each in keywords.CARD_WORDS} - printed - effects == set()
    assert {Attack[row["ability_1"].split()[0].upper()] for row in rows if row["ability_1"]} >= {Attack.HEAL}


def test_a_file_means_rows_of_the_card_table() -> None:
    """rules 12.1: the words are those in which `bloodrage cards` describes a card."""
    content = HEAD + b"Sky-Warden's Son,5,9,Steppe,2-3-4,1,Elite; armour 1; unique; shot 1-2-3, range 4, 1 token\n\n"
    (row,) = own.rows_of(content.replace(b"\n", b"\r\n"), "it")
    assert (row["card"], row["title"]) == ("SKY_WARDENS_SON", "Sky-Warden's Son")
    assert (row["elite"], row["unique"], row["effects"]) == ("1", "1", "armour=1")
    assert [row[f"ability_{i}"] for i in (1, 2, 3)] == ["shot 1-2-3 range=4 cost=1", "token", ""]
    assert own.rows_of(content, "it") == [row]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it has no cards"),
        (HEAD, "it has no cards"),
        (b"Orc,1\n", "it, line 1: the first line must be name,cost,life,"),
        (HEAD + b"A,5,9,steppe,1-2-3\n", "it, line 2: must have 7 values (name,cost,"),
        (HEAD + b"?,5,9,steppe,1-2-3,1,\n", "it, line 2: a name has 1 to 24 letters"),
        (HEAD + b"A,0,9,steppe,1-2-3,1,\n", "it, line 2: cost must be 1 to 12, not '0'"),
        (HEAD + b"A,5,99,steppe,1-2-3,1,\n", "it, line 2: life must be 1 to 18, not '99'"),
        (HEAD + b"A,5,9,steppe,1-2-3,x,\n", "it, line 2: movement must be 0 to 2, not 'x'"),
        (HEAD + b"A,5,9,swamp,1-2-3,1,\n", "it, line 2: element must be neutral, steppe or mountain, not 'swamp'"),
        (HEAD + b"A,5,9,steppe,1-2,1,\n", "it, line 2: strike must be one number or three, such as 1-2-3, not '1-2'"),
        (HEAD + b"A,5,9,steppe,1,1,\n", "it, line 2: strike must be three numbers, such as 1-2-3, not '1'"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,armor 1\n", "it, line 2: there is no keyword 'armor 1'; did you mean armour?"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,armour 3\n", "it, line 2: armour must be 1 to 2, not '3'"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,armour\n", "it, line 2: armour must be 1 to 2, not ''"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,flyer\n", "it, line 2: a flyer does not move, so its movement must be 0"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,vanguard 1\n", "it, line 2: vanguard has no number"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,vanguard; vanguard\n", "it, line 2: vanguard is there twice"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,heal 1-2-3\n", "it, line 2: heal must be one number, such as heal 2"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,special strike 2 range 3\n", "it, line 2: special strike must be 0 to 9, not"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,special strike 2; shot 1; throw 1; heal 1\n", "it, line 2: a card has at most"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,magic strike 2, range 3\n", "it, line 2: magic strike has no range: it"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,strike across a row 2, range 3\n", "it, line 2: strike across a row has no"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,shot 2, " + b"x" * 99 + b"\n", "it, line 2: shot can have a range and"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,gain a token, range 2\n", "it, line 2: gain a token has no range, strength or"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,heal 0\n", "it, line 2: heal must be 1 to 9, not '0'"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,-4 from ranged attacks\n", "it, line 2: -X from ranged attacks must be 1 to 3"),
        (HEAD + b"A,5,9,steppe,1-2-3,0,flyer; vanguard\n", "it, line 2: a flyer can't have vanguard"),
        (HEAD + b"A,5,9,steppe,1-2-3,0,flyer; formation\n", "it, line 2: a flyer can't have formation"),
        (HEAD + b"A,5,9,steppe,1-2-3,0,flyer; formation: armour 1\n", "it, line 2: a flyer can't have formation"),
        (HEAD + b"A,5,9,steppe,1-2-3,0,flyer; strike across a row 1\n", "it, line 2: a flyer makes no strike across"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,experience in shots 1\n", "it, line 2: experience in shots needs a shot of"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,shot 1; experience in shots 1\n", "it, line 2: experience in shots needs"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,incorporeal; regeneration 1\n", "it, line 2: nothing heals an incorporeal card"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,gain a token\n", "it, line 2: no ability of the card costs a token"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,opening: tokens 1\n", "it, line 2: no ability of the card costs a token"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,shot 1, 1 token; throw 1; heal 1\n", "it, line 2: a card has at most 3 tap"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,\na,5,9,steppe,1-2-3,1,\n", "it, line 3: a is there twice"),
        (HEAD + b"".join(b"A%c,5,9,steppe,1-2-3,1,\n" % (97 + i) for i in range(16)), "it has 16 cards; at most 15"),
        (b"\xff\xfe", "it is not a text in UTF-8"),
        (b" " * (64 * 1024 + 1), "it is larger than 64 KB"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_table_is_refused_in_one_line(content: bytes, message: str) -> None:
    """rules 12.1"""
    with pytest.raises(UserError) as error:
        own.rows_of(content, "it")
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_every_keyword_is_compiled() -> None:
    """Rules 12: what plain Python plays, numba may refuse."""
    test = "tests/berserk_keywords.py::test_every_state_of_random_games_keeps_the_invariants"
    done = run(TABLE, "-m", "pytest", "-q", "-p", "no:cacheprovider", test, compiled=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD + b"Orc,5,9,steppe,1-2-3,1,\n", ": Orc is a card of the game; give it another name"),
        (HEAD + b"A,5,9,steppe,1-2-3,1,armor\n", ", line 2: there is no keyword 'armor'; did you mean armour?"),
        (None, f"{own.VARIABLE}: "),
    ],
)  # fmt: skip
def test_the_command_line_says_what_is_wrong_with_the_file(tmp_path: Path, content: bytes | None, message: str) -> None:
    """rules 12.1: in one line, without a traceback."""
    table = tmp_path / "my.csv"
    if content is not None:
        table.write_bytes(content)
    done = run(table, "-c", MAIN, "cards", "--game", "berserk")
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_lines_of_a_file_are_counted_as_an_editor_counts_them() -> None:
    """They end at a newline, or a carriage return, and not at what Unicode has for it."""
    with pytest.raises(UserError, match=r"^it, line 3: .* is there twice"):
        own.rows_of(HEAD + "A,5,9,steppe,1-2-3,1,directed;\x0b\u2028\r\na,5,9,steppe,1-2-3,1,\r\n".encode(), "it")


def test_ids_are_left_for_all_own_cards() -> None:
    """rules 12.1: a squad names a card by six bits, 0 for none, and decks have two words."""
    assert len(Card) + own.MAX_CARDS <= min(31 * WORDS, (1 << 6) - 2)
    assert (own.DIGEST, RULES_VERSION) == ("", "3")


def test_what_is_compiled_for_own_cards_is_kept_beside_what_is_compiled_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`SOURCES` of a module belongs to the stamp of what imports it, and to the name of the file."""
    from bloodrage_env.games.berserk.engine.primitives import add_wounds

    function = getattr(add_wounds, "function", getattr(add_wounds, "py_func", add_wounds))
    plain = stamps.stamp(function)
    assert stamps.variant(function) == ""
    table = tmp_path / "my.csv"
    found = {("", plain)}
    for content in (b"one", b"other"):
        table.write_bytes(content)
        monkeypatch.setattr(own, stamps.FURTHER, (table,))
        for cached in (stamps._stamp_of, stamps._variant_of, stamps._content_of):
            cached.cache_clear()
        found.add((stamps.variant(function), stamps.stamp(function)))
    monkeypatch.undo()
    for cached in (stamps._stamp_of, stamps._variant_of, stamps._content_of):
        cached.cache_clear()
    assert len({name for name, _ in found}) == len({stamp for _, stamp in found}) == len(found) == 3
    assert stamps.stamp(function) == plain


@pytest.mark.parametrize("name", ["Astaroth", "varahiel", "Angel", "Demon"])
def test_a_name_of_the_battle_for_laar_is_refused_there(tmp_path: Path, name: str) -> None:
    """rules 11.1, 12.1: in one line"""
    table = tmp_path / "my.csv"
    table.write_bytes(HEAD + f"{name},5,9,steppe,1-2-3,1,\n".encode())
    done = run(table, "-c", MAIN, "cards", "--game", "berserk_laar")
    assert done.returncode in (1, 2)
    assert f"{name} is the name of a card of the Battle for Laar" in done.stderr
    assert done.stderr.count("\n") == 1
