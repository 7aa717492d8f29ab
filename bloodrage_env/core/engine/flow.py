"""The loop from an answer to the next question: it calls a game's routines until one of them asks."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..compile.decorators import Compiler, Ints, Record
from .checks import check_seed
from .sparse import count_set, nth_set
from .stack import NO_QUESTION, Column

GAME_OVER = -1
ILLEGAL = -2
RESUMED = -1  # a routine has gone on
STOPPED = -2  # there is nothing to go on with before the next answer


class Question(NamedTuple):
    """The two functions of a kind of question."""

    mask: Callable[[Record], None]  # write the legal actions, into a mask of zeros
    apply: Callable[[Record, int, int], None]  # carry out a legal action of a seat; the question is closed


class Rules(NamedTuple):
    """The rules of a game: compiled functions of one record, and tables of them."""

    check_options: Callable[[Ints], None]  # ValueError for options that are none
    set_up: Callable[[Record, int, Ints], None]  # from a seed and the options; pushes the first routine
    routines: Mapping[Any, Callable[[Record], None]]  # by routine: let it go on
    questions: Mapping[Any, Question]  # by kind
    openly_forced: Callable[[Record], bool]  # of a single legal answer: every seat can see that it is
    close: Callable[[Record], None]  # no question is open: `decision` 0, `seat` -1, and other fields of the question
    score: Callable[[Record, int], int]  # of a seat; the most wins
    before_answer: Callable[[Record], None] | None = None  # what else is done when a question is answered


class Flow(NamedTuple):
    """The functions that follow from a game's rules. Compiled code calls them."""

    begin: Callable[[Record, int, Ints], None]
    step: Callable[[Record, int], int]
    advance: Callable[[Record], None]
    go_on: Callable[[Record, int], int]
    resume: Callable[[Record], None]
    fill_mask: Callable[[Record], None]
    is_forced: Callable[[Record], bool]
    pick: Callable[[Record, int], int]
    check_options: Callable[[Ints], None]
    score: Callable[[Record, int], int]


def one_of(compiler: Compiler, name: str, table: Mapping[Any, Callable[..., None]], *more: str) -> Callable[..., None]:
    """Make a rule `(s, number, *more)` that calls the function of a table with this number, if there is one.

    The source of the rule is generated. In compiled code its comparisons take nanoseconds; a tuple of functions would
    take microseconds.
    """
    numbers: dict[Callable[..., None], list[str]] = {}
    for number, function in table.items():
        numbers.setdefault(function, []).append(f"number == {int(number)}")
    functions = [f"function_{i}" for i in range(len(numbers))]
    lines = [f"def make({', '.join(functions)}):"]  # they are in a closure, where `stamps.py` finds their modules
    lines.append(f"    def {name}(s: Record, number: int{''.join(f', {each}: int' for each in more)}) -> None:")
    for i, (called, tests) in enumerate(zip(functions, numbers.values(), strict=True)):
        lines.append(f"        {'elif' if i else 'if'} {' or '.join(tests)}:")
        lines.append(f"            {called}({', '.join(('s', *more))})")
    lines.append(f"    return {name}")
    names: dict[str, Any] = {"__name__": __name__, "Record": Record}
    exec(compile("\n".join(lines), __file__, "exec"), names)
    made: Callable[..., None] = compiler.rule(names["make"](*numbers))
    return made


def flow_for(compiler: Compiler, rules: Rules, num_actions: int, max_decisions: int) -> Flow:
    """Make the functions for one game. A game is cut off after `max_decisions` answers."""
    check_options, set_up, routines, questions, openly_forced, close, score, before_answer = rules
    resume = one_of(compiler, "resume", routines)
    write_mask = one_of(compiler, "write_mask", {kind: each.mask for kind, each in questions.items()})
    apply = one_of(compiler, "apply", {kind: each.apply for kind, each in questions.items()}, "seat", "action")

    @compiler.rule
    def nothing(s: Record) -> None:
        """Do nothing."""

    prepare = before_answer or nothing

    @compiler.shared_rule
    def fill_mask(s: Record) -> None:
        """Write the mask of the open question."""
        s.mask[:] = 0
        write_mask(s, int(s.decision))
        s.num_legal = count_set(s.mask[:])

    @compiler.rule
    def pick(s: Record, rank: int) -> int:
        """Return the legal action with this rank, from 0, in rising order of ids; ILLEGAL if the rank is too large."""
        action = nth_set(s.mask[:], rank)
        return action if action >= 0 else ILLEGAL

    @compiler.shared_rule
    def carry_out(s: Record, action: int) -> None:
        """Answer the open question with a legal action."""
        decision, seat = int(s.decision), int(s.seat)
        s.decisions += 1
        prepare(s)
        # First, since an answer can open the next question.
        s.decision = NO_QUESTION
        apply(s, decision, seat, action)

    @compiler.shared_rule
    def resume_top(s: Record) -> None:
        """Continue the routine on top, without an open question."""
        close(s)
        resume(s, int(s.stack[s.depth - 1, Column.ROUTINE]))

    @compiler.rule
    def is_forced(s: Record) -> bool:
        """Return whether every seat can see that the open question has one legal answer."""
        return s.num_legal == 1 and openly_forced(s)

    @compiler.rule
    def end(s: Record) -> None:
        """Close the game: there are no more questions."""
        close(s)
        s.num_legal = 0
        s.mask[:] = 0

    @compiler.rule
    def advance(s: Record) -> None:
        """Continue to the next question that has to be asked, or to the end.

        With `skip_forced`, an openly forced question is answered here. A game with too many questions is cut off.
        """
        while s.over == 0:
            if s.decision == NO_QUESTION:
                resume_top(s)
                continue
            fill_mask(s)
            if s.decisions >= max_decisions:
                s.truncated = 1
                s.over = 1
            elif s.skip_forced == 0 or not is_forced(s):
                return
            else:
                carry_out(s, pick(s, 0))
        end(s)

    @compiler.shared_rule
    def begin(s: Record, seed: int, options: Ints) -> None:
        """Set up the game and continue to the first question."""
        check_seed(seed)
        check_options(options)
        set_up(s, seed, options)
        advance(s)

    @compiler.rule
    def step(s: Record, action: int) -> int:
        """Answer the open question. Return the seat to act next, GAME_OVER, or ILLEGAL without a change."""
        if s.over == 1:
            return GAME_OVER
        if action < 0 or action >= num_actions or s.mask[action] == 0:
            return ILLEGAL
        carry_out(s, action)
        advance(s)
        return GAME_OVER if s.over == 1 else int(s.seat)

    @compiler.rule
    def go_on(s: Record, action: int) -> int:
        """Do one part of `step`; see `play.Play.go_on`."""
        if s.over == 1:
            return STOPPED
        if action < 0 and s.decision != NO_QUESTION:
            if s.decisions >= max_decisions:
                s.truncated = 1
                s.over = 1
            elif s.skip_forced == 0 or not is_forced(s):
                return STOPPED
            else:
                action = pick(s, 0)
        if action >= 0:
            carry_out(s, action)
        elif s.over == 0:
            resume_top(s)
        if s.over == 1:
            end(s)
        elif s.decision != NO_QUESTION:
            fill_mask(s)
        return action if action >= 0 else RESUMED

    return Flow(begin, step, advance, go_on, resume_top, fill_mask, is_forced, pick, check_options, score)
