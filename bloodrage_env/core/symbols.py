"""Names of machine code that differ between processes.

numba names the machine code of a function by its qualified name, the types of its arguments and a number. The number
counts from 1 in each process. A factory such as `writer_for` makes one function for each game, so two processes that
compile two games may give both functions the same name. A third process that loads both files would then run the code
that it loaded first in both places.

The counter is private to numba. A numba that has no such class compiles all the same.
"""

import contextlib
import itertools
import os
import secrets


def count_from_a_random_number() -> None:
    """Number the functions that this process compiles from a random number of 48 bits on."""
    with contextlib.suppress(ImportError):
        from numba.core.bytecode import FunctionIdentity

        FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


count_from_a_random_number()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=count_from_a_random_number)
