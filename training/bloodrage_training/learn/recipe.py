"""Recipes: the stages by which a player is trained, from an untrained network to its file, in one TOML file.

Each `[[stages]]` has a `name`, a `kind` and the settings of that kind (`config.py`). A setting at the top applies to
all stages whose kind has it. A stage begins with the policy of the previous one. A file without stages is a recipe of
one stage.
"""

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from bloodrage_agents.network import file_of
from bloodrage_env.errors import UserError

from ..workers import BACKENDS
from . import league, ppo, rounds, search
from .average import average
from .config import (
    KINDS,
    MAX_SEED,
    Imitation,
    League,
    Learning,
    Merge,
    Ppo,
    Rollouts,
    Rounds,
    Search,
    Stage,
    check_name,
    parse,
    read_toml,
    to_toml,
)
from .export import export, policy_of
from .learnable import learnable
from .opponents import Opponents, check_weights
from .policy import load_policy
from .runs import BEST, CHECKPOINT, alone, check_start, player_of, reads, with_policy, write

PLAYER: Final = "player.npz"
STAGES: Final = "stages"
NAMED: Final = ("name", "kind")  # what a table has beside settings
OF_ALL: Final = (
    "game",
    "start",
    "width",
    "layers",
    "ledger",
    "changes",
)  # settings of a whole recipe: the network of the first stage

Stages: TypeAlias = dict[str, Stage]  # by name


def read(path: Path | None, changes: Sequence[str] = (), *, game: str) -> Stages:
    """Return the stages of a recipe, or of the default settings. `game` is the default game.

    `changes` are `KEY=VALUE`, for all stages. Raise UserError for an invalid recipe.
    """
    top = {"game": game} | (read_toml(path) if path else {})
    changed = dict(map(change, changes))
    where = str(path) if path else "--set"
    tables = top.pop(STAGES, [{}])
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        raise UserError(f"{where}: {STAGES} should be tables, each headed [[{STAGES}]]")
    stages: Stages = {}
    for table in tables:
        name, kind = _named(top | table | changed, stages, where)
        place, own = f"{where}: stage {name} ({kind.kind})", _without(table, NAMED)
        for key in OF_ALL:
            if key in own:
                raise UserError(
                    f"{place}: {key} is a setting of the whole recipe; give it above the first [[{STAGES}]]"
                )
        known = {each.name for each in fields(kind)}
        shared, final = ({key: given[key] for key in known & given.keys()} for given in (top, changed))
        if issubclass(kind, Learning) and (before := [each for each in stages.values() if isinstance(each, Learning)]):
            # Each run has a seed of its own.
            (final if "seed" in changed else shared)["seed"] = before[-1].seed + before[-1].runs
        stages[name] = parse(kind, shared | own | final, place)
        _check_stage(stages, place)
    for source, given in ((where, top), ("--set", changed)):
        for key in _without(given, NAMED):
            check_name(key, {each.name for stage in stages.values() for each in fields(stage)}, source)
    return stages


def continued(stages: Stages, kept: Stages | None = None) -> Stages:
    """Return the stages for a network that reads what that of a run with the settings `kept`, or `start`, reads."""
    first = next(stage for stage in (kept or stages).values() if isinstance(stage, Learning))
    needed = {"ledger": first.ledger, "changes": first.changes} if kept else reads(first.start, first.game)
    needed = {name: True for name, needs in needed.items() if needs}
    return {
        name: replace(stage, **needed) if isinstance(stage, Learning) else stage  # type: ignore[arg-type]
        for name, stage in stages.items()
    }


def _without(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key not in names}


def _named(given: Mapping[str, Any], stages: Stages, where: str) -> tuple[str, type[Stage]]:
    """Return the name and the kind of a stage. Raise UserError for a name that cannot be a folder, or is used
    twice.
    """
    name, kind = given.get("name", "run"), given.get("kind", Ppo.kind)
    if not isinstance(name, str) or not name.replace("-", "").isalnum() or name in stages:
        raise UserError(f"{where}: a stage has the name {name!r:.60}; give each one of its own, of letters and digits")
    if not isinstance(kind, str) or kind not in KINDS:
        raise UserError(f"{where}: stage {name:.60}: kind is {kind!r:.60}; give one of {', '.join(KINDS)}")
    return name, KINDS[kind]


def _check_stage(stages: Stages, where: str) -> None:
    """Raise UserError for a stage that merges stages other than earlier ones, or has seeds that do not exist."""
    *before, name = stages
    stage = stages[name]
    if isinstance(stage, Merge) and not (set(stage.merged) <= set(before) and len(set(stage.merged)) > 1):
        raise UserError(f"{where}: merged is {list(stage.merged)}; give two or more of {before}")
    if isinstance(stage, Rounds) and stage.actors:
        raise UserError(f"{where}: the runs of a round are played by its workers; leave actors out")
    if isinstance(stage, League):
        _check_league(stage, where)
    if isinstance(stage, Learning) and stage.seed + stage.runs - 1 > MAX_SEED:
        raise UserError(f"{where}: its runs have seeds beyond {MAX_SEED}; give a lower seed")


def _check_league(stage: League, where: str) -> None:
    """Raise UserError for shares above 1 in total, and for exploiters with impossible numbers of players."""
    if stage.snapshots + stage.exploited > 1:
        raise UserError(
            f"{where}: snapshots and exploited are {stage.snapshots + stage.exploited:g} together; give 1 or less"
        )
    try:
        for number in stage.exploited_players:
            learnable(stage.game).options_of(number, learnable(stage.game).needed_sets(number))
    except ValueError as error:
        raise UserError(f"{where}: exploiters is {list(stage.exploiters)}: {error}") from error


def change(text: str) -> tuple[str, Any]:
    """Return a setting and its value from `KEY=VALUE`. The value is as in TOML, or a text without quotes."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UserError(f"--set {text}: give KEY=VALUE")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def text(stages: Stages) -> str:
    """Return stages as text that `read` reads, with all their settings."""
    first = vars(next(iter(stages.values())))
    parts = [to_toml({key: first[key] for key in OF_ALL})]
    for name, stage in stages.items():
        parts.append(f"[[{STAGES}]]\n" + to_toml({"name": name, "kind": stage.kind} | _without(vars(stage), OF_ALL)))
    return "\n".join(parts)


def game_of(stages: Stages) -> str:
    """Return the game of the stages."""
    return next(stage.game for stage in stages.values() if isinstance(stage, Learning))


def has_workers(stages: Stages) -> bool:
    """Return whether a stage has tasks for workers, which may be on other machines."""
    return any(
        isinstance(stage, Rounds | Search) or (isinstance(stage, Rollouts) and stage.actors > 0)
        for stage in stages.values()
    )


def check(stages: Stages, folder: Path) -> None:
    """Raise UserError if a first policy, a teacher or an opponent of any stage is invalid.

    Policies of earlier stages can be missing, because the run writes them.
    """
    earlier: set[Path] = set()
    for name, stage in stages.items():
        if isinstance(stage, Learning):
            known = learnable(stage.game)
            check_weights(stage.opponents)
            given = stage.opponents.items()
            Opponents({each: weight for each, weight in given if Path(each).absolute() not in earlier}, known)
            if stage.start:
                check_start(stage)
        if isinstance(stage, Imitation):
            policy_of(file_of(stage.teacher, stage.game), stage.game)
        earlier |= {(folder / name / each).absolute() for each in written(stage)}


def written(stage: Stage) -> list[str]:
    """Return the names of the policies that a stage writes into its folder."""
    if isinstance(stage, League):
        members = [f"{each.name}.npz" for each in league.members(stage, stage.rounds)]
        return [CHECKPOINT, "first.pt", *members, *(f"player-{number}.pt" for number in range(stage.rounds + 1))]
    if isinstance(stage, Rounds):
        return [CHECKPOINT, "first.pt", *(f"mean-{number}.pt" for number in range(stage.rounds))]
    return [CHECKPOINT, BEST] if isinstance(stage, Learning) else [CHECKPOINT]


def _place(stages: Stages, name: str, folder: Path) -> Path:
    """Return the folder of a stage: that of the run, if it has no other stages."""
    return folder if len(stages) == 1 else folder / name


def can_grow(stages: Stages, folder: Path) -> bool:
    """Return whether a complete run would go on with more `minutes`: its last stage has ended by them."""
    *_, (name, last) = stages.items()
    if type(last) not in (Ppo, Imitation):
        return False
    made = load_policy(_place(stages, name, folder) / CHECKPOINT, game_of(stages))[1]["progress"]["decisions"]
    return bool(made < cast(Learning, last).decisions)


def train(stages: Stages, folder: Path, backend: str = BACKENDS[0], device: str = "cpu") -> bool:
    """Train stage after stage and resumes where it was stopped. At the end, the folder contains the player.

    A stage is complete if a later one has begun, whatever its settings are. Return whether the recipe was completed:
    False after Ctrl-C. `backend` selects the workers of a stage, `device` the device of learners, and of the
    games of searches.
    """
    names, game = list(stages), game_of(stages)
    place = folder
    for number, (name, stage) in enumerate(stages.items()):
        previous = place
        place = _place(stages, name, folder)
        over = (place / CHECKPOINT).exists() and any((folder / later).exists() for later in names[number + 1 :])
        if isinstance(stage, Merge):
            _merge(stage, folder, place, game)
        elif isinstance(stage, Learning) and not over:
            start = _end_of(previous, game) if number else stage.start
            if not _learn(replace(stage, start=start), place, backend, device):
                return False
    policy, earlier = player_of(place, game)
    if earlier:
        print(f"the policy became worse: {folder / PLAYER} is the best one of all evaluations", file=sys.stderr)
    if len(stages) > 1:
        write(folder / CHECKPOINT, with_policy(policy))
    export(policy, folder / PLAYER)
    return True


def _end_of(place: Path, game: str) -> str:
    """Return the file with which the stage after this one begins: its checkpoint, or its best policy (`player_of`)."""
    return str(place / (BEST if player_of(place, game)[1] else CHECKPOINT))


def _learn(stage: Learning, place: Path, backend: str, device: str) -> bool:
    if isinstance(stage, Search):
        return search.train(stage, place, backend, device)
    if isinstance(stage, League):
        return league.train(stage, place, backend, device)
    if isinstance(stage, Rounds):
        return rounds.train(stage, place, backend, device)
    return ppo.train(cast(Rollouts, stage), place, device=device, backend=backend)


def _merge(stage: Merge, folder: Path, place: Path, game: str) -> None:
    """Write the mean of the stages `merged` as the checkpoint of this one, unless it exists."""
    with alone(place):
        if not (place / CHECKPOINT).exists():
            policies = [player_of(folder / name, game)[0] for name in stage.merged]
            write(place / CHECKPOINT, with_policy(average(policies)))
