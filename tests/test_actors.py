"""Rollouts of the learner in other processes: with the results of threads, whatever happens to a process."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from pool_here import DeadlyPool, Here
from run_content import same
from small_ppo import SHORT

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_training.learn import actors, ppo
from bloodrage_training.learn.actors import Packed
from bloodrage_training.learn.config import Imitation
from bloodrage_training.learn.policy import load_policy
from bloodrage_training.learn.tables import part_of
from bloodrage_training.tasks import Died, Event, Refused, Result, Task

BRIEF = dataclasses.replace(SHORT, decisions=2500, evaluate_every=2)
ACTORS = dataclasses.replace(BRIEF, actors=2)


def content(folder: Path) -> dict[str, object]:
    """A checkpoint, times aside."""
    kept = load_policy(folder / "checkpoint.pt", "bloodrage")[1]
    kept["progress"].pop("seconds")
    return kept


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Actors are in this process."""
    monkeypatch.setattr(actors, "make_pool", lambda backend, size: Here(size))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a run by actors ends with."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(actors, "make_pool", lambda backend, size: Here(size))
        assert ppo.train(ACTORS, folder)
    return content(folder)


@pytest.mark.parametrize("rows", [torch.zeros(3, 5), torch.tensor([[0, 7, 0], [0, 0, 255]], dtype=torch.uint8)])
def test_rows_are_packed_without_zeros(rows: torch.Tensor) -> None:
    packed = Packed.of(rows)
    found = torch.full_like(rows, 3)
    packed.unpack(found)
    assert torch.equal(found, rows)
    assert len(packed.values) == int((rows != 0).sum())


def test_actors_play_what_threads_play(
    whole: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the policy before the last update."""
    monkeypatch.setattr(ppo, "ahead", lambda device: True)
    assert ppo.train(BRIEF, tmp_path / "threads")
    assert same(whole, content(tmp_path / "threads"))


def test_imitation_by_actors(here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = {
        field.name: getattr(ACTORS, field.name) for field in dataclasses.fields(Imitation) if field.name != "teacher"
    }
    config = Imitation(**shared | {"decisions": 1500})
    assert ppo.train(config, tmp_path / "actors")
    monkeypatch.setattr(ppo, "ahead", lambda device: True)
    assert ppo.train(dataclasses.replace(config, actors=0), tmp_path / "threads")
    assert same(content(tmp_path / "actors"), content(tmp_path / "threads"))


def test_a_stopped_run_goes_on_as_if_it_had_not_been(here: None, whole: dict[str, object], tmp_path: Path) -> None:
    assert ppo.train(ACTORS, tmp_path / "parts", until=1500)
    assert ppo.train(ACTORS, tmp_path / "parts")
    assert same(whole, content(tmp_path / "parts"))


class Forgetful(Here):
    """A pool whose workers die, one after the other: of every third task nothing comes."""

    number = 0

    def submit(self, number: int, task: Task, *arguments: object) -> None:
        Forgetful.number += 1
        if Forgetful.number % 3 == 0:
            self.waiting.append(Died(number, "killed", True))
        else:
            super().submit(number, task, *arguments)


def test_workers_that_die_change_nothing(
    whole: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often in a run: attempts are counted for each rollout."""
    monkeypatch.setattr(actors, "make_pool", lambda backend, size: Forgetful(size))
    assert ppo.train(ACTORS, tmp_path / "deaths")
    assert Forgetful.number > 12
    assert same(whole, content(tmp_path / "deaths"))


class Refusing(DeadlyPool):
    """A pool for several tasks of which the last one is reported."""

    def idle(self) -> bool:
        return True

    def events(self, timeout: float) -> list[Event]:
        return [] if self.number is None else [self.kind(part, *self.facts) for part in range(2)]


@pytest.mark.parametrize("kind", [Refused, Died])
def test_a_part_that_fails_ends_the_run_with_one_line(
    kind: type[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actors, "make_pool", lambda backend, size: Refusing(kind, "it can't be"))
    with pytest.raises(UserError, match=r"^a worker failed: it can't be"):
        ppo.train(ACTORS, tmp_path / "run")


@pytest.mark.slow
def test_processes_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = dataclasses.replace(ACTORS, decisions=1500)
    assert ppo.train(config, tmp_path / "processes")
    monkeypatch.setattr(actors, "make_pool", lambda backend, size: Here(size))
    assert ppo.train(config, tmp_path / "here")
    assert same(content(tmp_path / "processes"), content(tmp_path / "here"))


def test_the_runs_of_a_round_have_no_actors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "rounds.toml"
    recipe.write_text('[[stages]]\nname = "one"\nkind = "rounds"\nactors = 2\n')
    assert main(["train", str(recipe), "--out", str(tmp_path / "run")]) == 1
    assert "leave actors out" in capsys.readouterr().err


def test_a_result_holds_what_a_learner_needs(here: None) -> None:
    """Bits and elements that are not zero: a tenth of the rows."""
    tables = [part_of(ACTORS, part) for part in range(2)]
    policy = ppo.Policy(SHORT.width, SHORT.layers, SHORT.game)
    weights = {name: each.detach().numpy() for name, each in policy.state_dict().items()}
    (played,) = actors.rollout(ppo.play, ACTORS, 0, 0, tables[0].state(), weights)
    rows = len(played.columns["actions"])
    size = sum(each.bits.nbytes + each.values.nbytes for each in played.inputs)
    dense = policy.net.sizes.observation + 4 * (policy.net.num_inputs - policy.net.sizes.observation)
    assert rows > 50
    assert size < 0.2 * rows * dense
    assert isinstance(Result(0, played).value.columns["known"], np.ndarray)
