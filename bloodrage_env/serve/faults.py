"""One line for the server's log about an unexpected error."""

import traceback


def described(error: Exception) -> str:
    """Return the type, text and place of an error in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    text = " ".join(str(error).split())
    where = f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {text}{where}"
