"""Compares networks at equal training time and writes the tables into `docs/results/networks.json`.

`python -m research.measure.networks` plays games, whose decisions are to be learned; trains each network on them for
the same processor time; measures it on games held out; and plays games with it. What has been done is kept in
`--folder`, so that the same command resumes. With `--minutes 3` it takes about an hour of one core.
"""

import argparse
import io
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from results import save
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from bloodrage_agents.games.bloodrage.compiled.inputs import AT_SCORES
from bloodrage_env import files
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.rewards import win_rewards
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import CARD_CAPACITY, MAX_SEATS, NUM_AGES, NUM_PROVINCES, NUM_SOURCES, Phase
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.games.bloodrage.learnable import LEARNABLE
from bloodrage_training.games.bloodrage.mirror import CARDS, MIRROR, PLACES
from bloodrage_training.learn.evaluate import Choice, against
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.policy import Policy, SparseRows, sample
from bloodrage_training.learn.ppo import OTHERS_WEIGHT
from bloodrage_training.learn.tables import NETWORK, clockwise
from bloodrage_training.tournament.estimates import wilson

from . import ROOT
from .compared import AT, Net, dense
from .decisions import Decisions, Reals, Whole

TEACHER: Final = ROOT / "training" / "checkpoints" / "improved.npz"
BALANCED: Final = LEARNABLE.styles.index("balanced")
SEED: Final = 80_000_000  # of the first deal
PLAYERS: Final = (4, 4, 4, 2)  # of the games, in turns
SIDE_BY_SIDE: Final = 1000  # games
KEPT: Final = 0.3  # share of the decisions of a game: many games teach the values more than many decisions of a few
HELD_OUT: Final = 10  # every tenth game
MINIBATCH, LEARNING_RATE, VALUE_WEIGHT, EXTRA_WEIGHT = 1024, 1e-3, 0.5, 0.1
GLORY: Final = 0.05  # what glory by source is multiplied with, as a target


# ---- decisions


def play(teacher: Policy, first: int, rng: np.random.Generator) -> Decisions:
    """Play SIDE_BY_SIDE games to their ends: half of them the teacher alone, half tables with `balanced`."""
    states, every = np.zeros(SIDE_BY_SIDE, engine.STATE), np.arange(SIDE_BY_SIDE)
    for game in range(SIDE_BY_SIDE):
        engine.reset(states, game, SEED + first + game, Options(PLAYERS[game % len(PLAYERS)]).numbers())
    owners = np.where(rng.random((SIDE_BY_SIDE, MAX_SEATS)) < 0.5, NETWORK, BALANCED)
    owners[: SIDE_BY_SIDE // 2] = NETWORK
    holders = np.full((SIDE_BY_SIDE, NUM_AGES, NUM_PROVINCES), -1)  # seats, of the last decision in an Action phase
    noted: list[tuple[Any, ...]] = []
    while (playing := np.flatnonzero(states["over"] == 0)).size:
        rows = SparseRows.of(states, playing, LEARNABLE.forward)
        seats, players = states["seat"][playing].astype(np.int64), states["num_players"][playing].astype(np.int64)
        with torch.inference_mode():
            logs = teacher(rows)[0]
        actions = np.zeros(SIDE_BY_SIDE, np.int64)
        actions[playing] = sample(logs, rng).numpy()
        LEARNABLE.choose_many(states, owners[every, states["seat"]], rng.integers(2**62, size=len(every)), actions)
        strength = dense(rows)[:, AT["strength"]].numpy()
        leader = np.where(strength.max(1) > 0, (strength.argmax(1) + seats[:, None]) % players[:, None], -1)
        acting = states["phase"][playing] == Phase.ACTION
        holders[playing[acting], states["age"][playing[acting]]] = leader[acting]
        legal = rows.index >= AT_SCORES
        counts = np.add.reduceat(legal, rows.offsets[:-1])
        picked = np.flatnonzero((rng.random(len(playing)) < KEPT) & (counts > 1))
        row, action = np.repeat(np.arange(len(playing)), counts), rows.index[legal] - AT_SCORES
        targets = SparseRows(np.append(0, counts.cumsum()), action, np.exp(logs.numpy()[row, action])).take(picked)
        which, seat = playing[picked], seats[picked]
        others = (seat[:, None] + np.arange(1, MAX_SEATS)) % players[picked, None]
        hands = (states["hand"][which[:, None], others] > 0) & (np.arange(1, MAX_SEATS) < players[picked, None])[
            ..., None
        ]
        noted.append((rows.take(picked), targets, which, seat, states["age"][which], np.packbits(hands, axis=2)))
        for game in playing.tolist():
            engine.apply(states, game, int(actions[game]))
    return ended(states, holders, noted, first)


def ended(states: engine.States, holders: Whole, noted: Sequence[tuple[Any, ...]], first: int) -> Decisions:
    """What was noted of games, with what came of them."""
    rows, targets, *arrays = zip(*noted, strict=True)
    game, seat, age, hands = (np.concatenate(each) for each in arrays)
    rewards, ranks = np.zeros((2, len(states), MAX_SEATS), np.float32)
    for number in range(len(states)):
        scores = engine.scores(states, number)
        rewards[number, : len(scores)] = win_rewards(scores.tolist())
        ranks[number, : len(scores)] = (scores[:, None] < scores).sum(1)
    players = states["num_players"].astype(np.int64)
    sources = [
        clockwise(states["glory_from"][..., source] * np.float32(GLORY), players) for source in range(NUM_SOURCES)
    ]
    held = holders[game, age]
    return Decisions(
        SparseRows.join(rows), SparseRows.join(targets), first + game, players[game],
        clockwise(rewards, players)[game, seat], np.stack(sources, 3)[game, seat], ranks[game, seat].astype(np.int64),
        np.where(held < 0, 0, 1 + (held - seat[:, None]) % players[game, None]).astype(np.int8), hands,
    )  # fmt: skip


def gathered(folder: Path, games: int) -> tuple[Decisions, Decisions]:
    """Decisions to learn from, and those of the games held out."""
    teacher, parts = policy_of(TEACHER, game="bloodrage"), []
    for first in range(0, games, SIDE_BY_SIDE):
        file = folder / f"games-{first}.npz"
        if not file.exists():
            clock = time.process_time()
            play(teacher, first, np.random.default_rng(first)).save(file)
            print(f"{file}: {time.process_time() - clock:.0f} s", file=sys.stderr, flush=True)
        parts.append(Decisions.load(file))
    found = Decisions.join(parts)
    out = found.game % HELD_OUT == 0
    return found.take(np.flatnonzero(~out)), found.take(np.flatnonzero(out))


def mirrored(part: Decisions, flags: npt.NDArray[np.bool_]) -> Decisions:
    """These decisions, those of `flags` as their mirror images."""
    actions = np.repeat(flags, np.diff(part.targets.offsets))
    action = np.where(actions, MIRROR.actions[part.targets.index], part.targets.index)
    hands = np.unpackbits(part.hands, axis=2, count=CARD_CAPACITY)
    hands[flags] = hands[flags][..., CARDS]
    holders = np.where(flags[:, None], part.holders[:, PLACES[:NUM_PROVINCES]], part.holders)
    targets = SparseRows(part.targets.offsets, action, part.targets.values)
    return Decisions(
        MIRROR.of(part.rows, flags), targets, part.game, part.players, part.values, part.sources, part.rank, holders,
        hands,
    )  # fmt: skip


# ---- training


@dataclass(frozen=True)
class Variant:
    """A row of the tables."""

    name: str
    net: dict[str, Any]
    mirror: str = "games"  # "games": those of odd numbers, from three players on; "rows": each row by chance; or "none"
    seed: int = 1
    time: float = 1.0  # to train it: share of that of the others
    both: bool = False  # when asked: the mean of the answers to both images

    def file(self, minutes: float, games: int) -> str:
        """Where its weights are kept: variants that are trained alike share them."""
        net = (f"{key}_{value}" for key, value in self.net.items())
        return "-".join(["net", *net, self.mirror, f"{self.seed}-{self.time}", f"{minutes:g}_minutes", f"{games}.pt"])


BASE: Final = "present network"
VARIANTS: Final = (
    Variant(BASE, {}),
    Variant("answers of the present network to both images, averaged", {}, both=True),
    Variant("twice as wide", {"width": 512}),
    Variant("shared encoders, pooled", {"tokens": "pooled"}),
    Variant("shared encoders and attention", {"tokens": "attention"}),
    Variant("present network, two fifths of the time", {}, time=0.4),
    Variant("present network, auxiliary heads", {"extra": True}),
    Variant("present network, mirror by row", {}, "rows"),
    Variant("present network, no mirror", {}, "none"),
    Variant("shared encoders, pooled, auxiliary heads", {"tokens": "pooled", "extra": True}),
    Variant("present network, another seed", {}, seed=2),
    Variant("shared encoders, pooled, the first layer not told what they are", {"tokens": "pooled", "apart": True}),
)


def extra_loss(net: Net, hidden: Tensor, part: Decisions) -> Tensor:
    """Of the auxiliary heads: glory by source, who holds each province, the hands of the others, the own rank."""
    assert net.extra is not None
    sources, holders, hands, rank = (head(hidden) for head in net.extra)
    present = torch.from_numpy(np.arange(1, MAX_SEATS) < part.players[:, None])[..., None].float()
    bits = torch.from_numpy(part.hands.reshape(len(part), MAX_SEATS - 1, CARD_CAPACITY).astype(np.float32))
    unsure = functional.binary_cross_entropy_with_logits(hands.view_as(bits), bits, present.expand_as(bits))
    wanted = torch.from_numpy(part.holders.astype(np.int64))
    return (
        functional.mse_loss(sources, torch.from_numpy(part.sources).flatten(1))
        + functional.cross_entropy(holders.view(len(part), NUM_PROVINCES, -1).transpose(1, 2), wanted)
        + 10 * unsure
        + functional.cross_entropy(rank, torch.from_numpy(part.rank))
    )


def flags_of(variant: Variant, part: Decisions, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """bool[N]: which decisions are seen in their mirror image."""
    able = part.players >= MIRROR.players
    drawn = {"games": part.game % 2 == 1, "rows": rng.random(len(part)) < 0.5, "none": np.zeros(len(part), bool)}
    return np.asarray(able & drawn[variant.mirror])


def cross_entropies(logs: Tensor, part: Decisions) -> Tensor:
    """float32[N]."""
    row = np.repeat(np.arange(len(part)), np.diff(part.targets.offsets))
    terms = logs[torch.from_numpy(row), torch.from_numpy(part.targets.index)] * torch.from_numpy(part.targets.values)
    return torch.zeros(len(part)).index_add(0, torch.from_numpy(row), -terms)


def train(variant: Variant, part: Decisions, seconds: float) -> tuple[Net, dict[str, float]]:
    """A network from nothing, after so much processor time; and how much it has seen."""
    torch.manual_seed(variant.seed)
    rng, net = np.random.default_rng(variant.seed), Net(**variant.net)
    optimizer = torch.optim.Adam(net.parameters(), LEARNING_RATE, fused=True)
    weights = torch.tensor([1.0] + [OTHERS_WEIGHT] * (MAX_SEATS - 1))
    begun, seen = time.process_time(), 0
    while (done := (time.process_time() - begun) / seconds) < 1:
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - done)
        some = part.take(rng.integers(len(part), size=MINIBATCH))
        some = mirrored(some, flags_of(variant, some, rng))
        logs, values, hidden = net(some.rows)
        loss = cross_entropies(logs, some).mean()
        loss = loss + VALUE_WEIGHT * (values - torch.from_numpy(some.values)).square().mean(0) @ weights
        if net.extra is not None:
            loss = loss + EXTRA_WEIGHT * extra_loss(net, hidden, some)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        seen += MINIBATCH
    return net, {"seen": seen, "rate": seen / (time.process_time() - begun)}


# ---- measuring


@dataclass
class Judged:
    """Of each held-out decision: divergence of the policy from the teacher, squared error of the own value."""

    divergence: Reals
    error: Reals


def answer(net: Net, rows: SparseRows, both: bool) -> tuple[Tensor, Tensor]:
    """Logarithms of probabilities and values of decisions of three players or more; see `Variant.both`."""
    logs, values, _ = net(rows)
    if both:
        others, seen, _ = net(MIRROR.of(rows, np.ones(len(rows), bool)))
        logs = (logs / 2 + others[:, MIRROR.actions] / 2).log_softmax(1)
        values = (values + seen) / 2
    return logs, values


def judged(net: Net, part: Decisions, both: bool) -> Judged:
    """Compare a network with its teacher on held-out decisions."""
    found = []
    with torch.inference_mode():
        for start in range(0, len(part), MINIBATCH):
            some = part.take(np.arange(start, min(start + MINIBATCH, len(part))))
            logs, values = answer(net, some.rows, both)
            sure = np.add.reduceat(some.targets.values * np.log(some.targets.values + 1e-9), some.targets.offsets[:-1])
            error = np.square(values[:, 0].numpy() - some.values[:, 0])
            found.append((cross_entropies(logs, some).numpy() + sure, error))
    return Judged(*(np.concatenate(each) for each in zip(*found, strict=True)))


def mean_by_games(numbers: Reals, game: Whole) -> tuple[float, float]:
    """The mean, and its standard error over games."""
    mean = float(numbers.mean())
    sums = np.bincount(np.unique(game, return_inverse=True)[1], weights=numbers - mean)
    return mean, float(np.sqrt(np.square(sums).sum()) / len(numbers))


def speed(net: Net, part: Decisions, both: bool) -> dict[str, float]:
    """Microseconds of processor time for a decision, among many and alone; thousands of multiplications and additions.

    The first layer counts inputs that are not zero.
    """
    found: dict[str, float] = {}
    with torch.inference_mode():
        for name, size, times in (("many", MINIBATCH, 10), ("one", 1, 300)):
            chunks = [part.rows.take(np.arange(i * size, (i + 1) * size) % len(part)) for i in range(times)]
            answer(net, chunks[0], both)
            begun = time.process_time()
            for chunk in chunks:
                answer(net, chunk, both)
            found[name] = (time.process_time() - begun) / (times * size) * 1e6
    with FlopCounterMode(display=False) as counter:
        answer(net, part.rows.take(np.arange(MINIBATCH) % len(part)), both)
    width = len(net.first.first_bias)
    added = len(part.rows.index) / len(part) * width * (1 + both)
    found["products"] = (counter.get_total_flops() / 2 / MINIBATCH + added) / 1000
    return found


def choice(net: Net, both: bool) -> Choice:
    """The likeliest action."""

    def choose(states: Records, which: Whole, rng: np.random.Generator) -> Whole:
        with torch.inference_mode():
            return np.asarray(answer(net, SparseRows.of(states, which, LEARNABLE.forward), both)[0].argmax(1).numpy())

    return choose


def measured(folder: Path, minutes: float, games: int, num_games: int) -> Iterator[tuple[Variant, dict[str, Any]]]:
    """Each variant with its figures."""
    part, out = gathered(folder, games)
    print(f"{len(part)} decisions to learn, {len(out)} held out", file=sys.stderr, flush=True)
    judgements: dict[str, Judged] = {}
    for variant in VARIANTS:
        file = folder / variant.file(minutes, games)
        if not file.exists():
            net, figures = train(variant, part, 60 * minutes * variant.time)
            packed = io.BytesIO()
            torch.save({"net": net.state_dict(), "figures": figures}, packed)
            files.write(file, packed.getvalue())
        kept, net = torch.load(file, weights_only=True), Net(**variant.net)
        net.load_state_dict(kept["net"])
        both, figures = ".both" if variant.both else "", kept["figures"]
        results = file.with_suffix(f".{num_games}{both}.json")
        four = out.take(np.flatnonzero(out.players >= MIRROR.players))  # mirror images have these alone
        mine = judgements[variant.name] = judged(net, four, variant.both)
        figures |= {"divergence": mean_by_games(mine.divergence, four.game)}
        figures |= {"error": mean_by_games(mine.error, four.game), "variance": float(four.values[:, 0].var())}
        for name in ("divergence", "error"):
            difference = getattr(mine, name) - getattr(judgements[BASE], name)
            figures[f"{name} more"] = mean_by_games(difference, four.game)
        figures["weights"] = sum(weights.numel() for weights in net.parameters())
        if results.exists():
            figures |= json.loads(results.read_text())
        else:
            base = folder / VARIANTS[0].file(minutes, games)
            played = speed(net, four, variant.both) | play_games(base, choice(net, variant.both), num_games)
            files.write(results, json.dumps(played).encode())
            figures |= played
        print(variant.name, figures, file=sys.stderr, flush=True)
        yield variant, figures


def play_games(present: Path, choose: Choice, games: int) -> dict[str, float]:
    """Win rates of one seat against three `balanced`, and three of the present network, whose weights are a file."""
    base = Net()
    base.load_state_dict(torch.load(present, weights_only=True)["net"])
    shares = {
        "balanced": against(choose, "balanced", games, 4, game="bloodrage").share,
        "present": against(choose, choice(base, False), games, 4, seed=games, game="bloodrage").share,
    }
    return shares | {"games": games}


# ---- tables


LOSS_HEAD: Final = [
    "network", "thousand weights", "thousand products", "µs, among 1,024", "µs, alone", "learned from, a second",
    "passes", "divergence", "more than the present", "squared error of the value", "more than the present", "explained",
]  # fmt: skip


def cells(figures: dict[str, Any], learned: int) -> list[object]:
    """Those of LOSS_HEAD after the first."""
    return [
        f"{figures['weights'] / 1000:,.0f}",
        f"{figures['products']:,.0f}",
        f"{figures['many']:.0f}",
        f"{figures['one']:.0f}",
        f"{figures['rate']:,.0f}",
        f"{figures['seen'] / learned:.1f}",
        *(
            text
            for name in ("divergence", "error")
            for text in (f"{figures[name][0]:.4f}", "{:+.4f} (SE {:.4f})".format(*figures[f"{name} more"]))
        ),
        f"{100 * (1 - figures['error'][0] / figures['variance']):.1f} %",
    ]


def rate(share: float, games: int) -> str:
    """A win rate with its 95 % interval."""
    found = wilson(share, games)
    return f"{100 * share:.1f} % ({100 * found.low:.0f} to {100 * found.high:.0f})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "runs" / "networks", help="where to keep what is done")
    parser.add_argument("--minutes", type=float, default=4.0, help="processor time to train each (4)")
    parser.add_argument("--learn", type=int, default=10_000, help="games whose decisions are learned (10,000)")
    parser.add_argument("--games", type=int, default=1000, help="to play against each opponent (1,000)")
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    results = list(measured(args.folder, args.minutes, args.learn, args.games))
    learned = len(gathered(args.folder, args.learn)[0])
    loss = [[variant.name, *cells(figures, learned)] for variant, figures in results]
    wins = [
        [variant.name, *(rate(figures[other], figures["games"]) for other in ("balanced", "present"))]
        for variant, figures in results
    ]
    command = "python -m research.measure.networks"
    command += f" --minutes {args.minutes:g} --learn {args.learn} --games {args.games}"
    save("networks/loss", LOSS_HEAD, loss, command)
    save("networks/games", ["network", "against three `balanced`", "three of the present network"], wins, command)


if __name__ == "__main__":
    main()
