"""Every clause of Thor's and Tyr's clan upgrades; each test names its card in the id or the docstring."""

import pytest
from clans import ACTS, ALL_OUTER, alone
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import GAME_OVER
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision

FJORD = "fjord_gimle_myrkulor"
NEXT = (1, Decision.ACTION)

PRICES = [
    ("Thor's Glory", 2),
    ("Thor's Domain", 1),
    ("Thor's Conquest", 3),
    ("Tyr's Domain", 0),
    ("Tyr's Challenge", 0),
    ("Tyr's Prowess", 2),
    ("Tyr's Wrath", 1),
]


@pytest.mark.parametrize(("title", "price"), PRICES)
def test_price(title, price):
    """rules 3.2.7: the printed price."""
    g = alone()
    g.hand(0, title)
    if price > 1:
        g.rage(0, price - 1)
        assert not g.can_play(title)
    g.rage(0, price + 1)
    g.play(0, title)
    assert g.has_upgrade(0, title)
    assert g.rage_of(0) == 1
    assert g.asked() == ACTS


# ---- Thor's Glory
@pytest.mark.parametrize(("first", "second", "glory"), [(1, 0, 0), (1, 1, 2), (2, 0, 2), (2, 2, 2)])
def test_thors_glory_is_flat(first, second, glory):
    """Thor's Glory: 2 glory from two enemy figures on, of one clan or two, never more."""
    g = Scenario(3)
    g.upgrade(0, "Thor's Glory")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", first)
    g.put(2, "warrior", "gimle", second)
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 3 + glory


def test_thors_glory_whoever_wins():
    """Thor's Glory: in a tie, and when another clan wins: two figures of the third one died."""
    g = Scenario(3)
    g.upgrade(0, "Thor's Glory")
    for seat in range(3):
        g.put(seat, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 2
    g = Scenario(3)
    g.upgrade(0, "Thor's Glory")
    g.put(0, "warrior", "gimle")
    g.put(1, "leader", "gimle")
    g.put(2, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    assert (g.glory_of(0), g.glory_of(1)) == (2, 3)


def test_thors_glory_own_figures_do_not_count():
    """Thor's Glory: opponents' figures: here two own ones and one enemy die."""
    g = Scenario(3)
    g.upgrade(0, "Thor's Glory")
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "leader", "gimle")
    g.put(2, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 0


def test_thors_glory_counts_ships_monsters_and_smite():
    """Thor's Glory: any enemy figure destroyed in the battle, from the reveal on."""
    g = Scenario(2)
    g.upgrade(0, "Thor's Glory")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.put(1, "ship", FJORD)
    g.hand(0, "Odin's Smite")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 3 + 2


def test_thors_glory_must_fight_in_the_battle():
    """Thor's Glory: per battle its owner fights in."""
    g = Scenario(3)
    g.upgrade(2, "Thor's Glory")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    assert g.glory_of(2) == 0


# ---- Thor's Domain
@pytest.mark.parametrize("kind", ["leader", "warrior", "monster_1"])
def test_thors_domain_pillages_right_after_an_invade(kind):
    """Thor's Domain: 2 Rage for a Pillage within the same turn."""
    g = Scenario(2)
    g.upgrade(0, "Thor's Domain", "Troll")
    cost = {"leader": 0, "warrior": 1, "monster_1": 2}[kind]
    g.invade(0, kind, "gimle")
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.is_pillaged("gimle")
    assert g.rage_of(0) == 6 - cost - 2
    assert g.asked() == NEXT


def test_thors_domain_may_be_declined_and_may_fail():
    """Thor's Domain: can spend; a lost battle leaves the token and costs the Rage all the same."""
    g = Scenario(2)
    g.upgrade(0, "Thor's Domain")
    g.invade(0, "warrior", "gimle")
    g.no(0)
    assert (g.rage_of(0), g.is_pillaged("gimle")) == (5, False)
    g = Scenario(2)
    g.upgrade(0, "Thor's Domain")
    g.put(1, "leader", "gimle")
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert (g.rage_of(0), g.is_pillaged("gimle")) == (3, False)
    assert g.glory_of(1) == 3


def test_thors_domain_that_takes_the_last_token_ends_the_phase():
    """Thor's Domain: the phase is over after the action, though Rage is left (3.2.4)."""
    g = Scenario(2)
    g.upgrade(0, "Thor's Domain")
    g.pillaged("yggdrasil", *(p for p in ALL_OUTER if p != "gimle"))
    g.invade(0, "leader", "gimle")
    g.yes(0)
    assert g.asked()[1] == Decision.DRAFT


# ---- Thor's Conquest
def test_thors_conquest_pays_at_the_end_of_the_game():
    """Thor's Conquest: 3 glory for each own figure in a province or a fjord; not those in the reserve."""
    g = alone(age=3)
    g.upgrade(0, "Thor's Conquest", "Dark Elf")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "leader", "horgr")
    g.put(0, "ship", FJORD)
    g.put(0, "monster_1", "yggdrasil")
    g.put(0, "warrior", "valhalla")
    g.put(1, "warrior", "horgr")
    g.end_action_phase()
    assert g.asked()[0] == GAME_OVER
    assert (g.glory_of(0), g.glory_of(1)) == (15, 0)


def test_thors_conquest_after_the_last_ragnarok():
    """Thor's Conquest: who falls in the doomed province earns Ragnarok's 4 and is off the board."""
    g = alone(age=3)
    g.upgrade(0, "Thor's Conquest")
    g.doomed("gimle")
    g.put(0, "warrior", "gimle")
    g.put(0, "ship", FJORD)
    g.put(0, "warrior", "horgr")
    g.end_action_phase()
    assert g.glory_of(0) == 4 + 4 + 3


@pytest.mark.parametrize("age", [1, 2])
def test_thors_conquest_pays_in_no_other_age(age):
    """Thor's Conquest: final scoring only."""
    g = alone(age=age)
    g.upgrade(0, "Thor's Conquest")
    g.put(0, "warrior", "gimle", 3)
    g.end_action_phase()
    assert g.glory_of(0) == 0


# ---- Tyr's Domain, Tyr's Wrath
COUNTING = [
    (("Tyr's Domain",), [0, 3]),
    (("Tyr's Wrath",), [0, 5]),
    (("Tyr's Domain", "Tyr's Wrath"), [0, 3, 5]),
]


def _quest_in_battle(*upgrades, enemies):
    g = Scenario(2)
    g.upgrade(0, *upgrades)
    g.put(0, "warrior", "yggdrasil")
    g.put(1, "warrior", "yggdrasil", enemies)
    g.hand(0, "Manheim")
    g.pillage(0, "yggdrasil")
    return g


@pytest.mark.parametrize(("upgrades", "values"), COUNTING)
def test_tyrs_domain_and_wrath_values(upgrades, values):
    """Tyr's Domain +3, Tyr's Wrath +5; the owner chooses, 0 too; with both never the sum."""
    g = _quest_in_battle(*upgrades, enemies=3)
    assert g.asked() == (0, Decision.COUNT_QUEST)
    assert [n for n in range(9) if g.can_count(n)] == values
    for value in values:
        g = _quest_in_battle(*upgrades, enemies=value)
        if value:
            g.count(0, value)  # 1 + value against value
            assert g.is_pillaged("yggdrasil")
            assert [card.name for card in g.discards()] == ["MANHEIM_1"]
        g = _quest_in_battle(*upgrades, enemies=1)
        g.count(0, 0)  # a tie on purpose
        assert not g.is_pillaged("yggdrasil")
        assert g.hand_of(0) == [Card.MANHEIM_1]


@pytest.mark.parametrize("title", ["Tyr's Domain", "Tyr's Wrath"])
def test_tyrs_upgrades_count_own_quests_only(title):
    """rules 6.2.5: no question for another clan's quest, nor for an upgrade or a battle card of the owner's."""
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(1, "Manheim")
    g.hand(0, "Troll")
    g.pillage(0, "gimle")
    assert g.asked() == NEXT
    assert g.is_pillaged("gimle")


@pytest.mark.parametrize("title", ["Tyr's Domain", "Tyr's Wrath"])
def test_tyrs_upgrades_exact_value(title):
    """rules 6.2.5: exactly the printed value: a tie against 1 more."""
    value = 3 if title == "Tyr's Domain" else 5
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "warrior", "yggdrasil")
    g.put(1, "warrior", "yggdrasil", 1 + value)
    g.hand(0, "Glorious Death")
    g.pillage(0, "yggdrasil")
    g.count(0, value)
    assert not g.is_pillaged("yggdrasil")
    assert g.glory_of(1) == 0


def test_committed_quests_are_not_counted():
    """Tyr's Domain: quests revealed in a fight, from the hand; a committed one is not a card of the hand."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Domain")
    g.quest(0, "Manheim")
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    assert g.asked() == NEXT
    assert dead(g, 0) == 1


# ---- Tyr's Challenge
def test_tyrs_challenge_is_an_action_of_two_rage():
    """Tyr's Challenge: a Pillage where the token was already taken this Age, by whomever."""
    g = Scenario(2)
    g.upgrade(1, "Tyr's Challenge")
    g.put(0, "warrior", "gimle")
    g.put(1, "ship", "fjord_gimle_myrkulor")
    g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")  # 4 against 2
    assert g.figures(1, "ship", "valhalla") == 1
    g.invade(1, "leader", "gimle")
    g.pass_(0)
    g.pillage(1, "gimle")
    assert g.rage_of(1) == 4
    assert (g.figures(1, "leader", "valhalla"), g.glory_of(0)) == (1, 6)


def test_tyrs_challenge_for_exactly_two_rage():
    """Tyr's Challenge: the last 2 Rage are enough, and the action is finished at 0."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "warrior", "gimle")
    g.pillaged("gimle")
    g.rage(0, 2)
    g.pillage(0, "gimle")
    assert (g.rage_of(0), g.steps_of(0)) == (0, [2, 1, 1])


def test_tyrs_challenge_token_of_an_earlier_age():
    """Tyr's Challenge: tokens turn face up again at the end of the Age, where the Pillage is free again."""
    g = alone()
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    g.end_action_phase()
    assert not g.is_pillaged("gimle")


# ---- Tyr's Prowess
def _prowess(*cards, rage=6, enemy=()):
    g = Scenario(2)
    g.upgrade(0, "Tyr's Prowess")
    g.rage(0, rage)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, *cards)
    g.hand(1, *enemy)
    g.pillage(0, "gimle")
    return g


@pytest.mark.parametrize("title", ["Tyr's Bash", "Manheim", "Troll"])
def test_tyrs_prowess_buys_a_card_back(title):
    """Tyr's Prowess: any of its cards on the table, a quest or an upgrade too, for 1 Rage; or not."""
    g = _prowess(title)
    assert g.asked() == (0, Decision.BUY_BACK)
    assert g.can_no()
    assert len(g.legal_actions()) == 2
    g.card(0, title)
    assert g.rage_of(0) == 5
    assert len(g.hand_of(0)) == 1
    assert g.discards() == []
    g = _prowess(title)
    g.no(0)
    assert g.rage_of(0) == 6
    assert g.hand_of(0) == []
    assert len(g.discards()) == 1


@pytest.mark.parametrize(("rage", "bought"), [(6, 2), (1, 1)])
def test_tyrs_prowess_buys_late_cards_too(rage, bought):
    """Tyr's Prowess: 1 Rage each, as many as there is Rage for."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Prowess")
    g.rage(0, rage)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Tyr's Bash", "Heimdall's Eye")
    g.pillage(0, "gimle")
    g.card(0, "Tyr's Bash")
    assert g.asked() == (0, Decision.LATE_CARD)
    g.card(0, "Heimdall's Eye")
    g.card(0, "Heimdall's Eye")
    if bought == 2:
        assert g.asked() == (0, Decision.BUY_BACK)
        g.card(0, "Tyr's Bash")
    assert g.asked()[1] == Decision.ACTION
    assert g.rage_of(0) == rage - bought
    assert len(g.hand_of(0)) == bought
    assert len(g.discards()) == 2 - bought


def test_tyrs_prowess_without_rage():
    """Tyr's Prowess: nothing to pay with, nothing asked: the defender won at 0 Rage."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Tyr's Prowess")
    g.rage(0, 0)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Tyr's Bash")
    g.pillage(1, "gimle")
    assert g.asked() == NEXT
    assert g.discards() == [Card.TYRS_BASH]


def test_tyrs_prowess_only_of_the_winner():
    """Tyr's Prowess: a loser takes cards back for nothing; in a tie there is no winner."""
    for enemies in (3, 5):
        g = Scenario(2)
        g.upgrade(0, "Tyr's Prowess")
        g.put(0, "warrior", "yggdrasil")
        g.put(1, "warrior", "yggdrasil", enemies)
        g.hand(0, "Tyr's Bash")
        g.pillage(0, "yggdrasil")
        assert g.asked() == NEXT
        assert g.hand_of(0) == [Card.TYRS_BASH]
        assert g.rage_of(0) == 6


def test_tyrs_prowess_against_poison_and_trickery():
    """Tyr's Prowess: Poison takes the cards first; Trickery takes the Rage first (6.1.4)."""
    g = _prowess("Tyr's Bash", enemy=("Loki's Poison",))
    assert g.asked() == NEXT
    assert Card.TYRS_BASH in g.hand_of(1)
    g = _prowess("Tyr's Bash", rage=1, enemy=("Loki's Trickery",))
    assert g.asked() == NEXT
    assert (g.rage_of(0), g.rage_of(1)) == (0, 7)
    assert g.discards() == [Card.TYRS_BASH]


def test_tyrs_prowess_of_a_clan_that_passed_with_ascension():
    """Tyr's Prowess: the 3 Rage of Thor's Ascension pay for it at once, after passing too (3.2.3)."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Tyr's Prowess")
    g.passed(0)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Thor's Ascension")
    g.pillage(1, "gimle")
    assert g.asked() == (0, Decision.BUY_BACK)
    g.card(0, "Thor's Ascension")
    assert g.rage_of(0) == 2
    assert g.glory_of(0) == 3 + 3
    assert g.hand_of(0) == [Card.THORS_ASCENSION]
    assert g.asked() == NEXT  # it has passed
