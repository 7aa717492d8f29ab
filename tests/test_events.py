"""What happened, in words: everything that counts is told, and nothing that a seat may not know."""

import re

import numpy as np
import pytest
from mystics import MYSTICS, ODIN, THOR, alone, mystics
from random_play import differing, games_in_the_middle, keen_action, options_of
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import pieces
from bloodrage_env.games.bloodrage.engine.actions import CARD, COUNT, NO
from bloodrage_env.games.bloodrage.engine.cards import TITLE
from bloodrage_env.games.bloodrage.engine.ids import Decision
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.notation import CLANS, Kind, event_lines, events, opening_events

SECRET = (Decision.DRAFT, Decision.BATTLE_CARD, Decision.LATE_CARD, Decision.KEEP_CARD)


def played(seeds):
    """Games from start to end: seed, state before, action, state after, decision by decision."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        states = engine.new_game(seed, 2 + seed % 3, skip_forced=seed % 2 == 0, sets=MYSTICS if seed % 4 == 1 else 0)
        while not engine.is_over(states, 0):
            before = engine.clone(states, 0)
            action = keen_action(before, rng)
            engine.apply(states, 0, action)
            yield seed, before, action, states


def test_the_pieces_of_an_answer_lead_where_the_engine_leads():
    count = 0
    for _seed, before, action, after in played(range(24)):
        *_, last = pieces(before, 0, action)
        assert not differing(last.after, after)
        count += 1
    assert count > 3000


def test_a_game_that_is_cut_off_is_shown():
    states = engine.new_game(3, 2)
    states[0].decisions = engine.MAX_DECISIONS - 1
    before = engine.clone(states, 0)
    action = int(np.flatnonzero(states[0].mask)[0])
    engine.apply(states, 0, action)
    assert states[0].truncated == 1
    assert f"  the game is cut off after {engine.MAX_DECISIONS} decisions" in event_lines(before, states, action)


@pytest.mark.slow
def test_all_glory_is_shown():
    """Summed up over a game, the lines give what each clan has."""
    pattern = re.compile(rf"({'|'.join(CLANS)}) (gains|loses) (.*)")
    glory = {}
    for seed, before, action, after in played(range(30)):
        for event in events(before, action):
            found = pattern.fullmatch(event.text)
            if found and "glory (" in found[3]:
                clan, sign = CLANS.index(found[1]), 1 if found[2] == "gains" else -1
                total = sum(int(n) for n in re.findall(r"(\d+) glory", found[3]))
                glory[seed, clan] = glory.get((seed, clan), 0) + sign * total
        if after[0].over:
            for clan in range(int(after[0].num_players)):
                assert glory.get((seed, clan), 0) == after[0].glory[clan], f"seed {seed}, {CLANS[clan]}"


def test_lines_read_well():
    for _seed, before, action, _ in played(range(20)):
        for event in events(before, action):
            assert not re.search(r"[\[\]_{}]|  |\bNone\b|nothing", event.text), event.text


def test_a_wrong_successor_or_action_is_refused():
    before = engine.new_game(1, 3)
    action = int(np.flatnonzero(before[0].mask)[0])
    with pytest.raises(ValueError, match="does not lead"):
        event_lines(before, before, action)
    with pytest.raises(ValueError, match="is not legal here"):
        event_lines(before, before, engine.NUM_ACTIONS)
    with pytest.raises(ValueError, match="is not legal here"):
        events(before, 0)


def events_of(states, answers, seat=None):
    """The lines of several answers."""
    states = engine.clone(states, 0)
    lines = []
    for action in answers:
        before = engine.clone(states, 0)
        engine.apply(states, 0, action)
        lines += event_lines(before, states, action, seat)
    return lines


def test_a_battle_is_told_from_call_to_glory():
    g = Scenario(players=2)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.hand(0, "Tyr's Bash", "Troll")
    g.hand(1, "Loki's Trickery", "Manheim")
    g.pillage(0, "gimle")
    g.card(0, "Tyr's Bash")
    before = engine.clone(g.states, 0)
    action = CARD + next(card for card, title in enumerate(TITLE) if title == "Loki's Trickery")
    answers = [action, NO, NO]  # nobody adds a card
    assert events_of(before, answers) == [
        "Bear: play Loki's Trickery (+0)",
        "  revealed: Wolf Tyr's Bash, Bear Loki's Trickery",
        "Wolf: add no card",
        "Bear: add no card",
        "  Wolf 3 + 2 = 5, Bear 2 + 0 = 2: Wolf wins",
        "  Wolf loses 1 Rage (Loki's Trickery)",
        "  Bear gains 1 Rage (Loki's Trickery)",
        "  Bear loses 2 warriors in Gimle (battle)",
        "  Wolf pillages Gimle: Rage",
        "  Wolf raises Rage to 7",
        "  Wolf gains 3 glory (battle)",
    ]
    seen_by_wolf = events_of(before, answers, 0)
    assert seen_by_wolf[0] == "  revealed: Wolf Tyr's Bash, Bear Loki's Trickery"
    assert "Wolf: add no card" in seen_by_wolf
    assert "Bear: add no card" not in seen_by_wolf


def test_cancelled_texts_and_stolen_cards_are_shown():
    g = Scenario(players=2, age=3)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.hand(0, "Tyr's Crush", "Troll")
    g.hand(1, "Loki's Poison", "Manheim")
    g.pillage(0, "gimle")
    g.card(0, "Tyr's Crush")
    before = engine.clone(g.states, 0)
    poison = CARD + TITLE.index("Loki's Poison")
    assert "  Bear takes Tyr's Crush from Wolf (Loki's Poison)" in events_of(before, [poison, NO, NO])
    g.card(1, "Manheim")

    g = Scenario(players=2, age=3)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Thor's Primacy", "Troll")
    g.hand(1, "Loki's Poison", "Manheim")
    g.pillage(0, "gimle")
    g.card(0, "Thor's Primacy")
    shown = events_of(g.states, [poison, NO, NO])
    assert "  the text of Bear's Loki's Poison is cancelled" in shown
    assert not any("takes" in text for text in shown)


@pytest.mark.slow
def test_other_seats_are_told_nothing_of_secret_answers():
    """Only the round's end brings it to light; an own answer is told to oneself."""
    shown = 0
    for _seed, before, action, after in played(range(40)):
        s = before[0]
        if not engine.is_secret(before, 0) or after[0].decision != s.decision or s.draft_round != after[0].draft_round:
            continue
        if (s.discards != after[0].discards).any():
            continue  # the cards came to light, and others are chosen
        for viewer in range(int(s.num_players)):
            texts = [event.text for event in events(before, action, viewer)]
            if viewer != s.seat and s.decision != Decision.LATE_CARD and s.skip_forced == 0:
                assert texts == [], texts
            shown += viewer == s.seat and any(event.kind == Kind.SECRET for event in events(before, action, viewer))
    assert shown > 1000


def test_other_seats_are_not_told_which_quest():
    for _seed, before, action, _ in played(range(60)):
        s = before[0]
        if s.decision == Decision.ACTION:
            shown = events(before, action)[0].text
            if "quest" in shown and "commit" in shown:
                seat = int(s.seat)
                assert events(before, action, seat)[0].text == shown
                other = (seat + 1) % int(s.num_players)
                assert events(before, action, other)[0].text == f"{CLANS[seat]}: commit to a quest"


def test_a_seat_is_told_the_same_in_worlds_that_it_cannot_tell_apart():
    """Its own answer, in worlds that it cannot tell apart, and that brings nothing to light."""
    count = 0
    for seed, states, rng in games_in_the_middle(range(80), 0.1):
        s = states[0]
        if s.over:
            continue
        seat = int(s.seat)
        action = keen_action(states, rng)
        shown = events(states, action, seat)
        hands = [f"{name}'s hand" for name in CLANS if name != CLANS[seat]]
        assert not any(event.text.startswith(hand) for event in shown for hand in hands)
        if s.decision == Decision.ACTION and len(list(pieces(states, 0, action))) <= 3:
            world = engine.redeal(states, 0, seat, seed)
            assert events(world, action, seat) == shown
            count += 1
    assert count > 100


def test_the_opening():
    lines = [event.text for event in opening_events(engine.new_game(1, 4))]
    assert lines[0] == "A game of 4 clans"
    assert lines[-1] == "Age 1: Gods' Gifts"
    first = engine.new_game(1, 3, first_game=True)
    lines = [event.text for event in opening_events(first, 2)]
    assert [line.split(":")[0] for line in lines if "'s hand" in line] == ["Serpent's hand"]
    assert len([1 for event in opening_events(first) if "'s hand" in event.text]) == 3


def shown(g, action):
    """What an action of the open question sets off."""
    g.go()
    return [event.text for event in events(g.states, action)]


def test_a_mystic_that_joins_is_shown():
    g = alone()
    g.hand(0, THOR)
    assert "a Mystic joins Wolf's reserve" in shown(g, CARD + g._card(THOR))
    g = mystics(alone(), 0, "gimle", "gimle")
    g.hand(0, THOR)
    assert not any("Mystic" in text for text in shown(g, CARD + g._card(THOR)))


def test_each_loss_and_gain_names_its_cause():
    """Figures, glory and Rage by what has done it; stats are raised by an answer that says so, or by a pillage."""
    causes = set()
    for seed in range(24):
        rng, states = np.random.default_rng(seed), GAME.new_game(seed, options_of(seed))
        while not engine.is_over(states, 0):
            action = keen_action(states, rng)
            said = [each.text for each in events(states, action) if each.kind == Kind.EFFECT]
            for number, text in enumerate(said):
                if " raises " in text:
                    assert any(" pillages " in each for each in said[:number]), said
                elif re.search(r" (?:loses|gains) ", text):
                    for part in re.split(r" and (?=\d+ glory)|, (?=\d+ glory)", text):
                        assert part.endswith(")"), said
                        causes.add(part.rpartition("(")[2][:-1])
            engine.apply(states, 0, action)
    assert causes >= {"battle", "Ragnarok", "Odin's Smite", "Odin's Tide", "the Troll", "quests", "Loki's Trickery"}


def test_a_mystic_that_takes_a_village_is_shown():
    for saved in (0, 1):
        g = mystics(alone(), 0, "reserve")
        g.upgrade(0, ODIN)
        g.upgrade(1, "Frigga's Protection")
        g.rage(1, 1)
        g.put(1, "warrior", "utgard", 3)
        g.invade(0, "mystic", "utgard")
        lines = shown(g, COUNT + saved)
        away = "no village is free: Wolf's Mystic stays away"
        assert ("Bear loses a warrior in Utgard (Odin's Chosen)" in lines, away in lines) == (not saved, bool(saved))
