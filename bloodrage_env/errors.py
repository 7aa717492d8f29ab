"""Errors that commands print as one line."""

from typing import Final

INTERRUPTED: Final = 130  # exit status after Ctrl-C, as shells have it


class UserError(ValueError):
    """A request of the user cannot be carried out. The message is one line with the fault and, if possible, the
    cure.
    """
