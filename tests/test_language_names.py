"""Whole moves in other words than those of the list: what they mean, and what is refused."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from berserk_position import FIRST, SECOND, Position
from test_language_answers import turn
from test_structs import NAMED, positions
from toy_installed import toy

from bloodrage_agents import registry
from bloodrage_agents.match import play_game
from bloodrage_env import games
from bloodrage_env.games.berserk.engine import Decision as BerserkDecision
from bloodrage_env.games.bloodrage.engine import PASS, Decision, Figure, Place
from bloodrage_env.language import conformance
from bloodrage_env.language.final import Refusal, RefusedError
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.language.whole import Step

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")

PRICE = re.compile(r" for (?:\d+ Rage|free)\b| \((?:\d+ Rage|free)\)")
NUMBERS = re.compile(r" \d+(?:-\d+-\d+)?, range \d+| \d+-\d+-\d+")


def forms(name: str) -> Iterator[str]:
    """Other forms of a move than its name."""
    yield from (name.replace(" and ", sign) for sign in (", ", " & ", ", and "))
    yield name.replace(" then ", ", then ")
    yield PRICE.sub("", name)
    yield NUMBERS.sub("", name)
    yield re.sub(r"(at .*\([A-Z]\d+\)) on [a-z]\d", r"\1", name)
    if name.startswith("march "):
        yield name.replace(", ", " and ", name.count(", ") - 1)
        yield re.sub(r"march (.*), (\S+ ->)", r"march FIGURES (of \1), \2", name)


@NAMED
def test_a_move_can_be_said_in_other_forms(name: str, options: dict[str, Any], number: int) -> None:
    text, game = TextGame(name), games.game(name)
    for states, rng in positions(name, options, number, 19):
        seat = int(states[0].seat)
        if seat < 0:
            continue
        known = game.hide(states, 0, seat)
        moves = text.moves(known, seat)
        for place in rng.choice(len(moves), min(3, len(moves)), replace=False).tolist():
            for said in {*forms(moves[place].texts[0])}:
                first = text.read(f"Answer: {said}", known, seat)
                actions = [first, *(step.action for step in text.reader.plan)]
                assert actions == [step.action for step in moves[place].steps], said


def question(kind: str) -> tuple[TextGame, Any, int]:
    """A question of the conformance set: an action of Blood Rage with a march of two figures, or a turn of Berserk."""
    asked = conformance.load()[0][{"march": 13, "turn": 23}[kind]]
    return TextGame(asked.game), *asked.known()


def read(text: TextGame, answer: str, known: Any, seat: int) -> list[str]:
    """The names of the actions that an answer means."""
    first = text.read(f"Answer: {answer}", known, seat)
    return [text.reader.name(each) for each in (first, *(step.action for step in text.reader.plan))]


@pytest.mark.parametrize(
    ("kind", "answer", "refusal", "said"),
    [
        ("march", "march FIGURES, Elvagar -> Gimle (1 Rage)", "unreadable", "does not say which figures go"),
        ("march", "march Elvagar -> Gimle", "unreadable", "is a part of a move"),
        ("march", "march leader and warrior, Elvagar -> Gimle (2 Rage)", "unreadable", "another price"),
        ("march", "march leader and a Troll, Elvagar -> Gimle (1 Rage)", "unreadable", "`troll` is not a figure"),
        ("march", "play Frigga's Domain", "unreadable", "is a part of a move"),
        ("march", "pillage Horgr for Horns", "unreadable", "is not a legal action"),
        ("march", "pillage Horgr for Axes, not Elvagar", "unreadable", "is not a legal action"),
        ("march", "pillage Gimle for Axes", "illegal", "no figure in Gimle"),
        ("march", "play Troll for 2 Rage", "illegal", "not in your hand"),
        ("turn", "Orc Bully (A2): to c4 then simple strike 1-2-3 at Hammerer (B1) on c5", "unreadable", "`1`"),
        ("turn", "Orc Bully (A2): to c4 then strike at Hammerer (B1) on d5", "unreadable", "B1 is not on d5"),
        ("turn", "Orc Bully (A2): to c4 then strike at Hammerer (B2)", "unreadable", "`hammerer`"),
        ("turn", "Foot Knight (A2): to d4", "unreadable", "is not the card of this slot"),
        ("turn", "Orc Bully (A2): to e5 then strike c5", "illegal", "A2 can't go to e5 and do this there"),
    ],
)
def test_what_is_said_otherwise_is_refused(kind: str, answer: str, refusal: str, said: str) -> None:
    text, known, seat = question(kind)
    with pytest.raises(RefusedError, match=re.escape(said)) as error:
        text.read(f"Answer: {answer}", known, seat)
    assert error.value.refusal == Refusal(refusal)


def test_a_target_can_be_named_by_its_card_slot_or_cell() -> None:
    text, known, seat = question("turn")
    wanted = read(text, "Orc Bully (A2): to c4 then simple strike 4-5-7 at Hammerer (B1) on c5", known, seat)
    for target in ("Hammerer (B1)", "Hammerer on c5", "Hammerer", "B1", "B1 on c5", "c5"):
        for head in ("Orc Bully (A2): to c4 then", "Orc Bully to c4,", "A2 to c4"):
            assert read(text, f"{head} strike {target}", known, seat) == wanted


def struck() -> tuple[TextGame, Any, int, str, str, str, str]:
    """A turn in which a card can strike one whose slot is the name of a cell, and the card there: the question, the
    slots of the card that acts and of the target, and both cells.
    """
    game, text = games.game("berserk"), TextGame("berserk")
    options = games.options_from("berserk")
    for seed in range(700, 720):
        states = game.new_game(seed, options)
        for action in play_game([registry.make("hold", "berserk") for _ in range(2)], seed, options, (1, 2)).actions:
            if states[0].decision == BerserkDecision.MAIN:
                seat = int(states[0].seat)
                known = game.hide(states, 0, seat)
                said = [re.fullmatch(r".*\(([AB]\d)\): simple strike \S+ at .*\(([AB]\d)\) on (..)", move.texts[0])
                        for move in text.moves(known, seat)]  # fmt: skip
                strikes = {(each[1], each[3]): each[2] for each in said if each}
                for (slot, cell), target in strikes.items():
                    if target.lower() != cell and (slot, target.lower()) in strikes:
                        return text, known, seat, slot, target, cell, target.lower()
            game.play.apply(states, 0, action)
    raise AssertionError("no such turn")


def test_a_slot_is_no_cell() -> None:
    """A slot in capitals is a card, a cell in small letters is one; an answer that does not keep to this is refused."""
    text, known, seat, slot, target, cell, other = struck()
    assert read(text, f"{slot} strike {target}", known, seat) == read(text, f"{slot} strike {cell}", known, seat)
    assert read(text, f"{slot} strike {other}", known, seat) != read(text, f"{slot} strike {cell}", known, seat)
    for answer in (f"{slot.lower()} strike {other}", f"{slot.upper()} to {cell.upper()} strike {target}"):
        with pytest.raises(RefusedError, match=f"{target} is a card and a cell"):
            text.read(f"Answer: {answer}", known, seat)


def beside() -> Position:
    """A turn of Second: an Orc of each player, the one before the other, and a third one that can defend."""
    p = Position(turn=4)
    p.put(SECOND, "Orc", 17)
    p.put(FIRST, "Orc", 12)
    p.put(FIRST, "Orc", 11)
    return p.go()


def test_a_title_before_an_order_is_that_of_an_own_card() -> None:
    """Where the opponent has the same card too."""
    known = games.game("berserk").hide(beside().states, 0, SECOND)
    assert read(TextGame("berserk"), "Orc: to d4", known, SECOND) == ["MOVE[0, LEFT]"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("B1: forward", "c3 is taken (rules 3.4)"),
        ("B1: strike c3, left", "can be carried out only up to its decision 2"),
    ],
)
def test_an_order_of_second_is_refused_for_what_is_before_its_cards(answer: str, said: str) -> None:
    known = games.game("berserk").hide(beside().states, 0, SECOND)
    with pytest.raises(RefusedError) as raised:
        TextGame("berserk", Parts(actions="steps")).read(f"Answer: {answer}", known, SECOND)
    assert raised.value.refusal is Refusal.ILLEGAL
    assert str(raised.value).endswith(said)


def test_a_march_is_refused_for_the_villages_where_it_ends() -> None:
    text, known, seat = turn({"WARRIOR": 2})
    known[0].mask[:] = 0
    known[0].mask[PASS] = 1
    known[0].occupied[Place.HORGR] = 9
    with pytest.raises(RefusedError, match=r"Horgr has no empty village \(rules 3\.2\.6\)$"):
        text.read('{"kind": "march", "arguments": {"from": "Gimle", "to": "Horgr"}}', known, seat)


def test_a_kept_count_is_for_the_figures_it_was_said_of() -> None:
    """Questions of a march are of one kind, and differ by the figures that they ask for (rules 3.2.6)."""
    text, known, seat = turn({"WARRIOR": 2, "LEADER": 1})
    known[0].decision, known[0].about_kind = Decision.MARCH, Figure.WARRIOR
    action = int(known[0].mask.argmax())
    step = Step(action, Decision.MARCH, text.structs.question(known, seat))
    for figure, kept in ((Figure.WARRIOR, action), (Figure.LEADER, None)):
        text.reader.plan, known[0].about_kind = [step], figure
        assert text.kept(known, seat) == kept
    assert text.reader.plan == []


def test_cards_are_taken_back_in_any_order_with_or_without_the_price() -> None:
    game, text = games.game("bloodrage"), TextGame("bloodrage")
    options = games.options_from("bloodrage", num_players=4)
    for seed in range(700, 720):
        states = game.new_game(seed, options)
        agents = [registry.make("balanced", "bloodrage") for _ in range(4)]
        for action in play_game(agents, seed, options, range(4)).actions:
            if states[0].decision == Decision.BUY_BACK and states[0].num_legal > 2:
                seat = int(states[0].seat)
                known = game.hide(states, 0, seat)
                move = next(each for each in text.moves(known, seat) if each.texts[0].count(" and ") == 1)
                found = re.fullmatch(r"take back (.*) for (.*) and (.*) for (.*)", move.texts[0])
                assert found
                one, price, other, _ = found.groups()
                wanted = read(text, move.texts[0], known, seat)
                assert read(text, f"take back {other} and {one}", known, seat) == wanted
                assert read(text, f"take back {other}, {one}", known, seat) == wanted
                wanted = read(text, f"take back {one} for {price}", known, seat)
                assert read(text, f"take back {one}", known, seat) == wanted
                return
            game.play.apply(states, 0, action)
    raise AssertionError("no cards are taken back")
