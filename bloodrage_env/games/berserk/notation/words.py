"""Names for people: players, cards, cells, slots."""

from typing import Final

import numpy as np

from ..engine import (
    AIR,
    ANGEL,
    BY_DIFFERENCE,
    COLUMNS,
    DEMON,
    FORCE_OF,
    LAAR,
    LOW,
    NONE,
    NUM_CARDS,
    NUM_CELLS,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_TEAMS,
    SQUAD,
    TITLE,
    Act,
    Card,
    Combat,
    Decision,
    Element,
    Force,
    Phase,
    Placing,
)

LETTERS: Final = tuple("ABCD"[:NUM_SEATS])  # of a slot, by seat
PHASES: Final = {
    Phase.ROLL_OFF: "Roll-off",
    Phase.DEAL: "Deal",
    Phase.PURCHASE: "Purchase",
    Phase.PLACEMENT: "Placement",
    Phase.REVEAL: "Reveal",
    Phase.BATTLE: "Battle",
    Phase.OVER: "End of the game",
}
ELEMENTS: Final = {Element.NEUTRAL: "neutral", Element.STEPPE: "steppe", Element.MOUNTAIN: "mountain"}
FORCES: Final = {Force.MISS: "misses", Force.WEAK: "weak", Force.MEDIUM: "medium", Force.STRONG: "strong"}
_ORDER: Final = ("1st", "2nd", "3rd", "4th")  # of turns in a team battle
SECRET: Final = "a face-down card"
GAINS: Final = ("been read", "a steppe creature", "a mountain creature")  # by bit of `gains`
ZONE: Final = "in the additional zone"
# By the field of the record, what a card is for the battle (rules 12.22).
MARKED: Final = {
    "vulnerable": "vulnerable for the battle",
    "no_shot_protection": "no protection from shots for the battle",
    "no_poison_protection": "no protection from poison for the battle",
}


def player(seat: int) -> str:
    """Return a player by letter: "Player A"."""
    return f"Player {LETTERS[seat]}"


def who(s: np.record, seat: int) -> str:
    """Who has the cards of a seat: a player, or against one player the demon alone (rules 11.2)."""
    return player(seat) if seat < s.num_players else TITLE[DEMON]


def recruiting(s: np.record) -> list[int]:
    """The seats that buy a squad; in the Battle for Laar that of the angel (rules 11.3)."""
    return [0 if s.num_players == 1 else int(s.first)] if LAAR else list(range(NUM_SEATS))


def cell_name(cell: int) -> str:
    """Return a cell as First sees it, as on a chessboard: columns from a on, rows from 1."""
    return f"{'abcdefghij'[cell % COLUMNS]}{cell // COLUMNS + 1}"


def place_name(cell: int) -> str:
    """Return where a card is: "on c3", "in the additional zone"."""
    return ZONE if cell == AIR else f"on {cell_name(cell)}"


def is_turned(s: np.record, seat: int | None) -> bool:
    """Return whether a seat sees the board from the other side than First does (rules 1.1, 10.2)."""
    return seat is not None and s.first != NONE and (seat - int(s.first)) % NUM_TEAMS != 0


def turn_number(s: np.record, seat: int) -> int:
    """The place of a seat in the order of turns, from 0 (rules 10.4)."""
    team = s.roll_off[seat % NUM_TEAMS :: NUM_TEAMS]
    return NUM_TEAMS * int((team > s.roll_off[seat]).sum()) + int(is_turned(s, seat))


def role(s: np.record, seat: int) -> str:
    """What a seat is beside its name: "First", "3rd, with C", "First, Varahiel"; before that is known its roll."""
    if s.first == NONE:
        return f"rolled {s.roll_off[seat]}"
    number = turn_number(s, seat)
    if NUM_SEATS > NUM_TEAMS:
        return f"{_ORDER[number]}, with {LETTERS[(seat + NUM_TEAMS) % NUM_SEATS]}"
    being = f", {TITLE[ANGEL if seat in recruiting(s) else DEMON]}" if LAAR and seat < s.num_players else ""
    return f"{'Second' if number else 'First'}{being}"


def chosen_together(s: np.record) -> bool:
    """Whether the open question is one of a stage in which players choose and no other sees anything of it: the
    purchase, and the placement where it is at once (rules 2.4, 2.5).
    """
    return bool(s.decision == Decision.BUY or (s.decision == Decision.PLACE and s.placing == Placing.AT_ONCE))


def card_id(card: int) -> str:
    """A card by its name in the code: "ORC"."""
    return {DEMON: "DEMON", ANGEL: "ANGEL"}[card] if card >= NUM_CARDS else Card(card).name


def team_name(team: int) -> str:
    """Return the members of a team: "Player A", or "Players A and C"."""
    return players(list(range(team, NUM_SEATS, NUM_TEAMS)))


def teams_text(viewer: int | None = None) -> str:
    """Return who is with whom in a team battle, and the partner of a viewer (rules 10.1)."""
    teams = " against ".join(team_name(team) for team in range(NUM_TEAMS))
    partner = "" if viewer is None else f"; your partner is {player((viewer + NUM_TEAMS) % NUM_SEATS)}"
    return f"Teams: {teams}{partner}"


def players(seats: list[int]) -> str:
    """Return players by letter: "Player A", "Players A, B and C"."""
    *others, last = (LETTERS[seat] for seat in seats)
    return f"Players {', '.join(others)} and {last}" if others else f"Player {last}"


def slot_name(slot: int) -> str:
    """Return the name of a slot: "A1" to "A15" of seat 0, and so on."""
    return f"{LETTERS[slot // SQUAD]}{slot % SQUAD + 1}"


SLOTS: Final = {slot_name(slot): slot for slot in range(NUM_SLOTS)}
CELLS: Final = {cell_name(cell): cell for cell in range(NUM_CELLS)}
ACTS: Final = {act.name.lower().replace("_", " "): act for act in Act}
CARDS: Final = {title: card for card, title in enumerate(TITLE) if title}


def is_secret(s: np.record, slot: int, viewer: int | None) -> bool:
    """Whether the viewer sees the back of the card in a slot. A spectator (None) sees all faces."""
    return viewer is not None and slot // SQUAD != viewer and bool(s.face_down[slot] or s.card[slot] == NONE)


def card_name(s: np.record, slot: int, viewer: int | None = None) -> str:
    """Return the card of a slot with its slot: "Orc (A3)"."""
    title = SECRET if is_secret(s, slot, viewer) else TITLE[s.card[slot]]
    return f"{title} ({slot_name(slot)})"


def with_force(die: int) -> str:
    """Return a die with the force of its strike (rules 4.4, 5.3): "4 (medium)"."""
    return f"{die} ({FORCES[Force(int(FORCE_OF[die]))]})"


# What the black die does to the strike of the white one (rules 4.4).
BLACK: Final = ("", *["the strike lands"] * 4, "both miss", "the strike misses, a weak one comes back")


def difference_rows() -> list[tuple[str, str, str]]:
    """Return the rows of the table of differences: the difference of the dice, how the attacker's strike and the
    other's land (rules 4.10).
    """
    farthest = BY_DIFFERENCE.shape[1] // 2 - 1
    names = [f"{difference}" for difference in range(-farthest, farthest + 1)] + [f"0, above {LOW}"]
    names[0], names[farthest], names[2 * farthest] = f"{names[0]} or less", f"0, up to {LOW}", f"{farthest} or more"
    order = [*range(2 * farthest, farthest - 1, -1), 2 * farthest + 1, *range(farthest - 1, -1, -1)]
    return [(names[i], *(FORCES[Force(int(row[i]))] for row in BY_DIFFERENCE)) for i in order]


def dice_text(s: np.record) -> str:
    """Return the open dice with their results by the table of the book: "white 4 (medium), black 5 (both miss)"."""
    plain = s.combat == Combat.DIFFERENCE
    white = [str(die) if plain else with_force(int(die)) for die in s.white if die]
    black = [str(die) if plain else f"{die} ({BLACK[die]})" for die in s.black if die]
    parts = [("white", white), ("black", black), ("to block", [str(s.block)] * bool(s.block))]
    parts.append(("strength", [with_force(int(s.die))] * bool(s.die)))
    return ", ".join(f"{name} {' and '.join(dice)}" for name, dice in parts if dice)


def outcome(s: np.record) -> str:
    """Return the result of a game that is over (rules 6.4, 6.5)."""
    if s.truncated:
        return "Nobody wins: the last turn is over."
    alive = [bool(s.standing[team::NUM_TEAMS].any()) for team in range(NUM_TEAMS)]
    if alive[0] == alive[1]:
        return "A draw: no card is left."
    if LAAR:
        return f"{who(s, alive.index(True))} wins."
    return f"{team_name(alive.index(True))} win{'s'[: len(LETTERS) == NUM_TEAMS]}."
