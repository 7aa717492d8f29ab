"""The result of a game of Blood Rage, and which answers can be undone."""

from .. import engine
from ..engine import Source, States, pieces
from ..notation import CLANS
from ..notation.words import SOURCES, outcome


def result_table(states: States) -> str:
    """Places, glory and its sources; the standings if the game is not over."""
    s = states[0]
    scores = engine.scores(states, 0).tolist()
    shown = [source for source in Source if s.glory_from[:, source].any()]
    widths = [len(SOURCES[source]) + 2 for source in shown]
    columns = list(zip(shown, widths, strict=True))
    header = f"{'':4}{'clan':9}{'glory':>6}" + "".join(f"{SOURCES[source]:>{width}}" for source, width in columns)
    lines = [header]
    for seat in sorted(range(s.num_players), key=lambda seat: (-scores[seat], seat)):
        place = 1 + sum(other > scores[seat] for other in scores)
        row = f"{place}.".ljust(4) + f"{CLANS[seat]:9}{scores[seat]:>6}"
        lines.append(row + "".join(f"{s.glory_from[seat, source]:>{width}}" for source, width in columns))
    if s.over:
        lines += ["", outcome(s)]
    return "\n".join(lines)


def reveals(before: States, action: int, seat: int) -> bool:
    """Whether an answer of `seat` had others act, or revealed something that was hidden from it."""
    others = [other for other in range(before[0].num_players) if other != seat]
    for piece in pieces(before, 0, action):
        s, after = piece.before[0], piece.after[0]
        if piece.action >= 0 and s.seat != seat:
            return True
        if any((s[name] != after[name]) for name in ("age", "phase", "draft_round", "quests_open")):
            return True
        if (s.main != after.main).any():  # also an own card that all have seen is not taken back
            return True
        if any((s[name][others] != after[name][others]).any() for name in ("hand", "quests", "pending")):
            return True
    return False
