"""A recipe: the stages by which a player is trained, from nothing to its file, in one TOML file.

Settings at the top are those of all stages; each `[[stages]]` has a `name`, and settings of its own. A stage begins
with the policy of the one before. A file without stages is a recipe of one stage. A setting that has no effect where it
is given is refused.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from bloodrage_agents.network import file_of
from bloodrage_env.errors import UserError
from bloodrage_env.games import FIRST

from ..workers import BACKENDS
from . import ppo, rounds, search
from .average import average
from .config import UNTAUGHT
from .config import Config as RunConfig
from .export import export, policy_of
from .learnable import learnable
from .opponents import Opponents
from .policy import load_policy
from .runs import CHECKPOINT, MAX_SEED, alone, read_toml, settings, settings_text, with_policy, write

PLAYER: Final = "player.npz"
STAGES: Final = "stages"
# The settings of each kind of stage, beside `name` and `kind`.
KINDS: Final[Mapping[str, frozenset[str]]] = {
    "ppo": frozenset(field.name for field in fields(rounds.Config)),
    "search": frozenset(field.name for field in fields(search.Config)) - {*search.UNUSED},
    "merge": frozenset({"game", "merged"}),
}
NEW_NETWORK: Final = ("start", "width", "layers")  # a later stage takes the network of the one before


@dataclass(frozen=True)
class Stage(rounds.Config, search.Config):
    """Of the kind `ppo` rounds of runs side by side; with one worker and one round, which is what the defaults say, a
    single run. A `teacher` is imitated in all of them. Of the kind `search` expert iteration, with `workers` that play.
    Of the kind `merge` the mean of the weights that the stages `merged` have come to: nothing is played.
    """

    name: str = "run"
    kind: str = "ppo"
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
    _check_stages(stages, where)
    _check_effects(values, stages, stages, where)
    _check_effects(changed, stages, stages, "--set")
    for stage, each in zip(stages, listed, strict=True):
        # A table of all of these is of a run's own file, from when that named all settings in every stage.
        if not KINDS["ppo"] <= each.keys():
            _check_effects(each, [stage], stages, where)
    used = [_used(stage, number == 0) for number, stage in enumerate(stages)]
    given = ["seed" in each and "seed" not in changed and "seed" in its for each, its in zip(listed, used, strict=True)]
    return _with_seeds([Stage(**its) for its in used], given, where)


def _check_stages(stages: Sequence[Stage], where: str) -> None:
    """UserError unless the stages can be told apart, are of one game and of kinds that there are, and merge others."""
    names = [stage.name for stage in stages]
    if len({stage.game for stage in stages}) > 1:
        raise UserError(f"{where}: the stages are of several games; make it one")
    if len(set(names)) < len(names) or any(not name.replace("-", "").isalnum() for name in names):
        raise UserError(f"{where}: the stages are called {', '.join(names)}; give each a name of letters and digits")
    for number, stage in enumerate(stages):
        before, merged = names[:number], stage.merged
        if stage.kind not in KINDS:
            raise UserError(f"{where}: kind is {stage.kind!r}; give one of {', '.join(KINDS)}")
        if stage.kind == "merge" and (len(set(merged)) < 2 or not set(merged) <= set(before)):
            raise UserError(f"{where}: {stage.name} merges {list(merged)}; give two or more of {before}")


def _belongs(name: str, stage: Stage, first: bool) -> str:
    """Where a setting has an effect, if it has none in this stage; "" if it has one."""
    kinds = [kind for kind, names in KINDS.items() if name in names]
    if kinds and stage.kind not in kinds:
        return f"a stage of the kind {' or '.join(kinds)}"
    if name in NEW_NETWORK and not first:
        return "the first stage"
    return "a stage without a teacher" if name in UNTAUGHT and stage.teacher else ""


def _used(stage: Stage, first: bool) -> dict[str, Any]:
    """The settings of a stage that have an effect."""
    return {name: value for name, value in vars(stage).items() if not _belongs(name, stage, first)}


def _check_effects(names: Iterable[str], given: Sequence[Stage], stages: Sequence[Stage], where: str) -> None:
    """UserError for a setting of these names, `given` for some of the stages, that has an effect in none of those."""
    for name in names:
        missed = [_belongs(name, stage, stage is stages[0]) for stage in given]
        if all(missed):
            said = ", ".join(stage.name for stage in given)
            raise UserError(f"{where}: {name} has no effect in {said}: it is for {missed[0]}; leave it out")


def _with_seeds(stages: Sequence[Stage], given: Sequence[bool], where: str) -> list[Stage]:
    """The stages, with seeds that follow on those of the stage before where none is `given`: each run has its own."""
    result: list[Stage] = []
    for stage, its in zip(stages, given, strict=True):
        if result and not its:
            stage = replace(stage, seed=result[-1].seed + _runs(result[-1]))
        if stage.seed + _runs(stage) - 1 > MAX_SEED:
            raise UserError(f"{where}: {stage.name} has runs of seeds beyond {MAX_SEED}; give a lower seed")
        result.append(stage)
    return result


def _runs(stage: Stage) -> int:
    """How many seeds a stage uses, from its own on."""
    return stage.workers * stage.rounds if stage.kind == "ppo" else 1


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
    used = [_used(stage, number == 0) for number, stage in enumerate(stages)]
    return "\n".join(f"[[{STAGES}]]\n{settings_text(each)}" for each in used)


def game_of(stages: Sequence[Stage]) -> str:
    """The game that they learn."""
    return stages[0].game


def lasting(stages: Sequence[Stage], minutes: float) -> list[Stage]:
    """The same stages, of so many minutes each."""
    return [replace(stage, minutes=minutes) for stage in stages]


def has_workers(stages: Sequence[Stage]) -> bool:
    """Whether a stage has tasks for workers, which may be elsewhere."""
    return any(stage.kind == "search" or (stage.kind == "ppo" and not _alone(stage)) for stage in stages)


def _alone(stage: Stage) -> bool:
    """Whether a stage of the kind `ppo` is a single run."""
    return stage.workers == stage.rounds == 1


def check(stages: Sequence[Stage], folder: Path) -> None:
    """UserError for a first policy, a teacher or an opponent of any stage that can't be used.

    Files in the folder of the run may be missing: it makes them.
    """
    for stage in stages:
        game = learnable(stage.game)
        Opponents({name: weight for name, weight in stage.opponents.items() if not _within(name, folder)}, game)
        if stage.teacher:
            policy_of(file_of(stage.teacher, stage.game), stage.game)
        if stage.start:
            policy_of(Path(stage.start), stage.game)


def _within(name: str, folder: Path) -> bool:
    return Path(name).absolute().is_relative_to(folder.absolute())


def train(stages: Sequence[Stage], folder: Path, backend: str = BACKENDS[0]) -> bool:
    """Train stage after stage, going on where it was stopped; at the end the folder holds the player.

    A stage is over once a later one has begun, whatever its settings say. Returns whether it came to its end: False
    after Ctrl-C. `backend` says where the workers of a stage are.
    """
    start = ""
    for number, stage in enumerate(stages):
        place = folder if len(stages) == 1 else folder / stage.name
        begun = any((folder / later.name).exists() for later in stages[number + 1 :])
        over = begun and (place / CHECKPOINT).exists()
        if stage.kind == "merge":
            _merge(stage, folder, place)
        elif not over and not _train_stage(replace(stage, start=start or stage.start), place, backend):
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
    if _alone(stage):
        return ppo.train(_only(stage, RunConfig), place)
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
