"""The ledger computed again, slowly: from the record, the texts of the cards, and by playing the Age to its end."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from bloodrage_agents.games.bloodrage.compiled.accounts import Payment
from bloodrage_agents.games.bloodrage.compiled.ledger import COUNTED, GOALS, LEDGER
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import (
    ADJACENT,
    EFFECTS,
    FJORD_OF,
    GOAL,
    NONE,
    NUM_CARDS,
    QUEST_GLORY,
    QUESTS,
    STRENGTH,
    TYPE,
    Card,
    CardType,
    Decision,
    Effect,
    Figure,
    Phase,
    Place,
    Token,
)
from bloodrage_env.games.bloodrage.engine.board import SLOT_OF_KIND, VILLAGES

BONUS = [0, 0, 0, 10, 10, 20]  # rules 1.5
PLAIN = {Figure.LEADER: 3, Figure.WARRIOR: 1, Figure.SHIP: 2, Figure.MYSTIC: 2}  # rules 1.4, 6.4.4
REGIONS = {"MANHEIM": (7, 0, 1), "JOTUNHEIM": (2, 3, 4), "ALFHEIM": (5, 6), "YGGDRASIL": (8,)}  # rules 1.1


def total(s: Any, clan: int, effect: Effect) -> int:
    """A number of card texts over the upgrades of a clan (rules 3.2.7)."""
    return sum(int(EFFECTS[effect, card]) for card in s.upgrades[clan] if card != NONE)


def reach(s: Any, clan: int, province: int) -> Any:
    """Figures by kind in a province and its fjord (rules 1.3)."""
    found = s.figures[clan, :, province].astype(int)
    return found + s.figures[clan, :, FJORD_OF[province]] if province < Place.YGGDRASIL else found


def strength(s: Any, clan: int, province: int) -> int:
    """STR for quests (rules 1.4, 3.4, 6.3.14, 6.3.15)."""
    found = 0
    for kind, count in enumerate(reach(s, clan, province)[: len(Figure)].tolist()):
        slot = SLOT_OF_KIND[kind]
        card = NONE if slot == NONE else int(s.upgrades[clan, slot])
        each = PLAIN.get(Figure(kind), 0) if card == NONE else int(STRENGTH[card])
        pair = 2 * each
        if card != NONE and EFFECTS[Effect.PAIR_STRENGTH, card]:
            pair = int(EFFECTS[Effect.PAIR_STRENGTH, card])
        if card != NONE and province == Place.YGGDRASIL and EFFECTS[Effect.YGGDRASIL_STRENGTH, card]:
            each = int(EFFECTS[Effect.YGGDRASIL_STRENGTH, card])
            pair = 2 * each
        found += count // 2 * pair + count % 2 * each
    return found


def ended(states: Any, age: int) -> Any:
    """Glory of each clan if nobody acts any more in the Age and the game ends then (rules 3.2.3 to 3.6, 5).

    Everybody passes, keeps no card and lets figures die. Raises are made on the best tracks.
    """
    states = states.copy()
    s, before, raises = states[0], states[0].stat_step.tolist(), [0] * len(states[0].glory)
    while not s.over and s.age == age:
        action = {Decision.ACTION: engine.PASS, Decision.SAVE: engine.COUNT}.get(Decision(s.decision), engine.NO)
        if s.decision == Decision.STAT:
            action = int(s.mask.argmax())
            raises[s.seat] += 1
        assert s.mask[action], Decision(s.decision)
        engine.apply(states, 0, action)
    glory = s.glory - s.glory_from[:, engine.Source.END_BONUS]
    glory += [bonus(steps) + bonus_gain(steps, count) for steps, count in zip(before, raises, strict=True)]
    return glory + (0 if s.over else end_cards(s))


def end_cards(s: Any) -> Any:
    """What cards pay at the end of the game (rules 5)."""
    figures = s.figures[:, :, : Place.RESERVE].sum((1, 2), dtype=int)
    return figures * [total(s, clan, Effect.END_GLORY) for clan in range(len(figures))]


def without_secrets(states: Any) -> Any:
    """The game without the quests that the seat to act does not know."""
    states = states.copy()
    s = states[0]
    for clan in range(s.num_players):
        if clan != s.seat and not s.quests_open:
            s.quests[clan], s.quest_count[clan] = NONE, 0
    return states


def committed(states: Any) -> Any:
    """The game after the seat has committed the quests of its hand, while it may act; those not met gain nothing."""
    states = states.copy()
    s, seat = states[0], int(states[0].seat)
    for card in QUESTS.tolist():
        for _ in range(s.hand[seat, card]):
            s.quests[seat, s.quest_count[seat]] = card
            s.quest_count[seat] += 1
        s.hand_size[seat] -= s.hand[seat, card]
        s.hand[seat, card] = 0
    return states


def lead(values: Any, rivals: Any = None) -> list[tuple[int, int]]:
    """Ahead and behind: of the first value over the best other one, and over each (`rivals` that count)."""
    rivals = [True] * (len(values) - 1) if rivals is None else rivals
    each = [int(values[0] - value) if its else 0 for value, its in zip(values[1:], rivals, strict=True)]
    counted = [one for one, its in zip(each, rivals, strict=True) if its]
    return [(max(0, one), max(0, -one)) for one in [min(counted, default=0), *each]]


def margins(force: Any, clans: list[int]) -> dict[int, int]:
    """By province that stands, the STR of the first clan less that of the best other one (rules 3.4)."""
    return {province: found[clans[0]] - max(found[clan] for clan in clans[1:]) for province, found in force.items()}


def bonus(steps: Any) -> int:
    """The stat bonuses (rules 1.5)."""
    return sum(BONUS[step] for step in steps)


def bonus_gain(steps: Any, raises: int) -> int:
    """What so many raises can add to the bonuses (rules 1.5, 4.8)."""
    if not raises:
        return 0
    tried = []
    for stat in range(3):
        more = [min(5, step + (each == stat)) for each, step in enumerate(steps)]
        tried.append(bonus(more) - bonus(steps) + bonus_gain(more, raises - 1))
    return max(tried)


def token(s: Any, seat: int, province: int) -> int:
    """What the token adds at the end (rules 1.5, 4.8, 6.3.17, 6.4.5.8)."""
    times = 1 + int(s.god_in[province] == engine.God.ODIN)
    for slot, kind in ((3, Figure.MONSTER_1), (4, Figure.MONSTER_2)):
        card = s.upgrades[seat, slot]
        times += int(card == Card.FROST_GIANT and s.figures[seat, kind, province] > 0)
    name, gain = Token(s.token[province]), 0
    if name == Token.GLORY:
        return 5 * times
    for stat in range(3):
        if name == Token.ALL_STATS or name == stat:
            step = int(s.stat_step[seat, stat])
            gain += BONUS[min(5, step + times)] - BONUS[step]
    return gain


def added(card: int) -> int:
    """What a card adds in a battle, with 3 for a Sight."""
    return 3 if card == Card.HEIMDALLS_SIGHT else int(STRENGTH[card]) if TYPE[card] == CardType.BATTLE else 0


def counts_of(s: Any, clans: list[int], force: Any) -> list[int]:
    """What is counted of the first clan, in the order of COUNTED; `force` is the STR by province that stands."""
    clan = clans[0]
    here = {province: [int(reach(s, each, province).sum()) for each in clans] for province in force}
    on_board = int(s.figures[clan, :, : Place.RESERVE].sum())
    axes, horns = [3, 4, 5, 6, 8, 8][s.stat_step[clan, 1]], [4, 5, 6, 7, 10, 10][s.stat_step[clan, 2]]
    return [
        int(s.rage[clan]), axes, max(0, horns - on_board), on_board, int(s.figures[clan, :, Place.RESERVE].sum()),
        int(s.figures[clan, :, Place.VALHALLA].sum()), int(s.hand[clan].sum()), int((s.quests[clan] != NONE).sum()),
        int((s.upgrades[clan] != NONE).sum()), sum(found[clan] for found in force.values()),
        sum(each > 0 for each in margins(force, clans).values()),
        sum(counts[0] > 0 and not any(counts[1:]) for counts in here.values()),
    ]  # fmt: skip


def payments_of(s: Any, clan: int, quests: int) -> list[int]:
    """The payments of a clan, in their order; `quests` is the glory of the met ones (rules 3.5, 3.6, 6.3.18)."""
    doomed = NONE
    if s.phase < Phase.RAGNAROK:
        fenrir = [
            province
            for each in range(s.num_players)
            for slot, kind in ((3, 3), (4, 4))
            if s.upgrades[each, slot] == Card.FENRIR
            for province in range(8)
            if s.figures[each, kind, province]
        ]
        doomed = fenrir[0] if fenrir else int(s.ragnarok[s.age]) if not s.destroyed[s.ragnarok[s.age]] else NONE
    elif s.phase == Phase.RAGNAROK:
        doomed = int(s.about_place)
    dying = reach(s, clan, doomed) if doomed != NONE else np.zeros(8, int)
    monsters = s.upgrades[clan, 3:5]
    ships = dying[Figure.SHIP] + sum(int(dying[3 + i]) for i in range(2) if monsters[i] == Card.SEA_SERPENT)
    fallen, count = int(s.figures[clan, :, Place.VALHALLA].sum()), int(dying.sum())
    ragnarok = count * (2, 3, 4)[s.age] * (1 + total(s, clan, Effect.RAGNAROK_MORE))
    steps = s.stat_step[clan].tolist()
    found = {
        Payment.BONUS: bonus(steps), Payment.ONE_STEP: bonus_gain(steps, 1),
        Payment.TWO_STEPS: bonus_gain(steps, 2),
        Payment.END_CARDS: int(end_cards(s)[clan]),
        Payment.QUESTS: quests, Payment.RAGNAROK: ragnarok + int(ships) * total(s, clan, Effect.SHIP_GLORY),
        Payment.RELEASE: (fallen + count) * total(s, clan, Effect.RELEASE_GLORY), Payment.DOOMED: count,
        Payment.FALLEN: fallen,
    }  # fmt: skip
    return [found[each] for each in Payment]


def quests_of(states: Any, clan: int, cards: Any) -> Any:
    """Glory of quests by goal, and whether they are met: int[goals, 2] (rules 3.4, 6.3.18)."""
    met, found = engine.quests_met(states, 0, clan), np.zeros((len(GOALS), 2), int)
    for card in cards:
        times = 1 + total(states[0], clan, Effect.QUEST_MORE)
        found[GOAL[card], int(not met[card])] += QUEST_GLORY[card] * times
    return found


def expected(states: Any, played: bool) -> dict[str, Any]:
    """The sections of the ledger by name, as counts. Leads after the end of the Age are there if `played`."""
    s = SimpleNamespace(**{name: states[name][0] for name in engine.STATE.names})  # faster than the record
    n, seat = int(s.num_players), int(s.seat)
    clans = [(seat + r) % n for r in range(n)]
    hand = [card for card in range(NUM_CARDS) for _ in range(s.hand[seat, card])]
    mine = [card for card in s.quests[seat].tolist() if card != NONE]
    out: dict[str, Any] = {each.name: np.zeros(each.shape) for each in LEDGER}
    ends = [s.glory.astype(int), s.glory + list(map(bonus, s.stat_step)) + end_cards(s)]
    if played:
        known = without_secrets(states)
        may = s.phase == Phase.GODS_GIFTS or (s.phase == Phase.ACTION and not s.passed[seat] and s.rage[seat] > 0)
        ends += [ended(each, int(s.age)) for each in (known, committed(known) if may else known)]
    for row, glory in enumerate(ends):
        out["leads"][row, :n] = lead(glory[clans])
    for r, clan in enumerate(clans):
        cards = mine if r == 0 else s.quests[clan].tolist() if s.quests_open else []
        met = quests_of(states, clan, [card for card in cards if card != NONE])[:, 0].sum()
        out["payments"][r] = payments_of(s, clan, int(met))
    stands = [province for province in range(9) if not s.destroyed[province]]
    force = {province: [strength(s, clan, province) for clan in range(n)] for province in stands}
    counted = [counts_of(s, clans[r:] + clans[:r], force) for r in range(n)]
    out["count_leads"][:] = [lead([each[i] for each in counted])[0] for i in range(len(COUNTED))]
    active = [clan for clan in clans[1:] if s.phase == Phase.ACTION and not s.passed[clan] and s.rage[clan] > 0]
    unpillaged = [province for province in stands if not s.pillaged[province]]
    out["clock"][:] = len(active), sum(int(s.rage[clan]) for clan in active), len(unpillaged), len(stands)
    leads = margins(force, clans)
    for province in stands:
        here = [int(reach(s, clan, province).sum()) for clan in clans]
        room = int(VILLAGES[province]) - int(s.figures[:, :, province].sum()) if province < Place.YGGDRASIL else 99
        near = [int(s.figures[clan][:, :9][:, ADJACENT[province]].sum()) for clan in clans]
        out["province_lead"][province] = max(0, leads[province]), max(0, -leads[province])
        out["province_joins"][province] = lead([min(room, count) for count in near])[0]
        out["province_alone"][province] = here[0] > 0 and not any(here[1:])
        out["province_rivals"][province] = sum(count > 0 for count in here[1:])
        out["province_token"][province] = token(s, seat, province) if province in unpillaged else 0
    for i, goal in enumerate(GOALS):
        places = REGIONS.get(goal, range(9))
        of_goal = sorted((each for province, each in leads.items() if province in places), reverse=True)
        value = of_goal[0] if of_goal and goal in REGIONS else of_goal[1] if len(of_goal) > 1 else -99
        if goal == "GLORIOUS_DEATH":
            value = int(s.figures[seat, :, Place.VALHALLA].sum()) - 3
        out["goal_lead"][i] = max(0, value), max(0, -value)
    out["goal_committed"][:] = quests_of(states, seat, mine)
    out["goal_held"][:] = quests_of(states, seat, [card for card in hand if card in QUESTS])
    battle = [card for card in hand if TYPE[card] == CardType.BATTLE]
    late = sum(int(STRENGTH[card]) for card in battle if engine.LATE[card])
    counts = [max((int(EFFECTS[Effect.QUEST_VALUE, card]) for card in s.upgrades[seat] if card != NONE), default=0)]
    counts = counts if any(card in QUESTS for card in hand) else []
    most = max([*counts, *(added(card) for card in battle if not engine.LATE[card])], default=0) + late
    best, upgrades = max(map(added, battle), default=0), sum(bool(engine.IS_UPGRADE[card]) for card in hand)
    out["cards"][:] = best, most, len(battle), sum(int(STRENGTH[card]) for card in battle), upgrades
    for r, clan in enumerate(clans[1:]):
        out["known_best"][r] = max((added(card) for card in np.flatnonzero(s.known[clan, :NUM_CARDS])), default=0)
    at = int(s.battle_province) if s.battle else int(s.about_place)
    if 0 <= at < 9:
        stake(states, clans, at, most, out)
    return out


def stake(states: Any, clans: list[int], at: int, most: int, out: dict[str, Any]) -> None:
    """Fill the sections of the province of the battle or of the question (rules 4.3, 4.6)."""
    s = states[0]
    figures, force = (each[clans, at] for each in engine.forces(states, 0))
    there = [figures[r] > 0 or bool(s.battle and s.in_battle[clan]) for r, clan in enumerate(clans)]
    if s.battle:
        there_now = states.copy()
        there_now[0].in_battle[: len(clans)] = 1
        force = engine.battle_outcome(there_now, 0)[0][clans]
    leads = lead(force, there[1:])
    out["stake_lead"][: len(leads)] = leads
    if any(there[1:]):
        with_card = leads[0][0] - leads[0][1] + most
        out["stake_with_card"][:] = max(0, with_card), max(0, -with_card)
    room = int(VILLAGES[at]) - int(s.figures[:, :, at].sum()) if at < Place.YGGDRASIL else 99
    rivals = sum(count > 0 for count in figures[1:])
    out["stake"][:] = 1, figures[0], figures[1:].sum(), rivals, token(s, clans[0], at), min(5, room)
