"""Makes `ledger.md` from the table of the ledger."""

from collections.abc import Callable

from bloodrage_agents.forward import MOST
from bloodrage_agents.games.berserk.compiled import ledger as berserk
from bloodrage_agents.games.bloodrage.compiled.changes import CHANGES, NUM_CHANGES
from bloodrage_agents.games.bloodrage.compiled.ledger import LEDGER, NUM_LEDGER
from bloodrage_env.core.engine.tables import Section


def page(table: Callable[..., str], template: str, note: str) -> str:
    """Return `ledger.md`."""
    sections, of_berserk = (
        table(
            ["section", "shape", "units", "meaning"],
            ([f"`{each.name}`", " x ".join(map(str, each.shape)), units(each), each.meaning] for each in ledger),
        )
        for ledger in (LEDGER, berserk.LEDGER)
    )
    changes = table(
        ["number", "unit", "meaning"], ([f"`{name}`", str(each.unit), each.meaning] for name, each in CHANGES.items())
    )
    return template.format(
        note=note,
        size=NUM_LEDGER,
        most=MOST,
        sections=sections,
        count=NUM_CHANGES,
        changes=changes,
        berserk_size=berserk.NUM_LEDGER,
        of_berserk=of_berserk,
    )


def units(section: Section) -> str:
    """Return the units of a section: one, or one for each name of its longest axis."""
    if not isinstance(section.unit, tuple):
        return str(section.unit)
    several = [each[0] if isinstance(each, tuple) else each for each in section.unit]
    axis = next(names for names in section.labels if len(names) == len(several))
    return ", ".join(f"{name} {unit}" for name, unit in zip(axis, several, strict=True))
