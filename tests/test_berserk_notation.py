"""Berserk in words: names of actions, questions, events, the board, whole states."""

import re

import numpy as np
import pytest
from berserk_position import FIRST, SECOND, Position, new_game

from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.games.berserk import SPEC, engine
from bloodrage_env.games.berserk.engine import NUM_ACTIONS, Act, Decision, Dice
from bloodrage_env.games.berserk.notation import (
    action_id,
    action_name,
    action_text,
    board_text,
    decision_text,
    event_lines,
    public_decision_text,
    state_text,
)
from bloodrage_env.games.berserk.notation.context import context_lines
from bloodrage_env.games.berserk.notation.events import Kind, events
from bloodrage_env.games.berserk.notation.words import slot_name
from bloodrage_env.games.berserk.terminal import menu


def test_every_action_has_a_name_and_back():
    names = [action_name(action) for action in range(NUM_ACTIONS)]
    assert [action_id(name) for name in names] == list(range(NUM_ACTIONS))
    assert {"DONE", "CARD[ORC]", "MOVE[3, LEFT]", "ACT[14, ABILITY_3]", "CELL[17]", "NUMBER[10]"} <= set(names)
    for wrong in (-1, NUM_ACTIONS):
        with pytest.raises(ValueError, match="is not an action"):
            action_name(wrong)
    with pytest.raises(ValueError, match="is the name of no action"):
        action_id("CARD[ORK]")


def games(number: int, **options):
    """Positions of random games, with an answer for each."""
    for seed in range(number):
        rng = np.random.default_rng(seed)
        states = new_game(seed, combat=("book", "difference")[seed % 2], **options)
        while not engine.is_over(states, 0):
            action = int(rng.choice(states[0].mask.nonzero()[0]))
            yield states, action
            engine.apply(states, 0, action)


def test_every_question_and_answer_has_words():
    seen = set()
    for states, _ in games(10, skip_forced=False):
        seen.add(int(states[0].decision))
        assert decision_text(states, 0).startswith("Player ")
        assert public_decision_text(states, 0).startswith(("Player ", "Players A and B "))
        texts = [action_text(states, 0, int(action)) for action in states[0].mask.nonzero()[0]]
        assert len(set(texts)) == len(texts)
    assert len(seen) > 10


def test_events_of_whole_games():
    """Told for a spectator, and for each seat; what a seat is told is part of it."""
    for states, action in games(4):
        found = events(states, action)
        for seat in (0, 1):
            own = events(states, action, seat)
            secret = [each for each in found if each.kind == Kind.SECRET]
            if states[0].seat != seat:
                assert not [each for each in own if each.kind == Kind.SECRET]
            else:
                assert [each for each in own if each.kind == Kind.SECRET] == secret
        if states[0].phase < engine.Phase.PURCHASE:
            assert found


def test_events_of_a_strike():
    p = Position()
    a, b = p.put(FIRST, "Orc", 12), p.put(SECOND, "Nomad", 17, wounds=6)
    p.put(SECOND, "Nomad", 29)
    p.act(a, Act.STRIKE)
    p.dice(4, 2)
    assert event_lines(p.states, p.seen(17)) == [
        "Player A: Nomad (B1) on c4",
        "  dice: white 4 (medium), black 2",
        "  Orc (A1) closes",
        "  Nomad (B1) dies",
    ]
    assert b == 15


def test_events_hide_what_lies_face_down():
    p = Position(turn=1)
    p.s.skip_forced = 0
    a = p.put(FIRST, "Orc", 22)
    p.put(SECOND, "Nomad", 21)
    hidden = p.put(SECOND, "Zvar", 26, face_down=1)
    p.act(a, Act.STRIKE, 21)
    assert p.asked == (SECOND, Decision.DEFENDER)
    p.dice(1, 1)
    mine = event_lines(p.states, p.seen(26), FIRST)
    assert mine[0] == "Player B: a face-down card (B2) on b6"
    assert "  a face-down card (B2) is Zvar" in mine
    assert "Zvar" in event_lines(p.states, p.seen(26), SECOND)[0]
    assert hidden == 16


def test_the_board_shows_each_seat_what_it_may_know():
    p = Position(turn=1)
    p.put(FIRST, "Orc", 12, wounds=3, closed=1)
    p.put(SECOND, "Zvar", 27, face_down=1)
    p.go()
    for viewer, shown in ((None, False), (FIRST, False), (SECOND, True)):
        text = board_text(p.states, 0, viewer)
        assert ("Zvar" in text) == shown
        assert "7/10 m1 closed" in text
    lines = [board_text(p.states, 0, viewer).splitlines() for viewer in (FIRST, SECOND)]
    assert [next(i for i, line in enumerate(each) if "Orc" in line) > 10 for each in lines] == [True, False]


def test_graveyards_are_in_the_order_of_deaths():
    """rules 6.3: cards in Valhalla help in this order, so a struct has it too"""
    p = Position(turn=2)
    second, first = p.bury(FIRST, "Bonecrusher", order=2), p.bury(FIRST, "Orc", order=1, by_enemy=0)
    p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Orc", 29)
    p.go()
    line = f"Graveyard of Player A: Orc ({slot_name(first)}), not by an enemy; Bonecrusher ({slot_name(second)})"
    for viewer in (None, FIRST, SECOND):
        assert line in board_text(p.states, 0, viewer).splitlines()
    struct = structs_of(SPEC).observation(p.states, SECOND)
    assert struct["graveyards"] == {"Player A": [slot_name(first), slot_name(second)]}


def test_the_dump_tells_states_apart():
    for states, action in games(2):
        before = state_text(states, 0)
        after = engine.clone(states, 0)
        engine.apply(after, 0, action)
        assert before != state_text(after, 0) or after[0].decision == states[0].decision


def test_an_answer_that_is_none_has_no_words():
    states = new_game(1)
    with pytest.raises(ValueError, match="is not an answer"):
        action_text(states, 0, 200)
    with pytest.raises(ValueError, match="is not legal"):
        events(states, 200)


def dice_shown(states, action):
    """The dice that the events of an answer show."""
    lines = [each.text for each in events(states, action) if each.text.startswith("dice: ")]
    return re.findall(r"\d", " ".join(lines))


@pytest.mark.parametrize("combat", ["book", "difference"])
def test_every_roll_is_shown(combat):
    """rules 9.5: each die that the generator of the game rolls, also where it shows the number it showed before."""
    same = kinds = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        states = new_game(seed, combat=combat, setup="fixed")
        while not engine.is_over(states, 0):
            legal = states[0].mask.nonzero()[0]
            action = int(rng.choice(legal[1:] if len(legal) > 1 and legal[0] == engine.DONE else legal))
            after = engine.clone(states, 0)
            engine.apply(after, 0, action)
            rolled = int(after[0].chance[3] - states[0].chance[3])  # its last word counts what was drawn
            assert len(dice_shown(states, action)) == rolled
            same += rolled > 0 and (states[0].white == after[0].white).all() and bool(after[0].white.any())
            kinds |= int(after[0].rolled)
            states = after
    assert same > 3
    for die in (Dice.WHITE, Dice.BLACK, Dice.STRENGTH):
        assert kinds >> die & 1


def test_dice_say_how_hard_they_land():
    """rules 4.4, 4.10, 5.3: by the die in the book and for an ability, by both dice with the table of differences."""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Nomad", 17)
    p.act(a, Act.STRIKE)
    p.dice(6, 2)
    assert "  dice: white 6 (strong), black 2" in event_lines(p.states, p.seen(17))
    p = Position(combat="difference")
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Nomad", 17)
    p.act(a, Act.STRIKE)
    p.dice(1, 6)
    lines = event_lines(p.states, p.seen(17))
    assert lines[1:3] == ["  dice: white 1, black 6", "  the strike: misses, the counter: medium"]


def test_where_a_push_leads_is_said_before_it_is_chosen():
    """rules 7.28: a cell, or that it can't be pushed"""
    for blocked in (False, True):
        p = Position()
        p.put(FIRST, "Hammerer", 12)
        p.put(SECOND, "Zvar", 17)
        if blocked:
            p.put(SECOND, "Nomad", 22)
        p.strike(0, 17, 1, 1)
        while p.asked[1] != Decision.PUSH:
            p.no()
        said = "It can't be pushed: the cell is taken or off the board." if blocked else "The push leads to c5."
        assert context_lines(p.states, 0)[-1] == said


def test_a_range_that_differs_from_the_printed_one_is_said():
    """rules 7.15, 7.20"""
    p = Position()
    a = p.put(FIRST, "Initiate of Dzar", 7)
    p.put(SECOND, "Zvar", 22)
    p.s.entered[a] = 2
    p.go()
    assert next(line for line in menu(p.states)[0] if "discharge" in line).endswith("range 3 now")


def test_who_chooses_a_side_reads_what_each_has():
    """rules 2.1, 2.2"""
    text = decision_text(new_game(1), 0)
    assert "First, with the first turn, 24 gold and 22 silver, or Second, with 25 gold and 23 silver?" in text
