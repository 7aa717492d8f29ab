"""Makes a dataset: agents play the games of a plan, and each game is played again for its rows."""

import functools
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.base import AgentLike
from bloodrage_env import files, games
from bloodrage_env.core.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.terminal.progress import Progress

from ..tasks import Died, Done, Pool, Refused, Result
from ..tournament import run as tournament
from ..tournament.plan import unit
from ..tournament.records import Plan, StoredGame
from ..tournament.workers import player_of
from .rows import MANIFEST, Manifest, Rows, Shard, layout, read_manifest

ATTEMPTS: Final = 3  # at a shard, if its worker dies


def planned(
    specs: Sequence[str], options: GameOptions, seed: int, count: int, games_in_a_shard: int
) -> tuple[Plan, Manifest]:
    """Return the plan and a manifest without shards. Raises UserError for agents that cannot play."""
    if len(specs) == 1:  # against itself
        agents = (registry.canonical(specs[0], options.game),)
        prints = (registry.fingerprint(agents[0], options.game),)
        plan = Plan(agents, prints, "random", options, seed)
    else:
        plan = tournament.make_plan(specs, Plan((), (), "random", options, seed))
    if not all(registry.is_shipped(spec, options.game) for spec in plan.agents):
        raise UserError("a dataset is made by agents that come with the project; a plug-in plays in a tournament")
    turns = len(unit(plan, 0).games)  # seatings of a line-up
    manifest = Manifest(
        options.game, json.loads(as_json(games.options_to_json(options))), plan.agents, plan.fingerprints, seed,
        -(-count // turns) * turns, -(-games_in_a_shard // turns) * turns, tournament.versions(options.game),
    )  # fmt: skip
    return plan, manifest


def make(folder: Path, plan: Plan, manifest: Manifest, pool: Pool, progress: Progress) -> Manifest:
    """Make the shards that the folder lacks; returns its manifest.

    A shard and then the manifest are written as soon as the shard is complete, so that an interrupted run resumes.
    Raises UserError for a folder with another dataset, and if an agent forfeits a game.
    """
    manifest = _begun(folder, manifest)
    have = {each.file: each for each in manifest.shards}
    names = [f"rows-{number:06}.npz" for number in range(-(-manifest.games // manifest.games_in_a_shard))]
    waiting = [number for number, name in enumerate(names) if name not in have]
    failures = dict.fromkeys(waiting, 0)
    at_work: set[int] = set()
    done = sum(each.games for each in manifest.shards)
    while waiting or at_work:
        while waiting and pool.idle():
            number = waiting.pop(0)
            first = number * manifest.games_in_a_shard
            count = min(manifest.games_in_a_shard, manifest.games - first)
            pool.submit(number, play_shard, plan, first, count)
            at_work.add(number)
        for event in pool.events(0.2):
            if isinstance(event, Result):
                content, found = event.value
                entry = replace(found, file=names[event.number], sha256=hashlib.sha256(content).hexdigest())
                files.write(folder / entry.file, content)
                have[entry.file] = entry
                manifest = replace(manifest, shards=tuple(have[name] for name in names if name in have))
                files.write(folder / MANIFEST, manifest.to_json().encode())
                done += entry.games
            elif isinstance(event, Done):
                at_work.discard(event.number)
            elif isinstance(event, Refused):
                raise UserError(event.reason)
            elif isinstance(event, Died):
                at_work.discard(event.number)
                failures[event.number] += 1
                if failures[event.number] >= ATTEMPTS:
                    raise UserError(f"a worker failed {ATTEMPTS} times: {event.reason}")
                waiting.insert(0, event.number)
        progress.update(done)
    progress.end()
    return manifest


def play_shard(plan: Plan, first: int, count: int) -> Iterator[tuple[bytes, Shard]]:
    """Yield the content of a shard with the games `first` to `first + count - 1`, and its entry without a name."""
    player, turns = player_of(plan, ()), len(unit(plan, 0).games)
    parts = []
    for number in range(first, first + count):
        place, seating = divmod(number, turns)
        played = player.play(unit(plan, place).games[seating])
        if played.forfeit_seat is not None:
            loser = played.line_up[played.forfeit_seat]
            raise UserError(f"agent {loser} forfeited a game: {played.forfeit_reason}")
        parts.append(rows_of(played, number, plan.agents))
    rows = Rows.joined(parts)
    yield rows.to_bytes(), Shard("", count, len(rows), "", rows.digest())


def rows_of(played: StoredGame, number: int, agents: Sequence[str]) -> Rows:
    """Return the decisions of a finished game, which is played again, as rows of game `number`."""
    game = games.game(played.options.game)
    count = len(played.actions)
    rows = Rows(*(np.zeros((count, *shape), kind) for kind, shape in layout(game.name).values()))
    policies = {seat: _policy(spec, game.name) for seat, spec in enumerate(played.line_up)}
    states = game.new_game(played.seed, played.options)
    for step, action in enumerate(played.actions):
        seat = game.play.seat_to_act(states, 0)
        game.observe.observe_bytes(states, 0, seat, rows.observations[step])
        rows.masks[step] = game.play.legal_mask(states, 0)
        policy = policies[seat]
        if policy is not None:
            rows.probabilities[step] = policy.probabilities(states, np.zeros(1, np.int64))[0]  # type: ignore[attr-defined]
        rows.seats[step] = seat
        game.play.apply(states, 0, action)
    rewards = np.array(game.rewards["win"](list(played.scores)), np.float32)
    index = np.array([agents.index(spec) for spec in played.line_up], np.int8)
    rows.actions[:], rows.games[:], rows.steps[:] = played.actions, number, np.arange(count)
    rows.agents[:], rows.returns[:] = index[rows.seats], rewards[rows.seats]
    rows.scores[:] = np.array(played.scores, np.int32)[rows.seats]
    return rows


@functools.cache  # once a process
def _policy(spec: str, game: str) -> AgentLike | None:
    """Return the agent if it has `probabilities`, otherwise None."""
    agent = registry.make(spec, game)
    return agent if hasattr(agent, "probabilities") else None


def _begun(folder: Path, manifest: Manifest) -> Manifest:
    """Return the manifest of the folder, which is made if there is none. Raises UserError if it has another dataset."""
    if not (folder / MANIFEST).exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            files.write(folder / MANIFEST, manifest.to_json().encode())
        except OSError as error:
            raise UserError(f"can't write {folder}: {error.strerror or error}") from error
        return manifest
    begun = read_manifest(folder)
    for name in ("game", "options", "agents", "fingerprints", "seed", "games_in_a_shard"):
        if getattr(begun, name) != getattr(manifest, name):
            raise UserError(f"{folder} has a dataset with other {name}; name another folder with --out")
    if begun.games > manifest.games:
        raise UserError(f"{folder} has {begun.games} games, more than {manifest.games}")
    whole = tuple(each for each in begun.shards if each.games == begun.games_in_a_shard)
    return replace(begun, games=manifest.games, shards=begun.shards if begun.games == manifest.games else whole)
