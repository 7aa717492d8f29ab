"""Self-play by proximal policy optimization in one file, to be read from top to bottom.

One network plays its seats of many games and learns from its decisions. In some games the network has all seats, in
others heuristics or policies from files have some of them.

A row is one decision of a seat. Its successor is the seat's own next decision, not the next decision of the game, which
usually is another seat's. A seat gets its reward when the game ends, whoever moved last. `advantages` handles both.
PPO: Schulman and others, 2017; generalized advantage estimation: 2016. Settings, logs and checkpoints are in
`config.py`, `run.py` and `runs.py`; `bloodrage train` calls `train`.

Each thread plays a part of the games (`tables.py`) and writes the inputs of its decisions as bytes into one array. On a
CPU the threads then learn together, each from a part of every minibatch. With a GPU, the games are on it too if
numba-cuda is installed; otherwise a few threads play large parts and divide the compiled work between more threads. The
arrays are on the GPU, which learns from one of them while the other one is filled with the policy of the last update.
"""

import copy
import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from bloodrage_agents.network import file_of
from bloodrage_env.errors import UserError

from ..workers import BACKENDS
from . import gradients, run
from .actors import Actors
from .config import Imitation, Ppo, Rollouts
from .export import policy_of
from .policy import Inputs, Policy, SparseRows
from .products import use_one_thread
from .runs import alone, cut_text
from .slow import SlowCopy
from .source import on_gpu
from .tables import NETWORK, Clock, Counts, Tables, clockwise, part_of, parts_of, regrouped

OTHERS_WEIGHT: Final = 0.25  # of the values of seats that are not asked, in the loss
SURE: Final = math.log(0.98)  # rows with an action that is likelier teach little
ROWS: Final = 1024  # that are made sparse at once
TURN: Final = 1.0  # seconds at most between two looks at the progress of a rollout

Bools = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


# ---- playing


@dataclass
class Batch:
    """Decisions of the network, one per row, in the order in which each thread made them."""

    inputs: Inputs
    places: Whole  # int64[R], the row of `inputs` of each
    actions: Tensor  # int64[R]
    taught: Tensor  # int64[R], what the teacher would have done; without one, `actions`
    log_probabilities: Tensor  # float32[R], of these actions when they were chosen
    values: Tensor  # float32[R, seats], as estimated then, of the seats clockwise from the one that is asked
    advantages: Tensor  # float32[R], of the seat that is asked
    returns: Tensor  # float32[R, seats], what the values should have been
    weights: Tensor  # float32[R], the number of decisions that a row represents
    players: Tensor  # int64[R], of its game
    known: Bools  # rows to learn from: the others have no next decision yet

    @classmethod
    def join(cls, parts: Sequence["Batch"]) -> "Batch":
        """Return the rows of all parts, whose inputs are in the same array."""
        places, known = (np.concatenate([getattr(part, name) for part in parts]) for name in ("places", "known"))
        names = ("actions", "taught", "log_probabilities", "values", "advantages", "returns", "weights", "players")
        tensors = {name: torch.cat([getattr(part, name) for part in parts]) for name in names}
        return cls(parts[0].inputs, places, known=known, **tensors)

    def to(self, device: torch.device) -> "Batch":
        """Return the batch on a device."""
        tensors = {name: each.to(device) for name, each in vars(self).items() if isinstance(each, Tensor)}
        return Batch(self.inputs.to(device), self.places, known=self.known, **tensors)


@dataclass
class Step:
    """The decisions of the network in one step of all games, and the results of the step."""

    games: Whole  # of each row
    seats: Whole  # of each row
    values: Reals  # float32[rows, seats]
    dones: Bools  # of each game
    rewards: Reals  # float32[games, seats, seats]: of the seats clockwise from each seat


def advantages(steps: list[Step], gae_lambda: float) -> tuple[Reals, Bools]:
    """Return the generalized advantage estimates (GAE) of every row of these steps.

    The rows of each seat of each game are one sequence, processed from the last to the first. If a game
    continues, the advantage of each seat's last row is not known: the row provides only the values after the row
    before. Nothing is discounted, because a game is short and only its end has a reward.

    Parameters
    ----------
    steps : list of Step
        In the order in which they were played.
    gae_lambda : float
        0 to 1: the weight of later values (Schulman and others 2016).

    Returns
    -------
    tuple of ndarray
        float32[R, seats]: how much better the game went than expected, for the seat to act and for the others
        clockwise, from all of which values learn. bool[R]: whether they are known.

    Examples
    --------
    >>> import numpy as np
    >>> from bloodrage_training.learn.ppo import Step, advantages
    >>> rewards = np.array([[[1.0, -1.0], [-1.0, 1.0]]], np.float32)  # a game of two, which seat 0 wins
    >>> step = Step(np.array([0]), np.array([0]), np.array([[0.2, -0.2]], np.float32), np.array([True]), rewards)
    >>> gains, known = advantages([step], gae_lambda=0.95)
    >>> gains.round(2), known
    (array([[ 0.8, -0.8]], dtype=float32), array([ True]))
    """
    shape = steps[0].rewards.shape
    next_reward, next_value, next_advantage = np.zeros((3, *shape), np.float32)
    has_next = np.zeros(shape[:2], bool)
    result, known = [], []
    for step in reversed(steps):
        next_reward[step.dones] = step.rewards[step.dones]
        next_value[step.dones] = 0.0
        next_advantage[step.dones] = 0.0
        has_next[step.dones] = True
        at = step.games, step.seats
        error = next_reward[at] + next_value[at] - step.values
        advantage = np.where(has_next[at][:, None], error + gae_lambda * next_advantage[at], np.float32(0.0))
        result.append(advantage)
        known.append(has_next[at])
        next_reward[at] = 0.0
        next_value[at] = step.values
        next_advantage[at] = advantage
        has_next[at] = True
    return np.concatenate(result[::-1]), np.concatenate(known[::-1])


def _taught(
    tables: Tables, which: Whole, teacher: Policy, rows: Inputs | SparseRows, rng: np.random.Generator
) -> Tensor:
    """Return the actions of a teacher. `rows` are the inputs of the policy; the teacher may read others."""
    if not teacher.net.same_inputs(tables.learnable.forward):
        seen = Inputs.empty(len(which), teacher.net, teacher.device)
        tables.write(which, seen, teacher.net)
        rows = teacher.rows(seen)
    return teacher.draw(rows, rng)[0]


def play(
    tables: Tables, policy: Policy, config: Rollouts, inputs: Inputs, at: int = 0, teacher: Policy | None = None
) -> tuple[Batch, Counts]:
    """Step all games `config.steps` times. Return the decisions of the network and statistics.

    The inputs of decisions to learn from are written into `inputs`, from row `at` on.
    """
    games, rng, counts = tables.games, tables.rng, Counts()
    kept: list[tuple[Tensor, ...]] = []  # of rows to learn from: action, the teacher's, log-probability, values ...
    learned: list[Whole] = []  # which of all rows they are
    steps: list[Step] = []
    everything, clock, first = np.arange(games.num_games), Clock(counts.seconds), at
    for _ in range(config.steps):
        if tables.stopped.is_set():
            raise KeyboardInterrupt
        owner = tables.styles[everything, games.seats]
        mine = np.flatnonzero(owner == NETWORK)
        seen = inputs.part(at, at + len(mine))
        tables.write(mine, seen, policy.net)
        clock.lap("inputs")
        with torch.inference_mode():
            rows = policy.rows(seen)
            chosen, log_chosen, top, values = policy.draw(rows, rng)
            taught = _taught(tables, mine, teacher, rows, rng) if teacher else chosen
            found = chosen, taught, log_chosen, values
            chosen, *_, values = found = tuple(each.cpu() for each in found)
            sure = (top > SURE).cpu()
        weights = torch.where(sure, 1 / max(config.sure, 1e-9), 1.0)
        picked = np.flatnonzero(~sure.numpy() | (rng.random(len(mine)) < config.sure))
        if len(picked) < len(mine):
            which = torch.from_numpy(picked).to(policy.device)
            inputs.part(at, at + len(picked)).fill(seen.take(which))
        players = torch.from_numpy(games.players[mine])
        kept.append(tuple(each[picked] for each in (*found, weights, players)))
        learned.append(counts.decisions + picked)
        at += len(picked)
        clock.lap("network")
        actions = np.empty(len(owner), np.int64)
        actions[mine] = tables.learnable.meant(chosen.numpy(), tables.mirrored[mine])
        tables.opponents.answer(games, owner, actions, rng)
        clock.lap("opponents")
        seats = games.seats[mine]
        games.step(actions)
        rewards = clockwise(games.rewards, games.players)
        steps.append(Step(mine, seats, values.numpy(), games.dones.copy(), rewards))
        counts.decisions += len(mine)
        tables.end_games(np.flatnonzero(games.dones), counts)
        clock.lap("steps")
    advantage, known = advantages(steps, config.gae_lambda)
    rows_learned, places = np.concatenate(learned), np.arange(first, at)
    taken, taught, log_chosen, before, weights, players = (torch.cat(each) for each in zip(*kept, strict=True))
    gains = torch.from_numpy(advantage[rows_learned])
    batch = Batch(
        inputs, places, taken, taught, log_chosen, before, gains[:, 0], gains + before, weights, players,
        known[rows_learned],
    )  # fmt: skip
    clock.lap("advantages")
    return batch, counts


# ---- learning


def normalized(batch: Batch) -> Tensor:
    """Return float32[R], advantages with mean 0 and deviation 1 in the games of each number of players.

    With fewer players, the rewards have a larger variance. Without normalization, games of two would dominate.
    """
    known, result = torch.from_numpy(batch.known), torch.zeros_like(batch.advantages)
    for number in batch.players.unique():
        at = known & (batch.players == number)
        gains, weights = batch.advantages[at], batch.weights[at] / batch.weights[at].sum()
        mean = (weights * gains).sum()
        result[at] = (gains - mean) / ((weights * (gains - mean).square()).sum().sqrt() + 1e-8)
    return result


def rows_of(policy: Policy, batch: Batch, pool: Executor) -> Callable[[Whole], Inputs | SparseRows]:
    """Return a function that returns the inputs of some rows. On a CPU they are made sparse once for all epochs."""
    if policy.device.type != "cpu":
        return lambda picked: policy.rows(batch.inputs, batch.places[picked])
    scales = policy.scales.numpy()
    parts = np.array_split(batch.places, max(1, len(batch.places) // ROWS))
    made = pool.map(lambda places: SparseRows.of_inputs(batch.inputs, places, scales).copy(), parts)
    return SparseRows.join(list(made)).take


def loss_of(
    policy: Policy, batch: Batch, rows: Inputs | SparseRows, gains: Tensor, picked: Whole, config: Rollouts
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the loss of some rows, as a sum over the decisions that they represent, and its parts for the log.

    `picked` are their numbers and `rows` their inputs.
    """
    at = torch.from_numpy(picked)
    columns = (batch.taught, batch.log_probabilities, gains, batch.returns, batch.weights)
    taught, before, gain, returns, weights = (column[at] for column in columns)
    logs, entropies, values = policy.evaluate_actions(rows, taught)
    parts = {"entropy": weights @ entropies}
    if isinstance(config, Ppo):
        moved = logs - before
        ratio = moved.exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        parts["policy_loss"] = -(weights @ torch.minimum(ratio * gain, clipped * gain))
        parts["kl"] = weights @ (ratio - 1 - moved)
        parts["clipped"] = weights @ ((ratio - 1).abs() > config.clip).float()
    else:
        parts["policy_loss"] = -(weights @ logs)
    seats = torch.tensor([1.0] + [OTHERS_WEIGHT] * (returns.shape[1] - 1), device=policy.device)
    parts["value_loss"] = weights @ (values - returns).square() @ seats
    loss = parts["policy_loss"] + config.value_weight * parts["value_loss"] - config.entropy * parts["entropy"]
    return loss, parts


def learn(
    policy: Policy, optimizer: torch.optim.Optimizer, batch: Batch, config: Rollouts, slow: SlowCopy | None = None
) -> dict[str, float]:
    """Update the policy on a batch for some epochs, close to `slow`. Return means over the minibatches for the log.

    Raise UserError for a batch with fewer than two rows to learn from, which have no standard deviation.
    """
    usable = np.flatnonzero(batch.known)
    if len(usable) < 2:
        raise UserError(f"an update has {len(usable)} decisions to learn from; set more games or steps")
    gains, stand_for, weights = normalized(batch), batch.weights.numpy(), list(policy.parameters())
    threads = config.threads
    if policy.device.type != "cpu":
        batch, gains, threads = batch.to(policy.device), gains.to(policy.device), 1
    parts = max(1, round(len(usable) / config.minibatch))  # of equal size
    sums: dict[str, Tensor] = {}

    epochs, moved_by, distance = 0, 0.0, 0.0
    with ThreadPoolExecutor(threads) as pool:
        if slow is not None and isinstance(config, Ppo):
            apart = batch.log_probabilities - slow.log_probabilities(batch.inputs, batch.places, batch.actions, pool)
            gains, distance = gains - config.slow_weight * apart, float(((-apart).exp() - 1 + apart).mean())
        rows = rows_of(policy, batch, pool)
        while epochs < config.epochs and not (isinstance(config, Ppo) and moved_by > config.target_kl):
            moved_before = float(sums.get("kl", 0.0))
            for picked in np.array_split(usable[torch.randperm(len(usable)).numpy()], parts):
                decisions = float(stand_for[picked].sum())

                def mean_loss(part: Whole, decisions: float = decisions) -> tuple[Tensor, dict[str, Tensor]]:
                    loss, now = loss_of(policy, batch, rows(part), gains, part, config)
                    return loss / decisions, {name: value / decisions for name, value in now.items()}

                found = gradients.step(optimizer, weights, config.gradient_norm, pool, threads, picked, mean_loss)
                for name, value in found.items():
                    sums[name] = sums.get(name, 0.0) + value
            epochs += 1
            moved_by = (float(sums.get("kl", 0.0)) - moved_before) / parts
    result = {name: float(value) / (epochs * parts) for name, value in sums.items()}
    result |= {"slow_kl": distance} if slow is not None else {}
    returns, values = batch.returns[usable, 0], batch.values[usable, 0]
    result["explained"] = 1 - float((returns - values).var() / (returns.var() + 1e-8))
    return result


# ---- the run


class Run(run.Run):
    """A run in its folder: the network, its tables, and its progress."""

    config: Rollouts

    def __init__(self, config: Rollouts, folder: Path, device: str = "cpu", backend: str = BACKENDS[0]) -> None:
        self.backend = backend  # of the actors
        super().__init__(config, folder, device)

    def prepare(self) -> None:
        """Begin the games."""
        config = self.config
        self.ahead = ahead(self.policy.device) or config.actors > 0
        self.actor = copy.deepcopy(self.policy) if self.ahead else self.policy
        self.slow = SlowCopy(self.policy, config.slow_rate) if isinstance(config, Ppo) and config.slow_weight else None
        self.teacher: Policy | None = None
        if isinstance(config, Imitation):
            self.teacher = policy_of(file_of(config.teacher, config.game), config.game).to(self.policy.device)
        device = self.policy.device
        self.tables = [part_of(config, part, device.type) for part in range(parts_of(config, device.type))]
        # One that is filled, and another one that is learned from meanwhile.
        self.inputs = [
            Inputs.empty(config.games * config.steps, self.policy.net, device) for _ in range(1 + self.ahead)
        ]
        self.pool = ThreadPoolExecutor(len(self.tables))
        self.playing: list[Future[tuple[Batch, Counts]]] = []  # of each thread
        self.actors: Actors | None = None
        if config.actors:
            self.actors = Actors(play, config, self.backend, len(self.tables))
        self.under_way: int | None = None  # the number of the rollout that is being played

    def begin_rollout(self, number: int) -> None:
        """Begin to play with the actor. All random numbers follow from the run's seed and the rollout's number."""
        self.begun = self.before_rollout()
        self.under_way = number
        if self.actors:
            self.actors.begin(number, self.actor, self.begun["tables"])
            return
        if self.policy.device.type == "cuda":
            torch.cuda.synchronize()  # the threads' streams would not wait for the weights of the actor
        at = 0
        for thread, tables in enumerate(self.tables):
            tables.rng = np.random.default_rng([self.config.seed, number, thread])
            tables.played = 0
            given = tables, self.actor, self.config, self.inputs[number % len(self.inputs)], at, self.teacher
            self.playing.append(self.pool.submit(play_in_thread, *given))
            at += tables.games.num_games * self.config.steps

    def end_rollout(self) -> tuple[Batch, Counts]:
        """Wait for the end of the rollout; print progress meanwhile."""
        if self.actors:
            return self._rollout_of_actors(self.actors)
        pending = set(self.playing)
        try:
            while pending:
                done, pending = wait(pending, TURN, FIRST_EXCEPTION)
                for each in done:
                    each.result()  # raises its exception
                self.show_part(sum(tables.played for tables in self.tables))
        except BaseException:
            self.close()
            raise
        results = [each.result() for each in self.playing]
        self.playing, self.under_way = [], None
        return Batch.join([batch for batch, _ in results]), Counts.join(counts for _, counts in results)

    def _rollout_of_actors(self, actors: Actors) -> tuple[Batch, Counts]:
        assert self.under_way is not None
        inputs, at, batches = self.inputs[self.under_way % len(self.inputs)], 0, []
        played = actors.end(lambda: self.show_part(0))
        for tables, each in zip(self.tables, played, strict=True):
            tables.resume(each.state)
            rows = inputs.part(at, at + len(each.columns["actions"]))
            for packed, its in zip(each.inputs, rows.tensors, strict=True):
                packed.unpack(its)
            columns = {name: torch.tensor(column) for name, column in each.columns.items() if name != "known"}
            places = np.arange(at, at + len(rows))
            batches.append(Batch(inputs, places, known=each.columns["known"], **columns))
            at += len(rows)
        self.under_way = None
        return Batch.join(batches), Counts.join(each.statistics for each in played)

    def close(self) -> None:
        """Stop playing."""
        if self.actors:
            self.actors.close()
        for tables in self.tables:
            tables.stopped.set()
        wait(self.playing)
        self.pool.shutdown()
        for tables in self.tables:
            tables.slices.close()

    def update(self) -> None:
        """Play and learn once."""
        self.begin_update()
        number, began = self.progress["updates"], time.monotonic()
        if self.under_way is None:
            self.begin_rollout(number)
        batch, counts = self.end_rollout()
        played = time.monotonic() - began
        self.warn_once(cut_text(1 - float(batch.known.mean()), self.config.steps))
        if self.ahead:
            self.actor.load_state_dict(self.policy.state_dict())
            self.begin_rollout(number + 1)
        learned = learn(self.policy, self.optimizer, batch, self.config, self.slow)
        if self.slow is not None:
            self.slow.follow(self.policy)
        seconds, spent = time.monotonic() - began, sum(counts.seconds.values())
        figures = {"playing": played / seconds} | {name: each / spent for name, each in counts.seconds.items()}
        figures |= {"rows": len(batch.places) / max(1, counts.decisions)} | learned
        styles = dict.fromkeys([*self.tables[0].learnable.baselines[1:], *self.tables[0].opponents.names])
        shares = {f"share_{name}": float(np.mean(counts.share.get(name, [np.nan]))) for name in styles}
        self.end_update(counts.decisions, counts.games, seconds, figures | shares)

    def own_state(self) -> dict[str, Any]:
        """Return the games between two rollouts, the policy that plays the next one, and the slow copy."""
        state = self.begun if self.under_way is not None else self.before_rollout()
        return state | ({"slow": self.slow.policy.state_dict()} if self.slow is not None else {})

    def before_rollout(self) -> dict[str, Any]:
        """Return the games and the policy that plays."""
        state: dict[str, Any] = {"tables": [tables.state() for tables in self.tables]}
        return state | ({"actor": self.actor.state_dict()} if self.ahead else {})

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Continue with these games."""
        for tables, its in zip(self.tables, regrouped(kept["tables"], self.tables), strict=True):
            tables.resume(its)
        if self.ahead:
            self.actor.load_state_dict(kept.get("actor", kept["policy"]))
        if self.slow is not None:
            self.slow.policy.load_state_dict(kept["slow"])


def ahead(device: torch.device) -> bool:
    """Whether the next rollout is played while the policy learns. On a CPU it would compete with the learner."""
    return bool(device.type != "cpu")


def play_in_thread(tables: Tables, policy: Policy, *given: Any) -> tuple[Batch, Counts]:
    """Play in a thread; if a GPU has the network but not the games, in a stream parallel to that of the learner."""
    if policy.device.type != "cuda" or on_gpu(policy.device.type):
        return play(tables, policy, *given)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        result = play(tables, policy, *given)
    stream.synchronize()  # the learner's stream would not wait for the inputs
    return result


def train(
    config: Rollouts, folder: Path, until: float = math.inf, device: str = "cpu", backend: str = BACKENDS[0]
) -> bool:
    """Train to the end of the run, from the checkpoint of the folder if there is one.

    Ctrl-C stops the run with a checkpoint of the last complete update.

    Parameters
    ----------
    config : Rollouts
        The settings.
    folder : Path
        The folder of the run.
    until : float
        Decisions after which it stops.
    device : {"cpu", "cuda"}
        Where it learns.
    backend : {"local", "ray"}
        Of the actors.

    Returns
    -------
    bool
        Whether that point was reached.

    Examples
    --------
    >>> from pathlib import Path
    >>> from bloodrage_training.learn.config import Ppo
    >>> from bloodrage_training.learn.ppo import train
    >>> small = {"games": 4, "steps": 16, "width": 8, "layers": 1, "threads": 1, "players": (2,), "evaluation_games": 2}
    >>> train(Ppo(decisions=100, **small), Path("trained"))
    True
    """
    use_one_thread()
    with alone(folder):
        return Run(config, folder, device, backend).finish(until)
