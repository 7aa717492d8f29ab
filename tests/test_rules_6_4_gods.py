"""rules 6.4.5.1 to 6.4.5.6: the gods are drawn, placed anew each Age, and moved by whoever pillages."""

from collections import Counter

import numpy as np
import pytest
from fights import dead, fight
from gods import GODS, KS, stage
from random_play import even_action
from scenario import Scenario
from seen import seen

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.cards import GOD_TEXT
from bloodrage_env.games.bloodrage.engine.ids import NONE, NUM_GODS, NUM_OUTER, CardSet, Decision, God, Phase, Place
from bloodrage_env.games.bloodrage.engine.rules.gods import place_gods

P5 = 1 << CardSet.P5
SEATS = (2, 3, 4, 5)


def new_game(seed, players, sets=GODS, **options):
    return engine.new_game(seed, players, sets=sets | (P5 if players == 5 else 0), **options)


def spare(s) -> set[int]:
    """The provinces whose tokens are neither on the Age track nor destroyed at the start."""
    return set(np.flatnonzero(s.destroyed[:NUM_OUTER] == 0).tolist()) - set(s.ragnarok.tolist())


def standing(s) -> dict[int, int]:
    """Where each god stands."""
    return {int(god): place for place, god in enumerate(s.god_in) if god != NONE}


# ---- drawing and placing


@pytest.mark.parametrize("players", SEATS)
def test_two_of_six_gods(players):
    """rules 6.4.5.1: two different ones at random, in an order; each as likely as another."""
    drawn = Counter(tuple(new_game(seed, players)[0].gods.tolist()) for seed in range(600))
    assert all(one != other for one, other in drawn)
    assert len(drawn) == NUM_GODS * (NUM_GODS - 1)
    assert max(drawn.values()) < 50


@pytest.mark.parametrize("players", SEATS)
def test_gods_stand_on_spare_tokens(players):
    """rules 6.4.5.2: in two different provinces of the tokens that are left: as many as players; seen by all."""
    where = Counter()
    for seed in range(200):
        states = new_game(seed, players)
        s = states[0]
        places = standing(s)
        assert set(places) == set(s.gods.tolist())
        assert len(spare(s)) == players
        assert set(places.values()) <= spare(s)
        first = sorted(spare(s)).index(places[int(s.gods[0])])
        where[first] += 1
        for seat in range(players):
            parts = seen(states, seat)
            assert [row.argmax() for row in parts["gods"]] == s.gods.tolist()
            assert {int(god): int(place) for god, place in np.argwhere(parts["god_in"])} == places
    assert set(where) == set(range(players))


def test_a_game_without_gods_has_none():
    """rules 6.4.1.1"""
    s = engine.new_game(1, 4)[0]
    assert (s.gods == NONE).all()
    assert (s.god_in == NONE).all()
    assert (s.god_tokens == NONE).all()


def test_gods_change_no_other_chance():
    """The same seed has the same decks, tokens and first player with them."""
    plain, more = engine.new_game(5, 3)[0], new_game(5, 3)[0]
    for name in ("deck", "token", "ragnarok", "destroyed", "first_player"):
        assert np.array_equal(plain[name], more[name])


def played_to_age(seed: int, players: int, age: int, sets: int = GODS):
    """A random game at the first question of an Age (from 0)."""
    states = new_game(seed, players, sets)
    rng = np.random.default_rng(seed)
    while states[0].age < age:
        engine.apply(states, 0, even_action(states, rng))
    return states


@pytest.mark.parametrize("players", SEATS)
def test_gods_are_placed_anew_each_age(players):
    """rules 6.4.5.3: the same two, from the same tokens, before the cards are dealt; where, is drawn then."""
    moved = 0
    for seed in range(12):
        before = new_game(seed, players)[0]
        for age in (1, 2):
            s = played_to_age(seed, players, age)[0]
            assert s.gods.tolist() == before.gods.tolist()
            assert set(standing(s)) == set(s.gods.tolist())
            assert set(standing(s).values()) <= spare(before)
            assert (s.god_tokens[: age + 1] == NONE).all()
            assert (s.phase, s.draft_round) == (Phase.GODS_GIFTS, 0)
            moved += standing(s) != standing(before)
    assert moved > 5


def placing(players: int = 2, tokens: tuple[Place, ...] = (Place.GIMLE, Place.UTGARD)) -> Scenario:
    """Odin, drawn first, and Tyr before they are placed in Age 2, in this order of tokens."""
    g = Scenario(players, age=2, sets=GODS | KS)
    g.god("tyr", "elvagar")
    g.god("odin", "angerboda")
    assert g.state.gods.tolist() == [God.ODIN, God.TYR]
    g.state.god_tokens[1, : len(tokens)] = tokens
    return g


def test_the_god_drawn_first_takes_the_first_token():
    """rules 6.4.5.1, 6.4.5.3: both are taken up first."""
    g = placing()
    place_gods_of(g)
    assert standing(g.state) == {God.ODIN: Place.GIMLE, God.TYR: Place.UTGARD}


def place_gods_of(g: Scenario) -> None:
    """Place them now."""
    if hasattr(place_gods, "py_func"):
        pytest.skip("a compiled rule is not called from Python")
    place_gods(g.state)


@pytest.mark.parametrize(
    ("gone", "places"),
    [
        (["gimle"], {God.ODIN: Place.UTGARD}),
        (["utgard"], {God.ODIN: Place.GIMLE}),
        (["gimle", "utgard"], {}),
    ],
)
def test_tokens_of_destroyed_provinces_are_not_drawn(gone, places):
    """rules 6.4.5.3: with one token left the second god is off the board, with none both are."""
    g = placing()
    g.destroyed(*gone)
    place_gods_of(g)
    assert standing(g.state) == places


def test_fenrir_takes_a_token_away():
    """rules 6.4.5.3, 6.4.5.4: the god in Fenrir's province is off the board; then only tokens that stand are drawn."""
    g = stage("tyr", {0: {"Fenrir": 1}}, "gimle", players=2)
    g.state.god_tokens[1, :2] = Place.GIMLE, Place.UTGARD
    g.state.god_tokens[2, :2] = Place.UTGARD, Place.GIMLE
    first = int(g.state.gods[0])
    g.end_action_phase()
    assert g.is_destroyed("gimle")
    assert standing(g.state) == {first: Place.UTGARD}


def test_a_god_is_no_figure():
    """rules 6.4.5.4: no village, no presence: a pillage beside a god is unopposed, a full province can hold one."""
    g = stage("frigga", {0: {"warrior": 5}})
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")
    assert g.asked()[1] == Decision.GOD_MOVE


def test_ragnarok_takes_a_god_off_the_board():
    """rules 6.4.5.4: until it is placed anew; its figures die as elsewhere."""
    g = stage("tyr", {0: {"warrior": 1}}, age=3)
    g.doomed("gimle")
    g.end_action_phase()
    assert g.is_destroyed("gimle")
    assert God.TYR not in standing(g.state)
    assert set(g.state.gods.tolist()) >= {God.TYR}


# ---- moving


def targets(g: Scenario) -> set[Place]:
    """Where the god may go now."""
    return {province for province in list(Place)[:9] if g.can_province(province)}


def test_the_pillager_moves_the_god():
    """rules 6.4.5.5: to any other province at any distance, Yggdrasil included; it must."""
    g = stage("odin", {0: {"warrior": 1}})
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.GOD_MOVE)
    assert targets(g) == set(list(Place)[:9]) - {Place.GIMLE}
    assert not g.can_no()
    g.province(0, "elvagar")
    assert standing(g.state) == {God.ODIN: Place.ELVAGAR}
    assert g.asked()[1] == Decision.ACTION


def test_where_a_god_may_not_go():
    """rules 6.4.5.5: not where it is destroyed, pillaged in this Age, or has a god; a doomed one is allowed."""
    g = stage("odin", {0: {"warrior": 1}})
    g.god("tyr", "utgard")
    g.destroyed("elvagar")
    g.pillaged("horgr")
    g.pillage(0, "gimle")
    assert targets(g) == {Place.ANGERBODA, Place.MUSPELHEIM, Place.ANDLANG, Place.MYRKULOR, Place.YGGDRASIL}
    assert g.state.ragnarok[0] == Place.MYRKULOR


def test_a_god_with_nowhere_to_go_stays():
    """rules 6.4.5.5"""
    g = stage("odin", {0: {"warrior": 1}})
    g.pillaged(*[place for place in list(Place)[:9] if place not in (Place.GIMLE, Place.UTGARD)])
    g.god("tyr", "utgard")
    g.pillage(0, "gimle")
    assert standing(g.state) == {God.ODIN: Place.GIMLE, God.TYR: Place.UTGARD}
    assert g.asked()[1] == Decision.ACTION


def test_a_pillage_of_another_province_moves_no_god():
    """rules 6.4.5.5"""
    g = stage("odin", {1: {"warrior": 1}})
    g.put(0, "warrior", "utgard")
    g.pillage(0, "utgard")
    assert g.asked()[1] == Decision.ACTION


@pytest.mark.parametrize("card", ["Tyr's Rage", "Loki's Trickery", "Tyr's Crush"])
def test_the_god_moves_won_or_lost(card):
    """rules 6.4.5.5: by the pillager, after a battle won, lost or tied."""
    g = stage("odin", {0: {"warrior": 1}, 1: {"warrior": 1}}, age=3)
    fight(g, {0: card, 1: "Tyr's Crush"})
    assert g.asked() == (0, Decision.GOD_MOVE)
    assert dead(g, 0) + dead(g, 1) == (2 if card == "Tyr's Crush" else 1)


def test_the_god_moves_after_a_challenge():
    """rules 6.4.5.5: a province that is pillaged already, by Tyr's Challenge."""
    g = stage("odin", {0: {"warrior": 1}})
    g.upgrade(0, "Tyr's Challenge")
    g.pillaged("gimle")
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.GOD_MOVE)


def test_the_god_moves_after_thors_domain():
    """rules 6.4.5.5: by whatever leave; with 0 Rage left as well."""
    g = stage("odin", {})
    g.upgrade(0, "Thor's Domain")
    g.rage(0, 3)
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.rage_of(0) == 0
    assert g.asked() == (0, Decision.GOD_MOVE)


def test_the_god_moves_after_step_16():
    """rules 6.4.5.6: the Blessing comes first; here its Invade is part of no pillage."""
    g = stage("odin", {0: {"leader": 1}, 1: {"warrior": 1}})
    g.upgrade(1, "Loki's Blessing")
    fight(g, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    assert g.asked() == (1, Decision.BLESSING)
    g.yes(1)
    assert g.asked() == (0, Decision.GOD_MOVE)


def test_a_pillage_inside_moves_the_god_first():
    """rules 6.4.5.6: Blessing with Thor's Domain; the outer pillage has nothing left to move, nor has a further one."""
    g = stage("odin", {0: {"warrior": 1}, 1: {"warrior": 1}})
    g.upgrade(1, "Loki's Blessing", "Thor's Domain")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert not g.is_pillaged("gimle")
    g.yes(1)
    assert g.asked() == (1, Decision.FREE_PILLAGE)
    g.yes(1)
    assert g.asked() == (1, Decision.GOD_MOVE)
    assert g.steps_of(1) == [3, 1, 1]
    g.province(1, "utgard")
    assert g.asked()[1] == Decision.ACTION
    assert standing(g.state) == {God.ODIN: Place.UTGARD}


def test_a_god_moved_away_does_nothing_there():
    """rules 6.4.5.6: a second pillage of the province is without it."""
    g = stage("odin", {0: {"warrior": 1}})
    g.upgrade(0, "Tyr's Challenge")
    g.pillage(0, "gimle")
    g.province(0, "utgard")
    g.pass_(1)
    g.pass_(2)
    g.pillage(0, "gimle")
    assert g.step_of(0, "rage") == 4
    assert g.asked()[1] == Decision.ACTION


def test_the_phase_ends_after_the_move():
    """rules 6.4.5.6: the last province is pillaged, the god stays, the phase is over; two left, it moves first."""
    for left, decision in (("utgard", Decision.GOD_MOVE), ("gimle", Decision.DRAFT)):
        g = stage("odin", {0: {"warrior": 1}})
        g.pillaged(*[place for place in list(Place)[:9] if place not in (Place.GIMLE, Place[left.upper()])])
        g.skip_forced = False
        g.state.skip_forced = 0
        g.pillage(0, "gimle")
        assert g.asked()[1] == decision


# ---- who knows what


def test_the_tokens_of_later_ages_are_hidden():
    """rules 6.4.1.6: `hide` sorts them, a redeal draws each order as likely as another; what stands stays."""
    states = new_game(3, 3)
    s = states[0]
    view = engine.hide(states, 0, 0)
    assert (np.diff(view[0].god_tokens[1:, :3].astype(int), axis=1) > 0).all()
    orders = [Counter(), Counter()]
    for number in range(600):
        r = engine.redeal(states, 0, 0, number)[0]
        assert np.array_equal(r.god_in, s.god_in)
        assert np.array_equal(np.sort(r.god_tokens), np.sort(s.god_tokens))
        for age in (1, 2):
            orders[age - 1][tuple(r.god_tokens[age].tolist())] += 1
    for found in orders:
        assert len(found) == 6
        assert max(found.values()) < 140
    one, other = (engine.redeal(each, 0, 0, 7) for each in (states, view))
    assert one.tobytes() == other.tobytes()


def test_a_redeal_draws_no_past_tokens():
    """rules 6.4.5.3: those of the Age that is on have gone back to the others."""
    states = played_to_age(2, 4, 1)
    r = engine.redeal(states, 0, 1, 5)[0]
    assert (r.god_tokens[:2] == NONE).all()
    assert (r.god_tokens[2, :4] != NONE).all()


def test_every_god_has_a_text():
    """rules 6.4.5: a sentence for each of them."""
    assert len(GOD_TEXT) == NUM_GODS
    assert all(text.endswith(".") for text in GOD_TEXT)
