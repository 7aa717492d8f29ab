"""Parts of a run of either learner: settings, logs, a line of progress, and checkpoints.

A checkpoint holds everything that a run depends on, so that a run which was killed resumes as if it had not been. It is
not trusted: it holds tensors and plain values, and games as their seeds and actions, which are replayed.
"""

import csv
import io
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from filelock import FileLock, Timeout
from torch.utils.tensorboard import SummaryWriter

from bloodrage_agents.network import MAX_LAYERS, MAX_WIDTH
from bloodrage_env import files, games
from bloodrage_env.core.compiled import Records
from bloodrage_env.core.game import Game
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from .export import policy_of
from .learnable import learnable
from .policy import Policy, load_policy

CHECKPOINT: Final = "checkpoint.pt"
LOCK: Final = "lock"
MAX_SEED: Final = 2**20 - 1  # of a run; the seeds of its games begin at this one times SEED_STEP
SEED_STEP: Final = 2**40  # more than the games of a run
_LARGEST: Final = 2**62
# Of settings; the others have none.
_HIGHEST: Final = {
    "seed": MAX_SEED, "self_play": 1, "more_seats": 1, "gae_lambda": 1, "learning_rate_decay": 1, "width": MAX_WIDTH,
    "layers": MAX_LAYERS, "learned": 1, "set_chance": 1,
}  # fmt: skip

T = TypeVar("T")


Whole = npt.NDArray[np.int64]


# ---- settings


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file. UserError if it can't be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}") from error


def settings(values: Mapping[str, Any], kind: type[T], where: str) -> T:
    """A dataclass of settings, all of which have defaults, from values by name.

    UserError, which begins with `where`, for names that no setting has, and for values of another type or size.
    """
    defaults, checked = vars(kind()), dict(values)
    name = values.get("game", games.FIRST)
    if type(name) is not str or name not in games.GAMES:
        raise UserError(f"{where}: game is {name!r}; give one of {', '.join(games.GAMES)}")
    game = learnable(name)
    checked = {each: value for each, value in game.defaults.items() if each in defaults} | checked
    for name, value in checked.items():
        if name not in defaults:
            raise UserError(f"{where}: no setting is called {name!r}; there are {', '.join(defaults)}")
        wanted = type(defaults[name])
        if wanted is tuple and isinstance(value, list):
            of = int if name == "players" else str
            if not all(type(each) is of for each in value):
                raise UserError(f"{where}: {name} is {value!r}; give a list of {'numbers' if of is int else 'names'}")
            checked[name] = tuple(value)
        elif wanted is float and type(value) is int:
            checked[name] = float(value)
        elif type(value) is not wanted:
            raise UserError(f"{where}: {name} is {value!r}; it should be of the kind of {defaults[name]!r}")
        if type(value) in (int, float):
            low = 0 if wanted is float or name in ("seed", "layers") else 1
            high = _HIGHEST.get(name, math.inf)
            if not low <= value <= high or value == math.inf:
                raise UserError(
                    f"{where}: {name} is {value}; give {low} {'or more' if high == math.inf else f'to {high}'}"
                )
    players = checked.get("players", (game.players,))
    try:
        if not players:
            raise ValueError("give one number or more")
        for number in players:
            game.options_of(number, checked.get("sets", ()))
    except (TypeError, ValueError) as error:
        raise UserError(f"{where}: players is {list(players)}: {error}") from error
    return kind(**checked)


def toml(value: Any) -> str:
    """A setting as TOML has it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{as_json(name)} = {toml(each)}" for name, each in value.items()) + " }"
    return as_json(value)  # numbers, texts and lists are written alike in both


def settings_text(values: Mapping[str, Any]) -> str:
    """Settings as a TOML file has them."""
    return "".join(f"{name} = {toml(value)}\n" for name, value in values.items())


def usual(players: Sequence[int]) -> int:
    """How many players most of the games of a run have."""
    return max(players, key=players.count)


def first_policy(
    start: str, width: int, layers: int, game: str = games.FIRST
) -> tuple[Policy, Mapping[int, Mapping[str, torch.Tensor]]]:
    """The network that a run begins with: a new one, or that of a checkpoint or an exported policy; and the moments of
    its optimizer, if the file has them.
    """
    if not start:
        return Policy(width, layers, game), {}
    if start.endswith(".npz"):
        return policy_of(Path(start), game), {}
    policy, kept = load_policy(Path(start), game)
    return policy, kept.get("optimizer", {})


# ---- logs


def log(path: Path, row: Mapping[str, Any]) -> None:
    """Add a row to a CSV file, whose first line has the names."""
    new = not path.exists() or not path.stat().st_size
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow({name: f"{value:.6g}" if type(value) is float else value for name, value in row.items()})


def open_board(folder: Path, updates: int) -> SummaryWriter:
    """The log of a run for TensorBoard, without what a killed run had done after so many updates."""
    return SummaryWriter(str(folder / "tensorboard"), purge_step=updates + 1)


def show(board: SummaryWriter, figures: Mapping[str, Any], update: int) -> None:
    """Add the figures of an update to it."""
    for name, value in figures.items():
        board.add_scalar(name, value, update)


def cut_log(path: Path, updates: int) -> None:
    """Take out of a log what a killed run had done after its checkpoint: it is done again."""
    if path.exists():
        first, *rows = path.read_text().splitlines(keepends=True) or [""]
        if not first.endswith("\n"):  # killed before it was written
            path.unlink()
            return
        column = first.strip().split(",").index("updates")
        # The last row may be half a row: it ends without a line break.
        kept = [row for row in rows if row.endswith("\n") and int(row.split(",")[column]) <= updates]
        files.write(path, "".join([first, *kept]).encode())


def status(update: int, done: int, unit: str, a_second: float, seconds_left: float, note: str) -> str:
    """A line of progress, which ends with a note if there is one."""
    left = timedelta(seconds=round(max(0.0, seconds_left)))
    text = f"update {update}, {done:,} {unit}, {a_second:,.0f} {unit}/s, {left} left"
    return f"{text}; {note}" if note else text


def rates_text(win_rates: Mapping[str, float]) -> str:
    """Win rates against each opponent, in words; nothing of none."""
    return (
        "win rates against " + ", ".join(f"{name} {share:z.1%}" for name, share in win_rates.items())
        if win_rates
        else ""
    )


# ---- checkpoints


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Make the folder of a run, in which nobody else learns meanwhile. UserError if somebody does.

    The lock is the system's, on an empty file: it goes with its process, however that ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / LOCK, timeout=0):
            yield
    except Timeout as error:
        raise UserError(f"another process is learning in {folder}; wait for its end, or name another folder") from error


def with_policy(policy: Policy, **more: Any) -> dict[str, Any]:
    """What a checkpoint holds, as `load_policy` reads it: copies, which don't change when the policy learns."""
    shape = {"width": policy.width, "layers": len(policy.layers)}
    rules = games.game(policy.game).rules_version
    kept = {"game": policy.game, "rules": rules, "policy": policy.state_dict(), "shape": shape}
    return deepcopy(kept | more)


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write a checkpoint, sealed; whoever is killed meanwhile leaves the old one whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = io.BytesIO()
    torch.save(content, packed)
    files.write(path, files.sealed(packed.getvalue()))


@contextmanager
def resumed(path: Path, content: Mapping[str, Any], game: str = games.FIRST) -> Iterator[None]:
    """A run goes on from what is in its checkpoint: whatever is wrong with that is a UserError of one line."""
    try:
        if content.get("rules") != games.game(game).rules_version or "progress" not in content:
            raise UserError("it is a policy alone, or of other rules; a new run can begin with it (start)")
        yield
    except Exception as error:  # a damaged file may raise anything
        said = str(error) if isinstance(error, UserError) else f"it is damaged ({type(error).__name__}: {error})"
        raise UserError(f"no run can go on from {path}: {said}") from error


def counted(kept: Mapping[str, Any], names: Mapping[str, T]) -> dict[str, T]:
    """How far a run has come, of the kinds of `names`. ValueError for numbers below 0."""
    found = {name: type(zero)(kept[name]) for name, zero in names.items()}  # type: ignore[call-arg]
    if not all(value >= 0 for value in found.values()):  # type: ignore[operator]
        raise ValueError(f"it has come to {found}")
    return found


def whole(values: Any, shape: tuple[int, ...], low: int = 0, high: int = _LARGEST) -> Whole:
    """Numbers of a checkpoint. ValueError unless they have this shape and are from `low` to `high`."""
    array: Whole = values.to(torch.int64).numpy()
    if array.shape != shape or (array < low).any() or (array > high).any():
        raise ValueError(f"numbers of shape {list(array.shape)} are not {list(shape)}, or not from {low} to {high}")
    return array


def load_optimizer(optimizer: torch.optim.Optimizer, kept: Mapping[int, Mapping[str, torch.Tensor]]) -> None:
    """Resume with the moments of Adam; its settings stay as they are. ValueError if they are those of other weights."""
    own = optimizer.state_dict()
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    if kept and kept.keys() != set(range(len(weights))):
        raise ValueError("it has the moments of other weights")
    for number, moments in kept.items():
        shapes = {"step": torch.Size([]), "exp_avg": weights[number].shape, "exp_avg_sq": weights[number].shape}
        if {name: value.shape for name, value in moments.items()} != shapes:
            raise ValueError(f"the moments of weight {number} are not {shapes}")
    optimizer.load_state_dict({"state": kept, "param_groups": own["param_groups"]})


def start_with(optimizer: torch.optim.Optimizer, kept: Mapping[int, Mapping[str, torch.Tensor]], start: str) -> None:
    """Resume with the moments of the checkpoint `start`, which are not trusted: UserError if they do not fit."""
    try:
        load_optimizer(optimizer, kept)
    except Exception as error:  # a damaged file may raise anything
        raise UserError(
            f"no run can start from {start}: its optimizer is of another learner, or damaged ({error}); start from "
            "the policy alone, exported to .npz"
        ) from error


class Histories:
    """What was done so far in each game of a batch, by which the games can be played again."""

    def __init__(self, num_games: int, game: Game) -> None:
        self._game = game
        self._actions = np.zeros((num_games, game.max_decisions), np.int16)
        self._lengths = np.zeros(num_games, np.int64)

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles contain: the game by its name."""
        return self.__dict__ | {"_game": self._game.name}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore."""
        self.__dict__.update(saved | {"_game": games.game(saved["_game"])})

    def note(self, games: Whole, actions: Whole) -> None:
        """These games are answered so."""
        self._actions[games, self._lengths[games]] = actions
        self._lengths[games] += 1

    def forget(self, games: Whole) -> None:
        """These games begin anew."""
        self._lengths[games] = 0

    def state(self, seeds: Whole) -> dict[str, torch.Tensor]:
        """The games, which began with these seeds, for a checkpoint."""
        actions = [row[:length] for row, length in zip(self._actions, self._lengths, strict=True)]
        return {
            "seeds": torch.tensor(seeds),
            "lengths": torch.tensor(self._lengths),
            "actions": torch.tensor(np.concatenate(actions)),
        }

    def play_again(self, kept: Mapping[str, torch.Tensor], options: Whole, states: Records) -> Whole:
        """Bring `states` to where the games of a checkpoint were, with `options.rows`; returns their seeds.

        ValueError if these are not as many games, or can't be played so.
        """
        count = len(options)
        seeds = whole(kept["seeds"], (count,))
        lengths = whole(kept["lengths"], (count,), 0, self._game.max_decisions)
        actions = whole(kept["actions"], (int(lengths.sum()),), 0, self._game.num_actions - 1)
        parts = np.split(actions, np.cumsum(lengths)[:-1])
        for game, (seed, part) in enumerate(zip(seeds.tolist(), parts, strict=True)):
            self._game.reset(states, game, seed, *options[game].tolist())
            for action in part.tolist():
                if self._game.play.apply(states, game, action) < 0:
                    raise ValueError(f"game {game} can't be played as it says")
            self._actions[game, : len(part)] = part
        self._lengths[:] = lengths
        return seeds


def show_decisions(
    game: Game, states: Records, masks: npt.NDArray[np.int8], observations: npt.NDArray[np.float32], seats: Whole
) -> None:
    """Fill the arrays of a batch with the open decision of each game."""
    masks[:] = states["mask"]
    seats[:] = states["seat"]
    for index, row in enumerate(observations):  # none where the batch has none
        game.observe.observe(states, index, int(seats[index]), row)
