"""rules 6.3.3 to 6.3.5: Frigga's Succor, Thor's Domain, Loki's Blessing."""

import pytest
from clans import ACTS, alone
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision


# ---- 6.3.3 Succor
def test_succor_sends_one_warrior_who_brings_none():
    """rules 6.3.3: free, into the same province, and the follower sets off nothing more."""
    g = alone()
    g.upgrade(0, "Frigga's Succor")
    g.invade(0, "leader", "gimle")
    g.yes(0)
    assert g.figures(0, "warrior", "gimle") == 1
    assert g.rage_of(0) == 6
    assert g.asked() == ACTS


def test_succor_is_for_every_invade():
    """rules 6.3.3: the second Invade brings a warrior again."""
    g = alone()
    g.upgrade(0, "Frigga's Succor")
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.figures(0, "warrior", "gimle") == 4
    assert g.rage_of(0) == 4


@pytest.mark.parametrize("kind", ["ship", "monster_1"])
def test_succor_follows_no_ship(kind):
    """rules 6.3.3: neither the ship nor the Sea Serpent."""
    g = alone()
    g.upgrade(0, "Frigga's Succor", "Sea Serpent")
    g.invade(0, kind, "fjord_gimle_myrkulor")
    assert g.asked() == ACTS


def test_succor_needs_a_warrior_in_the_reserve():
    """rules 6.3.3: the last one has just invaded."""
    g = alone()
    g.upgrade(0, "Frigga's Succor")
    g.put(0, "warrior", "valhalla", 7)
    g.invade(0, "warrior", "gimle")
    assert g.asked() == ACTS


def test_succor_follows_no_march():
    """rules 6.3.3: a March is no Invade."""
    g = alone()
    g.upgrade(0, "Frigga's Succor")
    g.put(0, "warrior", "gimle")
    g.march(0, "gimle", "horgr", warrior=1)
    assert g.asked() == ACTS


def test_succor_at_no_rage_left():
    """rules 6.3.3: the Invade took the last Rage, the follower comes all the same (3.2.2)."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Succor")
    g.rage(0, 1)
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.figures(0, "warrior", "gimle") == 2
    assert g.rage_of(0) == 0


# ---- 6.3.4 Thor's Domain
def test_thors_domain_costs_two_rage_left_after_the_invade():
    """rules 6.3.4: 3 Rage are enough for a warrior and the pillage, 2 are not."""
    for rage, asked in ((3, (0, Decision.FREE_PILLAGE)), (2, (1, Decision.ACTION))):
        g = Scenario(2)
        g.upgrade(0, "Thor's Domain")
        g.rage(0, rage)
        g.invade(0, "warrior", "gimle")
        assert g.asked() == asked


def test_thors_domain_not_where_the_token_is_taken():
    """rules 6.3.4: the province is not yet pillaged; Tyr's Challenge changes nothing."""
    g = alone()
    g.upgrade(0, "Thor's Domain", "Tyr's Challenge")
    g.pillaged("gimle")
    g.invade(0, "warrior", "gimle")
    assert g.asked() == ACTS


def test_thors_domain_not_after_a_ship_or_a_march():
    """rules 6.3.4: after an Invade into a province."""
    g = alone()
    g.upgrade(0, "Thor's Domain")
    g.put(0, "warrior", "gimle")
    g.invade(0, "ship", "fjord_gimle_myrkulor")
    assert g.asked() == ACTS
    g.march(0, "gimle", "myrkulor", warrior=1)
    assert g.asked() == ACTS


def test_thors_domain_is_a_whole_pillage():
    """rules 6.3.4: a Pillage as in 4, with call to battle, cards and battle glory."""
    g = Scenario(3)
    g.upgrade(0, "Thor's Domain")
    g.put(1, "warrior", "andlang")
    g.hand(0, "Tyr's Bash")
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.asked() == (1, Decision.CALL)
    g.choose(1, "warrior", "andlang")
    assert g.is_pillaged("gimle")  # 1 + 2 against 1; nobody else could join
    assert g.glory_of(0) == 3
    assert g.rage_of(0) == 3


def _tie_at_gimle():
    """Seat 1, whose turn it isn't, loses to seat 2 beside the pillager, seat 0."""
    g = Scenario(3)
    g.upgrade(1, "Loki's Blessing", "Thor's Domain")
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle")
    g.put(2, "leader", "gimle")
    return g


def test_thors_domain_in_another_clans_turn():
    """rules 6.3.4: it is not an action; the turn then goes on to the left of the clan whose action it was."""
    g = _tie_at_gimle()
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.BLESSING)
    g.yes(1)
    assert g.asked() == (1, Decision.FREE_PILLAGE)
    g.yes(1)
    assert g.rage_of(1) == 4
    assert g.glory_of(2) == 6  # won twice
    assert g.asked() == (1, Decision.BLESSING)
    g.no(1)
    assert g.asked() == (1, Decision.ACTION)


def test_thors_domain_not_for_a_clan_that_passed():
    """rules 6.3.4: Rage gained after passing starts no pillage (3.2.3); the Blessing itself works."""
    g = _tie_at_gimle()
    g.passed(1)
    g.rage(1, 5)
    g.pillage(0, "gimle")
    g.yes(1)
    assert g.figures(1, "warrior", "gimle") == 1
    assert g.asked() == (2, Decision.ACTION)
    assert g.rage_of(1) == 5


# ---- 6.3.5 Loki's Blessing
def _blessed_loser(*, strength_of_winner=3):
    g = Scenario(3)
    g.upgrade(1, "Loki's Blessing")
    g.put(0, "warrior", "gimle", strength_of_winner)
    g.put(1, "warrior", "gimle")
    return g


def test_blessing_after_a_lost_battle_in_a_pillaged_province():
    """rules 6.3.5: pillaged or not; the battle is over and the warrior has no part in it."""
    g = _blessed_loser()
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")
    assert g.asked() == (1, Decision.BLESSING)
    g.yes(1)
    assert (g.figures(1, "warrior", "gimle"), g.figures(1, "warrior", "valhalla")) == (1, 1)
    assert g.figures(0, "warrior", "gimle") == 3
    assert g.rage_of(1) == 6
    assert g.asked() == (1, Decision.ACTION)


def test_blessing_after_a_tie():
    """rules 6.3.5: in a tie everyone lost."""
    g = _blessed_loser(strength_of_winner=1)
    g.pillage(0, "gimle")
    assert not g.is_pillaged("gimle")
    assert g.asked() == (1, Decision.BLESSING)
    g.no(1)
    assert g.figures(1, "warrior", "gimle") == 0


def test_blessing_not_for_the_winner_nor_without_a_battle():
    """rules 6.3.5: its owner lost the battle."""
    for enemies in (0, 1):
        g = Scenario(2)
        g.upgrade(0, "Loki's Blessing")
        g.put(0, "leader", "gimle")
        if enemies:
            g.put(1, "warrior", "gimle")
        g.pillage(0, "gimle")
        assert g.asked() == (1, Decision.ACTION)


def test_blessing_not_for_a_clan_outside_the_battle():
    """rules 6.3.5: its owner lost, it did not look on."""
    g = Scenario(3)
    g.upgrade(2, "Loki's Blessing")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)


def test_blessing_needs_a_warrior_in_the_reserve():
    """rules 6.3.5: one warrior from the reserve, no other figure."""
    g = _blessed_loser()
    g.put(1, "warrior", "valhalla", 7)
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)


def test_blessing_after_smite_killed_the_last_figure():
    """rules 6.3.5: the clan stayed in the battle and lost it (6.1.5)."""
    g = _blessed_loser(strength_of_winner=1)
    g.hand(0, "Odin's Smite")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.BLESSING)


def test_blessing_of_a_lost_ship_brings_a_warrior_into_the_province():
    """rules 6.3.5: lost from the fjord, the warrior invades the province."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing")
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.put(1, "leader", "myrkulor")
    g.pillage(0, "myrkulor")
    g.yes(0)
    assert g.figures(0, "warrior", "myrkulor") == 1


def test_blessing_not_in_yggdrasil():
    """rules 6.3.5: an Invade, so not into Yggdrasil (6.1.8)."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing")
    g.put(0, "warrior", "yggdrasil")
    g.put(1, "leader", "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert g.asked() == (1, Decision.ACTION)


def test_blessing_sets_off_succor_then_thors_domain():
    """rules 6.3.5: as an Invade it sets off both."""
    g = _tie_at_gimle()
    g.upgrade(1, "Frigga's Succor")
    g.pillage(0, "gimle")
    g.yes(1)
    assert g.asked() == (1, Decision.SUCCOR)
    g.yes(1)
    assert g.asked() == (1, Decision.FREE_PILLAGE)
    assert g.figures(1, "warrior", "gimle") == 2
