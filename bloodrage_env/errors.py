"""Errors that a user can cause."""


class UserError(ValueError):
    """What was asked for can't be done; the message is one line that names the thing and, if there is one, the cure."""
