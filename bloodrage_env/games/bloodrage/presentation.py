"""Blood Rage as people see it: the parts of `notation`, `render` and `terminal` by the names that every game has."""

from typing import Final

from ...core.shown.presentation import Presentation, Terminal
from .engine import PASS, SIMULTANEOUS, Decision, States, is_secret
from .notation import CLANS, action_text, decision_text, events, opening_events
from .render.ansi import COLOURS, board_text
from .terminal.cards import about, card_lines, cards, find, reference
from .terminal.menu import card_of, menu, offered
from .terminal.result import result_table, reveals


def context(states: States) -> list[str]:
    """Return the context of a question: none, since the board and the clans' rows show all of it."""
    return []


def basket(states: States) -> None:
    """No question is answered by a set."""
    return


def shows_board(states: States) -> bool:
    """Whether the board is shown before the open question: at the beginning of a turn."""
    return bool(states[0].decision == Decision.ACTION)


def caution(states: States, action: int) -> str:
    """Return a warning before an answer is applied: a pass asks for confirmation."""
    if action != PASS:
        return ""
    s = states[0]
    return f"To pass ends this Age's actions and gives up {s.rage[s.seat]} Rage"


def secret(states: States) -> bool:
    """Whether the open question is answered in secret."""
    return bool(is_secret(states, 0))


def at_once(states: States) -> tuple[int, ...] | None:
    """Return an identifier of a stage in which all clans choose cards face down, or None.

    Such a stage is a round of the draft, the end of an Age, or a battle until the cards are revealed (rules 7.1).
    """
    s = states[0]
    if not (SIMULTANEOUS[s.decision] and is_secret(states, 0)):
        return None
    revealed = int(s.discards.sum())  # a battle may begin again with other cards
    return int(s.decision), int(s.age), int(s.draft_round), int(s.battle_province), revealed


PRESENTATION: Final = Presentation(
    seats=CLANS,
    colours=COLOURS,
    opening_events=opening_events,
    events=events,
    decision_text=decision_text,
    action_text=action_text,
    board_text=board_text,
    result_table=result_table,
    reference=reference,
    about=about,
    facts=cards,
    secret=secret,
    at_once=at_once,
    terminal=Terminal(context, basket, menu, shows_board, caution, offered, card_of, find, card_lines, reveals),
)
