"""One clan at work: a table where only seat 0 acts, and battles that measure STR."""

from collections.abc import Callable

from fights import FJORD
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

ACTS = (0, Decision.ACTION)  # seat 0 is asked for its next action
ALL_OUTER = tuple(FJORD)

# Battle cards that are nothing but STR.
PLAIN_CARDS = {2: "Tyr's Bash", 3: "Tyr's Smash", 4: "Tyr's Crush", 5: "Tyr's Smite", 6: "Tyr's Rage"}


def alone(players: int = 2, age: int = 1) -> Scenario:
    """A scenario where every seat but 0 has no Rage, so that seat 0 is asked again and again."""
    g = Scenario(players=players, age=age)
    for seat in range(1, players):
        g.rage(seat, 0)
    return g


def rival(g: Scenario, seat: int, province: str, strength: int) -> None:
    """Give a clan figures in the province and its fjord and one plain battle card, together of this STR."""
    left = strength
    if left >= 2 and province in FJORD:
        g.put(seat, "ship", FJORD[province])
        left -= 2
    if left > 6:
        if province in FJORD:
            g.upgrade(seat, "Sea Serpent")
            g.put(seat, "monster_1", FJORD[province])
        else:
            g.put(seat, "leader", province)
        left -= 3
    card = max((value for value in PLAIN_CARDS if value <= left), default=0)
    if card and card < strength:
        g.hand(seat, PLAIN_CARDS[card])
        left -= card
    if left:
        g.put(seat, "warrior", province, left)


def assert_strength(build: Callable[[Scenario], None], strength: int, province: str = "gimle") -> None:
    """The figures that `build` gives seat 0 in the province beat STR - 1 and tie with STR."""
    for against, won in ((strength - 1, True), (strength, False)):
        g = Scenario(2)
        build(g)
        rival(g, 1, province, against)
        g.pillage(0, province)
        g.decline_calls()
        assert g.is_pillaged(province) == won, f"STR {strength} against {against}"
        assert g.glory_of(1) == 0, f"STR {strength} is beaten by {against}"
