"""Names of machine code that differ between processes.

numba names the machine code of a function by its qualified name, the types of its arguments and a number. The number
counts from 1 in each process. A factory such as `writer_for` makes one function for each game, so two processes that
compile two games may give both functions the same name. A third process that loads both files would then run the code
that it loaded first in both places. So the functions of this package have numbers of their own. Those of other packages
keep numba's.
"""

import contextlib
import itertools
import os
import secrets
from collections.abc import Iterator

from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_lock import global_compiler_lock

_numbers = itertools.count(secrets.randbits(48))


def _number_otherwise() -> None:
    """Number the functions that this process compiles from another random number of 48 bits on."""
    global _numbers
    _numbers = itertools.count(secrets.randbits(48))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_number_otherwise)


@contextlib.contextmanager
def numbered_apart() -> Iterator[None]:
    """Have numba number the functions that it compiles by these numbers."""
    with global_compiler_lock:
        before = getattr(FunctionIdentity, "_unique_ids", None)
        FunctionIdentity._unique_ids = _numbers
        try:
            yield
        finally:
            FunctionIdentity._unique_ids = before
