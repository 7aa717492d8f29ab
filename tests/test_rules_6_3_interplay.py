"""rules 6.3: upgrades that meet each other, and what the other chapters leave to them."""

import pytest
from clans import ACTS, ALL_OUTER, alone
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure

FJORD = "fjord_gimle_myrkulor"
NEXT = (1, Decision.ACTION)


def test_saved_victims_leave_no_village_for_succor():
    """rules 6.3.2 and 6.3.9: Utgard stays full, so nobody follows the Fire Giant."""
    g = Scenario(2)
    g.upgrade(0, "Fire Giant", "Frigga's Succor")
    g.upgrade(1, "Frigga's Protection")
    g.put(1, "warrior", "utgard", 2)
    g.invade(0, "monster_1", "utgard")
    g.count(1, 2)
    assert g.rage_of(1) == 4
    assert g.asked() == NEXT


def test_arrival_victims_without_rage_are_not_asked():
    """rules 6.3.9: Protection without Rage against the Troll."""
    g = alone()
    g.upgrade(0, "Troll")
    g.upgrade(1, "Frigga's Protection")
    g.put(1, "warrior", "gimle")
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 1


def test_free_invade_at_no_rage_left():
    """rules 6.3.1: the upgrade took the last Rage; the free Invade and Succor still follow, Thor's Domain can't."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Succor", "Thor's Domain")
    g.rage(0, 4)
    g.hand(0, "Fire Giant")
    g.play(0, "Fire Giant")
    g.choose(0, "monster_1", "gimle")
    assert g.asked() == (0, Decision.SUCCOR)
    g.yes(0)
    assert g.asked() == NEXT
    assert g.figures_in(0, "gimle") == 2


def test_prowess_buys_grace_back_and_grace_still_works():
    """rules 6.3.20: step 11 comes before step 13: the text of a card that is back in the hand was played."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Prowess")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Frigga's Grace")
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.BUY_BACK)
    g.card(0, "Frigga's Grace")
    assert g.asked() == (0, Decision.STAT)
    assert [g.can_raise_stat(stat) for stat in ("rage", "axes", "horns")] == [False, True, True]
    g.raise_stat(0, "axes")
    assert g.steps_of(0) == [2, 2, 1]
    assert g.glory_of(0) == 4
    assert g.hand_of(0) == [Card.FRIGGAS_GRACE]


def test_own_tide_and_own_protection():
    """rules 6.3.9: whenever a figure would be destroyed, by its own clan's Tide too."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "leader", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    g.choose(0, "leader", "gimle")
    assert g.asked() == (0, Decision.SAVE)
    g.count(0, 2)
    assert g.is_pillaged("gimle")  # 3 + 2 + 1 against 3
    assert g.rage_of(0) == 4
    assert dead(g, 0) == 0


def test_brothers_saved_from_tide_are_a_pair():
    """rules 6.3.15: pairs at step 9, when Protection has saved the second Brother: 3 against 3, a tie."""
    g = Scenario(2)
    g.upgrade(1, "Brothers in Arms", "Frigga's Protection")
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "warrior", "gimle", 2)
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 1)  # 3 against 1 + 1
    assert g.glory_of(1) == 3
    assert not g.is_pillaged("gimle")
    assert dead(g, 0) == 2


def test_dark_elf_called_into_and_out_of_yggdrasil():
    """rules 6.3.14: STR 3 while there: by call to battle too."""
    for frm, to, enemies, won in (("gimle", "yggdrasil", 3, True), ("yggdrasil", "gimle", 2, False)):
        g = Scenario(2)
        g.upgrade(0, "Dark Elf")
        g.put(0, "warrior", to)
        g.put(0, "monster_1", frm)
        g.put(1, "warrior", to, enemies)
        g.pillage(0, to)
        g.choose(0, "monster_1", frm)
        assert g.is_pillaged(to) == won


def test_dark_elf_pillages_yggdrasil_against_a_defender():
    """rules 6.3.4 and 6.3.14: Thor's Domain in Yggdrasil is a battle there; Frost Giant's reward is not his."""
    g = Scenario(2)
    g.upgrade(0, "Dark Elf", "Frost Giant", "Thor's Domain")
    g.put(1, "warrior", "yggdrasil", 2)
    g.invade(0, "monster_1", "yggdrasil")
    g.yes(0)
    assert g.steps_of(0) == [2, 2, 2]
    assert g.glory_of(0) == 4


def test_frost_giant_in_yggdrasil_with_lord_of_spears():
    """rules 6.3.17: two steps of each stat by the token, one by the leader: Axes 6 in time for the glory."""
    g = Scenario(2)
    g.upgrade(0, "Frost Giant", "Lord of Spears")
    g.put(0, "monster_1", "yggdrasil")
    g.put(0, "leader", "yggdrasil")
    g.put(1, "warrior", "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert g.steps_of(0) == [4, 4, 4]
    assert g.glory_of(0) == 6


@pytest.mark.parametrize("kept", ["monster_1", "warrior"])
def test_tide_with_witch_and_protection(kept):
    """rules 6.3.10: the Witch may escape or be paid for; the warrior can only be paid for."""
    g = Scenario(2)
    g.upgrade(1, "Volur Witch", "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.put(1, "monster_1", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    g.choose(1, kept, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    if kept == "warrior":
        assert g.state.about_kind == Figure.MONSTER_1
        assert g.legal_actions() == [act.YES, act.COUNT, act.COUNT + 1]
        g.count(1, 1)  # 4 against 4: a tie
        assert g.state.about_kind == Figure.WARRIOR
        g.count(1, 0)
        g.yes(1)
        assert g.figures(1, "monster_1", "yggdrasil") == 1
        assert not g.is_pillaged("gimle")
        assert g.rage_of(1) == 5
    else:
        assert g.legal_actions() == [act.COUNT, act.COUNT + 1]
        g.count(1, 0)  # 4 against 3
        assert g.legal_actions() == [act.YES, act.COUNT, act.COUNT + 1]
        g.yes(1)
        assert g.is_pillaged("gimle")


def test_a_witch_alone_stays_in_tide():
    """rules 6.3.10: a clan with one figure loses nothing, so there is nothing to escape from."""
    g = Scenario(2)
    g.upgrade(1, "Volur Witch")
    g.put(0, "warrior", "gimle")
    g.put(1, "monster_1", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    assert g.asked() == NEXT
    assert g.figures(1, "monster_1", "gimle") == 1
    assert g.glory_of(1) == 3


def test_escaped_witch_and_saved_figure_against_thors_glory():
    """rules 6.3.10: two enemy figures are not destroyed, one is: no flat 2."""
    g = Scenario(2)
    g.upgrade(0, "Thor's Glory")
    g.upgrade(1, "Volur Witch", "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.hand(0, "Tyr's Rage")
    g.put(1, "monster_1", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    g.count(1, 1)
    g.yes(1)
    assert g.glory_of(0) == 3


def test_last_token_by_thors_domain_of_another_clan():
    """rules 6.3.4: the phase ends after the action of seat 0, whose pillage failed, since none is left."""
    g = Scenario(2)
    g.upgrade(1, "Loki's Blessing", "Thor's Domain")
    g.pillaged("yggdrasil", *(p for p in ALL_OUTER if p != "gimle"))
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.yes(1)
    g.yes(1)
    assert g.asked()[1] == Decision.DRAFT
    assert g.step_of(1, "rage") == 2


def test_blessing_after_thors_domain_lost_by_its_own_owner():
    """rules 6.3.5: the pillager who loses his own Thor's Domain is blessed with the next warrior."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing", "Thor's Domain")
    g.put(1, "leader", "gimle")
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.asked() == (0, Decision.BLESSING)
    g.yes(0)
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.no(0)
    assert g.rage_of(0) == 3
    assert g.asked() == NEXT


def test_blessed_warrior_cannot_be_followed_past_horns():
    """rules 6.3.3: the warrior takes the last Horn, so Succor is not asked."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing", "Frigga's Succor")
    g.put(0, "warrior", "horgr", 3)
    g.put(0, "warrior", "gimle")
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.yes(0)
    assert g.asked() == NEXT


def test_lord_of_hammers_carries_on_in_the_next_battle():
    """rules 6.3.16: moved to Andlang, he stands there for the clan's next pillage."""
    g = Scenario(2)
    g.rage(1, 0)
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")
    g.province(0, "andlang")
    g.pillage(0, "andlang")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    assert not g.can_province("myrkulor")
    g.province(0, "gimle")
    assert g.steps_of(0) == [3, 1, 1]


def test_upgrades_last_for_the_rest_of_the_game():
    """rules 3.2.7: in the next Age card and figure are still there."""
    g = alone()
    g.upgrade(0, "Lord of Axes", "Troll", "Experts in Arms", "Fire Dragons", "Odin's Throne")
    g.put(0, "monster_1", "gimle")
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT
    for title in ("Lord of Axes", "Troll", "Experts in Arms", "Fire Dragons", "Odin's Throne"):
        assert g.has_upgrade(0, title)
    assert g.figures(0, "monster_1", "gimle") == 1


@pytest.mark.parametrize(("title", "card"), [("Frigga's Succor", "Tyr's Domain"), ("Thor's Domain", "Tyr's Domain")])
def test_a_replaced_clan_upgrade_stops_working(title, card):
    """rules 3.2.7: at once."""
    g = alone()
    g.upgrade(0, title)
    g.hand(0, card)
    g.play(0, card)
    g.slot(0, 0)
    g.invade(0, "leader", "gimle")
    assert g.asked() == ACTS


def test_experts_in_quests_and_for_succor():
    """rules 6.3.3: the follower is free whatever his STR; two Experts are 4 in a quest."""
    g = alone()
    g.upgrade(0, "Experts in Arms", "Frigga's Succor")
    g.put(1, "leader", "gimle")
    g.quest(0, "Alfheim")
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.rage_of(0) == 4
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)
    assert g.glory_of(0) == 5


def test_ship_invade_after_a_ship_upgrade_needs_horns():
    """rules 6.3.13: Horns bind the Serpent's free Invade too."""
    g = alone()
    g.upgrade(0, "Sea Serpent")
    g.put(0, "warrior", "gimle", 4)
    g.hand(0, "Fire Dragons")
    g.play(0, "Fire Dragons")
    assert g.asked() == ACTS
    assert g.has_upgrade(0, "Fire Dragons")


def test_sacrificing_the_witch_with_thors_conquest_in_the_last_age():
    """rules 6.3.8: she is destroyed, off the board at the end; the two that are left pay 3 each."""
    g = alone(age=3)
    g.upgrade(0, "Frigga's Sacrifice", "Volur Witch", "Thor's Conquest")
    g.put(0, "monster_1", "gimle")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "leader", "horgr")
    g.sacrifice(0)
    g.choose(0, "warrior", "gimle")
    g.choose(0, "monster_1", "gimle")
    g.raise_stat(0, "axes")
    g.end_action_phase()
    assert g.glory_of(0) == 6


def test_charm_and_replaced_monster_in_one_action():
    """rules 6.3.19: 1 Rage less for the monster that drives out another one, which frees its Horn for it."""
    g = alone()
    g.upgrade(0, "Frigga's Charm", "Troll", "Valkyrie")
    g.put(0, "monster_1", "utgard")
    g.put(0, "monster_2", "utgard")
    g.put(0, "leader", "utgard")
    g.put(0, "warrior", "gimle")
    g.hand(0, "Fire Giant")
    g.play(0, "Fire Giant")
    g.slot(0, 1)
    g.choose(0, "monster_2", "utgard")
    assert g.rage_of(0) == 3
    assert g.figures_in(0, "utgard") == 3
    assert g.figures(0, "monster_2", FJORD) == 0
