"""Parts of a run of either learner: logs, a line of progress, and checkpoints.

A checkpoint contains everything that a run depends on, so a killed run resumes with the same results. It is not
trusted: it contains tensors and plain values, which are checked.
"""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from filelock import FileLock, Timeout
from torch.utils.tensorboard import SummaryWriter

from bloodrage_env import files, games
from bloodrage_env.errors import UserError, interruptible

from . import CONFIG
from .config import Learning
from .export import policy_of
from .policy import Policy, load_policy
from .source import Source

CHECKPOINT: Final = "checkpoint.pt"
BEST: Final = "best.npz"  # the policy with the highest mean win rate of all evaluations
CUT: Final = 0.08  # of the decisions of a rollout
FALL: Final = 0.05  # of the mean win rate, if that is more than chance explains
LOCK: Final = "lock"
_LARGEST: Final = 2**62

Whole = npt.NDArray[np.int64]


def usual(players: Sequence[int]) -> int:
    """Return the number of players in most games of a run."""
    return max(players, key=players.count)


def first_policy(
    start: str, width: int, layers: int, game: str, ledger: bool, changes: bool
) -> tuple[Policy, Mapping[int, Mapping[str, torch.Tensor]]]:
    """Return the first network of a run, a new one or that of a file, and the moments of its optimizer.

    The file is a checkpoint or an exported policy. The moments are empty if the file has none.
    """
    if not start:
        return Policy(width, layers, game, ledger, changes), {}
    if start.endswith(".npz"):
        return policy_of(Path(start), game), {}
    policy, kept = load_policy(Path(start), game)
    return policy, kept.get("optimizer", {})


def reads(start: str, game: str) -> dict[str, bool]:
    """Return the settings `ledger` and `changes` of a run that continues a policy, as far as the policy needs them."""
    if not Path(start).is_file():
        return {}
    policy = first_policy(start, 1, 1, game, False, False)[0]
    found = {"ledger": bool(policy.net.ledger), "changes": policy.changes is not None}
    return {name: True for name, needed in found.items() if needed}


def player_of(folder: Path, game: str) -> tuple[Policy, bool]:
    """Return the policy of the run in a folder: the last one, or the best one if the last is clearly worse.

    The bool is whether it is not the last. Without the file of the best one it is the last. Raise UserError for an
    invalid checkpoint.
    """
    path = folder / CHECKPOINT
    last, kept = load_policy(path, game)
    try:
        worse = fell(kept.get("win_rates", {}), kept.get("best", {}))
    except Exception as error:  # a damaged file may raise anything
        raise UserError(f"{path} is damaged: {error}") from error
    return (policy_of(folder / BEST, game), True) if worse and (folder / BEST).exists() else (last, False)


def check_new(folder: Path, names: Iterable[str]) -> None:
    """Raise UserError for a folder without a run that has one of these files: the run would use or replace it."""
    for name in names:
        if (folder / name).exists():
            raise UserError(f"{folder} holds {name}, but no {CONFIG} of its run; give another --out")


# ---- logs


def log(path: Path, row: Mapping[str, Any]) -> None:
    """Add a row to a CSV file, whose first line contains the names."""
    new = not path.exists() or not path.stat().st_size
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow({name: f"{value:.6g}" if type(value) is float else value for name, value in row.items()})


def open_board(folder: Path, updates: int) -> SummaryWriter:
    """Return the TensorBoard log of a run, without the entries of a killed run after this number of updates."""
    return SummaryWriter(str(folder / "tensorboard"), purge_step=updates + 1)


def show(board: SummaryWriter, figures: Mapping[str, Any], update: int) -> None:
    """Add the figures of an update to a TensorBoard log."""
    for name, value in figures.items():
        board.add_scalar(name, value, update)


def cut_log(path: Path, updates: int) -> None:
    """Remove the rows that a killed run wrote after its checkpoint. The resumed run writes them again."""
    if path.exists():
        first, *rows = path.read_text().splitlines(keepends=True) or [""]
        if not first.endswith("\n"):  # killed before it was written
            path.unlink()
            return
        try:
            column = first.strip().split(",").index("updates")
            # The last row may be half a row: it ends without a line break.
            kept = [row for row in rows if row.endswith("\n") and int(row.split(",")[column]) <= updates]
        except (ValueError, IndexError) as error:
            raise UserError(f"{path} is not the log of a run, or damaged: {error}; move it elsewhere") from error
        files.write(path, "".join([first, *kept]).encode())


def status(update: int, done: int, unit: str, a_second: float, seconds_left: float | None, note: str) -> str:
    """Return a line of progress, which ends with an optional note. `seconds_left` is None while it is unknown."""
    text = f"update {update}, {done:,} {unit}, {a_second:,.0f} {unit}/s"
    if seconds_left is not None:
        text += f", {timedelta(seconds=round(max(0.0, seconds_left)))} left"
    return f"{text}; {note}" if note else text


def rates_text(win_rates: Mapping[str, float]) -> str:
    """Return win rates against each opponent as text; empty without any."""
    return (
        "win rates against " + ", ".join(f"{name} {share:z.1%}" for name, share in win_rates.items())
        if win_rates
        else ""
    )


def cut_text(cut: float, steps: int) -> str:
    """Return a warning if a large part of the decisions of a rollout have no next one in it; else an empty text.

    They can't be learned from, and which are left out depends on the action. A policy collapsed with 20 %, and did not
    with 5 %.
    """
    if cut <= CUT:
        return ""
    return (
        f"{cut:.0%} of the decisions of an update are left out, because it ends before their seat decides again, "
        f"and what is left is biased: give more than {steps} steps"
    )


def fell(win_rates: Mapping[str, float], best: Mapping[str, float]) -> bool:
    """Return whether win rates are clearly lower, on average, than those of the best of several evaluations.

    `best` has its mean win rate and its number of games. The best of many is lucky, by up to three standard errors.
    """
    if not win_rates or not best:
        return False
    error = 0.5 / math.sqrt(best["games"])
    return fmean(win_rates.values()) < best["rate"] - max(FALL, 4 * math.sqrt(2) * error)


# ---- checkpoints


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Create the folder of a run and lock it. Raise UserError if another process trains there.

    The lock is a lock of the operating system on an empty file: it is released when its process ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / LOCK, timeout=0):
            yield
    except Timeout as error:
        raise UserError(f"another process is learning in {folder}; wait for its end, or name another folder") from error


def with_policy(policy: Policy, **more: Any) -> dict[str, Any]:
    """Return the content of a checkpoint for `load_policy`: copies, which do not change when the policy learns."""
    shape = {"width": policy.width, "layers": len(policy.layers)}
    rules = games.game(policy.game).rules_version
    kept = {"game": policy.game, "rules": rules, "policy": policy.state_dict(), "shape": shape}
    return {name: _copied(each) for name, each in (kept | more).items()}


def _copied(content: Any) -> Any:
    """Return a copy in the memory of the CPU."""
    if isinstance(content, torch.Tensor):
        return content.detach().to("cpu", copy=True)
    if isinstance(content, Mapping):
        return {name: _copied(each) for name, each in content.items()}
    return [_copied(each) for each in content] if isinstance(content, list) else content


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write a checkpoint with a checksum. If the process is killed, the old file remains complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = io.BytesIO()
    with interruptible():
        torch.save(content, packed)
    files.write(path, files.sealed(packed.getvalue()))


@contextmanager
def resumed(path: Path, content: Mapping[str, Any], game: str) -> Iterator[None]:
    """A context for resuming from a checkpoint: any exception becomes a UserError of one line."""
    try:
        if content.get("rules") != games.game(game).rules_version or "progress" not in content:
            raise UserError("it is a policy alone, or of other rules; a new run can begin with it (start)")
        yield
    except Exception as error:  # a damaged file may raise anything
        said = str(error) if isinstance(error, UserError) else f"it is damaged ({type(error).__name__}: {error})"
        raise UserError(f"no run can go on from {path}: {said}") from error


def number_of(kept: Mapping[str, Any], name: str) -> int | float:
    """Return a number of a checkpoint. Raise ValueError for another type, and if it is negative or not finite."""
    value = kept[name]
    if type(value) not in (int, float) or not 0 <= value < math.inf:
        raise ValueError(f"{name} is {value!r:.60}")
    return value  # type: ignore[no-any-return]


def whole(values: Any, shape: tuple[int, ...], low: int = 0, high: int = _LARGEST) -> Whole:
    """Return integers of a checkpoint. Raise ValueError for another shape or values outside `low` to `high`."""
    array: Whole = values.to(torch.int64).numpy()
    if array.shape != shape or (array < low).any() or (array > high).any():
        raise ValueError(f"numbers of shape {list(array.shape)} are not {list(shape)}, or not from {low} to {high}")
    return array


def load_optimizer(optimizer: torch.optim.Optimizer, kept: Mapping[int, Mapping[str, torch.Tensor]]) -> None:
    """Restore Adam's moments but not its settings. Raise ValueError if they belong to other weights."""
    own = optimizer.state_dict()
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    if kept and kept.keys() != set(range(len(weights))):
        raise ValueError("it has the moments of other weights")
    for number, moments in kept.items():
        shapes = {"step": torch.Size([]), "exp_avg": weights[number].shape, "exp_avg_sq": weights[number].shape}
        if {name: value.shape for name, value in moments.items()} != shapes:
            raise ValueError(f"the moments of weight {number} are not {shapes}")
    optimizer.load_state_dict({"state": kept, "param_groups": own["param_groups"]})


def optimizer_of(policy: Policy, learning_rate: float) -> torch.optim.Optimizer:
    """Return the optimizer of a policy."""
    return torch.optim.Adam(policy.parameters(), lr=learning_rate, eps=1e-5, fused=True)


def check_start(config: Learning) -> None:
    """Raise UserError for a first policy with which no run of these settings can start."""
    policy, moments = first_policy(config.start, 1, 1, config.game, config.ledger, config.changes)
    policy.read(config.ledger, config.changes)
    start_with(optimizer_of(policy, config.learning_rate), moments, config.start)


def start_with(optimizer: torch.optim.Optimizer, kept: Mapping[int, Mapping[str, torch.Tensor]], start: str) -> None:
    """Restore the moments of the checkpoint `start`, which is not trusted. Raise UserError if they do not fit."""
    try:
        load_optimizer(optimizer, kept)
    except Exception as error:  # a damaged file may raise anything
        raise UserError(
            f"no run can start from {start}: its optimizer is of another learner, or damaged ({error}); start from "
            "the policy alone, exported to .npz"
        ) from error


def games_state(games: Source) -> dict[str, torch.Tensor]:
    """Return the games of a batch, for a checkpoint."""
    return {
        "records": torch.frombuffer(bytearray(games.states.tobytes()), dtype=torch.uint8),
        "seeds": torch.tensor(games.seeds),
    }


def resume_games(games: Source, kept: Mapping[str, torch.Tensor]) -> None:
    """Continue with the games of a checkpoint. Raise ValueError for another number of games or players."""
    seeds, records = whole(kept["seeds"], games.seeds.shape), kept["records"].numpy()
    if records.dtype != np.uint8 or records.shape != (games.num_games * games.game.state.itemsize,):
        raise ValueError("the games are others, or of another version")
    states = records.view(games.game.state)
    for game in range(games.num_games):
        games.game.check_state(states, game)
    if not np.array_equal(states["num_players"], games.players):
        raise ValueError("the games have other numbers of players")
    games.restore(states, seeds)
