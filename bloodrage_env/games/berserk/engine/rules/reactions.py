"""What struck cards do to the striker (rules 4.8 c, 7.4, 8.14)."""

from .....core.compile.decorators import rule
from .. import hooks, keyword_hooks
from ..ids import WEAK, Attack
from ..primitives import wound
from ..queries import are_enemies, lives
from ..state import State
from .landing import through_armour


@rule
def reaction(s: State, struck: int, striker: int, attack: int) -> bool:
    """The reaction of one card to a strike that landed on it, dead or alive, if the striker lives.

    Return whether it struck back, and that landed.
    """
    if not lives(s, striker) or not (hooks.is_melee(attack) or attack == Attack.ACROSS):
        return False
    hooks.spell(s, struck, striker, hooks.struck_wounds(s, struck))
    if not lives(s, striker) or not hooks.is_melee(attack):
        return False
    strength = hooks.counter_strike(s, struck, striker)
    if strength == 0 or hooks.protected(s, struck, striker, Attack.SPECIAL, WEAK):
        return False
    strength = max(0, strength - hooks.reduction(s, struck, striker, Attack.SPECIAL, 0))
    strength += keyword_hooks.wounds_more(s, striker)
    wound(s, striker, through_armour(s, striker, Attack.SPECIAL, strength), are_enemies(struck, striker))
    return True


@rule
def reactions(s: State, first: int, second: int, attack: int, forward: bool, back: bool) -> None:
    """The reactions of both cards, in the order in which strikes landed, each once.

    `forward`: an attack of `first` has landed on `second`; `back`: a simple strike the other way. What a card strikes
    back with is a strike too, to which the other may react.
    """
    struck_back = forward and reaction(s, second, first, attack)
    if back:
        struck_again = reaction(s, first, second, Attack.SIMPLE)
    else:
        struck_again = struck_back and reaction(s, first, second, Attack.SPECIAL)
    if struck_again and not forward:
        reaction(s, second, first, Attack.SPECIAL)
