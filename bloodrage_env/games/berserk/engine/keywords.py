"""The words of card texts: keywords, and the attacks of tap abilities (rules 5, 7, 12).

Descriptions of cards use these words, and tables of own cards are written with them (`own.py`).
"""

from typing import Final, NamedTuple


class Word(NamedTuple):
    """A keyword: its name, its effect in the column `effects` of the card table, and its largest number.

    The number follows the word, or is in the place of "{}". What begins with "formation: " makes the card a partner.
    """

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
    Word("formation: armour", "formation_armour", 2, "In formation: armour {}."),
    Word("formation: defence experience", "formation_defence", 2, "In formation: defence experience {}."),
    Word("formation: +{} to simple strikes", "formation_strike", 3, "In formation its simple strikes are {} stronger."),
    Word("formation: -{} from simple strikes", "formation_from_simple", 3,
         "In formation simple strikes at it are {} weaker."),
    Word("formation: -{} from shots and throws", "formation_from_missiles", 3,
         "In formation shots and throws at it are {} weaker."),
    Word("directed against closed cards", "directed_vs_closed", 0, "Directed against closed cards."),
    Word("directed against mountain cards", "directed_vs_mountain", 0, "Directed against mountain cards."),
    Word("+{} against closed cards", "strike_vs_closed", 3, "Its simple strikes at closed cards are {} stronger."),
    Word("+{} against mountain cards", "strike_vs_mountain", 3,
         "Its simple strikes at mountain cards are {} stronger."),
    Word("+{} against defenders", "strike_vs_defender", 3, "Its simple strikes at named defenders are {} stronger."),
    Word("-{} from ranged attacks", "from_ranged", 3, "Ranged attacks at it are {} weaker."),
    Word("-{} from diagonal strikes", "from_diagonal", 3, "Strikes from a card that stands diagonally are {} weaker."),
    Word("-{} from directed strikes", "from_directed", 3, "Directed strikes at it are {} weaker."),
    Word("simple strikes are reduced to weak", "simple_to_weak", 0, "Simple strikes at it are weak."),
    Word("shots are reduced to weak", "shot_to_weak", 0, "Shots at it are weak."),
    Word("throws are reduced to weak", "throw_to_weak", 0, "Throws at it are weak."),
    Word("discharges are reduced to weak", "discharge_to_weak", 0, "Discharges at it are weak."),
    Word("gives vulnerability", "gives_vulnerability", 0, "Its simple strikes give vulnerability."),
    Word("takes protection from shots", "takes_shot_protection", 0, "Its simple strikes take protection from shots."),
    Word("takes protection from poison", "takes_poison_protection", 0,
         "Its simple strikes take protection from poison."),
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
    "WOUND": "wound",
    "BONFIRE": "light a bonfire",
    "TOKEN": "gain a token",
    "DIRECTED": "gain directed",
}
