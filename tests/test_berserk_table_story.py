"""What the page of Berserk is sent of the actions of cards."""

import numpy as np
import pytest
from berserk_position import FIRST, SECOND, Position

from bloodrage_env import games
from bloodrage_env.core.shown.table_page import PUBLIC, WATCHER
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import CELL, YES, Decision
from bloodrage_env.games.berserk.table_page.story import entries
from bloodrage_env.serve.plain import page_of

EYES = (FIRST, SECOND, WATCHER, PUBLIC)


def sent(p, *actions):
    """The entries of these answers, the same for all eyes; the steps of the fight, and the moves."""
    steps, moves = [], []
    for action in actions:
        found = entries(p.states, action, EYES)
        parts = [{name: part for name, part in found[seat].items() if name != "lines"} for seat in EYES]
        assert parts == parts[:1] * len(EYES)
        steps += parts[0].get("fight", [])
        moves += parts[0].get("moves", [])
        engine.apply(p.states, 0, action)
    return steps, moves


def test_a_fight_is_a_list_of_steps():
    """rules 4.1 to 4.8: attacker, target, defender, dice, how the strike lands, wounds."""
    p = Position()
    a = p.put(FIRST, "Minotaur", 12)
    target = p.put(SECOND, "Nomad", 17)
    defender = p.put(SECOND, "Mountain Giant", 16)
    p.dice(6, 1)
    p.go()
    steps, moves = sent(p, p.act_id(a, 0), CELL + 17)
    assert p.asked[1] == Decision.DEFENDER
    assert [each["step"] for each in steps] == ["begin", "aim"]
    assert (steps[0]["who"]["slot"], steps[0]["text"]) == (a, "simple strike 3-4-5")
    assert steps[1]["who"]["slot"] == target
    more, _ = sent(p, CELL + engine.NUM_CELLS - 1 - 16)  # as Second sees it
    assert [each["step"] for each in more] == ["defend", "dice", "result", "wounds", "end"]
    assert more[0]["who"]["slot"] == defender
    assert more[1]["dice"] == [["white", 6, "strong"], ["black", 1, "the strike lands"]]
    assert more[2]["text"] == "a strong strike lands"
    (hurt,) = more[3]["hurt"]
    assert hurt["who"]["life"] - hurt["lost"] == hurt["who"]["whole"] - int(p.s.wounds[defender])
    assert (hurt["who"]["slot"], hurt["died"], moves) == (defender, False, [])


def test_a_push_is_a_move_that_was_none_of_its_own():
    """rules 7.28"""
    p = Position()
    a = p.put(FIRST, "Hammerer", 12)
    b = p.put(SECOND, "Mountain Giant", 17, closed=1)
    p.strike(a, 17, 1)
    assert p.asked[1] == Decision.PUSH
    assert sent(p, YES, YES)[1] == [[b, 17, 22, True]]


def test_a_card_that_dies_loses_the_life_that_it_had():
    p = Position()
    a = p.put(FIRST, "Minotaur", 12)
    b = p.put(SECOND, "Nomad", 17, closed=1, wounds=5)
    p.dice(6)
    p.go()
    steps, _ = sent(p, p.act_id(a, 0), CELL + 17)
    (hurt,) = next(each for each in steps if each["step"] == "wounds")["hurt"]
    assert (hurt["who"]["slot"], hurt["lost"], hurt["died"]) == (b, hurt["who"]["life"], True)


@pytest.mark.parametrize("name", ["berserk", "berserk_team", "berserk_laar"])
def test_of_every_action_the_beginning_and_the_end_are_sent(name):
    """In random games: only then the next one begins, and no life changes that the steps do not have."""
    setup = {} if name == "berserk_laar" else {"setup": "fixed"}
    page, options = page_of(name), games.options_from(name, skip_forced=False, max_turns=9, **setup)
    game = games.game(name)
    rng, ended = np.random.default_rng(3), 0
    for seed in (2, 3):
        states, open_action = game.new_game(seed, options), False
        while not states[0].over:
            legal = np.flatnonzero(states[0].mask)
            late = legal[-4:] if states[0].turn else legal[1:4] if len(legal) > 2 else legal
            action = int(rng.choice(late))
            before = states[0].wounds.astype(int)
            for step in page.entries(states, action, [WATCHER]).get(WATCHER, {}).get("fight", []):
                assert (step["step"] == "begin") != open_action
                open_action = step["step"] != "end"
                ended += not open_action
                for hurt in step.get("hurt", []):
                    who = hurt["who"]
                    assert who["whole"] - who["life"] == before[who["slot"]]
                    before[who["slot"]] += hurt["lost"]
            game.play.apply(states, 0, action)
    assert ended > 9
