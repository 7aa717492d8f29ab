"""Clans with Mystics, and where they stand."""

from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import CardSet, Figure, Place

MYSTICS = 1 << CardSet.MYSTICS
FJORD = "fjord_gimle_myrkulor"
FRIGGA, ODIN, THOR = "Frigga's Chosen", "Odin's Chosen", "Thor's Chosen"
CHOSEN = {1: FRIGGA, 2: ODIN, 3: THOR}  # by Age


def game(players: int = 2, sets: int = MYSTICS, **options: int) -> Scenario:
    return Scenario(players, sets=sets, **options)  # type: ignore[arg-type]


def alone(players: int = 2, **options: int) -> Scenario:
    """A table where all but seat 0 have passed."""
    g = game(players, **options)
    for seat in range(1, players):
        g.passed(seat)
    return g


def mystics(g: Scenario, owner: int, *places: str) -> Scenario:
    """So many Mystics of a clan leave the supply, for these places (`reserve` and `valhalla` too)."""
    g.state.figures[owner, Figure.MYSTIC, Place.RESERVE] += len(places)
    for place in places:
        if place != "reserve":
            g.put(owner, "mystic", place)
    g._dirty = True
    return g


def where(g: Scenario, owner: int) -> dict[str, int]:
    """Where a clan's Mystics are, those of the supply aside."""
    return {place.name.lower(): n for place in Place if (n := g.figures(owner, "mystic", place)) > 0}
