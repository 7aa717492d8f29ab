"""Rules 6.1 and 6.2 together: cards and upgrades that meet in one battle, battles inside battles, what is known."""

import pytest
from fights import FJORD, dead, field, fight, raise_stats, show

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Source, Stat

# ---- who is still there at step 13


def test_leader_lost_to_the_tide_gives_no_leader_upgrade():
    """rules 6.1.1, 6.2.4: step 13 needs the leader in the province; the Tide took him."""
    g = field({0: {"leader": 1, "ship": 1}, 1: {"warrior": 2}}, age=2)
    g.upgrade(0, "Lord of Axes")
    fight(g, {0: "Odin's Tide"})
    g.choose(0, "ship", FJORD["gimle"])
    assert g.is_pillaged("gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert [g.step_of(0, s) for s in Stat] == [2, 1, 1]
    assert g.figures(0, "leader", "valhalla") == 1


def test_frost_giant_lost_to_the_tide_doubles_nothing():
    """rules 6.1.1, 6.2.4: with the Frost Giant in the province at step 13."""
    g = field({0: {"leader": 1, "Frost Giant": 1}, 1: {"warrior": 2}}, age=3)
    fight(g, {0: "Odin's Tide"})
    g.choose(0, "leader", "gimle")
    assert g.step_of(0, "rage") == 2


def test_frost_giant_saved_from_the_tide_doubles():
    """rules 6.1.1, 6.2.4: saved by Protection he is still there."""
    g = field({0: {"leader": 1, "Frost Giant": 1}, 1: {"warrior": 2}}, age=3)
    g.upgrade(0, "Frigga's Protection")
    fight(g, {0: "Odin's Tide"})
    g.choose(0, "leader", "gimle")
    g.count(0, 1)
    assert g.step_of(0, "rage") == 3


# ---- Protection


def test_saves_are_asked_by_kind_while_the_rage_lasts():
    """rules 6.1.1 step 12: leader, warriors, ship, monsters; 1 Rage each."""
    g = field({0: {"Frost Giant": 1, "leader": 1}, 1: {"leader": 1, "warrior": 1, "ship": 1, "Troll": 1}}, age=3)
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 3)
    fight(g, {0: "Tyr's Smite"})  # 12 against 8
    kinds = []
    for answer in (1, 0, 1, 1):
        assert g.asked() == (1, Decision.SAVE)
        kinds.append(int(g.state.about_kind))
        g.count(1, answer)
    assert kinds == [Figure.LEADER, Figure.WARRIOR, Figure.SHIP, Figure.MONSTER_1]
    assert g.rage_of(1) == 0
    assert [g.figures(1, k, "valhalla") for k in ("leader", "warrior", "ship", "monster_1")] == [0, 1, 0, 0]


def test_saves_of_a_kind_are_bound_by_the_rage():
    """rules 6.1.1 step 12 with 6.3.9: 2 Rage save two of three at most, and then nothing else."""
    g = field({0: {"leader": 1}, 1: {"warrior": 3, "ship": 1}})
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 2)
    fight(g, {0: "Tyr's Smash"})
    assert [g.can_count(n) for n in range(4)] == [True, True, True, False]
    g.count(1, 2)
    assert g.asked() == (1, Decision.ACTION) or g.asked() == (2, Decision.ACTION)
    assert g.figures(1, "warrior", "gimle") == 2
    assert g.figures(1, "ship", "valhalla") == 1


def test_two_smites_ask_protection_twice():
    """rules 6.2.4: each Smite by itself, in the order of the clans."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 3}}, age=2)
    g.upgrade(2, "Frigga's Protection")
    g.hand(2, "Heimdall's Eye")
    fight(g, {0: "Odin's Smite", 1: "Odin's Smite", 2: "Tyr's Bash"})
    assert g.asked() == (2, Decision.SAVE)
    g.count(2, 1)
    assert g.asked() == (2, Decision.SAVE)
    assert dead(g, 0) == 1  # of the second Smite, too, the clans suffer from the pillager clockwise
    g.count(2, 0)
    assert g.asked() == (2, Decision.LATE_CARD)
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]
    assert g.rage_of(2) == 5


def test_saved_figures_hold_the_province_after_the_battle():
    """rules 6.1.1: saved in a lost battle they stay; the pillage succeeds all the same."""
    g = field({0: {"leader": 1}, 1: {"warrior": 2}})
    g.upgrade(1, "Frigga's Protection", "Loki's Blessing")
    g.pillage(0, "gimle")
    g.count(1, 2)
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 3
    assert g.asked() == (1, Decision.BLESSING)
    g.yes(1)
    assert g.figures(1, "warrior", "gimle") == 3


def test_witch_of_a_protected_clan_without_rage_can_still_escape():
    """rules 6.3.10: the escape costs nothing; saving her needs Rage."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"Volur Witch": 1}}, age=3)
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 0)
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    assert (g.can_count(0), g.can_count(1), g.can_yes()) == (True, False, True)
    g.yes(1)
    assert g.figures(1, "monster_1", "yggdrasil") == 1


# ---- dragons and the thieves


@pytest.mark.parametrize(("dragons", "glory"), [("Loki's Dragons", 4), ("Fire Dragons", 8), ("Eternal Dragons", 12)])
def test_ship_lost_to_the_tide_and_in_defeat_pays_dragons(dragons, glory):
    """rules 6.3.12: whatever destroys the ship: Tide or battle; a saved ship pays nothing."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1, "ship": 1}}, age=2)
    g.upgrade(1, dragons)
    fight(g, {0: "Odin's Tide"})
    g.choose(1, "warrior", "gimle")
    assert g.glory_of(1) == glory
    g = field({0: {"leader": 1}, 1: {"ship": 1}}, age=2)
    g.upgrade(1, dragons)
    g.pillage(0, "gimle")
    assert g.glory_of(1) == glory
    g = field({0: {"leader": 1}, 1: {"ship": 1}}, age=2)
    g.upgrade(1, dragons, "Frigga's Protection")
    g.pillage(0, "gimle")
    g.count(1, 1)
    assert g.glory_of(1) == 0


def test_backstab_finds_the_dragons_of_the_tide():
    """rules 6.1.1: the Tide's Dragons (7) were paid before Backstab (10)."""
    g = field({0: {"leader": 1, "ship": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=2)
    g.upgrade(0, "Loki's Dragons")
    fight(g, {0: "Odin's Tide", 1: "Loki's Backstab"})
    g.choose(0, "leader", "gimle")
    assert g.glory_of(0) == 4 - 2 + 3
    assert g.glory_of(1) == 2


def test_trickery_takes_the_rage_of_a_winner_who_passed():
    """rules 6.2.6 with 3.2.3: Rage gained after passing can be taken; it gives no more actions."""
    g = field({0: {"warrior": 1}, 1: {"leader": 1}}, age=3)
    g.passed(1)
    g.rage(1, 2)
    fight(g, {0: "Loki's Trickery"})
    assert (g.rage_of(0), g.rage_of(1)) == (7, 1)
    assert g.asked() == (2, Decision.ACTION)


def test_trickery_of_a_clan_without_rage_lets_it_act_again():
    """rules 6.1.6: it acts again on its later turns."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}})
    g.rage(1, 0)
    fight(g, {1: "Loki's Trickery"})
    assert g.asked() == (1, Decision.ACTION)
    assert g.rage_of(1) == 1


# ---- copies


def test_prowess_buys_back_two_copies_of_one_card():
    """rules 6.2.7: any number of those cards, two of a kind too."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=2)
    g.upgrade(0, "Tyr's Prowess")
    g.hand(0, "Heimdall's Eye", "Heimdall's Eye", "Heimdall's Eye")
    g.pillage(0, "gimle")  # the first Eye is the only kind of card
    g.card(0, "Heimdall's Eye")
    g.card(0, "Heimdall's Eye")
    assert g.asked() == (0, Decision.BUY_BACK)
    g.card(0, "Heimdall's Eye")
    g.card(0, "Heimdall's Eye")
    assert g.asked() == (0, Decision.BUY_BACK)
    g.no(0)
    assert g.hand_of(0) == [Card.HEIMDALLS_EYE, Card.HEIMDALLS_EYE]
    assert g.discards() == [Card.HEIMDALLS_EYE]
    assert g.rage_of(0) == 4


def test_poison_takes_all_copies():
    """rules 6.2.7: every card that the winner has on the table."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=3)
    g.hand(0, "Heimdall's Eye", "Heimdall's Eye")
    fight(g, {1: "Loki's Poison"})
    g.card(0, "Heimdall's Eye")
    assert g.hand_of(1) == [Card.HEIMDALLS_EYE, Card.HEIMDALLS_EYE, Card.LOKIS_POISON]


# ---- Watch with the rest


def test_tide_of_the_second_round_works_after_the_watch():
    """rules 6.2.2: the new cards' texts work."""
    g = field({0: {"warrior": 3}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Odin's Tide")
    g.hand(1, "Odin's Smite")
    fight(g, {0: "Odin's Smite", 1: "Heimdall's Watch"})
    assert g.glory_of(1) == 1 + 3  # the Tide leaves one, the Smite takes it: 0 + 1 against 1 + 1
    assert dead(g, 0) == 3


def test_late_cards_come_after_the_second_round():
    """rules 6.2.2: back to step 4: late cards are asked once, after the new reveal."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Heimdall's Eye", "Tyr's Bash")
    g.hand(1, "Tyr's Bash")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Crush"})
    assert g.asked() == (0, Decision.BATTLE_CARD)
    show(g, {0: "Tyr's Bash"})
    assert g.asked() == (0, Decision.LATE_CARD)
    g.card(0, "Heimdall's Eye")
    assert g.is_pillaged("gimle")


def test_valkyrie_works_after_the_watch():
    """rules 6.2.10, 6.2.2: an upgrade is not among the discarded."""
    g = field({0: {"leader": 1}, 1: {"Valkyrie": 1}}, age=2)
    fight(g, {0: "Tyr's Bash", 1: "Heimdall's Watch"})  # then 3 against 2
    assert g.glory_of(1) == 2
    assert g.glory_of(0) == 3


# ---- a battle inside another clan's turn


def test_pillage_of_thors_domain_after_blessing_is_the_owners():
    """rules 4.1, 6.3.5: in another clan's turn: the call begins left of the one who pillages."""
    g = field({0: {"warrior": 1}, 2: {"warrior": 1}}, players=4)
    g.upgrade(2, "Loki's Blessing", "Thor's Domain", "Frigga's Succor")
    for seat in (0, 1, 3):
        g.put(seat, "warrior", "myrkulor" if seat != 0 else "andlang")
    g.pillage(0, "gimle")
    for seat in (1, 3, 0):
        g.no(seat)
    assert g.asked() == (2, Decision.BLESSING)  # a tie
    g.yes(2)
    assert g.asked() == (2, Decision.SUCCOR)
    g.yes(2)
    assert g.asked() == (2, Decision.FREE_PILLAGE)
    g.yes(2)
    assert g.rage_of(2) == 4
    asked = []
    while g.asked()[1] == Decision.CALL:
        asked.append(g.asked()[0])
        if asked == [3]:
            g.choose(3, "warrior", "myrkulor")
        else:
            g.no(g.asked()[0])
    assert asked == [3, 0, 1]  # 3 has nobody left to call
    assert g.is_pillaged("gimle")
    assert g.step_of(2, "rage") == 2
    assert g.glory_of(2) == 3
    assert dead(g, 3) == 1
    assert g.asked() == (1, Decision.ACTION)


def test_each_blessing_is_finished_before_the_next():
    """rules 6.1.2: each clan wholly before the next: Blessing, Succor and Thor's Domain with its battle."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.upgrade(0, "Loki's Blessing", "Thor's Domain")
    g.upgrade(1, "Loki's Blessing")
    g.put(2, "warrior", "myrkulor", 2)
    g.pillage(0, "gimle")
    g.no(2)
    assert g.asked() == (0, Decision.BLESSING)
    g.yes(0)
    g.yes(0)  # Thor's Domain
    g.choose(2, "warrior", "myrkulor")
    g.choose(2, "warrior", "myrkulor")
    # clan 2 wins the second battle, which 0 lost too: its Blessing, then what is left of the first battle
    assert g.glory_of(2) == 3
    assert g.asked() == (0, Decision.BLESSING)
    g.no(0)
    assert g.asked() == (1, Decision.BLESSING)
    g.yes(1)
    assert g.figures(1, "warrior", "gimle") == 1
    assert g.asked() == (1, Decision.ACTION)


# ---- what everybody knows


def known(g, seat):
    return [card for card in Card for _ in range(int(g.state.known[seat, card]))]


def test_cards_taken_back_are_known():
    """rules 2.6, 4.6: every card revealed in a battle and where it goes is open to all."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(1, "Tyr's Rage", "Heimdall's Eye")
    g.hand(0, "Tyr's Crush")
    fight(g, {0: "Tyr's Smite", 1: "Tyr's Bash"})
    g.card(1, "Heimdall's Eye")
    assert known(g, 1) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE])
    assert known(g, 0) == []
    assert g.hand_of(0) == [Card.TYRS_CRUSH]


def test_bought_and_stolen_cards_are_known():
    """rules 2.6, 6.2.7: openly taken into the hand."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: "Tyr's Smite"})
    g.card(0, "Tyr's Smite")
    assert known(g, 0) == [Card.TYRS_SMITE]
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=3)
    fight(g, {0: "Tyr's Smite", 1: "Loki's Poison"})
    assert known(g, 1) == sorted([Card.TYRS_SMITE, Card.LOKIS_POISON])
    assert known(g, 0) == []


def test_a_known_card_that_is_played_and_discarded_is_known_no_more():
    """rules 2.6, 4.6: known copies leave with the card."""
    g = field({0: {"leader": 1}, 1: {"warrior": 2}}, age=2)
    g.put(1, "leader", "horgr")
    g.put(0, "warrior", "horgr")
    g.hand(1, "Tyr's Rage")
    fight(g, {0: "Tyr's Smite", 1: "Tyr's Bash"})
    assert known(g, 1) == [Card.TYRS_BASH]
    g.pillage(1, "horgr")
    show(g, {1: "Tyr's Bash"})
    assert g.discards() == sorted([Card.TYRS_SMITE, Card.TYRS_BASH])
    assert known(g, 1) == []
    assert g.hand_of(1) == [Card.TYRS_RAGE]


def test_one_shown_copy_of_two_is_known_once():
    """rules 2.6: copies are counted."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(1, "Tyr's Bash", "Tyr's Rage")
    fight(g, {0: "Tyr's Smite", 1: "Tyr's Bash"})
    assert known(g, 1) == [Card.TYRS_BASH]
    assert g.hand_of(1) == [Card.TYRS_BASH, Card.TYRS_BASH, Card.TYRS_RAGE]


def test_axes_of_lord_and_grace_with_a_full_track():
    """rules 6.1.1 step 13: what can't be raised is lost, the rest is paid; battle glory sees the last step."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=2)
    g.upgrade(0, "Lord of Axes")
    g.stat(0, "axes", 5)
    g.token("gimle", "axes")
    fight(g, {0: "Frigga's Grace"})
    raise_stats(g, "horns", "horns")
    assert [g.step_of(0, s) for s in Stat] == [1, 6, 3]
    assert g.from_source(0, Source.BATTLE) == 8
