"""A position of the game, set up by hand.

Places, figures, stats and tokens are enumeration members or their names in any case; cards are `Card` members
or printed titles, where a quest's title means the face of the position's Age.
"""

from collections.abc import Iterable
from typing import Any

from scenario_names import SLOTS_OF_TYPE, card_of, member

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.board import STAT_VALUE, VILLAGES
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import TYPE
from bloodrage_env.games.bloodrage.engine.ids import (
    FIRST_FJORD,
    MAX_SEATS,
    NONE,
    NUM_BOARD,
    NUM_OUTER,
    CardSet,
    CardType,
    Decision,
    Figure,
    God,
    Place,
    Slot,
    Stat,
    Token,
)

# Which provinces Ragnarok takes in the Ages 1, 2, 3 unless `doomed` says otherwise.
DOOMED = (Place.MYRKULOR, Place.HORGR, Place.ANDLANG)

SPARE = tuple(place for place in list(Place)[:NUM_OUTER] if place not in DOOMED)  # tokens for the gods of later Ages

_bases: dict[tuple[int, int, bool, int], Any] = {}


def _base(players: int, seat: int, skip_forced: bool, sets: int) -> Any:
    """A copy of a fresh first game whose first player is `seat`, at that player's first action."""
    key = (players, seat, skip_forced, sets)
    if key not in _bases:
        for seed in range(1000):
            states = engine.new_game(seed, players, first_game=True, skip_forced=skip_forced, sets=sets)
            if int(states[0].first_player) == seat:
                break
        assert (int(states[0].decision), int(states[0].seat)) == (Decision.ACTION, seat), "no seed fits"
        _bases[key] = states
    return engine.clone(_bases[key], 0)


class Position:
    """One position: an empty board in the Action phase of an Age (1 to 3); `seat` is first player and to act.

    Hands are empty, all stats on step 1, Rage is 6, no province is destroyed or pillaged, all outer tokens
    are RAGE, no god stands anywhere, the doomed provinces are those of `DOOMED`. With `skip_forced` the scenario
    answers all questions with one legal answer, also those that are asked because not everybody can see that
    (rules 7.7). `sets` are bits, as `engine.new_game` takes them; five players have P5 by themselves.
    """

    def __init__(self, players: int = 3, age: int = 1, seat: int = 0, skip_forced: bool = True, sets: int = 0) -> None:
        if players == MAX_SEATS:
            sets |= 1 << CardSet.P5
        self.states = _base(players, seat, skip_forced, sets)
        self.skip_forced = skip_forced
        self.players = players
        self.age = age
        state = self.state
        state.age = age - 1
        state.hand[:] = 0
        state.hand_size[:] = 0
        state.known[:] = 0
        state.known_since[:] = 0
        state.shown[:] = NONE
        state.shown_count[:] = 0
        state.gone[:] = 0
        state.discards[:] = 0
        state.destroyed[:] = 0
        state.pillaged[:] = 0
        state.token[:NUM_OUTER] = Token.RAGE
        state.token[Place.YGGDRASIL] = Token.ALL_STATS
        state.ragnarok[:] = DOOMED
        state.god_in[:] = NONE
        if sets >> CardSet.GODS & 1:
            state.god_tokens[: self.age] = NONE
            state.god_tokens[self.age :, :players] = SPARE[:players]
        state.stat_step[:] = 0
        state.rage[:players] = STAT_VALUE[Stat.RAGE][0]
        self._dirty = True

    # ---- building
    @property
    def state(self) -> Any:
        """The record itself; call `go` after an edit by hand."""
        return self.states[0]

    def put(self, seat: int, kind: Figure | str, place: Place | str, n: int = 1) -> None:
        """Takes n figures of a kind from the reserve to a place of the board or to Valhalla."""
        kind, place = member(Figure, kind), member(Place, place)
        figures = self.state.figures[seat]
        assert figures[kind, Place.RESERVE] >= n, f"reserve of seat {seat} lacks {n} {kind.name}"
        figures[kind, Place.RESERVE] -= n
        figures[kind, place] += n
        assert kind is not Figure.SHIP or place >= FIRST_FJORD, "ships stand in fjords"
        if place < NUM_BOARD:
            standing = int(self.state.figures[:, :, place].sum())
            assert standing <= VILLAGES[place], f"no village left in {place.name}"
        self._dirty = True

    def hand(self, seat: int, *cards: Card | str) -> None:
        """Add cards to a hand."""
        for card in self._cards(cards):
            self.state.hand[seat, card] += 1
        self._dirty = True

    def upgrade(self, seat: int, *cards: Card | str) -> None:
        """Lays upgrades into the first free slot of their type; a monster's figure goes to the reserve."""
        upgrades = self.state.upgrades[seat]
        for card in self._cards(cards):
            slots = SLOTS_OF_TYPE[CardType(int(TYPE[card]))]
            slot = next(s for s in slots if upgrades[s] == NONE)
            upgrades[slot] = card
            if slot in (Slot.MONSTER_1, Slot.MONSTER_2):
                kind = Figure.MONSTER_1 if slot == Slot.MONSTER_1 else Figure.MONSTER_2
                self.state.figures[seat, kind, Place.RESERVE] = 1
        self._dirty = True

    def quest(self, seat: int, *cards: Card | str) -> None:
        """Add quests that the clan has committed to."""
        for card in self._cards(cards):
            assert TYPE[card] == CardType.QUEST
            self.state.quests[seat, self.state.quest_count[seat]] = card
            self.state.quest_count[seat] += 1
        self._dirty = True

    def rage(self, seat: int, n: int) -> None:
        """Set the Rage left."""
        self.state.rage[seat] = n
        self._dirty = True

    def glory(self, seat: int, n: int) -> None:
        """Set the glory."""
        self.state.glory[seat] = n
        self._dirty = True

    def stat(self, seat: int, stat: Stat | str, step: int) -> None:
        """Set a stat to a step from 1 to 6; the Rage left stays as it is."""
        assert 1 <= step <= 6
        self.state.stat_step[seat, member(Stat, stat)] = step - 1
        self._dirty = True

    def token(self, province: Place | str, token: Token | str) -> None:
        """Lays a token on a province."""
        self.state.token[member(Place, province)] = member(Token, token)
        self._dirty = True

    def pillaged(self, *provinces: Place | str) -> None:
        """Marks provinces as pillaged in this Age."""
        self.state.pillaged[[member(Place, province) for province in provinces]] = 1
        self._dirty = True

    def destroyed(self, *provinces: Place | str) -> None:
        """Marks provinces as destroyed."""
        self.state.destroyed[[member(Place, province) for province in provinces]] = 1
        self._dirty = True

    def god(self, god: God | str, province: Place | str) -> None:
        """Puts a god into a province; the other one of the game stands nowhere until it is put too."""
        god = member(God, god)
        here = [int(there) for there in self.state.god_in if there != NONE]
        others = [*here, *(other for other in God if other not in (god, *here))]
        self.state.gods[:] = god, others[0]
        self.state.god_in[member(Place, province)] = god
        self._dirty = True

    def doomed(self, province: Place | str) -> None:
        """Make a province the doomed one of this Age; another Age that had it gets this Age's."""
        province = member(Place, province)
        ragnarok = self.state.ragnarok
        before = int(ragnarok[self.age - 1])
        for other in range(len(ragnarok)):
            if int(ragnarok[other]) == province:
                ragnarok[other] = before
        ragnarok[self.age - 1] = province
        self._dirty = True

    def passed(self, seat: int) -> None:
        """Marks a clan as having passed, its Rage lost."""
        self.state.passed[seat] = 1
        self.state.rage[seat] = 0
        self._dirty = True

    def go(self) -> None:
        """Recomputes the counters and the mask of the question; called by itself after the builders."""
        state = self.state
        for seat in range(self.players):
            state.on_board[seat] = state.figures[seat, :, :NUM_BOARD].sum()
            state.hand_size[seat] = state.hand[seat].sum()
        for place in range(NUM_BOARD):
            state.occupied[place] = state.figures[:, :, place].sum()
        engine.PLAY.refresh(self.states, 0)
        self._dirty = False

    def _card(self, value: Card | str) -> Card:
        return card_of(value, self.age)

    def _cards(self, values: Iterable[Card | str]) -> list[Card]:
        return [self._card(value) for value in values]
