"""The words of card texts: keywords, and the attacks of tap abilities (rules 5, 7, 12).

Descriptions of cards use these words, and tables of own cards are written with them (`own.py`).
"""

from typing import Final, NamedTuple


class Word(NamedTuple):
    """A keyword: its name, its effect in the column `effects` of the card table, and its largest number."""

    word: str
    effect: str
    most: int = 0  # 0: it has no number
    text: str = ""  # in place of the keyword, in the text of a card; "{}" is the number


CARD_WORDS: Final = (
    Word("directed", "directed"),
    Word("attack experience", "attack_experience", 2),
    Word("defence experience", "defence_experience", 2),
    Word("armour", "armour", 2),
    Word("regeneration", "regeneration", 3),
    Word("formation", "formation"),
    Word("protection from shots", "protection_shot"),
    Word("protection from throws", "protection_throw"),
    Word("protection from discharges", "protection_discharge"),
    Word("protection from spells", "protection_spell"),
    Word("protection from magic", "protection_magic"),
    Word("protection from poison", "protection_poison"),
    Word("protection from weak simple strikes", "protection_weak"),
    Word("vanguard", "vanguard"),
    Word("vulnerability", "vulnerability"),
    Word("incorporeal", "incorporeal"),
    Word("flyer", "flyer"),
    Word("experience in shots", "shot_experience", 2),
    Word("experience in throws", "throw_experience", 2),
    Word("experience in discharges", "discharge_experience", 2),
    Word("formation: protection from poison", "formation_protection_poison", 0, "In formation: poison protection."),
    Word("opening: tokens", "opening_tokens", 2, "Whenever it opens it gains tokens: {}."),
    Word("opening: healing", "opening_healing", 3, "Whenever it opens it heals {}."),
)  # fmt: skip

# By the name of `Attack`, what a tap ability is called.
ATTACK_WORDS: Final = {
    "SPECIAL": "special strike",
    "ACROSS": "strike across a row",
    "SHOT": "shot",
    "THROW": "throw",
    "MAGIC_STRIKE": "magic strike",
    "DISCHARGE": "discharge",
    "SPELL": "spell",
    "HEAL": "heal",
    "BONFIRE": "light a bonfire",
    "TOKEN": "gain a token",
    "DIRECTED": "gain directed",
}
