"""The opponent pool: the current policy, snapshots of it, heuristics, policies of files, and random play.

Members that do well against the learner are drawn more often: prioritised fictitious self-play (Vinyals and others,
2019), with weight (1 - x)^2 where x is the probability that the learner beats the member.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_agents.compiled.heuristics import STYLES, choose_many
from bloodrage_env.engine import States

from .bloodrage import LEARNABLE
from .evaluate import sampled
from .export import policy_of
from .opponents import FILES, check_opponents
from .policy import Policy, load_policy
from .runs import with_policy, write

SELF: Final = "self"
RANDOM: Final = "random"
TRAINING_STYLES: Final = LEARNABLE.training_styles
KNOWN: Final = (SELF, RANDOM, *TRAINING_STYLES)  # members beside policies of files (`FILES`) and snapshots
MEMORY: Final = 300.0  # games after which a result counts for a third
PRIOR: Final = 8.0  # games at par that every member begins with

Whole = npt.NDArray[np.int64]


@dataclass
class Member:
    """One kind of opponent and how the learner did against it; old games fade."""

    name: str
    games: float = PRIOR
    won: float = PRIOR / 4
    par: float = PRIOR / 4  # what equal play would have won: 1 / players a game

    def record(self, share: float, num_players: int) -> None:
        """A game with this member at all other seats, of which the learner has this share of the victory."""
        fade = math.exp(-1 / MEMORY)
        self.games = self.games * fade + 1
        self.won = self.won * fade + share
        self.par = self.par * fade + 1 / num_players

    @property
    def odds(self) -> float:
        """Strength of the learner over that of the member (Plackett and Luce)."""
        share = min(max(self.won / self.games, 1e-3), 1 - 1e-3)
        par = self.par / self.games
        return share * (1 - par) / (par * (1 - share))

    @property
    def weight(self) -> float:
        """How much the learner has to learn from it: (1 - x)^2."""
        return 1 / (1 + self.odds) ** 2

    @property
    def lead(self) -> float:
        """The learner's rating less the member's, on the Elo scale."""
        return 400 * math.log10(self.odds)


def policies_of(members: Sequence[str]) -> dict[str, Policy]:
    """The policies of those members that are files. UserError for one that can't be used, or an unknown member."""
    files = [name for name in members if name.endswith(FILES)]
    check_opponents([name for name in members if name not in files], KNOWN, LEARNABLE.held_out)
    return {name: policy_of(Path(name)) for name in files}


class League:
    """The members, and their play. `policy` is the learner's network, which the member `self` plays with."""

    def __init__(
        self, folder: Path, policy: Policy, members: Sequence[str], self_play: float, max_snapshots: int
    ) -> None:
        self.folder = folder
        self.policies = {SELF: policy} | policies_of(members)
        self.fixed = tuple(dict.fromkeys((SELF, *members)))
        self.members = [Member(name) for name in self.fixed]
        self.self_play = self_play
        self.max_snapshots = max_snapshots

    @property
    def snapshots(self) -> list[Member]:
        """Former policies."""
        return [member for member in self.members if member.name not in self.fixed]

    def chances(self) -> npt.NDArray[np.float64]:
        """How likely each member is to be drawn: `self_play` for itself, the rest by weight."""
        weights = np.array([0.0 if member.name == SELF else member.weight for member in self.members])
        if weights.sum() == 0:
            return np.ones(1)
        chances = (1 - self.self_play) * weights / weights.sum()
        chances[0] = self.self_play
        return np.asarray(chances)

    def draw(self, count: int, rng: np.random.Generator) -> Whole:
        """int64[count]: the numbers of members for as many games."""
        return np.asarray(rng.choice(len(self.members), size=count, p=self.chances()))

    def act(
        self,
        owners: Whole,
        states: States,
        masks: npt.NDArray[np.int8],
        actions: Whole,
        rng: np.random.Generator,
    ) -> None:
        """Fill `actions` of the games whose seat to act belongs to a member; `owners` has its number, or -1."""
        styles = np.full(len(owners), -1)
        for number in np.unique(owners[owners >= 0]):
            rows = np.flatnonzero(owners == number)
            name = self.members[number].name
            if name in TRAINING_STYLES:
                styles[rows] = STYLES.index(name)
            elif name == RANDOM:
                actions[rows] = (masks[rows] + rng.random(masks[rows].shape)).argmax(1)
            else:
                actions[rows] = sampled(self.policies[name])(states, rows)
        choose_many(states, styles, rng.integers(2**62, size=len(owners)), actions)

    def add_snapshot(self, name: str, policy: Policy) -> None:
        """Keep a copy of a policy as a member; if there are too many, in place of the one least worth playing.

        Its file is there at once; those of former members go with `sweep`.
        """
        copy = Policy(policy.width, len(policy.layers))
        copy.load_state_dict(policy.state_dict())
        write(self._file(name), with_policy(copy))
        self.policies[name] = copy
        if len(self.snapshots) < self.max_snapshots:
            self.members.append(Member(name))
        else:
            least = min(self.snapshots, key=lambda member: member.weight)
            # In its place: games that go on know their opponent by its number.
            self.members[self.members.index(least)] = Member(name)
            del self.policies[least.name]

    def sweep(self, kept: Sequence[dict[str, Any]]) -> None:
        """Delete the files of snapshots that are not in the league of the checkpoint that has been written."""
        names = {entry["name"] for entry in kept}
        for path in self.folder.glob("*.pt"):
            if path.stem not in names:
                path.unlink()

    def state(self) -> list[dict[str, Any]]:
        """Who is in the league and how it does, for a checkpoint."""
        return [asdict(member) for member in self.members]

    def resume(self, kept: Sequence[dict[str, Any]]) -> None:
        """Go on with the league of a checkpoint, whose snapshots are in the folder.

        ValueError if it has other fixed members, or counts that can't be; UserError if a snapshot can't be read.
        """
        members = [Member(**entry) for entry in kept]
        names = [member.name for member in members]
        fixed = [name for name in names if name in self.fixed or name in KNOWN or name.endswith(FILES)]
        if fixed != [*self.fixed] or fixed != names[: len(fixed)]:
            raise ValueError(f"its league has {', '.join(fixed)}")
        for member in members:
            counts = (member.games, member.won, member.par)
            if not all(type(count) is float and 0 < count < math.inf for count in (member.games, member.par)):
                raise ValueError(f"{member.name} has played {counts}")
            if not 0 <= member.won <= member.games or member.par >= member.games:
                raise ValueError(f"{member.name} has played {counts}")
            if member.name not in fixed:
                self.policies[member.name] = load_policy(self._file(member.name))[0]
        self.members = members

    def table(self) -> list[dict[str, Any]]:
        """A row a member, for the log: the learner's win rate, its lead and the probability to be drawn."""
        return [
            {
                "member": member.name,
                "games": round(member.games, 1),
                "share": round(member.won / member.games, 4),
                "lead": round(member.lead),
                "chance": round(float(chance), 4),
            }
            for member, chance in zip(self.members, self.chances(), strict=True)
        ]

    def _file(self, name: str) -> Path:
        return self.folder / f"{Path(name).name}.pt"
