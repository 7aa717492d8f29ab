"""Random numbers: sfc32 (Chris Doty-Humphrey, PractRand) in four int64 words, the same compiled and plain.

A game whose chance lies in its set-up alone needs no generator in its state; one that rolls later keeps the words
there. `redeal` and random play bring their own.
"""

from ..compile.decorators import Ints, rule

MASK32 = 0xFFFFFFFF
NUM_WORDS = 4  # of a generator
MAX_SEED = 2**63 - 1  # of a game


@rule
def next_word(words: Ints) -> int:
    """Thirty-two random bits."""
    t = (words[0] + words[1] + words[3]) & MASK32
    words[3] = (words[3] + 1) & MASK32
    words[0] = words[1] ^ (words[1] >> 9)
    words[1] = (words[2] + ((words[2] << 3) & MASK32)) & MASK32
    words[2] = (((words[2] << 21) & MASK32) | (words[2] >> 11)) & MASK32
    words[2] = (words[2] + t) & MASK32
    return int(t)


@rule
def seed_words(words: Ints, seed: int, stream: int) -> None:
    """Set the generator from a seed of up to 63 bits and the number of a stream."""
    words[0] = seed & MASK32
    words[1] = (seed >> 32) & MASK32
    words[2] = stream & MASK32
    words[3] = 1
    # Before that, numbers of similar seeds are similar.
    for _ in range(12):
        next_word(words)


@rule
def below(words: Ints, n: int) -> int:
    """An integer of [0, n), each equally likely (Lemire's multiplication with rejection)."""
    threshold = (MASK32 + 1 - n) % n
    while True:
        product = next_word(words) * n
        if (product & MASK32) >= threshold:
            return int(product >> 32)


@rule
def unit(words: Ints) -> float:
    """A float of [0, 1)."""
    return float(next_word(words)) / 4294967296.0


@rule
def shuffle(words: Ints, items: Ints, start: int, stop: int) -> None:
    """Shuffle `items[start:stop]` in place (Fisher and Yates)."""
    for i in range(stop - 1, start, -1):
        j = start + below(words, i - start + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
