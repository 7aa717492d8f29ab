"""What one seat sees of a game, written down while it is played, and every history that fits it, counted one by one.

Nothing is read from what the engine notes of its own about packs, shown or known cards: the diary looks at the packs
that the seat holds, at the answers that are open to all (rules 2.6), at hand sizes and at the discards.

A history says where each hidden card lies, which copy was shown, and which card was committed or kept; all weigh the
same. With three players or more only Age 1 is counted: later Ages are too many.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from typing import Any

import numpy as np
from random_play import P5, keen_action
from seen import seen

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.cards import COPIES, TYPE
from bloodrage_env.games.bloodrage.engine.ids import CardSet, CardType, Decision, Phase

Cards = tuple[int, ...]
Fill = tuple[Cards, ...]  # sorted cards of each seat that come from the deal of an Age; the viewer's stay empty
DEALT, DRAFTED = 8, 6
DECKS = COPIES[[CardSet.BASE, CardSet.P5]].sum(axis=0)


class TooHardError(Exception):
    """Something that the diary does not follow: the Age ended with a battle, or cards went several ways."""


class Clan:
    """One way in which an opponent's cards may lie: those from deals, those all have seen go there, the committed."""

    def __init__(self, hidden: Cards = (), known: Cards = (), quests: Cards = ()) -> None:
        self.key = (tuple(sorted(hidden)), tuple(sorted(known)), quests)


class Diary:
    """A game, and what `viewer` has seen of it."""

    def __init__(self, seed: int, players: int, viewer: int) -> None:
        self.states = engine.new_game(seed, players, skip_forced=False, sets=P5)
        self.seed, self.players, self.viewer = seed, players, viewer
        self.picks = 2 if players == 2 else 1
        self.packs: dict[tuple[int, int], Counter[int]] = {}
        self.kept: dict[tuple[int, int], list[int]] = {}
        self.opponents = [seat for seat in range(players) if seat != viewer]
        self.events: dict[int, list[tuple[Any, ...]]] = {seat: [] for seat in self.opponents}
        self.table: dict[int, list[int]] = {}  # cards played in a battle, by seat
        self.revealed = False
        self.stolen: list[tuple[int, int]] = []  # seat and card, out of the hands of others
        self.sizes = self.discards = None  # hand sizes and open discards when the battle began

    @property
    def state(self) -> Any:
        return self.states[0]

    def round(self) -> int:
        """Which round of the draft the viewer is in: it has kept so many cards of this Age."""
        age = int(self.state.age)
        return sum(len(cards) for (a, _), cards in self.kept.items() if a == age) // self.picks

    # ---- writing

    def answer(self, action: int) -> None:
        """Give an answer, and note what the viewer sees of it."""
        s = self.state
        seat, decision, card = int(s.seat), int(s.decision), action - act.CARD
        is_card = act.CARD <= action < act.FIGURE_AT
        age = int(s.age)
        if not self.table:
            self.sizes, self.discards = s.hand_size.copy(), s.discards.copy()
        quests = {other: tuple(int(c) for c in s.quests[other, : s.quest_count[other]]) for other in self.opponents}
        if decision == Decision.DRAFT and seat == self.viewer:
            self._note_pick(card)
        if decision == Decision.ACTION and is_card and seat != self.viewer:
            quest = TYPE[card] == CardType.QUEST
            self.events[seat].append(("commit",) if quest else ("show", card))
            if quest:
                quests[seat] += (card,)
        if decision in (Decision.BATTLE_CARD, Decision.LATE_CARD) and is_card:
            self.table.setdefault(seat, []).append(card)
            if decision == Decision.LATE_CARD and seat != self.viewer:
                self.events[seat].append(("show", card))
        assert engine.apply(self.states, 0, action) != engine.ILLEGAL
        if self.table:
            self._follow_battle()
        if (int(s.phase) >= Phase.QUEST and age == int(s.age)) or age < int(s.age):
            self._end_age(age, quests)

    def _note_pick(self, card: int) -> None:
        key = (int(self.state.age), self.round())
        self.packs[key] = self._pack()
        self.kept.setdefault(key, []).append(card)

    def _pack(self) -> Counter[int]:
        """The pack that lies before the viewer."""
        pack = seen(self.states, self.viewer)["pack"]
        return Counter({c: int(2 * pack[c]) for c in np.flatnonzero(pack).tolist()})

    def _follow_battle(self) -> None:
        """Cards are revealed; later they lie in a hand again, or openly among the discards."""
        s = self.state
        if not self.revealed and (s.pending[:, 0] == -1).all():
            self.revealed = True
            for seat in self.opponents:
                if seat in self.table:
                    self.events[seat].append(("show", self.table[seat][-1]))
        if self.revealed and (s.main == -1).all() and not s.late_count.any():
            if int(s.phase) != Phase.ACTION:
                raise TooHardError  # the Age ended with the battle
            self._end_battle()
            self.table, self.revealed = {}, False

    def _end_battle(self) -> None:
        s = self.state
        discarded = Counter(dict(enumerate((s.discards - self.discards).tolist())))
        back: dict[int, list[int]] = {}
        for seat, cards in self.table.items():
            gained = int(s.hand_size[seat] - self.sizes[seat]) + len(cards)
            back[seat] = cards if gained >= len(cards) else sorted((Counter(cards) - discarded).elements())
            if gained > len(cards):  # all that the winner had on the table
                back[seat] = cards + [
                    card
                    for other, lost in self.table.items()
                    if s.hand_size[other] < self.sizes[other]
                    for card in (Counter(lost) - discarded).elements()
                ]
            if gained < len(cards) and any(s.hand_size[other] > self.sizes[other] for other in self.table):
                back[seat] = []
            if len(back[seat]) != gained:
                raise TooHardError
        for seat in self.opponents:
            self.events[seat] += [("return", card) for card in back.get(seat, [])]
            self.stolen += [(seat, card) for card in back.get(seat, [])[len(self.table.get(seat, [])) :]]

    def _end_age(self, age: int, quests: dict[int, Cards]) -> None:
        for seat in self.opponents:
            if ("end", age) not in [event[:2] for event in self.events[seat]]:
                self.events[seat].append(("end", age, quests[seat], int(self.state.hand_size[seat])))

    # ---- counting

    def groups(self, age: int) -> Iterator[tuple[Counter[int], list[int]]]:
        """Cards that the viewer cannot tell apart by place, and who took each place (-1: nobody, so far)."""
        pool = Counter({card: int(n) for card, n in enumerate(DECKS[self.players, age]) if n})
        pool_places: list[int] = []
        drafting = self.drafting(age)
        done = int(self.state.draft_round) if drafting else DRAFTED // self.picks
        for pack in range(self.players):
            cards, places = None, []
            for turn in range(done + drafting):
                holder = (pack + turn) % self.players
                if holder == self.viewer:
                    seen = self._pack() if turn == done else self.packs[age, turn]
                    if cards is None:
                        pool, pool_places = pool - seen, pool_places + places
                    else:
                        yield cards - seen, places
                    cards = seen - Counter([] if turn == done else self.kept[age, turn])
                    places = []
                elif turn < done:
                    places += [holder] * self.picks
            rest = DEALT - self.picks * done
            if cards is None:
                pool_places += places
            else:
                yield cards, places + [-1] * rest
        yield pool, pool_places + [-1] * (sum(pool.values()) - len(pool_places))

    def fills(self, age: int) -> Counter[Fill]:
        """Every way to fill the places of an Age, by what each seat gets, with the number of ways."""
        total: Counter[Fill] = Counter({((),) * self.players: 1})
        for cards, places in self.groups(age):
            wanted = [places.count(seat) for seat in range(self.players)]
            ways = split(sorted(cards.elements()), wanted)
            total = convolve(total, ways)
        return total

    def positions(self) -> dict[tuple[Any, ...], float]:
        """What the opponents may have, as ((hand, committed quests) of each opponent, in turn): share of histories."""
        if self.players > 2 and int(self.state.age) > 0:
            raise TooHardError
        clans: Counter[tuple[Any, ...]] = Counter({tuple(Clan().key for _ in self.opponents): 1})
        for age in range(int(self.state.age) + 1):
            dealt: Counter[tuple[Any, ...]] = Counter()
            fills = self.fills(age)
            for before, weight in clans.items():
                for fill, ways in fills.items():
                    after = tuple(
                        Clan(key[0] + fill[seat], key[1], key[2]).key
                        for seat, key in zip(self.opponents, before, strict=True)
                    )
                    dealt[after] += weight * ways
            for i, seat in enumerate(self.opponents):
                dealt = follow(dealt, i, self.events_of(seat, age))
            clans = dealt
        result: Counter[tuple[Any, ...]] = Counter()
        for keys, weight in clans.items():
            result[tuple((tuple(sorted(key[0] + key[1])), key[2]) for key in keys)] += weight
        total = sum(result.values())
        return {key: weight / total for key, weight in result.items()}

    def events_of(self, seat: int, age: int) -> list[tuple[Any, ...]]:
        """The events of one Age, its end with it."""
        ends = [i for i, event in enumerate(self.events[seat]) if event[0] == "end"]
        first = ends[age - 1] + 1 if age > 0 else 0
        return self.events[seat][first : ends[age] + 1 if age < len(ends) else None]

    def fits(self, states: Any) -> bool:
        """Whether a redeal is a history that fits, its packs card by card and its hands through all events."""
        s = states[0]
        for i, (hand, quests) in enumerate(self.truth(states)):
            seat = self.opponents[i]
            clans: Counter[tuple[Any, ...]] = Counter({(Clan().key,): 1})
            for age in range(int(s.age) + 1):
                taken = tuple(int(s.deck[age, place]) for place in self.places_of(seat, age))
                dealt = Counter({(Clan(key[0][0] + taken, *key[0][1:]).key,): 1 for key in clans})
                clans = follow(dealt, 0, self.events_of(seat, age))
            if not any(tuple(sorted(key[0][0] + key[0][1])) == hand and key[0][2] == quests for key in clans):
                return False
        return all(
            Counter(s.deck[age, DEALT * pack + turn * self.picks : DEALT * (pack + 1)].tolist()) == seen
            for (age, turn), seen in self.packs.items()
            for pack in [(self.viewer - turn) % self.players]
        )

    def places_of(self, seat: int, age: int) -> list[int]:
        """Where in the deck of an Age the cards lie that a seat has taken: place k of a pack is taken k-th."""
        done = int(self.state.draft_round) if self.drafting(age) else DRAFTED // self.picks
        return [
            DEALT * ((seat - turn) % self.players) + self.picks * turn + i
            for turn in range(done)
            for i in range(self.picks)
        ]

    def drafting(self, age: int) -> bool:
        return age == int(self.state.age) and int(self.state.phase) == Phase.GODS_GIFTS

    def truth(self, states: Any) -> tuple[Any, ...]:
        """The key in `positions` of a game."""
        s = states[0]
        result = []
        for seat in self.opponents:
            hand = tuple(int(c) for c in np.flatnonzero(s.hand[seat]) for _ in range(s.hand[seat, c]))
            quests = () if s.quests_open else tuple(int(c) for c in s.quests[seat, : s.quest_count[seat]])
            result.append((hand, quests))  # quests that lie open are not secret
        return tuple(result)


def diaries(players: int, seeds: range, share: float) -> Iterator[Diary]:
    """Games played keenly, stopped at a share of all decisions, never in a battle; seat `seed % players` writes."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        diary = Diary(seed, players, seed % players)
        with suppress(TooHardError):
            while not engine.is_over(diary.states, 0):
                if not diary.table and rng.random() < share:
                    yield diary
                diary.answer(keen_action(diary.states, rng))


def split(cards: list[int], wanted: list[int]) -> Counter[Fill]:
    """Deal cards to seats that get so many each (the rest to nobody): how often each outcome comes up."""
    outcomes: Counter[Fill] = Counter()

    def deal(seat: int, left: list[int], given: Fill) -> None:
        if seat == len(wanted):
            outcomes[given] += 1
            return
        for chosen in combinations(range(len(left)), wanted[seat]):
            hand = tuple(left[i] for i in chosen)
            deal(seat + 1, [card for i, card in enumerate(left) if i not in chosen], (*given, hand))

    deal(0, cards, ())
    return outcomes


def convolve(one: Counter[Fill], other: Counter[Fill]) -> Counter[Fill]:
    """Two independent deals together."""
    total: Counter[Fill] = Counter()
    for a, n in one.items():
        for b, m in other.items():
            total[tuple(tuple(sorted(x + y)) for x, y in zip(a, b, strict=True))] += n * m
    return total


def follow(clans: Counter[tuple[Any, ...]], i: int, events: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    """Let an opponent's events happen to every way in which its cards may lie; ways that do not fit are dropped."""
    for event in events:
        after: Counter[tuple[Any, ...]] = Counter()
        for keys, weight in clans.items():
            for clan, ways in happen(*keys[i], event):
                after[(*keys[:i], clan.key, *keys[i + 1 :])] += weight * ways
        clans = after
    return clans


def without(cards: Cards, card: int) -> Cards:
    left = list(cards)
    left.remove(card)
    return tuple(left)


def happen(hidden: Cards, known: Cards, quests: Cards, event: tuple[Any, ...]) -> Iterator[tuple[Clan, int]]:
    """What may become of an opponent's cards through one event, with the number of ways."""
    kind = event[0]
    if kind == "show" and event[1] in known:
        yield Clan(hidden, without(known, event[1]), quests), 1
    elif kind == "show" and event[1] in hidden:
        yield Clan(without(hidden, event[1]), known, quests), hidden.count(event[1])
    elif kind == "return":
        yield Clan(hidden, (*known, event[1]), quests), 1
    elif kind == "commit":
        for card in {card for card in hidden + known if TYPE[card] == CardType.QUEST}:
            if card in hidden:
                yield Clan(without(hidden, card), known, (*quests, card)), hidden.count(card)
            if card in known:
                yield Clan(hidden, without(known, card), (*quests, card)), known.count(card)
    elif kind == "end" and quests == event[2]:
        if event[3] == 0:
            yield Clan(), 1
        elif len(known) == 1 and not hidden:
            yield Clan((), known), 1
        else:
            for card, ways in Counter(hidden + known).items():
                yield Clan((card,)), ways
