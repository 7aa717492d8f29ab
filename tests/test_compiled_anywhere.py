"""Where compiled functions are kept, and by which parts of numba they are made: on a tiny engine, in new processes."""

import json
import re

import pytest
from tiny_engine import NOTICE, PACKAGE, Tree, tree, warm

__all__ = ["tree", "warm"]  # fixtures

# ---- where nothing can be written

WITHOUT_TEMPORARY = "import tempfile\ntempfile._candidate_tempdir_list = lambda: []\n"
WITHOUT_HOME = """
import os, pwd
os.environ.pop("HOME", None), os.environ.pop("XDG_CACHE_HOME", None)
def getpwuid(uid):
    raise KeyError("no such user")
pwd.getpwuid = getpwuid
"""
NOWHERE = "bloodrage: compiled functions can be kept nowhere"


@pytest.mark.parametrize(
    ("numba_dir", "package", "home", "temporary"),
    [
        ("good", "blocked", "none", "none"),  # the variable alone
        ("blocked", "blocked", "good", "none"),
        ("unset", "blocked", "good", "none"),
        ("unset", "blocked", "blocked", "good"),
        ("unset", "blocked", "none", "none"),
        ("blocked", "blocked", "blocked", "none"),
    ],
)
def test_a_start_needs_no_place_to_write_to(
    tree: Tree, numba_dir: str, package: str, home: str, temporary: str
) -> None:
    """Whatever is missing or can't be written to, the engine starts; where nothing is kept, one line says so.

    A folder that can't be written to lies below a regular file, which holds for an administrator too.
    """
    variables = {}
    if numba_dir != "unset":
        variables["NUMBA_CACHE_DIR"] = str(tree.root / "numba")
    for name, how in (("numba", numba_dir), ("home", home), (f"{PACKAGE}/engine/__pycache__", package)):
        if how == "blocked":
            (tree.root / name).write_text("a file in the way of the folder")
    if package == "blocked":
        (tree.root / PACKAGE / "core/compile/__pycache__").write_text("a file in the way of the folder")
    (tree.root / "tmp").mkdir()
    if temporary == "good":
        variables["TMPDIR"] = str(tree.root / "tmp")
    without = (WITHOUT_HOME if home == "none" else "") + (WITHOUT_TEMPORARY if temporary == "none" else "")
    (tree.root / "sitecustomize.py").write_text(without)
    nothing = package == "blocked" and temporary == "none" and home != "good" and numba_dir != "good"
    for again in (False, True):
        process = tree.start("print(json.dumps(step(S, 0)))", **variables)
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert json.loads(out) == 14
        assert err.count(NOTICE) == (not again or nothing), err
        assert err.count(NOWHERE) == nothing, err
        assert len(err.splitlines()) <= 2


# ---- by the public interface of numba alone

ALL_CALLS = """
steps = [step(S, 0), step(S, np.int8(0), 3), step(S, np.True_, rules.Clan.BEAR, True), step(states=S, i=0, twice=1)]
out = np.zeros(5, np.int8)
mask(S.view(np.recarray), 1, out)
shown = S.copy(); shown.flags.writeable = False
@numba.njit
def user(states):
    return step(states, 0) + step(states, 0, 3), rules.pay(states[1], 4, 9)
calls = [
    lambda: step(S, 0, 2.9), lambda: step(S, np.float64(0)), lambda: step(S, 0, None), lambda: step(shown, 0),
    lambda: step(np.zeros(6, STATE)[::2], 0), lambda: mask(S, 0, np.zeros(4, np.uint8)), lambda: mask(S, 0, [1]),
    lambda: step(S, 0, twice=1.0), lambda: rules.pay(S[0], 1, 1), lambda: rules.oldest(S[0]),
]
errors = [error(call) for call in calls] + [error(lambda: step(S, 2**64)).split(":")[0], error(lambda: step(S))[:9]]
print(json.dumps([steps, out.tolist(), S["rage"].tolist(), user(S), S["rage"].tolist(), errors]))
"""
PUBLIC = {"BLOODRAGE_NUMBA": "public"}


@pytest.mark.slow
def test_both_paths_do_the_same(tree: Tree, warm: Tree) -> None:
    """Results, conversions and errors; what the public one has compiled is kept, and stale once a source changed."""
    wanted, _ = warm.run(ALL_CALLS)
    assert tree.run(ALL_CALLS, **PUBLIC) == (wanted, True)
    assert tree.run(ALL_CALLS, **PUBLIC) == (wanted, False)
    tree.write("engine/numbers.py", "FACTOR = 5")
    assert tree.run(**PUBLIC) == (10, True)
    assert tree.run(**PUBLIC) == (10, False)
    for path in tree.root.rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])
    assert tree.run(**PUBLIC) == (10, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        "import numba.core.codegen\ndel numba.core.codegen.JITCodeLibrary",
        "from numba.core.compiler import CompileResult as C\nold = C._reduce\nC._reduce = lambda self, *new: old(self)",
        # Of the right shape, but with another effect:
        "from numba.core.typeconv.typeconv import TypeManager as M\n"
        "M.set_safe_convert = lambda self, fromty, toty: None",
    ],
)
def test_a_numba_with_other_private_parts_is_used_by_its_public_ones(tree: Tree, fault: str) -> None:
    """It is found out before anything is compiled, once, and one line says so."""
    (tree.root / "sitecustomize.py").write_text(fault)
    process = tree.start("print(json.dumps(step(S, 0)))", BLOODRAGE_NUMBA="")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert json.loads(out) == 14
    assert err.count("can be used by its public interface alone") == 1
    assert tree.run(BLOODRAGE_NUMBA="") == (14, False)


# ---- a folder for an image or a cluster


def test_a_folder_alone_holds_everything_for_other_processes(tree: Tree) -> None:
    """What is stored elsewhere is not used, so the folder is complete; others find it by NUMBA_CACHE_DIR."""
    tree.run()
    into = tree.root / "image"
    alone = (
        f"from bloodrage_env.core.compile import kept\nfrom pathlib import Path\nkept.keep_alone(Path({str(into)!r}))\n"
    )
    call = "print(json.dumps(step(S, 0)))"
    assert tree.run(alone + call) == (14, True)
    assert tree.run(alone + call) == (14, False)
    for file in tree.root.glob("bloodrage_env/*/__pycache__/*.nb*"):
        file.unlink()
    assert tree.run(call, NUMBA_CACHE_DIR=str(into)) == (14, False)
    assert tree.run(call) == (14, True)


def test_progress_outside_a_terminal(tree: Tree) -> None:
    """A log shows that compiling goes on."""
    slow = "from bloodrage_env.core.compile import building\nbuilding.PAUSE = 0.0\n"
    process = tree.start(slow + "print(step(S, 0))")
    _, err = process.communicate()
    assert process.returncode == 0
    assert re.search(r"^bloodrage: compiled \d of \d functions after \d+ s \.\.\.$", err, re.MULTILINE)
