"""`network`: an agent that plays by a trained policy, a file `.npz` of weights. See docs/training.md.

The file is not trusted. Its checksum must fit, and it contains named arrays of known shapes and no objects. Any fault
raises UserError. `training/bloodrage_training/learn/export.py` writes such files.
"""

import functools
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

import numpy as np
import numpy.typing as npt

from bloodrage_env import files, games
from bloodrage_env.core.compile.decorators import Ints, Records, compile_all
from bloodrage_env.core.engine.forms import Labels
from bloodrage_env.core.engine.tables import starts
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from . import parts
from .base import ActionMask, Agent, Vector, View
from .forward import CHANGES, LEDGER, MOST
from .scores import NUM_FORMS

SHIPPED: Final = "shipped"  # in place of a path: the player that comes with the project
NETWORK: Final = "network"  # the agent that plays by a policy alone
SECRET: Final = "secret"  # questions whose action is sampled: those answered in secret ...
ALL: Final = "all"
SAMPLES: Final = (SECRET, ALL, "none")
FORMAT: Final = 4  # of the file
MAX_BYTES: Final = 64 * 2**20
MAX_WIDTH: Final = 4096
MAX_LAYERS: Final = 16
Table = tuple[
    tuple[str, tuple[Labels, ...]], ...
]  # sections of the inputs: name and labels of the axes, in their order
HEADS: Final = ("action_weight", "gain_weight", "value_weight", "change_weight")
_STORED: Final = (np.dtype(np.float16), np.dtype(np.float32))


def table_of(game: str) -> Table:
    """Return the sections of the inputs of a game's networks."""
    return tuple((section.name, section.labels) for section in parts.forward(game).sections)


class Network:
    """An input layer, residual layers of the same width, and two heads, as in `bloodrage_training.learn.policy`.

    Parameters
    ----------
    arrays : dict
        float32 arrays by name, with width W and L residual layers: first_weight[num_inputs, W], first_bias[W],
        layer_weights[L, W, W], layer_biases[L, W], action_weight[W, num_actions], action_bias[num_actions],
        gain_weight[W, NUM_FORMS], gain_bias[NUM_FORMS], value_weight[W, max_seats], value_bias[max_seats]. With
        changes of the actions also change_weight[W, num_changes] and change_bias[num_changes].
    game : str
        The game that it plays, whose sizes these are.

    Examples
    --------
    >>> import numpy as np
    >>> from bloodrage_agents.network import Network
    >>> from bloodrage_env import games
    >>> network = Network.load("shipped")
    >>> states = games.game("bloodrage").new_game(1, games.options_from("bloodrage"))
    >>> logits, values = network.evaluate(states, np.array([0]))
    >>> logits.shape, values.shape
    ((1, 301), (1, 5))
    """

    def __init__(self, arrays: dict[str, Vector], game: str = games.FIRST) -> None:
        self.arrays = arrays
        self.game = game

    @classmethod
    def load(cls, path: str | Path, game: str = games.FIRST) -> "Network":
        """Return the network of a file, which is not trusted.

        Parameters
        ----------
        path : path
            The file; `SHIPPED` is the shipped one.
        game : str
            The game that it plays.

        Returns
        -------
        Network
            The network. Raises UserError for a file that is missing, damaged, too large, of another game or of another
            format.
        """
        file = file_of(path, game)
        try:
            return cls.from_bytes(files.read_sealed(file, MAX_BYTES), game)
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        except UserError as error:
            raise UserError(f"{path} is not a policy of this environment: {error}") from error

    @classmethod
    def from_bytes(cls, content: bytes, game: str = games.FIRST) -> "Network":
        """Return the network of a file's content.

        Parameters
        ----------
        content : bytes
            The content.
        game : str
            The game that it plays.

        Returns
        -------
        Network
            The network. Raises UserError, without the name of the file, if the content is invalid.
        """
        stored = read_archive(content, game)
        return cls({name: np.ascontiguousarray(array, np.float32) for name, array in stored.items()}, game)

    @property
    def ledger(self) -> int:
        """1 if the network reads the ledger of its game, else 0."""
        return int(self.arrays["first_weight"][parts.forward(self.game).of_ledger].any())

    @property
    def changes(self) -> bool:
        """Whether the network reads what each action changes in the ledger."""
        return "change_bias" in self.arrays

    @property
    def width(self) -> int:
        """The width of the layers."""
        return len(self.arrays["first_bias"])

    def for_players(self, number: int) -> "Network":
        """Return an equivalent network for one number of players, without the units that are always zero there.

        A merged policy has such units. Without them, a search that evaluates one decision at a time is faster.

        Parameters
        ----------
        number : int
            The number of players.

        Returns
        -------
        Network
            The network.
        """
        net, a = parts.forward(self.game), self.arrays
        at = starts(net.sections).get("players")
        if at is None:  # always as many
            return self
        players = a["first_weight"][at : at + net.sizes.seats - 1]
        others = np.maximum(a["first_weight"], 0.0).sum(0) - np.maximum(players, 0.0).sum(0)
        silent = a["first_bias"] + players[number - 2] + MOST * others <= 0.0
        before = len(silent) + 1
        while before != (before := int(silent.sum())):  # until none of them hears one that is not
            for weight, bias in zip(a["layer_weights"], a["layer_biases"], strict=True):
                silent &= (weight[~silent] <= 0.0).all(0) & (bias <= 0.0)
        kept = np.flatnonzero(~silent)
        return Network(
            a
            | {name: a[name][..., kept] for name in ("first_weight", "first_bias", "layer_biases")}
            | {"layer_weights": a["layer_weights"][:, kept[:, None], kept]}
            | {name: a[name][kept] for name in HEADS if name in a},
            self.game,
        )

    @functools.cached_property
    def vector(self) -> Vector:
        """What the network reads, and all weights, array by array in the order of `shapes`, as `forward.py` expects it.

        The weights of the heads are transposed, so that the weights of one action are contiguous.
        """
        arrays = self.arrays | {name: self.arrays[name].T for name in HEADS if name in self.arrays}
        head = np.array([self.ledger * LEDGER + self.changes * CHANGES], np.float32)
        return np.concatenate([head, *(arrays[name].ravel() for name in shapes(1, 1, self.game, self.changes))])

    def evaluate(self, states: Records, which: Ints) -> tuple[Vector, Vector]:
        """Return logits and values of open decisions. The code is compiled and uses one thread.

        Parameters
        ----------
        states : ndarray
            An array of games.
        which : ndarray
            int64[N], games of `states`.

        Returns
        -------
        tuple of ndarray
            Logits, float32[N, num_actions], -inf for illegal actions; values, float32[N, max_seats], from the seat to
            act clockwise. Raises ValueError for a game that is over.
        """
        net = parts.forward(self.game)
        logits = np.full((len(which), net.sizes.actions), -np.inf, np.float32)
        values = np.empty((len(which), net.sizes.seats), np.float32)
        net.evaluate_games(states, which, self.vector, self.width, logits, values)
        return logits, values


class NetworkAgent(Agent):
    """Plays the most likely action, or samples one from the probabilities.

    Parameters
    ----------
    path : str
        A policy file, or `SHIPPED`. Raises UserError as `Network.load` does.
    sample : {"secret", "all", "none"}
        The questions that are sampled: those that are answered in secret, where the most likely action could be
        foreseen; all; none.
    game : str
        The name of the game.

    Examples
    --------
    >>> from bloodrage_agents.base import View, agent_rng
    >>> from bloodrage_agents.network import NetworkAgent
    >>> from bloodrage_env import games
    >>> states = games.game("bloodrage").new_game(1, games.options_from("bloodrage", num_players=2))
    >>> view = View.of(states, 0, int(states[0].seat))
    >>> action = NetworkAgent().act(view, states[0].mask, agent_rng(1))
    >>> int(states[0].mask[action])
    1
    """

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(self, path: str = SHIPPED, sample: str = SECRET, game: str = games.FIRST) -> None:
        self.network = Network.load(path, game)
        self.sample = sample
        self._secret: Callable[[Records], bool] = games.presentation(game).secret
        compile_all()  # now, not on the clock of the first decision

    def act(self, observation: View, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return a legal action.

        Parameters
        ----------
        observation : View
            What the seat knows.
        action_mask : ndarray
            Not used.
        rng : numpy.random.Generator
            The generator of the seat.

        Returns
        -------
        int
            The action id.
        """
        return int(self.act_many(observation.record, np.zeros(1, np.int64), [rng])[0])

    def act_many(self, states: Records, which: Ints, rngs: Sequence[np.random.Generator]) -> Ints:
        """Return legal actions for the seats to act.

        Parameters
        ----------
        states : ndarray
            An array of games.
        which : ndarray
            int64[N], games of `states`.
        rngs : sequence of numpy.random.Generator
            A generator for each.

        Returns
        -------
        ndarray
            int64[N].
        """
        logits = self.network.evaluate(states, which)[0]
        for row, (game, rng) in enumerate(zip(which.tolist(), rngs, strict=True)):
            if self.sample == ALL or (self.sample == SECRET and self._secret(states[game : game + 1])):
                logits[row] += rng.gumbel(size=logits.shape[1])  # the largest is drawn by its probability
        return np.asarray(logits.argmax(1))

    def probabilities(self, states: Records, which: Ints) -> Vector:
        """Return the policy for open decisions.

        Parameters
        ----------
        states : ndarray
            An array of games.
        which : ndarray
            int64[N], games of `states`.

        Returns
        -------
        ndarray
            float32[N, num_actions].
        """
        logits = self.network.evaluate(states, which)[0]
        weights = np.exp(logits - logits.max(1, keepdims=True))
        return np.asarray(weights / weights.sum(1, keepdims=True), np.float32)


def file_of(path: str | Path, game: str = games.FIRST) -> Path:
    """Return the file that the argument `path` of an agent refers to."""
    return parts.policy(game) if path == SHIPPED else Path(path)


def shapes(width: int, layers: int, game: str = games.FIRST, changes: bool = False) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a network's arrays, by name. `changes`: it reads what each action changes."""
    net = parts.forward(game)
    count = len(net.all_changes.names)
    of_changes: dict[str, tuple[int, ...]] = {"change_weight": (width, count), "change_bias": (count,)}
    return {
        "first_weight": (net.num_inputs, width),
        "first_bias": (width,),
        "layer_weights": (layers, width, width),
        "layer_biases": (layers, width),
        "action_weight": (width, net.sizes.actions),
        "action_bias": (net.sizes.actions,),
        "gain_weight": (width, NUM_FORMS),
        "gain_bias": (NUM_FORMS,),
        "value_weight": (width, net.sizes.seats),
        "value_bias": (net.sizes.seats,),
        **(of_changes if changes else {}),
    }


def read_archive(content: bytes, game: str = games.FIRST) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file in the current layout, as `shapes` describes them.

    The file contains the names of its inputs and actions. Names that still exist are matched; new ones get zero
    weights. Raise UserError if the file is invalid.
    """
    files.check_archive(content, MAX_BYTES)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            version = _array(file, "format") if "format.npy" in file.zip.namelist() else np.int64(-1)
            if version.shape != () or version.dtype.kind != "i" or int(version) != FORMAT:
                raise UserError(f"its format is not {FORMAT}; export it again")
            changes = "changes.npy" in file.zip.namelist()
            names = shapes(1, 1, game, changes)
            expected = {"format", "game", "inputs", "actions", *names, *(["changes"] if changes else [])}
            if {*file.zip.namelist()} != {f"{name}.npy" for name in expected}:
                raise UserError(f"it should hold {', '.join(sorted(expected))}")
            plays = str(_array(file, "game"))
            table, actions = _table(_array(file, "inputs")), _labels(json.loads(str(_array(file, "actions"))))
            changed = _labels(json.loads(str(_array(file, "changes")))) if changes else ()
            stored = {name: _array(file, name) for name in names}
    except UserError:
        raise
    except Exception as error:  # a file from elsewhere may raise anything
        raise UserError(f"it is damaged ({type(error).__name__})") from error
    if plays != game:
        other = games.spec(plays).title if plays in games.names() else f"{plays!r:.60}"
        raise UserError(f"it plays {other}, not {games.spec(game).title}")
    _check_arrays(stored, table, actions, changed, game)
    return _matched(stored, table, actions, game) | _matched_changes(stored, changed, game)


def _check_arrays(
    stored: Mapping[str, npt.NDArray[Any]], table: Table, actions: Labels, changes: Labels, game: str
) -> None:
    """Raise UserError unless the arrays are those of a network with these inputs, actions and changes."""
    depth = stored["layer_weights"].shape[0] if stored["layer_weights"].ndim == 3 else 0
    width = stored["first_bias"].size
    if not 1 <= width <= MAX_WIDTH or depth > MAX_LAYERS:
        raise UserError(f"it has {depth} layers of width {width}")
    own = {
        "first_weight": (sum(math.prod(map(len, axes)) for _, axes in table), width),
        "action_weight": (width, len(actions)),
        "action_bias": (len(actions),),
    }
    if changes:
        own |= {"change_weight": (width, len(changes)), "change_bias": (len(changes),)}
    for name, shape in (shapes(width, depth, game) | own).items():
        array = stored[name]
        if array.shape != shape or array.dtype not in _STORED:
            raise UserError(f"{name} is {array.dtype.name}{list(array.shape)} instead of float{list(shape)}")
        if not np.isfinite(array).all():
            raise UserError(f"{name} has numbers that are not finite")


def _array(file: "np.lib.npyio.NpzFile", name: str) -> npt.NDArray[Any]:
    """Return an array of an archive. Raise any exception for a damaged one; numpy returns other members as bytes."""
    array = file[name]
    if not isinstance(array, np.ndarray):
        raise UserError(f"{name} is not an array")
    return array


def _matched(
    stored: Mapping[str, npt.NDArray[Any]], table: Table, actions: Labels, game: str
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays with the current inputs and actions, matched by name."""
    net = parts.forward(game)
    today = table_of(game)
    if table == today and actions == net.action_names:
        return dict(stored)
    width = stored["first_bias"].size
    ends = np.cumsum([math.prod(map(len, axes)) for _, axes in table])
    stored_rows = dict(zip((name for name, _ in table), np.split(stored["first_weight"], ends[:-1]), strict=True))
    axes_of = dict(table)
    rows = []
    for name, axes in today:
        new = np.zeros((*map(len, axes), width), stored["first_weight"].dtype)
        if name in stored_rows and len(axes_of[name]) == len(axes):
            common = [_common(had, has) for had, has in zip(axes_of[name], axes, strict=True)]
            old = stored_rows[name].reshape(*map(len, axes_of[name]), width)
            new[np.ix_(*(to for _, to in common))] = old[np.ix_(*(of for of, _ in common))]
        rows.append(new.reshape(-1, width))
    of, to = _common(actions, net.action_names)
    weight = np.zeros((width, len(net.action_names)), stored["action_weight"].dtype)
    bias = np.zeros(len(net.action_names), stored["action_bias"].dtype)
    weight[:, to], bias[to] = stored["action_weight"][:, of], stored["action_bias"][of]
    return {**stored, "first_weight": np.concatenate(rows), "action_weight": weight, "action_bias": bias}


def _matched_changes(stored: Mapping[str, npt.NDArray[Any]], changes: Labels, game: str) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of changes with the current changes, matched by name; none for a file without them."""
    if not changes:
        return {}
    found = {}
    has = parts.forward(game).all_changes.names
    of, to = _common(changes, has)
    for name in ("change_weight", "change_bias"):
        found[name] = np.zeros((*stored[name].shape[:-1], len(has)), stored[name].dtype)
        found[name][..., to] = stored[name][..., of]
    return found


def _common(had: Labels, has: Labels) -> tuple[list[int], list[int]]:
    """Return the positions of the labels that two axes share, in each of them."""
    at = {label: position for position, label in enumerate(had)}
    shared = [(at[label], position) for position, label in enumerate(has) if label in at]
    return [of for of, _ in shared], [to for _, to in shared]


def layout(game: str, changes: bool = False) -> dict[str, npt.NDArray[np.str_]]:
    """Return the names that a file stores with its arrays: the game, and as JSON the inputs, the actions and, with
    `changes`, those.
    """
    net = parts.forward(game)
    names = {"inputs": as_json(table_of(game)), "actions": as_json(net.action_names)}
    names |= {"changes": as_json(net.all_changes.names)} if changes else {}
    return {name: np.array(text) for name, text in {"game": game, **names}.items()}


def _table(text: npt.NDArray[Any]) -> Table:
    """Return the table that a file contains. Raise any exception for another text."""
    table = tuple((str(name), tuple(map(_labels, axes))) for name, axes in json.loads(str(text)))
    if not table or len(dict(table)) < len(table):
        raise ValueError("no table of sections")
    return table


def _labels(names: list[Any]) -> Labels:
    """Return the labels of an axis. Raise any exception for another list."""
    found = tuple(map(str, names))
    if not found or len({*found}) < len(found):
        raise ValueError("no labels")
    return found
