"""The sections of Blood Rage in the report of a tournament: order of play, glory by source, drafts, cards."""

from typing import Final

from ....report.summary import GameReport, Section
from .cards import drafts_part, winners_part
from .counts import Details
from .games import sources_part, turns_part
from .picks import picks_part
from .tables import card_rows, draft_rows, pick_rows, source_columns

REPORT: Final = GameReport(
    counter=Details,
    sections=(
        Section("turns", "Order of play", turns_part),
        Section("sources", "Glory by source", sources_part),
        Section("drafts", "Drafts", drafts_part),
        Section("picks", "Picks by round", picks_part),
        Section("cards", "Cards that win", winners_part),
    ),
    agent_columns=source_columns,
    tables={"cards.csv": card_rows, "drafts.csv": draft_rows, "picks.csv": pick_rows},
)
