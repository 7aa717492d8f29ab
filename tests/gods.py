"""Battles in a province with a god."""

from collections.abc import Mapping

from fights import field, fight
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import CardSet

GODS, KS = 1 << CardSet.GODS, 1 << CardSet.KS


def stage(god: str, figures: Mapping[int, Mapping[str, int]], place: str = "gimle", **options: int) -> Scenario:
    """Figures in a province with a god, as `fights.field` takes them, in a game with gods and Kickstarter monsters."""
    g = field(figures, place, sets=GODS | KS, **options)
    g.god(god, place)
    return g


def battle(
    god: str,
    figures: Mapping[int, Mapping[str, int]],
    cards: Mapping[int, str],
    place: str = "gimle",
    *,
    upgrades: Mapping[int, str] | None = None,
    **options: int,
) -> Scenario:
    """The first clan pillages the province with a god; all clans show these cards."""
    g = stage(god, figures, place, **options)
    for seat, title in (upgrades or {}).items():
        g.upgrade(seat, title)
    fight(g, cards, place)
    return g
