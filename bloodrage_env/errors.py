"""Errors that commands print as one line."""

import contextlib
from collections.abc import Iterator
from typing import Final

INTERRUPTED: Final = 130  # exit status after Ctrl-C, as shells have it


class UserError(ValueError):
    """A request of the user cannot be carried out. The message is one line with the fault and, if possible, the
    cure.
    """


class MissingPackageError(UserError):
    """`what` needs a package of an extra that is not installed."""

    def __init__(self, what: str, package: str | None, extra: str) -> None:
        super().__init__(
            f"{what} needs the package {package}: install bloodrage with the extra {extra} (README, Install)"
        )


class UnavailableError(UserError):
    """An agent lacks what it needs from outside, such as an answer of its endpoint. It is not a fault of its play: no
    game is decided by it, and the run stops.
    """


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """A context that raises KeyboardInterrupt where the clean-up after Ctrl-C raised another error.

    Libraries that write archives do so: their `close` finds an entry that is not finished. OSError and UserError
    remain: they name what the user can mend.
    """
    try:
        yield
    except (OSError, UserError):
        raise
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, KeyboardInterrupt):
                raise KeyboardInterrupt from error
            cause = cause.__context__
        raise
