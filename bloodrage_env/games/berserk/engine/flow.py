"""From answer to question: the tables of routines and of questions, and what `core` makes of them."""

from typing import Final

from ....core.compile.decorators import rule
from ....core.engine.flow import Question, Rules, flow_for
from .actions import NUM_ACTIONS
from .checks import check_options
from .ids import LAAR, Decision, Routine
from .information import answered_in_secret
from .laar import plays
from .primitives import clear_dice, dice_lie_open
from .queries import of_enemies, of_team
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
from .rules.vanguard import apply_vanguard, mask_vanguard, vanguard
from .stack import no_question
from .state import COMPILER, MAX_DECISIONS, State

# Of each routine the function that lets it go on.
ROUTINES: Final = {
    Routine.GAME: game,
    Routine.DEAL: deal,
    Routine.PURCHASE: purchase,
    Routine.PLACEMENT: placement,
    Routine.REVEAL: reveal,
    Routine.TURN: turn,
    Routine.START: start,
    Routine.STRIKE: strike,
    Routine.ABILITY: ability,
    Routine.VANGUARD: vanguard,
}

# Of each kind of question what writes its mask and what carries out an answer.
QUESTIONS: Final = {
    Decision.SEAT: Question(mask_yes_no, apply_seat),
    Decision.KEEP: Question(mask_keep, apply_keep),
    Decision.BUY: Question(mask_buy, apply_buy),
    Decision.PLACE: Question(mask_place, apply_place),
    Decision.HIDE: Question(mask_hide, apply_hide),
    Decision.VALHALLA: Question(mask_valhalla, apply_valhalla),
    Decision.HEAL_FIRST: Question(mask_yes_no, apply_heal_first),
    Decision.MAIN: Question(mask_main, apply_main),
    Decision.TARGET: Question(mask_target, apply_target),
    Decision.TOKENS: Question(mask_tokens, apply_tokens),
    Decision.DEFENDER: Question(mask_defender, apply_defender),
    Decision.REROLL: Question(mask_yes_no, apply_reroll),
    Decision.PICK_DIE: Question(mask_yes_no, apply_pick_die),
    Decision.WEAKEN: Question(mask_yes_no, apply_weaken),
    Decision.CLOSE_OR_WOUND: Question(mask_yes_no, apply_close_or_wound),
    Decision.PUSH: Question(mask_yes_no, apply_push),
    Decision.GO_OR_WOUND: Question(mask_yes_no, apply_go_or_wound),
    Decision.AGAIN: Question(mask_again, apply_again),
    Decision.VANGUARD: Question(mask_vanguard, apply_vanguard),
}


@rule
def openly_forced(s: State) -> bool:
    """Whether everybody can see that an open question with one legal answer has no more (rules 9.1).

    Legal answers in a battle depend on what lies open alone; a face-down card is an ordinary target (rules 2.7). With a
    target new dice may be rolled: it is asked for while others lie open that nobody has seen (rules 9.5).
    """
    return not answered_in_secret(s) and not (s.decision == Decision.TARGET and dice_lie_open(s))


@rule
def put_dice_away(s: State) -> None:
    """Dice lie open until a player answers, those of a fight until it is over: an answer that was not asked for would
    take them away before anybody has seen them (rules 9.5).
    """
    decision = s.decision
    skipped = s.skip_forced == 1 and s.num_legal == 1 and openly_forced(s)
    s.rolled = 0
    in_fight = decision == Decision.REROLL or decision == Decision.PICK_DIE or decision == Decision.WEAKEN
    if not in_fight and not skipped:
        clear_dice(s)


@rule
def score(s: State, seat: int) -> int:
    """1 for the winner, else 0: also both, in a draw or if it was cut off (rules 6.4, 6.5). A player alone has -1 when
    its creatures are dead, and nobody has the score of the demon (rules 11.9).
    """
    if s.over == 0 or s.truncated == 1 or not plays(s, seat):
        return 0
    won = int(of_team(s, seat) != 0) - int(of_enemies(s, seat) != 0)
    return won if LAAR and s.num_players == 1 else max(0, won)


RULES: Final = Rules(check_options, set_up, ROUTINES, QUESTIONS, openly_forced, no_question, score, put_dice_away)
FLOW: Final = flow_for(COMPILER, RULES, NUM_ACTIONS, MAX_DECISIONS)
fill_mask = FLOW.fill_mask
