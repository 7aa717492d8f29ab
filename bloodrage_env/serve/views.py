"""The data about a game that a browser receives: what its seat may know, and nothing else.

All of it except the log is computed from `hide`, in which unknown information is blank. The log of a seat is computed
from the events (`core/shown/table_page.py`).

A spectator of people may be one of them. It is shown public information while the game goes on, and all hands, with
chances computed from them, once it is over. No shorter delay is safe in every game. In Blood Rage a card that is kept
at the end of an Age (rules 2.6, 3.3) can stay secret until the end of the game; the hands, packs and discarded cards of
earlier Ages narrow down which one it is, and so do chances. In Berserk what was not bought stays secret, a battle has
no hands, and chances in it would be advice, to which all who play have to agree.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ..core.compile.decorators import Records
from ..core.shown.table_page import PUBLIC
from .evening import evening_view
from .games import Game
from .lessons import lesson_view
from .puzzles import puzzle_view
from .seating import Refused


def known_to(game: Game, seat: int) -> Records:
    """Return the information of a seat: everything for `WATCHER`, and for `PUBLIC` the state with the secrets of all
    seats blank.
    """
    if seat == PUBLIC:
        return game.rules.public(game.states, 0, len(game.seats))
    if seat < 0:
        return game.rules.play.clone(game.states, 0)
    return game.rules.hide(game.shown_to(seat), 0, seat)


def view(
    game: Game, seat: int, saved: bool = True, is_here: Callable[[int], bool] = lambda seat: True
) -> dict[str, Any]:
    """Return the view of a person's seat as plain data; for `WATCHER` everything, for `PUBLIC` public information.

    - `seat` (-1 and -2 for these), `players`: who plays each seat, as {"clan": its name, "person", "agent", "free":
      whether a visitor can take it, "here": whether a person has the page open, "votes": the people who vote to
      have an agent play for its person, "until": until when that person is asked whether it is here, in milliseconds
      since 1970, or None, "undoable": how many answers of an agent that person can undo by coming back};
    - `question`: None unless the seat can answer now, alone or where all choose at once; its `number` beside what the
      game says of it; `waits`: whether it has answered where all choose at once, and others have not; `given`: its
      answers there that it can take back, as in `question`;
    - `turn`: `held`, the seat that may still take back its turn while all others wait, or None; of one's own turn
      `undo`, the numbers to which it can be taken back, and `revealed`: whether something hidden was revealed in it,
      false while the seat waits; `number`, that of the open question, where there is something to undo, else None;
    - `saved`: whether the game is in its file, as given; `hints`: the seats of the people who allow hints;
      `log`: entries as the game makes them;
    - `unavailable`: None, or the `seat` of the agent that can't be asked, and the `reason`; `lesson`: as in
      `lessons.lesson_view`; `puzzle`: as in `puzzles.puzzle_view`; `evening`: as in `evening.evening_view`;
    - all else that the game has its page show (`TablePage.seen`).
    """
    known = known_to(game, seat)
    shown = game.page.seen(known, seat, game.asked(seat) is not None, game.options)
    if shown["question"] is not None:
        shown["question"]["number"] = game.number_for(seat)
    return {
        "seat": seat,
        "turn": _turn(game, seat),
        "players": [_player(game, each, is_here) for each in range(len(game.seats))],
        "waits": game.together.waits(seat),
        "given": [_given(game, seat, *answer) for answer in game.together.given(seat)],
        "saved": saved,
        "hints": game.hints,
        "unavailable": game.unavailable and dict(zip(("seat", "reason"), game.unavailable, strict=True)),
        "lesson": lesson_view(game, seat),
        "puzzle": puzzle_view(game) if seat >= 0 else None,
        "evening": evening_view(game),
        **shown,
        "log": game.log(seat),
    }


def stands(game: Game, seat: int) -> dict[str, Any]:
    """Return how a game stands for a seat: `over`, `asked`, whether the seat is asked, and `turn`, the name of the
    seat that all wait for, None where that is a secret.
    """
    secret = game.over or game.shown.secret(game.states)
    turn = game.seat_to_act if game.held is None else game.held
    return {"over": game.over, "asked": game.asked(seat) is not None, "turn": None if secret else game.names[turn]}


def listed(game: Game, token: str) -> dict[str, Any]:
    """Return the entry of a table on the start page: its `token`, the people's names, and how many seats are free."""
    people = [seat.person or "a person" for seat in game.seats if seat.person is not None and not seat.is_free]
    free = sum(seat.is_free for seat in game.seats)
    return {"token": token, "people": people, "free": free, "seats": len(game.seats)}


def tried(game: Game, seat: int, number: int, actions: Sequence[int]) -> dict[str, Any]:
    """Return what the page shows of answers that are not given yet. Raise Refused."""
    game.check(seat, number)
    if game.page.tried is None:
        raise Refused(404, "this game shows nothing of answers that are not given yet")
    return game.page.tried(known_to(game, seat), seat, actions)


def _player(game: Game, seat: int, is_here: Callable[[int], bool]) -> dict[str, Any]:
    who = game.seats[seat]
    return {
        "clan": game.names[seat],
        "person": who.person,
        "agent": who.agent,
        "free": who.is_free,
        "here": who.person is not None and is_here(seat),
        "votes": game.leaving.votes(seat),
        "until": game.leaving.asked_until(seat),
        "undoable": game.leaving.undoable(seat),
    }


def _given(game: Game, seat: int, question: Records, action: int) -> dict[str, Any]:
    """Return an answer as the page shows it among the choices of its question."""
    known = game.rules.hide(question, 0, seat)
    choices = game.page.seen(known, seat, True, game.options)["question"]["choices"]
    return next(choice for choice in choices if choice["action"] == action)


def _turn(game: Game, seat: int) -> dict[str, Any]:
    undo = game.to_undo(seat)
    return {
        "held": game.held,
        "undo": undo,
        "revealed": game.has_revealed(seat),
        "number": game.number_for(seat) if undo else None,
    }
