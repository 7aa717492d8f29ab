"""The layer on numba: decorators, the cache on disk, and arrays and intrinsics that compiled code uses.

It uses these private parts of numba, and changes nothing of numba when it is imported:

- `numba_private.py`: dispatchers and libraries of compiled code. `_USED` names them; `numba_trial.py` tries them in a
  process of its own, once for each version. Where one is missing or behaves differently, `numba_public.py` compiles.
- `symbols.py`: the counter in the names of machine code, while a function of this package is compiled.
- `apart.py`, `borrowed.py`, `local_arrays.py`, `memory_copies.py`, `prefetch.py`: the fields of an array in LLVM code,
  by the public decorator `numba.extending.intrinsic`.
- `cuda.py`: the typing of numba-cuda, which learns the rules once a GPU is used.
"""
