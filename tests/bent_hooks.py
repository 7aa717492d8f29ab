"""Hooks bent as the monsters of another set bend them (rules 6.4): run it with NUMBA_DISABLE_JIT=1.

Each function puts another function in the place of one hook, plays, and looks whether masks and answers follow. The
Valkyrie stands in for the monster. Prints how many there are.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import hooks
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place, Purpose
from bloodrage_env.games.bloodrage.engine.queries import card_of


@contextmanager
def bent(name: str, function: Callable[..., Any]) -> Iterator[None]:
    """The hook of this name is another function for a while, which is given the true one first."""
    true = getattr(hooks, name)
    homes = [hooks, *(module for module in vars(hooks).values() if getattr(module, name, None) is true)]
    for module in homes:
        setattr(module, name, lambda *arguments: function(true, *arguments))
    try:
        yield
    finally:
        for module in homes:
            setattr(module, name, true)


def is_valkyrie(s: Any, seat: int, kind: int) -> bool:
    return card_of(s, seat, kind) == Card.VALKYRIE


def position(rage: int = 1) -> Scenario:
    """Seat 0 has the Valkyrie and so much Rage."""
    g = Scenario(2)
    g.rage(0, rage)
    g.upgrade(0, "Valkyrie")
    return g


def a_price_by_place() -> None:
    """A free Invade into one province: offered there for a figure that can't be paid elsewhere, and not paid for."""
    with bent("invade_price", lambda true, s, seat, kind, at: 0 if at == Place.GIMLE else true(s, seat, kind, at)):
        g = position()
        g.go()
        assert g.can_invade("monster_1", "gimle")
        assert not g.can_invade("monster_1", "utgard")
        g.invade(0, "monster_1", "gimle")
        assert g.rage_of(0) == 1


def a_monster_that_is_a_leader() -> None:
    """It invades for no Rage, also by the free Invade of a leader upgrade, and that works where it stands."""
    with bent("is_leader", lambda true, s, seat, kind: true(s, seat, kind) or is_valkyrie(s, seat, kind)):
        g = position(rage=1)
        g.go()
        assert g.can_invade("monster_1", "utgard")
        g = position(rage=6)
        g.rage(1, 0)
        g.hand(0, "Lord of Hammers")
        g.play(0, "Lord of Hammers")
        assert g.asked() == (0, Decision.FREE_INVADE)
        assert g.can_invade("monster_1", "utgard")
        assert g.can_invade("leader", "utgard")
        g.choose(0, "monster_1", "utgard")
        rage = g.rage_of(0)
        g.pillage(0, "utgard")
        assert g.asked() == (0, Decision.LEADER_MOVE)
        assert g.rage_of(0) == rage


def strength_for_a_purpose() -> None:
    """What is not a monster counts 0 in battle; quests count as ever."""

    def no_more(true: Any, s: Any, seat: int, kind: int, *context: int) -> int:
        if context[-1] == Purpose.BATTLE and not hooks.is_monster(s, seat, kind):
            return 0
        return int(true(s, seat, kind, *context))

    with bent("strength", no_more):
        g = position()
        g.put(0, "monster_1", "gimle")
        g.put(1, "leader", "gimle")
        g.put(1, "warrior", "gimle")
        g.pillage(0, "gimle")
        g.decline_calls()
        assert g.is_pillaged("gimle")
        assert g.figures(1, "leader", Place.VALHALLA) == 1
        g = position()
        g.put(0, "monster_1", "gimle")
        g.put(1, "leader", "gimle")
        g.put(1, "warrior", "gimle")
        g.quest(1, "Alfheim")
        g.end_action_phase()
        assert g.glory_of(1) > 0


def another_province_is_destroyed() -> None:
    """Everything of Ragnarok happens there, and the doomed province stands."""
    with bent("doomed_province", lambda _true, _s: Place.UTGARD):
        g = position()
        g.doomed("gimle")
        g.put(0, "monster_1", "utgard")
        g.put(0, Figure.WARRIOR, "gimle")
        g.end_action_phase()
        assert g.is_destroyed("utgard")
        assert not g.is_destroyed("gimle")
        assert g.figures(0, "warrior", "gimle") == 1


if __name__ == "__main__":
    cases = (a_price_by_place, a_monster_that_is_a_leader, strength_for_a_purpose, another_province_is_destroyed)
    for case in cases:
        case()
    print(len(cases))
