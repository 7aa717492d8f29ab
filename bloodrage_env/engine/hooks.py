"""Every place where a card may bend a rule, once, in the order in which a game meets them.

The chapters in `rules/` call these and name no card. A plain number of a card text is a column of `cards.csv`
(`Effect`). What a card asks, and what its answers do, is a file in `effects/`; whether it asks is said here.
"""

from ..core.compiled import rule
from .board import FIRST_SLOT, PLAIN_STRENGTH, SLOTS_OF
from .card_ids import Card
from .cards import EFFECTS, PRICE, STRENGTH, TYPE, Effect
from .effects import battle_cards, kickstarter_monsters, lord_of_hammers
from .ids import (
    NONE,
    NUM_KINDS,
    NUM_OUTER,
    NUM_PROVINCES,
    CardType,
    Cause,
    Decision,
    Figure,
    Place,
    Purpose,
    Token,
)
from .primitives import gain_rage, has_upgrade
from .queries import card_of, horns_free, room, upgrade_sum
from .stack import Routine, ask, push, put
from .state import Frame, State

ALL_STATS = 0b111
CHALLENGE_PRICE = 2  # rules 6.3.6
RAISE_DEAD_PRICE = 1  # rules 6.3.7
FREE_PILLAGE_PRICE = 2  # rules 6.3.4
SAVE_PRICE = 1  # rules 6.3.9
BUY_BACK_PRICE = 1  # rules 6.2.7

# ---- what a figure counts as (rules 1.4)


@rule
def is_leader(s: State, seat: int, kind: int) -> bool:
    """Leaders, and the monster that is one as well (rules 6.4.3.2)."""
    return kind == Figure.LEADER or card_of(s, seat, kind) == Card.MOUNTAIN_GIANT


@rule
def is_monster(s: State, seat: int, kind: int) -> bool:
    """Whether figures of a kind are monsters."""
    card = card_of(s, seat, kind)
    return card != NONE and TYPE[card] == CardType.MONSTER


@rule
def is_ship(s: State, seat: int, kind: int) -> bool:
    """Ships, and the monster that is one in all ways (rules 6.3.13)."""
    return kind == Figure.SHIP or card_of(s, seat, kind) == Card.SEA_SERPENT


@rule
def printed_strength(s: State, seat: int, kind: int) -> int:
    """The STR printed for one figure of a kind: on its card, or on the clan sheet (rules 1.4)."""
    card = card_of(s, seat, kind)
    return int(PLAIN_STRENGTH[kind]) if card == NONE else int(STRENGTH[card])


@rule
def strength(s: State, seat: int, kind: int, count: int, place: int, purpose: int) -> int:
    """STR of `count` figures of a kind, together in a place, for a `Purpose` (rules 1.4, 6.3.13 to 6.3.15).

    Some upgrades count warriors in pairs, some monsters are stronger in Yggdrasil, and in a battle of the Wolfman's
    others than monsters count nothing (rules 6.4.3.5).
    """
    if purpose == Purpose.BATTLE and kickstarter_monsters.wolfman_fights(s, place) and not is_monster(s, seat, kind):
        return 0
    card = card_of(s, seat, kind)
    if card != NONE:
        if place == Place.YGGDRASIL and EFFECTS[Effect.YGGDRASIL_STRENGTH, card] > 0:
            return count * int(EFFECTS[Effect.YGGDRASIL_STRENGTH, card])
        if EFFECTS[Effect.PAIR_STRENGTH, card] > 0:
            return count // 2 * int(EFFECTS[Effect.PAIR_STRENGTH, card]) + count % 2 * int(STRENGTH[card])
    return count * printed_strength(s, seat, kind)


# ---- what a clan may do in its turn, and what it pays (rules 3.2)


@rule
def may_invade_yggdrasil(s: State, seat: int, kind: int) -> bool:
    """Only a figure with a STR of its own there (rules 6.3.14)."""
    card = card_of(s, seat, kind)
    return card != NONE and EFFECTS[Effect.YGGDRASIL_STRENGTH, card] > 0


@rule
def invade_price(s: State, seat: int, kind: int, place: int) -> int:
    """Rage to invade a place with a figure of the reserve: its printed STR, but a leader is free and a monster costs
    what its card says; none beside the Mystic Troll (rules 1.4, 3.2.5, 6.3.14, 6.3.15, 6.3.19, 6.4.3.6).
    """
    if is_leader(s, seat, kind) or kickstarter_monsters.mystic_troll_pays(s, seat, place):
        return 0
    if is_monster(s, seat, kind):
        return int(PRICE[card_of(s, seat, kind)])
    return printed_strength(s, seat, kind)


@rule
def upgrade_price(s: State, seat: int, card: int) -> int:
    """Rage to play an upgrade, never below 0 (rules 3.2.7, 6.3.19)."""
    return max(0, int(PRICE[card]) - upgrade_sum(s, seat, Effect.DISCOUNT))


@rule
def may_pillage_again(s: State, seat: int) -> bool:
    """Tyr's Challenge: pillage where the token is taken (rules 6.3.6)."""
    return has_upgrade(s, seat, Card.TYRS_CHALLENGE, CardType.CLAN) and s.rage[seat] >= CHALLENGE_PRICE


@rule
def pillage_price(s: State, province: int) -> int:
    """Rage for the action Pillage: none, unless the token is taken (rules 3.2.9, 6.3.6)."""
    return CHALLENGE_PRICE if s.pillaged[province] == 1 else 0


@rule
def may_sacrifice(s: State, seat: int) -> bool:
    """Frigga's Sacrifice: two own figures on the board (rules 6.3.8)."""
    return has_upgrade(s, seat, Card.FRIGGAS_SACRIFICE, CardType.CLAN) and s.on_board[seat] >= 2


@rule
def begin_sacrifice(s: State, seat: int) -> None:
    """The action of Frigga's Sacrifice is free (rules 6.3.8)."""
    push(s, Routine.SACRIFICE, seat, NONE)


@rule
def may_raise_dead(s: State, seat: int) -> bool:
    """Frigga's Domain: an Invade from Valhalla (rules 6.3.7)."""
    return has_upgrade(s, seat, Card.FRIGGAS_DOMAIN, CardType.CLAN) and s.rage[seat] >= RAISE_DEAD_PRICE


@rule
def begin_raise_dead(s: State, seat: int) -> None:
    """Pay for the action of Frigga's Domain; which figure invades, and where, is asked next (rules 6.3.7)."""
    gain_rage(s, seat, -RAISE_DEAD_PRICE)
    ask(s, Decision.RAISE_DEAD, seat, NONE, NONE, NONE)


# ---- after an Invade (rules 6.3.2)


@rule
def kills_on_arrival(s: State, seat: int, kind: int) -> bool:
    """Whether an Invade with this figure kills others: Troll and Fire Giant (rules 6.3.11)."""
    card = card_of(s, seat, kind)
    return card == Card.TROLL or card == Card.FIRE_GIANT


@rule
def dies_on_arrival(s: State, seat: int, kind: int, victim: int, other: int) -> bool:
    """Whether such an Invade kills figures of kind `other` of another clan (rules 6.3.11)."""
    if card_of(s, seat, kind) == Card.TROLL:
        return other == Figure.WARRIOR
    return not is_monster(s, victim, other)


@rule
def may_succor(s: State, seat: int, place: int) -> bool:
    """Frigga's Succor: a warrior of the reserve follows into an outer province (rules 6.3.3)."""
    return (
        place < NUM_OUTER
        and has_upgrade(s, seat, Card.FRIGGAS_SUCCOR, CardType.CLAN)
        and s.figures[seat, Figure.WARRIOR, Place.RESERVE] > 0
        and horns_free(s, seat)
        and room(s, place) > 0
    )


@rule
def ask_follower(s: State, seat: int, place: int) -> bool:
    """Ask whether a figure follows the one that has invaded; True if there is a question (rules 6.3.3)."""
    if not may_succor(s, seat, place):
        return False
    ask(s, Decision.SUCCOR, seat, place, NONE, Figure.WARRIOR)
    return True


@rule
def may_pillage_freely(s: State, seat: int, place: int) -> bool:
    """Thor's Domain: a pillage right after an Invade, not for a clan that has passed (rules 3.2.3, 6.3.4)."""
    return (
        place < NUM_PROVINCES
        and has_upgrade(s, seat, Card.THORS_DOMAIN, CardType.CLAN)
        and s.passed[seat] == 0
        and s.rage[seat] >= FREE_PILLAGE_PRICE
        and s.pillaged[place] == 0
    )


@rule
def ask_free_pillage(s: State, seat: int, place: int) -> bool:
    """Ask whether the clan that has invaded pillages at once; True if there is a question (rules 6.3.4)."""
    if not may_pillage_freely(s, seat, place):
        return False
    ask(s, Decision.FREE_PILLAGE, seat, place, NONE, NONE)
    return True


# ---- in a battle (rules 6.1.1)


@rule
def after_reveal(s: State) -> bool:
    """Steps 5 and 6: texts that cancel texts, and one that discards all cards; True if the clans choose anew."""
    battle_cards.silence(s)
    return battle_cards.watch(s)


@rule
def may_count_quest(s: State, seat: int) -> bool:
    """Step 7: whether the clan's revealed card is a quest that an upgrade lets count (rules 6.2.5)."""
    card = s.main[seat]
    return card != NONE and TYPE[card] == CardType.QUEST and upgrade_sum(s, seat, Effect.QUEST_VALUE) > 0


@rule
def quest_value(s: State, seat: int, slot: int) -> int:
    """What the upgrade in a slot lets a quest count, 0 for other cards."""
    card = s.upgrades[seat, slot]
    return 0 if card == NONE else int(EFFECTS[Effect.QUEST_VALUE, card])


@rule
def texts_destroy(s: State, pillager: int, province: int) -> bool:
    """Step 7: True if a text destroys figures before totals are compared (rules 6.2.4)."""
    for seat in range(s.num_players):
        if s.text[seat] == Card.ODINS_SMITE or s.text[seat] == Card.ODINS_TIDE:
            push(s, Routine.SMITE_AND_TIDE, pillager, province)
            return True
    return False


@rule
def copies_best_card(s: State, seat: int) -> bool:
    """Step 9: Heimdall's Sight is as strong as the opponents' best card; without its text it is +0 (rules 6.2.3)."""
    return s.text[seat] == Card.HEIMDALLS_SIGHT


@rule
def text_number(s: State, seat: int, effect: int) -> int:
    """Steps 10 and 15: a plain number in the text of the clan's revealed card, 0 if the text does nothing."""
    card = s.text[seat]
    return 0 if card == NONE else int(EFFECTS[effect, card])


@rule
def steals_cards(s: State, seat: int) -> bool:
    """Step 10: Loki's Poison takes the winner's cards (rules 6.2.7)."""
    return s.text[seat] == Card.LOKIS_POISON


@rule
def may_buy_back(s: State, seat: int) -> bool:
    """Step 11: Tyr's Prowess (rules 6.2.7)."""
    return has_upgrade(s, seat, Card.TYRS_PROWESS, CardType.CLAN) and s.rage[seat] >= BUY_BACK_PRICE


@rule
def winner_keeps_cards(s: State, seat: int, province: int) -> bool:
    """Step 11: True if the winner may take cards back into the hand before they are discarded (rules 6.2.7)."""
    if not may_buy_back(s, seat):
        return False
    push(s, Routine.BUY_BACK, seat, province)
    return True


@rule
def attended_glory(s: State, seat: int) -> int:
    """Step 15: glory for each enemy figure, by monsters that were there when cards were first chosen (rules 6.2.10)."""
    glory = 0
    for n in range(SLOTS_OF[CardType.MONSTER]):
        card = s.upgrades[seat, FIRST_SLOT[CardType.MONSTER] + n]
        if s.attended[seat, n] == 1 and card != NONE:
            glory += int(EFFECTS[Effect.ENEMY_FALLEN_GLORY, card])
    return glory


@rule
def slaughter_glory(s: State, seat: int) -> int:
    """Step 15: Thor's Glory (rules 6.2.10)."""
    return upgrade_sum(s, seat, Effect.SLAUGHTER_GLORY)


@rule
def after_battle(s: State, pillager: int, province: int, losers: int) -> None:
    """Step 16: clans that have lost (bits) and may invade (rules 6.3.5)."""
    push(s, Routine.BLESSING, pillager, province)
    put(s, Frame.LOSERS, losers)


@rule
def may_bless(s: State, seat: int, province: int) -> bool:
    """Step 16: Loki's Blessing: a warrior may invade where its clan lost (rules 6.3.5)."""
    return (
        province < NUM_OUTER
        and has_upgrade(s, seat, Card.LOKIS_BLESSING, CardType.CLAN)
        and s.figures[seat, Figure.WARRIOR, Place.RESERVE] > 0
        and horns_free(s, seat)
        and room(s, province) > 0
    )


# ---- when figures are destroyed


@rule
def may_save(s: State, seat: int, cause: int) -> bool:
    """Frigga's Protection (rules 6.3.9)."""
    return (
        cause != Cause.RAGNAROK
        and has_upgrade(s, seat, Card.FRIGGAS_PROTECTION, CardType.CLAN)
        and s.rage[seat] >= SAVE_PRICE
    )


@rule
def may_escape(s: State, seat: int, kind: int, province: int, cause: int) -> bool:
    """The Volur Witch leaves an outer province instead of dying of a defeat, a Tide or Ragnarok (rules 6.3.10)."""
    if province >= NUM_OUTER or card_of(s, seat, kind) != Card.VOLUR_WITCH:
        return False
    return cause == Cause.DEFEAT or cause == Cause.TIDE or cause == Cause.RAGNAROK


@rule
def ship_glory(s: State, seat: int, kind: int) -> int:
    """Glory for a destroyed ship, whatever the cause (rules 6.3.12)."""
    return upgrade_sum(s, seat, Effect.SHIP_GLORY) if is_ship(s, seat, kind) else 0


# ---- at a successful pillage (rules 6.1.1, step 13)


@rule
def token_times(s: State, seat: int, province: int) -> int:
    """How often the token pays (rules 6.3.17)."""
    times = 1
    for kind in range(NUM_KINDS):
        card = card_of(s, seat, kind)
        if card != NONE and s.figures[seat, kind, province] > 0:
            times += int(EFFECTS[Effect.TOKEN_MORE, card])
    return times


@rule
def stats_of_text(s: State, seat: int, province: int) -> int:
    """Stats (bits) of which Frigga's Grace lets the pillager raise one: not the token's own (rules 6.2.8)."""
    if s.text[seat] != Card.FRIGGAS_GRACE:
        return 0
    token = s.token[province]
    return ALL_STATS & ~(1 << token) if token <= Token.HORNS else ALL_STATS


@rule
def leader_number(s: State, seat: int, effect: int, province: int) -> int:
    """A number in the leader upgrade's text, 0 if no leader of the clan is in the province (rules 6.3.16)."""
    card = card_of(s, seat, Figure.LEADER)
    if card != NONE:
        for kind in range(NUM_KINDS):
            if is_leader(s, seat, kind) and s.figures[seat, kind, province] > 0:
                return int(EFFECTS[effect, card])
    return 0


@rule
def ask_leader_move(s: State, seat: int, province: int) -> bool:
    """Ask whether a leader moves on after a pillage, and which of several; True if there is a question (rules 6.3.16,
    6.4.3.2).
    """
    if leader_number(s, seat, Effect.PILLAGE_MOVE, province) > 0:
        leaders = 0
        last = NONE
        for kind in range(NUM_KINDS):
            if is_leader(s, seat, kind) and s.figures[seat, kind, province] > 0:
                leaders += 1
                last = kind
        for target in range(NUM_PROVINCES):
            if lord_of_hammers.may_move_on(s, province, target):
                ask(s, Decision.LEADER_MOVE, seat, province, NONE, last if leaders == 1 else NONE)
                return True
    return False


# ---- at the end of an Age and of the game


@rule
def quest_times(s: State, seat: int) -> int:
    """How often quest glory is paid (rules 6.3.18)."""
    return 1 + upgrade_sum(s, seat, Effect.QUEST_MORE)


@rule
def doomed_province(s: State) -> int:
    """The province that Ragnarok destroys in this Age, NONE for none (rules 3.5, 6.4.3.3, 6.4.3.4)."""
    province = kickstarter_monsters.fenrirs_province(s)
    if province == NONE and s.destroyed[s.ragnarok[s.age]] == 0:
        province = int(s.ragnarok[s.age])
    return province


@rule
def ragnarok_times(s: State, seat: int) -> int:
    """How often Ragnarok glory is paid (rules 6.3.18)."""
    return 1 + upgrade_sum(s, seat, Effect.RAGNAROK_MORE)


@rule
def release_glory(s: State, seat: int) -> int:
    """Glory for each figure that Valhalla releases (rules 6.3.18)."""
    return upgrade_sum(s, seat, Effect.RELEASE_GLORY)


@rule
def end_glory(s: State, seat: int) -> int:
    """Glory for each figure on the board at the end (rules 5)."""
    return upgrade_sum(s, seat, Effect.END_GLORY)
