"""Actions as names and back, questions and answers in words."""

import re
from collections import Counter

import numpy as np
import pytest
from gods import GODS
from mystics import FRIGGA, MYSTICS, ODIN, alone, game, mystics
from random_play import even_action, games_in_the_middle, keen_action
from scenario import Scenario
from seen import seen

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.actions import (
    BLOCKS,
    CARD,
    COUNT,
    FIGURE_AT,
    MARCH_ID,
    NO,
    PASS,
    PROVINCE,
    SLOT,
    STAT,
    YES,
)
from bloodrage_env.games.bloodrage.engine.actions import figure_at as figure_at_id
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place, Stat
from bloodrage_env.games.bloodrage.notation import (
    CLANS,
    action_id,
    action_name,
    action_text,
    decision_text,
    own_decision_text,
)
from bloodrage_env.games.bloodrage.render.scene import scene

ALL_DECISIONS = {decision for decision in Decision if decision != Decision.NONE}


# ---- names


def test_a_step_of_a_stat_says_what_it_pays():
    """rules 1.5: the fourth and fifth steps are worth 10 glory at the end, the last one 20."""
    states = engine.new_game(1, 2)
    said = []
    for step in range(engine.NUM_STEPS - 1):
        states[0].stat_step[0, 0] = step
        states[0].decision, states[0].seat, states[0].mask[STAT] = Decision.STAT, 0, 1
        said.append(action_text(states, 0, STAT))
    more = " (10 more glory at the end)"
    values = ["6 to 7", "7 to 8", "8 to 9" + more, "9 to 12", "12 to 12" + more]
    assert said == [f"raise Rage from {value}" for value in values]


def test_every_id_has_a_name_of_its_own_and_every_name_its_id():
    names = [action_name(action) for action in range(engine.NUM_ACTIONS)]
    assert len(set(names)) == engine.NUM_ACTIONS
    assert [action_id(name) for name in names] == list(range(engine.NUM_ACTIONS))


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("PASS", PASS),
        ("YES", YES),
        ("NO", NO),
        ("STAT[HORNS]", STAT + Stat.HORNS),
        ("COUNT[8]", COUNT + 8),
        ("SLOT[2]", SLOT + 2),
        ("PROVINCE[YGGDRASIL]", PROVINCE + Place.YGGDRASIL),
        ("CARD[TROLL]", CARD + Card.TROLL),
        ("CARD[MANHEIM_2]", CARD + Card.MANHEIM_2),
        ("FIGURE_AT[WARRIOR, UTGARD]", figure_at_id(Figure.WARRIOR, Place.UTGARD)),
        (
            "FIGURE_AT[MYSTIC, FJORD_GIMLE_MYRKULOR]",
            figure_at_id(Figure.MYSTIC, Place.FJORD_GIMLE_MYRKULOR),
        ),
        ("MARCH[GIMLE, HORGR]", int(MARCH_ID[Place.GIMLE, Place.HORGR])),
    ],
)
def test_names_say_what_the_ids_are(name, action):
    assert action_name(action) == name
    assert action_id(name) == action


def test_names_begin_with_their_block():
    for block in BLOCKS:
        for action in range(block.start, block.start + block.size):
            assert action_name(action).split("[")[0] == block.name


@pytest.mark.parametrize(
    "name",
    ["", "pass", " PASS", "CARD[TROL]", "CARD[45]", "MARCH[GIMLE, GIMLE]", "MARCH[GIMLE,HORGR]", "COUNT[9]", "CARD"],
)
def test_other_texts_are_no_names(name):
    with pytest.raises(ValueError, match="the name of no action"):
        action_id(name)


@pytest.mark.parametrize("action", [-1, engine.NUM_ACTIONS])
def test_other_numbers_are_no_actions(action):
    with pytest.raises(ValueError, match=f"{action} is not an action"):
        action_name(action)


# ---- answers and questions in words


def test_answers_to_every_kind_of_question_are_different_words():
    """No two legal actions may read alike, and none may fall back to its id."""
    seen = dict.fromkeys(ALL_DECISIONS, 0)
    for seed in range(250):
        rng = np.random.default_rng(seed)
        sets = MYSTICS | GODS if seed % 3 else 0
        states = engine.new_game(seed, 2 + seed % 3, skip_forced=seed % 2 == 0, sets=sets)
        while not engine.is_over(states, 0):
            decision = Decision(int(states[0].decision))
            seen[decision] += 1
            if seen[decision] < 60:
                texts = [action_text(states, 0, int(action)) for action in np.flatnonzero(states[0].mask)]
                assert len(set(texts)) == len(texts), texts
                assert not any(re.search(r"[\[\]_{}]|  |[A-Z]{2}", text) for text in texts), texts
                question = decision_text(states, 0)
                assert question.startswith(f"{CLANS[states[0].seat]} ")
                assert not re.search(r"[\[\]_{}]|  |[A-Z]{2}", question), question
            engine.apply(states, 0, keen_action(states, rng) if seed % 2 else even_action(states, rng))
    assert min(seen.values()) > 0, [decision.name for decision, count in seen.items() if count == 0]


def texts_of(g):
    g.go()
    return {action_text(g.states, 0, int(action)) for action in np.flatnonzero(g.states[0].mask)}


def test_actions_in_words():
    g = Scenario(players=2, age=2)
    g.hand(0, "Troll", "Manheim", "Frigga's Charm")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "warrior", "elvagar")
    g.token("elvagar", "glory")
    texts = texts_of(g)
    assert texts >= {
        "pass",
        "invade Utgard with a warrior (1 Rage)",
        "invade Utgard with the leader (free)",
        "invade the fjord of Utgard and Andlang with the ship (2 Rage)",
        "march from Gimle to Horgr (1 Rage)",
        "play Troll for 2 Rage",
        "play Frigga's Charm for free",
        "commit to the quest Manheim (7 glory)",
        "pillage Elvagar for 5 glory",
    }
    assert decision_text(g.states, 0) == "Wolf takes an action, or passes (6 Rage left)"
    assert own_decision_text(g.states, 0) == "Take an action, or pass (6 Rage left)"


def test_every_question_can_be_put_to_the_clan_itself():
    """The words of both are the same but for "You" and the endings of verbs."""
    for _, states, _ in games_in_the_middle(range(20), 0.1):
        said, own = decision_text(states, 0), own_decision_text(states, 0)
        if states[0].over:
            assert own == said
            continue
        verb = said.split()[1]
        assert own.startswith("You may ") if verb == "may" else own.split()[0].lower() in (verb[:-1], verb[:-2])
        assert len(said.split()) - len(own.split()) == (verb != "may")


def test_a_clan_that_called_a_battle_is_told_so():
    called = 0
    for _, states, _ in games_in_the_middle(range(20), 0.2):
        if states[0].decision != Decision.CALL or states[0].over:
            continue
        caller = decision_text(states, 0).rsplit(" ", 1)[-1]
        own = caller == CLANS[states[0].seat]
        assert own_decision_text(states, 0).endswith("which you called" if own else f"called by {caller}")
        called += own
    assert called


def test_prices_in_words_are_those_that_are_paid():
    g = Scenario(players=2)
    g.hand(0, "Troll")
    g.upgrade(0, "Frigga's Charm", "Experts in Arms")
    assert texts_of(g) >= {"play Troll for 1 Rage", "invade Gimle with a warrior (2 Rage)"}


def test_marching_in_words():
    g = Scenario(players=2)
    g.upgrade(0, "Troll")
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "monster_1", "gimle")
    g.go()
    engine.apply(g.states, 0, action_id("MARCH[GIMLE, HORGR]"))
    assert decision_text(g.states, 0) == "Wolf marches from Gimle to Horgr: how many, the leader?"
    assert texts_of(g) == {"the leader goes", "the leader stays"}
    engine.apply(g.states, 0, action_id("COUNT[1]"))
    assert decision_text(g.states, 0) == "Wolf marches from Gimle to Horgr: how many, warriors?"
    assert texts_of(g) == {"no warrior goes", "1 warrior goes", "2 warriors go"}
    engine.apply(g.states, 0, action_id("COUNT[2]"))
    assert texts_of(g) == {"the Troll goes", "the Troll stays"}


def test_saving_in_words():
    g = Scenario(players=2, skip_forced=False)
    g.upgrade(1, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    while g.asked()[1] != Decision.SAVE:
        engine.apply(g.states, 0, NO)
    assert decision_text(g.states, 0) == "Bear may save what is about to die in Gimle: 2 warriors"
    assert texts_of(g) == {
        "let 2 warriors die",
        "save 1 of 2 warriors (1 Rage)",
        "save 2 warriors (2 Rage)",
    }


def test_a_withdrawal_in_words():
    g = mystics(game(), 1, "gimle", "gimle")
    g.upgrade(1, FRIGGA)
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle", 2)
    g.destroyed("andlang")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert decision_text(g.states, 0) == "Bear may withdraw what is about to die in Gimle: 2 Mystics"
    withdrawals = {"a Mystic withdraws to Myrkulor", "a Mystic withdraws to Yggdrasil"}
    assert texts_of(g) == {"let 2 Mystics die", *withdrawals}
    g.province(1, "yggdrasil")
    assert texts_of(g) == {"let a Mystic die", *withdrawals}


def test_a_victim_in_words():
    g = mystics(mystics(alone(), 0, "reserve"), 1, "gimle")
    g.upgrade(0, ODIN)
    g.put(1, "warrior", "gimle")
    assert "invade Gimle with a Mystic (free)" in texts_of(g)
    g.invade(0, "mystic", "gimle")
    assert decision_text(g.states, 0) == "Wolf may destroy a figure of Bear's in Gimle for its village"
    assert texts_of(g) == {"destroy Bear's warrior", "destroy Bear's Mystic", "destroy no figure of Bear's"}


def test_mystics_march_in_words():
    g = mystics(alone(), 0, "gimle", "gimle")
    g.answer(0, action_id("MARCH[GIMLE, HORGR]"))
    assert decision_text(g.states, 0) == "Wolf marches from Gimle to Horgr: how many, Mystics?"
    assert texts_of(g) == {"1 Mystic goes", "2 Mystics go"}


def test_what_is_not_legal_has_only_its_name():
    g = Scenario(players=2)
    g.go()
    assert action_text(g.states, 0, CARD + Card.TROLL) == "CARD[TROLL]"
    with pytest.raises(ValueError, match="is not an action"):
        action_text(g.states, 0, engine.NUM_ACTIONS)


def test_after_the_end():
    states = engine.new_game(1, 2)
    engine.play_random(states, 0, 1, engine.MAX_DECISIONS)
    assert decision_text(states, 0) == "The game is over."


def question_of(states, viewer):
    return scene(states, 0, viewer)["question"]["text"]


def test_secret_questions_name_nobody_to_others():
    """The same questions whose actor the observation hides."""
    asked = Counter()
    for _, states, _ in games_in_the_middle(range(60), 0.3):
        s = states[0]
        asked[int(s.decision)] += 1
        if s.over or asked[int(s.decision)] > 25:
            continue
        other = (int(s.seat) + 1) % int(s.num_players)
        hidden = not seen(states, other)["actor"].any()
        assert engine.is_secret(states, 0) == hidden, Decision(s.decision)
        assert question_of(states, int(s.seat)) == decision_text(states, 0)
        for viewer in (other, None):
            text = question_of(states, viewer)
            assert (text == decision_text(states, 0)) == (not hidden)
            if hidden:
                assert not any(name in text for name in CLANS)
    assert {Decision.DRAFT, Decision.BATTLE_CARD, Decision.LATE_CARD, Decision.KEEP_CARD} <= asked.keys()


def test_names_of_actions_that_figures_can_never_take_are_there_too():
    """The blocks are whole: FIGURE_AT has each reserved kind at each place."""
    assert len({action_name(action) for action in range(FIGURE_AT, FIGURE_AT + 6 * 13)}) == 6 * 13
