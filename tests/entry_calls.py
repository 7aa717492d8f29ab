"""Calls every entry of a game with good arguments, and then with bad ones in place of each; prints what is not refused,
as JSON. The game is the first argument.

Run it in a process of its own: what is not refused may end it.
"""

import functools
import importlib
import inspect
import json
import re
import sys

import numpy as np

from bloodrage_agents.forward import HEAD
from bloodrage_agents.scores import NUM_FORMS
from bloodrage_env import games
from bloodrage_env.commands.compile import load_all
from bloodrage_env.core.compile import decorators
from bloodrage_env.core.engine.options import rows
from bloodrage_training.learn.learnable import learnable

NAME = sys.argv[1]
load_all(NAME)
NODE = importlib.import_module("bloodrage_agents.mcts.nodes").NODE
NUM_SETTINGS = importlib.import_module("bloodrage_agents.mcts.settings").NUM_SETTINGS

GAME, NET = games.game(NAME), learnable(NAME).forward
NUM_INPUTS, AT_SCORES = NET.num_inputs, NET.at_scores
OBSERVATION_SIZE, MAX_SEATS = GAME.observation_size, GAME.max_seats
GAMES, PLAYERS, WIDTH = 3, min(3, GAME.max_seats), 5
ROWS, SPARSE, ACTIONS = 4, 6, GAME.num_actions
OPTIONS = GAME.options(num_players=PLAYERS)


def ints(*numbers):
    return np.array(numbers, np.int64)


def floats(*shape):
    return np.zeros(shape, np.float32)


def good():
    """Arguments by name, of games that have just begun; and what is the same for all entries."""
    return of_options() | of_games() | of_agents() | of_learning()


def of_options():
    """The options as `new_game` of Blood Rage takes them."""
    return {"num_players": PLAYERS, "first_game": False, "skip_forced": True, "sets": 0}


def of_games():
    states = np.concatenate([GAME.new_game(seed, OPTIONS) for seed in range(GAMES)])
    seat = int(states[0].seat)
    legal = np.flatnonzero(states[0].mask)
    return {
        "states": states,
        "index": 0,
        "seat": seat,
        "observer": seat,
        "viewer": seat,
        "seed": 5,
        "action": int(legal[0]),
        "max_decisions": 3,
        "observation": floats(OBSERVATION_SIZE),
        "mask": np.zeros(ACTIONS, np.int8),
        "first_seed": 1,
        "games": 1,
        "tally": ints(0, 0, 0, 0),
        "seeds": ints(1, 2, 3),
        "options": rows(GAME.options(num_players=PLAYERS, skip_forced=forced) for forced in (True, False, True)),
        "seed_stride": 3,
        "masks": np.zeros((GAMES, ACTIONS), np.int8),
        "floats": floats(GAMES, OBSERVATION_SIZE),
        "observations": floats(GAMES, OBSERVATION_SIZE),
        "ends": ints(0, 0, 0),
        "columns": np.zeros(GAMES * OBSERVATION_SIZE, np.uint16),
        "counts": np.zeros(GAMES * OBSERVATION_SIZE, np.uint8),
        "seats": ints(0, 0, 0),
        "rewards": floats(GAMES, MAX_SEATS),
        "dones": np.zeros((GAMES, 2), np.int8),
        "actions": ints(*[int(state.mask.argmax()) for state in states]),
    }


def of_agents():
    heads = ACTIONS + NUM_FORMS + MAX_SEATS
    network = HEAD + (NUM_INPUTS + 1 + heads) * WIDTH + heads
    return {
        "redeals": 1,
        "style": 0,
        "styles": ints(0, 1, -1),
        "first": 0,
        "count": 1,
        "sums": np.zeros(GAMES),
        "simulations": 2,
        "width": 0,
        "weights": floats(network),
        "planned": 2,
        "ledger": 1,
        "settings": np.ones(NUM_SETTINGS),
        "deals": np.zeros(2, GAME.state),
        "nodes": np.zeros(ACTIONS + 40, NODE),
        "counters": ints(*[0] * 8),
    }


def of_learning():
    return {
        "which": ints(2, 0),
        "viewers": ints(0, 1, PLAYERS - 1),
        "rows": ints(1, 0),
        "offsets": ints(0, 0, 0),
        "taken": ints(0, 0, 0),
        "index_": ints(4, 1, 0, 2, 4, 3),
        "values": floats(SPARSE),
        "new_index": ints(*range(9)),
        "new_values": floats(9),
        "drawn": floats(GAMES),
        "tops": floats(GAMES),
        "gradient": floats(ROWS, WIDTH),
        "added": floats(SPARSE),
        "by_added": floats(SPARSE),
        "hidden": floats(GAMES, WIDTH),
        "biases": floats(ACTIONS),
        "logs": floats(GAMES, ACTIONS),
        "chosen": floats(GAMES),
        "entropies": floats(GAMES),
        "at_scores": AT_SCORES,
        "by_chosen": floats(GAMES),
        "by_entropy": floats(GAMES),
        "by_hidden": floats(GAMES, WIDTH),
        "by_weights": floats(ACTIONS, WIDTH),
        "by_biases": floats(ACTIONS),
    }


@functools.cache
def last_decision(seed):
    """A game before its last decision, and the action that ends it."""
    states, play = GAME.new_game(seed, OPTIONS), GAME.play
    length = play.play_random(GAME.new_game(seed, OPTIONS), 0, seed, GAME.max_decisions)
    play.play_random(states, 0, seed, length - 1)
    for action in np.flatnonzero(states[0].mask):
        if play.apply(play.clone(states, 0), 0, int(action)) < 0:
            return states, int(action)
    raise AssertionError("no action ends the game")


def last_decisions():
    """Games that all end, since `step_games` checks the options of a game when it is reset."""
    states, actions = zip(*map(last_decision, range(GAMES)), strict=True)
    return {"states": np.concatenate(states), "actions": ints(*actions)}


OF_BATCHES = "begin_games", "step_games"
OF_LEGAL = "legal_log_probs", "add_legal_gradients"
OF_ACTIONS = "action_log_probs", "add_gradients", *OF_LEGAL
OF_ROWS = "draw_actions", *OF_ACTIONS


# What is different for one entry.
def own(entry, given):
    states = given["states"]
    if entry in ("play_checked", "reset"):
        return {"options": given["options"][0]}
    if entry == "redeal":
        return {"seed": 1}
    if entry == "play_heuristics":
        return {"styles": ints(0, 1, -1, 2, 0)}
    if entry == "play_tables":
        columns = importlib.import_module(f"bloodrage_agents.games.{NAME}.compiled.weights").NUM_COLUMNS
        table = np.zeros((2, columns), np.float32)
        return {"table": table, "rows": np.tile(ints(0, 1, 1, 0, 1), (GAMES, 1))}
    if entry == "roll_out":
        legal = np.flatnonzero(states[0].mask)[:3].astype(np.int64)
        return {"actions": legal, "sums": np.zeros(len(legal))}
    if entry == "play_on":
        return {"styles": np.full((GAMES, MAX_SEATS), -1), "words": np.ones((GAMES, 4), np.int64)}
    if entry == "evaluate_games":
        which = given["which"]
        return {"width": WIDTH, "logits": floats(len(which), ACTIONS), "values": floats(len(which), MAX_SEATS)}
    if entry == "gather_inputs":
        return {"index": ints(*range(2 * NUM_INPUTS)), "values": floats(2 * NUM_INPUTS)}
    if entry == "write_rows":
        count, rest = len(given["which"]), NUM_INPUTS - OBSERVATION_SIZE
        written = {"counts": np.zeros((count, OBSERVATION_SIZE), np.uint8), "more": floats(count, rest)}
        return written | {"moved": np.zeros(count, np.int8), "order": np.arange(NUM_INPUTS)}
    if entry == "write_changes":
        return {"changes": np.zeros((len(given["which"]), ACTIONS * len(NET.all_changes.names)), np.int8)}
    if entry == "sparse_rows":
        rows = {"counts": np.zeros((4, 5), np.uint8), "more": floats(4, 3), "scales": floats(5), "rows": ints(3, 1)}
        return rows | {"index": ints(*range(16)), "values": floats(16)}
    if entry in OF_BATCHES:
        rows = {"rows": np.zeros((GAMES, OBSERVATION_SIZE), np.uint8)}
        return rows | last_decisions() if entry == "step_games" else rows
    if entry in ("observe_bytes", "step_and_observe_bytes"):
        return {"observation": np.zeros(OBSERVATION_SIZE, np.uint8)}
    if entry == "observe_sparse":
        return {"columns": np.zeros(OBSERVATION_SIZE, np.uint16), "counts": np.zeros(OBSERVATION_SIZE, np.uint8)}
    if entry == "replay_actions":
        return {"laid": np.zeros((GAMES, 2), np.int64)}
    if entry == "grow":
        return {"width": WIDTH}
    if entry in ("take_rows", "add_outer", "count_rows"):
        batch = {"offsets": ints(0, 2, 3, 3, 6), "index": given["index_"], "rows": ints(3, 1)}
        return batch | {"weights": floats(5, WIDTH)} if entry == "add_outer" else batch
    if entry == "draw_actions":
        return {"offsets": ints(0, 2, 4, 6), "index": AT_SCORES + given["index_"]}
    if entry in OF_ACTIONS:
        rows = {"offsets": ints(0, 2, 4, 6), "index": AT_SCORES + given["index_"], "gains": floats(GAMES, NUM_FORMS)}
        rows |= {"weights": floats(ACTIONS, WIDTH), "by_gains": floats(GAMES, NUM_FORMS)}
        legal = {
            "legal_offsets": ints(0, 2, 3, 4),
            "actions": ints(0, 1, 1, 0),
            "logs": floats(4),
            "by_logs": floats(4),
        }
        return rows | legal if entry in OF_LEGAL else rows
    return {}


# Numbers out of range, by the name of the argument; -1 and a number beyond 32 bits where nothing else is said.
FAR = [-1, 2**40, -(2**63), 2**63 - 1]
OUTSIDE = {
    "index": [*FAR, GAMES],
    "seat": [*FAR, PLAYERS, 127],
    "observer": [*FAR, PLAYERS, 127],
    "seed": [-1, -(2**63)],
    "first_seed": [-1],
    "num_players": [*FAR, 0, 1, MAX_SEATS + 1],
    "sets": [*FAR, 1, 128],
    "skip_forced": [*FAR, 2],
    "max_decisions": [-1],
    "games": [-1],
    "redeals": [0, -1],
    "style": [*FAR, 99],
    "first": [-1],
    "simulations": [-1],
    "planned": [-1, 1],
    "width": [-1, WIDTH + 1, 2**40],
    "action": [],
    "seed_stride": [],
    "ledger": [],
    "count": [],  # any number has a meaning
}
# Elements out of range.
ELEMENTS = {
    "seeds": [-1],
    "styles": [99],
    "settings": [-1.0, np.nan, np.inf],
    "which": [-1, GAMES, 2**40],
    "viewers": [-1, PLAYERS],
    "rows": [-1, 4, 2**40],
    "options": [-1, 5, 2**40],
}
OF_ENTRY = {
    **{(entry, "options"): [-1, 2**40] for entry in ("play_checked", "reset")},
    ("roll_out", "actions"): [-1, ACTIONS, 2**40],
    **{(entry, "actions"): [-1, ACTIONS] for entry in OF_ACTIONS},
    **{(entry, "index"): [-1, NUM_INPUTS, 2**40] for entry in OF_ROWS},
    **{(entry, "offsets"): [-1, 2**40] for entry in OF_ROWS},
    **{(entry, "at_scores"): FAR for entry in OF_ROWS},
    ("draw_actions", "actions"): [],
    **{(entry, "legal_offsets"): [-1, 5, 2**40] for entry in OF_LEGAL},
    **{(entry, name): [] for entry in ("gather_inputs", "sparse_rows") for name in ("index", "offsets")},
    ("write_rows", "order"): [-1, 1, NUM_INPUTS, 2**40],
    ("add_outer", "index"): [-1, 5, 2**40],
    ("add_outer", "offsets"): [-1, 2**40],
    ("take_rows", "offsets"): [-1, 2**40],
    ("choose_many", "seeds"): [],
    ("price_of", "action"): [*FAR, ACTIONS],
    ("play_tables", "seeds"): [],
    **{(entry, "rows"): [] for entry in OF_BATCHES},
    ("go_on", "action"): [-2, ACTIONS, 2**40, 0],
    ("observe_some", "seats"): [-1, PLAYERS],
}
# Arrays of any length: what they hold is all that counts, or another array has to be as long.
ANY_LENGTH = {
    ("states", None),
    ("which", None),
    ("nodes", None),
    ("deals", None),
    ("more", "sparse_rows"),
    ("rows", "count_rows"),
    ("rows", "take_rows"),
    ("offsets", "count_rows"),
    ("weights", "add_outer"),
    ("columns", "observe_sparse"),
    ("counts", "observe_sparse"),
    ("table", "play_tables"),
    ("index", "draw_actions"),
    ("logs", "draw_actions"),
}


OTHER_TYPE = {
    "int8": np.int64,
    "uint8": np.int8,
    "uint16": np.int16,
    "int64": np.int32,
    "float32": np.float64,
    "float64": np.float32,
}


def bad_numbers(entry, name, value):
    yield from OF_ENTRY[entry, name] if (entry, name) in OF_ENTRY else OUTSIDE[name]
    yield from (1.0, np.float64(1), np.float32(1), None, "1", 1j, [1], np.zeros(1, np.int64))


def bad_arrays(entry, name, value):
    free = (name, None) in ANY_LENGTH or (name, entry) in ANY_LENGTH
    if not free:
        yield value[:-1].copy()
        yield np.concatenate([value, value[:1]])
        if name not in ("rows", "floats") or entry not in OF_BATCHES:  # which write none then
            yield value[:0].copy()
        if value.ndim == 2:
            yield np.ascontiguousarray(value[:, :-1])
            yield np.ascontiguousarray(np.concatenate([value, value[:, :1]], axis=1))
    elif name in ("states", "nodes", "deals"):
        yield value[:0].copy()
    read_only = value.copy()
    read_only.flags.writeable = False
    yield read_only
    yield np.concatenate([value, value])[::2]
    yield value[:1][..., None].copy() if value.ndim == 1 else value[0].copy()
    if value.dtype.names is None:
        yield value.astype(OTHER_TYPE[value.dtype.name])
        if value.itemsize > 1:
            yield value.astype(value.dtype.newbyteorder())
    else:
        yield np.zeros(len(value), np.uint8)
    yield from (None, 1, value.tolist() if value.dtype.names is None else [1])
    if name == "counters":
        for number in (0, 1, 2):  # nodes, simulations and deals; the others are any
            yield from (ints(*[wrong * (i == number) for i in range(8)]) for wrong in (-1, 2**40))
    for wrong in OF_ENTRY.get((entry, name), ELEMENTS.get(name, [])):
        for place in (0, -1):
            changed = value.copy()
            changed[place] = wrong
            yield changed


def written_by(entry, names, arguments):
    """The names of arrays that a good call changes."""
    call = arguments()
    before = [each.tobytes() if isinstance(each, np.ndarray) else None for each in call]
    entry(*call)
    kept = zip(names, call, before, strict=True)
    return {name for name, each, was in kept if was is not None and each.tobytes() != was}


def shared(entry, names, arguments):
    """Calls in which two arrays lie in the same memory, one of them written, and one holds games or whole numbers."""
    written = written_by(entry, names, arguments)
    for one in range(len(names)):
        for other in range(one):
            pair = arguments()[one], arguments()[other]
            if not all(isinstance(each, np.ndarray) and each.nbytes for each in pair):
                continue
            if not written & {names[one], names[other]}:
                continue
            if not any(each.dtype.names or each.dtype == np.int64 for each in pair):
                continue
            memory = np.zeros(max(each.nbytes for each in pair) + 8, np.uint8)
            call = arguments()
            for place, each in zip((one, other), pair, strict=True):
                call[place] = memory[: each.nbytes].view(each.dtype).reshape(each.shape)
                call[place][...] = each
            yield (names[one], names[other]), call


def refusals(entry):
    """Names and bad arguments that the entry does not refuse as it should; and how many were tried."""
    name_of, tried, accepted = entry.py_func.__name__, 0, []
    signature = inspect.signature(entry.py_func)

    def arguments():
        given = good()
        given |= own(name_of, given)
        return [given[name] for name in signature.parameters]

    for names, call in shared(entry, list(signature.parameters), arguments):
        tried += 1
        try:
            entry(*call)
            accepted.append(f"{name_of}: {' and '.join(names)} share memory: no error")
        except ValueError as error:
            if not set(names) <= set(re.findall(r"\w+", str(error))) or "share memory" not in str(error):
                accepted.append(f"{name_of}: {' and '.join(names)} share memory: {error}")
    for place, name in enumerate(signature.parameters):
        value = arguments()[place]
        if isinstance(value, bool):
            bad = [1.0, None, "yes"]
        elif isinstance(value, np.ndarray):
            bad = bad_arrays(name_of, name, value) if value.size else []  # a game has no changes
        else:
            bad = bad_numbers(name_of, name, value)
        if type(value) is int:
            try:
                entry(*[2**64 if i == place else each for i, each in enumerate(arguments())])
                accepted.append(f"{name_of}: {name} = 2**64: no error")
            except OverflowError:
                pass
        for other in bad:
            if name in OPTIONAL and isinstance(other, np.ndarray) and other.dtype == value.dtype and not other.size:
                continue
            call = arguments()
            call[place] = other
            tried += 1
            try:
                entry(*call)
                accepted.append(f"{name_of}: {name} = {other!r:.60}: no error")
            except (TypeError, ValueError) as error:
                kind = TypeError if mistyped(other, value) else ValueError
                if type(error) is not kind or name not in re.findall(r"\w+", str(error)):
                    if (name_of, name) not in COUPLED:
                        accepted.append(f"{name_of}: {name} = {other!r:.60}: {type(error).__name__}: {error}")
    return tried, accepted


OPTIONAL = {"added", "by_added"}  # they may be empty
# Of another length these are good, but another argument is not.
COUPLED = {("take_rows", "offsets")}


def mistyped(other, value):
    if isinstance(value, np.ndarray):
        return not (
            isinstance(other, np.ndarray)
            and other.dtype == value.dtype
            and other.ndim == value.ndim
            and other.flags.c_contiguous
            and other.flags.writeable
        )
    return not isinstance(other, int)


result = {}
for entry in (each for each in decorators.entries if not each.is_shared):
    result[f"{entry.py_func.__module__}.{entry.py_func.__name__}"] = refusals(entry)
print(json.dumps(result))
