"""The least and the greatest number at each place of an observation."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .tables import Section, length

Most = float | npt.NDArray[np.float64]  # one number for a section, or one for each of its places, in its shape


class Bounds(NamedTuple):
    """Both are float32[OBSERVATION_SIZE]."""

    low: npt.NDArray[np.float32]
    high: npt.NDArray[np.float32]


def bounds_of(
    sections: Iterable[Section], units: Mapping[str, float], most: Mapping[str, Most], least: Mapping[str, Most]
) -> Bounds:
    """The bounds of a table. `most` and `least` count in the units of the sections; 1 and 0 where nothing is said.

    A section without a unit contains flags and shares. The product is that of the compiled code, which rounds alike.
    """
    table = tuple(sections)
    low, high = np.zeros(length(table), np.float32), np.ones(length(table), np.float32)
    for section in table:
        part = slice(section.start, section.start + section.size)
        per = float(np.float32(1 / units.get(section.name, 1)))
        for bound, given in ((low, least), (high, most)):
            if section.name in given:
                bound[part] = np.broadcast_to(np.asarray(given[section.name]) * per, section.shape).ravel()
    low.flags.writeable = high.flags.writeable = False
    return Bounds(low, high)
