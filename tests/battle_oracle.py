"""A second, plain telling of a whole pillage (rules 4, 6.1, 6.2), to be compared with the engine.

It knows the rules by itself: strengths, prices and texts are written out below. `Pillage.play` is a generator that
yields every question as (seat, decision, answers) and is sent the answer; at its end the fields say what is left.
"""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field

from bloodrage_env.games.bloodrage.engine import actions
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place, Stat, Token

Question = tuple[int, Decision, set[int]]
Answers = Generator[Question, int, None]

VILLAGES = {0: 4, 1: 5, 2: 5, 3: 4, 4: 3, 5: 3, 6: 5, 7: 3}
AXES = (3, 4, 5, 6, 8, 8)
HORNS = (4, 5, 6, 7, 10, 10)
YGGDRASIL = Place.YGGDRASIL
KINDS = (Figure.LEADER, Figure.WARRIOR, Figure.SHIP, Figure.MONSTER_1, Figure.MONSTER_2)
PLUS = {
    Card.FRIGGAS_GRACE: 2,
    Card.HEIMDALLS_EYE: 2,
    Card.HEIMDALLS_GAZE: 3,
    Card.ODINS_SMITE: 1,
    Card.ODINS_TIDE: 1,
    Card.ODINS_JUDGEMENT: 2,
    Card.THORS_HAMMER: 1,
    Card.THORS_OATH: 1,
    Card.THORS_ASCENSION: 1,
    Card.THORS_PRIMACY: 3,
    Card.TYRS_BASH: 2,
    Card.TYRS_SMASH: 3,
    Card.TYRS_SMITE: 5,
    Card.TYRS_CRUSH: 4,
    Card.TYRS_RAGE: 6,
}
LATE = (Card.HEIMDALLS_EYE, Card.HEIMDALLS_GAZE)
QUESTS = range(Card.ALFHEIM_1, Card.YGGDRASIL_3 + 1)
DRAGONS = {Card.LOKIS_DRAGONS: 4, Card.FIRE_DRAGONS: 8, Card.ETERNAL_DRAGONS: 12}
MONSTERS = {
    Card.DWARF_CHIEFTAIN: 2,
    Card.TROLL: 2,
    Card.SEA_SERPENT: 3,
    Card.DARK_ELF: 1,
    Card.VALKYRIE: 2,
    Card.FIRE_GIANT: 4,
    Card.FROST_GIANT: 4,
    Card.SOLDIER_OF_HEL: 3,
    Card.VOLUR_WITCH: 3,
}


@dataclass
class Clan:
    """What a clan has; `figures` counts (kind, place)."""

    rage: int
    glory: int = 0
    steps: list[int] = field(default_factory=lambda: [0, 0, 0])
    hand: Counter[Card] = field(default_factory=Counter)
    upgrades: set[Card] = field(default_factory=set)
    monsters: dict[Figure, Card] = field(default_factory=dict)
    figures: Counter[tuple[Figure, Place]] = field(default_factory=Counter)
    main: Card | None = None
    late: list[Card] = field(default_factory=list)
    counted: int = 0
    silenced: bool = False
    fallen: int = 0
    valkyrie_came: bool = False

    def text(self, card: Card) -> bool:
        return self.main == card and not self.silenced

    def raise_stat(self, stat: int) -> None:
        self.steps[stat] = min(5, self.steps[stat] + 1)

    def is_ship(self, kind: Figure) -> bool:
        return kind == Figure.SHIP or self.monsters.get(kind) == Card.SEA_SERPENT


def adjacent(p: int, q: int) -> bool:
    return p != q and (YGGDRASIL in (p, q) or (p - q) % 8 in (1, 7))


class Pillage:
    """One pillage of `province` by the seat `pillager`."""

    def __init__(self, clans: list[Clan], province: Place, pillager: int, token: Token, destroyed: set[int]) -> None:
        self.clans = clans
        self.province = province
        self.pillager = pillager
        self.token = token
        self.destroyed = destroyed
        self.fjord = None if province == YGGDRASIL else Place(9 + province // 2)
        self.order = [(pillager + i) % len(clans) for i in range(len(clans))]
        self.fighters: list[int] = []
        self.discards: Counter[Card] = Counter()
        self.pillaged = False

    def here(self) -> list[Place]:
        return [self.province] if self.fjord is None else [self.province, self.fjord]

    def room(self, place: int) -> bool:
        if place == YGGDRASIL:
            return True
        return sum(n for c in self.clans for (_, at), n in c.figures.items() if at == place) < VILLAGES[place]

    def present(self, clan: Clan) -> list[tuple[Figure, Place]]:
        return [(k, at) for k in KINDS for at in self.here() if clan.figures[k, at] > 0]

    def monster_here(self, clan: Clan, card: Card) -> bool:
        return any(c == card and clan.figures[k, self.province] for k, c in clan.monsters.items())

    def play(self) -> Answers:
        yield from self.call()
        self.fighters = [s for s in self.order if self.present(self.clans[s])]
        winner: int | None = self.pillager
        if self.fighters == [self.pillager]:
            yield from self.reward(self.clans[self.pillager])
            return
        for seat in self.fighters:
            clan = self.clans[seat]
            clan.valkyrie_came = self.monster_here(clan, Card.VALKYRIE)
        yield from self.cards()
        yield from self.ahead_of_comparison()
        yield from self.late_cards()
        totals = {s: self.total(s) for s in self.fighters}
        best = max(totals.values())
        top = [s for s in self.fighters if totals[s] == best]
        winner = top[0] if len(top) == 1 else None
        thief = yield from self.won_and_lost(winner)
        yield from self.cards_go(winner, thief)
        for seat in self.fighters:
            if seat != winner:
                clan = self.clans[seat]
                doomed = Counter({(k, at): clan.figures[k, at] for k, at in self.present(clan)})
                yield from self.destroy(seat, doomed, escape=True)
        if winner == self.pillager:
            yield from self.reward(self.clans[winner])
        if winner is not None:
            self.clans[winner].glory += AXES[self.clans[winner].steps[Stat.AXES]]
        self.fallen_glory()
        yield from self.blessings(winner)

    # ---- steps 2 and 4
    def call(self) -> Answers:
        declined, turn = 0, 1
        while declined < len(self.clans) and self.room(self.province):
            seat = self.order[turn % len(self.order)]
            clan = self.clans[seat]
            able = {
                actions.figure_at(k, at): (k, at)
                for (k, at), n in clan.figures.items()
                if n and at <= YGGDRASIL and adjacent(at, self.province)
            }
            turn += 1
            declined += 1
            if able:
                answer = yield seat, Decision.CALL, {*able, actions.NO}
                if answer != actions.NO:
                    kind, at = able[answer]
                    clan.figures[kind, at] -= 1
                    clan.figures[kind, self.province] += 1
                    declined = 0

    def cards(self) -> Answers:
        while True:
            for seat in self.fighters:
                clan = self.clans[seat]
                clan.main, clan.silenced = None, False
                options = {actions.CARD + c for c, n in clan.hand.items() if n}
                if options:
                    clan.main = Card((yield seat, Decision.BATTLE_CARD, options) - actions.CARD)
                    clan.hand[clan.main] -= 1
            primacy = [s for s in self.fighters if self.clans[s].main == Card.THORS_PRIMACY][:1]
            for seat in self.fighters:
                self.clans[seat].silenced = bool(primacy) and seat not in primacy
            watch = [s for s in self.fighters if self.clans[s].text(Card.HEIMDALLS_WATCH)][:1]
            if not watch:
                return
            shown = [self.clans[s].main for s in self.fighters if self.clans[s].main is not None]
            self.clans[watch[0]].glory += sum(PLUS.get(c, 0) for c in shown)
            self.discards.update(shown)

    # ---- steps 7 to 9
    def ahead_of_comparison(self) -> Answers:
        for seat in self.fighters:
            clan = self.clans[seat]
            worth = {3} if Card.TYRS_DOMAIN in clan.upgrades else set()
            worth |= {5} if Card.TYRS_WRATH in clan.upgrades else set()
            if clan.main in QUESTS and worth:
                clan.counted = (
                    yield seat, Decision.COUNT_QUEST, {actions.COUNT + n for n in {0} | worth}
                ) - actions.COUNT
        tide = False
        for seat in self.fighters:
            if self.clans[seat].text(Card.ODINS_SMITE):
                for victim in self.fighters:
                    if victim != seat and self.clans[victim].figures[Figure.WARRIOR, self.province]:
                        yield from self.destroy(victim, Counter({(Figure.WARRIOR, self.province): 1}), escape=False)
            elif self.clans[seat].text(Card.ODINS_TIDE) and not tide:
                tide = True
                for victim in self.fighters:
                    yield from self.tide(victim)

    def tide(self, seat: int) -> Answers:
        clan = self.clans[seat]
        lost = Counter({(k, at): clan.figures[k, at] for k, at in self.present(clan)})
        if lost.total() > 1:
            kept = yield seat, Decision.KEEP_FIGURE, {actions.figure_at(k, at) for k, at in lost}
            lost[Figure((kept - actions.FIGURE_AT) // 13), Place((kept - actions.FIGURE_AT) % 13)] -= 1
            yield from self.destroy(seat, lost, escape=True)

    def late_cards(self) -> Answers:
        declined, turn = 0, 0
        while declined < len(self.fighters):
            seat = self.fighters[turn % len(self.fighters)]
            clan = self.clans[seat]
            turn += 1
            declined += 1
            answer = yield seat, Decision.LATE_CARD, {actions.NO} | {actions.CARD + c for c in LATE if clan.hand[c]}
            if answer != actions.NO:
                card = Card(answer - actions.CARD)
                clan.hand[card] -= 1
                clan.late.append(card)
                declined = 0

    def total(self, seat: int) -> int:
        clan = self.clans[seat]
        warriors = clan.figures[Figure.WARRIOR, self.province]
        if Card.BROTHERS_IN_ARMS in clan.upgrades:
            strength = warriors // 2 * 3 + warriors % 2
        elif Card.MASTERS_IN_ARMS in clan.upgrades:
            strength = warriors // 2 * 6 + warriors % 2 * 2
        else:
            strength = warriors * (2 if Card.EXPERTS_IN_ARMS in clan.upgrades else 1)
        for kind, at in self.present(clan):
            if kind in clan.monsters:
                elf = clan.monsters[kind] == Card.DARK_ELF and at == YGGDRASIL
                strength += 3 if elf else MONSTERS[clan.monsters[kind]]
            elif kind != Figure.WARRIOR:
                strength += 3 if kind == Figure.LEADER else 2
        strength += PLUS.get(clan.main, 0) + clan.counted + sum(PLUS[c] for c in clan.late)
        if clan.text(Card.HEIMDALLS_SIGHT):
            rivals = [self.clans[s] for s in self.fighters if s != seat]
            strength += max(max([PLUS.get(r.main, 0), r.counted, *(PLUS[c] for c in r.late)]) for r in rivals)
        return strength

    # ---- steps 10 and 11
    def won_and_lost(self, winner: int | None) -> Generator[Question, int, int | None]:
        thief = None
        for seat in self.fighters:
            clan = self.clans[seat]
            if seat == winner:
                clan.glory += 3 * (clan.text(Card.THORS_HAMMER) or clan.text(Card.THORS_ASCENSION))
                clan.rage += 3 * clan.text(Card.THORS_ASCENSION)
                if clan.text(Card.THORS_OATH):
                    yield from self.choose_stat(seat, {0, 1, 2})
            elif winner is not None:
                rich = self.clans[winner]
                rage = min(1, rich.rage) if clan.text(Card.LOKIS_TRICKERY) else 0
                glory = min(2, rich.glory) if clan.text(Card.LOKIS_BACKSTAB) else 0
                rich.rage, clan.rage = rich.rage - rage, clan.rage + rage
                rich.glory, clan.glory = rich.glory - glory, clan.glory + glory
                if clan.text(Card.LOKIS_POISON) and thief is None:
                    thief = seat
        return thief

    def choose_stat(self, seat: int, allowed: set[int]) -> Answers:
        options = {actions.STAT + s for s in allowed if self.clans[seat].steps[s] < 5}
        if options:
            self.clans[seat].raise_stat((yield seat, Decision.STAT, options) - actions.STAT)

    def cards_go(self, winner: int | None, thief: int | None) -> Answers:
        for seat in self.fighters:
            clan = self.clans[seat]
            table = Counter([*([] if clan.main is None else [clan.main]), *clan.late])
            if seat != winner:
                clan.hand.update(table)
            elif thief is not None:
                self.clans[thief].hand.update(table)
            else:
                last = -1
                while Card.TYRS_PROWESS in clan.upgrades and clan.rage > 0:
                    options = {actions.CARD + c for c, n in table.items() if n and c >= last}
                    answer = yield seat, Decision.BUY_BACK, {actions.NO} | options
                    if answer == actions.NO:
                        break
                    last = Card(answer - actions.CARD)
                    table[last] -= 1
                    clan.hand[last] += 1
                    clan.rage -= 1
                self.discards.update(table)

    # ---- step 12, and what dies before
    def destroy(self, seat: int, doomed: Counter[tuple[Figure, Place]], escape: bool) -> Answers:
        clan = self.clans[seat]
        for kind in KINDS:
            for at in self.here():
                number = doomed[kind, at]
                if not number:
                    continue
                options = {actions.COUNT}
                if Card.FRIGGAS_PROTECTION in clan.upgrades:
                    options |= {actions.COUNT + n for n in range(1, min(number, clan.rage) + 1)}
                if escape and clan.monsters.get(kind) == Card.VOLUR_WITCH and at != YGGDRASIL:
                    options.add(actions.YES)
                answer = yield seat, Decision.SAVE, options
                if answer == actions.YES:
                    clan.figures[kind, at] -= 1
                    clan.figures[kind, YGGDRASIL] += 1
                    continue
                saved = answer - actions.COUNT
                clan.rage -= saved
                clan.figures[kind, at] -= number - saved
                clan.figures[kind, Place.VALHALLA] += number - saved
                clan.fallen += number - saved
                if clan.is_ship(kind):
                    paid = sum(DRAGONS.get(c, 0) for c in clan.upgrades)
                    clan.glory += paid * (number - saved)

    # ---- steps 13 to 16
    def reward(self, clan: Clan) -> Answers:
        seat = self.pillager
        self.pillaged = True
        for _ in range(2 if self.monster_here(clan, Card.FROST_GIANT) else 1):
            if self.token == Token.GLORY:
                clan.glory += 5
            else:
                for stat in range(3) if self.token == Token.ALL_STATS else [int(self.token)]:
                    clan.raise_stat(stat)
        if clan.text(Card.FRIGGAS_GRACE):
            yield from self.choose_stat(seat, {0, 1, 2} - {int(self.token)})
        if not clan.figures[Figure.LEADER, self.province]:
            return
        if Card.LORD_OF_AXES in clan.upgrades:
            yield from self.choose_stat(seat, {0, 1, 2})
        elif Card.LORD_OF_SPEARS in clan.upgrades:
            for stat in range(3):
                clan.raise_stat(stat)
        elif Card.LORD_OF_HAMMERS in clan.upgrades:
            where = [p for p in range(9) if adjacent(p, self.province) and p not in self.destroyed and self.room(p)]
            answer = yield seat, Decision.LEADER_MOVE, {actions.NO} | {actions.PROVINCE + p for p in where}
            if answer != actions.NO:
                clan.figures[Figure.LEADER, self.province] -= 1
                clan.figures[Figure.LEADER, Place(answer - actions.PROVINCE)] += 1

    def fallen_glory(self) -> None:
        fallen = sum(self.clans[s].fallen for s in self.fighters)
        for seat in self.fighters:
            clan = self.clans[seat]
            enemies = fallen - clan.fallen
            clan.glory += 2 * fallen if clan.text(Card.ODINS_JUDGEMENT) else 0
            clan.glory += 2 * enemies if clan.valkyrie_came else 0
            clan.glory += 2 if Card.THORS_GLORY in clan.upgrades and enemies >= 2 else 0

    def blessings(self, winner: int | None) -> Answers:
        for seat in self.fighters:
            clan = self.clans[seat]
            board = sum(n for (_, at), n in clan.figures.items() if at < Place.RESERVE)
            if (
                seat != winner
                and Card.LOKIS_BLESSING in clan.upgrades
                and self.province != YGGDRASIL
                and clan.figures[Figure.WARRIOR, Place.RESERVE]
                and board < HORNS[clan.steps[Stat.HORNS]]
                and self.room(self.province)
            ):
                if (yield seat, Decision.BLESSING, {actions.YES, actions.NO}) == actions.YES:
                    clan.figures[Figure.WARRIOR, Place.RESERVE] -= 1
                    clan.figures[Figure.WARRIOR, self.province] += 1
