"""Every quest card, each face of it, clause by clause (the ids name the cards; rules 3.4)."""

import pytest
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Source, Stat

PROVINCES = {
    "Alfheim": ["gimle", "andlang"],
    "Jotunheim": ["muspelheim", "horgr", "utgard"],
    "Manheim": ["myrkulor", "elvagar", "angerboda"],
    "Yggdrasil": ["yggdrasil"],
}
ALL = [p for provinces in PROVINCES.values() for p in provinces]
# What the faces of the Ages 1, 2, 3 pay.
GLORY = {
    "Alfheim": (5, 7, 9),
    "Glorious Death": (6, 8, 11),
    "Jotunheim": (5, 7, 9),
    "Manheim": (5, 7, 9),
    "Yggdrasil": (6, 8, 11),
}
FJORD = {
    "gimle": "fjord_gimle_myrkulor",
    "myrkulor": "fjord_gimle_myrkulor",
    "elvagar": "fjord_elvagar_angerboda",
    "angerboda": "fjord_elvagar_angerboda",
    "muspelheim": "fjord_muspelheim_horgr",
    "horgr": "fjord_muspelheim_horgr",
    "utgard": "fjord_utgard_andlang",
    "andlang": "fjord_utgard_andlang",
}
FACES = [(title, age) for title in GLORY for age in (1, 2, 3)]
REGION_FACES = [(title, age) for title in PROVINCES for age in (1, 2, 3)]
AT = [(title, age, p) for title, age in REGION_FACES for p in PROVINCES[title]]

face = pytest.mark.parametrize(("title", "age"), FACES)
region_face = pytest.mark.parametrize(("title", "age"), REGION_FACES)
at = pytest.mark.parametrize(("title", "age", "province"), AT)


def face_card(title, age):
    return Card[f"{title.upper().replace(' ', '_')}_{age}"]


def committed(title, age, players=3):
    """Clan 0 has committed to this face in its Age, and nobody is on the board."""
    g = Scenario(players=players, age=age)
    g.quest(0, title)
    return g


def reward(g, seat=0, stat="horns"):
    """Ends the Action phase, takes the stat step if one is due; the glory of quests and the steps gained."""
    before = [g.step_of(seat, s) for s in Stat]
    g.end_action_phase()
    while g.asked() == (seat, Decision.STAT):
        g.raise_stat(seat, stat)
    gained = sum(g.step_of(seat, s) for s in Stat) - sum(before)
    return g.from_source(seat, Source.QUEST), gained


def meet(g, title, seat=0):
    """Puts figures so that the quest is met."""
    if title == "Glorious Death":
        g.put(seat, "warrior", "valhalla", 4)
    else:
        g.put(seat, "warrior", PROVINCES[title][0])


# ---- the reward


@face
@pytest.mark.parametrize("stat", ["rage", "axes", "horns"])
def test_reward_is_the_glory_shown_and_a_stat_of_choice(title, age, stat):
    """rules 3.4: the Glory shown on this face, plus one step on one stat of the player's choice."""
    g = committed(title, age)
    meet(g, title)
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)
    assert [g.can_raise_stat(s) for s in Stat] == [True, True, True]
    g.raise_stat(0, stat)
    assert g.from_source(0, Source.QUEST) == GLORY[title][age - 1]
    assert g.step_of(0, stat) == 2
    assert sum(g.step_of(0, s) for s in Stat) == 4


@face
@pytest.mark.parametrize("now", [1, 2, 3])
def test_a_kept_face_pays_the_glory_of_its_own_age(title, age, now):
    """rules 1.7: a quest's glory is that of its own Age, also when the card was kept."""
    g = Scenario(age=now)
    g.quest(0, face_card(title, age))
    meet(g, title)
    assert reward(g) == (GLORY[title][age - 1], 1)


@face
@pytest.mark.parametrize("met", [True, False])
def test_quest_is_discarded_met_or_not(title, age, met):
    """rules 3.4: all are discarded; one that is not met pays nothing and costs nothing."""
    g = committed(title, age)
    if met:
        meet(g, title)
    assert reward(g) == ((GLORY[title][age - 1], 1) if met else (0, 0))
    assert g.quests_of(0) == []
    assert face_card(title, age) in g.discards()


@face
def test_two_like_quests_pay_twice(title, age):
    """rules 3.4: two like quests pay twice, a step each."""
    g = committed(title, age)
    g.quest(0, title)
    meet(g, title)
    assert reward(g) == (2 * GLORY[title][age - 1], 2)


@face
def test_two_clans_with_the_same_quest_are_judged_apart(title, age):
    """rules 3.4: every committed quest is checked for its owner."""
    g = committed(title, age)
    g.quest(1, title)
    meet(g, title, seat=1)
    g.end_action_phase()
    assert g.asked() == (1, Decision.STAT)
    g.raise_stat(1, "axes")
    assert g.from_source(0, Source.QUEST) == 0
    assert g.from_source(1, Source.QUEST) == GLORY[title][age - 1]


@face
def test_without_a_stat_to_raise_the_glory_is_paid(title, age):
    """rules 3.4 with 6.3.20: if none can be raised, the raise is lost."""
    g = committed(title, age)
    meet(g, title)
    for stat in Stat:
        g.stat(0, stat, 6)
    assert reward(g) == (GLORY[title][age - 1], 0)


@face
def test_reward_does_not_go_through_the_hand(title, age):
    """rules 3.4: a quest in the hand that was not committed to pays nothing."""
    g = Scenario(age=age)
    g.hand(0, title)
    meet(g, title)
    g.end_action_phase()
    if g.asked()[1] == Decision.KEEP_CARD:
        g.no(0)
    assert g.from_source(0, Source.QUEST) == 0


# ---- Alfheim, Jotunheim, Manheim, Yggdrasil


@at
def test_met_by_the_only_figure(title, age, province):
    """rules 3.4: highest STR in at least one surviving province of the region, any of them."""
    g = committed(title, age)
    g.put(0, "warrior", province)
    assert reward(g) == (GLORY[title][age - 1], 1)


@at
def test_met_by_the_highest_total_of_figures(title, age, province):
    """rules 3.4: the total of figures, against each other clan alone: 3 against 2 and against 1."""
    g = committed(title, age)
    g.put(0, "leader", province)
    if province == "yggdrasil":
        g.put(1, "warrior", province, 2)
    else:
        g.put(1, "ship", FJORD[province])
    g.put(2, "warrior", province)
    assert reward(g) == (GLORY[title][age - 1], 1)


@at
def test_a_tie_fails(title, age, province):
    """rules 3.4: you alone have the highest total; a tie fails."""
    g = committed(title, age)
    g.put(0, "warrior", province)
    g.put(2, "warrior", province)
    assert reward(g) == (0, 0)


@at
def test_less_than_another_clan_fails(title, age, province):
    """rules 3.4: the highest total."""
    g = committed(title, age)
    g.put(0, "warrior", province)
    g.put(1, "warrior", province)
    g.put(2, "leader", province)
    assert reward(g) == (0, 0)


@region_face
def test_nobody_there_fails(title, age):
    """rules 3.4: STR 0 is never the most."""
    assert reward(committed(title, age)) == (0, 0)


@region_face
def test_figures_in_all_other_regions_do_not_help(title, age):
    """rules 3.4: in a province of this region."""
    g = committed(title, age)
    elsewhere = [p for p in ALL if p not in PROVINCES[title]]
    for province in elsewhere:
        if g.figures(0, "warrior", "reserve"):
            g.put(0, "warrior", province)
    assert reward(g) == (0, 0)


@region_face
def test_all_provinces_of_the_region_pay_once(title, age):
    """rules 3.4: at least one; more of them pay no more."""
    g = committed(title, age)
    for province in PROVINCES[title]:
        g.put(0, "warrior", province)
    assert reward(g) == (GLORY[title][age - 1], 1)


@region_face
def test_one_province_of_several_is_enough(title, age):
    """rules 3.4: at least one: lost in the others, won in the last."""
    g = committed(title, age)
    for province in PROVINCES[title]:
        g.put(0, "warrior", province)
        if province != PROVINCES[title][-1]:
            g.put(1, "warrior", province)
    assert reward(g) == (GLORY[title][age - 1], 1)


@pytest.mark.parametrize(("title", "age", "province"), [row for row in AT if row[0] != "Yggdrasil"])
def test_the_supporting_fjord_counts(title, age, province):
    """rules 3.4: figures in the province plus its supporting fjord: a ship's 2 against 1."""
    g = committed(title, age)
    g.put(0, "ship", FJORD[province])
    g.put(1, "warrior", province)
    assert reward(g) == (GLORY[title][age - 1], 1)


@pytest.mark.parametrize(("title", "age", "province"), [row for row in AT if row[0] != "Yggdrasil"])
def test_the_supporting_fjord_counts_for_the_others(title, age, province):
    """rules 3.4: a rival's ship in the fjord makes a tie of 2."""
    g = committed(title, age)
    g.put(0, "warrior", province, 2)
    g.put(1, "ship", FJORD[province])
    assert reward(g) == (0, 0)


@pytest.mark.parametrize("age", [1, 2, 3])
def test_no_fjord_counts_for_yggdrasil(age):
    """rules 3.4: Yggdrasil: figure STR in Yggdrasil itself."""
    g = committed("Yggdrasil", age)
    g.put(0, "ship", "fjord_gimle_myrkulor")
    assert reward(g) == (0, 0)
    g = committed("Yggdrasil", age)
    g.put(0, "warrior", "yggdrasil")
    g.put(1, "ship", "fjord_gimle_myrkulor")
    assert reward(g) == (GLORY["Yggdrasil"][age - 1], 1)


@pytest.mark.parametrize(("title", "age", "province"), [row for row in AT if row[0] != "Yggdrasil"])
def test_a_destroyed_province_does_not_count(title, age, province):
    """rules 3.4: a surviving province; the fjord of a destroyed one serves the other province alone."""
    g = committed(title, age)
    g.put(0, "ship", FJORD[province])
    twins = [p for p in FJORD if FJORD[p] == FJORD[province]]
    g.destroyed(*(p for p in twins if p in PROVINCES[title]))
    assert reward(g) == (0, 0)
    g = committed(title, age)
    g.put(0, "ship", FJORD[province])
    g.destroyed(*(p for p in twins if p != province))
    assert reward(g) == (GLORY[title][age - 1], 1)


@at
def test_the_doomed_province_still_counts(title, age, province):
    """rules 3.4: in the Quest phase, before this Age's Ragnarok."""
    if province == "yggdrasil":
        province = "gimle"  # never doomed: the quest pays while something else is
        g = committed(title, age)
        g.put(0, "warrior", "yggdrasil")
    else:
        g = committed(title, age)
        g.put(0, "warrior", province)
    g.doomed(province)
    assert reward(g) == (GLORY[title][age - 1], 1)


@region_face
def test_pairs_in_arms_count_as_in_battle(title, age):
    """rules 3.4 with 6.3.15: two Brothers have 3: more than a ship's or two warriors' 2."""
    g = committed(title, age)
    g.upgrade(0, "Brothers in Arms")
    g.put(0, "warrior", PROVINCES[title][0], 2)
    g.put(1, "warrior", PROVINCES[title][0])
    g.upgrade(1, "Troll")
    assert reward(g) == (GLORY[title][age - 1], 1)
    g = committed(title, age)
    g.upgrade(0, "Brothers in Arms", "Troll")
    g.put(0, "warrior", PROVINCES[title][0], 2)
    g.put(1, "leader", PROVINCES[title][0])
    assert reward(g) == (0, 0)  # 3 against 3


def test_the_rulebooks_example_of_the_serpents():
    """rules 3.4: Manheim: a tie of 3 in Elvagar, but 2 of the same ship against 1 in Angerboda."""
    g = committed("Manheim", 1, players=4)
    g.put(0, "warrior", "elvagar")
    g.put(0, "ship", "fjord_elvagar_angerboda")
    g.put(1, "warrior", "elvagar", 3)
    g.put(2, "warrior", "angerboda")
    assert reward(g, stat="horns") == (5, 1)
    assert g.step_of(0, "horns") == 2


# ---- Glorious Death


death_face = pytest.mark.parametrize("age", [1, 2, 3])


@death_face
@pytest.mark.parametrize(("dead", "met"), [(0, False), (3, False), (4, True), (5, True), (8, True)])
def test_glorious_death_needs_four_in_valhalla(age, dead, met):
    """rules 3.4: Glorious Death: at least four own figures in Valhalla; more pay no more."""
    g = committed("Glorious Death", age)
    g.put(0, "warrior", "valhalla", dead)
    assert reward(g) == ((GLORY["Glorious Death"][age - 1], 1) if met else (0, 0))


@death_face
def test_glorious_death_counts_every_kind(age):
    """rules 3.4: Glorious Death: figures, whatever they are."""
    g = committed("Glorious Death", age)
    g.upgrade(0, "Troll", "Sea Serpent")
    for kind in ("leader", "warrior", "monster_1", "monster_2"):
        g.put(0, kind, "valhalla")
    assert reward(g) == (GLORY["Glorious Death"][age - 1], 1)


@death_face
def test_glorious_death_counts_own_figures_only(age):
    """rules 3.4: Glorious Death: your figures."""
    g = committed("Glorious Death", age)
    g.put(0, "warrior", "valhalla", 3)
    g.put(1, "warrior", "valhalla", 5)
    assert reward(g) == (0, 0)


@death_face
def test_glorious_death_comes_before_ragnarok(age):
    """rules 3.4: Glorious Death: in the Quest phase, before this Age's Ragnarok (3.5)."""
    g = committed("Glorious Death", age)
    g.doomed("gimle")
    g.put(0, "warrior", "valhalla", 3)
    g.put(0, "warrior", "gimle", 2)
    assert reward(g) == (0, 0)
    assert g.from_source(0, Source.RAGNAROK) == 2 * (age + 1)
