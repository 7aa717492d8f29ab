"""From answer to question: two chains of names, and what `core` makes of them."""

from typing import Final

from ....core.compiled import rule
from ....core.flow import Rules, flow_for
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
from .stack import get, no_question
from .state import COMPILER, MAX_DECISIONS, Frame, State


@rule
def resume(s: State) -> None:
    """Let the routine on top go on."""
    routine = get(s, Frame.ROUTINE)
    if routine == Routine.ACTION_PHASE:
        action_phase(s)
    elif routine == Routine.INVADE:
        invasion(s)
    elif routine == Routine.PILLAGE:
        pillage(s)
    elif routine == Routine.BATTLE:
        battle(s)
    elif routine == Routine.RESOLUTION:
        resolution(s)
    elif routine == Routine.DEATHS:
        deaths(s)
    elif routine == Routine.PILLAGED:
        pillaged(s)
    elif routine == Routine.BLESSING:
        blessing(s)
    elif routine == Routine.MARCH:
        march(s)
    elif routine == Routine.UPGRADE:
        upgrade(s)
    elif routine == Routine.FREE_INVADE:
        free_invade(s)
    elif routine == Routine.SMITE_AND_TIDE:
        smite_and_tide(s)
    elif routine == Routine.BUY_BACK:
        buy_back(s)
    elif routine == Routine.SACRIFICE:
        sacrifice(s)
    elif routine == Routine.TAKE_VILLAGE:
        take_village(s)
    elif routine == Routine.GODS_GIFTS:
        gods_gifts(s)
    elif routine == Routine.DISCARD_PHASE:
        discard_phase(s)
    elif routine == Routine.QUEST_PHASE:
        quest_phase(s)
    elif routine == Routine.RAGNAROK:
        ragnarok(s)
    else:
        game(s)


@rule
def write_mask(s: State) -> None:
    """Write the mask of the open question, into zeros."""
    decision = s.decision
    if decision == Decision.ACTION:
        mask_action(s)
    elif decision == Decision.DRAFT:
        mask_draft(s)
    elif decision == Decision.CALL:
        mask_call(s)
    elif decision == Decision.BATTLE_CARD:
        mask_battle_card(s)
    elif decision == Decision.LATE_CARD:
        mask_late_card(s)
    elif decision == Decision.STAT:
        mask_stat(s)
    elif decision == Decision.MARCH:
        mask_count(s)
    elif decision == Decision.SLOT:
        mask_slot(s)
    elif decision == Decision.FREE_INVADE:
        mask_free_invade(s)
    elif decision == Decision.KEEP_CARD:
        mask_keep_card(s)
    elif decision == Decision.SAVE:
        mask_save(s)
    elif decision == Decision.COUNT_QUEST:
        mask_count_quest(s)
    elif decision == Decision.KEEP_FIGURE:
        mask_keep_figure(s)
    elif decision == Decision.BUY_BACK:
        mask_buy_back(s)
    elif decision == Decision.LEADER_MOVE:
        mask_leader_move(s)
    elif decision == Decision.RAISE_DEAD:
        mask_raise_dead(s)
    elif decision == Decision.SACRIFICE:
        mask_sacrifice(s)
    elif decision == Decision.GOD_MOVE:
        mask_god_move(s)
    elif decision == Decision.WITHDRAW:
        mask_withdraw(s)
    elif decision == Decision.VICTIM:
        mask_victim(s)
    elif decision != Decision.NONE:  # SUCCOR, FREE_PILLAGE, BLESSING
        mask_yes_no(s)


@rule
def answer(s: State, action: int) -> None:
    """Close the open question with a legal action."""
    decision = s.decision
    seat = int(s.seat)
    s.decision = Decision.NONE
    if decision == Decision.ACTION:
        apply_action(s, seat, action)
    elif decision == Decision.DRAFT:
        apply_draft(s, seat, action)
    elif decision == Decision.CALL:
        apply_call(s, seat, action)
    elif decision == Decision.BATTLE_CARD:
        apply_battle_card(s, seat, action)
    elif decision == Decision.LATE_CARD:
        apply_late_card(s, seat, action)
    elif decision == Decision.STAT:
        apply_stat(s, seat, action)
    elif decision == Decision.MARCH:
        apply_march(s, seat, action)
    elif decision == Decision.SLOT:
        apply_slot(s, seat, action)
    elif decision == Decision.FREE_INVADE:
        apply_free_invade(s, seat, action)
    elif decision == Decision.KEEP_CARD:
        apply_keep_card(s, seat, action)
    elif decision == Decision.SAVE:
        apply_save(s, seat, action)
    elif decision == Decision.COUNT_QUEST:
        apply_count_quest(s, seat, action)
    elif decision == Decision.KEEP_FIGURE:
        apply_keep_figure(s, seat, action)
    elif decision == Decision.BUY_BACK:
        apply_buy_back(s, seat, action)
    elif decision == Decision.LEADER_MOVE:
        apply_leader_move(s, seat, action)
    elif decision == Decision.RAISE_DEAD:
        apply_raise_dead(s, seat, action)
    elif decision == Decision.SACRIFICE:
        apply_sacrifice(s, seat, action)
    elif decision == Decision.WITHDRAW:
        apply_withdraw(s, seat, action)
    elif decision == Decision.VICTIM:
        apply_victim(s, seat, action)
    elif decision == Decision.SUCCOR:
        apply_succor(s, seat, action)
    elif decision == Decision.FREE_PILLAGE:
        apply_free_pillage(s, seat, action)
    elif decision == Decision.GOD_MOVE:
        apply_god_move(s, seat, action)
    else:
        apply_blessing(s, seat, action)


@rule
def openly_forced(s: State) -> bool:
    """Whether everybody can see that an open question with one legal answer has no more, and may know that it isn't
    asked.

    Most questions are about what lies open (rules 2.6). The answers to those of `SECRET` and to the choice of an action
    depend on a hand or a pack, so that a question left out would tell what is held, unless its size alone decides: a
    clan plays its last card in a battle, and has no card to act with when it holds none (rules 7.7, 7.8).
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


RULES: Final = Rules(check_options, set_up, resume, write_mask, answer, openly_forced, no_question, score)
FLOW: Final = flow_for(COMPILER, RULES, NUM_ACTIONS, MAX_DECISIONS)
fill_mask = FLOW.fill_mask
