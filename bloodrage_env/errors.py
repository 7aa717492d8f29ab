"""Errors that commands print as one line."""

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
