"""The page of Berserk's cards, from the tables in the code (`generate.py` writes it)."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import Element
from bloodrage_env.games.berserk.notation.cards import Description, describe
from bloodrage_env.games.berserk.notation.words import difference_rows

Table = Callable[[Sequence[str], Iterable[Sequence[object]]], str]


def cards_page(table: Table, template: str, note: str) -> str:
    """Return `berserk/cards.md`."""
    tables = []
    for element in Element:
        rows = [_row(describe(card)) for card in range(engine.NUM_CARDS) if engine.ELEMENT[card] == element]
        head = ["id", "card", "rank", "cost", "life", "movement", "simple strike", "keywords", "taps", "text", "decks"]
        tables.append(f"## {element.name.capitalize()}\n\n{table(head, rows)}")
    return template.format(
        note=note,
        cards=engine.NUM_CARDS,
        decks=", ".join(f"`{name}`" for name in engine.DECKS),
        tables="\n\n".join(tables),
        squads="\n\n".join(squad_table(name, table) for name in engine.SQUADS),
    )


def _row(card: Description) -> list[object]:
    """The row of a card, with its copies in each deck."""
    return [
        card.card, card.title, "elite" if card.elite else "common", card.cost, card.life, card.movement,
        "-".join(map(str, card.strike)), ", ".join([*["unique"] * card.unique, *map(str, card.keywords)]),
        "; ".join(card.taps), card.text, "/".join(str(deck[card.card]) for deck in engine.DECKS.values()),
    ]  # fmt: skip


def rules_page(table: Table, between: Callable[[str, str, str], str]) -> str:
    """Return `berserk/rules.md` with the table of a fight by the difference of the dice written again."""
    names, attacker, other = zip(*difference_rows(), strict=True)
    rows = table(["difference", *names], [["attacker", *attacker], ["other", *other]])
    return between((Path(__file__).parent / "berserk" / "rules.md").read_text(encoding="utf-8"), "differences", rows)


def squad_table(name: str, table: Table) -> str:
    """The cells of a squad, first row first."""
    rows = []
    for word, start in zip(
        ("first", "second", "third"), range(engine.HOME_CELLS - engine.COLUMNS, -1, -engine.COLUMNS), strict=True
    ):
        cards = engine.SQUADS[name][start : start + engine.COLUMNS]
        rows.append([word, *(engine.TITLE[card] if card != engine.NONE else "" for card in cards)])
    return table([f"`{name}`", *(str(column) for column in range(engine.COLUMNS))], rows)
