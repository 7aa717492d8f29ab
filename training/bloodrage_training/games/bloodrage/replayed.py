"""Data that a store does not contain and a replay provides: glory by source, the draft, cards that were used."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.decorators import Ints, Ints2, entry
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    DRAFT_ROUNDS,
    DRAFTED,
    NUM_AGES,
    NUM_CARDS,
    PACK_SIZE,
    TYPE,
    CardType,
    Decision,
    Phase,
    States,
    check_game,
)

from ...tournament.records import StoredGame

Counts = npt.NDArray[np.int64]


class Picks(NamedTuple):
    """Cards of a draft in any order, one element for each: the seat, the Age from 0, the round from 0, and the card."""

    seats: Counts
    ages: Counts
    rounds: Counts  # 0 to 5, with two players 0 to 2
    cards: Counts


@dataclass(frozen=True)
class Drafted:
    """The cards that were kept, and those that lay in the pack before a seat, once for each round."""

    kept: Picks
    seen: Picks


@dataclass(frozen=True)
class Played:
    """A finished game that was replayed."""

    glory_from: Counts  # int64[seats, NUM_SOURCES]
    first_player: int  # of the first Age
    drafted: Drafted
    used_seats: Counts  # who laid an upgrade, committed to a quest, or showed a battle card in a battle ...
    used_cards: Counts  # ... and which card it was


class Replayer:
    """Replays stored games, all in the same record."""

    def __init__(self) -> None:
        self._states = np.zeros(1, engine.STATE)

    def play(self, game: StoredGame) -> Played:
        """Replay a game without a forfeit to its end.

        Raise UserError for an illegal action, or if the glory at the end differs from the store.
        """
        states, options = self._states, game.options
        engine.reset(states, 0, game.seed, options.numbers())
        first_player = int(states["first_player"][0])
        actions = np.array(game.actions, np.int64)
        laid = np.zeros((len(actions), 2), np.int64)
        count = replay_actions(states, actions, laid)
        glory = states["glory"][0, : options.num_players]
        if count < 0 or tuple(glory.tolist()) != game.scores:
            raise _damaged(game)
        used_seats, used_cards = _shown_battle_cards(states)
        return Played(
            glory_from=states["glory_from"][0, : options.num_players].astype(np.int64),
            first_player=first_player,
            drafted=_drafted(states, options.num_players),
            used_seats=np.append(used_seats, laid[:count, 0]),
            used_cards=np.append(used_cards, laid[:count, 1]),
        )


@entry
def replay_actions(states: States, actions: Ints, laid: Ints2) -> int:
    """Play all actions of the first game. Write seat and card of every upgrade and every committed quest.

    Both are actions of a turn. `laid` is int64[len(actions), 2]. Return the number of its rows that were written, -1 if
    the actions are not those of a whole game. Raise ValueError for another shape, and for shared memory.
    """
    check_game(states, 0)
    if not apart((states, actions, laid)):
        raise ValueError("states, actions and laid must not share memory")
    if laid.shape != (len(actions), 2):
        raise ValueError("laid must have the shape (len(actions), 2)")
    s = states[0]
    count = 0
    for place in range(len(actions)):
        action = actions[place]
        if s.decision == Decision.ACTION and CARD <= action < CARD + NUM_CARDS:
            laid[count, 0] = s.seat
            laid[count, 1] = action - CARD
            count += 1
        if engine.step(s, action) < 0:  # the end, or an illegal action
            return count if s.over == 1 and place == len(actions) - 1 else -1
    return -1


def _damaged(game: StoredGame) -> UserError:
    return UserError(f"game {game.id} of the store doesn't play as it says: the file is damaged, or of other rules")


def _shown_battle_cards(states: engine.States) -> tuple[Counts, Counts]:
    """Return seats and cards of battle cards from a clan's own deal that it has shown, which happens in battles only.

    They are read from the record, not from the actions, because the last card of a hand is played without a question.
    """
    shown = states["shown"][0]
    places = np.nonzero((shown >= 0) & (TYPE[shown] == CardType.BATTLE))
    return places[1].astype(np.int64), shown[places].astype(np.int64)


def _drafted(states: engine.States, num_players: int) -> Drafted:
    """Return the draft of all Ages, which the deck contains (`engine/state.py`)."""
    deck = states["deck"][0].astype(np.int64)
    kept, seen = _draft_table(num_players, tuple(_ages_drafted(states)), deck.shape[1])
    cards = deck.ravel()
    return Drafted(*(each._replace(cards=cards[each.cards]) for each in (kept, seen)))


def _ages_drafted(states: engine.States) -> list[int]:
    """Return the Ages whose draft is complete. A game that was cut off has fewer, a first game none in Age 1 (rules
    3.1.4).
    """
    age, phase = int(states["age"][0]), int(states["phase"][0])
    done = NUM_AGES if phase == Phase.OVER else age + int(phase != Phase.GODS_GIFTS)
    return list(range(int(states["first_game"][0]), min(done, NUM_AGES)))


@cache
def _draft_table(num_players: int, ages: tuple[int, ...], cards: int) -> tuple[Picks, Picks]:
    """Return the cards that are kept, and those that a seat sees, as places in the decks, of so many cards each.

    Packs go to the left; place k of a pack is the card taken k-th from it, two at a time with two players (rules 3.1).
    """
    picks = DRAFTED // int(DRAFT_ROUNDS[num_players])
    places = np.arange(num_players * PACK_SIZE)
    pack, place = np.divmod(places, PACK_SIZE)
    rounds = place // picks
    kept = place < DRAFTED
    views = [
        ((pack + step) % num_players, np.full(len(places), step), places, place >= step * picks)
        for step in range(DRAFT_ROUNDS[num_players])
    ]
    seats, steps, at = (np.concatenate([view[i][view[3]] for view in views]) for i in range(3))

    def of_ages(seats: Counts, rounds: Counts, places: Counts) -> Picks:
        repeated = np.repeat(np.array(ages, np.int64), len(places))
        count = len(ages)
        return Picks(np.tile(seats, count), repeated, np.tile(rounds, count), repeated * cards + np.tile(places, count))

    return of_ages((pack + rounds)[kept] % num_players, rounds[kept], places[kept]), of_ages(seats, steps, at)
