"""What the engine promises to whoever calls it: seeds, options, refusals, copies, the cap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import differing, even_action, games_in_the_middle, keen_action, options_of

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import Decision, Phase, Source

SEEDS = st.integers(0, 2**63 - 1)
PLAYERS = st.integers(2, 4)
FAR = st.integers(-(2**63), 2**63 - 1)


def play(states, rng, decisions=engine.MAX_DECISIONS):
    """Even play; returns the actions."""
    actions = []
    while not engine.is_over(states, 0) and len(actions) < decisions:
        actions.append(even_action(states, rng))
        engine.apply(states, 0, actions[-1])
    return actions


@settings(max_examples=300, derandomize=True)
@given(SEEDS, PLAYERS, st.integers(0, 250), st.lists(FAR | st.integers(-3, engine.NUM_ACTIONS + 3), max_size=30))
def test_illegal_actions_change_nothing(seed, players, decisions, actions):
    """Any number at any time: it is legal and leads on, or it is refused and not a byte changes."""
    states = engine.new_game(seed, players)
    engine.play_random(states, 0, seed, decisions)
    for action in actions:
        before = states.tobytes()
        legal = engine.legal_mask(states, 0)
        over = engine.is_over(states, 0)
        allowed = 0 <= action < engine.NUM_ACTIONS and legal[action] == 1
        result = engine.apply(states, 0, action)
        if over:
            assert result == engine.GAME_OVER
        if allowed:
            assert result != engine.ILLEGAL
            assert result == engine.seat_to_act(states, 0)
        else:
            assert over or result == engine.ILLEGAL
            assert states.tobytes() == before


def test_every_illegal_action_is_refused_everywhere():
    for _, states, _ in games_in_the_middle(range(36), share=0.05):
        before = states.tobytes()
        for action in np.flatnonzero(states[0].mask == 0).tolist():
            expected = engine.GAME_OVER if states[0].over else engine.ILLEGAL
            assert engine.apply(states, 0, action) == expected
        assert states.tobytes() == before


def test_after_the_end_nothing_can_be_done():
    states = engine.new_game(5, 3)
    play(states, np.random.default_rng(5))
    before = states.tobytes()
    assert engine.seat_to_act(states, 0) == engine.GAME_OVER
    assert not engine.legal_mask(states, 0).any()
    assert [engine.apply(states, 0, action) for action in range(-2, 300)] == [engine.GAME_OVER] * 302
    assert engine.play_random(states, 0, 1, 100) == 0
    assert engine.PLAY.refresh(states, 0) == 0
    assert states.tobytes() == before
    assert states[0].phase == Phase.OVER
    assert states[0].decision == Decision.NONE


@settings(max_examples=30, derandomize=True)
@given(SEEDS, PLAYERS, st.booleans(), st.booleans())
def test_seed_options_and_actions_are_the_game(seed, players, first_game, skip_forced):
    """rules 2: a game is told by them alone, also into a used record and next to others."""
    rng = np.random.default_rng(seed % 2**32)
    one = engine.new_game(seed, players, first_game, skip_forced)
    many = np.zeros(3, engine.STATE)
    many.view(np.uint8)[:] = 77
    engine.reset(many, 1, seed, np.array((players, first_game, skip_forced, 0)))
    assert not differing(one, many[1:2])
    for action in play(one, rng):
        engine.apply(many, 1, action)
    assert not differing(one, many[1:2])
    assert set(many[0:1].tobytes() + many[2:3].tobytes()) == {77}


@settings(max_examples=100, derandomize=True)
@given(SEEDS, PLAYERS)
def test_options_change_no_deck(seed, players):
    """rules 3.1.4, 7.7: tokens, doomed provinces, first player and decks are those of the seed."""
    games = [engine.new_game(seed, players, first, skip)[0] for first in (False, True) for skip in (False, True)]
    for name in ("token", "ragnarok", "destroyed", "first_player", "deck"):
        assert all(np.array_equal(game[name], games[0][name]) for game in games), name


def test_the_deals_do_not_depend_on_the_play():
    """The Ages to come are dealt from decks laid out at the start, whatever happens before."""
    for seed in range(12):
        dealt = set()
        for way in range(4):
            states = engine.new_game(seed, 3)
            rng = np.random.default_rng(way)
            while not (states[0].age == 1 and states[0].phase == Phase.GODS_GIFTS):
                engine.apply(states, 0, keen_action(states, rng) if way % 2 else even_action(states, rng))
            dealt.add((states[0].deck[1].tobytes(), states[0].deck[2].tobytes()))
        assert len(dealt) == 1


def test_other_seeds_are_other_games():
    decks = {engine.new_game(seed, 4)[0].deck.tobytes() for seed in (*range(2000), 2**31, 2**32, 2**32 + 1, 2**63 - 1)}
    assert len(decks) == 2004
    openings = {(int(s.first_player), *s.token.tolist(), *s.ragnarok.tolist()) for s in map(first_state, range(300))}
    assert len(openings) > 290


def first_state(seed):
    return engine.new_game(seed, 4)[0]


def test_a_clone_is_a_true_copy():
    for seed, states, _ in games_in_the_middle(range(24), share=0.02):
        copy = engine.clone(states, 0)
        assert not differing(copy, states)
        before = states.tobytes()
        play(copy, np.random.default_rng(seed), 30)
        assert states.tobytes() == before


def test_a_mask_is_a_copy():
    states = engine.new_game(1, 2)
    engine.legal_mask(states, 0)[:] = 1
    assert states[0].mask.sum() == states[0].num_legal < 10


def test_what_apply_returns():
    for seed in range(24):
        states = engine.new_game(seed, *options_of(seed).numbers())
        rng = np.random.default_rng(seed)
        while True:
            result = engine.apply(states, 0, keen_action(states, rng))
            assert result == engine.seat_to_act(states, 0)
            assert engine.is_over(states, 0) == (result == engine.GAME_OVER)
            if result == engine.GAME_OVER:
                break
            assert 0 <= result < states[0].num_players
        assert engine.scores(states, 0).tolist() == states[0].glory[: states[0].num_players].tolist()


def test_a_forced_question_is_asked_only_if_wanted():
    """rules 7.7: the same play, with and without; what was answered by itself is what there was to answer."""
    forced = 0
    for seed in range(12):
        states = engine.new_game(seed, 3, skip_forced=False)
        short = engine.new_game(seed, 3, skip_forced=True)
        rng = np.random.default_rng(seed)
        while not engine.is_over(states, 0):
            if engine.is_openly_forced(states, 0):
                engine.apply(states, 0, int(states[0].mask.argmax()))
                forced += 1
                continue
            assert set(differing(states, short)) <= {"skip_forced"}
            action = keen_action(states, rng)
            engine.apply(states, 0, action)
            engine.apply(short, 0, action)
        assert set(differing(states, short)) <= {"skip_forced"}
    assert forced > 100


@pytest.mark.parametrize("left", [1, 2, 3])
def test_a_game_is_cut_off_at_the_cap(left):
    """rules 7.9: after so many decisions it is over, truncated, and glory stands as it is."""
    cut_off = 0
    for _, states, rng in games_in_the_middle(range(24), share=0.02):
        if engine.is_over(states, 0):
            continue
        cut = engine.clone(states, 0)
        cut[0].decisions = engine.MAX_DECISIONS - left
        answers = 0
        while not engine.is_over(cut, 0):
            answers += 1
            result = engine.apply(cut, 0, even_action(cut, rng))
        assert result == engine.GAME_OVER
        assert cut[0].decisions <= engine.MAX_DECISIONS
        assert answers <= left
        if not cut[0].truncated:
            assert cut[0].glory_from[:, Source.END_BONUS].any() or cut[0].age == 2  # it ended by itself
            continue
        assert cut[0].decisions == engine.MAX_DECISIONS
        assert answers == left or states[0].skip_forced == 1
        assert not cut[0].glory_from[:, Source.END_BONUS].any()
        cut_off += 1
    assert cut_off > 40


def test_games_that_end_are_not_cut_off():
    for seed in range(24):
        states = engine.new_game(seed, *options_of(seed).numbers())
        play(states, np.random.default_rng(seed))
        assert (int(states[0].over), int(states[0].truncated)) == (1, 0)
        assert states[0].decisions < 1000


@pytest.mark.parametrize("players", [-1, 0, 1, 6, 2**40])
def test_players_out_of_range_are_refused(players):
    with pytest.raises(ValueError, match="num_players must be 2, 3, 4 or 5"):
        engine.new_game(1, players)
    states = engine.new_game(1, 3)
    before = states.tobytes()
    with pytest.raises(ValueError, match="num_players"):
        engine.reset(states, 0, 1, np.array((players, 0, 1, 0)))
    assert states.tobytes() == before


@pytest.mark.parametrize("arguments", [(), (1,), ("one", 2), (1, 2, 3, 4, 5), (None, 2)])
def test_bad_arguments_raise(arguments):
    with pytest.raises((TypeError, ValueError)):
        engine.new_game(*arguments)


def test_the_record_is_small():
    assert engine.STATE.itemsize < 6000
    assert engine.STATE.isalignedstruct
