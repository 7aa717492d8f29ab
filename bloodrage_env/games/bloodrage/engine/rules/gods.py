"""The gods of Asgard: where they are placed, and where a pillager moves one (rules 6.4.5.2 to 6.4.5.6).

Which rule each of them bends is said in `hooks/`, and of Heimdall in `information.py`.
"""

from .....core.compile.decorators import rule
from ..actions import PROVINCE
from ..decks import has_set
from ..ids import GODS_IN_GAME, MAX_SEATS, NONE, NUM_AGES, NUM_GODS, NUM_OUTER, NUM_PROVINCES, CardSet, Decision
from ..stack import ask
from ..state import State


@rule
def place_gods(s: State) -> None:
    """Both are taken up and placed in the province of the next token; not in one that was destroyed since.

    A god for whom no token is left is off the board for the Age (rules 6.4.5.3).
    """
    s.god_in[:] = NONE
    placed = 0
    for i in range(s.num_players):
        province = s.god_tokens[s.age, i]
        if placed < GODS_IN_GAME and s.destroyed[province] == 0:
            s.god_in[province] = s.gods[placed]
            placed += 1
    s.god_tokens[s.age, :] = NONE


@rule
def sort_god_tokens(s: State) -> None:
    """The tokens of later Ages by rising province: nobody knows in which order they will be drawn (rules 6.4.1.6)."""
    for age in range(s.age + 1, NUM_AGES):
        for i in range(1, s.num_players):
            province, place = s.god_tokens[age, i], i
            while place > 0 and s.god_tokens[age, place - 1] > province:
                s.god_tokens[age, place] = s.god_tokens[age, place - 1]
                place -= 1
            s.god_tokens[age, place] = province


@rule
def may_go_to(s: State, province: int) -> bool:
    """Whether a god may be moved there: it stands, is not pillaged and has no god (rules 6.4.5.5)."""
    return s.destroyed[province] == 0 and s.pillaged[province] == 0 and s.god_in[province] == NONE


@rule
def end_pillage(s: State, pillager: int, province: int) -> None:
    """Step 17: the pillager must move the god who stands in the province now, if it can go anywhere (rules 6.4.5.6)."""
    if s.god_in[province] != NONE:
        for target in range(NUM_PROVINCES):
            if may_go_to(s, target):
                ask(s, Decision.GOD_MOVE, pillager, province, NONE, NONE)
                return


@rule
def mask_god_move(s: State) -> None:
    """PROVINCE[p] to go to, at any distance"""
    for target in range(NUM_PROVINCES):
        if may_go_to(s, target):
            s.mask[PROVINCE + target] = 1


@rule
def apply_god_move(s: State, _seat: int, action: int) -> None:
    """The god leaves the pillaged province."""
    s.god_in[action - PROVINCE] = s.god_in[s.about_place]
    s.god_in[s.about_place] = NONE


# ---- what always holds (`invariants.py`)


@rule
def gods_hold(s: State) -> bool:
    """Two different gods, each in one province at most, which stands; the tokens of each later Age once. Or nothing."""
    if not has_set(s, CardSet.GODS):
        return bool((s.gods == NONE).all() and (s.god_in == NONE).all() and (s.god_tokens == NONE).all())
    if s.gods[0] == s.gods[1] or (s.gods == NONE).any():
        return False
    for province in range(NUM_PROVINCES):
        if s.god_in[province] != NONE and s.destroyed[province] == 1:
            return False
    for god in range(NUM_GODS):
        if (s.god_in == god).sum() > (s.gods == god).sum():
            return False
    for age in range(NUM_AGES):
        for i in range(MAX_SEATS):
            if (s.god_tokens[age, i] != NONE) != (age > s.age and i < s.num_players):
                return False
        for province in range(NUM_OUTER):
            times = (s.god_tokens[age] == province).sum()
            if times > 1 or (times == 1 and (s.ragnarok == province).any()):
                return False
    return True
