"""A league: a player that learns against earlier versions of itself and against exploiters.

Self-play alone can move in circles: a policy unlearns what beat its predecessors, and nobody looks for its weaknesses.
In a league (AlphaStar; Vinyals and others, 2019) the opponents are, in addition to the player itself and the styles,
the player of earlier rounds and exploiters. An exploiter starts from the player and learns to beat it, as for
`bloodrage exploit`. The members that the player beats least often are met most often.

In a round the player and the exploiters of the present player learn in parallel. Then the player plays against each
member, which decides how often it meets it in the next round (`league.csv`). At the end, all members play against each
other (`matrix.csv`).
"""

import csv
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

from bloodrage_env import files, games
from bloodrage_env.errors import UserError

from ..tasks import Pool
from ..tournament.records import equal_share
from ..workers import BACKENDS, make_pool
from .config import League, Ppo
from .evaluate import against, against_baselines, greedy
from .export import export, policy_of
from .learnable import learnable
from .policy import Policy, load_policy
from .rounds import LOG, first_file, side_by_side
from .runs import CHECKPOINT, alone, cut_log, first_policy, log, rates_text, usual, with_policy, write

LEAGUE: Final = "league.csv"  # the player's wins against each member, after each round
MATRIX: Final = "matrix.csv"  # the wins of each member against each other one
MOST: Final = 6  # members of each kind that the player meets in a round: each is a network call of its own
LEAST: Final = 0.02  # weight of a member that never wins, so that the player does not unlearn to beat it


@dataclass(frozen=True)
class Member:
    """A policy of the league: `player-N` after N rounds, or `exploiter-N-P`, against that player with P players."""

    name: str
    players: int  # of the games in which it is measured

    @property
    def exploiter(self) -> bool:
        """Whether it has learned to beat the player."""
        return self.name.startswith("exploiter")


def members(config: League, rounds: int) -> list[Member]:
    """Return the members after a number of rounds, from the first player on."""
    found = []
    for number in range(rounds + 1):
        found.append(Member(f"player-{number}", usual(config.players)))
        if number < rounds:
            found += [Member(f"exploiter-{number}-{players}", players) for players in config.exploited_players]
    return found


def priority(share: float, sides: int) -> float:
    """Return the weight of a member, from the player's win rate against it in games of `sides` sides.

    Prioritized fictitious self-play: (1 - p)^2, where p is the probability that the player beats one of two sides.
    """
    odds = share * (sides - 1) / max(1e-9, 1 - share)
    return max(LEAST, 1 / (1 + odds) ** 2)


def opponents(config: League, folder: Path, shares: Mapping[Member, float]) -> dict[str, float]:
    """Return the weights of the player's opponents. `shares` are its win rates against the members."""
    result: dict[str, float] = {}
    team = games.game(config.game).team
    weights = {member: priority(share, member.players // team) for member, share in shares.items()}
    for exploiter, part in ((False, config.snapshots), (True, config.exploited)):
        met = [member for member in weights if member.exploiter == exploiter]
        met = sorted(met, key=lambda member: weights[member], reverse=True)[:MOST]
        total = sum(weights[member] for member in met)
        result |= {_file(folder, member): part * weights[member] / total for member in met if part}
    others = config.opponents or dict.fromkeys(learnable(config.game).training_styles, 1.0)
    rest = 1 - sum(result.values())
    if rest > 1e-9:
        result |= {name: rest * weight / sum(others.values()) for name, weight in others.items()}
    return result


def runs_of(config: League, number: int, folder: Path, shares: Mapping[Member, float]) -> dict[str, Ppo]:
    """Return the runs of a round by the names of the members that they make: the player, and the exploiters of the
    player before.
    """
    shared = Ppo(**{field.name: getattr(config, field.name) for field in fields(Ppo)})
    seed, start = config.seed + (number - 1) * (1 + len(config.exploited_players)), str(_kept(folder, number - 1))
    runs = {
        f"player-{number}": replace(
            shared,
            start=start,
            seed=seed,
            opponents=opponents(config, folder, shares),
            learning_rate_decay=config.learning_rate_decay if number == config.rounds else 0.0,
            average=config.average if number == config.rounds else 0.0,
            minutes=config.minutes / config.rounds,
        )
    }
    for place, players in enumerate(config.exploited_players):
        runs[f"exploiter-{number - 1}-{players}"] = replace(
            shared,
            start=start,
            seed=seed + 1 + place,
            decisions=config.exploiter_decisions,
            minutes=config.minutes / config.rounds,
            players=(players,),
            sets=tuple(dict.fromkeys([*config.sets, *learnable(config.game).needed_sets(players)])),
            self_play=0.0,
            more_seats=0.0,
            opponents={start: 1.0},
            slow_weight=0.0,
        )
    return runs


def train(config: League, folder: Path, backend: str = BACKENDS[0], device: str = "cpu") -> bool:
    """Play all rounds, and writes the last player as the checkpoint of the folder. Completed rounds are skipped.

    Ctrl-C ends it with checkpoints of the runs of the round. Return whether the rounds were finished. Workers on other
    machines must see the folder at the same path.
    """
    with alone(folder), ExitStack() as stack:
        pool: Pool | None = None
        if not _kept(folder, 0).exists():
            policy, kept = first_policy(
                first_file(config, folder), config.width, config.layers, config.game, config.ledger, config.changes
            )
            export(policy, Path(_file(folder, members(config, 0)[0])))
            write(_kept(folder, 0), with_policy(policy, optimizer=kept))
        for number in range(1, config.rounds + 1):
            if _kept(folder, number).exists():
                continue
            pool = pool or stack.enter_context(closing(make_pool(backend, config.workers)))
            runs = runs_of(config, number, folder, _shares(config, folder, number - 1))
            folders = [folder / f"round-{name}" for name in runs]
            if not side_by_side(pool, list(runs.values()), folders, device):
                return False
            _end_round(config, number, folder, list(runs))
        if not (folder / MATRIX).exists():
            _write_matrix(config, folder)
        policy, state = load_policy(_kept(folder, config.rounds), config.game)
        write(folder / CHECKPOINT, with_policy(policy, optimizer=state["optimizer"]))
    return True


def _kept(folder: Path, number: int) -> Path:
    """Return the checkpoint of the player after a number of rounds."""
    return folder / f"player-{number}.pt"


def _file(folder: Path, member: Member) -> str:
    return str(folder / f"{member.name}.npz")


def _shares(config: League, folder: Path, rounds: int) -> dict[Member, float]:
    """Return the player's win rates against the members after a number of rounds, from the log."""
    known = members(config, rounds)
    if not rounds:
        return {known[0]: equal_share(config.game, known[0].players)}
    try:
        found = list(csv.DictReader((folder / LEAGUE).read_text(encoding="utf-8").splitlines()))
        shares = {row["member"]: float(row["share"]) for row in found if int(row["updates"]) == rounds}
        return {member: shares[member.name] for member in known}
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{folder / LEAGUE} is missing or damaged; train in another folder") from error


def _end_round(config: League, number: int, folder: Path, names: Sequence[str]) -> None:
    """Keep the policies of a round, and measure its player against all members."""
    player, moments = load_policy(folder / f"round-{names[0]}" / CHECKPOINT, config.game)
    for name in names:
        export(load_policy(folder / f"round-{name}" / CHECKPOINT, config.game)[0], folder / f"{name}.npz")
    cut_log(folder / LEAGUE, number - 1)
    for member in members(config, number):
        row = {"updates": number, "member": member.name, "players": member.players, "games": config.league_games}
        log(folder / LEAGUE, row | {"share": _share(config, folder, player, member)})
    win_rates = against_baselines(player, config.evaluation_games, usual(config.players))
    cut_log(folder / LOG, number - 1)
    log(folder / LOG, {"updates": number} | {name: f"{share:.4f}" for name, share in win_rates.items()})
    write(_kept(folder, number), with_policy(player, optimizer=moments["optimizer"]))
    for name in names:
        (folder / f"round-{name}" / CHECKPOINT).unlink()
    print(f"round {number} of {config.rounds}; {rates_text(win_rates)}", file=sys.stderr)


def _share(config: League, folder: Path, policy: Policy, member: Member) -> float:
    """Return the share of wins of one seat of a policy against a member at all others."""
    other = policy_of(Path(_file(folder, member)), config.game)
    return against(greedy(policy), greedy(other), config.league_games, member.players, game=config.game).share


def _write_matrix(config: League, folder: Path) -> None:
    """Play one seat of each member against each other member, with the usual number of players."""
    known = [replace(member, players=usual(config.players)) for member in members(config, config.rounds)]
    rows = []
    for member in known:
        policy = policy_of(Path(_file(folder, member)), config.game)
        shares = ["" if other == member else f"{_share(config, folder, policy, other):.4f}" for other in known]
        rows.append([member.name, *shares])
    lines = [",".join(["member", *(member.name for member in known)]), *map(",".join, rows)]
    files.write(folder / MATRIX, "".join(f"{line}\n" for line in lines).encode())
