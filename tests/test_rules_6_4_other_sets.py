"""rules 6.4.1, 6.4.2: sets of cards as options, and the fifth clan."""

from collections import Counter

import numpy as np
import pytest
from fights import dead, field, fight
from scenario import Scenario
from seen import seen

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import COPIES, SET, TITLE, TYPE
from bloodrage_env.games.bloodrage.engine.ids import (
    MAX_SEATS,
    NUM_SETS,
    PLAYABLE,
    CardSet,
    CardType,
    Decision,
    Place,
    Source,
)
from bloodrage_env.games.bloodrage.engine.state import PACK_SIZE

P5, KS, MYSTICS = (1 << each for each in (CardSet.P5, CardSet.KS, CardSet.MYSTICS))
FIFTH = 4  # the seat

NEW_CARDS = {
    CardSet.P5: ["Tyr's Judgement", "Widespread", "Widespread", "Widespread"],
    CardSet.KS: ["Fenrir", "Mountain Giant", "Wolfman", "Mystic Troll"],
    CardSet.MYSTICS: ["Frigga's Chosen", "Odin's Chosen", "Thor's Chosen"],
}
DECKS = {2: 20, 3: 26, 4: 34, 5: 42}
KS_CARDS = (2, 1, 1)  # by Age
MYSTIC_CARDS = {2: 1, 3: 1, 4: 2, 5: 2}  # by players, in each Age


def test_every_card_of_the_other_sets_has_an_id():
    """rules 6.4.1.1: the fifth clan's new cards, four monsters, three for mystics, so that ids never move."""
    found: dict[CardSet, list[str]] = {}
    for card in Card:
        found.setdefault(CardSet(SET[card]), []).append(TITLE[card])
    del found[CardSet.BASE]
    assert found == NEW_CARDS


# ---- options


@pytest.mark.parametrize("sets", [1, *(1 << card_set for card_set in CardSet if not PLAYABLE >> card_set & 1), 32, -1])
def test_a_set_that_cannot_be_played_is_refused(sets):
    """rules 6.4.1.1: by a line that names the sets."""
    with pytest.raises(ValueError, match="sets must be bits of the card sets that can be played"):
        engine.new_game(0, 4, sets=sets)


@pytest.mark.parametrize("sets", [sets for sets in range(0, PLAYABLE + 1, 2) if not sets & P5])
def test_a_fifth_player_needs_the_fifth_clan(sets):
    """rules 6.4.1.1: five players without `p5` are refused."""
    with pytest.raises(ValueError, match="num_players can be 5 only with the card set p5"):
        engine.new_game(0, 5, sets=sets)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_fifth_clan_changes_nothing_without_a_fifth_player(players):
    """rules 6.4.1.1: its cards are all `5+`."""
    for seed in range(20):
        plain, more = engine.new_game(seed, players), engine.new_game(seed, players, sets=P5)
        more[0].sets = 0
        assert plain.tobytes() == more.tobytes()


@pytest.mark.parametrize("age", [0, 1, 2])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sizes_of_the_decks(players, age):
    """rules 6.4.1.3: deck, cards dealt, and the rest."""
    sizes = [int(COPIES[card_set, players, age].sum()) for card_set in range(NUM_SETS)]
    assert sizes[CardSet.BASE] + sizes[CardSet.P5] == DECKS[players]
    assert (sizes[CardSet.KS], sizes[CardSet.MYSTICS]) == (KS_CARDS[age], MYSTIC_CARDS[players])
    for sets in range(PLAYABLE + 1):
        if sets & ~PLAYABLE or (players == 5 and not sets & P5):
            continue
        deck = engine.new_game(7, players, sets=sets)[0].deck[age]
        size = DECKS[players] + (KS_CARDS[age] if sets & KS else 0) + (MYSTIC_CARDS[players] if sets & MYSTICS else 0)
        assert (deck >= 0).tolist() == [i < size for i in range(len(deck))]
        assert size - players * PACK_SIZE >= 2


def test_no_card_of_another_set_is_dealt():
    """rules 6.4.1.2: only the cards of a set that is on are shuffled into the decks."""
    for players in (2, 3, 4, 5):
        for seed in range(5):
            deck = engine.new_game(seed, players, sets=P5)[0].deck
            assert {int(SET[card]) for card in deck[deck >= 0]} <= {CardSet.BASE, CardSet.P5}
            expected = COPIES[[CardSet.BASE, CardSet.P5], players].sum(axis=0)
            assert all(
                (np.bincount(deck[age][deck[age] >= 0], minlength=len(Card)) == expected[age]).all() for age in range(3)
            )


def test_figures_of_two_kinds():
    """rules 6.4.1.4: Sea Serpent and Mountain Giant; the Mystic Troll is a monster alone."""
    g = Scenario(2, sets=KS)
    g.upgrade(0, "Sea Serpent", "Mountain Giant")
    g.put(0, "monster_1", "fjord_gimle_myrkulor")
    g.put(0, "monster_2", "gimle")
    g.upgrade(1, "Fire Giant")
    g.rage(1, 6)
    g.pass_(0)
    g.invade(1, "monster_1", "gimle")
    assert (g.figures(0, "monster_1", "fjord_gimle_myrkulor"), g.figures(0, "monster_2", "gimle")) == (1, 1)


def test_the_wolfman_acts_before_the_token_is_taken():
    """rules 6.4.1.5: in step 9, the Mountain Giant in step 13: with both the leader upgrade pays."""
    g = Scenario(2, sets=KS)
    g.upgrade(0, "Wolfman", "Mountain Giant", "Lord of Spears")
    g.put(0, "monster_1", "gimle")
    g.put(0, "monster_2", "gimle")
    g.put(1, "leader", "gimle")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Smite"})
    assert g.steps_of(0) == [3, 2, 2]


@pytest.mark.parametrize("sets", [0, P5, KS, P5 | KS, MYSTICS, P5 | KS | MYSTICS])
def test_the_sets_are_open_to_all(sets):
    """rules 6.4.1.6: each seat sees which ones are played with."""
    states = engine.new_game(2, 4, sets=sets)
    for seat in range(4):
        parts = seen(states, seat)["sets"]
        assert parts[: NUM_SETS - 1].tolist() == [sets >> card_set & 1 for card_set in range(1, NUM_SETS)]


def test_a_pillage_may_be_tried_again():
    """rules 6.4.1.7: without mystics and gods a clan needs no new figure for that."""
    g = Scenario(2, sets=KS)
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.upgrade(0, "Frigga's Protection")
    g.pillage(0, "gimle")
    g.decline_calls()
    g.count(0, 1)
    assert not g.is_pillaged("gimle")
    g.pass_(1)
    assert g.can_pillage("gimle")


def test_what_is_left_out():
    """rules 6.4.1.8: no second copies of monsters, no sixth clan."""
    monsters = [card for card in Card if TYPE[card] == CardType.MONSTER]
    assert COPIES[:, MAX_SEATS, :, monsters].sum(axis=(1, 2)).max() == 1
    with pytest.raises(ValueError, match="num_players must be 2, 3, 4 or 5"):
        engine.new_game(0, 6, sets=P5)


# ---- the fifth clan


def test_five_players_lose_no_province_at_the_start():
    """rules 6.4.2.2: three doomed provinces, none destroyed."""
    for seed in range(30):
        s = engine.new_game(seed, 5, sets=P5)[0]
        assert s.destroyed.sum() == 0
        assert len(set(s.ragnarok.tolist())) == 3


def test_the_fifth_clan_has_the_same_figures():
    """rules 6.4.2.1: the same sheet and figures as the others."""
    s = engine.new_game(1, 5, sets=P5)[0]
    assert (s.figures == s.figures[0]).all()
    assert (s.stat_step == 0).all()
    assert (s.rage == s.rage[0]).all()


def test_packs_go_full_circle():
    """rules 6.4.2.3: at the sixth pick each holds its first pack again, with three cards in it."""
    states = engine.new_game(3, 5, skip_forced=False, sets=P5)
    packs = [Counter(states[0].deck[0][seat * PACK_SIZE : (seat + 1) * PACK_SIZE].tolist()) for seat in range(5)]
    for draft_round in range(6):
        chosen = []
        for _ in range(5):
            seat = engine.seat_to_act(states, 0)
            pack = packs[(seat - draft_round) % 5]
            offered = (engine.legal_mask(states, 0).nonzero()[0] - engine.BLOCKS[9].start).tolist()
            assert set(offered) == set(+pack)
            assert pack.total() == PACK_SIZE - draft_round
            chosen.append((pack, offered[0]))
            engine.apply(states, 0, offered[0] + engine.BLOCKS[9].start)
        for pack, card in chosen:
            pack[card] -= 1
    assert states[0].hand_size.tolist() == [6] * 5
    assert states[0].decision == Decision.ACTION


def test_turns_go_round_five():
    """rules 6.4.2.3: clockwise."""
    g = Scenario(players=5, seat=3)
    order = []
    for _ in range(5):
        seat, _ = g.asked()
        order.append(seat)
        g.invade(seat, "warrior", Place(seat))
    assert order == [3, 4, 0, 1, 2]


@pytest.mark.parametrize(
    ("title", "kind"), [("Lord of Axes", "leader"), ("Experts in Arms", "warrior"), ("Fire Dragons", "ship")]
)
def test_two_clans_may_own_the_same_upgrade(title, kind):
    """rules 6.4.2.4: the leader, warrior and ship upgrades exist twice."""
    g = Scenario(players=5, age=2)
    for seat in (0, 1):
        g.hand(seat, title)
        g.play(seat, title)
        g.choose(seat, kind, "fjord_gimle_myrkulor" if kind == "ship" else "gimle")
    assert all(g.has_upgrade(seat, title) for seat in (0, 1))


@pytest.mark.parametrize("title", ["Lord of Axes", "Experts in Arms", "Fire Dragons"])
def test_the_second_copy_replaces_the_first(title):
    """rules 6.4.2.4: paid again, the free Invade again, the first copy discarded; nothing adds up."""
    g = Scenario(players=5, age=2)
    for other in (1, 2, 3, 4):
        g.passed(other)
    g.rage(0, 9)
    g.hand(0, title, title)
    g.play(0, title)
    price = 9 - g.rage_of(0)
    assert g.asked() == (0, Decision.FREE_INVADE)
    g.no(0)
    g.play(0, title)
    assert g.rage_of(0) == 9 - 2 * price
    assert g.asked() == (0, Decision.FREE_INVADE)
    g.no(0)
    assert [TITLE[card] for card in g.discards()] == [title]
    assert (g.state.upgrades[0] >= 0).sum() == 1


# ---- Widespread


def widespread(age: int = 1) -> Scenario:
    g = Scenario(players=5, age=age, seat=FIFTH)
    g.quest(FIFTH, "Widespread")
    return g


def paid(g: Scenario) -> int:
    """The glory of the quest once the Quest phase is over; the stat goes to Horns."""
    g.end_action_phase()
    while g.asked()[1] != Decision.STAT and g.asked()[1] not in (Decision.DRAFT, Decision.NONE):
        g.answer(g.asked()[0], g.legal_actions()[0])
    if g.asked()[1] == Decision.STAT:
        g.raise_stat(FIFTH, "horns")
    return g.from_source(FIFTH, Source.QUEST)


@pytest.mark.parametrize(("age", "glory"), [(1, 7), (2, 10), (3, 15)])
def test_widespread_needs_two_provinces(age, glory):
    """rules 6.4.2.5: strictly the most STR in two provinces; one is not enough."""
    g = widespread(age)
    g.put(FIFTH, "warrior", "gimle")
    assert paid(g) == 0
    g = widespread(age)
    g.put(FIFTH, "warrior", "gimle")
    g.put(FIFTH, "warrior", "utgard")
    assert paid(g) == glory
    assert g.step_of(FIFTH, "horns") == 2


def test_widespread_pays_once_however_many():
    """rules 6.4.2.5: one reward."""
    g = widespread()
    for place in ("gimle", "utgard", "elvagar", "yggdrasil"):
        g.put(FIFTH, "warrior", place)
    assert paid(g) == 7


def test_widespread_counts_yggdrasil():
    """rules 6.4.2.5: Yggdrasil is a province."""
    g = widespread()
    g.put(FIFTH, "warrior", "gimle")
    g.put(FIFTH, "warrior", "yggdrasil")
    assert paid(g) == 7


def test_widespread_needs_strictly_the_most():
    """rules 6.4.2.5: a tie counts for nobody."""
    g = widespread()
    g.put(FIFTH, "warrior", "gimle")
    g.put(FIFTH, "warrior", "utgard")
    g.put(0, "warrior", "utgard")
    assert paid(g) == 0


def test_widespread_needs_provinces_that_stand():
    """rules 6.4.2.5: a ship is the most in the one province of its fjord that stands."""
    g = widespread()
    g.destroyed("gimle")
    g.put(FIFTH, "ship", "fjord_gimle_myrkulor")
    assert paid(g) == 0


def test_a_ship_alone_meets_widespread():
    """rules 6.4.2.5: it is the most in both provinces of its fjord."""
    g = widespread()
    g.put(FIFTH, "ship", "fjord_gimle_myrkulor")
    assert paid(g) == 7


def test_the_provinces_may_serve_other_quests():
    """rules 6.4.2.5: Alfheim is met by the same figures."""
    g = widespread()
    g.quest(FIFTH, "Alfheim")
    g.put(FIFTH, "warrior", "gimle")
    g.put(FIFTH, "warrior", "andlang")
    g.end_action_phase()
    for _ in range(2):
        g.raise_stat(FIFTH, "horns")
    assert g.from_source(FIFTH, Source.QUEST) == 7 + 5


# ---- Tyr's Judgement


def judgement(other: str, *, more: int = 0) -> Scenario:
    """The fifth clan pillages Gimle with Tyr's Judgement against another card."""
    g = field({FIFTH: {"warrior": 1}, 0: {"warrior": 1 + more}}, players=5, age=3, seat=FIFTH)
    fight(g, {FIFTH: "Tyr's Judgement", 0: other}, pillager=FIFTH)
    return g


def test_tyrs_judgement_adds_eight():
    """rules 6.4.2.6: 1 + 8 beats 2 + 6 and ties with 3 + 6."""
    assert judgement("Tyr's Rage", more=1).is_pillaged("gimle")
    g = judgement("Tyr's Rage", more=2)
    assert not g.is_pillaged("gimle")
    assert (dead(g, 0), dead(g, FIFTH)) == (3, 1)


def test_sight_is_worth_tyrs_judgement():
    """rules 6.4.2.6: Sight treats it like any battle card: a tie."""
    assert not judgement("Heimdall's Sight").is_pillaged("gimle")


def test_poison_takes_tyrs_judgement():
    """rules 6.4.2.6"""
    g = judgement("Loki's Poison")
    assert Card.TYRS_JUDGEMENT in g.hand_of(0)


def test_watch_counts_tyrs_judgement():
    """rules 6.4.2.6: its +STR is glory for the Watch."""
    g = judgement("Heimdall's Watch")
    assert g.from_source(0, Source.BATTLE_CARDS) == 8
    assert Card.TYRS_JUDGEMENT in g.discards()
