"""The STR of a clan in all provinces at once against the STR in each: compiled, and the plain form."""

import numpy as np

from bloodrage_env.core.compile.decorators import Bytes
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import COMPILER, States, hooks, weighing
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import NUM_BOARD, NUM_PROVINCES, Figure, Purpose, Slot
from bloodrage_env.games.bloodrage.engine.rules.strength import add_strengths, clan_strength
from bloodrage_env.games.bloodrage.options import Options

IN_FJORDS = (Figure.SHIP, Figure.MONSTER_1)  # the others are in provinces
POSITIONS = 3000


@COMPILER.entry
def both_strengths(states: States, seat: int, at_once: Bytes, each: Bytes) -> int:
    """Fill both arrays; returns the STR of each kind, or BY_PLACE."""
    s = states[0]
    for province in range(NUM_PROVINCES):
        at_once[province] = 0
        each[province] = clan_strength(s, seat, province, Purpose.BATTLE)
    add_strengths(s, seat, at_once)
    return int(hooks.strength_by_kind(s, seat))


def test_all_provinces_at_once_are_each_province() -> None:
    rng = np.random.default_rng(1)
    upgrades = {slot: cards_of(slot) for slot in range(Slot.CLAN_1)}
    at_once, each, plain = (np.zeros(NUM_PROVINCES, np.uint8) for _ in range(3))
    quick = paired = 0
    for seed in range(POSITIONS):
        sets = ("ks",) if seed % 5 == 0 else ()
        states = engine.new_game(seed, *Options(num_players=2, sets=sets).numbers())
        s = states[0]
        for slot, cards in upgrades.items():
            s.upgrades[0, slot] = rng.choice(cards) if rng.random() < 0.5 else engine.NONE
        s.figures[0, :, :NUM_BOARD] = 0
        for kind in Figure:
            places = slice(NUM_PROVINCES, NUM_BOARD) if kind in IN_FJORDS else slice(0, NUM_PROVINCES)
            s.figures[0, kind, places] = rng.integers(
                0, 9 if kind == Figure.WARRIOR else 3, s.figures[0, kind, places].shape
            )
        found = both_strengths(states, 0, at_once, each)
        assert np.array_equal(at_once, each)
        if found == hooks.BY_PLACE:
            continue
        quick += 1
        pair = int(s.upgrades[0, Slot.WARRIOR] in (Card.BROTHERS_IN_ARMS, Card.MASTERS_IN_ARMS))
        pair += int(s.upgrades[0, Slot.WARRIOR] == Card.MASTERS_IN_ARMS)
        paired += pair > 0
        plain[:] = 0
        weighing._plain(s.figures[0], found, pair, plain)
        assert np.array_equal(plain, each)
    assert quick > POSITIONS / 2
    assert paired > 100


def cards_of(slot: int) -> list[int]:
    """The cards that can be in a slot of a clan sheet."""
    of = {Slot.LEADER: "LEADER", Slot.WARRIOR: "WARRIOR", Slot.SHIP: "SHIP"}.get(Slot(slot), "MONSTER")
    return [int(card) for card in np.flatnonzero(engine.CardType[of] == engine.TYPE)]
