"""From answer to question: the loop that calls a game's routines until one of them asks."""

from collections.abc import Callable
from typing import NamedTuple

from .compiled import Compiler, Ints, Record
from .record import NONE
from .stack import NO_QUESTION

GAME_OVER = -1
ILLEGAL = -2


class Rules(NamedTuple):
    """What a game gives: compiled functions of one record."""

    set_up: Callable[[Record, int, Ints], None]  # from a seed and the options; pushes the first routine
    resume: Callable[[Record], None]  # let the routine on top go on
    write_mask: Callable[[Record], None]  # of the open question, into a mask of zeros
    answer: Callable[[Record, int], None]  # carry out a legal action; the question is closed
    openly_forced: Callable[[Record], bool]  # a single legal answer, and every seat can see that
    close: Callable[[Record], None]  # clear what the game's record says of the question
    score: Callable[[Record, int], int]  # of a seat; the most wins


class Flow(NamedTuple):
    """The functions that follow from a game's rules; compiled code calls them."""

    begin: Callable[[Record, int, Ints], None]
    step: Callable[[Record, int], int]
    advance: Callable[[Record], None]
    fill_mask: Callable[[Record], None]
    pick: Callable[[Record, int], int]
    score: Callable[[Record, int], int]


def flow_for(compiler: Compiler, rules: Rules, num_actions: int, max_decisions: int) -> Flow:
    """Make the functions for one game. It is cut off when `max_decisions` questions have been answered."""
    set_up, resume, write_mask, answer, openly_forced, close, score = rules

    @compiler.rule
    def fill_mask(s: Record) -> None:
        """Write the mask of the open question."""
        s.mask[:] = 0
        write_mask(s)
        s.num_legal = s.mask.sum()

    @compiler.rule
    def pick(s: Record, rank: int) -> int:
        """The legal action of this rank."""
        for action in range(num_actions):
            if s.mask[action] == 1:
                if rank == 0:
                    return action
                rank -= 1
        return ILLEGAL

    @compiler.rule
    def close_question(s: Record) -> None:
        """Nothing is open: the routine on top goes on."""
        s.decision = NO_QUESTION
        s.seat = NONE
        close(s)

    @compiler.rule
    def carry_out(s: Record, action: int) -> None:
        """Close the open question with a legal action."""
        s.decisions += 1
        answer(s, action)

    @compiler.rule
    def advance(s: Record) -> None:
        """Go on to the next question that has to be asked, or to the end.

        With `skip_forced` a question that is openly forced is answered here. A game that asks too much is cut off.
        """
        while s.over == 0:
            if s.decision == NO_QUESTION:
                close_question(s)
                resume(s)
                continue
            fill_mask(s)
            if s.decisions >= max_decisions:
                s.truncated = 1
                s.over = 1
            elif s.skip_forced == 0 or s.num_legal != 1 or not openly_forced(s):
                return
            else:
                carry_out(s, pick(s, 0))
        close_question(s)
        s.num_legal = 0
        s.mask[:] = 0

    @compiler.rule
    def begin(s: Record, seed: int, options: Ints) -> None:
        """Set up and go on to the first question."""
        if seed < 0:
            raise ValueError("seed must be 0 to 2**63 - 1")
        set_up(s, seed, options)
        advance(s)

    @compiler.rule
    def step(s: Record, action: int) -> int:
        """Answer the open question: the seat to act next, GAME_OVER, or ILLEGAL with nothing changed."""
        if s.over == 1:
            return GAME_OVER
        if action < 0 or action >= num_actions or s.mask[action] == 0:
            return ILLEGAL
        carry_out(s, action)
        advance(s)
        return GAME_OVER if s.over == 1 else int(s.seat)

    return Flow(begin, step, advance, fill_mask, pick, score)
