"""The rules: three rounds in which all choose a number in secret; then the numbers are shown, and the highest scores.

There are the numbers 0 to 23, and each seat is dealt four of them.
"""

from enum import IntEnum
from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compile.decorators import Bytes, Compiler, Ints, entry, rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine import tables
from bloodrage_env.core.engine.batch import Sizes
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words, shuffle
from bloodrage_env.core.engine.checked_play import HOLDS, state_checks_for
from bloodrage_env.core.engine.checks import checks_for
from bloodrage_env.core.engine.flow import Question, Rules, flow_for
from bloodrage_env.core.engine.record import FLAG, NONE, Columns, field, group, head, record
from bloodrage_env.core.engine.stack import stack_for
from bloodrage_env.core.engine.writer import writer_for

# ---- the record, the actions and the observation

NUMBERS, HAND, ROUNDS, SEATS, MOST = 24, 4, 3, 6, 100
EACH, SEAT = tables.numbered(NUMBERS), tables.numbered(SEATS)
BLOCKS = tables.blocks(tables.block("NUMBER", EACH, "play it", {"n": ""}))
SECTIONS = tables.sections(
    tables.section("hand", (EACH,), "own numbers"),
    tables.section("shown", (SEAT, EACH), "numbers played, by seat from the observer on"),
    tables.section("chosen", (EACH,), "the own choice of this round"),
    tables.section("points", (SEAT,), "rounds won / 3, by seat from the observer on", ROUNDS),
)
AT_HAND, AT_SHOWN, AT_CHOSEN, AT_POINTS = tables.starts(SECTIONS).values()


class Decision(IntEnum):
    """The kinds of question."""

    NONE, CHOOSE = 0, 1


class Frame(Columns):
    """The columns of a frame of the stack, with their ranges."""

    ROUTINE = 0, (0, 0)
    STEP = 1, (0, 0)
    SEAT = 2, (NONE, NONE)
    ROUND = 3, (0, ROUNDS)


HEAD = head((2, SEATS), NUMBERS, Decision, MOST, Frame, 1)
GROUPS = (
    group("head", *HEAD._replace(depth=HEAD.depth.within(0, 1))),
    group(
        "numbers",
        field("owner", (NONE, SEATS - 1), "the seat that has a number, or NONE", NUMBERS),
        field("shown", FLAG, "it has been played", NUMBERS),
        field("choice", (NONE, NUMBERS - 1), "the number that waits hidden, or NONE", SEATS),
        field("points", (0, ROUNDS), "rounds won", SEATS),
    ),
)
STATE = record(GROUPS)
COMPILER = Compiler("toy", STATE)
State: TypeAlias = Annotated[np.record, COMPILER.record]
States: TypeAlias = Annotated[npt.NDArray[np.record], COMPILER.record[::1]]
push, pop, get, put, ask, clockwise = stack_for(COMPILER)


# ---- the rules


@rule
def check_options(options: Ints) -> None:
    if options[0] < 2 or options[0] > SEATS:
        raise ValueError("num_players must be 2 to 6")


@rule
def set_up(s: State, seed: int, options: Ints) -> None:
    words, deck = local_zeros(NUM_WORDS, np.int64), local_zeros(NUMBERS, np.int64)
    seed_words(words, seed, 0)
    for number in range(NUMBERS):
        deck[number] = number
    shuffle(words, deck, 0, NUMBERS)
    s.num_players, s.skip_forced = options[0], options[1]
    s.over, s.truncated, s.decisions, s.depth = 0, 0, 0, 0
    s.decision = 0
    s.owner[:] = NONE
    s.shown[:], s.choice[:], s.points[:] = 0, NONE, 0
    for i in range(HAND * s.num_players):
        s.owner[deck[i]] = i // HAND
    push(s, 0, NONE)


@rule
def resume(s: State) -> None:
    """All choose, then the choices are shown; what a seat has chosen waits hidden in `choice`."""
    for seat in range(s.num_players):
        if s.choice[seat] == NONE:
            ask(s, Decision.CHOOSE, seat)
            return
    best = s.choice.max()
    for seat in range(s.num_players):
        s.points[seat] += s.choice[seat] == best
        s.shown[s.choice[seat]] = 1
    s.choice[:] = NONE
    put(s, Frame.ROUND, get(s, Frame.ROUND) + 1)
    if get(s, Frame.ROUND) == ROUNDS:
        pop(s)
        s.over = 1


@rule
def write_mask(s: State) -> None:
    for number in range(NUMBERS):
        s.mask[number] = s.owner[number] == s.seat and s.shown[number] == 0


@rule
def answer(s: State, seat: int, action: int) -> None:
    s.choice[seat] = action


@rule
def openly_forced(s: State) -> bool:
    return False


@rule
def close(s: State) -> None:
    ask(s, 0, NONE)


@rule
def score(s: State, seat: int) -> int:
    return int(s.points[seat])


QUESTIONS = {Decision.CHOOSE: Question(write_mask, answer)}
RULES = Rules(check_options, set_up, {0: resume}, QUESTIONS, openly_forced, close, score)
FLOW = flow_for(COMPILER, RULES, NUMBERS, MOST)
CHECKS = checks_for(COMPILER)
fill_mask = FLOW.fill_mask
check_game, check_seat = CHECKS


# ---- what a seat knows


@rule
def write_observation(s: State, me: int, out: Bytes) -> None:
    out[:] = 0
    n = int(s.num_players)
    for number in range(NUMBERS):
        if s.shown[number] == 1:
            out[AT_SHOWN + (int(s.owner[number]) - me + n) % n * NUMBERS + number] = 1
        elif s.owner[number] == me:
            out[AT_HAND + number] = 1
    if s.choice[me] != NONE:
        out[AT_CHOSEN + int(s.choice[me])] = 1
    for r in range(n):
        out[AT_POINTS + r] = s.points[(me + r) % n]


SIZES = Sizes(NUMBERS, tables.length(SECTIONS), SEATS, 2, STATE.itemsize)
WRITER = writer_for(COMPILER, write_observation, tables.scales(SECTIONS))


@rule
def played_by(s: State, seat: int) -> int:
    """How many numbers a seat has played."""
    count = 0
    for number in range(NUMBERS):
        count += s.owner[number] == seat and s.shown[number] == 1
    return int(count)


@rule
def redeal_game(s: State, seat: int, seed: int) -> None:
    """Draw the hands that `seat` has not seen, and what waits hidden in them, in place: from a view, too."""
    words, unseen = local_zeros(NUM_WORDS, np.int64), local_zeros(NUMBERS, np.int64)
    seed_words(words, seed, 1)
    size, at = 0, 0
    for number in range(NUMBERS):
        if s.shown[number] == 0 and s.owner[number] != seat:
            s.owner[number] = NONE
            unseen[size] = number
            size += 1
    shuffle(words, unseen, 0, size)
    for other in range(s.num_players):
        if other != seat:
            for _ in range(HAND - played_by(s, other)):
                s.owner[unseen[at]] = other
                at += 1
            s.choice[other] = unseen[at - 1] if s.over == 0 and other < s.seat else NONE
    if s.seat != seat and s.over == 0:
        fill_mask(s)


@entry
def redeal(states: States, index: int, seat: int, seed: int) -> States:
    """A game that `seat` cannot tell from this one."""
    check_game(states, index)
    check_seat(states[index], seat)
    copies = states[index : index + 1].copy()
    redeal_game(copies[0], seat, seed)
    return copies


@entry
def hide(states: States, index: int, seat: int) -> States:
    """Blank what `seat` cannot know."""
    check_game(states, index)
    check_seat(states[index], seat)
    copies = states[index : index + 1].copy()
    s = copies[0]
    for number in range(NUMBERS):
        if s.shown[number] == 0 and s.owner[number] != seat:
            s.owner[number] = NONE
    for other in range(s.num_players):
        if other != seat:
            s.choice[other] = NONE
    if s.seat != seat:  # the legal answers of another seat are its hand
        s.mask[:], s.num_legal = 0, 0
    return copies


# ---- what a record can be: records also come from files and from other processes


class Invariant(IntEnum):
    """What always holds; the first two are those of every game."""

    NONE, QUESTION, HANDS, POINTS = 0, 1, 2, 3


@rule
def broken(s: State) -> int:
    """The first invariant that is violated, or HOLDS. A seat owns at most four numbers: some may be hidden."""
    points = 0
    for seat in range(SEATS):
        owned = 0
        for number in range(NUMBERS):
            owned += s.owner[number] == seat
        if owned > HAND or (owned > 0 and seat >= s.num_players):
            return Invariant.HANDS
        points += s.points[seat]
    if points > ROUNDS:
        return Invariant.POINTS
    return HOLDS


@rule
def question_holds(s: State) -> bool:
    """Whether the seat that is asked has still to choose."""
    return s.seat >= 0 and s.seat < s.num_players and s.choice[s.seat] == NONE


STATE_CHECKS = state_checks_for(COMPILER, FLOW, check_game, GROUPS, broken, question_holds, Invariant)
