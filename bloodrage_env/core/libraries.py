"""What becomes of compiled functions: machine code of those that Python calls, and of those that many of them share.

numba links the LLVM code of every function that a function calls into it, optimises the whole, and makes machine code
of it: at each level of calls again, for functions that nobody calls but those above. Here the code of a rule is
optimised alone and waits; an entry links all rules below it at once. What several entries need and is large is shared:
compiled once, and called.

These are private parts of numba, as in `compiled.py`.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from numba.core import config
from numba.core.codegen import JITCodeLibrary


class RuleLibrary(JITCodeLibrary):
    """The code of a rule: linked into that of others and never run alone, so that no machine code is made of it."""

    def finalize(self) -> None:
        """Optimise the rule alone; what it calls is linked with it where it is needed."""
        self._optimize_final_module()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None, since there is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """What numba asks to note the environment of a function that Python calls: a rule needs none."""
        return _NO_ENVIRONMENT


class _NoEnvironment:
    def set_env(self, env_name: str, env: object) -> None:
        """Note nothing."""


_NO_ENVIRONMENT = _NoEnvironment()


class EntryLibrary(JITCodeLibrary):
    """The code of an entry or a shared rule, with all rules below it: whatever it calls but what is shared."""

    key = ""  # of a shared rule, by which `compile_cache` finds it
    symbol = ""  # of a shared rule: the name of its machine code
    shared: frozenset["EntryLibrary"] = frozenset()  # what it calls of that kind

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        below = _below(self)
        self.shared = frozenset(each for each in below if getattr(each, "symbol", ""))
        # Those that call stand before what they call: LLVM links a function in only if something calls it by then.
        self._linking_libraries = [each for each in below if each not in self.shared]
        for each in self._linking_libraries:
            self.shared |= getattr(each, "shared", frozenset())
        super().finalize()


def _below(library: EntryLibrary) -> list[JITCodeLibrary]:
    """The libraries that are to be linked into this one, each before those that it calls itself."""
    order: list[JITCodeLibrary] = []
    seen = set()

    def visit(each: JITCodeLibrary) -> None:
        if each not in seen:
            seen.add(each)
            if isinstance(each, RuleLibrary):
                for other in each._linking_libraries:
                    visit(other)
            order.append(each)

    for each in library._linking_libraries:
        visit(each)
    return order[::-1]


@contextlib.contextmanager
def compiling(codegen: Any, level: int, library: type[JITCodeLibrary]) -> Iterator[None]:
    """Have numba run LLVM at this level, and make libraries of this class, for every function that it finishes."""
    before = config.OPT, codegen._library_class
    config.OPT, codegen._library_class = type(config.OPT)(level), library
    try:
        yield
    finally:
        config.OPT, codegen._library_class = before
