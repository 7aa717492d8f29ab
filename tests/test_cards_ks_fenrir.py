"""Every clause of Fenrir (rules 6.4.3.3 and 6.4.3.4)."""

import pytest
from ks_monsters import FJORD, alone, with_monster
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import Decision, Source


def ragnarok(g: Scenario) -> Scenario:
    """Ends the Action phase, and goes on until the Ragnarok of this Age is over."""
    g.end_action_phase()
    age = g.age - 1
    while int(g.state.age) == age and not engine.is_over(g.states, 0) and g.asked()[1] != Decision.SAVE:
        g.answer(g.asked()[0], act.NO if g.legal(act.NO) else g.legal_actions()[0])
    return g


def test_fenrir_redirects_ragnarok():
    """rules 6.4.3.3: Fenrir's province falls in place of the doomed one, he with it, and all of 3.5 is done there."""
    g = with_monster("Fenrir", "gimle")
    g.doomed("utgard")
    g.put(1, "warrior", "gimle", 2)
    g.put(1, "ship", FJORD)
    g.upgrade(1, "Loki's Dragons")
    g.put(0, "warrior", "utgard")
    ragnarok(g)
    assert (g.is_destroyed("gimle"), g.is_destroyed("utgard")) == (True, False)
    assert g.figures(0, "warrior", "utgard") == 1
    assert g.figures(0, "monster_1", "reserve") == 1  # released
    assert g.from_source(0, Source.RAGNAROK) == 2  # he himself
    assert g.from_source(1, Source.RAGNAROK) == 3 * 2
    assert g.from_source(1, Source.UPGRADES) == 4


@pytest.mark.parametrize("place", ["yggdrasil", "reserve", "valhalla"])
def test_fenrir_changes_nothing_elsewhere(place):
    """rules 6.4.3.3: Fenrir in Yggdrasil, the reserve or Valhalla."""
    g = with_monster("Fenrir", None if place == "reserve" else place)
    g.doomed("utgard")
    g.put(0, "warrior", "gimle")
    ragnarok(g)
    assert g.is_destroyed("utgard")
    assert sum(g.is_destroyed(p) for p in range(9)) == 1


def test_fenrir_is_looked_at_before_anybody_leaves():
    """rules 6.4.3.3: the Witch may leave Fenrir's province, which falls all the same."""
    g = with_monster("Fenrir", "gimle")
    g.upgrade(0, "Volur Witch")
    g.put(0, "monster_2", "gimle")
    g.doomed("utgard")
    ragnarok(g)
    assert g.asked() == (0, Decision.SAVE)
    g.yes(0)
    assert g.figures(0, "monster_2", "yggdrasil") == 1
    assert g.is_destroyed("gimle")


def test_quests_are_looked_at_before_fenrir():
    """rules 6.4.3.4: with Fenrir's province still standing."""
    g = with_monster("Fenrir", "gimle")
    g.doomed("utgard")
    g.quest(0, "Alfheim")
    g.end_action_phase()
    g.raise_stat(0, "horns")
    assert g.from_source(0, Source.QUEST) == 5
    assert g.is_destroyed("gimle")


def test_a_spared_province_stands():
    """rules 6.4.3.4: the token of the Age is used up by Fenrir; later Ages have their own."""
    g = with_monster("Fenrir", "gimle")
    g.doomed("utgard")
    ragnarok(g)
    while int(g.state.age) == 1:
        g.answer(g.asked()[0], act.PASS if g.legal(act.PASS) else g.legal_actions()[0])
    assert not g.is_destroyed("utgard")
    assert g.is_destroyed(int(g.state.ragnarok[1]))


def test_a_doomed_province_that_fenrir_has_destroyed():
    """rules 6.4.3.4: after Fenrir nothing is destroyed in that Age; ships in the fjord stay, nobody gains glory."""
    g = alone(age=2)
    g.doomed("gimle")
    g.destroyed("gimle")
    g.put(0, "ship", FJORD)
    g.put(0, "warrior", "utgard")
    ragnarok(g)
    assert (g.figures(0, "ship", FJORD), g.from_source(0, Source.RAGNAROK)) == (1, 0)
    assert sum(g.is_destroyed(p) for p in range(9)) == 1


def test_fenrir_may_destroy_where_the_doomed_one_is_gone():
    """rules 6.4.3.4: unless Fenrir does it again."""
    g = with_monster("Fenrir", "utgard", g=alone(age=2))
    g.doomed("gimle")
    g.destroyed("gimle")
    ragnarok(g)
    assert g.is_destroyed("utgard")


def test_a_fjord_closes_when_both_provinces_are_gone():
    """rules 6.4.3.4: for whatever reason; here Fenrir's province is the second one."""
    g = with_monster("Fenrir", "gimle")
    g.destroyed("myrkulor")
    g.doomed("utgard")
    g.put(1, "ship", FJORD)
    ragnarok(g)
    assert g.figures(1, "ship", FJORD) == 0
    assert g.figures(1, "ship", "reserve") == 1
