"""A recipe: the stages by which a player is trained, from nothing to its file, in one TOML file.

Settings at the top are those of all stages; each `[[stages]]` has a `name`, and settings of its own. A stage begins
with the policy of the one before. A file without stages is a recipe of one stage.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from bloodrage_env.errors import UserError
from bloodrage_env.games import FIRST

from ..workers import BACKENDS
from . import ppo, rounds, search
from .average import average
from .export import export, policy_of
from .policy import load_policy
from .runs import CHECKPOINT, alone, read_toml, settings, settings_text, with_policy, write

PLAYER: Final = "player.npz"
STAGES: Final = "stages"
KINDS: Final = ("ppo", "search", "merge")


@dataclass(frozen=True)
class Stage(rounds.Config, search.Config):
    """Of the kind `ppo` rounds of runs side by side; with one worker and one round, which is what the defaults say, a
    single run. A `teacher` is imitated in all of them. Of the kind `search` expert iteration, with `workers` that play.
    Of the kind `merge` the mean of the weights that the stages `merged` have come to: nothing is played.
    """

    name: str = "run"
    kind: str = KINDS[0]
    workers: int = 1
    rounds: int = 1
    merged: tuple[str, ...] = ()


def read(path: Path | None, changes: Sequence[str] = (), game: str = FIRST) -> list[Stage]:
    """The stages of a recipe, or of the default settings; of `game` where it names none. `changes` are `KEY=VALUE`,
    for all stages.

    UserError for whatever is wrong with it.
    """
    values = {"game": game} | (read_toml(path) if path else {})
    where = str(path) if path else "--set"
    listed = values.pop(STAGES, [{}])
    if not isinstance(listed, list) or not listed or not all(isinstance(each, dict) for each in listed):
        raise UserError(f"{where}: {STAGES} should be tables, each headed [[{STAGES}]]")
    changed = dict(map(change, changes))
    stages = [settings(values | each | changed, Stage, where) for each in listed]
    names = [stage.name for stage in stages]
    if len({stage.game for stage in stages}) > 1:
        raise UserError(f"{where}: the stages are of several games; make it one")
    if len(set(names)) < len(names) or any(not name.replace("-", "").isalnum() for name in names):
        raise UserError(f"{where}: the stages are called {', '.join(names)}; give each a name of letters and digits")
    for number, stage in enumerate(stages):
        _check_kind(stage, names[:number], where)
    return stages


def _check_kind(stage: Stage, before: Sequence[str], where: str) -> None:
    """UserError unless the settings fit the kind of the stage; `before` are the names of the stages before it."""
    if stage.kind not in KINDS:
        raise UserError(f"{where}: kind is {stage.kind!r}; give one of {', '.join(KINDS)}")
    if stage.kind != "ppo" and (stage.teacher or stage.rounds > 1):
        raise UserError(f"{where}: a stage of the kind {stage.kind} has neither a teacher nor rounds; {stage.name} has")
    if stage.kind != "merge" and stage.merged:
        raise UserError(f"{where}: merged is for a stage of the kind merge; {stage.name} is of the kind {stage.kind}")
    if stage.kind == "merge" and (len(set(stage.merged)) < 2 or not set(stage.merged) <= set(before)):
        raise UserError(f"{where}: {stage.name} merges {list(stage.merged)}; give two or more of {list(before)}")


def change(text: str) -> tuple[str, Any]:
    """A setting and its value, from `KEY=VALUE`; the value as in TOML, or a text without quotes."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UserError(f"--set {text}: give KEY=VALUE")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def text(stages: Sequence[Stage]) -> str:
    """Stages as `read` reads them."""
    return "\n".join(f"[[{STAGES}]]\n{settings_text(asdict(stage))}" for stage in stages)


def game_of(stages: Sequence[Stage]) -> str:
    """The game that they learn."""
    return stages[0].game


def lasting(stages: Sequence[Stage], minutes: float) -> list[Stage]:
    """The same stages, of so many minutes each."""
    return [replace(stage, minutes=minutes) for stage in stages]


def train(stages: Sequence[Stage], folder: Path, backend: str = BACKENDS[0]) -> bool:
    """Train stage after stage, going on where it was stopped; at the end the folder holds the player.

    Returns whether it came to its end: False after Ctrl-C. `backend` says where the workers of a stage are.
    """
    start = ""
    for stage in stages:
        place = folder if len(stages) == 1 else folder / stage.name
        if stage.kind == "merge":
            _merge(stage, folder, place)
        elif not _train_stage(replace(stage, start=start or stage.start), place, backend):
            return False
        start = str(place / CHECKPOINT)
    policy = policy_of(Path(start), stages[-1].game)
    if len(stages) > 1:
        write(folder / CHECKPOINT, with_policy(policy))
    export(policy, folder / PLAYER)
    return True


def _train_stage(stage: Stage, place: Path, backend: str) -> bool:
    if stage.kind == "search":
        return search.train(_only(stage, search.Config), place, backend)
    if stage.workers == stage.rounds == 1:
        return ppo.train(_only(stage, ppo.Config), place)
    return rounds.train(_only(stage, rounds.Config), place, backend)


def _merge(stage: Stage, folder: Path, place: Path) -> None:
    """Write the mean of the stages `merged` as the checkpoint of this one, unless it is there."""
    with alone(place):
        if not (place / CHECKPOINT).exists():
            policies = [load_policy(folder / name / CHECKPOINT, stage.game)[0] for name in stage.merged]
            write(place / CHECKPOINT, with_policy(average(policies)))


def _only(stage: Stage, kind: type[Any]) -> Any:
    """The settings of a stage that a learner has."""
    values: Mapping[str, Any] = vars(stage)
    return kind(**{field.name: values[field.name] for field in fields(kind)})
