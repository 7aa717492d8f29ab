"""What the log of the server says of a fault of the program: one line."""

import traceback


def described(error: Exception) -> str:
    """The error, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    text = " ".join(str(error).split())
    where = f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {text}{where}"
