"""What tells one set of rules from another: a version for people, a hash for tests."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ....core.engine.behaviour import behaviour_hash, first_numbers, seeded_actions
from .actions import BLOCKS
from .api import apply, reset
from .card_ids import DEMON, NUM_CARDS
from .cards import ROWS
from .ids import LAAR, Option
from .own import DIGEST, digest_of
from .state import MAX_DECISIONS, STATE, States

# Of the rules as they are played here, of own cards (rules 12.1), and of the demon and the angel (rules 11.1). Replays
# of another version are refused.
_CARDS: Final = [f", own cards {DIGEST}"][: DIGEST != ""] + [f", beings {digest_of(ROWS[DEMON:])}"][:LAAR]
RULES_VERSION: Final = "".join(["3", *_CARDS])

_FIRST_OPTIONS: Final = Option.PLACING  # numbers of the first records; later ones count where they are not 0

# What is left of a finished game. Named one by one, so that a new field or a wider one changes no hash.
_FIELDS: Final = (
    "over", "truncated", "decisions", "turn", "first", "roll_off", "deal_size", "deal", "squad", "card", "cell", "died",
    "by_enemy", "wounds", "closed", "poison", "tokens", "moves",
)  # fmt: skip
FIRST_NUMBERS: Final = first_numbers(BLOCKS, {"MOVE": 50, "ACT": 110, "CELL": 170, "NUMBER": 200})


def behaviour_signature(games: int, options: Sequence[Sequence[int]]) -> str:
    """Sixteen hex digits over so many seeded random games, which take turns with the `options` (numbers of each).

    Only a change of rules may change it. Compiled and plain engine give the same hash.
    """
    states = np.zeros(1, STATE)

    def told(game: int) -> Iterator[npt.ArrayLike]:
        numbers = options[game % len(options)]
        reset(states, 0, game, np.array(numbers))
        actions = seeded_actions(states, apply, game, MAX_DECISIONS)
        yield (*numbers[:_FIRST_OPTIONS], *(each for each in numbers[_FIRST_OPTIONS:] if each), len(actions))
        yield FIRST_NUMBERS[actions]
        yield from (np.ravel(_played(states, name)) for name in _FIELDS)

    return behaviour_hash(games, told, "<i8")


def _played(states: States, name: str) -> npt.NDArray[np.signedinteger]:
    """The numbers of a field, of cards those that exist."""
    values: npt.NDArray[np.signedinteger] = states[name][0]
    return values[:, :NUM_CARDS] if name in ("deal", "squad") else values
