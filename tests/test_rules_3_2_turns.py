"""Rules 3.2.1 to 3.2.4: turns, Rage, passing and the end of the Action phase."""

import pytest
from ages import PROVINCES, RING, draft
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision, Phase


def test_the_first_player_begins_then_clockwise():
    """rules 3.2.1: a turn is one action."""
    g = Scenario(players=4, seat=2)
    for seat in (2, 3, 0, 1):
        assert g.asked() == (seat, Decision.ACTION)
        g.invade(seat, "warrior", RING[seat])
    assert g.asked() == (2, Decision.ACTION)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_rage_is_set_to_the_stat_and_the_token_has_passed(seat):
    """rules 3.2.1: the rulebooks' example: two steps in the last Age make 8 Rage in the next."""
    g = Scenario(players=3, seat=seat)
    g.stat(1, "rage", 3)
    g.rage(1, 0)
    g.end_action_phase()
    draft(g)
    assert [g.rage_of(s) for s in range(3)] == [6, 8, 6]
    assert g.asked() == ((seat + 1) % 3, Decision.ACTION)


def test_clans_that_cannot_act_are_skipped():
    """rules 3.2.1: seat 1 has no Rage, seat 2 has passed."""
    g = Scenario(players=4)
    g.rage(1, 0)
    g.passed(2)
    g.invade(0, "leader", "gimle")
    assert g.asked() == (3, Decision.ACTION)
    g.invade(3, "leader", "gimle")
    assert g.asked() == (0, Decision.ACTION)


def test_the_last_clan_goes_on_alone():
    """rules 3.2.1: until its Rage is spent; then the phase ends."""
    g = Scenario(players=3)
    g.rage(1, 0)
    g.rage(2, 0)
    g.rage(0, 3)
    for rage in (2, 1):
        g.invade(0, "warrior", "gimle")
        assert g.rage_of(0) == rage
        assert g.asked() == (0, Decision.ACTION)
    g.invade(0, "warrior", "gimle")
    assert int(g.state.age) == 1
    assert g.asked()[1] == Decision.DRAFT


@pytest.mark.parametrize("rage", [1, 2, 3])
def test_an_action_that_costs_more_than_the_rage_left_cannot_be_taken(rage):
    """rules 3.2.2: warrior 1, ship 2, an upgrade of 1, 2 and 3, a March 1."""
    g = Scenario()
    g.rage(0, rage)
    g.put(0, "warrior", "utgard")
    g.hand(0, "Loki's Domain", "Loki's Eminence", "Loki's Wrath")
    assert g.can_invade("warrior", "gimle")
    assert g.can_march("utgard", "gimle")
    assert g.can_invade("ship", "fjord_gimle_myrkulor") == (rage >= 2)
    assert g.can_play("Loki's Domain")
    assert g.can_play("Loki's Eminence") == (rage >= 2)
    assert g.can_play("Loki's Wrath") == (rage >= 3)


def test_without_rage_not_even_a_free_action():
    """rules 3.2.2: a leader to invade, a quest, a pillage: seat 1 is skipped all the same."""
    g = Scenario(players=2)
    g.rage(1, 0)
    g.hand(1, "Manheim", "Frigga's Charm")
    g.put(1, "warrior", "utgard")
    g.invade(0, "leader", "gimle")
    assert g.asked() == (0, Decision.ACTION)


@pytest.mark.parametrize("passed", [False, True])
def test_rage_gained_later_brings_a_clan_back_but_not_one_that_passed(passed):
    """rules 3.2.2, 3.2.3: seat 1 wins with Thor's Ascension and has 3 Rage."""
    g = Scenario(players=2)
    g.put(0, "warrior", "utgard")
    g.put(1, "leader", "utgard")
    g.hand(1, "Thor's Ascension")
    g.rage(1, 0)
    if passed:
        g.passed(1)
    g.pillage(0, "utgard")
    assert g.rage_of(1) == 3
    assert g.asked() == (0 if passed else 1, Decision.ACTION)
    if passed:
        g.invade(0, "leader", "gimle")
        assert g.asked() == (0, Decision.ACTION)


def test_a_pass_lasts_whatever_rage_comes_later():
    """rules 3.2.3: seat 1 passes, then wins with Thor's Ascension: its 3 Rage bring no turn."""
    g = Scenario(players=2, seat=1)
    g.put(0, "warrior", "utgard")
    g.put(1, "leader", "utgard")
    g.hand(1, "Thor's Ascension")
    g.pass_(1)
    g.pillage(0, "utgard")
    assert g.rage_of(1) == 3
    assert g.asked() == (0, Decision.ACTION)
    g.invade(0, "leader", "gimle")
    assert g.asked() == (0, Decision.ACTION)


def test_an_action_paid_for_is_finished_without_rage():
    """rules 3.2.2: the free Invade of an upgrade that took the last Rage."""
    g = Scenario()
    g.rage(0, 3)
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert g.rage_of(0) == 0
    assert g.asked() == (0, Decision.FREE_INVADE)
    g.choose(0, "leader", "gimle")
    assert g.figures(0, "leader", "gimle") == 1
    assert g.asked() == (1, Decision.ACTION)


@pytest.mark.parametrize(("rage", "asked"), [(3, True), (2, False)])
def test_what_is_paid_inside_an_action_comes_from_the_rage_left(rage, asked):
    """rules 3.2.2: a warrior for 1 Rage leaves 2 or 1 for Thor's Domain, which takes 2."""
    g = Scenario()
    g.upgrade(0, "Thor's Domain")
    g.rage(0, rage)
    g.invade(0, "warrior", "gimle")
    assert g.asked() == ((0, Decision.FREE_PILLAGE) if asked else (1, Decision.ACTION))
    if asked:
        g.yes(0)
        assert g.rage_of(0) == 0
        assert g.is_pillaged("gimle")


def test_who_passes_loses_all_rage_and_acts_no_more():
    """rules 3.2.3: seat 0 passes with 6 Rage; seats 1 and 2 go on."""
    g = Scenario(players=3)
    g.pass_(0)
    assert g.rage_of(0) == 0
    assert g.asked() == (1, Decision.ACTION)
    g.invade(1, "leader", "gimle")
    g.invade(2, "leader", "gimle")
    assert g.asked() == (1, Decision.ACTION)


def test_everyone_may_pass_at_any_time():
    """rules 3.2.3: passing is always among the actions."""
    g = Scenario()
    assert g.can_pass()
    g.rage(0, 1)
    assert g.can_pass()


def test_who_passed_still_joins_and_fights_battles():
    """rules 3.2.3: seat 1 has passed, is called, comes, and wins with its card."""
    g = Scenario(players=2)
    g.passed(1)
    g.put(0, "warrior", "utgard")
    g.put(1, "warrior", "horgr")
    g.hand(1, "Tyr's Bash")
    g.pillage(0, "utgard")
    assert g.asked() == (1, Decision.CALL)
    g.choose(1, "warrior", "horgr")
    assert g.figures(0, "warrior", "valhalla") == 1
    assert g.figures(1, "warrior", "utgard") == 1
    assert g.glory_of(1) == 3
    assert not g.is_pillaged("utgard")


@pytest.mark.parametrize("passed", [False, True])
def test_rage_of_a_clan_that_passed_starts_no_pillage(passed):
    """rules 3.2.3: after a tie Loki's Blessing brings a warrior; Thor's Domain works only if not passed."""
    g = Scenario(players=2)
    g.upgrade(1, "Loki's Blessing", "Thor's Domain")
    g.put(0, "warrior", "utgard")
    g.put(1, "warrior", "utgard")
    if passed:
        g.passed(1)
    g.rage(1, 3)
    g.pillage(0, "utgard")
    assert g.asked() == (1, Decision.BLESSING)
    g.yes(1)
    assert g.figures(1, "warrior", "utgard") == 1
    assert g.asked() == ((0, Decision.ACTION) if passed else (1, Decision.FREE_PILLAGE))


def test_rage_of_a_clan_that_passed_pays_for_protection():
    """rules 3.2.3: one of two warriors can be saved with the 1 Rage that came later."""
    g = Scenario(players=2)
    g.upgrade(1, "Frigga's Protection")
    g.put(0, "leader", "utgard")
    g.put(1, "warrior", "utgard", 2)
    g.passed(1)
    g.rage(1, 1)
    g.pillage(0, "utgard")
    assert g.asked() == (1, Decision.SAVE)
    assert [n for n in range(9) if g.can_count(n)] == [0, 1]
    g.count(1, 1)
    assert g.figures(1, "warrior", "utgard") == 1
    assert g.figures(1, "warrior", "valhalla") == 1
    assert g.rage_of(1) == 0


def test_rage_of_a_clan_that_passed_buys_cards_back():
    """rules 3.2.3: Tyr's Prowess takes 1 Rage and gives the card."""
    g = Scenario(players=2)
    g.upgrade(1, "Tyr's Prowess")
    g.hand(1, "Tyr's Smash")
    g.put(0, "warrior", "utgard")
    g.put(1, "leader", "utgard")
    g.passed(1)
    g.rage(1, 1)
    g.pillage(0, "utgard")
    assert g.asked() == (1, Decision.BUY_BACK)
    g.card(1, "Tyr's Smash")
    assert g.rage_of(1) == 0
    assert [card.name for card in g.hand_of(1)] == ["TYRS_SMASH"]


def test_rage_of_a_clan_that_passed_does_not_keep_the_phase_going():
    """rules 3.2.4: the last clan spends its last Rage; what the other has left is lost."""
    g = Scenario(players=2)
    g.passed(1)
    g.rage(1, 3)
    g.rage(0, 1)
    g.hand(1, "Tyr's Bash")
    g.invade(0, "warrior", "gimle")
    assert g.asked() == (1, Decision.KEEP_CARD)
    assert g.rage_of(1) == 0


def test_the_phase_ends_when_all_have_passed_or_have_no_rage():
    """rules 3.2.4: one passes, one has nothing, one spends its last Rage."""
    g = Scenario(players=3)
    g.rage(2, 0)
    g.rage(0, 1)
    g.hand(1, "Tyr's Bash")
    g.invade(0, "warrior", "gimle")
    assert g.asked() == (1, Decision.ACTION)
    g.pass_(1)
    assert g.asked() == (1, Decision.KEEP_CARD)
    assert int(g.state.phase) == Phase.DISCARD


def all_but(province, *destroyed):
    """Seat 0 stands alone in the last province that isn't pillaged; seat 1 holds a card, so that 3.3 asks."""
    g = Scenario(players=2)
    g.destroyed(*destroyed)
    g.pillaged(*[p for p in PROVINCES if p != province and p not in destroyed])
    g.put(0, "leader", province)
    g.hand(1, "Tyr's Bash")
    return g


@pytest.mark.parametrize(
    ("province", "destroyed"), [("utgard", ()), ("yggdrasil", ()), ("utgard", ("elvagar", "gimle"))]
)
def test_the_phase_ends_when_every_standing_province_is_pillaged(province, destroyed):
    """rules 3.2.4: Yggdrasil counts, destroyed provinces don't; Rage left over is lost."""
    g = all_but(province, *destroyed)
    g.pillage(0, province)
    assert g.asked() == (1, Decision.KEEP_CARD)
    assert [g.rage_of(seat) for seat in range(2)] == [0, 0]


@pytest.mark.parametrize("province", PROVINCES)
def test_one_province_that_is_not_pillaged_keeps_the_phase_going(province):
    """rules 3.2.4: whichever it is; here nobody pillages it."""
    g = Scenario(players=2)
    g.pillaged(*[p for p in PROVINCES if p != province])
    g.invade(0, "warrior", "utgard")
    assert g.asked() == (1, Decision.ACTION)


def test_a_last_pillage_that_fails_does_not_end_the_phase():
    """rules 3.2.4: pillaged, not tried."""
    g = Scenario(players=2)
    g.pillaged(*[p for p in PROVINCES if p != "utgard"])
    g.put(0, "warrior", "utgard")
    g.put(1, "warrior", "utgard")
    g.pillage(0, "utgard")
    assert not g.is_pillaged("utgard")
    assert g.asked() == (1, Decision.ACTION)


def test_tyrs_challenge_does_not_prolong_the_phase():
    """rules 3.2.4: though a second pillage would still be possible."""
    g = all_but("utgard")
    g.upgrade(0, "Tyr's Challenge")
    g.upgrade(1, "Tyr's Challenge")
    g.pillage(0, "utgard")
    assert g.asked() == (1, Decision.KEEP_CARD)


def test_what_the_last_pillage_sets_off_is_finished_first():
    """rules 3.2.4: the Lord of Hammers still moves, then the phase ends."""
    g = all_but("utgard")
    g.upgrade(0, "Lord of Hammers")
    g.pillage(0, "utgard")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    assert g.rage_of(0) == 6
    g.province(0, "horgr")
    assert g.figures(0, "leader", "horgr") == 1
    assert g.asked() == (1, Decision.KEEP_CARD)


def test_no_rage_inside_an_action_does_not_end_the_phase():
    """rules 3.2.4: Thor's Domain takes the last Rage of all, Thor's Ascension brings 3 back."""
    g = Scenario(players=2)
    g.upgrade(0, "Thor's Domain")
    g.rage(0, 3)
    g.rage(1, 0)
    g.put(1, "warrior", "gimle")
    g.hand(0, "Thor's Ascension")
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.is_pillaged("gimle")
    assert g.rage_of(0) == 3
    assert g.asked() == (0, Decision.ACTION)
    assert int(g.state.age) == 0
