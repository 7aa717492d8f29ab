"""Tap abilities (rules 5)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks, keyword_hooks
from ..actions import CELL, DONE, NUMBER
from ..cards import ABILITIES, Part
from ..ids import NUM_SEATS, WEAK, Attack, Decision
from ..primitives import (
    add_wounds,
    bury,
    clear_dice,
    gain_tokens,
    heal,
    light,
    lose_tokens,
    roll_block,
    roll_strength,
    turn_up,
    wound,
)
from ..queries import are_enemies, lives, seen
from ..stack import ask, get, go_to, pop, put
from ..state import Frame, State
from .closing import close_card
from .fight import ask_reroll, force_of
from .landing import attack_strength, through_armour
from .reactions import reactions
from .second_strike import ask_again
from .strike import aim_strike
from .targets import chosen, has_target


class Step(IntEnum):
    """The steps of an ability."""

    BEGIN = 0
    TARGET = 1
    ATTACK = 2
    CLOSE = 3
    END = 4
    REROLL = 5


@rule
def ability(s: State) -> None:
    """The number of tokens if it asks, one target after the other, then the closing (rules 5.4, 5.5)."""
    seat, actor, act = get(s, Frame.SEAT), get(s, Frame.ACTOR), get(s, Frame.ACT)
    card = s.card[actor]
    attack = int(ABILITIES[Part.ATTACK, card, act])
    if get(s, Frame.STEP) == Step.BEGIN:
        go_to(s, Step.CLOSE if attack >= Attack.TOKEN else Step.TARGET)
        if attack >= Attack.TOKEN:
            gain(s, actor, attack)
        elif ABILITIES[Part.ANY_COST, card, act] == 1:
            ask(s, Decision.TOKENS, seat, actor, get(s, Frame.TARGET))
            return
        else:
            put(s, Frame.PAID, ABILITIES[Part.COST, card, act])
    if get(s, Frame.STEP) == Step.ATTACK:
        go_to(s, Step.REROLL)
        roll_dice(s, actor, act, attack)
    if get(s, Frame.STEP) == Step.REROLL:
        if ask_reroll(s, actor, get(s, Frame.TARGET)):
            return
        carry_out(s, actor, act, attack)
        go_to(s, Step.TARGET)
    if get(s, Frame.STEP) == Step.TARGET:
        if get(s, Frame.COUNT) < ABILITIES[Part.TARGETS, card, act] and lives(s, actor) and has_target(s):
            go_to(s, Step.ATTACK)
            ask(s, Decision.TARGET, seat, actor, get(s, Frame.TARGET))
            return
        go_to(s, Step.CLOSE)
    if get(s, Frame.STEP) == Step.CLOSE:
        if not hooks.stays_open(s, actor):
            close_card(s, actor)
        go_to(s, Step.END)
        if ask_again(s):
            return
    pop(s)


@rule
def gain(s: State, actor: int, attack: int) -> None:
    """The card gains a token, or directed (rules 3.6)."""
    if attack == Attack.TOKEN:
        gain_tokens(s, actor, 1)
    else:
        s.directed[actor] = 1


# ---- tokens and targets


@rule
def mask_tokens(s: State) -> None:
    """NUMBER[n]: n tokens, at least 1 (rules 7.19)."""
    for n in range(s.tokens[s.actor]):
        s.mask[NUMBER + n] = 1


@rule
def apply_tokens(s: State, seat: int, action: int) -> None:
    """They are paid when the target is chosen."""
    put(s, Frame.PAID, action - NUMBER + 1)


@rule
def apply_target(s: State, seat: int, action: int) -> None:
    """The target of a strike or an ability; DONE: no further one."""
    attack = int(ABILITIES[Part.ATTACK, s.card[get(s, Frame.ACTOR)], get(s, Frame.ACT)])
    if action == DONE:
        go_to(s, Step.CLOSE)
    elif attack == Attack.SIMPLE:
        aim_strike(s, chosen(s, seat, action))
    elif attack == Attack.BONFIRE:
        light(s, seen(s, seat, action - CELL), int(s.turn) + NUM_SEATS - 1)
        go_to(s, Step.CLOSE)
    else:
        aim(s, attack, chosen(s, seat, action))


@rule
def aim(s: State, attack: int, target: int) -> None:
    """The target of an ability is turned up; with the first one the tokens are paid (rules 5.4)."""
    actor = get(s, Frame.ACTOR)
    turn_up(s, target)
    if get(s, Frame.COUNT) == 0:
        lose_tokens(s, actor, get(s, Frame.PAID))
    else:
        put(s, Frame.BEFORE, get(s, Frame.TARGET))
    put(s, Frame.TARGET, target)
    put(s, Frame.COUNT, get(s, Frame.COUNT) + 1)
    s.strikes[actor] += attack == Attack.ACROSS


# ---- the attack


@rule
def is_blocked(s: State, target: int, attack: int) -> bool:
    """Whether the die of a block that lies open blocks the attack (rules 7.27)."""
    return s.block > 0 and s.block >= hooks.blocks(s, target, attack)


@rule
def roll_dice(s: State, actor: int, act: int, attack: int) -> None:
    """The block and the die of an attack, and how often that may be rolled again (rules 5.4, 7.27, 12.5)."""
    target = get(s, Frame.TARGET)
    clear_dice(s)
    put(s, Frame.LEFT, 0)
    if attack < Attack.SPELL and hooks.blocks(s, target, attack) > 0:
        roll_block(s)
    if ABILITIES[Part.ROLLED, s.card[actor], act] == 1 and not is_blocked(s, target, attack):
        roll_strength(s)
        put(s, Frame.LEFT, keyword_hooks.ability_experience(s, actor, attack))


@rule
def carry_out(s: State, actor: int, act: int, attack: int) -> None:
    """The attack lands unless it is blocked or the card is protected (rules 5.4, 7.27)."""
    target, card = get(s, Frame.TARGET), s.card[actor]
    if attack == Attack.SPELL:
        hooks.spell(s, actor, target, hooks.spell_wounds(s, actor, int(s.cell[target]), act))
        return
    if attack == Attack.HEAL:
        heal(s, target, int(ABILITIES[Part.WEAK, card, act]))
        return
    force = force_of(int(s.die)) if s.die > 0 else WEAK
    if attack == Attack.WOUND:
        wound(s, target, int(ABILITIES[Part.WEAK + force, card, act]), are_enemies(actor, target))
        return
    blocked = is_blocked(s, target, attack)
    force = keyword_hooks.reduced_force(s, target, attack, force)
    strength = attack_strength(s, actor, target, act, force, get(s, Frame.PAID))
    gain_tokens(s, actor, int(ABILITIES[Part.GAINS, card, act]))
    lose_tokens(s, actor, int(ABILITIES[Part.LOSES, card, act]))
    if not blocked and not hooks.protected(s, actor, target, attack, force):
        land(s, actor, target, act, attack, strength)


@rule
def land(s: State, actor: int, target: int, act: int, attack: int, strength: int) -> None:
    """Wounds, death, stun, reactions (rules 4.7, 4.8)."""
    add_wounds(s, target, through_armour(s, target, attack, strength))
    bury(s, target, are_enemies(actor, target))
    if ABILITIES[Part.STUNS, s.card[actor], act] == 1 and lives(s, target) and s.closed[target] == 1:
        s.stunned[target] = 1
    reactions(s, actor, target, attack, True, False)
