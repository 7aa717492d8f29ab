"""What pages and prompts say of a mode of the game: of two squads, of teams, of the Battle for Laar."""

from typing import Final

from ....text import counted
from ..engine import ANGEL, BEGINS, DEMON, EFFECTS, LAAR, TITLE, Effect
from ..mode import TEAM

_BUYS: Final = (
    "buys cards of a deal, elite ones for gold, others for gold or silver, and places them face down in its own"
)

BEINGS: dict[str, str] = {}  # what rules say of the demon and the angel

if LAAR:
    _ALONE, _AGAINST_PLAYER, _WITHOUT_MOUNTAIN = BEGINS[0]
    _LIFE = (
        f"The demon begins with life {_AGAINST_PLAYER} if it has a player, otherwise with life {_ALONE} against a deck "
        f"with a mountain card and {_WITHOUT_MOUNTAIN} against any other."
    )
    BEINGS = {
        "demon": TITLE[DEMON], "angel": TITLE[ANGEL], "life": _LIFE,
        "power": counted(int(EFFECTS[Effect.STORM, DEMON]), "wound"),
        "heals": counted(int(EFFECTS[Effect.HEAL_ALLIES, ANGEL]), "wound"),
    }  # fmt: skip
    ABOUT = (
        f"A squad and the angel {TITLE[ANGEL]} fight the demon {TITLE[DEMON]}, which wounds all creatures in "
        "each of its turns. For two players, or for one."
    )
    HELP = (
        f"A squad and the angel {TITLE[ANGEL]} fight the demon {TITLE[DEMON]} on a board of six rows of five cells. "
        "Dice decide who has the first turn. Of two players the first one has the angel and the second one the demon; "
        "a player alone has the angel, and the demon stays where it is and only strikes back. The angel's player "
        f"{_BUYS} half: the middle first. It has 12 silver less. Then all cards are turned up. {_LIFE}",
        "As the demon's turn starts every card on the board is wounded, the demon too. When a simple strike of the "
        "angel has landed, all other cards of her side heal. The demon's side has lost when the demon is dead, the "
        "angel's when all of its cards are. After the last turn nobody wins.",
    )
elif TEAM > 1:
    ABOUT = "Four squads fight in two teams, A and C against B and D, until one team is dead."
    HELP = (
        "Two teams of two players fight on a board of six rows of ten cells: A and C against B and D. Dice decide the "
        f"order of turns, in which the teams alternate. Each player {_BUYS} quarter: the middle first. Cards left face "
        "down are turned up in the first turn of their owner.",
        "A partner's card is neither an own card nor an enemy: it can't be attacked, and what helps own cards does not "
        "help it. Whoever names no defender leaves that to the partner. A player without cards is passed over. A team "
        "that has no card left has lost. After the last turn nobody wins.",
    )
else:
    ABOUT = "Two squads, placed face down, fight until one is left."
    HELP = (
        "Two squads fight on a board of six rows of five cells until one is left. Each player "
        f"{_BUYS} half: the middle first. Cards left face down are turned up in Second's first turn.",
        "Whoever has no card left has lost. After the last turn nobody wins.",
    )
