"""Games on a GPU, as far as that shows without one: in numba's simulator, and as PTX."""

import importlib.util
import os
import subprocess
import sys

import pytest
from project_files import ROOT
from toy_installed import install

from bloodrage_agents.games.bloodrage.compiled.plan import PLAN
from bloodrage_env import games, gpu
from bloodrage_env.cli import main
from bloodrage_env.errors import MissingPackageError, UserError
from bloodrage_env.games.bloodrage.engine.dealing.groups import DEAL

GAMES = ["bloodrage", "berserk", "berserk_team", "berserk_laar"]
SIMULATED = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
needs_numba_cuda = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is missing")


def run(module: str, *arguments: str, **variables: str) -> str:
    """What a module of the tests prints."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return done.stdout


@needs_numba_cuda
@pytest.mark.parametrize("game", GAMES)
def test_kernels_play_the_games_of_the_cpu(game):
    found = run("tests.gpu_equality", game, "2", "2", "28", **SIMULATED)
    assert (
        "no difference; 112 decisions, 8 redeals, 8 choices, 0 different choices, 0 different inputs, 8 worlds" in found
    )


@needs_numba_cuda
def test_a_redeal_refuses_seats_and_seeds_out_of_range(tmp_path):
    install(tmp_path)
    code = (
        "from bloodrage_env.gpu import GpuGames\n"
        "games = GpuGames(2, 3, game='toy'); games.reset(); before = games.states.tobytes()\n"
        "for seats, seeds in ([0, 3], [1, 1]), ([-1, 0], [1, 1]), ([0, 2], [1, -1]), ([0, 2], [1, 1]):\n"
        "    try: games.redeal(seats, seeds)\n"
        "    except ValueError as error: print(error, games.states.tobytes() == before)"
    )
    paths = os.pathsep.join(map(str, (tmp_path, ROOT / "tests")))
    variables = os.environ | SIMULATED | {"PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    wrong = "out of range; give a seat of its players True"
    assert done.stdout.splitlines() == [
        f"seat {seat} or seed {seed} of game {game} is {wrong}"
        for seat, seed, game in ((3, 1, 1), (-1, 1, 0), (2, -1, 1))
    ], done.stderr


@needs_numba_cuda
def test_kernels_play_a_game_of_another_package(tmp_path):
    install(tmp_path)
    paths = os.pathsep.join(map(str, (tmp_path, ROOT / "tests")))
    assert "no difference" in run("tests.gpu_equality", "toy", "4", "2", "60", **SIMULATED, PYTHONPATH=paths)


@needs_numba_cuda
def test_the_learner_plays_the_same_games_on_either_device(tmp_path):
    install(tmp_path)
    paths = os.pathsep.join(map(str, (tmp_path, ROOT / "tests")))
    assert "no difference" in run("tests.gpu_rollout", "toy", **SIMULATED, PYTHONPATH=paths)


@needs_numba_cuda
@pytest.mark.slow
@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_the_learner_plays_the_same_games_with_styles(game):
    assert "no difference" in run("tests.gpu_rollout", game, **SIMULATED)


@needs_numba_cuda
def test_searches_of_either_device_have_the_same_results_and_a_policy_learns_from_them(tmp_path):
    install(tmp_path)
    paths = os.pathsep.join(map(str, (tmp_path, ROOT / "tests")))
    found = run("tests.gpu_search", "toy", "whole", **SIMULATED, PYTHONPATH=paths).splitlines()
    assert found[0] == "toy: 36 decisions, no difference"
    assert found[1].startswith("6 positions without searches, no difference; ")
    assert found[2] == "learned"


@needs_numba_cuda
@pytest.mark.slow
@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_searches_of_either_device_have_the_same_results(game):
    assert "no difference" in run("tests.gpu_search", game, **SIMULATED)


@needs_numba_cuda
@pytest.mark.slow
def test_values_for_the_regret_are_those_of_simulations_on_the_cpu():
    assert run("tests.gpu_regret", **SIMULATED) == "3 decisions, no difference\n"


@needs_numba_cuda
def test_the_example_plays_with_arrays_that_the_games_share(tmp_path):
    install(tmp_path)
    code = (  # PyTorch for the CPU, which takes the arrays of the simulator and leaves tensors where they are
        "import torch; from torch_gpu import play\n"
        "torch.as_tensor = lambda array, device: torch.from_numpy(array._ary)\n"
        "torch.cuda.synchronize = lambda: None\n"
        "for kind in torch.nn.Module, torch.Tensor:\n"
        "    kind.to = lambda self, device, dtype, *_, to=kind.to: to(self, dtype)\n"
        "print(play(3, 8, 'toy') > 0)"
    )
    paths = os.pathsep.join(map(str, (tmp_path, ROOT / "tests", ROOT / "training" / "examples")))
    variables = os.environ | SIMULATED | {"PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr


@needs_numba_cuda
def test_bench_has_a_table_for_a_gpu(tmp_path):
    install(tmp_path)
    code = (
        "from bloodrage_env.commands import measures; from bloodrage_training.learn import gpu_measures;"
        "from bloodrage_env.cli import main; gpu_measures.SIZES, gpu_measures.WARM_UP = (2, 3), 2;"
        "measures.QUICK, measures.SHORTEST = measures.Effort(1, 1, 1), 1e-4;"
        "main(['bench', '--gpu', '--quick', '--game', 'toy'])"
    )
    paths = os.pathsep.join(map(str, (tmp_path, ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | SIMULATED | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines if line[0] != " "] == [
        f"{size} games, masks, random actions" for size in (2, 3)
    ]
    assert all("decisions/s" in line and "bytes each" in line for line in lines)
    assert len(lines) == 4


@needs_numba_cuda
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_kernels_play_whole_games(game):
    assert "0 different choices, 0 different inputs" in run("tests.gpu_equality", game, "4", "2", "400", **SIMULATED)


@needs_numba_cuda
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_kernels_compile_for_a_gpu_and_allocate_nothing(game):
    lines = [line.split() for line in run("tests.gpu_ptx", game).splitlines()]
    assert len(lines) == 14
    assert [line[2:] for line in lines] == [[]] * 14


def test_a_batch_without_numba_cuda_names_the_extra(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingPackageError, match="extra gpu"):
        gpu.GpuGames(2)


@needs_numba_cuda
def test_a_batch_without_a_device_says_so():
    with pytest.raises(UserError, match=r"there is no CUDA device: \w"):
        gpu.GpuGames(2)


@needs_numba_cuda
def test_bench_without_a_device_says_so(capsys):
    assert main(["bench", "--gpu"]) == 1
    assert capsys.readouterr().err.startswith("bloodrage bench: there is no CUDA device: ")


@pytest.mark.parametrize(
    "records", [*(games.game(each).state for each in GAMES), DEAL, PLAN], ids=[*GAMES, "deal", "plan"]
)
def test_fields_of_records_are_aligned_as_a_gpu_requires(records):
    for name in records.names:
        dtype, offset = records.fields[name][:2]
        assert offset % dtype.base.itemsize == records.itemsize % dtype.base.itemsize == 0, name
