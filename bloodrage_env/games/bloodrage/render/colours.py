"""The colours of pictures.

Clans differ in colour, by a palette that the colour-blind can tell apart, in the shape of their badge and in a letter;
kinds of figure in their silhouette. No information is in a colour alone. `DARK` has the colours of the dark mode.
"""

from typing import Final

from ....render.shapes import INK
from ..engine import Region, Token

FAINT: Final = "#6d665a"
PAPER: Final = "#f3efe6"
WHITE: Final = "#ffffff"
LINE: Final = "#c9c1b0"
SEA: Final = "#3f86a3"
SHALLOWS: Final = "#7fb9c8"
WAVE: Final = "#b9dde4"
SAND: Final = "#efdfb4"
SHORE: Final = "#857a63"
RUIN: Final = "#453f3c"
RUIN_INK: Final = "#d8d2c6"
EMBER: Final = "#d8662c"
DOOM: Final = "#b3140f"
ALARM: Final = "#ffd34d"
REGION_INK: Final = "#4a3f2c"
BANNER: Final = "#5b2320"
BANNER_INK: Final = "#fff1d6"
WOOD: Final = "#6b4a2b"
THATCH: Final = "#8a6238"
STEEL: Final = "#7c8894"
IRON: Final = "#39424c"
BONE: Final = "#f6efdd"
GOLD: Final = "#c9971f"
CLAN_FILL: Final = ("#f6c945", "#c23b12", "#20a67f", "#1f52ad", "#d07fc6")  # by seat
CLAN_INK: Final = (INK, WHITE, INK, WHITE, INK)
REGION_FILL: Final = {
    Region.MANHEIM: "#e2c477",
    Region.JOTUNHEIM: "#b3bccb",
    Region.ALFHEIM: "#8fb56c",
    Region.YGGDRASIL: "#f1e3b4",
}
REGION_MARK: Final = {  # of what grows or rises there: its dark and its light side
    Region.MANHEIM: ("#b8913d", "#cda94f"),
    Region.JOTUNHEIM: ("#7b8798", "#f4f7fa"),
    Region.ALFHEIM: ("#4d7d40", "#659a50"),
    Region.YGGDRASIL: ("#4f8a3c", "#74ab53"),
}
DARK: Final = {
    SEA: "#16394b",
    SHALLOWS: "#245468",
    WAVE: "#3d7488",
    SAND: "#8a7c58",
    SHORE: "#4f4838",
    RUIN: "#1f1c1b",
    RUIN_INK: "#b5aea2",
    REGION_INK: "#ddd2bb",
    BANNER: "#3f1816",
    "#e2c477": "#6f5d30",
    "#b3bccb": "#4c5361",
    "#8fb56c": "#3d5530",
    "#f1e3b4": "#6d6344",
    "#b8913d": "#8a7038",
    "#cda94f": "#94793c",
    "#7b8798": "#69748a",
    "#f4f7fa": "#a3aebd",
    "#4d7d40": "#2c4a26",
    "#659a50": "#4a7039",
    "#4f8a3c": "#2f5526",
    "#74ab53": "#4f7d3a",
}
TOKEN_TEXT: Final = {
    Token.RAGE: "Rage +1",
    Token.AXES: "Axes +1",
    Token.HORNS: "Horns +1",
    Token.GLORY: "5 glory",
    Token.ALL_STATS: "all stats +1",
}
