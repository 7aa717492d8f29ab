"""The answer of a search. The move that is played, advice, labels and values are all read from it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compile.decorators import Ints


@dataclass(frozen=True, eq=False)
class Answer:
    """The M root moves that a search has tried, in its order of preference. The first one is the move to play.

    The order is not that of visits, of which sequential halving ends with a tie, nor that of values, which a search
    weighs against its priors.
    """

    moves: Ints  # int64[M]
    visits: Ints  # int64[M], simulations that began with each move; at least 1
    values: npt.NDArray[np.float64]  # float64[M, players], their mean outcomes for each seat; nan where not estimated

    @property
    def move(self) -> int:
        """The move to play."""
        return int(self.moves[0])

    @property
    def wins(self) -> npt.NDArray[np.float64]:
        """Each seat's part of the victory after that move, float64[players]."""
        found: npt.NDArray[np.float64] = self.values[0]
        return found

    @property
    def means(self) -> npt.NDArray[np.float64]:
        """The mean outcome of all simulations for each seat, float64[players]."""
        return np.asarray(self.visits @ self.values / self.visits.sum())
