"""Expert iteration: the policy learns from the results of a tree search that it guides.

Anthony, Tian and Barber, 2017. The search and the training targets are those of Danihelka and others (Policy
improvement by planning with Gumbel, ICLR 2022). In an update, workers play whole games with the policy (`play`), and
search a share of the decisions about which the policy is unsure. Then the policy learns from these positions (`learn`):
the improved policy, and the final reward of each seat. An update needs millions of searched decisions: from few the
policy also learns the noise of the searches, and the next searches begin there.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_agents import parts
from bloodrage_agents.ismcts import Tree, answer_of, guided_deals, weight_of
from bloodrage_agents.mcts.settings import Setting, defaults, row_of
from bloodrage_agents.network import Network
from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Mask2, Records
from bloodrage_env.core.engine.rewards import share_of, win_reward

from ..tasks import Event, Pool, Result
from ..workers import BACKENDS, carry_out_all, make_pool
from . import gradients, run
from .config import SEED_STEP, Search
from .export import learning, packed
from .policy import Policy, SparseRows
from .positions import Played, Positions
from .ppo import OTHERS_WEIGHT
from .products import use_one_thread
from .roots import RootSearcher, improved
from .runs import alone
from .source import DeviceGames, Source, on_gpu
from .tables import NETWORK, Tables, clockwise

POSITIONS: Final = "positions"  # the folder, in that of the run, with a file for each task of an update
ROOT_WEIGHT: Final = 0.5  # of the search's values in what the values learn; the rest is the end of the game

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


# ---- searching


class Searcher:
    """The tree search guided by a network, for open decisions of games on the CPU."""

    def __init__(self, games: Source, network: Network, simulations: int) -> None:
        self._games, self._network, self._simulations = games, network, simulations
        self._grow = parts.grow(network.game)
        self._tree = Tree(network.game, guided_deals(simulations))
        self._for: dict[int, tuple[Network, Doubles]] = {}  # each number of players: the network, the constants

    def evaluate(self, which: Whole) -> tuple[Reals, Reals]:
        """Return the policy's logits and values of the open decisions of games `which`."""
        return self._network.evaluate(self._games.states, which)

    def search_all(
        self, which: Whole, logs: Doubles, expected: Reals, rng: np.random.Generator
    ) -> tuple[Whole, Doubles, Doubles]:
        """Return an action, the improved policy and the expected rewards for the open decisions of games `which`.

        They are int64[R], float64[R, num_actions] and float64[R, max_seats], nan for absent seats.
        """
        actions, targets = np.zeros(len(which), np.int64), np.zeros(logs.shape)
        rewards = np.full((len(which), self._games.game.max_seats), np.nan)
        for row, game in enumerate(which):
            actions[row], targets[row], rewards[row, : self._games.players[game]] = self.search(
                self._games.states, game, logs[row], float(expected[row]), int(rng.integers(2**62))
            )
        return actions, targets, rewards

    def search(
        self, states: Records, game: int, logs: Doubles, reward: float, seed: int
    ) -> tuple[int, Doubles, Doubles]:
        """Return an action, the improved policy and the expected rewards for the open decision of a game.

        The improved policy is log-probabilities, float64[num_actions]. The expected rewards are float64[players].
        `logs` are the policy's log-probabilities (-inf for illegal actions), `reward` is its expected reward for the
        seat to act.
        """
        players, seat = int(states[game].num_players), int(states[game].seat)
        if players not in self._for:
            # With noise the answer is a sample of the improved policy.
            constants = row_of({**defaults(True, players), Setting.NOISE: 1.0})
            self._for[players] = self._network.for_players(players), constants
        (network, constants), tree = self._for[players], self._tree
        tree.counters[:] = 0
        action: int = self._grow(
            states, game, seat, seed, self._simulations, self._simulations, 0, network.vector, network.width, constants,
            tree.deals, tree.nodes, tree.counters,
        )  # fmt: skip
        answer = answer_of([tree.nodes], seat, players, constants, action)
        visits, values = np.zeros(len(logs)), np.zeros(len(logs))
        visits[answer.moves], values[answer.moves] = answer.visits, answer.values[:, seat]
        team = games.game(self._network.game).team
        expected = share_of(reward, players, team)
        targets = improved(logs, visits, values, expected, weight_of(constants, int(visits.max())))
        rewards = [win_reward(float(part), players, team) for part in answer.means]
        return answer.move, targets, np.array(rewards)


# ---- playing


def searcher_of(tables: Tables, config: Search, content: bytes) -> "Searcher | RootSearcher":
    """Return the search by the policy of a file's `content`, on the device of the games."""
    network = Network.from_bytes(content, config.game)
    if not isinstance(tables.games, DeviceGames):
        return Searcher(tables.games, network, config.simulations)
    policy = learning(network).to(tables.games.device)
    policy.bfloat16 = policy.device.type != "cpu"
    return RootSearcher(tables.games, policy, config.simulations)


def play(config: Search, content: bytes, seed: int, device: str = "cpu") -> Iterator[int | Played]:
    """The task of a worker: plays games with the policy of a file's `content`, from `seed` on, to their ends.

    Yield the number of decisions so far, at most once in PAUSE seconds, and at last what it has played.
    """
    tables = Tables(config, seed, device=device)
    batch, rng = tables.games, tables.rng
    searcher = searcher_of(tables, config, content)
    everything, playing = np.arange(config.games), np.ones(config.games, bool)
    parts = _Parts(tables)
    decisions = searched = 0
    began = sent = time.monotonic()
    while playing.any():
        owner = np.where(playing, tables.styles[everything, batch.seats], NETWORK)
        masks = batch.masks  # of games on a GPU, a copy
        actions = masks.argmax(1)  # of games that have ended, where nothing counts any more
        mine = np.flatnonzero((owner == NETWORK) & playing)
        logits, expected = searcher.evaluate(mine)
        row, legal = np.nonzero(masks[mine])
        begins = np.searchsorted(row, np.arange(len(mine)))
        logs = _log_softmax(logits[row, legal], begins)
        actions[mine] = legal[_highest(logs + rng.gumbel(size=len(logs)), begins)]
        entropies = -np.bincount(row, np.exp(logs) * logs, len(mine))
        several, unsure = np.diff(np.append(begins, len(row))) > 1, entropies >= config.unsure
        kept = config.learned * np.where(unsure, 1.0, config.unsearched)
        picked = np.flatnonzero((rng.random(len(mine)) < kept) & several)
        targets = np.full((len(picked), logits.shape[1]), -np.inf)
        place = np.full(len(mine), -1)
        place[picked] = np.arange(len(picked))
        theirs = place[row] >= 0
        targets[place[row[theirs]], legal[theirs]] = logs[theirs]
        roots = np.full((len(picked), batch.rewards.shape[1]), np.nan)
        searched_now = np.flatnonzero(unsure[picked])
        if len(searched_now):
            at = picked[searched_now]
            actions[mine[at]], targets[searched_now], roots[searched_now] = searcher.search_all(
                mine[at], targets[searched_now], expected[at, 0], rng
            )
            searched += len(at)
        parts.note(mine[picked], masks, targets, roots)
        decisions += len(mine)
        tables.opponents.answer(batch, owner, actions, tables.rng)
        batch.step(actions)
        ended = np.flatnonzero(batch.dones & playing)
        parts.end(ended, batch.rewards[ended])
        playing[ended] = False
        if time.monotonic() >= sent + run.PAUSE:
            sent = time.monotonic()
            yield decisions
    yield Played(parts.positions(), config.games, decisions, searched, time.monotonic() - began)


def _log_softmax(logits: Reals | Doubles, begins: Whole) -> Doubles:
    """Return the log-probabilities of the logits of legal actions, row after row; `begins` is where each begins."""
    if not len(begins):
        return np.zeros(0)
    lengths = np.diff(np.append(begins, len(logits)))
    shifted = logits.astype(np.float64) - np.repeat(np.maximum.reduceat(logits, begins), lengths)
    return np.asarray(shifted - np.repeat(np.log(np.add.reduceat(np.exp(shifted), begins)), lengths))


def _highest(numbers: Doubles, begins: Whole) -> Whole:
    """Return the index of the largest number of each row."""
    if not len(begins):
        return begins
    lengths = np.diff(np.append(begins, len(numbers)))
    found = np.flatnonzero(numbers == np.repeat(np.maximum.reduceat(numbers, begins), lengths))
    return found[np.searchsorted(found, begins)]


class _Parts:
    """Positions that are collected while games are played. Their values are known at the end."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._rows: list[SparseRows] = []
        self._targets: list[SparseRows] = []
        self._who: list[Whole] = []  # game and seat of each
        self._roots: list[Doubles] = []  # what each seat may expect, by seat; nan where nothing was searched
        self._rewards = np.zeros_like(tables.games.rewards)  # of the games that have ended

    def note(self, which: Whole, masks: Mask2, targets: Doubles, roots: Doubles) -> None:
        """Add positions of these games, before they are answered. `masks` are those of all games."""
        tables, mirrored = self._tables, self._tables.mirrored[which]
        self._rows.append(tables.games.rows(which, mirrored))
        row, action = np.nonzero(masks[which])
        offsets = np.concatenate([np.zeros(1, np.int64), np.bincount(row, minlength=len(which)).cumsum()])
        logs = targets[row, action].astype(np.float32)
        self._targets.append(SparseRows(offsets, tables.learnable.meant(action, mirrored[row]), logs))
        self._who.append(np.stack([which, tables.games.seats[which]], 1))
        self._roots.append(roots)

    def end(self, ended: Whole, rewards: Reals) -> None:
        """Store the results of these games."""
        self._rewards[ended] = rewards

    def positions(self) -> Positions:
        """Return all positions, after every game has ended."""
        who, roots = np.concatenate(self._who), np.concatenate(self._roots)
        players = self._tables.games.players[who[:, 0]]
        rewards = self._rewards[who[:, 0]]
        weight = np.where(np.isnan(roots[:, :1]), 0.0, ROOT_WEIGHT)
        mixed = ((1 - weight) * rewards + weight * np.nan_to_num(roots, nan=0.0)).astype(np.float32)
        values = clockwise(mixed, players)[np.arange(len(who)), who[:, 1]]
        return Positions.of(SparseRows.join(self._rows), SparseRows.join(self._targets), values)


# ---- learning


def learn(
    policy: Policy, optimizer: torch.optim.Optimizer, positions: Positions, steps: int, config: Search,
    turn: Callable[[int], None] | None = None,
) -> dict[str, float]:  # fmt: skip
    """Improves the policy with `steps` minibatches of positions. Return means over them for the log.

    The learning rate decays to zero. `turn` is called after each step with the number of steps so far.
    The loss is the divergence of the policy from the targets, KL(policy | target). Its gradient is linear in the values
    of the search, so that their noise cancels over positions. In the cross-entropy it would not: a softmax of noisy
    values prefers the actions with the largest errors.
    """
    seats = torch.tensor([1.0] + [OTHERS_WEIGHT] * (positions.values.shape[1] - 1))
    size, weights = min(config.minibatch, len(positions)), list(policy.parameters())

    def loss_of(part: Whole) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        targets = positions.targets.take(part)
        logs, values = policy.evaluate_legal(positions.rows.take(part), targets)
        divergence = (logs.exp() * (logs - torch.from_numpy(targets.values))).sum() / size
        value_loss = (values - torch.from_numpy(positions.values[part])).square().sum(0) @ seats / size
        return divergence + config.value_weight * value_loss, {"value_loss": value_loss, "divergence": divergence}

    sums, rates = {"value_loss": 0.0, "divergence": 0.0}, [group["lr"] for group in optimizer.param_groups]
    with ThreadPoolExecutor(config.threads) as pool:
        for number in range(steps):
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * (1 - number / steps)
            picked = torch.randint(len(positions), (size,)).numpy()
            found = gradients.step(optimizer, weights, config.gradient_norm, pool, config.threads, picked, loss_of)
            for name, value in found.items():
                sums[name] += float(value) / steps
            if turn is not None:
                turn(number + 1)
    return sums


class Run(run.Run):
    """A run in its folder: the network, and its progress."""

    config: Search

    def __init__(self, config: Search, folder: Path, pool: Pool, device: str = "cpu") -> None:
        self.pool, self.games_on = pool, device
        self.figures: dict[str, float] = {}  # of the last update
        super().__init__(config, folder)
        self._remove_old()

    def prepare(self) -> None:
        """Do nothing: the network is all that a run has."""

    def update(self) -> None:
        """Play and learn once."""
        config, clock = self.config, time.monotonic()
        self.begin_update()
        with torch.random.fork_rng(devices=()):  # which numbers it takes depends on the tasks that are files already
            played, earlier = self._play()
        clock -= earlier
        seconds = time.monotonic() - clock
        positions = Positions.join([each.positions for each in played])
        count, game_count = len(positions), sum(each.games for each in played)
        decisions, searched = sum(each.decisions for each in played), sum(each.searched for each in played)
        del played  # a second copy of the positions
        steps = max(1, round(config.epochs * count / min(config.minibatch, count))) if count else 0

        def turn(number: int) -> None:
            self.show_part(decisions, f"learning, step {number:,} of {steps:,}")

        self.figures = learn(self.policy, self.optimizer, positions, steps, config, turn)
        whole_seconds = time.monotonic() - clock
        figures = {"playing": seconds / whole_seconds, "positions": count, "searched": searched} | self.figures
        self.end_update(decisions, game_count, whole_seconds, figures)
        self.save()
        self._remove_old()

    def _play(self) -> tuple[list[Played], float]:
        """Carry out the tasks of an update, except those whose results are files of an earlier start.

        Return the results of all, and the seconds that the earlier ones took.
        """
        config, content, number = self.config, packed(self.policy), self.progress["updates"]
        mark, done = mark_of(content, config), dict[int, Played]()
        for task in range(config.tasks):
            if self._file(task).exists() and (kept := Played.load(self._file(task), mark, self.policy.net)):
                done[task] = kept
        missing = [task for task in range(config.tasks) if task not in done]
        side_by_side = 1 if on_gpu(self.games_on) else config.workers
        earlier = sum(each.seconds for each in done.values()) / side_by_side
        decisions = {task: each.decisions for task, each in done.items()}
        self.leave_out(sum(decisions.values()))

        def turn(events: Sequence[Event]) -> None:
            for event in events:
                if isinstance(event, Result):
                    task = missing[event.number]
                    if isinstance(event.value, Played):
                        done[task] = event.value
                        event.value.save(self._file(task), mark)
                    decisions[task] = event.value if isinstance(event.value, int) else event.value.decisions
            self.show_part(sum(decisions.values()))

        first = config.seed * SEED_STEP + number * config.tasks * config.games
        jobs = [(config, content, first + task * config.games) for task in missing]
        if on_gpu(self.games_on):
            for number, job in enumerate(jobs):
                for value in play(*job, self.games_on):
                    turn([Result(number, value)])
        elif carry_out_all(self.pool, play, jobs, turn).interrupted:
            raise KeyboardInterrupt
        return [done[task] for task in sorted(done)], earlier

    def _file(self, task: int) -> Path:
        """Return the file with the results of a task of the update in progress."""
        return self.folder / POSITIONS / f"{self.progress['updates'] + 1}-{task + 1}.pt"

    def _remove_old(self) -> None:
        """Remove the files of updates that have ended, and what a killed run left of a file."""
        folder = self.folder / POSITIONS
        for path in list(folder.iterdir()) if folder.exists() else []:
            if not path.name.startswith(f"{self.progress['updates'] + 1}-"):
                path.unlink()

    def note(self) -> str:
        """Return the losses of the last update, and the last win rates."""
        losses = f"divergence {self.figures['divergence']:.3f}, value loss {self.figures['value_loss']:.3f}"
        return "; ".join([losses, *filter(None, [super().note()])])

    def own_state(self) -> dict[str, Any]:
        """Return nothing: the results of the tasks are files."""
        return {}

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Do nothing."""


def mark_of(content: bytes, config: Search) -> str:
    """Return a text that identifies the content of a policy file, the version of the rules and what is played."""
    played = replace(config, decisions=1, minutes=0.0, threads=1, workers=1)
    digest = hashlib.sha256(content + repr(played).encode()).hexdigest()
    return f"{games.game(config.game).rules_version} {digest}"


def train(config: Search, folder: Path, backend: str = BACKENDS[0], device: str = "cpu") -> bool:
    """Train to the end of the run, from the checkpoint of the folder if there is one.

    Ctrl-C ends it with a checkpoint of the last complete update; the results of tasks that have ended are files.
    Games are played on `device` if they can be, otherwise by workers; the policy learns on the CPU.
    Return whether the run was finished. Workers receive all data that they need except policies of files, which they
    must see at the same paths.
    """
    use_one_thread()
    with alone(folder), closing(make_pool(backend, config.workers)) as pool:
        return Run(config, folder, pool, device).finish()
