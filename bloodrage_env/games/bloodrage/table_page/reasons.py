"""What the rules say for and against a move, from what its clan knows: the token, the doomed province, the quests, the
stat, and who can answer and with what at worst.
"""

from collections.abc import Iterator
from typing import Final

from .. import engine
from ..engine import (
    ADJACENT,
    CARD,
    COPIES,
    FIGURE_AT,
    FJORD_OF,
    GOAL,
    MARCH,
    MARCH_FROM,
    MARCH_TO,
    NO,
    NUM_BOARD,
    NUM_CARDS,
    NUM_OUTER,
    NUM_PROVINCES,
    PASS,
    PROVINCE,
    QUEST_GLORY,
    QUESTS,
    RAGNAROK_GLORY,
    REGION,
    STAT,
    STAT_VALUE,
    STRENGTH,
    TEXT,
    TITLE,
    TYPE,
    CardType,
    Decision,
    Goal,
    Stat,
    States,
)
from ..notation.words import CLANS, PROVINCES, TOKENS, copies, face, listed
from .teaching import MET, outlooks, quest_marks

_STAT_TEXTS: Final = {
    Stat.RAGE: "Rage at the beginning of an Age: {new} instead of {old}.",
    Stat.AXES: "A battle won brings {new} glory instead of {old}.",
    Stat.HORNS: "{new} figures may be on the board instead of {old}.",
}


def reasons(known: States, seat: int, action: int) -> list[str]:
    """Return sentences about a legal action of a seat, from what it knows. None is a guess."""
    decision, about = Decision(int(known[0].decision)), int(known[0].about_place)
    if decision == Decision.STAT:
        return list(_stat(known, seat, action - STAT))
    if decision in (Decision.BATTLE_CARD, Decision.LATE_CARD):
        return list(_battle_card(known, seat, action))
    if decision == Decision.CALL:
        return list(_call(known, seat, action, about))
    if decision == Decision.FREE_PILLAGE and action != NO:
        return list(_pillage(known, seat, about))
    if decision in (Decision.ACTION, Decision.DRAFT, Decision.KEEP_CARD, Decision.FREE_INVADE, Decision.RAISE_DEAD):
        return list(_open(known, seat, action))
    return []


def _open(known: States, seat: int, action: int) -> Iterator[str]:
    """What is said of an action of a turn, of a card that is kept, and of an Invade."""
    if action == PASS:
        yield from _pass(known, seat)
    elif action >= MARCH:
        here, there = MARCH_FROM[action - MARCH], MARCH_TO[action - MARCH]
        yield from _place(known, seat, int(there))
        yield from _left(known, seat, int(here))
    elif action >= FIGURE_AT:
        place = (action - FIGURE_AT) % NUM_BOARD
        for province in range(NUM_OUTER) if place >= NUM_PROVINCES else [place]:
            if province == place or FJORD_OF[province] == place:
                yield from _place(known, seat, province)
    elif action >= CARD:
        yield from _card(known, seat, action - CARD)
    elif action >= PROVINCE:
        yield from _pillage(known, seat, action - PROVINCE)


# ---- provinces


def _place(known: States, seat: int, province: int) -> Iterator[str]:
    """The token of a province, whether it is doomed, the quests that it counts for, and the others there."""
    s, name = known[0], PROVINCES[province]
    if s.destroyed[province]:
        return
    yield f"{name}'s token, {TOKENS[s.token[province]]}, is {'taken' if s.pillaged[province] else 'not taken yet'}."
    if s.ragnarok[s.age] == province:
        glory = RAGNAROK_GLORY[s.age]
        yield f"{name} is doomed: at the end of the Age it is lost, and each figure lost with it brings {glory} glory."
    quests = [face(card) for card in _quests(known, seat) if GOAL[card] == REGION[province]]
    if quests:
        yield f"{name} counts for your quest {listed(quests)}."
    strength = engine.forces(known, 0)[1][:, province].tolist()
    there = [f"{CLANS[other]} has STR {strength[other]}" for other in _others(known, seat) if strength[other]]
    if there:
        yield f"{listed(there)} there, you have {strength[seat]}."


def _left(known: States, seat: int, province: int) -> Iterator[str]:
    """What a March leaves behind."""
    if known[0].ragnarok[known[0].age] == province and not known[0].destroyed[province]:
        yield f"{PROVINCES[province]}, which the figures leave, is doomed."
    quests = [face(card) for card in _quests(known, seat) if GOAL[card] == REGION[province]]
    if quests:
        yield f"{PROVINCES[province]}, which they leave, counts for your quest {listed(quests)}."


def _pillage(known: States, seat: int, province: int) -> Iterator[str]:
    """The token, who can answer and with what at worst, and who takes it otherwise."""
    s, name = known[0], PROVINCES[province]
    yield f"It is for the token of {name}: {TOKENS[s.token[province]]}."
    if s.ragnarok[s.age] == province:
        yield f"{name} is doomed: the token can't be taken after this Age."
    figures, strength = engine.forces(known, 0)
    answers, worst = [], 0
    for other in _others(known, seat):
        own, joining = int(strength[other, province]), _near(known, other, province)
        if not figures[other, province] and not joining:
            continue
        more = sum(int(strength[other, near]) for near in joining)
        from_near = f"can join from {listed(PROVINCES[near] for near in joining)}, where it has STR {more}"
        parts = [*[f"has STR {own} there"] * bool(figures[other, province]), *[from_near] * bool(joining)]
        answers.append(f"{CLANS[other]} {' and '.join(parts)}")
        worst = max(worst, own + more + _strongest(known, seat, other)[0])
    if not answers:
        joins = "has room to join" if _is_full(known, province) else "can join"
        yield f"Nobody can answer: no other clan has figures there or {joins}."
        return
    yield f"{'; '.join(answers)}."
    own = strength[seat, province]
    yield f"At worst one of them has {worst}, battle card included, before its text. You have STR {own} and your card."
    there = [CLANS[other] for other in _others(known, seat) if figures[other, province]]
    if there and not s.pillaged[province]:
        yield f"If you leave it, {listed(there)} can pillage it."


def _call(known: States, seat: int, action: int, province: int) -> Iterator[str]:
    """What a battle is about, and the sides so far."""
    s, strength = known[0], engine.forces(known, 0)[1][:, province].tolist()
    yield f"The battle is for the token of {PROVINCES[province]}: {TOKENS[s.token[province]]}."
    sides = [
        f"{CLANS[other]} has STR {strength[other]} and at most +{_strongest(known, seat, other)[0]} by a card"
        for other in _others(known, seat)
        if strength[other]
    ]
    if sides:
        yield f"{listed(sides)}; you have STR {strength[seat]} there{'' if action == NO else ' before you join'}."
    if action != NO:
        glory = STAT_VALUE[Stat.AXES, s.stat_step[seat, Stat.AXES]]
        yield f"Figures that lose go to Valhalla; a battle won brings {glory} glory."


def _near(known: States, seat: int, province: int) -> list[int]:
    """The provinces from which a clan can join a battle: adjacent ones, if there is room (rules 4.1)."""
    s = known[0]
    if _is_full(known, province):
        return []
    return [near for near in range(NUM_PROVINCES) if ADJACENT[near, province] and s.figures[seat, :, near].any()]


def _is_full(known: States, province: int) -> bool:
    villages = int(engine.VILLAGES[province])
    return villages != engine.UNLIMITED and villages <= int(known[0].occupied[province])


def _others(known: States, seat: int) -> list[int]:
    return [other for other in range(known[0].num_players) if other != seat]


# ---- cards, stats, the end of the turn


def _strongest(known: States, seat: int, other: int) -> tuple[int, str]:
    """The greatest +STR of a card that may be in another clan's hand, and its title: of the decks of this Age and
    earlier ones, without those that the seat holds or has seen leave. (0, "") for an empty hand.
    """
    s = known[0]
    if not s.hand_size[other]:
        return 0, ""
    decks = [0, *(each for each in range(1, len(COPIES)) if int(s.sets) >> each & 1)]
    in_game = COPIES[decks, s.num_players, : s.age + 1].sum((0, 1))[:NUM_CARDS]
    seen = s.hand[seat, :NUM_CARDS] + s.discards[:NUM_CARDS] + s.gone[seat, :NUM_CARDS]
    left = [card for card in range(NUM_CARDS) if TYPE[card] == CardType.BATTLE and in_game[card] > seen[card]]
    best = max(left, key=lambda card: int(STRENGTH[card]), default=None)
    return (0, "") if best is None else (int(STRENGTH[best]), TITLE[best])


def _battle_card(known: States, seat: int, action: int) -> Iterator[str]:
    """What a card comes to, and the strongest one of each opponent."""
    text = outlooks(known, seat).get(action)
    if text:
        yield f"{text}."
    for other in _others(known, seat):
        strength, title = _strongest(known, seat, other)
        if known[0].in_battle[other] and title:
            yield f"At worst {CLANS[other]} adds {title} (+{strength}), or a card whose text matters."


def _quests(known: States, seat: int) -> list[int]:
    """The quests of a seat: those committed, and those in its hand."""
    s = known[0]
    hand = [card for card in copies(s.hand[seat].tolist()) if card in QUESTS]
    return list(dict.fromkeys([*s.quests[seat, : s.quest_count[seat]].tolist(), *hand]))


def _card(known: States, seat: int, card: int) -> Iterator[str]:
    if TYPE[card] != CardType.QUEST:
        yield TEXT[card]
        if TYPE[card] == CardType.BATTLE:
            yield f"It adds {STRENGTH[card]} in a battle."
        return
    yield f"{TEXT[card]} It brings {QUEST_GLORY[card]} glory and a step on a stat."
    if known[0].decision == Decision.ACTION and GOAL[card] != Goal.NONE:
        is_met = quest_marks(known, seat)["hand"].get(card) == MET
        yield f"As the board is, you {'meet it' if is_met else 'do not meet it yet'}."


def _stat(known: States, seat: int, stat: int) -> Iterator[str]:
    step = int(known[0].stat_step[seat, stat])
    yield _STAT_TEXTS[Stat(stat)].format(old=STAT_VALUE[stat, step], new=STAT_VALUE[stat, step + 1])


def _pass(known: States, seat: int) -> Iterator[str]:
    """What is given up, and who goes on."""
    s = known[0]
    if s.rage[seat]:
        yield f"Your {s.rage[seat]} Rage is lost."
    on = [CLANS[other] for other in _others(known, seat) if not s.passed[other] and s.rage[other]]
    yield f"{listed(on)} can still act." if on else "No other clan can act any more."
