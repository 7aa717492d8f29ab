"""Descriptions of cards from the card table, for documents, the terminal, the command `cards` and the page."""

import textwrap
from typing import Final, NamedTuple

from .. import engine
from ..engine import Act, Attack, Effect, Element, Part
from .words import ELEMENTS

WIDTH: Final = 98

# The keywords of rules 7 and 12, and those that have a number.
KEYWORDS: Final = {Effect[each.effect.upper()]: each.word for each in engine.CARD_WORDS if not each.text}
_NUMBERED: Final = {Effect[each.effect.upper()] for each in engine.CARD_WORDS if each.most and not each.text}
_ATTACKS: Final = {Attack[name]: word for name, word in engine.ATTACK_WORDS.items()}


class Keyword(NamedTuple):
    """A keyword of a card; `value` is None where it has no number."""

    name: str
    value: int | None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name} {self.value}"


class Description(NamedTuple):
    """The printed facts of a card (rules 1.3)."""

    card: int
    title: str
    element: str
    classes: tuple[str, ...]
    unique: bool
    elite: bool
    cost: int  # gold for an elite card, gold or silver for a common one
    life: int
    movement: int
    strike: tuple[int, int, int]  # weak, medium, strong
    keywords: tuple[Keyword, ...]
    taps: tuple[str, ...]  # tap abilities, with their numbers
    text: str  # what else the card does, "" if nothing

    @property
    def kind(self) -> str:
        """Element, classes and uniqueness: "mountain, Gnome, unique"."""
        return ", ".join([self.element, *self.classes, *["unique"] * self.unique])

    @property
    def price(self) -> str:
        """Rank and cost: "elite, 8 gold"; the demon and the angel can't be bought."""
        if self.card >= engine.NUM_CARDS:
            return "in no deck"
        return f"elite, {self.cost} gold" if self.elite else f"{self.cost} crystals"

    @property
    def numbers(self) -> str:
        """Life, movement and the simple strike: "life 14, movement 1, strike 3-4-5"."""
        return f"life {self.life}, movement {self.movement}, strike {'-'.join(map(str, self.strike))}"


def describe(card: int) -> Description:
    """Return the description of a card. Raise ValueError for an unknown number."""
    if not 0 <= card < len(engine.TITLE) or not engine.TITLE[card]:
        raise ValueError(f"there is no card {card}")
    weak, medium, strong = (int(each) for each in engine.ABILITIES[Part.WEAK : Part.STRONG + 1, card, Act.STRIKE])
    keywords = [
        Keyword(name, int(engine.EFFECTS[effect, card]) if effect in _NUMBERED else None)
        for effect, name in sorted(KEYWORDS.items())
        if engine.EFFECTS[effect, card]
    ]
    return Description(
        card=card,
        title=engine.TITLE[card],
        element=ELEMENTS[Element(int(engine.ELEMENT[card]))],
        classes=tuple(filter(None, engine.CLASSES[card].split(";"))),
        unique=bool(engine.UNIQUE[card]),
        elite=bool(engine.ELITE[card]),
        cost=int(engine.COST[card]),
        life=int(engine.LIFE[card]),
        movement=int(engine.MOVEMENT[card]),
        strike=(weak, medium, strong),
        keywords=tuple(keywords),
        taps=tuple(act_text(card, act) for act in Act if act != Act.STRIKE and _does(card, act) != Attack.NOTHING),
        text=engine.TEXT[card],
    )


def act_text(card: int, act: int) -> str:
    """Return the action of a card: "shot 1-2-3, range 4"."""
    parts = engine.ABILITIES[:, card, act]
    forces = "-".join(str(each) for each in parts[Part.WEAK : Part.STRONG + 1])
    attack = _does(card, act)
    if attack == Attack.SIMPLE:
        return f"simple strike {forces}"
    text = _ATTACKS[attack]
    if attack < Attack.SPELL or attack in (Attack.HEAL, Attack.WOUND):
        text += f" {forces if parts[Part.ROLLED] else parts[Part.WEAK]}"
    if parts[Part.RANGE] != engine.UNLIMITED:
        text += f", range {parts[Part.RANGE]}"
    return text + (", 1 token" if parts[Part.COST] else ", any number of tokens" if parts[Part.ANY_COST] else "")


def _does(card: int, act: int) -> Attack:
    return Attack(int(engine.ABILITIES[Part.ATTACK, card, act]))


def card_facts(card: int) -> str:
    """Return the facts of a card without its kind and text: "elite, 8 gold, life 14, movement 1, strike 3-4-5, armour
    2".
    """
    facts = describe(card)
    return ", ".join([facts.price, facts.numbers, *["unique"] * facts.unique, *map(str, facts.keywords), *facts.taps])


def card_row(head: str, card: int) -> list[str]:
    """Return `head` with `card_facts` beside it, wrapped and indented."""
    return beside(head, card_facts(card))


def beside(head: str, text: str) -> list[str]:
    """Return a text in a column of its own, to the right of `head`."""
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)) or [head.rstrip()]


def card_lines(card: int) -> list[str]:
    """Return the full description of a card: kind, cost, numbers, keywords, tap abilities, text."""
    facts = describe(card)
    parts = [", ".join([facts.numbers, *map(str, facts.keywords)]), f"tap: {'; or '.join(facts.taps)}", facts.text]
    if not facts.taps:
        del parts[1]
    return [f"{facts.title}: {facts.kind}, {facts.price}", *(line for part in parts for line in _indented(part))]


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
