"""Rules 3.2.7: Upgrade."""

import pytest
from ages import FJORDS, PROVINCES, RING, draft
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import Decision, Source

PRICES = {
    "Lord of Hammers": 3,
    "Lord of Axes": 3,
    "Lord of Spears": 3,
    "Brothers in Arms": 1,
    "Experts in Arms": 2,
    "Masters in Arms": 2,
    "Loki's Dragons": 2,
    "Fire Dragons": 2,
    "Eternal Dragons": 2,
    "Dwarf Chieftain": 0,
    "Troll": 2,
    "Sea Serpent": 3,
    "Dark Elf": 1,
    "Valkyrie": 2,
    "Fire Giant": 4,
    "Frost Giant": 4,
    "Soldier of Hel": 0,
    "Volur Witch": 3,
    "Frigga's Charm": 0,
    "Frigga's Succor": 2,
    "Frigga's Protection": 0,
    "Frigga's Domain": 0,
    "Frigga's Sacrifice": 1,
    "Loki's Domain": 1,
    "Loki's Blessing": 1,
    "Loki's Eminence": 2,
    "Loki's Wrath": 3,
    "Odin's Inspiration": 2,
    "Odin's Throne": 2,
    "Thor's Glory": 2,
    "Thor's Domain": 1,
    "Thor's Conquest": 3,
    "Tyr's Domain": 0,
    "Tyr's Challenge": 0,
    "Tyr's Prowess": 2,
    "Tyr's Wrath": 1,
}
MONSTERS = (
    "Dwarf Chieftain",
    "Troll",
    "Sea Serpent",
    "Dark Elf",
    "Valkyrie",
    "Fire Giant",
    "Frost Giant",
    "Soldier of Hel",
    "Volur Witch",
)


def slots_on_offer(g: Scenario) -> list[int]:
    assert g.asked() == (0, Decision.SLOT)
    return [a - act.SLOT for a in g.legal_actions()]


@pytest.mark.parametrize(("card", "price"), PRICES.items())
def test_an_upgrade_costs_its_strength(card, price):
    """rules 3.2.7: it is paid, leaves the hand and lies in its slot; with less Rage it can't be played."""
    g = Scenario(players=2)
    g.hand(0, card)
    g.rage(0, max(price - 1, 1))
    assert g.can_play(card) == (price <= 1)
    g.rage(0, 6)
    g.play(0, card)
    assert g.rage_of(0) == 6 - price
    assert g.has_upgrade(0, card)
    assert g.hand_of(0) == []
    assert g.discards() == []


def test_only_cards_of_the_hand_are_played():
    """rules 3.2.7: and no battle card is an action."""
    g = Scenario()
    g.hand(0, "Troll", "Tyr's Bash")
    g.hand(1, "Valkyrie")
    assert g.can_play("Troll")
    assert not g.can_play("Valkyrie")
    assert not g.can_play("Tyr's Bash")


def test_an_upgrade_works_at_once_and_for_the_rest_of_the_game():
    """rules 3.2.7: warriors of STR 2 cost 2 in the same turn's Age and in the next one."""
    g = Scenario(players=2)
    g.passed(1)
    g.hand(0, "Experts in Arms")
    g.play(0, "Experts in Arms")
    g.no(0)
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 6 - 2 - 2
    g.end_action_phase()
    draft(g)
    assert g.has_upgrade(0, "Experts in Arms")
    g.pass_(1)
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 4


@pytest.mark.parametrize(
    ("card", "kind", "places"),
    [
        ("Lord of Axes", "leader", RING),
        ("Brothers in Arms", "warrior", RING),
        ("Masters in Arms", "warrior", RING),
        ("Fire Dragons", "ship", tuple(FJORDS)),
        ("Frost Giant", "monster_1", RING),
        ("Sea Serpent", "monster_1", tuple(FJORDS)),
    ],
)
def test_a_troop_upgrade_brings_a_free_invade(card, kind, places):
    """rules 3.2.7: of one figure of its kind from the reserve, wherever it may invade, or not at all."""
    g = Scenario(players=2)
    g.hand(0, card)
    g.play(0, card)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert g.can_no()
    assert {p for p in (*PROVINCES, *FJORDS) if g.can_choose(kind, p)} == set(places)
    assert len(g.legal_actions()) == len(places) + 1
    g.choose(0, kind, places[0])
    assert g.figures(0, kind, places[0]) == 1
    assert g.rage_of(0) == 6 - PRICES[card]
    assert g.asked() == (1, Decision.ACTION)


@pytest.mark.parametrize("card", ["Lord of Axes", "Brothers in Arms", "Fire Dragons", "Troll"])
def test_the_free_invade_may_be_left_out(card):
    """rules 3.2.7: the figure then stays in the reserve, a monster too."""
    g = Scenario(players=2)
    g.hand(0, card)
    g.play(0, card)
    g.no(0)
    assert g.asked() == (1, Decision.ACTION)
    assert int(g.state.on_board[0]) == 0
    assert g.figures(0, "monster_1", "reserve") == (1 if card == "Troll" else 0)


@pytest.mark.parametrize("card", MONSTERS)
def test_a_monster_joins_the_reserve(card):
    """rules 3.2.7: one figure, of the slot of its card."""
    g = Scenario(players=2)
    g.hand(0, card)
    g.play(0, card)
    g.no(0)
    assert g.figures(0, "monster_1", "reserve") == 1
    assert g.figures(0, "monster_2", "reserve") == 0


def test_clan_upgrades_bring_no_free_invade():
    """rules 3.2.7: the turn is over."""
    g = Scenario(players=2)
    g.hand(0, "Loki's Domain")
    g.play(0, "Loki's Domain")
    assert g.asked() == (1, Decision.ACTION)


@pytest.mark.parametrize("place", ["gimle", "valhalla"])
def test_no_free_invade_without_a_figure_in_the_reserve(place):
    """rules 3.2.7: the leader stands on the board or lies in Valhalla."""
    g = Scenario(players=2)
    g.put(0, "leader", place)
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert g.asked() == (1, Decision.ACTION)
    assert g.has_upgrade(0, "Lord of Axes")


@pytest.mark.parametrize("card", ["Lord of Axes", "Experts in Arms", "Fire Dragons", "Troll"])
def test_horns_bind_the_free_invade(card):
    """rules 3.2.7: the card may be played all the same, the figure waits in the reserve."""
    g = Scenario(players=2)
    g.put(0, "warrior", "yggdrasil", 4)
    g.hand(0, card)
    g.play(0, card)
    assert g.asked() == (1, Decision.ACTION)
    assert g.has_upgrade(0, card)


def test_room_binds_the_free_invade():
    """rules 3.2.7: one free village is left on the whole board."""
    g = Scenario(players=2)
    g.destroyed(*[p for p in RING if p not in ("utgard", "gimle")])
    g.put(1, "warrior", "gimle", 5)
    g.put(1, "warrior", "utgard", 2)
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert {p for p in PROVINCES if g.can_choose("leader", p)} == {"utgard"}
    g.choose(0, "leader", "utgard")
    assert g.figures(0, "leader", "utgard") == 1


def test_an_upgrade_can_be_played_when_nothing_can_invade():
    """rules 3.2.7: no village is free anywhere."""
    g = Scenario(players=2)
    g.destroyed(*[p for p in RING if p != "utgard"])
    g.put(1, "warrior", "utgard", 3)
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert g.asked() == (1, Decision.ACTION)
    assert g.has_upgrade(0, "Lord of Axes")
    assert g.figures(0, "leader", "reserve") == 1


def test_an_occupied_single_slot_is_replaced():
    """rules 3.2.7: the old card is discarded and stops working."""
    g = Scenario(players=2)
    g.upgrade(0, "Masters in Arms")
    g.hand(0, "Brothers in Arms")
    g.play(0, "Brothers in Arms")
    g.no(0)
    assert not g.has_upgrade(0, "Masters in Arms")
    assert [card.name for card in g.discards()] == ["MASTERS_IN_ARMS"]
    g.pass_(1)
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 6 - 1 - 1


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        (("Loki's Domain",), [0, 1]),
        (("Loki's Domain", "Thor's Glory"), [0, 1, 2]),
        (("Loki's Domain", "Thor's Glory", "Tyr's Prowess"), [0, 1, 2]),
    ],
)
def test_the_player_chooses_the_slot(before, offered):
    """rules 3.2.7: occupied ones included; empty ones are all alike, so that one of them is offered."""
    for slot in offered:
        g = Scenario(players=2)
        g.upgrade(0, *before)
        g.hand(0, "Odin's Throne")
        g.play(0, "Odin's Throne")
        assert slots_on_offer(g) == offered
        g.slot(0, slot)
        assert g.has_upgrade(0, "Odin's Throne")
        assert [g.has_upgrade(0, card) for card in before] == [n != slot for n in range(len(before))]
        assert len(g.discards()) == (1 if slot < len(before) else 0)


def test_the_first_card_of_a_type_needs_no_choice_of_slot():
    """rules 3.2.7: with all slots empty there is nothing to choose."""
    g = Scenario(players=2)
    g.hand(0, "Odin's Throne")
    g.play(0, "Odin's Throne")
    assert g.asked() == (1, Decision.ACTION)


def test_upgrade_example_lokis_eminence():
    """rules 3.2.7: the rulebooks' example: 2 Rage, Frigga's Succor goes; 1 + 2 glory for each figure released."""
    g = Scenario(players=2)
    g.upgrade(0, "Frigga's Succor", "Loki's Domain", "Thor's Glory")
    g.hand(0, "Loki's Eminence")
    g.put(0, "warrior", "valhalla", 2)
    g.put(0, "ship", "valhalla")
    g.play(0, "Loki's Eminence")
    g.slot(0, 0)
    assert g.rage_of(0) == 4
    assert not g.has_upgrade(0, "Frigga's Succor")
    assert g.has_upgrade(0, "Loki's Domain")
    assert g.has_upgrade(0, "Loki's Eminence")
    g.pass_(1)
    g.invade(0, "warrior", "gimle")
    assert g.asked() == (0, Decision.ACTION), "Frigga's Succor no longer works"
    g.end_action_phase()
    assert g.from_source(0, Source.RELEASE) == 3 * 3
    assert g.glory_of(0) == 9


def test_a_charm_that_is_replaced_still_lowers_the_price():
    """rules 3.2.7: Odin's Throne costs 2 - 1; the next upgrade its full price."""
    g = Scenario(players=2)
    g.passed(1)
    g.upgrade(0, "Frigga's Charm", "Loki's Domain", "Thor's Glory")
    g.hand(0, "Odin's Throne", "Tyr's Prowess")
    g.play(0, "Odin's Throne")
    g.slot(0, 0)
    assert g.rage_of(0) == 5
    assert not g.has_upgrade(0, "Frigga's Charm")
    g.play(0, "Tyr's Prowess")
    g.slot(0, 1)
    assert g.rage_of(0) == 3


def test_two_upgrades_of_one_benefit_both_count():
    """rules 3.2.7: two Charms lower a price by 2."""
    g = Scenario(players=2)
    g.upgrade(0, "Frigga's Charm", "Frigga's Charm")
    g.hand(0, "Fire Giant")
    g.play(0, "Fire Giant")
    assert g.rage_of(0) == 6 - 2


def test_a_discarded_monster_frees_its_village_and_its_horn():
    """rules 3.2.7: the Troll of full Utgard leaves the game; the Valkyrie takes its village and its Horn."""
    g = Scenario(players=2)
    g.upgrade(0, "Troll", "Dwarf Chieftain")
    g.put(0, "monster_1", "utgard")
    g.put(1, "warrior", "utgard", 2)
    g.put(0, "warrior", "yggdrasil", 3)
    g.hand(0, "Valkyrie")
    g.play(0, "Valkyrie")
    assert slots_on_offer(g) == [0, 1]
    g.slot(0, 0)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert g.figures_in(0, "utgard") == 0
    assert g.figures_in(0, "valhalla") == 0
    assert g.can_choose("monster_1", "utgard")
    g.choose(0, "monster_1", "utgard")
    assert g.figures(0, "monster_1", "utgard") == 1
    assert [card.name for card in g.discards()] == ["TROLL"]
    assert int(g.state.figures[0, 3].sum()) == 1
    assert g.figures(0, "monster_2", "reserve") == 1
    assert int(g.state.on_board[0]) == 4


@pytest.mark.parametrize("place", ["reserve", "gimle", "valhalla"])
def test_a_discarded_monster_leaves_the_game_from_wherever_it_is(place):
    """rules 3.2.7: the new one waits in the reserve."""
    g = Scenario(players=2)
    g.upgrade(0, "Troll", "Dwarf Chieftain")
    if place != "reserve":
        g.put(0, "monster_2", place)
    g.hand(0, "Valkyrie")
    g.play(0, "Valkyrie")
    g.slot(0, 1)
    g.no(0)
    assert int(g.state.figures[0, 4].sum()) == 1
    assert g.figures(0, "monster_2", "reserve") == 1
    assert g.figures(0, "monster_1", "reserve") == 1


def test_a_discarded_monster_is_not_destroyed():
    """rules 3.2.7: the Dragons don't pay for the serpent, Loki's Wrath doesn't see it released."""
    g = Scenario(players=2)
    g.upgrade(0, "Sea Serpent", "Troll", "Eternal Dragons", "Loki's Wrath")
    g.put(0, "monster_1", "fjord_utgard_andlang")
    g.hand(0, "Valkyrie")
    g.play(0, "Valkyrie")
    g.slot(0, 0)
    g.no(0)
    assert g.figures_in(0, "fjord_utgard_andlang") == 0
    assert g.glory_of(0) == 0
    g.pass_(1)
    g.end_action_phase()
    assert g.glory_of(0) == 0


def test_a_monster_in_the_second_slot():
    """rules 3.2.7: with one monster there, the other slot is on offer beside the occupied one."""
    g = Scenario(players=2)
    g.upgrade(0, "Troll")
    g.hand(0, "Valkyrie")
    g.play(0, "Valkyrie")
    assert slots_on_offer(g) == [0, 1]
    g.slot(0, 1)
    assert g.can_choose("monster_2", "gimle")
    assert not g.can_choose("monster_1", "gimle")
    g.choose(0, "monster_2", "gimle")
    assert g.has_upgrade(0, "Troll")
    assert g.has_upgrade(0, "Valkyrie")
