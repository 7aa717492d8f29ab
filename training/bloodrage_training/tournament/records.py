"""The records of a tournament: its plan, the games to play, and stored games."""

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.language.transcript import Talk

Mode = Literal["round-robin", "focus", "random"]
MODES: Final[tuple[str, ...]] = get_args(Mode)


@dataclass(frozen=True)
class Plan:
    """The agents, options and stop rules of a tournament. `plan.py` derives its games.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_training.tournament.records import Plan
    >>> from bloodrage_training.tournament.run import make_plan
    >>> options = games.options_from("bloodrage", num_players=2)
    >>> plan = make_plan(["random", "greedy"], Plan((), (), "round-robin", options, seed=1, deals=1))
    >>> plan.agents, plan.paired
    (('random', 'greedy'), True)
    """

    agents: tuple[str, ...]  # canonical specs, no two alike; in mode "focus" the candidate is the first
    fingerprints: tuple[str, ...]  # of the agents, in the same order
    mode: Mode
    options: GameOptions
    seed: int | None = None  # 0 to 2**63 - 1: the secret follows from it; None: the secret was drawn
    seconds_a_decision: float = 60.0  # a plug-in that takes longer forfeits the game
    deals: int | None = None  # stop rules: None where another one ends it
    until_width: float | None = None  # Elo, of the interval of the leader's difference from the field
    trusted: tuple[str, ...] = ()  # plug-ins that the user trusts, as `registry.Spec.name`
    # Whether each deal is played by all line-ups at all seatings. It is not where a plug-in plays that is not trusted:
    # every game has a deal of its own then. `make_plan` decides it.
    paired: bool = True
    secret: str = field(default="", repr=False)  # 64 hex digits, from which all chance follows; made if left out

    def __post_init__(self) -> None:
        if not self.secret:
            object.__setattr__(self, "secret", secrets.token_hex(32) if self.seed is None else secret_of(self.seed))


def secret_of(seed: int) -> str:
    """Return the secret of a plan with a given seed. A user who can guess the seed knows all deals."""
    return hashlib.sha256(f"bloodrage tournament {seed}".encode()).hexdigest()


def equal_share(game: str, players: int) -> float:
    """Return the win rate of equal players. In teams each player has what its team wins."""
    return games.game(game).team / players


def seats_text(game: str, players: int) -> str:
    """Return who plays in mode "focus": "one seat against 3"; in teams "2 partners against 2"."""
    team = games.game(game).team
    return f"{'one seat' if team == 1 else f'{team} partners'} against {players - team}"


@dataclass(frozen=True)
class PlannedGame:
    """A game to play. `line_up[seat]` is the spec of the agent at each seat."""

    id: str  # 32 hex digits, a hash of all that decides the game
    deal: int
    seating: int  # how far the line-up is turned around the table
    seed: int
    line_up: tuple[str, ...]
    options: GameOptions


@dataclass(frozen=True)
class Unit:
    """The unit of play: one line-up at all its cyclic seatings, so that the effects of the seats cancel. In a paired
    plan its games have the same deal, whose effects cancel, too.
    """

    number: int  # counted through all deals
    games: tuple[PlannedGame, ...]


@dataclass(frozen=True)
class StoredGame:
    """A game that was played, with all data for a replay. Tuples are by seat."""

    id: str
    deal: int
    seating: int
    seed: int
    line_up: tuple[str, ...]
    options: GameOptions
    actions: tuple[int, ...]
    scores: tuple[int, ...]  # when the game ended, or was forfeited
    forfeit_seat: int | None
    forfeit_reason: str | None
    seconds: tuple[float, ...]  # thinking time
    decisions: tuple[int, ...]  # how often the seat was asked
    talk: tuple[Talk | None, ...] = ()  # what a language model took, None at other seats; empty if none played

    @property
    def sides(self) -> int:
        """The number of opposing players or teams. Seats that differ by a multiple of it are partners."""
        return len(self.line_up) // games.game(self.options.game).team

    def talks(self) -> Iterator[tuple[int, Talk]]:
        """Yield the seats of language models, and what each took."""
        return ((seat, talk) for seat, talk in enumerate(self.talk) if talk is not None)
