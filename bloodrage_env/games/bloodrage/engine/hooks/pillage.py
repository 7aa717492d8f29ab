"""What a successful pillage brings (rules 6.1.1, step 13)."""

from .....core.compile.decorators import rule
from ..card_ids import Card
from ..cards import EFFECTS, Effect
from ..ids import NONE, NUM_KINDS, NUM_PROVINCES, Decision, Figure, God, Token
from ..queries import card_of, god_stands, may_move_on
from ..stack import ask
from ..state import State
from .figures import is_leader

ALL_STATS = 0b111


@rule
def token_times(s: State, seat: int, province: int) -> int:
    """How often the token pays: more with the Frost Giant there, and with Odin (rules 6.3.17, 6.4.5.8)."""
    times = 2 if god_stands(s, God.ODIN, province) else 1
    for kind in range(NUM_KINDS):
        card = card_of(s, seat, kind)
        if card != NONE and s.figures[seat, kind, province] > 0:
            times += int(EFFECTS[Effect.TOKEN_MORE, card])
    return times


@rule
def stats_of_text(s: State, seat: int, province: int) -> int:
    """Stats (bits) of which Frigga's Grace lets the pillager raise one: not the token's own (rules 6.2.8)."""
    if s.text[seat] != Card.FRIGGAS_GRACE:
        return 0
    token = s.token[province]
    return ALL_STATS & ~(1 << token) if token <= Token.HORNS else ALL_STATS


@rule
def leader_number(s: State, seat: int, effect: int, province: int) -> int:
    """A number in the leader upgrade's text, 0 if no leader of the clan is in the province (rules 6.3.16)."""
    card = card_of(s, seat, Figure.LEADER)
    if card != NONE:
        for kind in range(NUM_KINDS):
            if is_leader(s, seat, kind) and s.figures[seat, kind, province] > 0:
                return int(EFFECTS[effect, card])
    return 0


@rule
def ask_leader_move(s: State, seat: int, province: int) -> bool:
    """Ask whether a leader moves on after a pillage, and which of several; True if there is a question (rules 6.3.16,
    6.4.3.2).
    """
    if leader_number(s, seat, Effect.PILLAGE_MOVE, province) > 0:
        leaders = 0
        last = NONE
        for kind in range(NUM_KINDS):
            if is_leader(s, seat, kind) and s.figures[seat, kind, province] > 0:
                leaders += 1
                last = kind
        for target in range(NUM_PROVINCES):
            if may_move_on(s, province, target):
                ask(s, Decision.LEADER_MOVE, seat, province, NONE, last if leaders == 1 else NONE)
                return True
    return False
