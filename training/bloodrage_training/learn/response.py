"""The learner of `bloodrage exploit`, which needs PyTorch: `ppo.py` against one opponent that does not learn."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bloodrage_env import files
from bloodrage_env.errors import UserError

from ..tournament.estimates import wilson
from . import CONFIG, ppo
from .evaluate import Choice, against, greedy, sampled, searches, searching
from .exploit import LOG, Point
from .export import policy_of
from .learnable import learnable
from .policy import load_policy
from .recipe import change
from .runs import CHECKPOINT, cut_log, log, read_toml, settings, settings_text

__all__ = ["change", "respond"]


def respond(
    opponent: str, folder: Path, players: int, decisions: int, points: int, games: int, start: str,
    changes: Mapping[str, Any], game: str,
) -> Iterator[Point]:  # fmt: skip
    """Train a response for so many decisions in all, and measure it `points` times on the way.

    `opponent` is a style, the file of a policy, or a search. Goes on from what is in `folder`. UserError if that is
    another run.
    """
    known = learnable(game)
    wanted: dict[str, Any] = {"evaluate_every": 10**6} | dict(changes) | {
        "game": game, "opponents": {opponent: 1.0}, "self_play": 0.0, "more_seats": 0.0, "players": [players],
        "start": start, "decisions": decisions, "learning_rate_decay": 0.0, "sets": list(known.needed_sets(players)),
    }  # fmt: skip
    config = settings(wanted, ppo.Config, "--set")
    kept = folder / CONFIG
    if kept.exists() and settings(read_toml(kept), ppo.Config, str(kept)) != config:
        raise UserError(f"{folder} holds another run; give another --out")
    folder.mkdir(parents=True, exist_ok=True)
    files.write(kept, settings_text(asdict(config)).encode())
    if searches(opponent):
        other: str | Choice = searching(opponent, game)
    else:
        other = opponent if opponent in known.styles else sampled(policy_of(Path(opponent), game))
    for number in range(1, points + 1):
        if not ppo.train(replace(config, decisions=decisions * number // points), folder):
            raise KeyboardInterrupt
        policy, checkpoint = load_policy(folder / CHECKPOINT, game)
        share = against(greedy(policy), other, games, players, game=game).share
        done = int(checkpoint["progress"]["decisions"])
        rate = wilson(share, games)
        cut_log(folder / LOG, number - 1)
        row = {"updates": number, "decisions": done, "games": games}
        log(folder / LOG, row | {"win_rate": rate.value, "low": rate.low, "high": rate.high})
        yield Point(done, rate)
