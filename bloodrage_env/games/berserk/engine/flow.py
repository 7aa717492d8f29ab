"""From answer to question: two chains of names, and what `core` makes of them."""

from typing import Final

from ....core.compiled import rule
from ....core.flow import Rules, flow_for
from .actions import NUM_ACTIONS
from .checks import check_options
from .ids import NUM_SEATS, Decision, Routine
from .information import answered_in_secret
from .primitives import clear_dice
from .rules.ability import ability, apply_target, apply_tokens, mask_tokens
from .rules.fight import apply_pick_die, apply_reroll, apply_weaken, mask_yes_no
from .rules.on_strike import apply_close_or_wound, apply_go_or_wound, apply_push
from .rules.placement import apply_place, mask_place, placement
from .rules.purchase import apply_buy, mask_buy, purchase
from .rules.reveal import apply_hide, mask_hide, reveal
from .rules.second_strike import apply_again, mask_again
from .rules.setup import apply_keep, apply_seat, deal, game, mask_keep, set_up
from .rules.start import apply_heal_first, apply_valhalla, mask_valhalla, start
from .rules.strike import apply_defender, mask_defender, strike
from .rules.targets import mask_target
from .rules.turn import apply_main, mask_main, turn
from .stack import get, no_question
from .state import COMPILER, MAX_DECISIONS, Frame, State


@rule
def resume(s: State) -> None:
    """Let the routine on top go on."""
    routine = get(s, Frame.ROUTINE)
    if routine == Routine.TURN:
        turn(s)
    elif routine == Routine.STRIKE:
        strike(s)
    elif routine == Routine.ABILITY:
        ability(s)
    elif routine == Routine.START:
        start(s)
    elif routine == Routine.DEAL:
        deal(s)
    elif routine == Routine.PURCHASE:
        purchase(s)
    elif routine == Routine.PLACEMENT:
        placement(s)
    elif routine == Routine.REVEAL:
        reveal(s)
    else:
        game(s)


@rule
def write_mask(s: State) -> None:
    """Write the mask of the open question, into zeros."""
    decision = s.decision
    if decision == Decision.MAIN:
        mask_main(s)
    elif decision == Decision.TARGET:
        mask_target(s)
    elif decision == Decision.TOKENS:
        mask_tokens(s)
    elif decision == Decision.DEFENDER:
        mask_defender(s)
    elif decision == Decision.AGAIN:
        mask_again(s)
    elif decision == Decision.VALHALLA:
        mask_valhalla(s)
    elif decision == Decision.KEEP:
        mask_keep(s)
    elif decision == Decision.BUY:
        mask_buy(s)
    elif decision == Decision.PLACE:
        mask_place(s)
    elif decision == Decision.HIDE:
        mask_hide(s)
    elif decision != Decision.NONE:  # SEAT, HEAL_FIRST, REROLL, PICK_DIE, WEAKEN, CLOSE_OR_WOUND, PUSH, GO_OR_WOUND
        mask_yes_no(s)


@rule
def openly_forced(s: State) -> bool:
    """Whether everybody can see that an open question with one legal answer has no more (rules 9.1).

    Legal answers in a battle depend on what lies open alone; a face-down card is an ordinary target (rules 2.7).
    """
    return not answered_in_secret(s)


@rule
def answer(s: State, action: int) -> None:
    """Close the open question with a legal action. Dice lie open until a player answers, those of a fight until it is
    over: an answer that was not asked for would take them away before anybody has seen them (rules 9.5).
    """
    decision = s.decision
    seat = int(s.seat)
    skipped = s.skip_forced == 1 and s.num_legal == 1 and openly_forced(s)
    s.decision = Decision.NONE
    s.rolled = 0
    in_fight = decision == Decision.REROLL or decision == Decision.PICK_DIE or decision == Decision.WEAKEN
    if not in_fight and not skipped:
        clear_dice(s)
    if decision == Decision.MAIN:
        apply_main(s, seat, action)
    elif decision == Decision.TARGET:
        apply_target(s, seat, action)
    elif decision == Decision.TOKENS:
        apply_tokens(s, seat, action)
    elif decision == Decision.DEFENDER:
        apply_defender(s, seat, action)
    elif decision == Decision.REROLL:
        apply_reroll(s, seat, action)
    elif decision == Decision.PICK_DIE:
        apply_pick_die(s, seat, action)
    elif decision == Decision.WEAKEN:
        apply_weaken(s, seat, action)
    elif decision == Decision.CLOSE_OR_WOUND:
        apply_close_or_wound(s, seat, action)
    elif decision == Decision.PUSH:
        apply_push(s, seat, action)
    elif decision == Decision.GO_OR_WOUND:
        apply_go_or_wound(s, seat, action)
    elif decision == Decision.AGAIN:
        apply_again(s, seat, action)
    else:
        answer_before_main(s, decision, seat, action)


@rule
def answer_before_main(s: State, decision: int, seat: int, action: int) -> None:
    """The questions of recruiting and of the start of a turn."""
    if decision == Decision.BUY:
        apply_buy(s, seat, action)
    elif decision == Decision.PLACE:
        apply_place(s, seat, action)
    elif decision == Decision.HIDE:
        apply_hide(s, seat, action)
    elif decision == Decision.KEEP:
        apply_keep(s, seat, action)
    elif decision == Decision.SEAT:
        apply_seat(s, seat, action)
    elif decision == Decision.VALHALLA:
        apply_valhalla(s, seat, action)
    else:
        apply_heal_first(s, seat, action)


@rule
def score(s: State, seat: int) -> int:
    """1 for the winner, else 0: also both, in a draw or if it was cut off (rules 6.4, 6.5)."""
    ended = s.over == 1 and s.truncated == 0
    return int(ended and s.standing[seat] != 0 and s.standing[(seat + 1) % NUM_SEATS] == 0)


RULES: Final = Rules(check_options, set_up, resume, write_mask, answer, openly_forced, no_question, score)
FLOW: Final = flow_for(COMPILER, RULES, NUM_ACTIONS, MAX_DECISIONS)
fill_mask = FLOW.fill_mask
