"""Information that the page derives for a seat from what it knows: the state of its quests, and the result of a card in
battle.
"""

from typing import Final

from .. import engine
from ..engine import (
    CARD,
    EFFECTS,
    GOAL,
    NO,
    NONE,
    NUM_PROVINCES,
    QUESTS,
    REGION,
    TYPE,
    CardType,
    Decision,
    Effect,
    Goal,
    Phase,
    States,
)
from ..notation import CLANS
from ..notation.words import copies

MET, OPEN, IMPOSSIBLE = "met", "open", "impossible"
MOST_ADDED: Final = 20  # +STR of the cards of one clan in a battle, more than which is not looked at


def quest_marks(known: States, seat: int) -> dict[str, dict[int, str]]:
    """Return the state of the quests of a seat (rules 3.4) by card, for those committed and those in the hand.

    The state is "met" with the present board; "impossible" if all provinces of the region are destroyed, or if the
    quest is committed and the board does not change before the quest phase; otherwise "open".
    """
    s = known[0]
    met = engine.quests_met(known, 0, seat)
    frozen = s.phase in (Phase.DISCARD, Phase.QUEST)

    def mark(card: int, committed: bool) -> str:
        if met[card]:
            return MET
        return IMPOSSIBLE if (frozen and committed) or _region_is_gone(known, card) else OPEN

    committed = s.quests[seat, : s.quest_count[seat]].tolist()
    hand = [card for card in copies(s.hand[seat].tolist()) if card in QUESTS]
    return {
        "committed": {card: mark(card, committed=True) for card in committed},
        "hand": {card: mark(card, committed=False) for card in hand},
    }


def _region_is_gone(known: States, card: int) -> bool:
    """Whether all provinces of the region of a quest are destroyed."""
    if GOAL[card] in (Goal.GLORIOUS_DEATH, Goal.WIDESPREAD):
        return False
    return all(known[0].destroyed[place] for place in range(NUM_PROVINCES) if REGION[place] == GOAL[card])


def outlooks(known: States, seat: int) -> dict[int, str]:
    """Return a text such as "You win unless Bear adds 4 or more" for each card that may be played in battle (rules 4.3
    to 4.6), by answer.

    It is empty for other questions. The text counts the figures, the open cards and the card itself. Each opponent is
    considered as if no other one added anything. The texts of cards of others are ignored.
    """
    if known[0].decision not in (Decision.BATTLE_CARD, Decision.LATE_CARD):
        return {}
    answers = known[0].mask.nonzero()[0].tolist()
    return {action: _outlook(_with_card(known, seat, action), seat, action) for action in answers}


def _with_card(known: States, seat: int, action: int) -> States:
    """Return the battle with a card of the seat on the table. A quest counts its greatest value (rules 6.2.5)."""
    states = engine.clone(known, 0)
    s = states[0]
    if action == NO:
        return states
    card = action - CARD
    if s.decision == Decision.LATE_CARD:
        s.late[seat, s.late_count[seat]] = card
        s.late_count[seat] += 1
        return states
    s.main[seat] = card
    if TYPE[card] == CardType.BATTLE:
        s.text[seat] = card
    elif TYPE[card] == CardType.QUEST:
        worth = [int(EFFECTS[Effect.QUEST_VALUE, each]) for each in s.upgrades[seat].tolist() if each != NONE]
        s.counted[seat] = max(worth, default=0)
    return states


def _outlook(states: States, seat: int, action: int) -> str:
    s = states[0]
    others = [other for other in range(s.num_players) if s.in_battle[other] and other != seat]
    needs = {other: _needed(states, seat, other) for other in others}
    totals, winner = engine.battle_outcome(states, 0)
    if winner != seat:
        best = max(int(totals[other]) for other in others)
        short = best + 1 - int(totals[seat])
        said = f"Not enough as it stands: {short} more would win"
    elif all(need is None for need in needs.values()):
        said = "You win, whatever they add"
    else:
        each = [f"{CLANS[other]} adds {need} or more" for other, need in needs.items() if need is not None]
        said = f"You win unless {', or '.join(each)}"
    if s.text[seat] != NONE and s.text[seat] == action - CARD and EFFECTS[Effect.EARLY, s.text[seat]]:
        said += "; its text comes first and may change that"
    return said


def _needed(states: States, seat: int, other: int) -> int | None:
    """Return the least that another clan has to add so that the seat, which wins otherwise, does not win.

    Return None if nothing is enough: the clan has no card left, or the card of the seat cannot be beaten (rules
    6.2.3).
    """
    s = states[0]
    if s.hand_size[other] == 0 and s.pending[other, 0] == NONE:
        return None
    tried = engine.clone(states, 0)
    before = int(tried[0].counted[other])
    for added in range(MOST_ADDED + 1):
        tried[0].counted[other] = before + added
        if engine.battle_outcome(tried, 0)[1] != seat:
            return added
    return None
