"""From answer to question: the tables of routines and of questions, and what `core` makes of them."""

from typing import Final

from ....core.compile.decorators import rule
from ....core.engine.flow import Question, Rules, flow_for
from .actions import NUM_ACTIONS
from .checks import check_options
from .effects.friggas_chosen import apply_withdraw, mask_withdraw
from .effects.friggas_domain import apply_raise_dead, mask_raise_dead
from .effects.friggas_sacrifice import apply_sacrifice, mask_sacrifice, sacrifice
from .effects.friggas_succor import apply_succor
from .effects.lokis_blessing import apply_blessing, blessing
from .effects.lord_of_hammers import apply_leader_move, mask_leader_move
from .effects.odins_chosen import apply_victim, mask_victim, take_village
from .effects.smite_and_tide import apply_keep_figure, mask_keep_figure, smite_and_tide
from .effects.thors_domain import apply_free_pillage
from .effects.tyrs_prowess import apply_buy_back, buy_back, mask_buy_back
from .ids import Decision, Routine
from .information import asked_in_secret
from .rules.action import action_phase, apply_action, mask_action
from .rules.age import game
from .rules.battle import (
    apply_battle_card,
    apply_count_quest,
    apply_late_card,
    battle,
    mask_battle_card,
    mask_count_quest,
    mask_late_card,
)
from .rules.choices import apply_stat, mask_stat, mask_yes_no
from .rules.deaths import apply_save, deaths, mask_save
from .rules.discard import apply_keep_card, discard_phase, mask_keep_card
from .rules.gods import apply_god_move, mask_god_move
from .rules.gods_gifts import apply_draft, gods_gifts, mask_draft
from .rules.invade import apply_free_invade, free_invade, invasion, mask_free_invade
from .rules.march import apply_march, march, mask_count
from .rules.pillage import apply_call, mask_call, pillage, pillaged
from .rules.quest import quest_phase
from .rules.ragnarok import ragnarok
from .rules.resolution import resolution
from .rules.setup import set_up
from .rules.upgrade import apply_slot, mask_slot, upgrade
from .stack import no_question
from .state import COMPILER, MAX_DECISIONS, State

# Of each routine the function that lets it go on.
ROUTINES: Final = {
    Routine.GAME: game,
    Routine.GODS_GIFTS: gods_gifts,
    Routine.ACTION_PHASE: action_phase,
    Routine.DISCARD_PHASE: discard_phase,
    Routine.QUEST_PHASE: quest_phase,
    Routine.RAGNAROK: ragnarok,
    Routine.INVADE: invasion,
    Routine.FREE_INVADE: free_invade,
    Routine.MARCH: march,
    Routine.UPGRADE: upgrade,
    Routine.SACRIFICE: sacrifice,
    Routine.PILLAGE: pillage,
    Routine.PILLAGED: pillaged,
    Routine.BATTLE: battle,
    Routine.RESOLUTION: resolution,
    Routine.BLESSING: blessing,
    Routine.DEATHS: deaths,
    Routine.SMITE_AND_TIDE: smite_and_tide,
    Routine.BUY_BACK: buy_back,
    Routine.TAKE_VILLAGE: take_village,
}

# Of each kind of question what writes its mask and what carries out an answer.
QUESTIONS: Final = {
    Decision.DRAFT: Question(mask_draft, apply_draft),
    Decision.ACTION: Question(mask_action, apply_action),
    Decision.MARCH: Question(mask_count, apply_march),
    Decision.SLOT: Question(mask_slot, apply_slot),
    Decision.FREE_INVADE: Question(mask_free_invade, apply_free_invade),
    Decision.RAISE_DEAD: Question(mask_raise_dead, apply_raise_dead),
    Decision.SACRIFICE: Question(mask_sacrifice, apply_sacrifice),
    Decision.SUCCOR: Question(mask_yes_no, apply_succor),
    Decision.FREE_PILLAGE: Question(mask_yes_no, apply_free_pillage),
    Decision.CALL: Question(mask_call, apply_call),
    Decision.BATTLE_CARD: Question(mask_battle_card, apply_battle_card),
    Decision.COUNT_QUEST: Question(mask_count_quest, apply_count_quest),
    Decision.KEEP_FIGURE: Question(mask_keep_figure, apply_keep_figure),
    Decision.SAVE: Question(mask_save, apply_save),
    Decision.LATE_CARD: Question(mask_late_card, apply_late_card),
    Decision.BUY_BACK: Question(mask_buy_back, apply_buy_back),
    Decision.STAT: Question(mask_stat, apply_stat),
    Decision.LEADER_MOVE: Question(mask_leader_move, apply_leader_move),
    Decision.BLESSING: Question(mask_yes_no, apply_blessing),
    Decision.KEEP_CARD: Question(mask_keep_card, apply_keep_card),
    Decision.WITHDRAW: Question(mask_withdraw, apply_withdraw),
    Decision.VICTIM: Question(mask_victim, apply_victim),
    Decision.GOD_MOVE: Question(mask_god_move, apply_god_move),
}


@rule
def openly_forced(s: State) -> bool:
    """Return whether it is public that the open question has one legal answer, so that it need not be asked.

    Most questions are about public information (rules 2.6). The answers to those of `SECRET` and to the choice of an
    action depend on a hand or a pack, so that a question left out would reveal what is held, unless its size alone
    decides: a clan plays its last card in a battle, and has no card to act with when it holds none (rules 7.7, 7.8).
    """
    if s.decision == Decision.BATTLE_CARD:
        return s.hand_size[s.seat] == 1
    if s.decision == Decision.ACTION:
        return s.hand_size[s.seat] == 0
    return not asked_in_secret(s)


@rule
def score(s: State, seat: int) -> int:
    """Glory; the most wins (rules 5)."""
    return int(s.glory[seat])


RULES: Final = Rules(check_options, set_up, ROUTINES, QUESTIONS, openly_forced, no_question, score)
FLOW: Final = flow_for(COMPILER, RULES, NUM_ACTIONS, MAX_DECISIONS)
fill_mask, resume = FLOW.fill_mask, FLOW.resume
