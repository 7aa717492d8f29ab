"""Texts in a battle, step by step (rules 6.1.1)."""

from .....core.compile.decorators import rule
from ..board import FIRST_SLOT, SLOTS_OF
from ..card_ids import Card
from ..cards import EFFECTS, TYPE, Effect
from ..effects import battle_cards
from ..ids import NONE, NUM_OUTER, CardType, Figure, God, Place, Routine
from ..primitives import has_upgrade
from ..queries import god_stands, horns_free, room, upgrade_sum
from ..stack import push, put
from ..state import Frame, State

BUY_BACK_PRICE = 1  # rules 6.2.7
THOR_GLORY = 2  # rules 6.4.5.9
MYSTIC_GLORY = 3  # rules 6.4.4.11


@rule
def after_reveal(s: State) -> bool:
    """Step 5 and 6: texts that cancel texts, and one that discards all cards; True if the clans choose again."""
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
def battle_destroys(s: State, province: int) -> bool:
    """Step 7 and 12: whether figures are destroyed in a battle over a province: not in that of Frigga, who shields
    them in battles alone (rules 6.4.5.12, 6.4.5.13).
    """
    return not god_stands(s, God.FRIGGA, province)


@rule
def texts_destroy(s: State, pillager: int, province: int) -> bool:
    """Step 7: True if a text destroys figures before totals are compared (rules 6.2.4, 6.4.5.12)."""
    if not battle_destroys(s, province):
        return False
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
    """Step 10 and 15: a plain number in the text of the clan's revealed card, 0 if the text does nothing."""
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
def losers_gain_axes(s: State, province: int) -> bool:
    """Step 14: whether battle glory goes to those who lost, not to the winner: Loki's province (rules 6.4.5.14)."""
    return god_stands(s, God.LOKI, province)


@rule
def winner_enemy_glory(s: State, province: int) -> int:
    """Step 15: glory of the winner for each enemy figure in Thor's province (rules 6.4.5.9)."""
    return THOR_GLORY if god_stands(s, God.THOR, province) else 0


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
def winner_glory(s: State, seat: int, mystics: int) -> int:
    """Step 15: what Thor's Chosen pays the winner for a number of Mystics in the battle, once even with two such cards
    (rules 6.4.4.3, 6.4.4.11).
    """
    return mystics * MYSTIC_GLORY if has_upgrade(s, seat, Card.THORS_CHOSEN, CardType.CLAN) else 0


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
