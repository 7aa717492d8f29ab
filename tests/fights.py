"""Battles in few words, on top of the scenario helper."""

from collections.abc import Mapping

from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.actions import figure_at
from bloodrage_env.games.bloodrage.engine.board import FJORD_OF
from bloodrage_env.games.bloodrage.engine.ids import NUM_KINDS, NUM_OUTER, Decision, Figure, Place

KINDS = frozenset(kind.name.lower() for kind in Figure)
FJORD = {Place(p).name.lower(): Place(int(FJORD_OF[p])).name.lower() for p in range(NUM_OUTER)}
IN_FJORD = ("ship", "Sea Serpent")


def field(
    figures: Mapping[int, Mapping[str, int]],
    place: str = "gimle",
    *,
    players: int = 3,
    age: int = 1,
    seat: int = 0,
    sets: int = 0,
) -> Scenario:
    """A scenario with these figures in `place`, ships in its fjord: `{seat: {kind or monster's title: number}}`."""
    g = Scenario(players=players, age=age, seat=seat, sets=sets)
    for owner, kinds in figures.items():
        monsters = 0
        for kind, number in kinds.items():
            where = FJORD[place] if kind in IN_FJORD else place
            if kind not in KINDS:
                monsters += 1
                g.upgrade(owner, kind)
                kind = f"monster_{monsters}"
            g.put(owner, kind, where, number)
    return g


def fight(
    g: Scenario, cards: Mapping[int, object], place: str = "gimle", *, pillager: int = 0, add: bool = True
) -> None:
    """Pillages, nobody joins, and the clans show these cards, which are first put into their hands."""
    if add:
        for seat, card in cards.items():
            g.hand(seat, card)
    g.pillage(pillager, place)
    g.decline_calls()
    show(g, cards)


def show(g: Scenario, cards: Mapping[int, object]) -> None:
    """Answers the open questions for a battle card, once for each seat of `cards`."""
    left = dict(cards)
    while g.asked()[1] == Decision.BATTLE_CARD and g.asked()[0] in left:
        seat = g.asked()[0]
        g.card(seat, left.pop(seat))


def raise_stats(g: Scenario, *stats: str) -> None:
    """Answers the STAT questions that follow, in this order."""
    for stat in stats:
        seat, decision = g.asked()
        assert decision == Decision.STAT
        g.raise_stat(seat, stat)


def dead(g: Scenario, seat: int) -> int:
    """How many figures of the clan are in Valhalla."""
    return sum(g.figures(seat, Figure(kind), Place.VALHALLA) for kind in range(NUM_KINDS))


def offered(g: Scenario, kind: Figure) -> set[Place]:
    """The places from which a figure of this kind may be chosen now."""
    return {place for place in Place if place < Place.RESERVE and g.legal(figure_at(kind, place))}
