"""Rules 1: the board, the clans, the stat tracks, the tokens and the decks."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from ages import FJORDS, PROVINCES, REGIONS, RING, VILLAGES, neighbours, next_age
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import COPIES, QUEST_GLORY, SET, TITLE, TYPE
from bloodrage_env.games.bloodrage.engine.ids import CardSet, CardType, Decision, Figure, Place, Source, Token

CARDS_CSV = Path(__file__).parents[2] / "shared" / "cards.csv"


@pytest.mark.parametrize("province", PROVINCES)
def test_a_province_is_adjacent_to_its_neighbours_in_the_ring_and_to_yggdrasil(province):
    """rules 1.1: who may join a battle shows what is adjacent."""
    g = Scenario(players=2)
    g.put(0, "leader", province)
    for other in PROVINCES:
        if other != province:
            g.put(1, "warrior", other)
    g.pillage(0, province)
    assert g.asked() == (1, Decision.CALL)
    assert {p for p in PROVINCES if g.can_choose("warrior", p)} == neighbours(province)


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("province", PROVINCES)
def test_regions(region, province):
    """rules 1.1: Manheim, Jotunheim and Alfheim are made of these provinces; Yggdrasil is in none."""
    g = Scenario(players=2)
    g.quest(0, region)
    g.put(0, "warrior", province)
    g.end_action_phase()
    assert (g.asked() == (0, Decision.STAT)) == (province in REGIONS[region])


@pytest.mark.parametrize(("province", "villages"), VILLAGES.items())
def test_a_village_holds_one_figure_of_any_clan(province, villages):
    """rules 1.2: 4 5 5 4 3 3 5 3 villages."""
    g = Scenario(players=2)
    g.put(1, "warrior", province, villages - 1)
    assert g.can_invade("leader", province)
    assert g.can_invade("warrior", province)
    g.put(0, "warrior", province)
    assert not g.can_invade("leader", province)
    assert not g.can_invade("warrior", province)


def test_yggdrasil_has_no_limit():
    """rules 1.2: nine figures stand in Yggdrasil and five more come."""
    g = Scenario(players=2)
    g.put(1, "warrior", "yggdrasil", 8)
    g.put(1, "leader", "yggdrasil")
    g.put(0, "warrior", "gimle", 5)
    g.march(0, "gimle", "yggdrasil", warrior=5)
    assert g.figures(0, "warrior", "yggdrasil") == 5


@pytest.mark.parametrize(("fjord", "supported"), FJORDS.items())
def test_a_fjord_supports_two_provinces(fjord, supported):
    """rules 1.3: a lone ship pillages the two provinces that its fjord supports, and no other."""
    g = Scenario()
    g.put(0, "ship", fjord)
    assert tuple(p for p in PROVINCES if g.can_pillage(p)) == supported


def test_a_fjord_has_no_limit_of_ships():
    """rules 1.3: four ships and three serpents in one fjord leave room for the fourth serpent."""
    g = Scenario(players=4)
    for seat in range(4):
        g.upgrade(seat, "Sea Serpent")
        g.put(seat, "ship", "fjord_utgard_andlang")
        if seat:
            g.put(seat, "monster_1", "fjord_utgard_andlang")
    assert g.can_invade("monster_1", "fjord_utgard_andlang")


def test_what_affects_a_province_affects_its_fjord():
    """rules 1.3: a battle lost in Utgard costs the ship in its fjord, and none in another fjord."""
    g = Scenario(players=3)
    g.put(0, "leader", "utgard")
    g.put(1, "ship", "fjord_utgard_andlang")
    g.put(2, "ship", "fjord_muspelheim_horgr")
    g.pillage(0, "utgard")
    assert g.figures(1, "ship", "valhalla") == 1
    assert g.figures(2, "ship", "fjord_muspelheim_horgr") == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_clan_has_a_leader_eight_warriors_and_a_ship(players):
    """rules 1.4, 2.1: all of them begin in the reserve."""
    states = engine.new_game(1, players, sets=1 << CardSet.P5)
    for seat in range(players):
        reserve = [int(n) for n in states[0].figures[seat, :, Place.RESERVE]]
        assert reserve == [1, 8, 1, 0, 0, 0, 0, 0]
        assert int(states[0].figures[seat].sum()) == 10


@pytest.mark.parametrize(
    ("kind", "place", "price"),
    [("leader", "gimle", 0), ("warrior", "gimle", 1), ("ship", "fjord_gimle_myrkulor", 2)],
)
def test_what_an_invade_costs(kind, place, price):
    """rules 1.4: a leader invades for nothing, a warrior has STR 1, a ship STR 2."""
    g = Scenario()
    g.invade(0, kind, place)
    assert g.rage_of(0) == 6 - price
    assert g.figures(0, kind, place) == 1


@pytest.mark.parametrize(
    ("kind", "place", "strength"),
    [("leader", "gimle", 3), ("warrior", "gimle", 1), ("ship", "fjord_gimle_myrkulor", 2)],
)
def test_the_strength_of_figures(kind, place, strength):
    """rules 1.4: STR 3, 1 and 2: such a figure beats one warrior less than its STR and ties with as many."""
    for enemies in (strength - 1, strength):
        g = Scenario(players=2)
        g.put(0, kind, place)
        g.put(1, "warrior", "gimle", enemies)
        g.pillage(0, "gimle")
        assert g.is_pillaged("gimle") == (enemies < strength)
        assert g.figures(0, kind, "valhalla") == (enemies == strength)


def test_ships_stay_in_fjords_and_others_out_of_them():
    """rules 1.4: a ship enters fjords only; the other figures enter none."""
    g = Scenario()
    assert all(g.can_invade("ship", fjord) for fjord in FJORDS)
    assert not any(g.can_invade("ship", province) for province in PROVINCES)
    assert not any(g.can_invade(kind, fjord) for kind in ("leader", "warrior") for fjord in FJORDS)


def test_a_ship_never_moves():
    """rules 1.4: the ship beside a pillaged province can't march and isn't called."""
    g = Scenario(players=2)
    g.put(1, "ship", "fjord_utgard_andlang")
    g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert not any(g.can_march(a, b) for a in RING for b in RING if a != b)


def test_leader_and_ship_keep_their_abilities_under_upgrades():
    """rules 1.4: the leader of an upgrade still invades for nothing, the ship still only fjords."""
    g = Scenario()
    g.upgrade(0, "Lord of Axes", "Fire Dragons")
    assert not any(g.can_invade("ship", province) for province in PROVINCES)
    g.invade(0, "leader", "gimle")
    assert g.rage_of(0) == 6


def test_slots_of_a_clan_sheet():
    """rules 1.4: one leader, warrior and ship slot each, two monster slots, three clan slots."""
    one_each = ("Lord of Axes", "Experts in Arms", "Fire Dragons")
    monsters = ("Troll", "Valkyrie")
    clan = ("Loki's Domain", "Thor's Glory", "Tyr's Prowess")
    g = Scenario(players=2)
    g.rage(0, 99)
    g.rage(1, 0)
    g.hand(0, *one_each, *monsters, *clan)
    for card in (*one_each, *monsters, *clan):
        g.play(0, card)
        if g.asked() == (0, Decision.SLOT):
            empty = {"Valkyrie": 1, "Thor's Glory": 1, "Tyr's Prowess": 2}[card]
            g.slot(0, empty)
        if g.asked() == (0, Decision.FREE_INVADE):
            g.no(0)
    assert all(g.has_upgrade(0, card) for card in (*one_each, *monsters, *clan))
    assert g.discards() == []


def test_a_destroyed_figure_goes_to_valhalla():
    """rules 1.4: the loser's figures leave the board for Valhalla, not for the reserve."""
    g = Scenario(players=2)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    assert g.figures(1, "warrior", "gimle") == 0
    assert g.figures(1, "warrior", "valhalla") == 2
    assert g.figures(1, "warrior", "reserve") == 6


@pytest.mark.parametrize(("step", "value"), list(enumerate([6, 7, 8, 9, 12, 12], start=1)))
def test_the_rage_track(step, value):
    """rules 1.5: Rage at the start of an Age: 6 7 8 9 12 12."""
    g = Scenario(players=2)
    g.stat(1, "rage", step)
    next_age(g)
    assert g.rage_of(1) == value
    assert g.rage_of(0) == 6


@pytest.mark.parametrize(("step", "value"), list(enumerate([3, 4, 5, 6, 8, 8], start=1)))
def test_the_axes_track(step, value):
    """rules 1.5: glory of a battle won: 3 4 5 6 8 8."""
    g = Scenario(players=2)
    g.stat(0, "axes", step)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == value
    assert g.from_source(0, "battle") == value


@pytest.mark.parametrize(("step", "value"), list(enumerate([4, 5, 6, 7, 10, 10], start=1)))
def test_the_horns_track(step, value):
    """rules 1.5: figures that may stand on the board: 4 5 6 7 10 10."""
    g = Scenario(players=2)
    g.stat(0, "horns", step)
    g.upgrade(0, "Troll")
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "yggdrasil", value - 3)
    assert g.can_invade("monster_1", "utgard")
    g.put(0, "warrior", "elvagar")
    assert not g.can_invade("monster_1", "utgard")


@pytest.mark.parametrize("seed", range(10))
def test_pillage_tokens(seed):
    """rules 1.6: Yggdrasil raises all stats; outside lie 3 Rage, 2 Axes, 2 Horns, 1 five-glory."""
    token = engine.new_game(seed, 4)[0].token
    assert int(token[Place.YGGDRASIL]) == Token.ALL_STATS
    outer = Counter(int(t) for t in token[: Place.YGGDRASIL])
    assert outer == {Token.RAGE: 3, Token.AXES: 2, Token.HORNS: 2, Token.GLORY: 1}


def test_the_token_of_yggdrasil_raises_all_three_stats():
    """rules 1.6: one step on Rage, Axes and Horns."""
    g = Scenario()
    g.put(0, "warrior", "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert g.steps_of(0) == [2, 2, 2]


@pytest.mark.parametrize("age", [0, 1, 2])
@pytest.mark.parametrize(("players", "size"), [(4, 34), (3, 26), (2, 20)])
def test_size_of_the_decks(players, size, age):
    """rules 1.7: 34 cards a deck, of which eight are `4+` and six `3+`."""
    assert int(COPIES[CardSet.BASE, players, age].sum()) == size
    deck = [int(c) for c in engine.new_game(3, players)[0].deck[age] if c >= 0]
    assert len(deck) == size
    assert Counter(deck) == {c: n for c, n in enumerate(COPIES[CardSet.BASE, players, age].tolist()) if n}


def test_names_and_faces():
    """rules 1.7: 61 names, 71 faces: quests have a face for each Age."""
    base = [card for card in Card if SET[card] == CardSet.BASE]
    assert len(base) == 71
    assert len({TITLE[card] for card in base}) == 61
    assert {card for card in Card if COPIES[CardSet.BASE, 4, :, card].sum()} == set(base)


QUEST_FACES = {
    "Manheim": (5, 7, 9),
    "Jotunheim": (5, 7, 9),
    "Alfheim": (5, 7, 9),
    "Glorious Death": (6, 8, 11),
    "Yggdrasil": (6, 8, 11),
}


@pytest.mark.parametrize(("title", "glory"), QUEST_FACES.items())
def test_glory_printed_on_quests(title, glory):
    """rules 1.7: a quest's glory is that of its own Age."""
    faces = [c for c in Card if TITLE[c] == title and TYPE[c] == CardType.QUEST]
    assert tuple(int(QUEST_GLORY[c]) for c in faces) == glory


@pytest.mark.parametrize(("card", "glory"), [(Card.MANHEIM_1, 5), (Card.MANHEIM_2, 7)])
def test_a_kept_quest_pays_the_glory_of_its_own_age(card, glory):
    """rules 1.7: also when the card was kept."""
    g = Scenario(players=2, age=2)
    g.put(0, "warrior", "elvagar")
    g.quest(0, card)
    g.end_action_phase()
    g.raise_stat(0, "horns")
    assert g.from_source(0, Source.QUEST) == glory


@pytest.mark.skipif(not CARDS_CSV.exists(), reason="the independent card list isn't here")
def test_the_decks_are_those_of_the_independent_list():
    """rules 1.7: every copy of every deck, by name, Age and least number of players."""
    expected: Counter[tuple[str, int, int]] = Counter()
    with CARDS_CSV.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["set"] == "base":
                expected[row["name"], int(row["age"]), int(row["min_players"])] += int(row["copies"])
    found: Counter[tuple[str, int, int]] = Counter()
    for card in Card:
        for age in range(3):
            two, three, four = (int(COPIES[CardSet.BASE, players, age, card]) for players in (2, 3, 4))
            name = TITLE[card]
            found.update({(name, age + 1, 2): two, (name, age + 1, 3): three - two})
            found[name, age + 1, 4] += four - three
    assert +found == expected


def test_figures_of_a_kind_are_counted():
    """rules 1.4: two warriors that invade one province stand there as two."""
    g = Scenario(players=2)
    g.passed(1)
    g.invade(0, Figure.WARRIOR, Place.GIMLE)
    g.invade(0, Figure.WARRIOR, Place.GIMLE)
    assert g.figures(0, "warrior", "gimle") == 2
    assert g.figures(0, "warrior", "reserve") == 6
