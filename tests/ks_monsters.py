"""A clan with a Kickstarter monster, and where it stands."""

from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import CardSet

KS = 1 << CardSet.KS
FJORD = "fjord_gimle_myrkulor"


def game(players: int = 2, **options: int) -> Scenario:
    return Scenario(players, sets=KS, **options)  # type: ignore[arg-type]


def alone(**options: int) -> Scenario:
    """Two clans, of which the second one has passed."""
    g = game(**options)
    g.passed(1)
    return g


def with_monster(title: str, place: str | None = None, *, owner: int = 0, g: Scenario | None = None) -> Scenario:
    """The monster in the first slot of a clan, in a place or in the reserve."""
    g = g or alone()
    g.upgrade(owner, title)
    if place:
        g.put(owner, "monster_1", place)
    return g
