"""The decorators of the engine and what is kept of compiled functions, on a tiny engine, each time in a new process."""

import os

import pytest
from tiny_engine import CORE, TINY_ENGINE, Tree, finish, tree, warm

__all__ = ["tree", "warm"]  # fixtures
STAMPS = (CORE / "compile" / "stamps.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_compiled_code_elsewhere_is_stale_once_any_compiled_source_below_it_changed(tree: Tree) -> None:
    """What it imports counts, directly or not, whatever package it lies in; a neighbour does not."""

    def put(name: str, text: str) -> None:
        (tree.root / name).parent.mkdir(exist_ok=True)
        (tree.root / name).write_text(text, encoding="utf-8")

    head = "from bloodrage_env.core.compile.decorators import entry, rule\n"
    head += "from bloodrage_env.engine.state import States\n"
    put("below/price.py", head + "from .tables import PRICE\n@rule\ndef price() -> int:\n    return PRICE\n")
    put("below/tables.py", "PRICE = 3")
    put("aside/tables.py", "PRICE = 3")
    use = "from below.price import price\n@entry\ndef look(states: States) -> int:\n    return price() + len(states)\n"
    put("above/use.py", head + use)
    code = "from above.use import look\nprint(json.dumps(look(S)))"
    assert tree.run(code) == (6, True)
    assert tree.run(code) == (6, False)
    put("aside/tables.py", "PRICE = 4")
    assert tree.run(code) == (6, False)
    put("below/tables.py", "PRICE = 5")
    assert tree.run(code) == (8, True)
    put("above/other.py", "")
    assert tree.run(code) == (8, False)


@pytest.mark.slow
def test_functions_of_one_factory_stay_apart_whichever_processes_compiled_them(tree: Tree) -> None:
    """numba numbers functions from 1 in each process: two of a factory, of the same types, would have one name."""

    def put(name: str, text: str) -> None:
        (tree.root / name).parent.mkdir(exist_ok=True)
        (tree.root / name).write_text(text, encoding="utf-8")

    tree.run()
    # Long and called twice, so that it is not inlined.
    steps = "".join(f"        values[{k}] = values[{k + 1}] // {k + 2} * factor\n" for k in range(60))
    factory = "from bloodrage_env.core.compile.decorators import Ints, rule\ndef filled_for(factor):\n    @rule\n"
    factory += f"    def filled(values: Ints) -> int:\n{steps}        return factor\n    return filled\n"
    put("shared/factory.py", factory)
    for name, factor in (("one", 7), ("two", 11)):
        text = "from bloodrage_env.core.compile.decorators import Ints, entry\nfrom shared.factory import filled_for\n"
        text += f"filled = filled_for({factor})\n@entry\ndef call(values: Ints) -> int:\n"
        put(f"{name}/use.py", f"{text}    return filled(values) + filled(values)\n")
        code = f"from {name}.use import call\nprint(json.dumps(call(np.arange(61))))"
        assert tree.run(ALONE + code) == (2 * factor, True)
    both = "from one.use import call as one\nfrom two.use import call as two\nprint(json.dumps([one(V), two(V)]))"
    assert tree.run(f"V = np.arange(61)\n{both}") == ([14, 22], False)


def test_one_signature_a_function(tree: Tree) -> None:
    code = """
step(S, 0)
functions = [rules.pay, rules.both, rules.factor, step, mask, peek]
print(json.dumps([len(f.signatures) for f in functions]))
"""
    assert tree.run(code) == ([1, 1, 1, 1, 1, 1], True)


ALONE = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # no process that helps\n"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="a process can't be kept to one core here")
def test_rules_are_optimised_less_than_entries_and_only_these_are_made_machine_code(tree: Tree) -> None:
    """A shared rule is, once, whoever calls it."""
    code = """
from numba.core import codegen, config
optimised, made = {}, []
optimise, make = codegen.CPUCodeLibrary._optimize_final_module, codegen.JITCodeLibrary._finalize_specific
def noted(library):
    optimised[library.name] = int(config.OPT)
    optimise(library)
def noted_too(library):
    made.append(library.name)
    make(library)
codegen.CPUCodeLibrary._optimize_final_module = noted
codegen.JITCodeLibrary._finalize_specific = noted_too
before = config.OPT
mask(S, 0, np.zeros(4, np.int8)); peek(S, 0, 0)
assert config.OPT == before
names = "pay", "factor", "oldest", "step", "mask"
print(json.dumps([[optimised[name] for name in names], [made.count(name) for name in names]]))
"""
    assert tree.run(ALONE + code) == ([[1, 1, 3, 3, 3], [0, 0, 1, 1, 1]], True)


def test_who_calls_a_shared_rule_has_no_copy_of_it(tree: Tree) -> None:
    code = """
step(S, 0); peek(S, 0, 0)
name = rules.oldest.code.symbol
modules = [each.overloads[each.signatures[0]].library._final_module for each in (rules.oldest, step, peek)]
print(json.dumps([module.get_function(name).is_declaration for module in modules]))
"""
    assert tree.run(ALONE + code) == ([False, True, True], True)


def test_entries_are_compiled_again_when_a_shared_rule_was(tree: Tree) -> None:
    """Its machine code has another name then: a call of the old name would end the process."""
    assert tree.run() == (14, True)
    for file in tree.cached(".nbc"):
        if ".oldest-" in file.name:
            file.unlink()
    more = """
@decorators.rule
def first(s: State) -> int:
    return 1
first.dispatcher
rules.oldest.settle()
"""
    assert tree.run(more + "print(json.dumps(peek(S, 0, 0)))") == (0, True)
    assert tree.run() == (14, False)
    assert tree.run("print(json.dumps(peek(S, 0, 0)))") == (0, False)


@pytest.mark.slow
def test_an_entry_has_one_version_where_a_shared_rule_is_missing(tree: Tree) -> None:
    """The rule is compiled while the entry is loaded, and all entries with it, the entry itself included."""
    assert tree.run() == (14, True)
    for file in tree.cached(".nbc"):
        if ".oldest-" in file.name:
            file.unlink()
    counts = "[len(each.overloads) for each in (step, peek, rules.oldest)]"
    assert tree.run(f"print(json.dumps([step(S, 0), peek(S, 0, 0), {counts}]))") == ([14, 0, [1, 1, 1]], True)


@pytest.mark.slow
def test_packages_with_the_same_sources_stay_apart(tree: Tree) -> None:
    """A mode of a game is a package whose modules are those of the game: neither makes the files of the other stale."""
    tree.write("mode/__init__.py", 'from pathlib import Path\n__path__ = [str(Path(__file__).parents[1] / "engine")]\n')
    mode = "from bloodrage_env.mode.play import step\nprint(json.dumps(step(S, 0)))"
    assert tree.run() == (14, True)
    assert tree.run(mode) == (14, True)
    assert tree.run() == (14, False)
    assert tree.run(mode) == (14, False)


def test_a_second_process_compiles_nothing(warm: Tree) -> None:
    assert warm.run("step(S, 0); print(decorators.compile_all())") == (4, False)


def test_numba_is_as_it_was_for_other_functions(tree: Tree) -> None:
    """Only the functions of this package have numbers of their own in the names of machine code."""
    code = "from numba.core.bytecode import FunctionIdentity as F\nstep(S, 0)\nprint(next(F._unique_ids))"
    number, compiled = tree.run(code)
    assert compiled
    assert isinstance(number, int)
    assert number < 1_000_000


def test_what_is_to_be_compiled_along_is_there_afterwards(tree: Tree) -> None:
    """One wait for a user, whichever command comes first."""
    tree.write(
        "more.py",
        TINY_ENGINE["engine/play.py"]
        .split("@quick_entry")[0]
        .replace("..core", ".core")
        .replace("from .", "from .engine.")
        .replace(".engine.core", ".core")
        .replace("def step", "def more"),
    )
    along = "decorators.compile_with(lambda: __import__('bloodrage_env.more'))\n"
    use = "from bloodrage_env.more import more\nprint(json.dumps(more(S, 0)))"
    assert tree.run(along + "print(json.dumps(step(S, 0)))") == (14, True)
    assert tree.run(use) == (14, False)


def test_arguments_are_converted_and_defaults_filled_in(warm: Tree) -> None:
    code = """
one = [1, np.int8(1), np.uint64(1), np.True_, rules.Clan(0) + 1, rules.Law.ONE]
results = [step(S, 0, n) for n in one] + [step(states=S, i=0, rage=1), step(S, 0), step(S, 0, twice=1)]
mask(S.view(np.recarray), -1, np.zeros(5, np.int8))
print(json.dumps([results, [len(f.signatures) for f in (step, mask)], S["rage"].tolist()]))
"""
    results = [7] * 7 + [14, 16]
    assert warm.run(code) == ([results, [1, 1], [[2, 9, 0, 10, 0], [0] * 5, [0, 1, 0, 1, 0]]], False)


def test_other_compiled_code_calls_entries_and_rules(warm: Tree) -> None:
    code = """
@numba.njit
def user(states):
    steps = step(states, 0) + step(states, np.int8(0), 3) + step(states, 0, 3, True)
    return steps, rules.pay(states[1], 4, 9)
print(json.dumps([user(S), len(step.signatures), len(rules.pay.signatures)]))
"""
    assert warm.run(code) == ([[14 + 21 + 24, 9], 1, 1], False)


def test_errors_are_short(warm: Tree) -> None:
    code = """
@decorators.rule
def wrong(s: State) -> int:
    return s.mead
@numba.njit
def asks(states):
    return wrong(states[0])
@decorators.rule
def untyped(s, i: int) -> int:
    return i
@numba.njit
def asks_untyped(states):
    return untyped(states[0], 1)
calls = [
    lambda: step(np.zeros(3), 0), lambda: step(S, 0), lambda: step(np.zeros(3), 0),
    lambda: rules.pay(S[0], 1, 1), lambda: rules.oldest(S[0]), lambda: peek(S, "one", 2), lambda: step(S),
    lambda: asks(S), lambda: asks_untyped(S),
]
print(json.dumps([error(call) for call in calls]))
"""
    errors, _ = warm.run(code)
    assert isinstance(errors, list)
    first, fine, again, a_rule, shared, text, too_few, typing, untyped = errors
    assert first == again
    wanted = "TypeError: step: states must be a writable C-contiguous array of games with 1 dimension"
    assert first == f"{wanted}, not one of float64 with 1 dimension"
    assert fine == "no error: 14"
    assert a_rule == "TypeError: pay is a rule: call it from an @entry, or set NUMBA_DISABLE_JIT=1"
    assert shared == "TypeError: oldest is a rule: call it from an @entry, or set NUMBA_DISABLE_JIT=1"
    assert text == "TypeError: peek: i must be a whole number, not 'one' (str)"
    assert too_few.startswith("TypeError: not enough arguments")
    assert "mead" in typing
    assert "Record" not in typing
    assert "untyped: no numba type for 'no annotation'" in untyped


def test_arguments_of_another_type_are_refused_by_name(warm: Tree) -> None:
    """numba itself would cut a float to an integer; nor may a call that fails make another one possible."""
    code = """
shown = S.copy(); shown.flags.writeable = False
calls = [
    lambda: step(S, 0, 2.9), lambda: step(S, np.float64(0)), lambda: step(S, 0, None), lambda: step(S, 0, 2, 1.0),
    lambda: step(shown, 0), lambda: step(np.zeros(6, STATE)[::2], 0), lambda: step(S[None], 0),
    lambda: mask(S, 0, np.zeros(4, np.uint8)), lambda: mask(S, 0, [1]), lambda: step(S, 0, rage=2.5),
    lambda: step(S, 2**64), lambda: step(S, 0, np.uint64(2**63)),
]
print(json.dumps([error(call) for call in calls * 2]))
"""
    errors, _ = warm.run(code)
    assert isinstance(errors, list)
    assert errors[:12] == errors[12:]
    games = "states must be a writable C-contiguous array of games with 1 dimension, not one of games with"
    numbers = "out must be a writable C-contiguous array of int8 with 1 dimension"
    assert errors[:10] == [
        f"TypeError: {line}"
        for line in (
            "step: rage must be a whole number, not 2.9 (float)",
            "step: i must be a whole number, not np.float64(0.0) (float64)",
            "step: rage must be a whole number, not None (NoneType)",
            "step: twice must be true or false, not 1.0 (float)",
            f"step: {games} 1 dimension, read-only",
            f"step: {games} 1 dimension, not C-contiguous",
            f"step: {games} 2 dimensions",
            f"mask: {numbers}, not one of uint8 with 1 dimension",
            f"mask: {numbers}, not [1] (list)",
            "step: rage must be a whole number, not 2.5 (float)",
        )
    ]
    assert [each.split(":")[0] for each in errors[10:12]] == ["OverflowError"] * 2


def test_without_jit_the_functions_are_plain(tree: Tree) -> None:
    code = """
kinds = [type(f).__name__ for f in (rules.pay, step, mask)]
print(json.dumps([kinds, int(step(S, 0, twice=True)), decorators.compile_all()]))
"""
    assert tree.run(code, NUMBA_DISABLE_JIT="1") == ([["function"] * 3, 16, 0], False)


@pytest.mark.slow
def test_any_source_of_the_engine_recompiles(tree: Tree) -> None:
    assert tree.run() == (14, True)
    tree.write("env.py", "# no part of what is compiled")
    tree.write("engine/unused.py", "FACTOR = 9")
    assert tree.run() == (14, False)
    for name, text, result in (
        ("engine/table.csv", "name,price,", 14),
        ("core/compile/stamps.py", STAMPS + "# changed", 14),
        ("engine/numbers.py", "FACTOR = 5", 10),
    ):
        tree.write(name, text)
        assert tree.run() == (result, True)
    assert tree.run() == (10, False)


@pytest.mark.slow
def test_a_damaged_file_is_compiled_again(tree: Tree) -> None:
    tree.run()
    for keep in (0, 0.5):
        assert len(tree.cached(".nbc")) == 4
        for path in tree.cached(".nbc"):
            content = path.read_bytes()
            path.write_bytes(content[: int(len(content) * keep)])
        assert tree.run() == (14, True)
    assert tree.run() == (14, False)


@pytest.mark.slow
def test_processes_that_start_together_compile_once(tree: Tree) -> None:
    other_order = "out = np.zeros(9, np.int8); mask(S, 0, out); print(json.dumps(step(S, 0)))"
    starts = [tree.start("print(json.dumps(step(S, 0)))"), tree.start(other_order), tree.start(other_order)]
    results = [finish(process) for process in starts]
    assert [value for value, _ in results] == [14, 14, 14]
    assert sum(compiled for _, compiled in results) == 1


@pytest.mark.slow
def test_the_checked_build_lives_beside_the_unchecked(tree: Tree) -> None:
    peek = "print(json.dumps(error(lambda: peek(S, 1, 99))))"
    outside = "IndexError: index is out of bounds"
    assert tree.run() == (14, True)
    assert tree.run(peek, NUMBA_BOUNDSCHECK="1") == (outside, True)
    assert tree.run() == (14, False)
    assert tree.run(peek, NUMBA_BOUNDSCHECK="1") == (outside, False)
