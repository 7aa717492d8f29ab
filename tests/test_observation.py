"""The observation: its table, its ranges, seats in turn, and nothing in it that the seat may not know."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from random_play import differing, even_action, games_in_the_middle, keen_action
from scenario import Scenario
from seen import seen

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import MAX_SEATS, Decision, Figure, Phase, Place
from bloodrage_env.games.bloodrage.engine.rules.gods_gifts import DRAFT_ROUNDS
from bloodrage_env.games.bloodrage.observation import (
    FIGURE_UNITS,
    OBSERVATION_SIZE,
    SECTIONS,
    observe,
    observe_bytes,
    observe_sparse,
    step_and_observe,
)

BY_NAME = {section.name: section for section in SECTIONS}
SECRET = {Decision.DRAFT, Decision.BATTLE_CARD, Decision.LATE_CARD, Decision.KEEP_CARD}
# Sections with a row a seat, the observer's first; and those with a row an opponent.
BY_SEAT = {name for name, section in BY_NAME.items() if section.shape[0] == MAX_SEATS and name not in ("next_turn",)}
BY_OPPONENT = {"known", "sure_quests"}
ABOUT_THE_ACTOR = {
    "actor", "about_place", "about_kind", "about_card", "limits", "declined", "caller", "march_from", "march", "dying",
}  # fmt: skip


def observed(states, seat, index=0):
    vector = np.full(OBSERVATION_SIZE, np.nan, np.float32)
    observe(states, index, seat, vector)
    return vector


@cache
def looked_at():
    """Positions of a game of each mixture of options, with what each seat sees there: (states, dictionaries)."""
    return [
        (states.copy(), [seen(states, seat) for seat in range(int(states[0].num_players))])
        for _, states, _ in games_in_the_middle(range(32), 0.05)
    ]


def test_sections_follow_each_other():
    start = 0
    for section in SECTIONS:
        assert section.start == start
        assert section.size == np.prod(section.shape) > 0
        assert section.meaning
        start += section.size
    assert start == OBSERVATION_SIZE
    assert len(BY_NAME) == len(SECTIONS)


def test_every_number_is_written_and_in_range():
    """Any seat, any time: between 0 and 2, and no section out of use over random games."""
    highest = np.zeros(OBSERVATION_SIZE)
    for seed, states, _ in games_in_the_middle(range(96), 0.1):
        for seat in range(int(states[0].num_players)):
            vector = observed(states, seat)
            where = f"seed {seed}, decision {states[0].decisions}"
            assert np.isfinite(vector).all(), where
            assert vector.min() >= 0, f"{where}: {section_of(vector.argmin())}"
            assert vector.max() <= 2, f"{where}: {section_of(vector.argmax())}"
            highest = np.maximum(highest, vector)
    for section in SECTIONS:
        rows = highest[section.start : section.start + section.size].reshape(section.shape)
        assert rows.max() > 0, f"{section.name} is never used"
        if section.name in BY_SEAT | BY_OPPONENT:
            assert (rows.reshape(len(rows), -1).max(axis=1) > 0).all(), f"{section.name}: not all rows are used"


def test_units_turn_numbers_back():
    """What a section counts is a whole number of its unit, and its description names the unit."""
    for name, section in BY_NAME.items():
        counts = np.stack([view[name] for _, views in looked_at() for view in views]).astype(float) * section.unit
        assert np.abs(counts - counts.round()).max() < 1e-5, name
    units = {name: np.ravel(section.unit)[-1] for name, section in BY_NAME.items() if np.max(section.unit) > 1}
    units["figures"], units["declined"] = FIGURE_UNITS[Figure.WARRIOR][0], "players"
    assert {name for name, section in BY_NAME.items() if " / " in section.meaning} == set(units)
    assert all(BY_NAME[name].meaning.endswith(f" / {unit}") for name, unit in units.items())


def section_of(position):
    return next(s.name for s in SECTIONS if s.start <= position < s.start + s.size)


def test_the_dictionary_is_the_vector():
    for states, views in looked_at():
        for seat, parts in enumerate(views):
            vector = observed(states, seat)
            assert list(parts) == list(BY_NAME)
            assert all(parts[name].shape == BY_NAME[name].shape for name in parts)
            assert np.array_equal(np.concatenate([part.ravel() for part in parts.values()]), vector)


def test_one_hot_sections():
    for states, views in looked_at():
        s = states[0]
        for seat, parts in enumerate(views):
            for name in ("players", "age", "phase", "first_player", "decision"):
                assert sorted(parts[name].tolist()) == [0] * (len(parts[name]) - 1) + [1], name
            assert parts["players"].argmax() == s.num_players - 2
            assert parts["age"].argmax() == s.age
            assert parts["phase"].argmax() == s.phase
            shown = s.seat == seat or not engine.is_secret(states, 0)
            assert parts["decision"].argmax() == (s.decision if shown else Decision.NONE)
            assert (parts["tokens"].sum(axis=1) == 1).all()
            assert (parts["ragnarok"].sum(axis=1) == 1).all()
            assert parts["ragnarok"].argmax(axis=1).tolist() == s.ragnarok.tolist()
            for name in ("actor", "next_turn", "about_place", "about_kind", "about_card", "caller", "march_from"):
                assert parts[name].sum() in (0, 1), name


def test_absent_seats_are_empty():
    """With two or three players, rows of seats that nobody has are zero in every section."""
    for _, views in looked_at():
        players = len(views)
        for parts in views:
            for name in BY_SEAT:
                assert not parts[name][players:].any(), name
            for name in BY_OPPONENT:
                assert not parts[name][players - 1 :].any(), name
            assert not parts["next_turn"][players:].any()


def counted(row, unit):
    """The cards of a section as a Counter."""
    return Counter({card: round(float(number) * unit) for card, number in enumerate(row) if number})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_packs_seen_are_what_was_passed_on(players):
    """Rules 2.6, 3.1.2: by the last round in which the seat held a card; neither own picks nor the pack in hand."""
    states = engine.new_game(players, players)
    rng = np.random.default_rng(players)
    for draft_round in range(DRAFT_ROUNDS[players]):
        views = [seen(states, seat) for seat in range(players)]
        if draft_round == 0:
            passed = [Counter() for _ in range(players)]  # (card, round): copies
        for seat, view in enumerate(views):
            held = counted(view["pack"], BY_NAME["pack"].unit)
            back = draft_round - players + 1
            for card, copies in held.items() if back > 0 else ():
                passed[seat][card, back] -= copies
            hand = counted(view["hand"], BY_NAME["hand"].unit)
            assert seen_before(view) == +passed[seat]
            views[seat] = held + hand
        while states[0].phase == Phase.GODS_GIFTS and states[0].draft_round == draft_round:
            engine.apply(states, 0, even_action(states, rng))
        for seat in range(players):
            left = views[seat] - Counter({card: int(n) for card, n in enumerate(states[0].hand[seat])})
            passed[seat].update({(card, draft_round + 1): copies for card, copies in left.items()})
    assert [seen_before(seen(states, seat)) for seat in range(players)] == [+each for each in passed]


def seen_before(view):
    """Section packs_seen as a Counter of (card, round)."""
    rounds = np.rint(view["packs_seen"] * BY_NAME["packs_seen"].unit).astype(int)
    return Counter((int(card), int(rounds[row, card])) for row, card in np.argwhere(rounds))


def test_seats_are_counted_from_the_observer():
    """What two seats see of what is open is the same, turned by the distance between them."""
    open_to_all = BY_SEAT - {"actor", "table"}
    for states, views in looked_at():
        players = len(views)
        for seat, view in enumerate(views):
            turn = np.arange(-seat, players - seat) % players
            for name in open_to_all | {"next_turn"}:
                turned = view[name][turn]
                assert np.array_equal(turned, views[0][name][:players]), name
        for name in ("stats", "rage", "glory", "hand_sizes"):
            assert np.array_equal(np.sign(views[0][name][:players]), np.sign(raw(states[0], name)[:players])), name


def raw(s, name):
    return {"stats": s.stat_step, "rage": s.rage, "glory": s.glory, "hand_sizes": s.hand_size}[name]


def rotated(states, by):
    """The same game with every clan one or more seats further on."""
    result = states.copy()
    s, old = result[0], states[0]
    players = int(old.num_players)
    for name in (
        "stat_step", "rage", "glory", "glory_from", "passed", "upgrades", "figures", "on_board", "hand", "hand_size",
        "quests", "quest_count", "pending", "gone", "known", "known_since",
    ):  # fmt: skip
        s[name][:players] = np.roll(old[name][:players], by, axis=0)
    s.first_player = (old.first_player + by) % players
    s.seat = (old.seat + by) % players
    for depth in range(int(s.depth)):
        if s.stack[depth, 2] >= 0:
            s.stack[depth, 2] = (old.stack[depth, 2] + by) % players
    return result


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_moved_on_by_a_seat_looks_the_same_from_there(players):
    """In the Action phase of Age 1 without a draft, so that packs do not matter."""
    checked = 0
    for seed in range(40):
        states = engine.new_game(seed, players, first_game=True)
        rng = np.random.default_rng(seed)
        for _ in range(12):
            engine.apply(states, 0, keen_action(states, rng))
        if states[0].phase != Phase.ACTION or states[0].age > 0 or states[0].decision != Decision.ACTION:
            continue
        for by in range(1, players):
            moved = rotated(states, by)
            engine.PLAY.refresh(moved, 0)
            assert np.array_equal(moved[0].mask, states[0].mask)
            for seat in range(players):
                assert np.array_equal(observed(states, seat), observed(moved, (seat + by) % players))
            checked += 1
    assert checked > 20


def test_nothing_hidden_is_seen():
    """Whatever others hold, have chosen, have committed to or passed on, and whatever decks hold: the same view."""
    for _, states, rng in games_in_the_middle(range(96), 0.03):
        if states[0].truncated:
            continue
        for seat in range(int(states[0].num_players)):
            other = engine.redeal(states, 0, seat, int(rng.integers(1 << 62)))
            assert np.array_equal(observed(states, seat), observed(other, seat))


def test_hands_quests_and_decks_of_others_are_not_looked_at():
    """The same without `redeal`: overwrite what is hidden from a seat; its view stays."""
    for states, _ in looked_at():
        s = states[0]
        players = int(s.num_players)
        for seat in range(players):
            blank = states.copy()
            b = blank[0]
            for other in set(range(players)) - {seat}:
                b.hand[other] = 0
                b.gone[other] = 0
                if not s.quests_open:
                    b.quests[other] = -1
                b.pending[other] = -1
            b.deck[s.age + 1 :] = Card.TROLL
            if s.phase != Phase.GODS_GIFTS:
                b.deck[: s.age] = Card.TROLL
            b.decisions = 0
            assert np.array_equal(observed(states, seat), observed(blank, seat))


def test_who_chooses_in_secret_is_not_shown():
    """rules 2.6, 7.8: the others see no question: not who is asked, nor what."""
    shown = Counter()
    for _, states, _ in games_in_the_middle(range(60), 0.3):
        s = states[0]
        decision = int(s.decision)
        if not engine.is_secret(states, 0) or shown[decision] == 40:
            continue
        for seat in range(int(s.num_players)):
            parts = seen(states, seat)
            assert parts["decision"].argmax() == (decision if seat == s.seat else Decision.NONE)
            if seat == s.seat:
                assert parts["actor"].tolist() == [1, 0, 0, 0, 0]
            else:
                assert not any(parts[name].any() for name in ABOUT_THE_ACTOR)
                passed_on = states.copy()
                passed_on[0].seat = next(x for x in range(MAX_SEATS) if x not in (seat, int(s.seat)))
                assert np.array_equal(observed(passed_on, seat), observed(states, seat))
        shown[decision] += 1
    assert shown.keys() == SECRET
    assert min(shown.values()) > 10


def test_open_questions_show_who_is_asked():
    for states, views in looked_at():
        s = states[0]
        if s.over or engine.is_secret(states, 0):
            continue
        for seat, parts in enumerate(views):
            assert parts["actor"].argmax() == (int(s.seat) - seat) % len(views)


def test_own_cards():
    """Hand, committed quests, what it has chosen, what it alone saw leave: copies, halved."""
    for states, views in looked_at():
        s = states[0]
        for seat, parts in enumerate(views):
            assert (parts["hand"] * 2).tolist() == s.hand[seat, : len(parts["hand"])].tolist()
            assert (parts["gone"] * 2).tolist() == s.gone[seat, : len(parts["gone"])].tolist()
            assert parts["quests"].sum() * 2 == s.quest_count[seat]
            chosen = [int(card) for card in s.pending[seat] if card >= 0]
            if chosen:
                table = parts["table"][0] * 2
                assert [card for card in np.flatnonzero(table) for _ in range(int(table[card]))] == sorted(chosen)
            drafting = s.phase == Phase.GODS_GIFTS
            picks = 2 if s.num_players == 2 else 1
            assert parts["pack"].sum() * 2 == (8 - picks * int(s.draft_round) if drafting else 0)


def test_a_position_by_hand():
    """A few numbers of a known position, from both seats."""
    g = Scenario(players=2, age=2, seat=1)
    g.upgrade(0, "Troll", "Valkyrie")
    g.put(0, "warrior", "utgard", 2)
    g.put(1, "ship", "fjord_utgard_andlang")
    g.put(1, "leader", "valhalla")
    g.stat(1, "axes", 4)
    g.rage(1, 3)
    g.hand(1, "Tyr's Rage", "Tyr's Rage", "Alfheim")
    g.quest(1, "Manheim")
    g.pillaged("gimle")
    g.destroyed("horgr")
    g.go()
    mine, theirs = (seen(g.states, seat) for seat in (1, 0))
    assert mine["figures"][1, 1, Place.UTGARD] == theirs["figures"][0, 1, Place.UTGARD] == 2 / 8
    assert mine["figures"][0, 0, Place.VALHALLA] == theirs["figures"][1, 0, Place.VALHALLA] == 1
    assert mine["strength"][:2, Place.UTGARD] == pytest.approx([2 / 20, 2 / 20])
    assert mine["strength"][:2, Place.ANDLANG] == pytest.approx([2 / 20, 0])
    assert mine["stats"][0].tolist() == pytest.approx([0, 3 / 5, 0])
    assert mine["stat_values"][0].tolist() == pytest.approx([6 / 12, 6 / 12, 4 / 12])
    assert mine["rage"].tolist() == pytest.approx([3 / 12, 6 / 12, 0, 0, 0])
    assert mine["room"][Place.UTGARD] == pytest.approx(1 / 5)
    assert np.flatnonzero(mine["pillaged"]).tolist() == [Place.GIMLE]
    assert np.flatnonzero(mine["destroyed"]).tolist() == [Place.HORGR]
    assert mine["hand"][Card.TYRS_RAGE] == 1
    assert mine["quests"].sum() == 0.5
    assert not theirs["hand"].any()
    assert not theirs["quests"].any()
    assert theirs["quest_counts"].tolist() == pytest.approx([0, 1 / 5, 0, 0, 0])
    assert theirs["hand_sizes"].tolist() == pytest.approx([0, 3 / 10, 0, 0, 0])
    assert mine["second_monster"][1].sum() == theirs["second_monster"][0].sum() == 1
    assert mine["upgrades"][1].sum() == 2


def test_step_and_observe():
    """Like `apply` and `observe` of the seat to act next; after the end and a refusal the arrays stay as they were."""
    for seed in range(6):
        states = engine.new_game(seed, 2 + seed % 3)
        other = states.copy()
        rng = np.random.default_rng(seed)
        vector = np.zeros(OBSERVATION_SIZE, np.float32)
        mask = np.zeros(engine.NUM_ACTIONS, np.int8)
        while True:
            action = even_action(states, rng)
            expected = engine.apply(other, 0, action)
            before = vector.copy(), mask.copy()
            assert step_and_observe(states, 0, engine.NUM_ACTIONS, vector, mask) == engine.ILLEGAL
            assert step_and_observe(states, 0, -1, vector, mask) == engine.ILLEGAL
            assert all(np.array_equal(a, b) for a, b in zip(before, (vector, mask), strict=True))
            assert step_and_observe(states, 0, action, vector, mask) == expected
            assert not differing(states, other)
            if expected == engine.GAME_OVER:
                assert all(np.array_equal(a, b) for a, b in zip(before, (vector, mask), strict=True))
                break
            assert np.array_equal(mask, engine.legal_mask(states, 0))
            assert np.array_equal(vector, observed(states, expected))


def test_observe_sparse():
    """The numbers that are not zero, in order, of any seat; arrays with too little room are refused."""
    columns, counts = np.empty(OBSERVATION_SIZE, np.uint16), np.empty(OBSERVATION_SIZE, np.uint8)
    both = np.empty(OBSERVATION_SIZE, np.uint8)
    seen = 0
    for states, _ in looked_at()[:200]:
        for seat in range(int(states[0].num_players)):
            observe_bytes(states, 0, seat, both)
            count = observe_sparse(states, 0, seat, columns, counts)
            assert columns[:count].tolist() == np.flatnonzero(both).tolist()
            assert np.array_equal(counts[:count], both[both != 0])
            with pytest.raises(ValueError, match="columns and counts must have room for all that is not zero"):
                observe_sparse(states, 0, seat, columns[: count - 1], counts)
            with pytest.raises(ValueError, match="columns and counts must have room for all that is not zero"):
                observe_sparse(states, 0, seat, columns, counts[: count - 1])
            assert observe_sparse(states, 0, seat, columns[:count], counts[:count]) == count
            seen += 1
    assert seen > 50


def test_observing_changes_nothing():
    for states, _ in looked_at():
        before = states.tobytes()
        for seat in range(int(states[0].num_players)):
            observed(states, seat)
        assert states.tobytes() == before
