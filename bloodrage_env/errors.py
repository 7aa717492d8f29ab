"""How commands end that do not succeed."""

from typing import Final

INTERRUPTED: Final = 130  # exit status after Ctrl-C, as shells have it


class UserError(ValueError):
    """What was asked for can't be done; the message is one line that names the thing and, if there is one, the cure."""
