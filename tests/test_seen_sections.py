"""The pages show what a question depends on: each section of the observation that can differ there.

2.6 of the rules, 9.4 of those of Berserk.
"""

import random

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.core.engine.stack import Column
from bloodrage_env.encoding import as_json
from bloodrage_env.games.berserk.engine import ABILITIES, NONE, Attack, Frame, Part

pytest.importorskip("starlette")

MOST = 5  # states of a kind of question
GAMES = {"bloodrage": 4, "berserk": 6}
OPTIONS = {
    "bloodrage": [{"num_players": 3}, {"num_players": 3, "sets": ("ks", "mystics", "gods")}],
    "berserk": [{}, {"combat": "difference"}],
}
# Sections that a page rightly does not show, with the reason.
NOT_SHOWN = {
    "bloodrage": {
        "packs_seen": "packs that were passed on are for the memory of the player, as at a table",
        "limits": "the least and the greatest number are the first and the last answer",
        "declined": "the log says who has declined, answer by answer",
        "gods": "which gods play is seen where they stand; in which order they were drawn matters no more",
        "passed": "shown in the Action phase; who had passed before matters no more",
    },
    "berserk": {},
}
# Fields that mean something only together: where cards and figures are.
TOGETHER = {
    "bloodrage": [
        ("figures", "on_board", "occupied"),
        ("hand", "hand_size"),
        ("quests", "quest_count"),
        ("main", "text"),
    ],
    "berserk": [("at", "standing", "card", "cell", "fell_at", "died", "face_down", "squad")],
}
FOLLOWS = ("caller", "next_turn")  # from whose routine goes on, which no state with another answer shares
UNSEEN = ("mask", "num_legal", "decision", "seat", "over", "truncated", "depth", "stack", "num_players", "setup")


def asked_states(name):
    """(state, options) by kind of question, from random games."""
    game = games.game(name)
    found = {}
    for seed in range(GAMES[name]):
        rng = random.Random(seed)
        options = game.options(**OPTIONS[name][seed % len(OPTIONS[name])], skip_forced=False)
        states = game.new_game(seed, options)
        while not game.play.is_over(states, 0):
            pool = found.setdefault(int(states[0].decision), [])
            if len(pool) < MOST or rng.random() < 0.05:
                pool[MOST - 1 :] = []
                pool.insert(0, (states.copy(), options))
            game.play.apply(states, 0, rng.choice(np.flatnonzero(states[0].mask).tolist()))
    return found


def sections_of(game, known, seat):
    vector = np.zeros(game.observation_size, np.float32)
    game.observe.observe(known, 0, seat, vector)
    return game.by_section(vector)


def changes(name, known, other):
    """The state with something of the other one, of the same kind of question: a field, or a column of the routine."""
    together = TOGETHER[name]
    rest = set(known.dtype.names) - set(UNSEEN) - {field for group in together for field in group}
    for group in [*together, *((field,) for field in sorted(rest))]:
        changed = known.copy()
        for field in group:
            changed[field] = other[field]
        yield group[0], changed
    for column in range(Column.SEAT + 1, known[0].stack.shape[1]):
        changed = known.copy()
        changed[0].stack[known[0].depth - 1, column] = other[0].stack[other[0].depth - 1, column]
        yield f"stack {column}", changed


def has_act(name, changed):
    """Whether the card of the action in progress has this action; a state of another game has none."""
    s = changed[0]
    if name != "berserk" or s.depth < 3:
        return True
    frame = s.stack[s.depth - 1]
    card = s.card[frame[Frame.ACTOR]]
    return card != NONE and ABILITIES[Part.ATTACK, card, frame[Frame.ACT]] != Attack.NOTHING


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_a_question_depends_on_is_shown(name):
    """Two states that differ in a section give different answers of `seen`, wherever the section can differ at all."""
    game, page = games.game(name), games.table_page(name)
    hidden, tried, differs = {}, set(), set()
    for decision, pool in asked_states(name).items():
        looks = [(game.hide(states, 0, int(states[0].seat)), int(states[0].seat), options) for states, options in pool]
        for known, *_ in looks:
            known["mask"] = 0  # the answers fit one state alone
        views = [sections_of(game, known, seat) for known, seat, _ in looks]
        for (_, seat, _), view in zip(looks, views, strict=True):
            mates = [each for (_, other, _), each in zip(looks, views, strict=True) if other == seat]
            differs |= {
                (decision, section) for section in view if any((view[section] != each[section]).any() for each in mates)
            }
        for (known, seat, options), view in zip(looks, views, strict=True):
            shown = as_json(page.seen(known, seat, True, options))
            for other, *_ in looks:
                for field, changed in changes(name, known, other):
                    if not has_act(name, changed):
                        continue
                    lines = sections_of(game, changed, seat)
                    now = {section for section in view if (view[section] != lines[section]).any()}
                    tried |= {(decision, section) for section in now}
                    if now - NOT_SHOWN[name].keys() and as_json(page.seen(changed, seat, True, options)) == shown:
                        hidden.setdefault((field, tuple(sorted(now))), set()).add(decision)
    assert sorted(hidden.items()) == []
    assert [(decision, section) for decision, section in sorted(differs - tried) if section not in FOLLOWS] == []
