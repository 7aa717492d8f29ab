"""What the stack of routines can hold while a question is open, and which question fits the frame on top.

A game that was played obeys all of this by itself. It is written down for records that come from elsewhere: with it,
the invariants of `invariants.py` and the ranges of `ranges.py`, whatever is played stays within the record.
"""

from typing import Final

from ....core.compile.decorators import rule
from ....core.engine.frames import LAST_SEAT, SEATS, Wait, frames_for
from . import hooks
from .actions import FIGURE_AT
from .card_ids import NUM_CARDS
from .cards import IS_UPGRADE
from .effects.friggas_sacrifice import FIGURES
from .effects.odins_chosen import Step as VillageStep
from .ids import NONE, NUM_KINDS, NUM_OUTER, NUM_PROVINCES, Decision, Phase, Place, Routine
from .queries import figures_in_reach, figures_of_kind, horns_free, room
from .rules.battle import Step as BattleStep
from .rules.gods_gifts import Step as DraftStep
from .rules.gods_gifts import picks_per_round
from .rules.invade import Step as InvadeStep
from .rules.pillage import Step as PillageStep
from .rules.quest import Step as QuestStep
from .rules.resolution import Step as ResolutionStep
from .rules.upgrade import Step as UpgradeStep
from .stack import clockwise, get
from .state import COMPILER, Frame, State

_OF_AN_ACTION: Final = (
    Routine.INVADE, Routine.MARCH, Routine.UPGRADE, Routine.SACRIFICE, Routine.PILLAGE, Routine.PILLAGED,
    Routine.BATTLE, Routine.RESOLUTION, Routine.BLESSING, Routine.TAKE_VILLAGE,
)  # fmt: skip
_OF_A_BLESSING: Final = (
    Routine.INVADE, Routine.PILLAGE, Routine.PILLAGED, Routine.BATTLE, Routine.RESOLUTION, Routine.BLESSING,
)  # fmt: skip
_IN_TURN: Final = (Decision.ACTION, Decision.FREE_INVADE, Decision.RAISE_DEAD, Decision.STAT, Decision.GOD_MOVE)

# Where a routine can wait, and what for. A routine that is not named asks nothing itself, and leaves the stack when it
# calls another; a frame of one is never on it.
WAITS: Final = (
    Wait(Routine.GAME, Phase.GODS_GIFTS + 1, calls=(Routine.GODS_GIFTS,)),
    Wait(Routine.GAME, Phase.ACTION + 1, calls=(Routine.ACTION_PHASE,)),
    Wait(Routine.GAME, Phase.DISCARD + 1, calls=(Routine.DISCARD_PHASE,)),
    Wait(Routine.GAME, Phase.QUEST + 1, calls=(Routine.QUEST_PHASE,)),
    Wait(Routine.GAME, Phase.RAGNAROK + 1, calls=(Routine.RAGNAROK,)),
    Wait(Routine.GAME, Phase.OVER + 1),
    Wait(Routine.GODS_GIFTS, DraftStep.CHOOSE, (Decision.DRAFT,)),
    Wait(Routine.ACTION_PHASE, 0, _IN_TURN, _OF_AN_ACTION),
    Wait(Routine.DISCARD_PHASE, 0, (Decision.KEEP_CARD,)),
    Wait(Routine.QUEST_PHASE, QuestStep.PAY, (Decision.STAT,)),
    Wait(Routine.RAGNAROK, 0, calls=(Routine.DEATHS,)),
    Wait(Routine.INVADE, InvadeStep.ARRIVAL, calls=(Routine.DEATHS,)),
    Wait(Routine.INVADE, InvadeStep.FREE_PILLAGE, (Decision.SUCCOR,)),
    Wait(Routine.INVADE, InvadeStep.END, (Decision.FREE_PILLAGE,)),
    Wait(Routine.MARCH, (1, NUM_KINDS), (Decision.MARCH,)),
    Wait(Routine.UPGRADE, UpgradeStep.LAY, (Decision.SLOT,)),
    Wait(Routine.SACRIFICE, (1, FIGURES), (Decision.SACRIFICE,)),
    Wait(Routine.PILLAGE, 0, (Decision.CALL,)),
    Wait(Routine.PILLAGED, (PillageStep.LEADER, PillageStep.MOVE), (Decision.STAT,)),
    Wait(Routine.PILLAGED, PillageStep.END, (Decision.LEADER_MOVE,)),
    Wait(Routine.BATTLE, BattleStep.COMMIT, (Decision.BATTLE_CARD,)),
    Wait(Routine.BATTLE, BattleStep.COUNT_QUESTS, (Decision.COUNT_QUEST,)),
    Wait(Routine.BATTLE, BattleStep.LATE, (Decision.LATE_CARD,), (Routine.SMITE_AND_TIDE,)),
    Wait(Routine.SMITE_AND_TIDE, 0, (Decision.KEEP_FIGURE,), (Routine.DEATHS,)),
    Wait(Routine.RESOLUTION, ResolutionStep.TEXTS, (Decision.STAT,)),
    Wait(Routine.RESOLUTION, ResolutionStep.DISCARD, calls=(Routine.BUY_BACK,)),
    Wait(Routine.RESOLUTION, ResolutionStep.DEATHS, calls=(Routine.DEATHS,)),
    Wait(Routine.RESOLUTION, ResolutionStep.GLORY, calls=(Routine.PILLAGED,)),
    Wait(Routine.BUY_BACK, 0, (Decision.BUY_BACK,)),
    Wait(Routine.BLESSING, 0, (Decision.BLESSING, Decision.GOD_MOVE), _OF_A_BLESSING),
    Wait(Routine.DEATHS, (0, NUM_KINDS - 1), (Decision.SAVE, Decision.WITHDRAW)),
    Wait(Routine.TAKE_VILLAGE, VillageStep.VICTIM, (Decision.VICTIM,)),
    Wait(Routine.TAKE_VILLAGE, VillageStep.ARRIVE, calls=(Routine.DEATHS,)),
)

# The ranges of the columns that a routine uses while it waits; of the seat if it is not one of the game. Others are 0.
_UNUSED: Final = dict.fromkeys((column for column in Frame if column > Frame.PLACE), (0, 0))
_OF_NOBODY: Final = _UNUSED | {Frame.SEAT: (NONE, NONE), Frame.PLACE: (NONE, NONE)}
_OF_A_SEAT: Final = _UNUSED | {Frame.SEAT: (0, LAST_SEAT), Frame.PLACE: (NONE, NONE)}
_IN_PROVINCE: Final = _OF_A_SEAT | {Frame.PLACE: (0, NUM_PROVINCES - 1)}
_CARD: Final = {Frame.CARD: (0, NUM_CARDS - 1)}
_SOME: Final = (1, SEATS)
_ANY: Final = (0, SEATS)
_BUT_ONE: Final = (0, LAST_SEAT)

LIMITS: Final = {
    Routine.GAME: _OF_NOBODY,
    Routine.GODS_GIFTS: _OF_NOBODY,
    Routine.ACTION_PHASE: _OF_A_SEAT,
    Routine.DISCARD_PHASE: _OF_NOBODY,
    Routine.QUEST_PHASE: _OF_NOBODY | {Frame.ASKED: _BUT_ONE},
    Routine.RAGNAROK: _OF_NOBODY | {Frame.PLACE: (0, NUM_PROVINCES - 1), Frame.ASKED: _SOME},
    Routine.INVADE: _IN_PROVINCE | {Frame.KIND: (0, NUM_KINDS - 1), Frame.ASKED: _SOME},
    Routine.MARCH: _IN_PROVINCE | {Frame.ORIGIN: (0, NUM_PROVINCES - 1)},
    Routine.UPGRADE: _OF_A_SEAT | _CARD,
    Routine.SACRIFICE: _OF_A_SEAT | {Frame.FIRST: (0, Frame.FIRST.greatest)},
    Routine.PILLAGE: _IN_PROVINCE | {Frame.NEXT: _BUT_ONE, Frame.DECLINED: _SOME},
    Routine.PILLAGED: _IN_PROVINCE,
    Routine.BATTLE: _IN_PROVINCE | {Frame.ASKED: _ANY, Frame.NEXT: _BUT_ONE, Frame.DECLINED: _ANY},
    Routine.SMITE_AND_TIDE: _IN_PROVINCE | {Frame.ASKED: _BUT_ONE, Frame.VICTIMS: _SOME},
    Routine.RESOLUTION: _IN_PROVINCE | {Frame.ASKED: _ANY},
    Routine.BUY_BACK: _IN_PROVINCE | _CARD,
    Routine.BLESSING: _IN_PROVINCE | {Frame.LOSERS: (0, Frame.LOSERS.greatest), Frame.ASKED: _SOME},
    Routine.DEATHS: _IN_PROVINCE | {Frame.CAUSE: (0, Frame.CAUSE.greatest)},
    Routine.TAKE_VILLAGE: _OF_A_SEAT
    | {
        Frame.PLACE: (0, NUM_OUTER - 1),
        Frame.ORIGIN: (Place.RESERVE, Place.VALHALLA),
        Frame.KIND: (0, NUM_KINDS - 1),
        Frame.VICTIMS: (1, LAST_SEAT),
    },
}
stack_fits, question_fits = frames_for(COMPILER, Frame, WAITS, LIMITS)


@rule
def frame_holds(s: State, i: int) -> bool:
    """Whether the columns of a frame fit each other."""
    routine = s.stack[i, Frame.ROUTINE]
    if routine == Routine.UPGRADE:
        return IS_UPGRADE[s.stack[i, Frame.CARD]]
    if routine == Routine.SACRIFICE:
        first = s.stack[i, Frame.FIRST]
        return first == 0 if s.stack[i, Frame.STEP] == 1 else first >= FIGURE_AT
    if routine == Routine.TAKE_VILLAGE:
        return mystic_waits(s, i)
    return True


@rule
def mystic_waits(s: State, i: int) -> bool:
    """Whether the figure that would take a village is a Mystic where its frame says, with room under Horns."""
    seat = int(s.stack[i, Frame.SEAT])
    kind = int(s.stack[i, Frame.KIND])
    province = int(s.stack[i, Frame.PLACE])
    return (
        hooks.is_mystic(s, seat, kind)
        and s.figures[seat, kind, s.stack[i, Frame.ORIGIN]] > 0
        and s.destroyed[province] == 0
        and horns_free(s, seat)
    )


@rule
def stack_holds(s: State) -> bool:
    """The game, its phase, and on these what each frame may call; in range everywhere."""
    if not stack_fits(s):
        return False
    for i in range(s.depth):
        if not frame_holds(s, i):
            return False
    if s.stack[0, Frame.ROUTINE] != Routine.GAME or s.stack[0, Frame.STEP] != int(s.phase) + 1:
        return False
    return s.depth > 1 or (s.over == 1 and s.phase == Phase.OVER)


@rule
def question_holds(s: State) -> bool:
    """Whether the frame on top asks this question, of this seat, about these things; in a stack that holds."""
    if not question_fits(s):
        return False
    seat = int(s.seat)
    decision = s.decision
    if decision == Decision.DRAFT:
        return s.pending[seat, picks_per_round(s) - 1] == NONE
    if decision == Decision.ACTION:
        return get(s, Frame.SEAT) == clockwise(s, seat, 1)
    if decision == Decision.KEEP_CARD:
        return s.pending[seat, 0] == NONE and s.hand_size[seat] > 0
    if decision == Decision.STAT:
        return True
    if decision == Decision.SLOT:
        return seat == get(s, Frame.SEAT) and s.about_card == get(s, Frame.CARD)
    if decision == Decision.SACRIFICE:
        return seat == get(s, Frame.SEAT) and s.on_board[seat] > FIGURES - get(s, Frame.STEP)
    if decision == Decision.FREE_INVADE or decision == Decision.RAISE_DEAD:
        return True
    if decision == Decision.GOD_MOVE:
        return s.about_place != NONE and s.god_in[s.about_place] != NONE
    return place_holds(s, seat)


@rule
def place_holds(s: State, seat: int) -> bool:
    """The same for questions about a province, which the frame on top names."""
    decision = s.decision
    named = get(s, Frame.PLACE)
    if s.about_place != named:
        return False
    if decision == Decision.CALL:
        return get(s, Frame.NEXT) == clockwise(s, seat, 1) and room(s, named) > 0
    if decision == Decision.BLESSING:
        return seat == clockwise(s, get(s, Frame.SEAT), get(s, Frame.ASKED) - 1) and hooks.may_bless(s, seat, named)
    if decision == Decision.BUY_BACK:
        return seat == s.winner and s.thief == NONE and hooks.may_buy_back(s, seat)
    if decision == Decision.BATTLE_CARD:
        chosen = s.pending[seat, 0] != NONE or s.main[seat] != NONE
        return not chosen and s.in_battle[seat] == 1 and s.hand_size[seat] > 0
    if decision == Decision.COUNT_QUEST:
        return seat == clockwise(s, get(s, Frame.SEAT), get(s, Frame.ASKED) - 1) and hooks.may_count_quest(s, seat)
    if decision == Decision.LATE_CARD:
        return (
            seat == clockwise(s, get(s, Frame.SEAT), get(s, Frame.NEXT) + s.num_players - 1) and s.in_battle[seat] == 1
        )
    if decision == Decision.KEEP_FIGURE:
        return (
            seat == clockwise(s, get(s, Frame.SEAT), get(s, Frame.VICTIMS) - 1) and figures_in_reach(s, seat, named) > 1
        )
    return seat == get(s, Frame.SEAT) and own_question_holds(s, seat, named)


@rule
def own_question_holds(s: State, seat: int, province: int) -> bool:
    """The same for questions to the seat whose routine it is."""
    decision = s.decision
    if decision == Decision.SUCCOR:
        return hooks.may_succor(s, seat, province)
    if decision == Decision.FREE_PILLAGE:
        return hooks.may_pillage_freely(s, seat, province)
    kind = int(s.about_kind)
    if decision == Decision.LEADER_MOVE:
        return kind == NONE or (hooks.is_leader(s, seat, kind) and s.figures[seat, kind, province] == 1)
    if decision == Decision.MARCH:
        free = room(s, province) - int(s.march.sum())
        return (
            kind == get(s, Frame.STEP) - 1
            and s.low <= 1
            and s.high == min(int(s.figures[seat, kind, get(s, Frame.ORIGIN)]), free)
            and s.high >= 1
        )
    if decision == Decision.VICTIM:
        first = get(s, Frame.VICTIMS)
        return hooks.next_victim(s, seat, province, first) == first
    if decision == Decision.WITHDRAW:
        return kind == get(s, Frame.STEP) and hooks.may_withdraw(s, seat, kind, province)
    if decision == Decision.SAVE:
        cause = get(s, Frame.CAUSE)
        savable = min(int(s.dying[kind]), int(s.rage[seat])) if hooks.may_save(s, seat, cause) else 0
        escape = hooks.may_escape(s, seat, kind, province, cause)
        return kind == get(s, Frame.STEP) and s.high == savable and s.escape == int(escape)
    return False


@rule
def moves_hold(s: State) -> bool:
    """What marches and dies stands there; nothing does so except while its routine is on top."""
    top = get(s, Frame.ROUTINE)
    seat = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    for kind in range(NUM_KINDS):
        going = 0
        doomed = 0
        if top == Routine.MARCH and kind < get(s, Frame.STEP) - 1:
            going = int(s.figures[seat, kind, get(s, Frame.ORIGIN)])
        if top == Routine.DEATHS and kind >= get(s, Frame.STEP):
            doomed = figures_of_kind(s, seat, kind, province)
        if s.march[kind] > going or s.dying[kind] > doomed:
            return False
    return top != Routine.DEATHS or s.dying[get(s, Frame.STEP)] >= 1
