"""The options of a game of Berserk (rules 9.7)."""

from dataclasses import dataclass
from typing import ClassVar, Final

from ...core.engine.options import Flag, GameOptions, OneOf, WholeNumber, option
from .card_lists import DECK, SQUAD_LIST, Cards
from .engine import LAAR, LEAST_PLAYERS, MAX_TURNS, NUM_SEATS
from .mode import NAME, TEAM

_PLAYERS: Final = "one or two" if LAAR else {2: "two", 4: "four"}[NUM_SEATS]
SETUPS: Final = ("full",) if LAAR else ("full", "fixed")
_EITHER: Final = ("steppe", "mountain") * TEAM  # by seat, so that a team has one kind


@dataclass(frozen=True)
class Options(GameOptions):
    """The options of a game of Berserk (rules 9.7).

    `decks` and `squads` have an entry for each seat: a name (`decks.csv` and `squads.csv` have them), or cards by name,
    of a deck with copies, of a squad with cells in the owner's view.

    Raises
    ------
    TypeError
        A value of another type.
    ValueError
        A value out of range. Both errors name the option.

    Examples
    --------
    >>> from bloodrage_env.games.berserk.options import Options
    >>> Options(setup="fixed").changed()
    {'setup': 'fixed'}
    """

    game: ClassVar[str] = NAME

    num_players: int = option(
        NUM_SEATS,
        WholeNumber(LEAST_PLAYERS, NUM_SEATS),
        f"{_PLAYERS} players",
        ("--players", "--seats"),
        f"number of players ({NUM_SEATS})",
    )
    skip_forced: bool = option(
        True, Flag(), "skip questions whose only legal answer is public knowledge (rules 9.1)",
        ("--ask-forced",), "also ask questions whose only legal answer is public knowledge",
    )  # fmt: skip
    combat: str = option(
        "book", OneOf("book", "difference"), "the table that a fight uses (rules 4.4, 4.10)", ("--combat",),
        "the table of a fight (book)",
    )  # fmt: skip
    setup: str = option(
        "full", OneOf(*SETUPS), "`full`: recruiting and placement; `fixed`: given squads (rules 9.7)",
        ("--setup",), "full: players buy and place squads; fixed: given squads (full)",
    )  # fmt: skip
    max_turns: int = option(
        MAX_TURNS, WholeNumber(1, MAX_TURNS), "turns of both players after which the game ends (rules 6.5)",
        ("--max-turns",), "turns after which the game is cut off (200)",
    )  # fmt: skip
    decks: tuple[Cards, ...] = option(
        _EITHER, DECK, "the deck of each seat (rules 9.7)", ("--decks",),
        f"a deck for each player: a name, or a file with lines CARD,COPIES ({','.join(_EITHER)})",
    )  # fmt: skip
    squads: tuple[Cards, ...] = option(
        _EITHER, SQUAD_LIST, "the squad of each seat with a fixed set-up (rules 9.7)", ("--squads",),
        f"a squad for each player, with --setup fixed: a name, or a file with lines CARD,CELL ({','.join(_EITHER)})",
    )  # fmt: skip
    placing: str = option(
        "in_turn", OneOf("in_turn", "at_once"),
        "`in_turn`: Second sees which cells First has taken; `at_once`: each places in secret (rules 2.5)",
        ("--placing",), "in_turn: Second places after First; at_once: both place in secret (in_turn)",
    )  # fmt: skip


DEFAULT: Final = Options()
