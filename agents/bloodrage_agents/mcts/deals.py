"""The deals of a tree search: the streams of its generator, and seeds of redeals."""

from typing import Final

from bloodrage_env.core.compile.decorators import Ints, rule
from bloodrage_env.core.engine.chance import next_word

DEAL_STREAM: Final = 2**30  # of the generator: deal k has the stream DEAL_STREAM + k, a k-th visit the stream k


@rule
def draw_seed(words: Ints) -> int:
    """A seed of 62 bits."""
    return (next_word(words) << 30) | (next_word(words) >> 2)
