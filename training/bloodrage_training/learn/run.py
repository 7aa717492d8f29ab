"""The common part of the runs of both learners (`ppo.py` and `search.py`): network and optimizer,
progress, logs, evaluation and checkpoints.
"""

import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np
import torch

from bloodrage_env.core.compile.decorators import compile_all
from bloodrage_env.errors import UserError

from .config import Learning
from .evaluate import against_baselines
from .export import export
from .learnable import learnable
from .policy import is_finite, load_policy
from .runs import (
    BEST,
    CHECKPOINT,
    cut_log,
    fell,
    first_policy,
    load_optimizer,
    log,
    number_of,
    open_board,
    optimizer_of,
    rates_text,
    resumed,
    show,
    start_with,
    status,
    usual,
    with_policy,
    write,
)

LOGS = ("log.csv", "evaluation.csv")
PAUSE: Final = 5.0  # seconds without a line of progress, after which an update prints one


class Run(ABC):
    """A run in its folder. A subclass defines an update, and the rest of the content of a checkpoint.

    Raises UserError if the first policy, or the checkpoint to resume from, is invalid.
    """

    def __init__(self, config: Learning, folder: Path, device: str = "cpu") -> None:
        self.config, self.folder = config, folder
        self.path = self.folder / CHECKPOINT
        self.progress: dict[str, Any] = {"updates": 0, "decisions": 0, "games": 0, "seconds": 0.0}
        self.warned = False
        self.win_rates: dict[str, float] = {}
        self.best: dict[str, float] = {}  # of the policy in BEST: its mean win rate, the games, the updates before it
        torch.manual_seed(config.seed)
        kept: dict[str, Any] = {}
        moments: Any = {}
        if self.path.exists():
            self.policy, kept = load_policy(self.path, config.game)
        else:
            self.policy, moments = first_policy(
                config.start, config.width, config.layers, config.game, config.ledger, config.changes
            )
        if self.policy.net.ledger and not config.ledger:
            raise UserError(f"{config.start or self.path} reads the ledger; give ledger = true")
        if self.policy.changes is not None and not config.changes:
            raise UserError(f"{config.start or self.path} reads what actions change; give changes = true")
        self.policy.read(config.ledger, config.changes)
        self.policy.bfloat16 = config.bfloat16 or device != "cpu"
        self.policy.to(device)
        self.mean, self.averaged = deepcopy(self.policy), 0  # of the policies after the last updates, and their number
        self.optimizer = optimizer_of(self.policy, config.learning_rate)
        self.prepare()
        if kept:
            with resumed(self.path, kept, config.game):
                self._resume(kept)
        else:
            self._cut_logs()  # of a run that was killed before its first checkpoint
            if moments:
                start_with(self.optimizer, moments, config.start)
        self.kept = self._state()
        self.board = open_board(folder, self.progress["updates"])
        self.start_clock()

    @abstractmethod
    def prepare(self) -> None:
        """Make what the run needs in addition to the network."""

    def close(self) -> None:  # noqa: B027
        """End threads of the run. The default does nothing."""

    @abstractmethod
    def update(self) -> None:
        """Play and learn once, between `begin_update` and `end_update`."""

    @abstractmethod
    def own_state(self) -> dict[str, Any]:
        """Return the content of a checkpoint except the network, the optimizer and the progress."""

    @abstractmethod
    def resume(self, kept: Mapping[str, Any]) -> None:
        """Continue from such a state. Raise any exception for a damaged one."""

    def note(self) -> str:
        """Return the end of the line of progress: the last win rates against each baseline agent."""
        text = rates_text(self.win_rates)
        if not fell(self.win_rates, self.best):
            return text
        return f"{text}; {self.best['rate']:.1%} on average after update {self.best['updates']:.0f}, which {BEST} keeps"

    def begin_update(self) -> None:
        """Set the learning rate, and seed all random numbers by the seed of the run and the update's number."""
        rng = np.random.default_rng([self.config.seed, self.progress["updates"]])
        torch.manual_seed(int(rng.integers(2**62)))
        left = 1 - self.done()
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * min(1.0, left / max(self.config.learning_rate_decay, 1e-9))

    def end_update(self, decisions: int, games: int, seconds: float, figures: Mapping[str, Any]) -> None:
        """Count and log the results of the update; evaluate the policy if it is time to.

        Raise UserError if a weight is not finite; the checkpoint remains that of the update before.
        """
        progress = self.progress
        if not is_finite(self.policy):
            raise UserError(
                f"the policy diverged in update {progress['updates'] + 1}: its weights are not finite; begin again "
                "with a lower learning_rate"
            )
        progress["updates"] += 1
        progress["decisions"] += decisions
        progress["games"] += games
        progress["seconds"] += seconds
        self._average()
        if self.done() == 1:
            self._take_mean()
        row = progress | {"per_second": decisions / seconds} | dict(figures)
        log(self.folder / LOGS[0], row)
        show(self.board, row, progress["updates"])
        due = progress["updates"] % self.config.evaluate_every == 0 or (self.done() == 1 and bool(self.best))
        if due:
            self._evaluate()
        self.kept = self._state()
        if due:  # the checkpoint names the best policy, whose file was written now
            self.save()

    def _average(self) -> None:
        """In the last part of the run, add the policy to the mean (Izmailov and others, 2018)."""
        # A run that was lengthened begins again.
        self.averaged = self.averaged + 1 if self.done() > 1 - self.config.average else 0
        if self.averaged:
            with torch.no_grad():
                for mean, weights in zip(self.mean.parameters(), self.policy.parameters(), strict=True):
                    mean.lerp_(weights, 1 / self.averaged)

    def _take_mean(self) -> bool:
        """At the end of the run, replace the policy by the mean. Return whether it is another policy."""
        pairs = zip(self.mean.parameters(), self.policy.parameters(), strict=True)
        if not self.averaged or all(torch.equal(*each) for each in pairs):
            return False
        self.policy.load_state_dict(self.mean.state_dict())
        return True

    def done(self, decisions: int = 0, seconds: float = 0.0) -> float:
        """The part of the run that is done: 1 at its end. The arguments are those of the update in progress."""
        by_decisions = (self.progress["decisions"] + decisions) / self.config.decisions
        limit = 60 * self.config.minutes
        by_time = (self.progress["seconds"] + seconds) / limit if limit else 0.0
        return float(min(1.0, max(by_decisions, by_time)))

    def save(self) -> None:
        """Write the checkpoint, with the state after the last update."""
        write(self.path, self.kept)

    def finish(self, until: float = math.inf) -> bool:
        """Update until the run is done, or has made `until` decisions, and print progress for each update.

        Ctrl-C ends it with a checkpoint of the last complete update. Return whether that point was reached.
        """
        compile_all()  # or loaded: that is not a time of the run
        saved = self.start_clock()
        try:
            while self.done() < 1 and self.progress["decisions"] < until:
                self.update()
                now = self._print_line()
                if now > saved + self.config.save_minutes * 60:
                    self.save()
                    saved = now
            if self.done() == 1 and self._take_mean():  # it ended by the time of an evaluation, or by a new limit
                if self.best:
                    self._evaluate()
                self.kept = self._state()
        except KeyboardInterrupt:
            print("\nstopping; the checkpoint is being written", file=sys.stderr)
            return False
        finally:
            self.close()
            self.save()
            self.board.close()
        return True

    def warn_once(self, text: str) -> None:
        """Print a warning, unless it is empty or the run has printed one."""
        if text and not self.warned:
            self.warned = True
            print(f"warning: {text}", file=sys.stderr, flush=True)

    def start_clock(self) -> float:
        """Begin to measure the speed of the run; returns the time."""
        self.began = self.printed = self.updated = time.monotonic()
        self.first = self.progress["decisions"], self.done()
        return self.began

    def show_part(self, decisions: int, note: str = "playing") -> None:
        """Print the progress of an update that has made so many decisions, if nothing was printed for a while."""
        if time.monotonic() >= self.printed + PAUSE:
            self._print_line(decisions, note)

    def leave_out(self, decisions: int) -> None:
        """Leave out decisions of the update in progress that were made before the start, when speed is measured."""
        self.first = self.progress["decisions"] + decisions, self.done(decisions)

    def _print_line(self, part: int | None = None, note: str = "") -> float:
        """Print a line of progress, after an update or with its decisions so far; returns the time."""
        now, updates = time.monotonic(), self.progress["updates"]
        before, done_before = self.first
        decisions = self.progress["decisions"]
        if part is None:
            done, note, self.updated = self.done(), self.note(), now
        else:
            done, updates, decisions = self.done(part, now - self.updated), updates + 1, decisions + part
        speed = max(0, decisions - before) / max(1e-9, now - self.began)
        left = (1 - done) * (now - self.began) / (done - done_before) if done > done_before else None
        print(status(updates, decisions, "decisions", speed, left, note), file=sys.stderr, flush=True)
        self.printed = now
        return now

    def _evaluate(self) -> None:
        """Play against each baseline agent, add the win rates to `evaluation.csv`, and export a policy that is the
        best so far.
        """
        began, policy = time.monotonic(), deepcopy(self.policy).cpu()
        self.win_rates = against_baselines(policy, self.config.evaluation_games, usual(self.config.players))
        mean = fmean(self.win_rates.values())
        if not self.best or mean > self.best["rate"]:
            export(policy, self.folder / BEST)
            played = self.config.evaluation_games * len(self.win_rates)
            self.best = {"rate": mean, "updates": self.progress["updates"], "games": played}
        shares = {f"win_rate/{name}": share for name, share in self.win_rates.items()}
        show(self.board, shares, self.progress["updates"])
        log(self.folder / LOGS[1], self.progress | {name: f"{share:.4f}" for name, share in self.win_rates.items()})
        self.progress["seconds"] += time.monotonic() - began

    def _state(self) -> dict[str, Any]:
        """Return the complete state of the run."""
        return with_policy(
            self.policy,
            optimizer=self.optimizer.state_dict()["state"],
            progress=self.progress,
            win_rates=self.win_rates,
            best=self.best,
            **({"mean": self.mean.state_dict(), "averaged": self.averaged} if self.averaged else {}),
            **self.own_state(),
        )

    def _resume(self, kept: Mapping[str, Any]) -> None:
        """Continue from such a state."""
        load_optimizer(self.optimizer, kept["optimizer"])
        self.resume(kept)
        self.averaged = int(number_of(kept, "averaged")) if "averaged" in kept else 0
        if self.averaged:
            self.mean.load_state_dict(kept["mean"])
            if not is_finite(self.mean):
                raise ValueError("mean has weights that are not finite")
        self.progress = {name: type(zero)(number_of(kept["progress"], name)) for name, zero in self.progress.items()}
        known = learnable(self.config.game).baselines
        self.win_rates = {name: float(kept["win_rates"][name]) for name in known if name in kept["win_rates"]}
        best = kept.get("best", {})
        self.best = {name: float(number_of(best, name)) for name in ("rate", "updates", "games")} if best else {}
        self._cut_logs()

    def _cut_logs(self) -> None:
        for name in LOGS:
            cut_log(self.folder / name, self.progress["updates"])
