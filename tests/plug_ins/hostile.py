"""Plug-ins that cheat, or do harm. One that gets away with it says so by a `Success`, which forfeits its game."""

import contextlib
import ctypes
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.observation import SECTIONS


class Success(Exception):  # noqa: N818
    """The message says at what."""


class First:
    """The legal action of the lowest id, after `attempt` at the first decision."""

    tried = False

    def act(self, observation, action_mask, rng):
        if not self.tried:
            self.tried = True
            with contextlib.suppress(OSError, MemoryError, subprocess.SubprocessError):
                self.attempt(observation, rng)
        return int(np.flatnonzero(action_mask)[0])

    def attempt(self, observation, rng):
        pass


def deal_of(record):
    """What a seat sees of a deal at its first decision: too much for two deals to be alike by chance."""
    return b"".join(record[0][each].tobytes() for each in ("token", "ragnarok", "deck"))


def dealt(seed, view):
    """The same of the game with this seed."""
    game = engine.new_game(seed, int(view.record[0]["num_players"]), False, False)
    return deal_of(engine.hide(game, 0, view.seat))


# ---- deals


class Remembers(First):
    """Knows a deal that it has met in another game, by what it has kept or written down."""

    met = set()  # noqa: RUF012

    def __init__(self, number=0):
        self.number = number

    def attempt(self, observation, rng):
        public = [each for each in SECTIONS if each.name in ("tokens", "ragnarok")]
        deal = b"".join(observation[each.start : each.start + each.size].tobytes() for each in public).hex()
        for note in (Path(__file__).with_suffix(".notes"), Path("/dev/shm/bloodrage-test-notes")):
            with contextlib.suppress(OSError):
                if note.exists() and deal in note.read_text():
                    raise Success(f"read of this deal in {note}")
                with note.open("a") as file:
                    file.write(deal)
        if deal in self.met:
            raise Success("remembers this deal")
        self.met.add(deal)


class Marks(First):
    """Looks for the marks of an earlier game in what it was born with, and leaves its own."""

    def attempt(self, observation, rng):
        import fcntl

        variable = ctypes.c_int.in_dll(ctypes.CDLL(None), "optind")  # of the C library, which nothing here uses
        here = str(Path(__file__).parent)
        marks = {
            "environment": "MARK" in os.environ,
            "library": "mark" in np.typecodes,
            "memory": variable.value == 1997,
            "folder": os.getcwd() == here,
            "signal": signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN,
        }
        opened = []
        for number in range(256):
            with contextlib.suppress(OSError):
                marks[f"flags of file {number}"] = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_APPEND
                opened.append(number)
                marks[f"position of file {number}"] = os.lseek(number, 0, os.SEEK_CUR)
        found = [name for name, mark in marks.items() if mark]
        if found:
            raise Success(", ".join(found))
        os.environ["MARK"], np.typecodes["mark"], variable.value = "x", "x", 1997
        os.chdir(here)
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        for number in opened:
            fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_APPEND)
            with contextlib.suppress(OSError):
                os.lseek(number, 1997, os.SEEK_SET)


class TellsAge(First):
    """Finds a time in what it was born with, by which it knows how long the games before it took."""

    def attempt(self, observation, rng):
        units = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}
        for name, module in list(sys.modules.items()):
            for variable, value in list(vars(module).items()):
                if type(value) not in (int, float):
                    continue
                if type(value) is int and (value < 10**8 or 0 in (value & (value - 1), value & (value + 1))):
                    continue  # a constant, a flag or a bound, which the clock of a machine passes by chance
                for clock in (time.time, time.monotonic):
                    if any(1 < clock() - value / unit < 100 for unit in units.values()):
                        raise Success(f"{name}.{variable}")


class Draws(First):
    """Tells a number of each generator that libraries keep."""

    def attempt(self, observation, rng):
        import random

        raise RuntimeError(f"{random.random()} {np.random.random()}")


class GuessesDeal(First):
    """Tries the deals of some seeds that a tournament may have been given."""

    sees = "view"

    def attempt(self, view, rng):
        from bloodrage_training.tournament.plan import draw
        from bloodrage_training.tournament.records import secret_of

        for number in range(6000):
            seed = draw(secret_of(number // 6), "deal", number % 6, "hostile.py:GuessesDeal", "random")
            if dealt(seed, view) == deal_of(view.record):
                raise Success(f"the seed is {seed}")


class ReadsGenerator(First):
    """Takes the numbers that its generator was seeded with for the seed of the game, and is told if it isn't."""

    sees = "view"

    def attempt(self, view, rng):
        sequence = rng.bit_generator.seed_seq
        for seed in [*np.atleast_1d(np.array(sequence.entropy, object)), *sequence.spawn_key]:
            if dealt(int(seed) % 2**63, view) == deal_of(view.record):
                raise Success(f"the seed is {seed}")


# ---- other processes


class Forks(First):
    def attempt(self, observation, rng):
        if os.fork() == 0:
            os._exit(0)
        raise Success("forked")


class Spawns(First):
    def attempt(self, observation, rng):
        subprocess.run([sys.executable, "-c", ""], check=False)
        raise Success("started a program")


class EatsInChild(First):
    """Three GiB for itself and three for a child."""

    def attempt(self, observation, rng):
        hoard = [bytearray(2**20)]
        if os.fork() == 0:
            hoard += [bytearray(2**20) for _ in range(3 * 2**10)]
            os._exit(0)
        raise Success("a child has memory of its own")


class EatsShared(First):
    """Memory that no limit on data counts."""

    def attempt(self, observation, rng):
        with mmap.mmap(-1, 8 * 2**30):
            raise Success("shared memory")


class ReadsParent(First):
    """Reads the memory of the process that started it, or its command line."""

    def attempt(self, observation, rng):
        for name in ("mem", "maps", "cmdline", "environ"):
            with contextlib.suppress(OSError), open(f"/proc/{os.getppid()}/{name}", "rb") as file:
                raise Success(f"opened {name} of its parent, {file.name}")


class KillsParent(First):
    def attempt(self, observation, rng):
        os.kill(os.getppid(), signal.SIGKILL)
        raise Success("killed its parent")


class StopsParent(First):
    """Stops the parent, by way of a pipe that signals whoever owns it."""

    def attempt(self, observation, rng):
        import fcntl

        reading, writing = os.pipe()
        fcntl.fcntl(reading, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(reading, 10, signal.SIGTERM)  # F_SETSIG
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writing, b"x")
        raise Success("signalled its parent")


class Connects(First):
    def attempt(self, observation, rng):
        socket.socket(socket.AF_UNIX)
        raise Success("has a socket")


class TellsKey(First):
    """Has a key of the user stored, reported and printed, as the reason of its forfeit."""

    def attempt(self, observation, rng):
        raise RuntimeError(os.environ["OPENAI_API_KEY"])


class TellsInherited(First):
    """Tells which variables, open files and terminal it was given."""

    def attempt(self, observation, rng):
        opened = []
        for number in range(256):
            with contextlib.suppress(OSError):
                os.fstat(number)
                opened.append(number)
        with contextlib.suppress(OSError), open("/dev/tty"):
            opened.append("tty")
        raise RuntimeError(f"{' '.join(sorted(os.environ))}|{opened}")


class Signals(First):
    """Finds a way to learn of, or to tell, another process: here its parent, as it would a plug-in at the table."""

    def attempt(self, observation, rng):
        system, other = ctypes.CDLL(None, use_errno=True), os.getppid()
        clock = (~other << 3) | 2  # the CPU clock of that process
        code = ctypes.cast(system.getpid, ctypes.c_void_p)  # in the file of the C library, which all share
        size = ctypes.create_string_buffer(1024)

        def call(number, *arguments):
            if system.syscall(number, *arguments) < 0:
                raise OSError(ctypes.get_errno(), "refused")

        ways = {
            "its cores": lambda: os.sched_getaffinity(other),
            "setting its cores": lambda: os.sched_setaffinity(other, {0}),
            "setting own cores": lambda: os.sched_setaffinity(0, {0}),
            "its clock": lambda: time.clock_gettime(clock),
            "waiting by its clock": lambda: call(230, clock & 0xFFFFFFFF, 0, size, None),
            "page faults": lambda: resource.getrusage(resource.RUSAGE_SELF),
            "its limits": lambda: resource.prlimit(other, resource.RLIMIT_NOFILE),
            "its priority": lambda: os.getpriority(os.PRIO_PROCESS, other),
            "its policy": lambda: os.sched_getscheduler(other),
            "its parameters": lambda: os.sched_getparam(other),
            "its group": lambda: os.getpgid(other),
            "its session": lambda: os.getsid(other),
            "its list of locks": lambda: call(274, other, size, ctypes.byref(ctypes.c_size_t())),
            "waking whoever waits at a file": lambda: call(202, code, 1, 1, None, None, 0),
            "the number of the next pipe": os.pipe,
            "reading its memory": lambda: call(310, other, size, 0, size, 0, 0),
            "tracing it": lambda: call(101, 16, other, 0, 0),
            "its name in the process": lambda: call(157, 15, ctypes.create_string_buffer(b"x")),
        }
        found = []
        for name, way in ways.items():
            with contextlib.suppress(OSError):
                way()
                found.append(name)
        if found:
            raise Success("; ".join(found))


class Tells(First):
    """Tells whoever reads its cores which eight cards its pack has: in each `SLOT` of time one bit of their ids."""

    SLOT = 0.04

    def attempt(self, observation, rng):
        pack = next(each for each in SECTIONS if each.name == "pack")
        cards = np.flatnonzero(observation[pack.start : pack.start + pack.size])
        bits = [int(card) >> place & 1 for card in cards for place in range(7)]
        cores = sorted(os.sched_getaffinity(0))[:2]
        threading.Thread(target=self.send, args=(bits, cores), daemon=True).start()

    def send(self, bits, cores):
        with contextlib.suppress(OSError):
            while True:
                os.sched_setaffinity(os.getpid(), {cores[bits[int(time.monotonic() / self.SLOT) % len(bits)]]})
                time.sleep(self.SLOT / 10)


class Hears(First):
    """Says at its second decision which cards it has been told of."""

    asked = 0

    def act(self, observation, action_mask, rng):
        self.asked += 1
        self.tried = self.asked != 2
        return super().act(observation, action_mask, rng)

    def attempt(self, observation, rng):
        votes = np.zeros((56, 2), np.int64)
        others = {*range(os.getppid(), os.getpid() + 200)} - {os.getpid()}
        end = time.monotonic() + 4 * 56 * Tells.SLOT
        while time.monotonic() < end:
            for pid in tuple(others):
                try:
                    cores = os.sched_getaffinity(pid)
                except OSError:
                    others.remove(pid)
                    continue
                slot, within = divmod(time.monotonic() / Tells.SLOT, 1)
                if len(cores) == 1 and within > 0.5:
                    votes[int(slot) % 56, min(cores)] += 1
            time.sleep(Tells.SLOT / 10)
        bits = votes.argmax(1).reshape(8, 7)
        raise Success(f"told of {sorted((bits << np.arange(7)).sum(1).tolist())}" if votes.any() else "told of nothing")


# ---- files


class ReadsStore(First):
    """Looks for the secret of a store beside it."""

    def attempt(self, observation, rng):
        for path in Path(__file__).parent.rglob("*.sqlite*"):
            with contextlib.suppress(OSError):
                if path.read_bytes():
                    raise Success(f"read {path}")


class WritesNotes(First):
    """Leaves a later process a note: in a file, or in what is known of its own file."""

    def attempt(self, observation, rng):
        own = Path(__file__)
        ways = {
            "temporary": tempfile.mkstemp,
            "beside": lambda: own.with_name("notes.txt").write_text("x"),
            "shared": lambda: Path("/dev/shm/notes").write_text("x"),
            "times": lambda: os.utime(own, (1, 1)),
            "mode": lambda: own.chmod(0o600),
            "attribute": lambda: os.setxattr(own, "user.note", b"x"),
        }
        for name, way in ways.items():
            with contextlib.suppress(OSError, AttributeError):
                way()
                raise Success(name)


class SeesPages(First):
    """Is told which pages of its own file are in memory, or has some brought there or thrown out."""

    def attempt(self, observation, rng):
        system, size = ctypes.CDLL(None, use_errno=True), mmap.PAGESIZE
        with open(__file__, "rb") as file, mmap.mmap(file.fileno(), size, mmap.MAP_PRIVATE) as pages:
            address = ctypes.addressof(ctypes.c_char.from_buffer(pages))
            where, length, seen = ctypes.c_void_p(address), ctypes.c_size_t(size), ctypes.create_string_buffer(1)
            ways = {
                "mincore": lambda: system.mincore(where, length, seen),
                "preadv2": lambda: os.preadv(file.fileno(), [bytearray(8)], 0, 8) < 0,  # RWF_NOWAIT
                "fadvise": lambda: os.posix_fadvise(file.fileno(), 0, size, os.POSIX_FADV_DONTNEED),
                "readahead": lambda: system.readahead(file.fileno(), ctypes.c_int64(0), length),
                "willneed": lambda: pages.madvise(mmap.MADV_WILLNEED),
                "pageout": lambda: pages.madvise(21),
                "aio": lambda: system.syscall(206, 1, ctypes.byref(ctypes.c_void_p())),
            }
            for name, way in ways.items():
                with contextlib.suppress(OSError):
                    if not way():
                        raise Success(name)


class SeesSystem(First):
    """Is told how much memory or disk is free, or how busy the machine is."""

    def attempt(self, observation, rng):
        ways = {
            "memory": lambda: Path("/proc/meminfo").read_text(),
            "load": os.getloadavg,
            "disk": lambda: os.statvfs("/"),
            "pages": lambda: Path("/proc/vmstat").read_text(),
            "sysinfo": lambda: ctypes.CDLL(None).sysinfo(ctypes.create_string_buffer(256)) and os.read(-1, 1),
        }
        for name, way in ways.items():
            with contextlib.suppress(OSError):
                way()
                raise Success(name)
