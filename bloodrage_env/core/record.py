"""The fields that the record of every game has, whatever else is in it."""

from typing import Any, cast

import numpy as np

NONE = -1  # no seat


def fields(num_actions: int, max_depth: int, frame_size: int) -> list[tuple[Any, ...]]:
    """The fields that `core` reads and writes, as `np.dtype` takes them."""
    return [
        ("num_players", np.int8),
        ("skip_forced", np.int8),  # open questions with one legal answer are not asked
        ("over", np.int8),
        ("truncated", np.int8),  # it was cut off
        ("decisions", np.int32),  # answers given so far, those not asked for too
        ("decision", np.int8),  # the kind of the open question, 0 if none is
        ("seat", np.int8),  # who must answer
        ("num_legal", np.int16),
        ("mask", np.int8, num_actions),
        ("depth", np.int8),
        ("stack", np.int16, (max_depth, frame_size)),
    ]


def record(*parts: list[tuple[Any, ...]]) -> np.dtype[np.record]:
    """The dtype of a game: records, so that fields are attributes without compilation too."""
    return cast(
        "np.dtype[np.record]", np.dtype((np.record, np.dtype([each for part in parts for each in part], align=True)))
    )
