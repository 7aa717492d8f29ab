"""What is shown of flyers, how agents play them, and what is hidden, by the cards of `berserk_own_cards.csv`;
`test_berserk_own_cards.py` runs these tests in a process that has those cards.
"""

import numpy as np
import pytest
import test_berserk_leaks as leaks
import test_berserk_modes_leaks as modes_leaks
from berserk_flyers import FLYING, flyers_in, is_flyer, played_to_the_battle
from berserk_keywords import played
from berserk_laar_position import FIEND, HERO, LaarPosition
from berserk_position import FIRST, SECOND, Position, new_game
from berserk_team_position import A, B, C, D, TeamPosition

from bloodrage_agents import match, registry
from bloodrage_env import games
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import BLOCKS, FLYER, SQUAD, Act, Card, Decision, Frame, Phase
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.language import LANGUAGE
from bloodrage_env.games.berserk.notation import action_name, action_text, board_text, events
from bloodrage_env.games.berserk.notation.words import ZONE
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.render.replay_page import page_data
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.games.berserk.table_page import PAGE
from bloodrage_env.text import words_of

FORMS = (("berserk", {}), ("berserk_team", {}), ("berserk_laar", {}), ("berserk_laar", {"num_players": 1}))


# ---- the Battle for Laar


def test_the_demon_wounds_flyers():
    """rules 11.7, 12.9: all cards."""
    p = LaarPosition(turn=3)
    hawk = p.fly(HERO, "Hawk")
    p.put(HERO, "Angel", 2)
    p.put(FIEND, "Demon", 22)
    p.end_turn()
    assert p.wounds(hawk) == 4


def test_the_angel_is_healed_with_flyers_and_strikes_none():
    """rules 11.8, 12.9: she heals them wherever they are."""
    p = LaarPosition(turn=3)
    hawk, angel = p.fly(HERO, "Hawk", wounds=3), p.put(HERO, "Angel", 17)
    p.put(FIEND, "Demon", 22)
    p.strike(angel, 22, 1, 1)
    assert p.wounds(hawk) == 2


# ---- actions, observations, texts, pages


def test_the_actions_of_flyers_are_those_of_all_seats_after_the_others():
    """rules 9.2, 12.18: own slots first, then those of the partner, the left and the right opponent."""
    assert (BLOCKS[-1].name, BLOCKS[-1].start, BLOCKS[-1].size) == ("FLYER", FLYER, 2 * SQUAD)
    p = TeamPosition()
    hawk = p.fly(A, "Hawk")
    slots = [p.fly(seat, "Eagle") for seat in (B, C, D)]
    p.act(hawk, Act.STRIKE)
    assert p.flyers() == {slots[0], slots[2]}
    first = TeamPosition.engine.FLYER
    assert p.s.mask.nonzero()[0].tolist() == [first + 2 * SQUAD, first + 3 * SQUAD]
    p.dice(6, 1)
    p.choose_flyer(slots[0])
    p.done()  # the partner of B has a flyer too, which does not defend
    assert [p.wounds(slot) for slot in slots] == [3, 0, 0]


def test_a_flyer_is_observed_without_row_and_column():
    """rules 12.18"""
    p = Position()
    p.fly(FIRST, "Hawk")
    p.put(SECOND, "Orc", 12)
    p.go()
    for seat, slot in ((FIRST, 0), (SECOND, SQUAD)):
        vector = np.zeros(GAME.observation_size, np.uint8)
        GAME.observe.observe_bytes(p.states, 0, seat, vector)
        parts = GAME.by_section(vector)
        assert parts["numbers"][slot][0] == 1
        assert parts["cards"][slot].argmax() == Card["HAWK"]
        assert parts["rows"].sum() == parts["columns"].sum() == 1


def test_texts_and_pages_show_flyers():
    """rules 12.9, 12.18: the board of the terminal, answers, events, the page and a replay."""
    p = Position()
    hawk, eagle = p.fly(FIRST, "Hawk"), p.fly(SECOND, "Eagle")
    p.put(SECOND, "Orc", 12)
    p.act(hawk, Act.STRIKE)
    assert "Additional zone of Player B: B1 Eagle 9/9 m0" in board_text(p.states, 0, SECOND)
    action = p.flyer_id(eagle)
    assert action_name(action) == "FLYER[15]"
    assert action_text(p.states, 0, action) == "Eagle (B1) in the additional zone"
    shown = PAGE.seen(p.states, FIRST, True, Options())
    assert {(card["name"], card["cell"]) for card in shown["scene"]["cards"]} >= {("A1", 30), ("B1", 45)}
    assert 45 in [choice["cell"] for choice in shown["question"]["choices"]]
    p.dice(6, 1)
    steps = PAGE.entries(p.states, action, [FIRST])[FIRST]["fight"]
    assert [(each["who"]["name"], each["who"]["cell"]) for each in steps if each["step"] == "aim"] == [("B1", 45)]
    assert "Eagle (B1) takes 3 wounds" in [each.text for each in events(p.states, action, SECOND)]


def test_a_flyer_is_named_in_a_composite_move():
    """rules 12.18: the action and its target in one answer, as language models give it."""
    p = Position()
    p.fly(FIRST, "Hawk")
    eagle = p.fly(SECOND, "Eagle")
    p.put(SECOND, "Orc", 12)
    p.go()
    first, plan = LANGUAGE.composite(words_of("A1: strike flyer b1"), p.states, FIRST)
    assert first == {"kind": "act", "arguments": {"slot": "A1", "act": "strike"}}
    second = LANGUAGE.follow(plan, p.states, FIRST)
    assert second == {"kind": "flyer", "arguments": {"slot": "B1"}}
    for step in (first, second):
        p.answer(structs_of(games.spec("berserk")).action(p.states, FIRST, step))
    assert int(p.s.stack[2, Frame.TARGET]) == eagle


@pytest.mark.parametrize("placing", ["in_turn", "at_once"])
def test_an_event_says_that_flyers_come_as_soon_as_they_are_seen(placing):
    """rules 12.10: to the owner when its placement is over, to the other player with the cells."""
    heard = late = 0
    for seed in range(4):
        for states in played_to_the_battle(seed, placing=placing):
            s = states[0]
            if s.decision not in (Decision.BUY, Decision.PLACE) or s.phase == Phase.BATTLE:
                continue
            action = int(s.mask.nonzero()[0][0])
            after = engine.clone(states, 0)
            engine.apply(after, 0, action)
            for viewer in (FIRST, SECOND):
                said = [each.text for each in events(states, action, viewer) if each.text.endswith(ZONE)]
                for seat in (FIRST, SECOND):
                    before, now = (
                        flyers_in(x[0], seat) if viewer == seat or engine.squad_is_seen(x[0], seat) else []
                        for x in (states, after)
                    )
                    mine = [text for text in said if f"({'AB'[seat]}" in text]
                    assert len(mine) == len(now) - len(before)
                    heard += len(mine)
                    late += viewer != seat and len(mine) > 0 and len(flyers_in(s, seat)) > 0
    assert heard > 4
    assert (late > 0) == (placing == "at_once")


@pytest.mark.parametrize("flying", [0, 1], ids=["First", "Second"])
def test_events_of_a_placement_where_one_player_has_flyers_alone(flying):
    """rules 2.5, 12.10: the cells of the other are shown once, to who does not know them; none of flyers are."""
    for seed in range(20):
        states = new_game(seed, decks=(FLYING,) * 2, placing="at_once", skip_forced=False)
        s, found = states[0], []
        while s.phase < Phase.REVEAL:
            legal = s.mask.nonzero()[0]
            if s.decision == Decision.BUY:
                fits = [
                    a
                    for a in legal
                    if a >= engine.CARD and is_flyer(a - engine.CARD) == ((s.seat != s.first) == flying)
                ]
                legal = (fits if not s.squad[s.seat].any() else legal[:1]) or legal[-1:]
            if s.phase == Phase.PLACEMENT:
                found += [[each.text for each in events(states, int(legal[0]), viewer)] for viewer in (FIRST, SECOND)]
            engine.apply(states, 0, int(legal[0]))
        if all(bool(flyers_in(s, seat)) == ((seat != s.first) == flying) for seat in (FIRST, SECOND)):
            break
    texts = [text for each in found for text in each if "places cards on" in text]
    assert len(texts) == 1
    assert texts[0].split()[-1] != "on"


def test_a_replay_and_its_page_hold_flyers(tmp_path):
    """rules 12.1, 12.9"""
    squad = (("HAWK", 12), ("EAGLE", 2), ("SKELOS", 11), ("FORRENDOR_WATCH", 10))
    options = Options(setup="fixed", squads=(squad, squad), max_turns=6)
    game = played(("random", "random"), options)
    replay = Replay(options=options, seed=5, actions=game.actions)
    replay.save(tmp_path / "own.bsk")
    cells = {
        cell
        for frame in page_data(Replay.load(tmp_path / "own.bsk"), "it")["frames"]
        for _, _, cell, *_ in frame["cards"]
    }
    assert cells >= {32, 33}


SQUAD_OF_FLYERS = (("HAWK", 12), ("EAGLE", 2), ("SKELOS", 11))


@pytest.mark.parametrize(
    ("name", "agents", "options"),
    [
        ("berserk", ("hold", "rush"), {"setup": "fixed", "squads": (SQUAD_OF_FLYERS,) * 2}),
        ("berserk", ("ismcts:simulations=4", "random"), {"setup": "fixed", "squads": (SQUAD_OF_FLYERS,) * 2}),
        ("berserk_team", ("hold", "random", "rush", "random"), {"setup": "fixed", "squads": (SQUAD_OF_FLYERS,) * 4}),
        ("berserk_laar", ("hold", "rush"), {"decks": (FLYING,) * 2}),
    ],
)
def test_agents_play_flyers(name, agents, options):
    """rules 12.18: styles and the search answer what is legal, in every mode."""
    options = games.options_from(name, max_turns=3, **options)
    found = match.play_game([registry.make(each, name) for each in agents], 5, options, list(range(len(agents))))
    assert found.forfeit_reason is None
    assert len(found.actions) > 3


# ---- secrets and random games


def test_a_player_who_is_asked_for_a_cell_has_a_card_that_is_no_flyer():
    """rules 9.4, 12.10: in redeals too; with one card in a deal it is often a flyer."""
    states = new_game(5, decks=(FLYING,) * 2, skip_forced=False)
    s = states[0]
    while s.decision != Decision.PLACE or s.seat == s.first:
        small = s.decision == Decision.KEEP and s.seat != s.first and s.deal_size[s.seat] > 1
        legal = s.mask.nonzero()[0]
        if s.decision == Decision.BUY:
            legal = [each for each in legal if not is_flyer(each - engine.CARD)] or legal
        engine.apply(states, 0, engine.NO if small else int(legal[0]))
        if s.phase == Phase.BATTLE or (s.phase == Phase.PLACEMENT and flyers_in(s, 1 - int(s.first))):
            raise AssertionError("the only card of the deal is a flyer: take another seed")
    for seed in range(20):
        engine.check_state(engine.redeal(states, 0, int(s.first), seed), 0)


def test_redeals_and_views_of_flyers():
    """rules 9.4, 12.10: all that holds of other decks."""
    leaks.test_a_redeal_cannot_be_told_from_the_game({"decks": (FLYING,) * 2, "placing": "at_once"})


@pytest.mark.parametrize(("name", "options"), FORMS)
def test_redeals_of_flyers_in_every_form(name, options):
    """rules 9.4, 10.22, 11.13, 12.10"""
    seats = 4 if name == "berserk_team" else 2
    options = options | {"decks": (FLYING,) * seats}
    modes_leaks.test_a_redeal_reads_nothing_hidden(name, options)


def test_nothing_is_shown_of_what_is_hidden_with_flyers():
    """rules 9.4, 10.7, 12.10: also of flyers that have come and are not seen yet, a partner's too."""
    options = {"decks": (FLYING,) * 4, "placing": "at_once"}
    modes_leaks.test_games_with_the_same_past_look_the_same("berserk_team", options)


@pytest.mark.parametrize(("name", "options"), FORMS)
def test_every_state_of_random_games_with_flyers_keeps_the_invariants(name, options):
    """rules 9.6, 12.9"""
    game = games.game(name)
    decks = (FLYING,) * (4 if name == "berserk_team" else 2)
    numbers = np.array(games.options_from(name, decks=decks, max_turns=8, **options).numbers())
    states = game.new_game(0, games.options_from(name, **options))
    assert game.play_checked(states, 0, 1, numbers, np.zeros(4, np.int64)) == -1
