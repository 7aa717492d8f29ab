"""Records are copied as memory: all bytes of one element of an array, and no other ones."""

import ast
from pathlib import Path

import numpy as np
import pytest

import bloodrage_agents
import bloodrage_env
from bloodrage_env.core.compile.decorators import Compiler, Records
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.games.berserk import engine as berserk
from bloodrage_env.games.bloodrage import engine as bloodrage

RECORDS = {name + more for name in ("State", "Record", "Deal", "Plan") for more in ("", "s")}
SOURCES = [path for package in (bloodrage_env, bloodrage_agents) for path in Path(package.__path__[0]).rglob("*.py")]


@pytest.mark.parametrize("state", [bloodrage.STATE, berserk.STATE])
def test_a_copy_fills_one_element(state):
    compiler = Compiler("memory_copies", state)

    @compiler.entry
    def copy(states: Records, index: int, source: Records) -> None:
        copy_record(states, index, source[0])

    rng = np.random.default_rng(1)
    states, other = (np.frombuffer(bytearray(rng.bytes(state.itemsize * size)), state) for size in (3, 1))
    wanted = states.copy()
    wanted[1] = other[0]
    copy(states, 1, other)
    for name in state.names:
        np.testing.assert_array_equal(states[name], wanted[name])


def names_of_records(function: ast.FunctionDef) -> set[str]:
    """The arguments of a function that are records, or arrays of them."""
    hints = {each.arg: each.annotation for each in function.args.args}
    return {name for name, hint in hints.items() if isinstance(hint, ast.Name) and hint.id in RECORDS}


def assigned(source: str) -> list[int]:
    """The lines that assign a record to an element of an array."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            records = names_of_records(function)
            for line in ast.walk(function):
                if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Subscript):
                    value = line.value.value if isinstance(line.value, ast.Subscript) else line.value
                    if isinstance(value, ast.Name) and value.id in records:
                        found.append(line.lineno)
    return found


def test_no_record_is_assigned_byte_by_byte():
    """numba compiles such an assignment to a load and a store of each byte, which can be slow to compile and to run."""
    assert assigned("def f(s: State, t: States):\n    x = t[0]\n    t[0] = s\n    t[1] = t[0]\n") == [3, 4]
    assert {str(path): lines for path in SOURCES if (lines := assigned(path.read_text()))} == {}
