"""What a seat may know and its question depends on is in the terminal's text of that question, for every game.

Positions of random games are changed in one field of the record at a time. A change that the asked seat can observe has
to change what the terminal prints: the board, what goes with the question, and the menu.
"""

import importlib
from collections import defaultdict

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.core.engine.record import bounds

# Sections of the observation that the text leaves out, at the questions where it does ("" for all), and why.
LEFT_OUT = {
    "berserk": {
        ("roll_off", ""): "it settles who is asked about First, whose question shows it",
        ("deal", "battle"): "what was not bought has gone back for good",
    },
    "bloodrage": {
        ("known", ""): "memory: which cards of others the seat has seen, as they were passed on or shown",
        ("sure_quests", ""): "memory too",
        ("gone", ""): "memory too: what only the seat saw leave the game",
        ("mystics", ""): "the board and the events have the Mystics of a battle",
        ("next_turn", ""): "follows from who is first and who has passed",
        ("declined", ""): "events show who has declined",
        ("passed", "KEEP_CARD"): "left from the last Age: nobody has passed when a phase of actions begins",
        ("limits", ""): "the menu has the numbers from which to choose, in words",
        ("passed", "DRAFT"): "left from the last Age too",
        ("passed", "STAT"): "events show who has passed",
        ("about_card", "STAT"): "events show which card raises a stat",
        ("about_place", "STAT"): "events show which pillage raises a stat",
        ("about_kind", "SUCCOR"): "always a warrior, which the question names",
        ("about_kind", "BLESSING"): "always a warrior, which the question names",
        ("gods", ""): "the board has each god in its province",
        ("fallen", ""): "the figures that a battle has cost so far are in the events",
        ("text_works", ""): "whether the text of a card counts is in the events",
        ("totals", ""): "the board shows the strengths and the cards, from which they follow",
    },
}
OPTIONS = {
    "bloodrage": [{"num_players": 3, "sets": ("gods", "mystics", "ks")}, {"num_players": 4}],
    "berserk": [{}, {"combat": "difference"}, {"decks": ("steppe_2", "mountain_2")}],
}
SAMPLES = {"berserk": (12, 4), "bloodrage": (80, 20)}  # games, and positions of each kind of question
ELEMENTS = 2  # of a field, changed in each position, and as many of those that are not zero
NOT_CHANGED = ("mask", "chance", "seed", "rng")


def screen(game, states, seat):
    """What a person can read when it is asked."""
    shown = games.presentation(game.name)
    board = shown.board_text(states, 0, seat, False).rpartition("\n\n")[0]
    basket = shown.terminal.basket(states)
    answers = basket.lines() if basket else [shown.decision_text(states, 0), *shown.terminal.menu(states)[0]]
    return "\n".join([board, *shown.terminal.context(states), *answers])


def observed(game, states, seat):
    vector = np.zeros(game.observation_size, np.float32)
    game.observe.observe(states, 0, seat, vector)
    return vector


def changed(game, states, rng):
    """Copy of a position with another number in one field, or one moved within it, that may be positions."""
    state = importlib.import_module(f"bloodrage_env.games.{game.name}.engine.state")
    least, greatest = bounds(state.GROUPS)
    for field in game.state.names:
        if field in NOT_CHANGED:
            continue
        flat = states[field].reshape(-1)
        used = np.flatnonzero(greatest[field] > least[field])  # none is reserved
        if not used.size:
            continue
        places = rng.choice(used, ELEMENTS).tolist()
        filled = np.flatnonzero(flat)
        places += rng.choice(filled, ELEMENTS).tolist() if filled.size else []
        for place in set(places):
            for step in (1, -1, 0):
                copy = states.copy()
                numbers = copy[field].reshape(-1)
                if step == 0:
                    numbers[place] -= 1
                    numbers[int(rng.choice(used))] += 1
                elif np.iinfo(numbers.dtype).min < int(numbers[place]) + step < np.iinfo(numbers.dtype).max:
                    numbers[place] += step
                try:
                    game.check_state(copy, 0)
                except ValueError:
                    continue
                yield field, copy


def positions(game, name):
    """Some positions of each kind of question, each for the seat that is asked."""
    rng = np.random.default_rng(0)
    seen = defaultdict(int)
    number, enough = SAMPLES[name]
    for seed in range(number):
        options = OPTIONS[name][seed % len(OPTIONS[name])]
        states = game.new_game(seed, game.options(skip_forced=False, **options))
        while not game.play.is_over(states, 0):
            kind = int(states[0].decision)
            if seen[kind] < enough and rng.random() < 0.3:
                seen[kind] += 1
                yield states, rng
            game.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0].mask))))


def not_shown(name):
    """Sections with a field that changes them and never what is printed, by kind of question."""
    game = games.game(name)
    kinds = importlib.import_module(f"bloodrage_env.games.{name}.engine").Decision
    section_at = np.repeat(np.arange(len(game.sections)), [each.size for each in game.sections])
    used, hidden, shown = set(), defaultdict(set), set()
    for states, rng in positions(game, name):
        kind, seat = int(states[0].decision), int(states[0].seat)
        before, text = observed(game, states, seat), screen(game, states, seat)
        used |= {(kind, section) for section in section_at[np.flatnonzero(before)].tolist()}
        for field, copy in changed(game, states, rng):
            sections = set(section_at[np.flatnonzero(observed(game, copy, seat) != before)].tolist())
            if not sections:
                continue
            if screen(game, copy, seat) != text:
                shown.add((kind, field))
            else:
                hidden[kind, field] |= sections
    return {
        (game.sections[section].name, kinds(kind).name): field
        for (kind, field), sections in hidden.items()
        for section in sections
        if (kind, field) not in shown and (kind, section) in used
    }


def left_out(name, section, kind):
    battle = ("MAIN", "TARGET", "TOKENS", "DEFENDER", "REROLL", "PICK_DIE", "WEAKEN", "PUSH", "AGAIN", "VALHALLA")
    others = ("HEAL_FIRST", "CLOSE_OR_WOUND", "GO_OR_WOUND", "PLACE", "HIDE")
    for each, where in LEFT_OUT[name]:
        if each == section and (where in ("", kind) or (where == "battle" and kind in (*battle, *others))):
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", ["berserk", "bloodrage"])
def test_the_terminal_shows_what_a_question_depends_on(name):
    """Every section of the observation that is in use at a kind of question, but those that are declared."""
    found = not_shown(name)
    assert {key: field for key, field in found.items() if not left_out(name, *key)} == {}
