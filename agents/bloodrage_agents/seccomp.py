"""A filter of Linux's seccomp for the system calls of a plug-in. It needs no privileges.

The filter lists the calls that Python, NumPy, numba and PyTorch need to compute and to read files. All others fail with
EPERM. With it a process cannot start other processes, open sockets or pipes, change files, or learn anything of another
process: no call takes the number of one, and a wait in memory ends by the process itself. It cannot use memory that the
limit on its data does not count, nor query statistics of the system, its own page faults included.

A filter does not see paths, and Python needs `stat`, so a plug-in can query the size and times of any path. What two
plug-ins can still tell each other is in docs/tournaments.md.
"""

import ctypes
import errno
import os
import platform
import struct
from typing import Final

_ALLOW: Final = 0x7FFF0000
_FAIL: Final = 0x00050000  # with an errno in the low bits
# Instructions of the filter: load a word, and with a constant, return a constant, jump if equal, not below, or if any
# of these bits is set.
_LOAD, _AND, _RETURN, _EQUAL, _AT_LEAST, _ANY = 0x20, 0x54, 0x06, 0x15, 0x35, 0x45
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets of what a filter is shown
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

# Numbers of system calls, and the identifier of the machine in a filter.
_MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_NONE: Final = -1
_ALLOWED: Final = {
    # memory and threads
    "brk": (12, 214), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216),
    "set_tid_address": (218, 96), "set_robust_list": (273, 99), "rseq": (334, 293), "arch_prctl": (158, _NONE),
    "sched_yield": (24, 124), "getcpu": (309, 168), "exit": (60, 93), "exit_group": (231, 94),
    # reading files, and writing to what is open
    "open": (2, _NONE), "openat": (257, 56), "openat2": (437, 437), "close": (3, 57), "close_range": (436, 436),
    "read": (0, 63), "readv": (19, 65), "pread64": (17, 67), "preadv": (295, 69), "lseek": (8, 62),
    "write": (1, 64), "writev": (20, 66), "dup": (32, 23), "dup2": (33, _NONE), "dup3": (292, 24),
    "stat": (4, _NONE), "fstat": (5, 80), "lstat": (6, _NONE), "newfstatat": (262, 79), "statx": (332, 291),
    "access": (21, _NONE), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, _NONE), "readlinkat": (267, 78), "getdents": (78, _NONE), "getdents64": (217, 61),
    "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50),
    # signals of its own, time and waiting
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "alarm": (37, _NONE), "getitimer": (36, 102), "setitimer": (38, 103),
    "poll": (7, _NONE), "ppoll": (271, 73), "select": (23, _NONE), "pselect6": (270, 72), "nanosleep": (35, 101),
    "time": (201, _NONE), "gettimeofday": (96, 169), "times": (100, 153),
    # who it is, and chance
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getpgrp": (111, _NONE),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getgroups": (115, 158), "getrlimit": (97, 163),
    "uname": (63, 160), "getrandom": (318, 278),
}  # fmt: skip
# Calls that are allowed with some arguments.
_CLONE, _MMAP, _MADVISE, _FCNTL, _IOCTL = (56, 220), (9, 222), (28, 233), (72, 25), (16, 29)
_KILL, _TGKILL, _PRLIMIT, _GETAFFINITY, _FUTEX = (62, 129), (234, 131), (302, 261), (204, 123), (202, 98)
_CLOCKS: Final = ((228, 113), (229, 114), (230, 115))  # clock_gettime, clock_getres, clock_nanosleep
_CLONE3: Final = (435, 435)
_UNKNOWN: Final = 448  # from here on calls are newer than this list, and the C library does without
_CLONE_THREAD: Final = 0x10000
_SHARED_ANONYMOUS: Final = 0x21  # flags of mmap
_ADVICE: Final = (4, 8, 14, 15)  # not needed any more, and the size of pages: what allocators say
_COMMANDS: Final = (0, 1, 2, 3, 4, 1030)  # of fcntl: duplicate, and the flags: no locks, leases or signals
_REQUESTS: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # terminal? bytes to read, blocking, inherited
_NUM_CLOCKS: Final = 12  # of the system and of the process itself; those of other processes have negative numbers
# Operations of futex: to wait, to wake and to requeue within the process. Others find a process that has the same file
# in memory. The C library waits for the end of a thread by one of these: it asks again after EAGAIN.
_PRIVATE: Final = tuple(128 | each for each in (0, 1, 3, 4, 5, 9, 10))
_WAITS: Final = (0, 9)
_FLAGS: Final = 0xFF  # without the choice of a clock

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant
_PASS: Final[Instruction] = (_RETURN, 0, 0, _ALLOW)
_REFUSE: Final[Instruction] = (_RETURN, 0, 0, _FAIL | errno.EPERM)
_MISSING: Final[Instruction] = (_RETURN, 0, 0, _FAIL | errno.ENOSYS)
_AGAIN: Final[Instruction] = (_RETURN, 0, 0, _FAIL | errno.EAGAIN)


def restrict() -> None:
    """Refuse all other calls to this process from now on. Raise OSError if the system has no such filter.

    The process must have one thread and must have set PR_SET_NO_NEW_PRIVS.
    """
    if platform.machine() not in _MACHINES:
        raise OSError(errno.ENOSYS, f"no list of system calls for {platform.machine()}")
    code = b"".join(struct.pack("<HBBI", *each) for each in _filter(*_MACHINES[platform.machine()], os.getpid()))
    program = ctypes.create_string_buffer(code, len(code))
    described = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(program)))
    system = ctypes.CDLL(None, use_errno=True)
    if system.prctl(_PR_SET_SECCOMP, _MODE_FILTER, described, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def _filter(column: int, arch: int, pid: int) -> list[Instruction]:
    """Return the filter of a machine for the process `pid`."""
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, arch),
        _REFUSE,
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _UNKNOWN),
        _MISSING,
    ]
    for numbers in _ALLOWED.values():
        if numbers[column] != _NONE:
            code += _call(numbers[column], [_PASS])
    code += _call(_CLONE3[column], [_MISSING])  # its flags are out of sight: the C library takes clone then
    code += _call(_CLONE[column], [_argument(0), (_ANY, 0, 1, _CLONE_THREAD), _PASS, _REFUSE])
    shared = [_argument(3), (_AND, 0, 0, _SHARED_ANONYMOUS), (_EQUAL, 0, 1, _SHARED_ANONYMOUS), _REFUSE, _PASS]
    code += _call(_MMAP[column], shared)
    waits = [each for value in _WAITS for each in ((_EQUAL, 0, 1, value), _AGAIN)]
    code += _call(_FUTEX[column], [_argument(1), (_AND, 0, 0, _FLAGS), *waits, *_one_of(_PRIVATE)])
    for numbers in _CLOCKS:
        code += _call(numbers[column], [_argument(0), (_AT_LEAST, 0, 1, _NUM_CLOCKS), _REFUSE, _PASS])
    for numbers in (_PRLIMIT, _GETAFFINITY):
        code += _call(numbers[column], _only(0, (0, pid)))
    for numbers in (_KILL, _TGKILL):  # as by os.abort
        code += _call(numbers[column], _only(0, (pid,)))
    code += _call(_MADVISE[column], _only(2, _ADVICE))
    code += _call(_FCNTL[column], _only(1, _COMMANDS))
    code += _call(_IOCTL[column], _only(1, _REQUESTS))
    return [*code, _REFUSE]


def _call(number: int, then: list[Instruction]) -> list[Instruction]:
    """Return the instructions for one system call; other calls continue below."""
    return [(_EQUAL, 0, len(then), number), *then]


def _only(place: int, values: tuple[int, ...]) -> list[Instruction]:
    """Return instructions that let a call pass if argument `place` is one of the values."""
    return [_argument(place), *_one_of(values)]


def _one_of(values: tuple[int, ...]) -> list[Instruction]:
    """Return instructions that let a call pass if what is loaded is one of the values."""
    return [*(each for value in values for each in ((_EQUAL, 0, 1, value), _PASS)), _REFUSE]


def _argument(place: int) -> Instruction:
    """Return instructions that load the low half of an argument, which is sufficient for the calls in this module."""
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * place)
