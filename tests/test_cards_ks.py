"""Every clause of the Kickstarter monsters (rules 6.4.3): Mountain Giant, Fenrir, Wolfman, Mystic Troll."""

import pytest
from fights import dead, fight
from scenario import Scenario

from bloodrage_env import engine
from bloodrage_env.engine import actions as act
from bloodrage_env.engine.cards import PRICE, STRENGTH
from bloodrage_env.engine.ids import CardSet, Decision, Figure, Place, Source

KS = 1 << CardSet.KS
MONSTERS = ["Mountain Giant", "Fenrir", "Wolfman", "Mystic Troll"]
ACTS = (0, Decision.ACTION)
FJORD = "fjord_gimle_myrkulor"


def game(players: int = 2, **options: int) -> Scenario:
    return Scenario(players, sets=KS, **options)  # type: ignore[arg-type]


def alone(**options: int) -> Scenario:
    """Two clans, of which the second one has passed."""
    g = game(**options)
    g.passed(1)
    return g


def with_monster(title: str, place: str | None = None, *, owner: int = 0, g: Scenario | None = None) -> Scenario:
    """The monster in the first slot of a clan, in a place or in the reserve."""
    g = g or alone()
    g.upgrade(owner, title)
    if place:
        g.put(owner, "monster_1", place)
    return g


# ---- all four


@pytest.mark.parametrize(("title", "strength"), list(zip(MONSTERS, (3, 2, 3, 2), strict=True)))
def test_the_price_is_the_strength(title, strength):
    """rules 6.4.3.1: less a Charm."""
    g = alone(age=3)
    card = g._card(title)
    assert (PRICE[card], STRENGTH[card]) == (strength, strength)
    g.upgrade(0, "Frigga's Charm")
    g.hand(0, title)
    g.play(0, title)
    assert g.asked() == (0, Decision.SLOT) or g.asked() == (0, Decision.FREE_INVADE)
    assert g.rage_of(0) == 6 - strength + 1


@pytest.mark.parametrize("title", MONSTERS)
def test_the_free_invade(title):
    """rules 6.4.3.1: as of every monster upgrade, 3.2.7."""
    g = alone(age=3)
    g.hand(0, title)
    g.play(0, title)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert not g.can_invade("monster_1", "yggdrasil")
    rage = g.rage_of(0)
    g.choose(0, "monster_1", "gimle")
    assert (g.figures(0, "monster_1", "gimle"), g.rage_of(0)) == (1, rage)


@pytest.mark.parametrize("title", MONSTERS)
def test_they_are_spared_as_monsters(title):
    """rules 6.4.3.1: by the Fire Giant, by Smite and by the Troll."""
    for killer in ("Fire Giant", "Troll"):
        g = with_monster(title, "gimle", owner=1)
        g.upgrade(0, killer)
        g.invade(0, "monster_1", "gimle")
        assert g.figures(1, "monster_1", "gimle") == 1
    g = with_monster(title, "gimle", owner=1, g=game())
    g.put(0, "warrior", "gimle")
    fight(g, {0: "Odin's Smite", 1: "Tyr's Rage"})
    assert (g.figures(1, "monster_1", "gimle"), dead(g, 1)) == (1, 0)


# ---- Mountain Giant


def test_mountain_giant_invades_for_no_rage():
    """rules 6.4.3.2: Mountain Giant is a leader: an action all the same."""
    g = with_monster("Mountain Giant")
    g.rage(0, 1)
    g.invade(0, "monster_1", "gimle")
    assert g.rage_of(0) == 1
    assert g.asked() == ACTS


def test_mountain_giant_costs_one_rage_out_of_valhalla():
    """rules 6.4.3.2, rules 6.3.7: 1 Rage in all."""
    g = with_monster("Mountain Giant", "valhalla")
    g.upgrade(0, "Frigga's Domain")
    g.raise_dead(0)
    g.choose(0, "monster_1", "gimle")
    assert g.rage_of(0) == 5


@pytest.mark.parametrize("leader", [False, True])
def test_a_leader_upgrade_works_once_with_mountain_giant(leader):
    """rules 6.4.3.2: Mountain Giant alone, or beside the leader: one step a pillage on each stat."""
    g = with_monster("Mountain Giant", "gimle")
    g.upgrade(0, "Lord of Spears")
    if leader:
        g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [3, 2, 2]


def test_a_leader_upgrade_needs_mountain_giant_in_the_province():
    """rules 6.4.3.2: Mountain Giant elsewhere does nothing."""
    g = with_monster("Mountain Giant", "utgard")
    g.upgrade(0, "Lord of Spears")
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [2, 1, 1]


def test_mountain_giant_needs_no_leader_upgrade():
    """rules 6.4.3.2: Mountain Giant without one changes nothing in a pillage."""
    g = with_monster("Mountain Giant", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [2, 1, 1]
    assert g.asked() == ACTS


def test_lord_of_hammers_moves_mountain_giant():
    """rules 6.4.3.2: Mountain Giant is alone there: asked where to, or not at all."""
    g = with_monster("Mountain Giant", "elvagar")
    g.upgrade(0, "Lord of Hammers")
    g.pillage(0, "elvagar")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    assert {p for p in Place if p < 9 and g.can_province(p)} == {Place.ANGERBODA, Place.MYRKULOR, Place.YGGDRASIL}
    g.province(0, "yggdrasil")
    assert g.figures(0, "monster_1", "yggdrasil") == 1
    assert g.asked() == ACTS


@pytest.mark.parametrize(("kind", "other"), [("leader", "monster_1"), ("monster_1", "leader")])
def test_lord_of_hammers_moves_one_of_two(kind, other):
    """rules 6.4.3.2: with the leader and Mountain Giant there the owner names which, before the target."""
    g = with_monster("Mountain Giant", "elvagar")
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "elvagar")
    g.pillage(0, "elvagar")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    figures = {act.figure_at(each, Place.ELVAGAR) for each in (Figure.LEADER, Figure.MONSTER_1)}
    assert set(g.legal_actions()) == {act.NO, *figures}
    g.choose(0, kind, "elvagar")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    g.province(0, "angerboda")
    assert (g.figures(0, kind, "angerboda"), g.figures(0, other, "elvagar")) == (1, 1)
    assert g.asked() == ACTS


def test_lord_of_hammers_may_leave_both():
    """rules 6.4.3.2, rules 6.1.7: the move is up to the owner, also with Mountain Giant and leader."""
    g = with_monster("Mountain Giant", "elvagar")
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "elvagar")
    g.pillage(0, "elvagar")
    g.no(0)
    assert g.asked() == ACTS
    assert g.figures_in(0, "elvagar") == 2


@pytest.mark.parametrize("kind", ["leader", "monster_1"])
def test_the_free_invade_after_a_leader_upgrade(kind):
    """rules 6.4.3.2: by the leader or by Mountain Giant, if in the reserve."""
    g = with_monster("Mountain Giant")
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert not g.can_invade("warrior", "gimle")
    g.choose(0, kind, "gimle")
    assert g.figures(0, kind, "gimle") == 1
    assert g.asked() == ACTS


def test_mountain_giant_keeps_its_strength_and_slot():
    """rules 6.4.3.2: STR 3 in a monster slot, whatever the leader upgrade; Fire Giant spares it as a monster."""
    g = with_monster("Mountain Giant", "gimle", g=game())
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert not g.is_pillaged("gimle")  # 3 against 3


# ---- Fenrir


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


# ---- Wolfman


def wolfman(place: str = "gimle", **figures: int) -> Scenario:
    """The Wolfman of the first clan fights figures of the second one in Gimle, which it pillages."""
    g = with_monster("Wolfman", "gimle", g=game())
    for kind, number in figures.items():
        g.put(1, kind, FJORD if kind == "ship" else place, number)
    return g


def test_wolfman_makes_others_worth_nothing():
    """rules 6.4.3.5: Wolfman's 3 against warriors, leader and ship, who count 0, also his own."""
    g = wolfman(warrior=2, leader=1, ship=1)
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.is_pillaged("gimle")
    assert dead(g, 1) == 4
    g = wolfman(warrior=1)
    g.put(0, "warrior", "gimle", 2)
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Smite"})
    assert not g.is_pillaged("gimle")  # 3 + 2 against 0 + 5: a tie


def test_wolfman_spares_pairs_of_no_kind():
    """rules 6.4.3.5: Brothers in Arms in pairs count 0 as well beside Wolfman."""
    g = wolfman(warrior=4)
    g.upgrade(1, "Brothers in Arms")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.is_pillaged("gimle")


def test_wolfman_leaves_monsters_their_strength():
    """rules 6.4.3.5: Sea Serpent and Mountain Giant count against Wolfman: 6 beats 3."""
    g = wolfman()
    g.upgrade(1, "Sea Serpent", "Mountain Giant")
    g.put(1, "monster_1", FJORD)
    g.put(1, "monster_2", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert not g.is_pillaged("gimle")
    assert dead(g, 0) == 1


def test_wolfman_and_the_dark_elf_in_yggdrasil():
    """rules 6.4.3.5: the Dark Elf counts 3 in Yggdrasil: a tie with Wolfman."""
    g = with_monster("Wolfman", "yggdrasil", g=game())
    g.upgrade(1, "Dark Elf")
    g.put(1, "monster_1", "yggdrasil")
    g.put(0, "leader", "yggdrasil")
    g.pillage(0, "yggdrasil")
    g.decline_calls()
    assert not g.is_pillaged("yggdrasil")
    assert (dead(g, 0), dead(g, 1)) == (2, 1)


def test_wolfman_has_to_be_in_the_province():
    """rules 6.4.3.5: Wolfman next door does nothing."""
    g = with_monster("Wolfman", "utgard", g=game())
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    g.decline_calls()
    assert not g.is_pillaged("gimle")
    assert dead(g, 0) == 1


def test_wolfman_gone_before_the_comparison():
    """rules 6.4.3.5: Wolfman lost to a Tide does nothing: 3 of the leader and 0 beat 1 and 1."""
    g = wolfman(warrior=1)
    g.put(0, "leader", "gimle")
    fight(g, {0: "Loki's Backstab", 1: "Odin's Tide"})
    g.choose(0, "leader", "gimle")
    assert g.is_pillaged("gimle")
    assert g.figures(0, "monster_1", "valhalla") == 1


def test_wolfman_saved_by_protection():
    """rules 6.4.3.5: Wolfman who stays works: 3 of his and a leader's 0 against 2 warriors."""
    g = wolfman(warrior=2, leader=1)
    g.upgrade(0, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    fight(g, {0: "Loki's Backstab", 1: "Odin's Tide"})
    while g.asked()[1] in (Decision.KEEP_FIGURE, Decision.SAVE):
        seat, decision = g.asked()
        if decision == Decision.KEEP_FIGURE:
            g.choose(seat, "leader", "gimle")
        else:
            g.count(seat, 1)
    assert g.is_pillaged("gimle")  # 3 + 0 against 0 + 1


def test_wolfman_has_no_effect_on_quests_and_prices():
    """rules 6.4.3.5: the strongest in Gimle by 3.4 are two warriors and a leader, not Wolfman; a warrior costs 1."""
    g = wolfman(warrior=2, leader=1)
    g.quest(1, "Alfheim")
    g.end_action_phase()
    assert g.asked() == (1, Decision.STAT)
    g = with_monster("Wolfman", "gimle")
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 5


# ---- Mystic Troll


def test_mystic_troll_pays_for_its_clan():
    """rules 6.4.3.6: Invades into Mystic Troll's province cost no Rage, elsewhere the usual."""
    g = with_monster("Mystic Troll", "gimle")
    g.upgrade(0, "Experts in Arms")
    g.rage(0, 1)
    assert g.can_invade("warrior", "gimle")
    assert not g.can_invade("warrior", "utgard")
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 1


def test_mystic_troll_pays_for_nobody_else():
    """rules 6.4.3.6: only figures of Mystic Troll's owner."""
    g = with_monster("Mystic Troll", "gimle", owner=1)
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 5


def test_an_invade_beside_mystic_troll_is_an_action():
    """rules 6.4.3.6: more than 0 Rage, a village and room under Horns; Mystic Troll's Invade sets off 6.3.2."""
    g = with_monster("Mystic Troll", "gimle")
    g.put(0, "warrior", "utgard", 3)
    assert not g.can_invade("warrior", "gimle")  # Horns 4
    g = with_monster("Mystic Troll", "utgard")
    g.put(1, "warrior", "utgard", 2)
    assert not g.can_invade("warrior", "utgard")  # three villages
    g = with_monster("Mystic Troll", "gimle")
    g.upgrade(0, "Frigga's Succor")
    g.invade(0, "leader", "gimle")
    assert g.asked() == (0, Decision.SUCCOR)


def test_mystic_troll_pays_its_own_way():
    """rules 6.4.3.6: not for Mystic Troll before it is there, nor for a ship into the supporting fjord."""
    g = with_monster("Mystic Troll")
    g.invade(0, "monster_1", "gimle")
    assert g.rage_of(0) == 4
    g.invade(0, "ship", FJORD)
    assert g.rage_of(0) == 2


def test_mystic_troll_and_other_prices():
    """rules 6.4.3.6: the 1 Rage of Frigga's Domain and the 2 of Thor's Domain are paid beside Mystic Troll."""
    g = with_monster("Mystic Troll", "gimle")
    g.upgrade(0, "Frigga's Domain", "Thor's Domain")
    g.put(0, "warrior", "valhalla")
    g.raise_dead(0)
    g.choose(0, "warrior", "gimle")
    assert g.rage_of(0) == 5
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.rage_of(0) == 3


def test_mystic_troll_in_yggdrasil():
    """rules 6.4.3.6: Mystic Troll helps the Dark Elf alone there; nobody else may Invade it."""
    g = with_monster("Mystic Troll", "yggdrasil")
    g.upgrade(0, "Dark Elf")
    assert not g.can_invade("warrior", "yggdrasil")
    g.invade(0, "monster_2", "yggdrasil")
    assert g.rage_of(0) == 6


def test_mystic_troll_is_not_the_troll():
    """rules 6.4.3.6, rules 6.4.1.4: Mystic Troll's Invade kills nobody."""
    g = with_monster("Mystic Troll")
    g.put(1, "warrior", "gimle")
    g.invade(0, "monster_1", "gimle")
    assert g.figures(1, "warrior", "gimle") == 1
