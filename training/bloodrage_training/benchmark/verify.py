"""Plays the games of a result file again and compares them with the file."""

import random
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bloodrage_env import files
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.terminal.progress import Progress
from bloodrage_env.text import counted

from ..tasks import Pool
from ..tournament import run as tournament
from ..tournament.records import Plan
from ..tournament.workers import play_unit
from ..workers import carry_out_all
from .play import in_folder
from .protocols import POLICY, RESPONSE, unit_of
from .record import Record, digest_of
from .results import Deal, deal_of

AT_ONCE: Final = 16  # deals between two comparisons


def verify(record: Record, make_pool: Callable[[], Pool], sample: int | None, chance: random.Random) -> str | None:
    """Play the deals of each track again, or a sample of them. Return the first difference in one line, or None.

    Raise UserError if the agent is missing or has another source, and KeyboardInterrupt after Ctrl-C.
    """
    if record.policy is None and digest_of(record.agent, record.game, None) != record.digest:
        raise UserError(f"the source of {record.agent} is not the one that was measured")
    with TemporaryDirectory(prefix="bloodrage-") as spare, in_folder(Path(spare), record.agent, record.game):
        if record.policy is not None:
            files.write(Path(spare) / POLICY, record.policy)
        for track in record.tracks:
            if track.response is not None:
                files.write(Path(spare) / RESPONSE, track.response)
            count = len(track.results)
            places = range(count) if sample is None else sorted(chance.sample(range(count), min(sample, count)))
            plan = track.protocol.plan(record.agent, track.deals)
            for line in tournament.guard(plan):
                print(line, file=sys.stderr)
            found = _first_difference(plan, [track.results[place] for place in places], make_pool)
            if found is not None:
                return f"{track.protocol.track}, {found}{_other_versions(record)}"
    return None


def _first_difference(plan: Plan, deals: Sequence[Deal], make_pool: Callable[[], Pool]) -> str | None:
    progress, done, waiting = Progress(sys.stderr, len(deals), things="deals"), 0, iter(deals)
    pool = make_pool()
    try:
        while part := list(islice(waiting, AT_ONCE)):
            jobs = [(plan, (), unit_of(plan, each.deal, each.opponent)) for each in part]
            outcome = carry_out_all(pool, play_unit, jobs)
            if outcome.interrupted:
                raise KeyboardInterrupt
            for stated, played in zip(part, outcome.results, strict=True):
                what = difference(stated, deal_of(played, plan.agents[0]))
                if what is not None:
                    return what
            done += len(part)
            progress.update(done)
    finally:
        pool.close()
    progress.end()
    return None


def difference(stated: Deal, played: Deal) -> str | None:
    """Return what differs between a deal of a file and the same deal played again, None if nothing does."""
    for name in ("won", "scores", "forfeits", "moves"):
        own, other = getattr(stated, name), getattr(played, name)
        if own != other:
            where = f"deal {stated.deal} against {stated.opponent}"
            return f"{where}: {name} is {_listed(own)} in the file and {_listed(other)} when played"
    return None


def _listed(value: object) -> str:
    """Return a value as JSON."""
    return value if isinstance(value, str) else as_json(value)


def _other_versions(record: Record) -> str:
    """Return the versions that differ from those of the file, as the end of a line."""
    here = tournament.versions(record.game)
    others = [
        f"{name} {value}, here {here.get(name)}" for name, value in record.versions.items() if value != here.get(name)
    ]
    return f" (the file was made with {'; '.join(others)})" if others else ""


def said_of(record: Record, sample: int | None) -> str:
    """Return the line for a file without a difference."""
    deals = sum(len(each.results) if sample is None else min(sample, len(each.results)) for each in record.tracks)
    names = ", ".join(each.protocol.track for each in record.tracks)
    whole = "" if sample is None else " of the sample"
    return f"{record.name}, {names}: {counted(deals, 'deal')}{whole} played again, all agree"
