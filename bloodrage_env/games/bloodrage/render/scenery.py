"""The land and everything on it except figures: gods, icons, huts, plants, Yggdrasil, badges and banners of clans."""

from collections.abc import Mapping
from typing import Final

from ....render.shapes import INK, Path
from ..engine import God, Region, Token
from .colours import BONE, CLAN_FILL, CLAN_INK, EMBER, GOLD, IRON, REGION_MARK, STEEL, THATCH, WHITE, WOOD
from .silhouettes import Drawing

_ROBE: Final = "M-11 19Q-12 2 -7 -4Q0 -8 7 -4Q12 2 11 19Z"
_HEAD: Final = "M-5 -9Q-5 -15 0 -15Q5 -15 5 -9Q4 -3 0 -3Q-4 -3 -5 -9Z"
_SKIN: Final = "#e8c9a4"
_GREY: Final = "#dcdcdc"


def _part(path: str, fill: str, width: float = 0.8) -> Path:
    return Path(path, fill, INK, width)


def _stroke(path: str, colour: str, width: float) -> Path:
    return Path(path, None, colour, width)


def _god(robe: str, *parts: Path) -> Drawing:
    """A god has a glow and is larger than figures."""
    glow = Path("M-17 20Q-22 -6 -13 -18Q0 -28 13 -18Q22 -6 17 20Q0 25 -17 20Z", "#fff3b8", "#d9a92b", 1)
    return (glow, _part(_ROBE, robe, 1), _part(_HEAD, _SKIN), *parts)


GODS: Final[Mapping[int, Drawing]] = {  # in a square from -20 to 20
    God.ODIN: _god(
        "#3b4f7a",
        _part("M-10 -11Q-5 -14 -4 -21L4 -21Q5 -14 10 -11Q0 -15 -10 -11Z", "#26324e"),
        _part("M-4.5 -7Q-5 6 0 8Q5 6 4.5 -7Q0 -3 -4.5 -7Z", _GREY),
        _stroke("M-4 -11L-1 -8", INK, 1.3),
        _stroke("M14 18L14 -17", WOOD, 1.8),
        _part("M11.5 -14L14 -22L16.5 -14Z", STEEL),
    ),
    God.THOR: _god(
        "#8c2f2a",
        _part("M-5 -8Q-6 3 0 4Q6 3 5 -8Q0 -4 -5 -8Z", "#c9822f"),
        _part("M-6 -10Q-6 -17 0 -17Q6 -17 6 -10Z", STEEL),
        _part("M-6 -13L-12 -17L-10 -10ZM6 -13L12 -17L10 -10Z", WHITE),
        _stroke("M14 8L14 -6", WOOD, 2.4),
        _part("M8 -13L20 -13L20 -5L8 -5Z", STEEL),
    ),
    God.TYR: _god(
        "#5b6168",
        _part("M-6 -9Q-6 -16 0 -16Q6 -16 6 -9L3 -11L-3 -11Z", IRON),
        _part("M-15 0L-4 0L-4 8Q-5 13 -9.5 15Q-14 13 -15 8Z", BONE),
        _stroke("M-9.5 2L-9.5 12M-13 6L-6 6", IRON, 1.2),
        _part("M12 12L12 -12L14 -17L16 -12L16 12Z", STEEL),
        _stroke("M9 9L19 9", WOOD, 2),
    ),
    God.HEIMDALL: _god(
        "#d8c26a",
        _part("M-6 -9Q-6 -16 0 -16Q6 -16 6 -9L0 -12Z", GOLD),
        _part("M4 -6Q12 -6 15 -14L20 -10Q15 0 5 -2Z", BONE),
        _stroke("M-13 18L-13 -16", WOOD, 1.8),
        _part("M-15.5 -12L-13 -20L-10.5 -12Z", STEEL),
    ),
    God.FRIGGA: _god(
        "#3f7a63",
        _part("M-6 -10Q-6 -16 0 -16Q6 -16 6 -10Q9 -2 8 6Q5 2 5 -8Q0 -13 -5 -8Q-5 2 -8 6Q-9 -2 -6 -10Z", "#e2b94a"),
        _part("M-5 -15L-4 -20L-1.5 -17L0 -21L1.5 -17L4 -20L5 -15Z", GOLD),
        _part("M-6 3Q0 12 6 3Q4 0 0 4Q-4 0 -6 3Z", "#f0b7b7"),
    ),
    God.LOKI: _god(
        "#2f6a35",
        _part("M-6 -10Q-6 -16 0 -16Q6 -16 6 -10Q0 -13 -6 -10Z", GOLD),
        _part("M-5 -13Q-14 -14 -11 -23Q-9 -17 -3 -16ZM5 -13Q14 -14 11 -23Q9 -17 3 -16Z", GOLD),
        _stroke("M-2 -6Q0 -4.6 3 -6.5", INK, 1),
        _part("M-14 10Q-19 2 -13 -3Q-8 2 -11 9Z", EMBER),
        _part("M-13.4 7Q-15 3 -13 0Q-11 3 -12 7Z", "#ffe36b", 0.4),
    ),
}

_FLAME: Final = "M0 -9Q7 -3 6 3Q5 9 0 9Q-5 9 -6 3Q-5 0 -3 -1Q-3 2 -1 2Q2 -2 0 -9Z"
_AXE: Final = "M0 -8Q9 -9 9 1Q4 -3 -1 -1Z"
_HORNS: Final = "M-9 -7Q-9 5 0 6Q9 5 9 -7Q6 0 2 1L-2 1Q-6 0 -9 -7Z"
_STAR: Final = "M0 -9L2.6 -3L9 -2.6L4 1.5L5.8 8L0 4.4L-5.8 8L-4 1.5L-9 -2.6L-2.6 -3Z"
RAGE: Final[Drawing] = (Path(_FLAME, "#c0392b", INK, 0.7),)
AXES: Final[Drawing] = (_stroke("M-5 9L4 -8", WOOD, 2.4), Path(_AXE, STEEL, INK, 0.8))
HORNS: Final[Drawing] = (Path(_HORNS, "#b98f4a", INK, 0.8), Path("M-2 1L2 1L2 5.6Q0 6.2 -2 5.6Z", IRON))
GLORY: Final[Drawing] = (Path(_STAR, GOLD, INK, 0.7),)
ICONS: Final[Mapping[str, Drawing]] = {"rage": RAGE, "axes": AXES, "horns": HORNS, "glory": GLORY}


def _small(drawing: Drawing, x: float, y: float) -> Drawing:
    return tuple(part._replace(x=x, y=y, scale=0.62) for part in drawing)


TOKENS: Final[Mapping[int, Drawing]] = {  # in a square from -10 to 10
    Token.RAGE: RAGE,
    Token.AXES: AXES,
    Token.HORNS: HORNS,
    Token.GLORY: GLORY,
    Token.ALL_STATS: (*_small(RAGE, -5, -4), *_small(AXES, 6, -4), *_small(HORNS, 0, 6)),
}

HUT: Final[Drawing] = (
    Path("M-9 9L-9 1L0 -7L9 1L9 9Z", WOOD),
    Path("M-12 2L0 -9L12 2L9.6 4L0 -4.6L-9.6 4Z", THATCH),
    Path("M-2.6 9L-2.6 3L2.6 3L2.6 9Z", "#2b1c10"),
    _stroke("M-3 -9.6L0 -6.4L3 -9.6", THATCH, 1.5),
)
BURNT: Final[Drawing] = (
    Path("M-9 9L-8 3L-5 5L-3 0L0 5L4 1L6 6L9 4L9 9Z", "#2b2421"),
    _stroke("M-8 3L-2 -5M8 4L3 -4", "#2b2421", 1.8),
    _stroke("M-2 -7Q-5 -11 -1 -13Q2 -15 0 -18M4 -6Q7 -9 4 -12", "#8d857b", 1.5),
    Path("M-1 8Q-4 5 0 1Q3 5 1 8Z", EMBER),
)
CRACKS: Final[Drawing] = (
    _stroke("M-16 6L-9 -2L-5 3L2 -7L6 0L14 -6", EMBER, 1.6),
    _stroke("M-5 3L-7 9M6 0L9 7", EMBER, 1.2),
)
WAVE: Final[Drawing] = (_stroke("M-8 0Q-5 -4 -2 0Q1 -4 4 0Q6 -3 8 -1", "#b9dde4", 1.3),)


def _tuft(region: Region) -> Drawing:
    dark, light = REGION_MARK[region]
    return (_stroke("M-5 4L-6 -3M-2 4L-2 -5M1 4L2 -4M4 4L6 -2", dark, 1.4), _stroke("M-3 4L-4 -4M0 4L0 -5", light, 1.2))


def _mountain(region: Region) -> Drawing:
    dark, light = REGION_MARK[region]
    return (
        Path("M-12 8L-2 -9L3 -2L6 -6L13 8Z", dark),
        Path("M-2 -9L-5.5 -3L-3 -4.4L-1 -2L1 -4.6ZM6 -6L4 -3L6 -3.6L7.6 -3Z", light),
    )


def _fir(region: Region) -> Drawing:
    dark, light = REGION_MARK[region]
    return (Path("M-1 10L-1 5L1 5L1 10Z", WOOD), Path("M0 -11L7 6L-7 6Z", dark), Path("M0 -11L-7 6L-1 6Z", light))


GROWTH: Final[Mapping[int, Drawing]] = {  # what tells a region
    Region.MANHEIM: _tuft(Region.MANHEIM),
    Region.JOTUNHEIM: _mountain(Region.JOTUNHEIM),
    Region.ALFHEIM: _fir(Region.ALFHEIM),
}


def _tree() -> Drawing:
    """Return Yggdrasil in a box from -110 to 110 and from -90 to 90: roots, trunk, boughs and crown."""
    dark, light = REGION_MARK[Region.YGGDRASIL]
    crown = ((-78, -34, 34), (-44, -58, 38), (0, -66, 42), (46, -58, 38), (80, -34, 34), (-20, -36, 36), (26, -36, 36))
    trunk = (
        "M-17 62Q-9 20 -14 -6Q-40 -14 -66 -34Q-36 -24 -15 -22Q-18 -40 -30 -54Q-10 -44 -4 -28Q2 -46 0 -66"
        "Q12 -46 8 -24Q22 -40 38 -50Q26 -34 16 -18Q44 -22 70 -36Q48 -10 14 -4Q10 20 18 62"
        "Q34 74 66 76Q34 84 10 74Q4 84 0 88Q-4 82 -8 74Q-36 86 -66 78Q-32 74 -17 62Z"
    )
    return (
        *(Path(_round(x, y, r), dark) for x, y, r in crown),
        *(Path(_round(x - 6, y - 7, r * 0.72), light) for x, y, r in crown),
        Path(trunk, "#7a5430", INK, 1),
        _stroke("M-5 60Q0 30 -3 0M6 58Q4 34 6 6", "#5a3b1e", 1.6),
    )


def _round(x: float, y: float, r: float) -> str:
    """Return a circle as four curves."""
    k = 0.5523 * r
    return (
        f"M{x - r:g} {y:g}C{x - r:g} {y - k:g} {x - k:g} {y - r:g} {x:g} {y - r:g}"
        f"C{x + k:g} {y - r:g} {x + r:g} {y - k:g} {x + r:g} {y:g}"
        f"C{x + r:g} {y + k:g} {x + k:g} {y + r:g} {x:g} {y + r:g}"
        f"C{x - k:g} {y + r:g} {x - r:g} {y + k:g} {x - r:g} {y:g}Z"
    )


TREE: Final[Drawing] = _tree()
# The badge of each clan, which has its letter, in a square from -10 to 10: its shape tells the clan too.
BADGES: Final = (
    _round(0, 0, 9.5),
    "M-9 -9L9 -9L9 9L-9 9Z",
    "M0 -12L12 0L0 12L-12 0Z",
    "M-10 -9L10 -9L10 -1Q9 7 0 11Q-9 7 -10 -1Z",
    "M-8 -10L8 -10L14 0L8 10L-8 10L-14 0Z",
)
SWORDS: Final[Drawing] = (
    _stroke("M-8 8L7 -7M8 8L-7 -7", IRON, 2.6),
    _stroke("M-9 3L-4 8M9 3L4 8", WOOD, 2.4),
)


def _banner(seat: int, *device: Path) -> Drawing:
    """A cloth in the colour of a clan with the head of its animal, in a frame from -16 to 16 by -20 to 20."""
    cloth = (
        _part("M-12 -15H12V17L0 11L-12 17Z", CLAN_FILL[seat], 1.2),
        _stroke("M-9.5 -15V12.6L0 8.2L9.5 12.6V-15", CLAN_INK[seat], 0.7),
        _part("M-15 -18.5H15V-15H-15Z", WOOD),
    )
    return (*cloth, *(part._replace(y=part.y - 3.2, scale=0.82) for part in device))


def _device(seat: int, path: str) -> Path:
    return Path(path, CLAN_INK[seat])


def _cut(seat: int, path: str) -> Path:
    return Path(path, CLAN_FILL[seat])


BANNERS: Final[tuple[Drawing, ...]] = (  # by seat: wolf, bear, serpent, raven, ram
    _banner(
        0,
        _device(0, "M-9 -13L-3.5 -7.5H3.5L9 -13L10 -2L7 3L4 9L0 12L-4 9L-7 3L-10 -2Z"),
        _cut(0, "M-7 -2L-2 1L-5 2.5ZM7 -2L2 1L5 2.5ZM-2 7H2L0 9.5Z"),
    ),
    _banner(
        1,
        _device(
            1,
            "M-10 -8Q-10 -13 -6 -12.5Q-3.5 -12 -3 -10Q0 -11 3 -10Q3.5 -12 6 -12.5Q10 -13 10 -8Q10 -6 8.6 -4.6"
            "Q10 0 8.5 4Q5.5 10.5 0 10.5Q-5.5 10.5 -8.5 4Q-10 0 -8.6 -4.6Q-10 -6 -10 -8Z",
        ),
        _cut(1, "M-5.5 -3.5H-2.5V-0.5H-5.5ZM5.5 -3.5H2.5V-0.5H5.5ZM-4 5Q0 0 4 5Q3 9 0 9Q-3 9 -4 5Z"),
        _device(1, "M-2 4H2L0 6.6Z"),
    ),
    _banner(
        2,
        _stroke("M-8 9Q7 13 7 6Q6.5 1 -1 0Q-8 -1.5 -7 -7Q-5 -12 3 -11", CLAN_INK[2], 4.2),
        _device(2, "M1 -14Q10 -14.5 11.5 -9Q7 -6 1 -8Z"),
        _cut(2, "M5 -12H7.4V-10H5Z"),
    ),
    _banner(
        3,
        _device(3, "M-11 10Q-5 3 -4 -3Q-3 -12 4 -12Q8 -12 8.6 -9L13 -6.5L8.6 -5.5Q9 2 3 7L-3 10L-8 13Z"),
        _cut(3, "M3.4 -9.6H6V-7H3.4ZM-5 7Q2 4 3 -3Q-1 2 -5 7Z"),
    ),
    _banner(
        4,
        _stroke("M-2.5 -7Q-8 -13 -11 -6Q-12 1 -7.5 1Q-5 0 -6.5 -3.5", CLAN_INK[4], 3.4),
        _stroke("M2.5 -7Q8 -13 11 -6Q12 1 7.5 1Q5 0 6.5 -3.5", CLAN_INK[4], 3.4),
        _device(4, "M-4.5 -8Q0 -10.5 4.5 -8L4 3Q3 10.5 0 11Q-3 10.5 -4 3Z"),
        _cut(4, "M-3.4 -3L-1 -2L-3 -0.6ZM3.4 -3L1 -2L3 -0.6ZM-1.6 7H1.6L0 8.6Z"),
    ),
)
