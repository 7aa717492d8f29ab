"""Names for people: clans, places, figures, cards, stats."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from ....text import counted
from .. import engine
from ..engine import CardSet, CardType, Cause, Figure, God, Phase, Place, Source, Stat, Token

CLANS: Final = ("Wolf", "Bear", "Serpent", "Raven", "Ram")  # by seat
CLAN_LETTERS: Final = ("W", "B", "S", "R", "Rm")  # Raven and Ram begin alike

PROVINCES: Final = tuple(place.name.capitalize() for place in Place if place < engine.FIRST_FJORD)
FJORDS: Final = tuple(f"{PROVINCES[2 * n]} and {PROVINCES[2 * n + 1]}" for n in range(engine.NUM_FJORDS))
PLACES: Final = (*PROVINCES, *(f"the fjord of {pair}" for pair in FJORDS), "the reserve", "Valhalla")

SEVERAL: Final = (Figure.WARRIOR, Figure.MYSTIC)  # kinds of which a clan has more than one figure
_KINDS: Final = ("leader", "warrior", "ship", "monster", "monster", "Mystic")

GODS: Final = tuple(god.name.capitalize() for god in God)
GOD_LABELS: Final[dict[int, str]] = {  # what a god does, in few words for the board
    God.ODIN: "token again",
    God.THOR: "2 glory per enemy",
    God.TYR: "only cards count",
    God.HEIMDALL: "cards face up",
    God.FRIGGA: "nobody dies",
    God.LOKI: "losers gain Axes",
}
STATS: Final = tuple(stat.name.capitalize() for stat in Stat)
TOKENS: Final = {
    Token.RAGE: "Rage",
    Token.AXES: "Axes",
    Token.HORNS: "Horns",
    Token.GLORY: "5 glory",
    Token.ALL_STATS: "all stats",
}
PHASES: Final = {
    Phase.GODS_GIFTS: "Gods' Gifts",
    Phase.ACTION: "Action",
    Phase.DISCARD: "Discard",
    Phase.QUEST: "Quest",
    Phase.RAGNAROK: "Ragnarok",
    Phase.VALHALLA: "Release of Valhalla",
    Phase.OVER: "End of the game",
}
SOURCES: Final = {
    Source.BATTLE: "battle",
    Source.PILLAGE: "pillage",
    Source.QUEST: "quests",
    Source.RAGNAROK: "Ragnarok",
    Source.RELEASE: "Valhalla",
    Source.BATTLE_CARDS: "battle cards",
    Source.UPGRADES: "upgrades",
    Source.END_BONUS: "stats",
    Source.GODS: "gods",
}


# Why figures are lost; a figure that destroys others when it arrives is named by itself.
CAUSES: Final = {
    **{cause: engine.TITLE[card] for cause, card in engine.KILLERS.items()},
    Cause.DEFEAT: "battle",
    Cause.RAGNAROK: "Ragnarok",
}


def listed(parts: Iterable[str]) -> str:
    """``a, b and c``; "nothing" for none."""
    items = list(parts)
    if len(items) < 2:
        return items[0] if items else "nothing"
    return f"{', '.join(items[:-1])} and {items[-1]}"


def rage_price(price: int) -> str:
    """``2 Rage``, or "free"."""
    return f"{price} Rage" if price else "free"


def end_bonus(step: int, new: int) -> str:
    """Return the glory at the end of the game for a stat that goes from one step to another (rules 1.5), or ""."""
    more = int(engine.STAT_BONUS[new] - engine.STAT_BONUS[step])
    return f" ({more} more glory at the end)" if more else ""


def kind_name(s: np.record, seat: int, kind: int) -> str:
    """Return the name of a figure kind of a clan without an article: "warrior", or the title of the monster's card."""
    if engine.TYPE_OF_KIND[kind] != CardType.MONSTER:
        return _KINDS[kind]
    card = s.upgrades[seat, engine.SLOT_OF_KIND[kind]]
    return _KINDS[kind] if card == engine.NONE else engine.TITLE[card]


def a_figure(s: np.record, seat: int, kind: int) -> str:
    """One figure of a kind: "a warrior", "the leader"."""
    return f"{'a' if kind in SEVERAL else 'the'} {kind_name(s, seat, kind)}"


def some_figures(s: np.record, seat: int, kind: int, count: int) -> str:
    """Return a number of figures of a kind: "2 warriors", "a warrior", "the ship"."""
    return a_figure(s, seat, kind) if count == 1 else counted(count, kind_name(s, seat, kind))


def supply(s: np.record, seat: int) -> int | None:
    """Return the number of Mystics of a clan that no card has brought yet (rules 6.4.4.1), or None in games without the
    set.
    """
    recruited = int(s.figures[seat, Figure.MYSTIC].sum())
    return engine.NUM_MYSTICS - recruited if int(s.sets) >> CardSet.MYSTICS & 1 else None


def face(card: int) -> str:
    """Return the title of a card. A quest has a face for each Age: its glory is added."""
    return (
        f"{engine.TITLE[card]} ({engine.QUEST_GLORY[card]} glory)"
        if engine.TYPE[card] == CardType.QUEST
        else engine.TITLE[card]
    )


def card_list(cards: Iterable[int]) -> str:
    """Return cards in the given order, separated by commas, or "none"."""
    return ", ".join(face(card) for card in cards) or "none"


def gods_text(s: np.record) -> str:
    """Return the gods of a game and their places: "Odin in Utgard, Tyr off the board", or "" without gods."""
    places = {int(god): PROVINCES[province] for province, god in enumerate(s.god_in) if god != engine.NONE}
    return ", ".join(
        f"{GODS[god]} in {places[god]}" if god in places else f"{GODS[god]} off the board"
        for god in s.gods.tolist()
        if god != engine.NONE
    )


def copies(counts: Iterable[int]) -> list[int]:
    """Return card ids in rising order, each as often as `counts`, an array by card id, contains it."""
    return [card for card, count in enumerate(counts) for _ in range(count)]


def outcome(s: np.record) -> str:
    """Return the winner of a game that is over: "Bear wins with 15 glory." (rules 5)."""
    glory = [int(n) for n in s.glory[: s.num_players]]
    best = [CLANS[seat] for seat, n in enumerate(glory) if n == max(glory)]
    cut = " The game was cut off." if s.truncated else ""
    return f"{listed(best)} {'wins' if len(best) == 1 else 'share the victory'} with {max(glory)} glory.{cut}"
