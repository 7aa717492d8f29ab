"""How an attack lands: protection, strength, armour, wounds (rules 4.6, 4.7)."""

from .....core.compile.decorators import rule
from .. import hooks, keyword_hooks
from ..cards import ABILITIES, Part
from ..ids import MISS, Act, Attack
from ..primitives import add_wounds, bury
from ..queries import are_enemies
from ..stack import get, put
from ..state import Frame, State
from .fight import in_reach


@rule
def through_armour(s: State, slot: int, attack: int, wounds: int) -> int:
    """The wounds of an attack that are left after the armour of the card (rules 4.7 d, 7.10)."""
    if attack == Attack.MAGIC_STRIKE or attack == Attack.DISCHARGE:
        return wounds
    absorbed = min(wounds, max(0, hooks.armour(s, slot) - int(s.absorbed[slot])))
    s.absorbed[slot] += absorbed
    return wounds - absorbed


@rule
def strike_strength(s: State, source: int, target: int, force: int, directed: int, defended: int) -> int:
    """The strength of a simple strike of this force (rules 4.7 c)."""
    strength = int(ABILITIES[Part.WEAK + force, s.card[source], Act.STRIKE])
    strength += hooks.strike_bonus(s, source, target, force, defended)
    strength += hooks.element_bonus(s, source, target, Attack.SIMPLE)
    strength = max(0, strength - hooks.reduction(s, source, target, Attack.SIMPLE, directed))
    return strength + keyword_hooks.wounds_more(s, target)


@rule
def attack_strength(s: State, source: int, target: int, act: int, force: int, paid: int) -> int:
    """The strength of the attack of an ability (rules 4.7 c, 5.3)."""
    attack = int(ABILITIES[Part.ATTACK, s.card[source], act])
    strength = int(ABILITIES[Part.WEAK + force, s.card[source], act])
    strength += hooks.attack_bonus(s, source, target, act, paid)
    strength += hooks.element_bonus(s, source, target, attack)
    return max(0, strength - hooks.reduction(s, source, target, attack, 0)) + keyword_hooks.wounds_more(s, target)


@rule
def land_strikes(s: State, actor: int, target: int) -> None:
    """The attacker's strike and the other's, as far as they land; together where both do (rules 4.6, 4.7, 4.10).

    The frame keeps how each landed, MISS where protection made it nothing.
    """
    force, counter = get(s, Frame.FORCE), get(s, Frame.COUNTER)
    if counter != MISS and not in_reach(s, target, actor):
        counter = MISS
    wounds = back = 0
    if force != MISS:
        force = keyword_hooks.reduced_force(s, target, Attack.SIMPLE, hooks.strike_force(s, actor, force))
        if hooks.protected(s, actor, target, Attack.SIMPLE, force):
            force = MISS
        else:
            wounds = strike_strength(s, actor, target, force, get(s, Frame.DIRECTED), get(s, Frame.DEFENDED))
    if counter != MISS:
        counter = keyword_hooks.reduced_force(s, actor, Attack.SIMPLE, hooks.strike_force(s, target, counter))
        if hooks.protected(s, target, actor, Attack.SIMPLE, counter):
            counter = MISS
        else:
            back = strike_strength(s, target, actor, counter, int(hooks.is_directed(s, target, actor)), 0)
    put(s, Frame.FORCE, force)
    put(s, Frame.COUNTER, counter)
    add_wounds(s, target, through_armour(s, target, Attack.SIMPLE, wounds))
    add_wounds(s, actor, through_armour(s, actor, Attack.SIMPLE, back))
    bury(s, target, are_enemies(actor, target))
    bury(s, actor, are_enemies(actor, target))
