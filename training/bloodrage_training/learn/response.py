"""The learner of `bloodrage exploit`, which needs PyTorch: `ppo.py` against one opponent that does not learn."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bloodrage_env import files
from bloodrage_env.errors import UserError

from ..tournament.estimates import Estimate, wilson
from . import CONFIG, ppo
from .bounds import LOG, OPPONENT, Point, check_opponent, digest_of
from .config import Ppo, parse, read_toml, to_toml
from .evaluate import against, greedy
from .learnable import learnable
from .opponents import Opponents, choice_of
from .policy import load_policy
from .recipe import STAGES, change
from .run import LOGS
from .runs import BEST, CHECKPOINT, check_new, cut_log, log, reads

__all__ = ["change", "respond"]


def respond(
    opponent: str, folder: Path, players: int, decisions: int, points: int, games: int, start: str,
    changes: Mapping[str, Any], game: str,
) -> Iterator[Point]:  # fmt: skip
    """Train a response for `decisions` decisions in total, and measure it at `points` points.

    `opponent` is a style, the file of a policy, or a search. A run in `folder` is resumed, and points already measured
    are kept. Raise UserError if the folder has another run, or was measured differently, if the file of the policy has
    changed, or if the folder has files of something else.
    """
    known, kept = learnable(game), folder / CONFIG
    content = read_toml(kept) if kept.exists() else {}
    if STAGES in content:
        raise UserError(f"{folder} holds a run of bloodrage train; give another --out")
    before = parse(Ppo, content, str(kept)) if content else None
    if before is None:
        check_new(folder, (CHECKPOINT, BEST, *LOGS, LOG, OPPONENT))
    needed = {"ledger": before.ledger, "changes": before.changes} if before else reads(start, game)
    wanted: dict[str, Any] = {"evaluate_every": 10**6} | needed | dict(changes) | {
        "game": game, "opponents": {opponent: 1.0}, "self_play": 0.0, "more_seats": 0.0, "players": [players],
        "start": start, "decisions": decisions, "sets": list(known.needed_sets(players)),
    }  # fmt: skip
    fixed = [name for name in changes if wanted[name] != changes[name]]
    if fixed:
        raise UserError(f"--set {fixed[0]}: the settings of a response have their own {fixed[0]}; leave it out")
    for name in needed:
        if needed[name] and not wanted[name]:
            raise UserError(f"--set {name}=false: {start} reads what it is for; leave it out")
    config = parse(Ppo, wanted, "--set")
    if before and before != config:
        raise UserError(f"{folder} holds another run; give another --out")
    if before:
        check_opponent(opponent, folder, game)
    Opponents(config.opponents, known)  # what is wrong with it is said before anything is written
    folder.mkdir(parents=True, exist_ok=True)
    files.write(kept, to_toml(vars(config)).encode())
    if digest := digest_of(opponent, game):
        files.write(folder / OPPONENT, digest.encode())
    other = opponent if opponent in known.styles else choice_of(opponent, game)
    measured = _measured(folder / LOG, points, games)
    yield from measured
    for number in range(len(measured) + 1, points + 1):
        if not ppo.train(config, folder, until=decisions * number // points):
            raise KeyboardInterrupt
        policy, checkpoint = load_policy(folder / CHECKPOINT, game)
        share = against(greedy(policy), other, games, players, game=game).share
        done = int(checkpoint["progress"]["decisions"])
        rate = wilson(share, games)
        row = {"updates": number, "decisions": done, "points": points, "games": games}
        log(folder / LOG, row | {"win_rate": rate.value, "low": rate.low, "high": rate.high})
        yield Point(done, rate)


def _measured(path: Path, points: int, games: int) -> list[Point]:
    """Return the points in a log; none without a log. Raise UserError if it is damaged, or has other points or
    games.
    """
    try:
        cut_log(path, points)
        if not path.exists():
            return []
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
        ways = {(int(row["points"]), int(row["games"])) for row in rows}
        found = [
            Point(int(row["decisions"]), Estimate(float(row["win_rate"]), float(row["low"]), float(row["high"])))
            for row in rows
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{path} is damaged; without it the response is measured from its last point on") from error
    if not ways <= {(points, games)}:
        raise UserError(f"{path.parent} is measured otherwise; give its --points and --games, or another --out")
    return found
