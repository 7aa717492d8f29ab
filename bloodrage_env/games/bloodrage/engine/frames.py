"""What the stack of routines can hold while a question is open, and which question fits what lies on top.

A game that was played obeys all of this by itself. It is written down for records that come from elsewhere: with it,
the invariants of `invariants.py` and the ranges of `ranges.py`, whatever is played stays within the record.
"""

from typing import Final, NamedTuple

import numpy as np

from ....core.compiled import rule
from ....core.ranges import Range
from . import hooks
from .actions import FIGURE_AT
from .card_ids import NUM_CARDS
from .cards import IS_UPGRADE
from .effects.friggas_sacrifice import FIGURES
from .effects.odins_chosen import Step as VillageStep
from .ids import (
    MAX_SEATS,
    NONE,
    NUM_BOARD,
    NUM_DECISIONS,
    NUM_KINDS,
    NUM_OUTER,
    NUM_PHASES,
    NUM_PLACES,
    NUM_PROVINCES,
    NUM_SLOTS,
    Cause,
    Decision,
    Phase,
    Place,
)
from .queries import figures_in_reach, figures_of_kind, horns_free, room
from .rules.battle import Step as BattleStep
from .rules.gods_gifts import Step as DraftStep
from .rules.gods_gifts import picks_per_round
from .rules.invade import Step as InvadeStep
from .rules.pillage import Step as PillageStep
from .rules.quest import Step as QuestStep
from .rules.resolution import Step as ResolutionStep
from .rules.upgrade import Step as UpgradeStep
from .stack import Routine, clockwise, get
from .state import FRAME_SIZE, MAX_DEPTH, Frame, State

NUM_ROUTINES: Final = len(Routine)
MAX_STEPS: Final = max(NUM_PHASES, NUM_KINDS) + 1
LAST_SEAT: Final = -10  # as an upper bound: the number of players less one
SEATS: Final = -11  # as an upper bound: the number of players

# The least and the greatest number in each column of a frame, also of one that has left the stack.
COLUMNS: Final[dict[Frame, Range]] = {
    Frame.ROUTINE: (0, NUM_ROUTINES - 1),
    Frame.STEP: (0, MAX_STEPS - 1),
    Frame.SEAT: (NONE, MAX_SEATS - 1),
    Frame.PLACE: (NONE, NUM_PLACES - 1),
    Frame.ORIGIN: (0, NUM_PLACES - 1),
    Frame.KIND: (0, NUM_KINDS - 1),
    Frame.KINDS: (0, 2**NUM_KINDS - 1),
    Frame.CARD: (0, NUM_CARDS),  # one beyond the last when all have been offered
    Frame.SLOT: (0, NUM_SLOTS - 1),
    Frame.FIRST: (0, FIGURE_AT + NUM_KINDS * NUM_BOARD - 1),
    Frame.CAUSE: (0, max(Cause)),
    Frame.LOSERS: (0, 2**MAX_SEATS - 1),
    Frame.ASKED: (0, MAX_SEATS),
    Frame.VICTIMS: (0, MAX_SEATS),
    Frame.NEXT: (0, MAX_SEATS - 1),
    Frame.DECLINED: (0, MAX_SEATS),
}

ZERO: Final = (0, 0)
NOBODY: Final = (NONE, NONE)
NOWHERE: Final = (NONE, NONE)
SOMEBODY: Final = (0, LAST_SEAT)
PROVINCE: Final = (0, NUM_PROVINCES - 1)
OUTER: Final = (0, NUM_OUTER - 1)
SEATS_GONE_THROUGH: Final = (0, SEATS)
ASKED: Final = (1, SEATS)


class Bounds(NamedTuple):
    """The least and the greatest number in each column of a routine's frame, in the order of `Frame`."""

    step: Range = ZERO
    seat: Range = SOMEBODY
    place: Range = NOWHERE
    origin: Range = ZERO
    kind: Range = ZERO
    kinds: Range = ZERO
    card: Range = ZERO
    slot: Range = ZERO
    first: Range = ZERO
    cause: Range = ZERO
    losers: Range = ZERO
    asked: Range = ZERO
    victims: Range = ZERO
    next: Range = ZERO
    declined: Range = ZERO


# A routine that is not named asks nothing itself and leaves the stack when it calls another.
FRAMES: Final[dict[Routine, Bounds]] = {
    Routine.GAME: Bounds((1, NUM_PHASES), NOBODY),
    Routine.GODS_GIFTS: Bounds((DraftStep.CHOOSE, DraftStep.CHOOSE), NOBODY),
    Routine.ACTION_PHASE: Bounds(),
    Routine.DISCARD_PHASE: Bounds(ZERO, NOBODY),
    Routine.QUEST_PHASE: Bounds((QuestStep.PAY, QuestStep.PAY), NOBODY, asked=(0, LAST_SEAT)),
    Routine.RAGNAROK: Bounds(ZERO, NOBODY, PROVINCE, asked=ASKED),
    Routine.INVADE: Bounds((InvadeStep.ARRIVAL, InvadeStep.END), place=PROVINCE, kind=(0, NUM_KINDS - 1), asked=ASKED),
    Routine.MARCH: Bounds((1, NUM_KINDS), place=PROVINCE, origin=PROVINCE),
    Routine.UPGRADE: Bounds((UpgradeStep.LAY, UpgradeStep.LAY), card=(0, NUM_CARDS - 1)),
    Routine.SACRIFICE: Bounds((1, FIGURES), first=(0, FIGURE_AT + NUM_KINDS * NUM_BOARD - 1)),
    Routine.PILLAGE: Bounds(place=PROVINCE, next=(0, LAST_SEAT), declined=ASKED),
    Routine.PILLAGED: Bounds((PillageStep.LEADER, PillageStep.END), place=PROVINCE),
    Routine.BATTLE: Bounds(
        (BattleStep.COMMIT, BattleStep.LATE),
        place=PROVINCE,
        asked=SEATS_GONE_THROUGH,
        next=(0, LAST_SEAT),
        declined=SEATS_GONE_THROUGH,
    ),
    Routine.SMITE_AND_TIDE: Bounds(place=PROVINCE, asked=(0, LAST_SEAT), victims=ASKED),
    Routine.RESOLUTION: Bounds((ResolutionStep.TEXTS, ResolutionStep.GLORY), place=PROVINCE, asked=SEATS_GONE_THROUGH),
    Routine.BUY_BACK: Bounds(place=PROVINCE, card=(0, NUM_CARDS - 1)),
    Routine.BLESSING: Bounds(place=PROVINCE, losers=(0, 2**MAX_SEATS - 1), asked=ASKED),
    Routine.DEATHS: Bounds((0, NUM_KINDS - 1), place=PROVINCE, cause=(0, max(Cause))),
    Routine.TAKE_VILLAGE: Bounds(
        (VillageStep.VICTIM, VillageStep.ARRIVE),
        place=OUTER,
        origin=(Place.RESERVE, Place.VALHALLA),
        kind=(0, NUM_KINDS - 1),
        victims=(1, LAST_SEAT),
    ),
}

# The frame that each phase puts on the game's.
PHASES: Final[dict[Phase, Routine]] = {
    Phase.GODS_GIFTS: Routine.GODS_GIFTS,
    Phase.ACTION: Routine.ACTION_PHASE,
    Phase.DISCARD: Routine.DISCARD_PHASE,
    Phase.QUEST: Routine.QUEST_PHASE,
    Phase.RAGNAROK: Routine.RAGNAROK,
}

# What may lie on a frame at which step, from the third frame on.
_OF_AN_ACTION = (
    Routine.INVADE, Routine.MARCH, Routine.UPGRADE, Routine.SACRIFICE, Routine.PILLAGE, Routine.PILLAGED,
    Routine.BATTLE, Routine.RESOLUTION, Routine.BLESSING, Routine.TAKE_VILLAGE,
)  # fmt: skip
_OF_A_BLESSING = (
    Routine.INVADE, Routine.PILLAGE, Routine.PILLAGED, Routine.BATTLE, Routine.RESOLUTION, Routine.BLESSING,
)  # fmt: skip
CALLS: Final[dict[tuple[Routine, int], tuple[Routine, ...]]] = {
    (Routine.ACTION_PHASE, 0): _OF_AN_ACTION,
    (Routine.BLESSING, 0): _OF_A_BLESSING,
    (Routine.RAGNAROK, 0): (Routine.DEATHS,),
    (Routine.INVADE, InvadeStep.ARRIVAL): (Routine.DEATHS,),
    (Routine.TAKE_VILLAGE, VillageStep.ARRIVE): (Routine.DEATHS,),
    (Routine.BATTLE, BattleStep.LATE): (Routine.SMITE_AND_TIDE,),
    (Routine.SMITE_AND_TIDE, 0): (Routine.DEATHS,),
    (Routine.RESOLUTION, ResolutionStep.DISCARD): (Routine.BUY_BACK,),
    (Routine.RESOLUTION, ResolutionStep.DEATHS): (Routine.DEATHS,),
    (Routine.RESOLUTION, ResolutionStep.GLORY): (Routine.PILLAGED,),
}

# Who asks what: the frame on top while a question is open, and its steps.
QUESTIONS: Final[dict[Decision, tuple[tuple[Routine, Range], ...]]] = {
    Decision.DRAFT: ((Routine.GODS_GIFTS, (1, 1)),),
    Decision.ACTION: ((Routine.ACTION_PHASE, ZERO),),
    Decision.MARCH: ((Routine.MARCH, (1, NUM_KINDS)),),
    Decision.SLOT: ((Routine.UPGRADE, (1, 1)),),
    Decision.FREE_INVADE: ((Routine.ACTION_PHASE, ZERO),),
    Decision.RAISE_DEAD: ((Routine.ACTION_PHASE, ZERO),),
    Decision.SACRIFICE: ((Routine.SACRIFICE, (1, FIGURES)),),
    Decision.SUCCOR: ((Routine.INVADE, (InvadeStep.FREE_PILLAGE, InvadeStep.FREE_PILLAGE)),),
    Decision.FREE_PILLAGE: ((Routine.INVADE, (InvadeStep.END, InvadeStep.END)),),
    Decision.CALL: ((Routine.PILLAGE, ZERO),),
    Decision.BATTLE_CARD: ((Routine.BATTLE, (BattleStep.COMMIT, BattleStep.COMMIT)),),
    Decision.COUNT_QUEST: ((Routine.BATTLE, (BattleStep.COUNT_QUESTS, BattleStep.COUNT_QUESTS)),),
    Decision.KEEP_FIGURE: ((Routine.SMITE_AND_TIDE, ZERO),),
    Decision.SAVE: ((Routine.DEATHS, (0, NUM_KINDS - 1)),),
    Decision.LATE_CARD: ((Routine.BATTLE, (BattleStep.LATE, BattleStep.LATE)),),
    Decision.BUY_BACK: ((Routine.BUY_BACK, ZERO),),
    Decision.STAT: (
        (Routine.ACTION_PHASE, ZERO),
        (Routine.QUEST_PHASE, (QuestStep.PAY, QuestStep.PAY)),
        (Routine.PILLAGED, (PillageStep.LEADER, PillageStep.MOVE)),
        (Routine.RESOLUTION, (ResolutionStep.TEXTS, ResolutionStep.TEXTS)),
    ),
    Decision.LEADER_MOVE: ((Routine.PILLAGED, (PillageStep.END, PillageStep.END)),),
    Decision.BLESSING: ((Routine.BLESSING, ZERO),),
    Decision.KEEP_CARD: ((Routine.DISCARD_PHASE, ZERO),),
    Decision.WITHDRAW: ((Routine.DEATHS, (0, NUM_KINDS - 1)),),
    Decision.VICTIM: ((Routine.TAKE_VILLAGE, (VillageStep.VICTIM, VillageStep.VICTIM)),),
    Decision.GOD_MOVE: ((Routine.ACTION_PHASE, ZERO), (Routine.BLESSING, ZERO)),
}

# The same as arrays, for compiled code. A column whose least number is above its greatest one is never fitted.
LEAST, GREATEST = np.ones((NUM_ROUTINES, FRAME_SIZE), np.int64), np.zeros((NUM_ROUTINES, FRAME_SIZE), np.int64)
for _routine, _frame in FRAMES.items():
    LEAST[_routine], GREATEST[_routine] = zip((_routine, _routine), *_frame, strict=True)
PHASE_ROUTINE = np.full(NUM_PHASES, NONE, np.int64)
for _phase, _routine in PHASES.items():
    PHASE_ROUTINE[_phase] = _routine
MAY_CALL = np.zeros((NUM_ROUTINES, MAX_STEPS, NUM_ROUTINES), np.bool_)
for (_caller, _step), _called in CALLS.items():
    for _routine in _called:
        MAY_CALL[_caller, _step, _routine] = True
MAY_ASK = np.zeros((NUM_DECISIONS, NUM_ROUTINES, MAX_STEPS), np.bool_)
for _decision, _askers in QUESTIONS.items():
    for _routine, (_first, _last) in _askers:
        MAY_ASK[_decision, _routine, _first : _last + 1] = True


@rule
def greatest(s: State, routine: int, column: int) -> int:
    """The upper bound of a column in a game of so many players."""
    bound = int(GREATEST[routine, column])
    if bound == LAST_SEAT:
        return int(s.num_players) - 1
    return int(s.num_players) if bound == SEATS else bound


@rule
def frame_holds(s: State, i: int) -> bool:
    """Whether each column of a frame is in its range, and the two that depend on others fit."""
    routine = int(s.stack[i, Frame.ROUTINE])
    if routine < 0 or routine >= NUM_ROUTINES:
        return False
    for column in range(FRAME_SIZE):
        value = int(s.stack[i, column])
        if value < LEAST[routine, column] or value > greatest(s, routine, column):
            return False
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
    depth = int(s.depth)
    if depth < 1 or depth >= MAX_DEPTH:
        return False
    for i in range(depth):
        if not frame_holds(s, i):
            return False
    if s.stack[0, Frame.ROUTINE] != Routine.GAME or s.stack[0, Frame.STEP] != int(s.phase) + 1:
        return False
    if depth == 1:
        return s.over == 1 and s.phase == Phase.OVER
    if s.stack[1, Frame.ROUTINE] != PHASE_ROUTINE[s.phase]:
        return False
    for i in range(2, depth):
        if not MAY_CALL[s.stack[i - 1, Frame.ROUTINE], s.stack[i - 1, Frame.STEP], s.stack[i, Frame.ROUTINE]]:
            return False
    return True


@rule
def question_holds(s: State) -> bool:
    """Whether the frame on top asks this question, of this seat, about these things; in a stack that holds."""
    seat = int(s.seat)
    decision = s.decision
    if seat < 0 or seat >= s.num_players or not MAY_ASK[decision, get(s, Frame.ROUTINE), get(s, Frame.STEP)]:
        return False
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
    """What marches and dies stands there; nothing does so but while its routine lies on top."""
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
