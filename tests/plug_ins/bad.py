"""Plug-ins with a fault each: what they raise, what they answer, what they do to what they are given."""

import contextlib
import os
import sys
import threading
import time

import numpy as np

from bloodrage_agents.match import Forfeit
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS


class Answers:
    """Gives the answer named by `what`."""

    VALUES = {  # noqa: RUF012
        "none": None,
        "float": 1.0,
        "bool": True,
        "text": "0",
        "huge": 10**5000,
        "negative": -1,
        "beyond": NUM_ACTIONS,
        "scalar": np.float32(0),
        "truth": np.bool_(True),
        "array": np.array([0]),
        "list": [0],
    }

    def __init__(self, what):
        self.what = what

    def act(self, observation, action_mask, rng):
        if self.what in ("illegal", "forged"):
            action = int(np.flatnonzero(action_mask == 0)[0])
            action_mask[:] = self.what == "forged"
            return action
        if self.what == "liar":
            return Liar(0)
        return self.VALUES[self.what]


class Liar(int):
    def __int__(self):
        raise ValueError("no number after all")


class Raises:
    def act(self, observation, action_mask, rng):
        raise ValueError("no idea")


class RaisesInReset:
    def reset(self, seat, options):
        raise RuntimeError("not today")

    def act(self, observation, action_mask, rng):
        raise AssertionError


class Exits:
    def act(self, observation, action_mask, rng):
        sys.exit(0)


class Interrupts:
    def act(self, observation, action_mask, rng):
        raise KeyboardInterrupt


class GivesUp:
    def act(self, observation, action_mask, rng):
        raise Forfeit("given up")


class Recurses:
    def act(self, observation, action_mask, rng):
        return self.act(observation, action_mask, rng)


class Unspeakable(Exception):  # noqa: N818
    def __str__(self):
        raise ValueError


class RaisesUnspeakable:
    def act(self, observation, action_mask, rng):
        raise Unspeakable


class RaisesControls:
    def act(self, observation, action_mask, rng):
        raise ValueError("\x1b[31mred\n\x07" + "long " * 1000)


class HidesAct:
    """Its `act` is there only when the registry looks."""

    looked = 0

    @property
    def act(self):
        self.looked += 1
        if self.looked > 1:
            raise AttributeError("gone")
        return print


class Meddles:
    """Changes all that it is given, keeps it, and answers legally."""

    sees = "view"

    def __init__(self):
        self.kept = []

    def reset(self, seat, options):
        object.__setattr__(options, "num_players", 0)

    def act(self, view, action_mask, rng):
        action = int(np.flatnonzero(action_mask)[0])
        for mask, record in [*self.kept, (action_mask, view.record)]:
            mask[:] = 1
            record.view(np.uint8)[:] = 255
        self.kept.append((action_mask, view.record))
        return action


class MeddlesWithVector(Meddles):
    sees = "observation"

    def act(self, observation, action_mask, rng):
        action = int(np.flatnonzero(action_mask)[0])
        for each in [*self.kept, observation, action_mask]:
            each[:] = 1
        self.kept += [observation, action_mask]
        return action


# ---- for a process of its own


class Hangs:
    """From decision `after` on it never answers; with `where=reset` or `init` it does not get so far."""

    def __init__(self, where="act", after=0):
        self.where, self.after = where, after
        self.wait("init")

    def wait(self, where):
        if self.where == where:
            while True:
                time.sleep(0.01)

    def reset(self, seat, options):
        self.wait("reset")

    def act(self, observation, action_mask, rng):
        if self.after == 0:
            self.wait("act")
        self.after -= 1
        return int(np.flatnonzero(action_mask)[0])


class Dies:
    """Ends its process, by `how`."""

    def __init__(self, how="exit"):
        self.how = how

    def act(self, observation, action_mask, rng):
        if self.how == "abort":
            os.abort()
        os._exit(3)


class Babbles:
    """Writes to every pipe that it finds, in place of an answer: `what` a million times, or endlessly."""

    def __init__(self, what="x", endless=False):
        self.what, self.endless = what, endless

    def act(self, observation, action_mask, rng):
        text = self.what.replace("/", "\n").encode() * 1000
        count = 0
        while self.endless or count < 1000:
            count += 1
            for fd in range(1, 20):
                with contextlib.suppress(OSError):
                    os.write(fd, text)
        time.sleep(60)


class Rushes:
    """Answers again and again, without being asked."""

    def act(self, observation, action_mask, rng):
        while True:
            for fd in range(3, 20):
                with contextlib.suppress(OSError):
                    os.write(fd, b"A 0\n")
            time.sleep(0.2)


class Hoards:
    """Takes memory until there is none."""

    def act(self, observation, action_mask, rng):
        hoard = []
        while True:
            hoard.append(np.empty(2**24))


class NoAct:
    def reset(self, seat, options):
        pass


class Needs:
    def __init__(self, depth):
        self.depth = depth


not_a_class = 1


class Locked:
    """Plays, but can't be copied."""

    def __init__(self):
        self.lock = threading.Lock()

    def act(self, observation, action_mask, rng):
        return int(action_mask.argmax())
