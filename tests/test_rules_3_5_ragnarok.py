"""Rules 3.5 to 3.7: Ragnarok, Release Valhalla and the end of the Age."""

import pytest
from ages import FJORDS, PROVINCES, RING, draft, next_age
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import Decision, Source, Token


def test_ragnarok_example_gimle():
    """rules 3.5: Age 2, two red and two blue figures in Gimle and its fjord: 6 glory each."""
    g = Scenario(players=4, age=2)
    g.doomed("gimle")
    g.put(1, "warrior", "gimle")
    g.put(1, "ship", "fjord_gimle_myrkulor")
    g.put(3, "leader", "gimle")
    g.put(3, "warrior", "gimle")
    g.put(2, "warrior", "myrkulor")
    g.end_action_phase()
    assert [g.glory_of(seat) for seat in range(4)] == [0, 6, 0, 6]
    assert [g.from_source(seat, Source.RAGNAROK) for seat in range(4)] == [0, 6, 0, 6]
    assert g.is_destroyed("gimle")
    assert g.figures_in(1, "gimle") + g.figures_in(3, "gimle") + g.figures_in(1, "fjord_gimle_myrkulor") == 0
    assert g.figures(2, "warrior", "myrkulor") == 1


@pytest.mark.parametrize(("age", "glory"), [(1, 2), (2, 3), (3, 4)])
def test_glory_of_ragnarok_by_age(age, glory):
    """rules 3.5: 2, 3, 4 for each figure; monsters too."""
    g = Scenario(players=2, age=age)
    g.doomed("utgard")
    g.upgrade(0, "Troll")
    for kind in ("leader", "warrior", "monster_1"):
        g.put(0, kind, "utgard")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.end_action_phase()
    assert g.glory_of(0) == 4 * glory
    assert g.from_source(0, Source.RAGNAROK) == 4 * glory


def test_a_ship_pays_its_dragons_as_well():
    """rules 3.5: 2 for the ship of Age 1 and 4 by Loki's Dragons."""
    g = Scenario(players=2)
    g.doomed("utgard")
    g.upgrade(0, "Loki's Dragons")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.end_action_phase()
    assert g.from_source(0, Source.RAGNAROK) == 2
    assert g.glory_of(0) == 6


@pytest.mark.parametrize("doomed", RING)
def test_only_the_doomed_province_and_its_fjord(doomed):
    """rules 3.5: one warrior in every province, one ship in every fjord: the doomed ones go, the rest stays."""
    g = Scenario(players=4)
    g.doomed(doomed)
    for province in PROVINCES:
        g.put(PROVINCES.index(province) % 2, "warrior", province)
    for seat, fjord in enumerate(FJORDS):
        g.put(seat, "ship", fjord)
    g.end_action_phase()
    assert [p for p in PROVINCES if g.is_destroyed(p)] == [doomed]
    for province in PROVINCES:
        assert g.figures_in(PROVINCES.index(province) % 2, province) == (province != doomed)
    for seat, (fjord, supported) in enumerate(FJORDS.items()):
        assert g.figures(seat, "ship", fjord) == (doomed not in supported)
    assert sum(g.glory_of(seat) for seat in range(4)) == 4


@pytest.mark.parametrize("age", [1, 2])
def test_protection_does_not_save_from_ragnarok(age):
    """rules 3.5: nothing but the Witch's escape does; nobody is asked."""
    g = Scenario(players=2, age=age)
    g.doomed("utgard")
    g.upgrade(0, "Frigga's Protection")
    g.put(0, "warrior", "utgard")
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT
    assert g.figures(0, "warrior", "utgard") == 0


@pytest.mark.parametrize("escape", [True, False])
def test_the_witch_may_leave_before(escape):
    """rules 3.5, rules 6.3.10: then she earns no Ragnarok glory."""
    g = Scenario(players=2)
    g.doomed("utgard")
    g.upgrade(0, "Volur Witch")
    g.put(0, "monster_1", "utgard")
    g.put(0, "warrior", "utgard")
    g.end_action_phase()
    assert g.asked() == (0, Decision.SAVE)
    if escape:
        g.yes(0)
    else:
        g.count(0, 0)
    assert g.figures(0, "monster_1", "yggdrasil") == escape
    assert g.glory_of(0) == (2 if escape else 4)


def test_one_province_an_age():
    """rules 3.5: each Age takes its own doomed province; the fjord stays in use while one of two stands."""
    g = Scenario(players=2)
    g.state.ragnarok[:] = [6, 0, 7]
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.put(0, "warrior", "myrkulor")
    next_age(g)
    assert g.glory_of(0) == 2
    assert [p for p in PROVINCES if g.is_destroyed(p)] == ["gimle"]
    assert g.figures(0, "warrior", "myrkulor") == 1
    g.pass_(1)
    assert not g.can_invade("leader", "gimle")
    g.invade(0, "ship", "fjord_gimle_myrkulor")
    g.state.hand[:] = 0
    g.go()
    next_age(g)
    assert g.glory_of(0) == 2
    assert [p for p in PROVINCES if g.is_destroyed(p)] == ["elvagar", "gimle"]
    assert g.figures(0, "ship", "fjord_gimle_myrkulor") == 1
    assert g.asked() == (0, Decision.ACTION)
    g.state.hand[:] = 0
    g.go()
    g.end_action_phase()
    assert g.asked() == (engine.GAME_OVER, Decision.NONE)
    assert g.from_source(0, Source.RAGNAROK) == 2 + 4 + 4
    assert [p for p in PROVINCES if g.is_destroyed(p)] == ["elvagar", "gimle", "myrkulor"]


def test_a_dead_fjord_takes_no_ship():
    """rules 3.5: Gimle was destroyed before, Myrkulor now."""
    g = Scenario(players=2)
    g.destroyed("gimle")
    g.doomed("myrkulor")
    g.put(1, "ship", "fjord_gimle_myrkulor")
    next_age(g)
    assert g.figures(1, "ship", "reserve") == 1
    assert not g.can_invade("ship", "fjord_gimle_myrkulor")
    assert g.can_invade("ship", "fjord_utgard_andlang")


@pytest.mark.parametrize("age", [1, 2, 3])
def test_valhalla_releases_every_figure(age):
    """rules 3.6: to the reserve, those of Ragnarok too, in the third Age as well; the board stays."""
    g = Scenario(players=2, age=age)
    g.doomed("utgard")
    g.upgrade(0, "Troll")
    g.put(0, "monster_1", "valhalla")
    g.put(0, "leader", "valhalla")
    g.put(0, "warrior", "valhalla", 3)
    g.put(0, "warrior", "utgard", 2)
    g.put(0, "warrior", "gimle")
    g.put(1, "ship", "valhalla")
    g.put(1, "warrior", "yggdrasil")
    g.end_action_phase()
    assert g.figures_in(0, "valhalla") + g.figures_in(1, "valhalla") == 0
    kinds = ("leader", "warrior", "ship", "monster_1")
    assert [g.figures(0, kind, "reserve") for kind in kinds] == [1, 7, 1, 1]
    assert g.figures(0, "warrior", "gimle") == 1
    assert [g.figures(1, kind, "reserve") for kind in kinds[:3]] == [1, 7, 1]
    assert g.figures(1, "warrior", "yggdrasil") == 1


def test_tokens_turn_face_up_again_in_place():
    """rules 3.7: the same tokens, none of them pillaged."""
    g = Scenario(players=2)
    g.token("gimle", "glory")
    g.token("utgard", "axes")
    g.pillaged("gimle", "yggdrasil")
    next_age(g)
    assert not any(g.is_pillaged(p) for p in PROVINCES)
    assert g.state.token[6] == Token.GLORY
    assert g.state.token[4] == Token.AXES
    assert g.state.token[8] == Token.ALL_STATS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_player_token_passes_to_the_left(players):
    """rules 3.7: from the last seat to the first one too."""
    for seat in range(players):
        g = Scenario(players=players, seat=seat)
        g.end_action_phase()
        draft(g)
        assert int(g.state.first_player) == (seat + 1) % players
        assert g.asked() == ((seat + 1) % players, Decision.ACTION)


def test_who_passed_acts_again_in_the_next_age():
    """rules 3.7, rules 3.2.3: passing lasts for one Age; glory and stats stay."""
    g = Scenario(players=2)
    g.glory(1, 7)
    g.stat(1, "axes", 3)
    g.passed(1)
    next_age(g)
    assert g.asked() == (1, Decision.ACTION)
    assert g.rage_of(1) == 6
    assert g.glory_of(1) == 7
    assert g.step_of(1, "axes") == 3
