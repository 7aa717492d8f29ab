"""The games that a learner plays in parallel, and the players of their seats."""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_agents.forward import Forward
from bloodrage_env.core.engine.options import rows
from bloodrage_env.core.engine.rewards import won_by_side

from .config import SEED_STEP, Learning, Rollouts
from .learnable import learnable
from .opponents import Opponents
from .policy import Inputs
from .runs import games_state, resume_games, usual, whole
from .slices import Slices
from .source import DeviceGames, HostGames, Source, on_gpu

NETWORK: Final = -1  # in place of the style of a seat: the network plays it
THREAD_STEP: Final = 2**32  # between the seeds of the games of two threads
# Threads that play with a GPU, each with a large part of the games. The rest of a step is Python, and more of these
# threads wait for its lock, as does the learner.
GPU_PLAYERS: Final = 4

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


@dataclass
class Counts:
    """Statistics of a rollout."""

    games: int = 0
    decisions: int = 0
    seconds: dict[str, float] = field(default_factory=dict)  # of processor time, by what they were spent on
    share: dict[str, list[float]] = field(default_factory=dict)  # of wins, of one seat against an opponent, by its name

    @classmethod
    def join(cls, parts: Iterable["Counts"]) -> "Counts":
        """Return the sum of several statistics."""
        result = cls()
        for part in parts:
            result.games += part.games
            result.decisions += part.decisions
            for name, seconds in part.seconds.items():
                result.seconds[name] = result.seconds.get(name, 0.0) + seconds
            for name, shares in part.share.items():
                result.share.setdefault(name, []).extend(shares)
        return result


class Clock:
    """Adds up the processor time of a thread by category."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds, self.last = seconds, time.thread_time()

    def lap(self, name: str) -> None:
        """Add the time since the last lap to a category."""
        now = time.thread_time()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self.last
        self.last = now


class Tables:
    """The games of one thread and the players of their seats: `styles` int64[games, seats], NETWORK or a style.

    `part` selects the games of the run. `threads` is the number of threads of the compiled work; results do not depend
    on it. `device` is that of the network.
    """

    def __init__(
        self, config: Learning, seed: int, part: range | None = None, threads: int = 1,
        device: str = "cpu",
    ) -> None:  # fmt: skip
        self.config = config
        self.learnable = learnable(config.game).reading(config.ledger, config.changes)
        part = range(config.games) if part is None else part
        drawn = np.random.default_rng(seed)  # the same options when the run is resumed
        players = [config.players[i % len(config.players)] for i in part]
        options = [self.learnable.draw_options(each, config.sets, config.set_chance, drawn) for each in players]
        threads = min(threads, len(part))
        self.slices = Slices(threads)
        gpu = device != "cpu"
        self.games: Source
        if on_gpu(device):
            self.games = DeviceGames(self.learnable, len(part), seed)
        else:
            staging = Inputs.empty(len(part), self.learnable.forward, pinned=True) if gpu else None
            self.games = HostGames(self.learnable, len(part), seed, self.slices, staging)
        self.games.begin(np.array(players), rows(options))
        self.mirrored = self.learnable.mirrored(self.games.players)
        self.rng = np.random.default_rng(seed)
        self.styles = np.full((len(part), self.learnable.game.max_seats), NETWORK)  # or an opponent
        self.opponents = Opponents(config.opponents, self.learnable, config.bfloat16 or gpu, device)
        self.stopped = threading.Event()  # after Ctrl-C
        self.played = 0  # decisions of the network in the rollout that is being played
        self.seat(np.arange(len(part)))

    def seat(self, games: Whole) -> None:
        """Draw the players of the seats of these games."""
        rng = self.rng
        style = self.opponents.draw(len(games), rng)[:, None]
        own = rng.random((len(games), self.styles.shape[1])) < self.config.more_seats
        players = self.games.players[games]
        sides = (players // self.learnable.game.team)[:, None]
        seats = np.arange(own.shape[1])
        own |= (seats % sides == rng.integers(players)[:, None] % sides) & (seats < players[:, None])
        own |= rng.random((len(games), 1)) < self.config.self_play
        self.styles[games] = np.where(own, NETWORK, style)

    def write(self, which: Whole, inputs: Inputs, net: Forward) -> None:
        """Write the inputs of the open decisions of games `which` into the rows of `inputs`, on any device."""
        self.games.write(which, self.mirrored[which], inputs, net)

    def end_games(self, ended: Whole, counts: Counts) -> None:
        """Count these games after a step, and draw the players of the next ones."""
        counts.games += len(ended)
        self.played = counts.decisions
        team, counted = self.learnable.game.team, usual(self.config.players)
        for game in ended:
            players = self.games.players[game]
            own = np.flatnonzero(self.styles[game, :players] == NETWORK)
            other = self.styles[game, (own[0] + 1) % players] if len(own) == team else NETWORK
            if other != NETWORK and players == counted:
                share = won_by_side(float(self.games.rewards[game, own[0]]), int(players), team)
                counts.share.setdefault(self.opponents.name_of(int(other)), []).append(share)
        self.seat(ended)

    def state(self) -> dict[str, Any]:
        """Return the games for a checkpoint."""
        return {"games": games_state(self.games), "styles": torch.tensor(self.styles)}

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Restore the games of a checkpoint. Raise ValueError for another number of games or damaged games."""
        resume_games(self.games, kept["games"])
        low = NETWORK - len(self.opponents.others)
        self.styles[:] = whole(kept["styles"], self.styles.shape, low, len(self.learnable.styles) - 1)


def regrouped(kept: Sequence[Mapping[str, Any]], parts: Sequence[Tables]) -> list[dict[str, Any]]:
    """Return the games of a checkpoint for these parts, of which another device can have another number.

    Raise an error if they are not as many as the games of the parts.
    """
    counts = [tables.games.num_games for tables in parts]
    sizes = [count * parts[0].games.game.state.itemsize for count in counts]
    records, seeds = (torch.cat([part["games"][name] for part in kept]) for name in ("records", "seeds"))
    styles = torch.cat([part["styles"] for part in kept]).split(counts)
    games = [
        {"records": some, "seeds": its} for some, its in zip(records.split(sizes), seeds.split(counts), strict=True)
    ]
    return [{"games": its, "styles": seats} for its, seats in zip(games, styles, strict=True)]


def clockwise(rewards: Reals, players: Whole) -> Reals:
    """Return float32[games, seats, seats]: `rewards` (float32[games, seats]) of the seats clockwise from each seat."""
    seats = np.arange(rewards.shape[1])
    turned = (seats[:, None] + seats) % players[:, None, None]
    present = (seats[:, None] < players[:, None, None]) & (seats < players[:, None, None])
    return np.where(present, np.take_along_axis(rewards[:, None], turned, 2), np.float32(0.0))


def parts_of(config: Rollouts, device: str) -> int:
    """Return the number of parts of the games, each of which is played by a thread or an actor."""
    if on_gpu(device) and not config.actors:
        return 1
    threads = config.threads if device == "cpu" else min(config.threads, GPU_PLAYERS)
    return min(config.games, config.actors or threads)


def part_of(config: Rollouts, part: int, device: str = "cpu") -> Tables:
    """Return the games of a part."""
    count = parts_of(config, device)
    games = np.array_split(np.arange(config.games), count)[part]
    seed = config.seed * SEED_STEP + THREAD_STEP * part
    threads = 1 if config.actors else max(1, config.threads // count)
    return Tables(config, seed, range(games[0], games[-1] + 1), threads, "cpu" if config.actors else device)
