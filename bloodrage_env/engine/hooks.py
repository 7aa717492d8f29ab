"""Every place where a card may bend a rule, once, in the order in which a game meets them.

The chapters in `rules/` call these and name no card. A plain number of a card text is a column of `cards.csv`
(`Effect`); whatever else a card does is a function in `effects/`, called from here.
"""

from .board import ADJACENT
from .card_ids import Card
from .cards import EFFECTS, PRICE, TYPE, Effect
from .compiled import State, rule
from .effects import battle_cards, monsters, quest_goals
from .ids import (
    NONE,
    NUM_OUTER,
    NUM_PROVINCES,
    CardType,
    Cause,
    Figure,
    Place,
    Slot,
    Token,
)
from .primitives import has_upgrade, monster_card
from .queries import horns_free, room, upgrade_sum

ALL_STATS = 0b111
CHALLENGE_PRICE = 2  # rules 6.3.6
RAISE_DEAD_PRICE = 1  # rules 6.3.7
FREE_PILLAGE_PRICE = 2  # rules 6.3.4
SAVE_PRICE = 1  # rules 6.3.9
BUY_BACK_PRICE = 1  # rules 6.2.7

# ---- what a clan may do in its turn (rules 3.2)


@rule
def is_ship(s: State, seat: int, kind: int) -> bool:
    """Ships, and the monster that is one in all ways (rules 6.3.13)."""
    return kind == Figure.SHIP or monster_card(s, seat, kind) == Card.SEA_SERPENT


@rule
def may_invade_yggdrasil(s: State, seat: int, kind: int) -> bool:
    """Only a figure with a STR of its own there (rules 6.3.14)."""
    card = monster_card(s, seat, kind)
    return card != NONE and EFFECTS[Effect.YGGDRASIL_STRENGTH, card] > 0


@rule
def upgrade_price(s: State, seat: int, card: int) -> int:
    """Rage to play an upgrade, never below 0 (rules 3.2.7, 6.3.19)."""
    return max(0, int(PRICE[card]) - upgrade_sum(s, seat, Effect.DISCOUNT))


@rule
def may_challenge(s: State, seat: int) -> bool:
    """Tyr's Challenge: pillage where the token is taken (rules 6.3.6)."""
    return has_upgrade(s, seat, Card.TYRS_CHALLENGE, CardType.CLAN) and s.rage[seat] >= CHALLENGE_PRICE


@rule
def may_sacrifice(s: State, seat: int) -> bool:
    """Frigga's Sacrifice: two own figures on the board (rules 6.3.8)."""
    return has_upgrade(s, seat, Card.FRIGGAS_SACRIFICE, CardType.CLAN) and s.on_board[seat] >= 2


@rule
def may_raise_dead(s: State, seat: int) -> bool:
    """Frigga's Domain: an Invade from Valhalla (rules 6.3.7)."""
    return has_upgrade(s, seat, Card.FRIGGAS_DOMAIN, CardType.CLAN) and s.rage[seat] >= RAISE_DEAD_PRICE


# ---- after an Invade (rules 6.3.2)


@rule
def mark_arrival_victims(s: State, seat: int, kind: int, victim: int, province: int) -> int:
    """Mark in `dying` what the arrival of a figure kills of another clan; returns how many."""
    return monsters.mark_arrival_victims(s, monster_card(s, seat, kind), victim, province)


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
def may_pillage_freely(s: State, seat: int, place: int) -> bool:
    """Thor's Domain: a pillage right after an Invade, not for a clan that has passed (rules 3.2.3, 6.3.4)."""
    return (
        place < NUM_PROVINCES
        and has_upgrade(s, seat, Card.THORS_DOMAIN, CardType.CLAN)
        and s.passed[seat] == 0
        and s.rage[seat] >= FREE_PILLAGE_PRICE
        and s.pillaged[place] == 0
    )


# ---- in a battle (rules 6.1.1)


@rule
def silence(s: State) -> None:
    """Step 5: texts that cancel texts."""
    battle_cards.silence(s)


@rule
def choose_anew(s: State) -> bool:
    """Step 6: texts that discard what was revealed."""
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
def is_smite(s: State, seat: int) -> bool:
    """Step 7: a card that destroys warriors of the others."""
    return battle_cards.is_smite(s, seat)


@rule
def mark_smite_victim(s: State, seat: int, victim: int, province: int) -> int:
    """Mark in `dying` what such a card destroys of a clan; returns how many figures."""
    return battle_cards.mark_smite_victim(s, seat, victim, province)


@rule
def is_tide(s: State, seat: int) -> bool:
    """Step 7: a card that leaves every clan one figure."""
    return battle_cards.is_tide(s, seat)


@rule
def copies_best_card(s: State, seat: int) -> bool:
    """Step 9: a card that is as strong as the opponents' best (rules 6.2.3)."""
    return battle_cards.is_sight(s, seat)


@rule
def text_number(s: State, seat: int, effect: int) -> int:
    """Steps 10 and 15: a plain number in the text of the clan's revealed card, 0 if the text does nothing."""
    card = s.text[seat]
    return 0 if card == NONE else int(EFFECTS[effect, card])


@rule
def steals_cards(s: State, seat: int) -> bool:
    """Step 10: a card that takes the winner's cards."""
    return battle_cards.steals_cards(s, seat)


@rule
def may_buy_back(s: State, seat: int) -> bool:
    """Step 11: Tyr's Prowess (rules 6.2.7)."""
    return has_upgrade(s, seat, Card.TYRS_PROWESS, CardType.CLAN) and s.rage[seat] >= BUY_BACK_PRICE


@rule
def attended_glory(s: State, seat: int) -> int:
    """Step 15: glory for each enemy figure, by monsters that were there when cards were first chosen (rules 6.2.10)."""
    glory = 0
    for slot in range(Slot.MONSTER_1, Slot.MONSTER_2 + 1):
        if s.attended[seat, slot - Slot.MONSTER_1] == 1 and s.upgrades[seat, slot] != NONE:
            glory += int(EFFECTS[Effect.ENEMY_FALLEN_GLORY, s.upgrades[seat, slot]])
    return glory


@rule
def slaughter_glory(s: State, seat: int) -> int:
    """Step 15: Thor's Glory (rules 6.2.10)."""
    return upgrade_sum(s, seat, Effect.SLAUGHTER_GLORY)


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
    """A figure that leaves for Yggdrasil instead (rules 6.3.10)."""
    return monsters.may_escape(s, seat, kind, province, cause)


@rule
def ship_glory(s: State, seat: int, kind: int) -> int:
    """Glory for a destroyed ship, whatever the cause (rules 6.3.12)."""
    return upgrade_sum(s, seat, Effect.SHIP_GLORY) if is_ship(s, seat, kind) else 0


# ---- at a successful pillage (rules 6.1.1, step 13)


@rule
def token_times(s: State, seat: int, province: int) -> int:
    """How often the token pays (rules 6.3.17)."""
    times = 1
    for kind in range(Figure.MONSTER_1, Figure.MONSTER_2 + 1):
        card = monster_card(s, seat, kind)
        if card != NONE and s.figures[seat, kind, province] > 0:
            times += int(EFFECTS[Effect.TOKEN_MORE, card])
    return times


@rule
def grace_stats(s: State, seat: int, province: int) -> int:
    """Stats (bits) that the pillager's card lets it raise: not the token's own (rules 6.2.8)."""
    if not battle_cards.graces(s, seat):
        return 0
    token = s.token[province]
    return ALL_STATS & ~(1 << token) if token <= Token.HORNS else ALL_STATS


@rule
def leader_number(s: State, seat: int, effect: int, province: int) -> int:
    """A number in the leader upgrade's text, 0 if the leader is not in the province (rules 6.3.16)."""
    card = s.upgrades[seat, Slot.LEADER]
    if card == NONE or s.figures[seat, Figure.LEADER, province] == 0:
        return 0
    return int(EFFECTS[effect, card])


@rule
def leader_may_go(s: State, province: int, target: int) -> bool:
    """Where a leader may move after a pillage: an adjacent province with room (rules 6.3.16)."""
    return ADJACENT[province, target] and s.destroyed[target] == 0 and room(s, target) > 0


# ---- at the end of an Age and of the game


@rule
def quest_met(s: State, seat: int, card: int) -> bool:
    """Whether a quest is met (rules 3.4)."""
    return quest_goals.quest_met(s, seat, card)


@rule
def quest_times(s: State, seat: int) -> int:
    """How often quest glory is paid (rules 6.3.18)."""
    return 1 + upgrade_sum(s, seat, Effect.QUEST_MORE)


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
