"""`network`: a policy that was trained, from one `.npz` of weights; see docs/training.md.

The file is not trusted: its checksum must fit, it holds named arrays of known shapes and no objects, and whatever is
wrong with it is a UserError. `training/bloodrage_training/learn/export.py` writes it.
"""

import functools
import io
import json
import math
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import files
from bloodrage_env.core.compiled import compile_all
from bloodrage_env.engine import MAX_SEATS, NUM_ACTIONS
from bloodrage_env.errors import UserError
from bloodrage_env.observation import AT, OBSERVATION_SIZE, SECTIONS

from .base import ActionMask, Agent, Vector
from .compiled.forward import evaluate_rows

SHIPPED: Final = "shipped"  # in place of a path: the player that comes with the project
FORMAT: Final = 2  # of the file
NO_TABLE: Final = 1  # the format before, which does not say for which sections of the observation it was made
CONVERT: Final = "python -m bloodrage_training.learn.convert OLD.npz NEW.npz"
MAX_BYTES: Final = 64 * 2**20
MAX_WIDTH: Final = 4096
MAX_LAYERS: Final = 16
MOST: Final = 4.0  # no number of an observation is above it, and none is negative
Table = tuple[tuple[str, tuple[int, ...]], ...]  # sections of an observation: name and shape, in their order
OWN_TABLE: Final[Table] = tuple((section.name, section.shape) for section in SECTIONS)
_STORED: Final = (np.dtype(np.float16), np.dtype(np.float32))


class Network:
    """An input layer, residual layers of the same width, and two heads, as in `bloodrage_training.learn.policy`.

    `arrays` are those of the file by name, float32; `W` is the width, `L` the number of residual layers:
    first_weight[OBSERVATION_SIZE, W], first_bias[W], layer_weights[L, W, W], layer_biases[L, W],
    action_weight[W, NUM_ACTIONS], action_bias[NUM_ACTIONS], value_weight[W], value_bias[1].
    """

    def __init__(self, arrays: dict[str, Vector]) -> None:
        self.arrays = arrays

    @classmethod
    def load(cls, path: str | Path) -> "Network":
        """Read a file, or the player that comes with the project (SHIPPED).

        Raises UserError for one that is missing, foreign, damaged, too large or of another format.
        """
        try:
            return cls.from_bytes(files.read_sealed(file_of(path), MAX_BYTES))
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        except UserError as error:
            raise UserError(f"{path} is no policy of this environment: {error}") from error

    @classmethod
    def from_bytes(cls, content: bytes) -> "Network":
        """Read the content of a file. UserError says what is wrong with it, without a name."""
        table, stored = read_archive(content)
        if table != OWN_TABLE:
            raise UserError(f"it was made for other sections of the observation; map it: {CONVERT}")
        return cls({name: np.ascontiguousarray(array, np.float32) for name, array in stored.items()})

    @property
    def width(self) -> int:
        """Of the layers."""
        return len(self.arrays["first_bias"])

    def for_players(self, number: int) -> "Network":
        """What answers as this one does in games of so many players, without the units that are silent there.

        A merged policy has them: a search, which asks one decision at a time, need not wait for them.
        """
        a = self.arrays
        players = a["first_weight"][AT.players : AT.players + MAX_SEATS - 1]
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
            | {name: a[name][kept] for name in ("action_weight", "value_weight")}
        )

    @functools.cached_property
    def vector(self) -> Vector:
        """All numbers in one row, array by array in the order of `shapes`; what `compiled/forward.py` takes.

        But `action_weight` is turned, so that the weights of an action, which may not be legal, lie side by side.
        """
        arrays = self.arrays | {"action_weight": self.arrays["action_weight"].T}
        return np.concatenate([arrays[name].ravel() for name in shapes(1, 1)])

    def evaluate(self, observations: Vector, masks: ActionMask) -> tuple[Vector, Vector]:
        """Logits, float32[N, NUM_ACTIONS], -inf where `masks` (int8 of the same shape) is 0; values, float32[N].

        Compiled, on one thread: a BLAS would start one for each core, which a single decision only waits for.
        """
        rows = np.ascontiguousarray(observations, np.float32)
        logits, values = np.full(masks.shape, -np.inf, np.float32), np.empty(len(rows), np.float32)
        evaluate_rows(rows, np.ascontiguousarray(masks, np.int8), self.vector, self.width, logits, values)
        return logits, values


class NetworkAgent(Agent):
    """Plays the likeliest action, or with `greedy=False` one drawn by its chance.

    Raises UserError as `Network.load` does.
    """

    def __init__(self, path: str = SHIPPED, greedy: bool = True) -> None:
        self.network = Network.load(path)
        self.greedy = greedy
        compile_all()  # now, not on the clock of the first decision

    def act(self, observation: Vector, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """A legal action."""
        return int(self.act_batch(observation[None], action_mask[None], rng)[0])

    def act_batch(
        self, observations: Vector, action_masks: ActionMask, rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """int64[N]: a legal action of each row."""
        logits, _ = self.network.evaluate(observations, action_masks)
        if not self.greedy:
            logits = logits + rng.gumbel(size=logits.shape).astype(np.float32)  # the largest is drawn by its chance
        return np.asarray(logits.argmax(1), np.int64)


def file_of(path: str | Path) -> Path:
    """The file that a `path` of an agent means."""
    return Path(__file__).parent / "policies" / "selfplay.npz" if path == SHIPPED else Path(path)


def shapes(width: int, layers: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a network, by name."""
    return {
        "first_weight": (OBSERVATION_SIZE, width),
        "first_bias": (width,),
        "layer_weights": (layers, width, width),
        "layer_biases": (layers, width),
        "action_weight": (width, NUM_ACTIONS),
        "action_bias": (NUM_ACTIONS,),
        "value_weight": (width,),
        "value_bias": (1,),
    }


def read_archive(content: bytes, table: Table | None = None) -> tuple[Table, dict[str, npt.NDArray[Any]]]:
    """The sections of the observation that a file is for, and its arrays as they are stored, checked.

    `table` is that of a file of format NO_TABLE, which is refused without. UserError says what is wrong.
    """
    files.check_archive(content, MAX_BYTES)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            version = file["format"] if "format.npy" in file.zip.namelist() else np.int64(-1)
            if version.shape != () or version.dtype.kind != "i" or int(version) not in (NO_TABLE, FORMAT):
                raise UserError(f"its format is not {FORMAT}; export it anew")
            expected = {"format", *shapes(1, 1)} | ({"sections"} if version == FORMAT else set())
            if {*file.zip.namelist()} != {f"{name}.npy" for name in expected}:
                raise UserError(f"it should hold {', '.join(sorted(expected))}")
            if version == FORMAT:
                table = _table(file["sections"])
            if table is None:
                raise UserError(f"its format is {NO_TABLE}, not {FORMAT}; map it: {CONVERT}")
            stored = {name: file[name] for name in shapes(1, 1)}
    except UserError:
        raise
    except Exception as error:  # a file from elsewhere may raise anything
        raise UserError(f"it is damaged ({type(error).__name__})") from error
    depth = stored["layer_weights"].shape[0] if stored["layer_weights"].ndim == 3 else 0
    width = stored["first_bias"].size
    if not 1 <= width <= MAX_WIDTH or depth > MAX_LAYERS:
        raise UserError(f"it has {depth} layers of width {width}")
    size = sum(math.prod(shape) for _, shape in table)
    for name, shape in (shapes(width, depth) | {"first_weight": (size, width)}).items():
        array = stored[name]
        if array.shape != shape or array.dtype not in _STORED:
            raise UserError(f"{name} is {array.dtype}{list(array.shape)} instead of float{list(shape)}")
        if not np.isfinite(array).all():
            raise UserError(f"{name} has numbers that are not finite")
    return table, stored


def packed_table(table: Table) -> npt.NDArray[np.str_]:
    """A table as it is stored: JSON, `[[name, [size, ...]], ...]`."""
    return np.array(json.dumps(table))


def _table(text: npt.NDArray[Any]) -> Table:
    """The table that a file holds. Raises whatever for another text."""
    table = tuple((str(name), tuple(int(size) for size in shape)) for name, shape in json.loads(str(text)))
    if not table or any(size < 1 for _, shape in table for size in shape) or len(dict(table)) < len(table):
        raise ValueError("no table of sections")
    return table
