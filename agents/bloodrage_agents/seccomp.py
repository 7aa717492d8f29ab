"""A filter of Linux's seccomp for the system calls of a plug-in. It needs no privileges.

With the filter a process cannot start other processes, or reach them by signals, memory or sockets. It cannot use
memory that the limit on its data does not count, nor change times, modes, attributes and locks of files, which Landlock
(`sandbox.py`) does not cover. It cannot query which pages of a file are in memory, which could reveal what an earlier
process has read, nor statistics of the system. A refused call fails with EPERM.

A filter does not see paths, and Python needs `stat`, so a plug-in can query the size and times of any path.
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
_REFUSED: Final = {
    # other processes
    "fork": (57, _NONE),
    "vfork": (58, _NONE),
    "execve": (59, 221),
    "execveat": (322, 281),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # sockets, and what would carry out system calls past this filter
    "socket": (41, 198),
    "socketpair": (53, 199),
    "io_uring_setup": (425, 425),
    # memory that is shared, or belongs to no process
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # another view of the file system
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # notes for a later process, or for one that plays beside it
    "truncate": (76, 45),
    "chmod": (90, _NONE),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "chown": (92, _NONE),
    "fchown": (93, 55),
    "lchown": (94, _NONE),
    "fchownat": (260, 54),
    "utime": (132, _NONE),
    "utimes": (235, _NONE),
    "futimesat": (261, _NONE),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "flock": (73, 32),
    "inotify_init": (253, _NONE),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    # which pages of a file are in memory, and what brings them there or throws them out
    "mincore": (27, 232),
    "preadv2": (327, 286),
    "readahead": (187, 213),
    "fadvise64": (221, 223),
    "io_setup": (206, 0),
    # figures of the whole system: memory, load, what is free on a disk
    "sysinfo": (99, 179),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "quotactl": (179, 60),
    "syslog": (103, 116),
}
_CLONE, _CLONE3, _MMAP = (56, 220), (435, 435), (9, 222)
_UNKNOWN: Final = 448  # from here on calls are newer than this list, and the C library does without
_CLONE_THREAD: Final = 0x10000
_SHARED_ANONYMOUS: Final = 0x21  # flags of mmap
_MADVISE: Final = (4, 8, 14, 15)  # not needed any more, and the size of pages: what allocators say
_FCNTL: Final = (0, 1, 2, 3, 4, 1030)  # duplicate, and the flags: no locks, leases or signals
_IOCTL: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # is it a terminal, bytes to read, blocking, inherited

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant
_PASS: Final[Instruction] = (_RETURN, 0, 0, _ALLOW)
_REFUSE: Final[Instruction] = (_RETURN, 0, 0, _FAIL | errno.EPERM)
_MISSING: Final[Instruction] = (_RETURN, 0, 0, _FAIL | errno.ENOSYS)


def restrict() -> None:
    """Refuse these calls to this process from now on. Raises OSError if the system has no such filter.

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
    own_limits, own_cores = ("prlimit64", (302, 261)), ("sched_setaffinity", (203, 122))
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, arch),
        _REFUSE,
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _UNKNOWN),
        _MISSING,
    ]
    for numbers in _REFUSED.values():
        if numbers[column] != _NONE:
            code += _call(numbers[column], [_REFUSE])
    code += _call(_CLONE3[column], [_MISSING])  # its flags are out of sight: the C library takes clone then
    code += _call(_CLONE[column], [_argument(0), (_ANY, 0, 1, _CLONE_THREAD), _PASS, _REFUSE])
    shared = [_argument(3), (_AND, 0, 0, _SHARED_ANONYMOUS), (_EQUAL, 0, 1, _SHARED_ANONYMOUS), _REFUSE, _PASS]
    code += _call(_MMAP[column], shared)
    for _, numbers in (own_limits, own_cores):
        code += _call(numbers[column], _only(0, (0, pid)))
    for numbers in ((62, 129), (234, 131)):  # kill and tgkill, as by os.abort
        code += _call(numbers[column], _only(0, (pid,)))
    code += _call((28, 233)[column], _only(2, _MADVISE))
    code += _call((72, 25)[column], _only(1, _FCNTL))
    code += _call((16, 29)[column], _only(1, _IOCTL))
    return [*code, _PASS]


def _call(number: int, then: list[Instruction]) -> list[Instruction]:
    """Return the instructions for one system call; other calls continue below."""
    return [(_EQUAL, 0, len(then), number), *then]


def _only(place: int, values: tuple[int, ...]) -> list[Instruction]:
    """Return instructions that let a call pass if argument `place` is one of the values."""
    code = [_argument(place)]
    for value in values:
        code += [(_EQUAL, 0, 1, value), _PASS]
    return [*code, _REFUSE]


def _argument(place: int) -> Instruction:
    """Return instructions that load the low half of an argument, which is sufficient for the calls in this module."""
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * place)
