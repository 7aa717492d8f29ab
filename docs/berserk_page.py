"""The page of Berserk's cards, from the tables in the code (`generate.py` writes it)."""

from collections.abc import Callable, Iterable, Sequence

from bloodrage_env.berserk.engine import (
    ABILITIES,
    COLUMNS,
    COST,
    DECKS,
    EFFECTS,
    ELEMENT,
    ELITE,
    HOME_CELLS,
    LIFE,
    MOVEMENT,
    NONE,
    NUM_CARDS,
    SQUADS,
    TEXT,
    TITLE,
    UNIQUE,
    Act,
    Attack,
    Effect,
    Element,
    Part,
)

Table = Callable[[Sequence[str], Iterable[Sequence[object]]], str]

# Keywords that stand in a column of their own; the number only where it may differ.
KEYWORDS = {
    Effect.DIRECTED: "directed", Effect.ATTACK_EXPERIENCE: "attack experience {}",
    Effect.DEFENCE_EXPERIENCE: "defence experience {}", Effect.ARMOUR: "armour {}",
    Effect.REGENERATION: "regeneration {}", Effect.PROTECTION_SHOT: "protection from shots",
    Effect.PROTECTION_DISCHARGE: "protection from discharges", Effect.PROTECTION_SPELL: "protection from spells",
    Effect.PROTECTION_MAGIC: "protection from magic", Effect.PROTECTION_POISON: "protection from poison",
    Effect.PROTECTION_WEAK: "protection from weak simple strikes", Effect.FORMATION: "formation",
}  # fmt: skip


def keywords(card: int) -> str:
    """The keywords of a card, with its rank of uniqueness."""
    words = ["unique"] * int(UNIQUE[card])
    words += [text.format(EFFECTS[each, card]) for each, text in KEYWORDS.items() if EFFECTS[each, card]]
    return ", ".join(words)


def taps(card: int) -> str:
    """The tap abilities of a card, with their numbers."""
    found = []
    for act in (Act.ABILITY_1, Act.ABILITY_2, Act.ABILITY_3):
        parts = ABILITIES[:, card, act]
        attack = Attack(int(parts[Part.ATTACK]))
        if attack == Attack.NOTHING:
            continue
        numbers = [str(each) for each in parts[Part.WEAK : Part.STRONG + 1]]
        strength = "-".join(numbers) if parts[Part.ROLLED] else numbers[0]
        words = attack.name.lower().replace("_", " ")
        found.append(f"{words} {strength}" if attack < Attack.SPELL else words)
    return "; ".join(found)


def cards_page(table: Table, template: str, note: str) -> str:
    """Return `berserk/cards.md`."""
    tables = []
    for element in Element:
        rows = [
            [
                card, TITLE[card], "elite" if ELITE[card] else "common", COST[card], LIFE[card], MOVEMENT[card],
                "-".join(str(each) for each in ABILITIES[Part.WEAK : Part.STRONG + 1, card, Act.STRIKE]),
                keywords(card), taps(card), TEXT[card], " / ".join(str(deck[card]) for deck in DECKS.values()),
            ]
            for card in range(NUM_CARDS)
            if ELEMENT[card] == element
        ]  # fmt: skip
        head = ["id", "card", "rank", "cost", "life", "movement", "simple strike", "keywords", "taps", "text", "decks"]
        tables.append(f"## {element.name.capitalize()}\n\n{table(head, rows)}")
    return template.format(
        note=note,
        cards=NUM_CARDS,
        decks=", ".join(f"`{name}`" for name in DECKS),
        tables="\n\n".join(tables),
        squads="\n\n".join(squad_table(name, table) for name in SQUADS),
    )


def squad_table(name: str, table: Table) -> str:
    """A squad as it stands, first row first."""
    rows = []
    for word, start in zip(("first", "second", "third"), range(HOME_CELLS - COLUMNS, -1, -COLUMNS), strict=True):
        cards = SQUADS[name][start : start + COLUMNS]
        rows.append([word, *(TITLE[card] if card != NONE else "" for card in cards)])
    return table([f"`{name}`", *(str(column) for column in range(COLUMNS))], rows)
