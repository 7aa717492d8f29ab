"""A position set up by hand, then played through the engine's public functions.

Build (`put`, `hand`, `upgrade`, ...) as in `position.py`, answer questions (`invade`, `card`, ...), read (`figures`,
`glory_of`).
"""

from typing import Any

from position import Position
from scenario_names import action_name, member

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.board import STAT_VALUE
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import NUM_KINDS, NUM_STATS, Decision, Figure, Phase, Place, Source, Stat


class Scenario(Position):
    """A position that is played on: answers and readings."""

    # ---- answering
    def answer(self, seat: int, action: int) -> None:
        """Give an answer by its action id; `seat` must be the one asked and the answer legal."""
        asked, decision = self.asked()
        assert asked == seat, f"seat {asked} is asked {decision.name}, not seat {seat}"
        action = int(action)
        assert self.legal(action), f"{action_name(action)} is illegal; {self.describe()}"
        mask = engine.legal_mask(self.states, 0)
        assert set(mask.tolist()) <= {0, 1}
        assert int(mask.sum()) == int(self.state.num_legal)
        result = engine.apply(self.states, 0, action)
        assert result != engine.ILLEGAL, f"{action_name(action)} was refused; {self.describe()}"
        assert result in (engine.seat_to_act(self.states, 0), engine.GAME_OVER)
        while self.skip_forced and int(self.state.num_legal) == 1:
            engine.apply(self.states, 0, int(self.state.mask.argmax()))

    def invade(self, seat: int, kind: Figure | str, place: Place | str) -> None:
        """The action Invade."""
        self._expect(Decision.ACTION)
        self.choose(seat, kind, place)

    def march(
        self,
        seat: int,
        frm: Place | str,
        to: Place | str,
        leader: int = 0,
        warrior: int = 0,
        monster_1: int = 0,
        monster_2: int = 0,
        mystic: int = 0,
    ) -> None:
        """The action March with so many of each kind."""
        self._expect(Decision.ACTION)
        here, there = member(Place, frm), member(Place, to)
        kinds = (Figure.LEADER, Figure.WARRIOR, Figure.MONSTER_1, Figure.MONSTER_2, Figure.MYSTIC)
        wanted = dict(zip(kinds, (leader, warrior, monster_1, monster_2, mystic), strict=True))
        age = int(self.state.age)
        before = [self.figures(seat, kind, there) for kind in kinds]
        self.answer(seat, act.MARCH_ID[here, there])
        while self.asked() == (seat, Decision.MARCH):
            self.count(seat, wanted[Figure(int(self.state.about_kind))])
        if int(self.state.age) == age and int(self.state.phase) == Phase.ACTION:
            moved = [self.figures(seat, kind, there) - n for kind, n in zip(kinds, before, strict=True)]
            assert moved == list(wanted.values()), f"marched {moved} (leader, warrior, monsters, Mystics)"

    def play(self, seat: int, card: Card | str) -> None:
        """The action of playing an upgrade or committing to a quest."""
        self._expect(Decision.ACTION)
        self.card(seat, card)

    def pillage(self, seat: int, province: Place | str) -> None:
        """The action Pillage."""
        self._expect(Decision.ACTION)
        self.province(seat, province)

    def pass_(self, seat: int) -> None:
        """Passes for the rest of the Age."""
        self.answer(seat, act.PASS)

    def sacrifice(self, seat: int) -> None:
        """The action of Frigga's Sacrifice; the figures are asked next."""
        self.answer(seat, act.SACRIFICE)

    def raise_dead(self, seat: int) -> None:
        """The action of Frigga's Domain; the figure and its place are asked next."""
        self.answer(seat, act.RAISE_DEAD)

    def yes(self, seat: int) -> None:
        """Answers YES."""
        self.answer(seat, act.YES)

    def no(self, seat: int) -> None:
        """Answers NO."""
        self.answer(seat, act.NO)

    def card(self, seat: int, card: Card | str) -> None:
        """Names a card."""
        self.answer(seat, act.CARD + self._card(card))

    def count(self, seat: int, n: int) -> None:
        """Names a number."""
        self.answer(seat, act.COUNT + n)

    def choose(self, seat: int, kind: Figure | str, place: Place | str) -> None:
        """Names a kind of figure and a place."""
        self.answer(seat, act.figure_at(member(Figure, kind), member(Place, place)))

    def raise_stat(self, seat: int, stat: Stat | str) -> None:
        """Names the stat to raise."""
        self.answer(seat, act.STAT + member(Stat, stat))

    def slot(self, seat: int, n: int) -> None:
        """Names the n-th slot of the type, from 0."""
        self.answer(seat, act.SLOT + n)

    def province(self, seat: int, p: Place | str) -> None:
        """Names a province."""
        self.answer(seat, act.PROVINCE + member(Place, p))

    def decline_calls(self) -> None:
        """Everybody declines the call to battle, until another question comes."""
        while self.asked()[1] == Decision.CALL:
            self.no(self.asked()[0])

    def end_action_phase(self) -> None:
        """Takes all Rage from everybody but the actor, who passes: the Action phase is over."""
        seat, decision = self.asked()
        assert decision == Decision.ACTION, self.describe()
        for other in range(self.players):
            if other != seat:
                self.state.rage[other] = 0
        self._dirty = True
        age = int(self.state.age)
        self.pass_(seat)
        assert int(self.state.age) != age or int(self.state.phase) != Phase.ACTION, self.describe()

    # ---- reading
    def asked(self) -> tuple[int, Decision]:
        """Who is asked, and what; (-1, NONE) after the end."""
        if self._dirty:
            self.go()
        if engine.is_over(self.states, 0):
            return engine.GAME_OVER, Decision.NONE
        return int(engine.seat_to_act(self.states, 0)), Decision(int(self.state.decision))

    def legal(self, action: int) -> bool:
        """Whether the open question takes this answer."""
        if self._dirty:
            self.go()
        return bool(engine.legal_mask(self.states, 0)[int(action)])

    def legal_actions(self) -> list[int]:
        """All answers of the open question, ascending."""
        if self._dirty:
            self.go()
        return [int(a) for a in engine.legal_mask(self.states, 0).nonzero()[0]]

    def describe(self) -> str:
        """The open question in words."""
        seat, decision = self.asked()
        return f"seat {seat} is asked {decision.name}: {', '.join(map(action_name, self.legal_actions()))}"

    def can_invade(self, kind: Figure | str, place: Place | str) -> bool:
        """Whether FIGURE_AT[kind, place] is legal (of an Invade or another question of figures)."""
        return self.legal(act.figure_at(member(Figure, kind), member(Place, place)))

    can_choose = can_invade

    def can_march(self, frm: Place | str, to: Place | str) -> bool:
        """Whether the actor may march from one province to another."""
        return self.legal(act.MARCH_ID[member(Place, frm), member(Place, to)])

    def can_play(self, card: Card | str) -> bool:
        """Whether CARD[card] is legal."""
        return self.legal(act.CARD + self._card(card))

    def can_pillage(self, p: Place | str) -> bool:
        """Whether PROVINCE[p] is legal."""
        return self.legal(act.PROVINCE + member(Place, p))

    can_card = can_play
    can_province = can_pillage

    def can_raise_stat(self, stat: Stat | str) -> bool:
        """Whether STAT[stat] is legal."""
        return self.legal(act.STAT + member(Stat, stat))

    def can_count(self, n: int) -> bool:
        """Whether COUNT[n] is legal."""
        return self.legal(act.COUNT + n)

    def can_slot(self, n: int) -> bool:
        """Whether SLOT[n] is legal."""
        return self.legal(act.SLOT + n)

    def can_sacrifice(self) -> bool:
        """Whether Frigga's Sacrifice can be used."""
        return self.legal(act.SACRIFICE)

    def can_raise_dead(self) -> bool:
        """Whether Frigga's Domain can be used."""
        return self.legal(act.RAISE_DEAD)

    def can_pass(self) -> bool:
        """Whether the seat asked may pass."""
        return self.legal(act.PASS)

    def can_yes(self) -> bool:
        """Whether YES is legal."""
        return self.legal(act.YES)

    def can_no(self) -> bool:
        """Whether NO is legal."""
        return self.legal(act.NO)

    def figures(self, seat: int, kind: Figure | str, place: Place | str) -> int:
        """How many figures of a kind a clan has in a place."""
        return int(self.state.figures[seat, member(Figure, kind), member(Place, place)])

    def figures_in(self, seat: int, place: Place | str) -> int:
        """How many figures of all kinds a clan has in a place."""
        return sum(self.figures(seat, Figure(kind), place) for kind in range(NUM_KINDS))

    def glory_of(self, seat: int) -> int:
        """The glory of a clan."""
        return int(self.state.glory[seat])

    def rage_of(self, seat: int) -> int:
        """The Rage left to a clan."""
        return int(self.state.rage[seat])

    def stat_of(self, seat: int, stat: Stat | str) -> int:
        """The printed value of a stat."""
        return int(STAT_VALUE[member(Stat, stat), self.step_of(seat, stat) - 1])

    def step_of(self, seat: int, stat: Stat | str) -> int:
        """The step of a stat, 1 to 6."""
        return int(self.state.stat_step[seat, member(Stat, stat)]) + 1

    def steps_of(self, seat: int) -> list[int]:
        """The steps of Rage, Axes and Horns, each 1 to 6."""
        return [self.step_of(seat, Stat(stat)) for stat in range(NUM_STATS)]

    def hand_of(self, seat: int) -> list[Card]:
        """The cards of a hand, sorted, copies repeated."""
        return _copies(self.state.hand[seat])

    def quests_of(self, seat: int) -> list[Card]:
        """The quests a clan has committed to, in order."""
        return [Card(int(c)) for c in self.state.quests[seat, : self.state.quest_count[seat]]]

    def discards(self) -> list[Card]:
        """The open discard pile, sorted, copies repeated."""
        return _copies(self.state.discards)

    def has_upgrade(self, seat: int, card: Card | str) -> bool:
        """Whether an upgrade lies in a slot of the clan."""
        return bool((self.state.upgrades[seat] == self._card(card)).any())

    def is_pillaged(self, p: Place | str) -> bool:
        """Whether the token of a province is taken."""
        return bool(self.state.pillaged[member(Place, p)])

    def is_destroyed(self, p: Place | str) -> bool:
        """Whether a province is destroyed."""
        return bool(self.state.destroyed[member(Place, p)])

    def from_source(self, seat: int, source: Source | str) -> int:
        """The glory that a clan has from one source."""
        return int(self.state.glory_from[seat, member(Source, source)])

    def _expect(self, decision: Decision) -> None:
        assert self.asked()[1] == decision, self.describe()


def _copies(counts: Any) -> list[Card]:
    return [card for card in Card for _ in range(int(counts[card]))]
