"""Games that the policy of a network plays on, to compare actions by what becomes of them."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.play import Play

from .base import agent_rng
from .network import Network


def play_on(
    play: Play, network: Network, games: Records, seed: int, deals: int, stops: Callable[[int], bool]
) -> Iterator[None]:
    """Play each game on until it ends or `stops` returns True for it. Yield after each choice of all of them.

    `stops` takes the index of a game and is called once for each open question, also where one action is legal. Game k
    is a redeal k modulo `deals`; games of the same redeal use the same random numbers.
    """
    rng = agent_rng("analysis", seed)
    noise = rng.gumbel(size=(deals, games[0].mask.size))
    left = list(range(len(games)))
    while left:
        asked: list[int] = []
        for game in left:
            while not play.is_over(games, game) and not stops(game):
                if games[game].num_legal > 1:
                    asked.append(game)
                    break
                play.apply(games, game, int(games[game].mask.argmax()))
        logits = network.evaluate(games, np.array(asked))[0] if asked else ()
        for game, row in zip(asked, logits, strict=True):
            play.apply(games, game, int((row + noise[game % deals]).argmax()))
        noise = rng.gumbel(size=noise.shape)
        left = asked
        yield


def next_choice(play: Play, games: Records, observer: int) -> Callable[[int], bool]:
    """Return a function for `play_on` that stops a game at the next choice of a seat after another seat was asked."""
    others_asked = np.zeros(len(games), bool)

    def stops(game: int) -> bool:
        if play.seat_to_act(games, game) != observer:
            others_asked[game] = True
        return bool(others_asked[game]) and play.seat_to_act(games, game) == observer and games[game].num_legal > 1

    return stops


def places_of(play: Play, games: Records, seat: int) -> npt.NDArray[np.float64]:
    """Return the place of a seat by the scores of each game, float64[N]: 1 for the best; equal scores share places."""
    found = np.zeros(len(games))
    for game in range(len(games)):
        scores = play.scores(games, game)
        found[game] = 1 + (scores > scores[seat]).sum() + ((scores == scores[seat]).sum() - 1) / 2
    return found
