"""`bloodrage examples`: what it copies is what a wheel contains, and recipes find their policies there."""

import argparse
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from project_files import ROOT, files

from bloodrage_env.errors import UserError
from bloodrage_training import examples
from bloodrage_training.learn import recipe
from bloodrage_training.learn.named_files import check_policies, policies_of

WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["data-files"]


def copy(folder: Path) -> int:
    parser = argparse.ArgumentParser()
    examples.add_arguments(parser)
    return examples.run(parser.parse_args([str(folder)]))


def copied(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_copies_what_a_wheel_contains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert copy(tmp_path) == 0
    found = copied(tmp_path)
    listed = {path for patterns in WHEEL.values() for path in files(*patterns)}
    assert found == {str(path.relative_to(ROOT)): path.read_bytes() for path in listed}
    for folder, patterns in WHEEL.items():
        assert {f"share/bloodrage/{Path(each).parent}" for each in patterns} == {folder}
    assert capsys.readouterr().out == f"wrote {len(found)} files: {tmp_path}/training\n"
    for path in files("training/examples/*.py", "training/examples/*.txt", "training/configs/*"):
        assert str(path.relative_to(ROOT)) in found


def test_the_files_of_a_wheel_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are found by the list of installed files, wherever `share` is."""
    file = tmp_path / "there" / "share" / "bloodrage" / "training" / "examples" / "a.py"
    file.parent.mkdir(parents=True)
    file.write_text("1")

    class Listed(metadata.PackagePath):
        def locate(self) -> Path:
            return file

    class Wheel:
        files = (
            Listed("bloodrage_env/cli.py"),
            Listed("../../share/bloodrage/training/examples/a.py"),
            Listed("../../share/bloodrage/training/examples/__pycache__/a.cpython-311.pyc"),  # which pip makes
        )

    monkeypatch.setattr(examples, "TRAINING", tmp_path / "site-packages")
    monkeypatch.setattr(examples, "distribution", lambda name: Wheel)
    assert copy(tmp_path / "here") == 0
    assert copied(tmp_path / "here") == {"training/examples/a.py": b"1"}


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "training").mkdir()
    with pytest.raises(UserError, match="exists already; name another folder"):
        copy(tmp_path)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"can't write into .*file: Not a directory"):
        copy(tmp_path / "file")


def test_copied_recipes_may_name_copied_policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy(tmp_path)
    monkeypatch.chdir(tmp_path)
    named = set()
    for path in sorted(Path("training/configs").glob("*.toml")):
        game = tomllib.loads(path.read_text(encoding="utf-8")).get("game", "bloodrage")
        stages = recipe.read(path, game=game)
        found = {each for stage in stages.values() for each in policies_of(vars(stage))}
        check_policies(found, path, Path("runs", path.stem), ())
        named |= {each for each in found if not each.startswith("runs/")}  # which the run itself writes
    assert named
    assert [each for each in named if not Path(each).is_file()] == []
    with pytest.raises(UserError, match="--allow"):
        check_policies(["other.npz"], Path("training/configs/league.toml"), tmp_path / "run", ())
