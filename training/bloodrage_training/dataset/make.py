"""Makes a dataset: agents play the games of a plan, and each game is played again for its rows."""

import functools
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TextIO

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from bloodrage_agents import registry
from bloodrage_agents.base import AgentLike
from bloodrage_env import files, games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.terminal.progress import Progress

from ..tasks import Died, Event, Pool, Refused, Result
from ..tournament import run as tournament
from ..tournament.plan import unit
from ..tournament.records import Plan, PlannedGame
from ..tournament.workers import player_of
from ..workers import Job, Work
from .manifest import FORMAT, MANIFEST, Manifest, Shard, file_name, read_manifest
from .rows import Rows, layout

UNFINISHED: Final = "unfinished.npz"  # the actions of games of shards that are not complete, by the number of the game
_MAX_UNFINISHED: Final = 1 << 30  # bytes

Actions = npt.NDArray[np.int16]  # of a game


class Played(NamedTuple):
    """A game that has ended."""

    number: int
    actions: Actions


class Made(NamedTuple):
    """The content of a shard, and its entry of the manifest without the name and the checksum of the file."""

    content: bytes
    entry: Shard


def planned(
    specs: Sequence[str], options: GameOptions, seed: int, count: int, games_in_a_shard: int
) -> tuple[Plan, Manifest]:
    """Return the plan and a manifest without shards. Raise UserError for agents that cannot play."""
    if len(specs) == 1:  # against itself
        agents = (registry.canonical(specs[0], options.game),)
        prints = (registry.fingerprint(agents[0], options.game),)
        plan = Plan(agents, prints, "random", options, seed)
    else:
        plan = tournament.make_plan(specs, Plan((), (), "random", options, seed))
    if not all(registry.is_shipped(spec, options.game) for spec in plan.agents):
        raise UserError("a dataset is made by agents that come with the project; a plug-in plays in a tournament")
    if len(specs) == 1:
        tournament.try_agent(plan.agents[0], plan)
    turns = len(unit(plan, 0).games)  # seatings of a line-up
    manifest = Manifest(
        FORMAT, options.game, json.loads(as_json(games.options_to_json(options))), plan.agents, plan.fingerprints, seed,
        -(-count // turns) * turns, -(-games_in_a_shard // turns) * turns, tournament.versions(options.game), (),
    )  # fmt: skip
    return plan, manifest


def make(folder: Path, plan: Plan, manifest: Manifest, pool: Pool, stream: TextIO) -> Manifest:
    """Make the shards that the folder lacks, and show the progress on `stream`; returns the manifest of the folder.

    A shard and then the manifest are written as soon as the shard is complete. After Ctrl-C the actions of other
    finished games are written too, so a later call plays none of them again. Raise UserError for a folder with another
    dataset, and if an agent forfeits a game.
    """
    making = _Making(folder, plan, _begun(folder, manifest), stream)
    try:
        Work(pool, play_shard).carry_out(making.next_job, making.take)
    finally:
        making.keep()
    making.progress.end()
    return making.manifest


class _Making:
    """A dataset that is being made."""

    def __init__(self, folder: Path, plan: Plan, manifest: Manifest, stream: TextIO) -> None:
        self.folder, self.plan, self.manifest = folder, plan, manifest
        self.have = {each.file: each for each in manifest.shards}
        self.names = [file_name(number) for number in range(-(-manifest.games // manifest.games_in_a_shard))]
        self.waiting = [number for number, name in enumerate(self.names) if name not in self.have]
        shard, kept = manifest.games_in_a_shard, _read_unfinished(folder / UNFINISHED)
        # After a kill `kept` also has games of shards that are complete.
        self.played = {game: kept[game] for game in kept if file_name(game // shard) not in self.have}
        self.progress = Progress(stream, manifest.games, self.done())

    def done(self) -> int:
        """Return how many games have been played."""
        return sum(each.games for each in self.have.values()) + len(self.played)

    def next_job(self) -> Job | None:
        """Return the task of the next shard."""
        if not self.waiting:
            return None
        number = self.waiting.pop(0)
        first, shard = number * self.manifest.games_in_a_shard, self.manifest.games_in_a_shard
        count = min(shard, self.manifest.games - first)
        played = {game: self.played[game] for game in range(first, first + count) if game in self.played}
        return number, (self.plan, first, count, played)

    def take(self, events: Sequence[Event]) -> None:
        """Write finished shards."""
        for event in events:
            if isinstance(event, Refused):
                raise UserError(event.reason)
            if isinstance(event, Died):
                raise UserError(f"a worker failed: {event.reason}")
            if isinstance(event, Result) and isinstance(event.value, Played):
                self.played[event.value.number] = event.value.actions
            elif isinstance(event, Result):
                self._write(event.number, event.value)
        self.progress.update(self.done())

    def _write(self, number: int, made: Made) -> None:
        name = self.names[number]
        entry = replace(made.entry, file=name, sha256=hashlib.sha256(made.content).hexdigest())
        files.write(self.folder / name, made.content)
        self.have[name] = entry
        self.manifest = replace(
            self.manifest, shards=tuple(self.have[each] for each in self.names if each in self.have)
        )
        files.write(self.folder / MANIFEST, self.manifest.to_json().encode())
        first = number * self.manifest.games_in_a_shard
        for game in range(first, first + entry.games):
            self.played.pop(game, None)

    def keep(self) -> None:
        """Write the games of shards that are not complete."""
        path = self.folder / UNFINISHED
        if self.played:
            arrays = {str(number): actions for number, actions in self.played.items()}
            files.write(path, files.sealed(files.archive(arrays, compressed=False)))
        else:
            path.unlink(missing_ok=True)


def play_shard(plan: Plan, first: int, count: int, played: Mapping[int, Actions]) -> Iterator[Played | Made]:
    """Yield the games `first` to `first + count - 1` that are not in `played` as they end, and then their shard."""
    player, turns = player_of(plan, ()), len(unit(plan, 0).games)
    parts = []
    for number in range(first, first + count):
        place, seating = divmod(number, turns)
        game = unit(plan, place).games[seating]
        actions = played.get(number)
        if actions is None:
            went = player.play(game)
            if went.forfeit_seat is not None:
                loser = went.line_up[went.forfeit_seat]
                raise UserError(f"agent {loser} forfeited a game: {went.forfeit_reason}")
            actions = np.array(went.actions, np.int16)
            yield Played(number, actions)
        parts.append(rows_of(game, actions, number, plan.agents))
    rows = Rows.joined(parts)
    yield Made(rows.to_bytes(), Shard("", count, len(rows), "", rows.digest()))


def rows_of(planned: PlannedGame, actions: Actions, number: int, agents: Sequence[str]) -> Rows:
    """Return the decisions of game `number` as rows. Raise UserError unless the game ends with these actions."""
    game = games.game(planned.options.game)
    count = len(actions)
    rows = Rows(*(np.zeros((count, *shape), kind) for kind, shape in layout(game.name).values()))
    policies = {seat: _policy(spec, game.name) for seat, spec in enumerate(planned.line_up)}
    states = game.new_game(planned.seed, planned.options)
    for step, action in enumerate(actions.tolist()):
        seat = game.play.seat_to_act(states, 0)
        game.observe.observe_bytes(states, 0, seat, rows.observations[step])
        rows.masks[step] = mask = game.play.legal_mask(states, 0)
        if not (0 <= action < len(mask) and mask[action]):
            raise UserError(f"game {number} has an action that is not legal; delete {UNFINISHED}")
        policy = policies[seat]
        if policy is not None:
            rows.probabilities[step] = policy.probabilities(states, np.zeros(1, np.int64))[0]  # type: ignore[attr-defined]
        rows.seats[step] = seat
        game.play.apply(states, 0, action)
    if not game.play.is_over(states, 0):
        raise UserError(f"game {number} has not ended; delete {UNFINISHED}")
    scores = game.play.scores(states, 0)
    rewards = np.array(game.rewards["win"](scores.tolist()), np.float32)
    index = np.array([agents.index(spec) for spec in planned.line_up], np.int8)
    rows.actions[:], rows.games[:], rows.steps[:] = actions, number, np.arange(count)
    rows.agents[:], rows.returns[:] = index[rows.seats], rewards[rows.seats]
    rows.scores[:] = np.array(scores, np.int32)[rows.seats]
    return rows


@functools.cache  # once a process
def _policy(spec: str, game: str) -> AgentLike | None:
    """Return the agent if it has `probabilities`, otherwise None."""
    agent = registry.make(spec, game)
    return agent if hasattr(agent, "probabilities") else None


def _begun(folder: Path, manifest: Manifest) -> Manifest:
    """Return the manifest of the folder, which is made if there is none. Raise UserError if it has another dataset."""
    if not (folder / MANIFEST).exists():
        found = [*folder.glob(UNFINISHED), *folder.glob("rows-*.npz")]  # games of a dataset that nobody can name
        if found:
            name = found[0].name
            raise UserError(f"{folder} has {name} but no {MANIFEST}; delete it or name another folder with --out")
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


def _read_unfinished(path: Path) -> dict[int, Actions]:
    """Return the games of a file that `_Making.keep` wrote. Raise UserError for any other file."""
    if not path.exists():
        return {}
    try:
        content = files.read_sealed(path, _MAX_UNFINISHED)
        files.check_archive(content, _MAX_UNFINISHED)
        with np.load(io.BytesIO(content), allow_pickle=False) as kept:
            return {int(name): kept[name].astype(np.int16).reshape(-1) for name in kept.files}
    except Exception as error:  # a file from elsewhere may raise anything
        raise UserError(f"{path} can't be used ({error}); delete it: its games are played again"[:300]) from error
