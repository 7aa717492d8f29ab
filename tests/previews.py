"""What previews say of an action against what it does, in random games: run it with NUMBA_DISABLE_JIT=1.

Agents and texts ask the functions below what an action costs, kills and gives; the rules are played piece by piece and
compared. Prints how often each kind was looked at, as JSON.
"""

import json
import sys
from collections import Counter
from typing import Any

import numpy as np

from bloodrage_agents.games.bloodrage.compiled.score_action import arrival_strength
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import Piece, hooks, pieces
from bloodrage_env.games.bloodrage.engine.actions import (
    CARD,
    COUNT,
    FIGURE_AT,
    MARCH,
    NO,
    NUM_ACTIONS,
    PASS,
    SACRIFICE,
)
from bloodrage_env.games.bloodrage.engine.board import RAGNAROK_GLORY, TOKEN_GLORY
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import IS_UPGRADE, QUEST_GLORY, Effect
from bloodrage_env.games.bloodrage.engine.effects.smite_and_tide import card_victims
from bloodrage_env.games.bloodrage.engine.ids import (
    NONE,
    NUM_BOARD,
    NUM_KINDS,
    NUM_STEPS,
    CardSet,
    Decision,
    Place,
    Purpose,
    Routine,
    Source,
    Stat,
    Token,
)
from bloodrage_env.games.bloodrage.engine.previews import price, sets_off
from bloodrage_env.games.bloodrage.engine.rules.invade import Step as InvadeStep
from bloodrage_env.games.bloodrage.engine.rules.pillage import Step as PillageStep
from bloodrage_env.games.bloodrage.engine.rules.quest import quest_met
from bloodrage_env.games.bloodrage.engine.rules.resolution import Step as ResolutionStep
from bloodrage_env.games.bloodrage.engine.rules.resolution import total_strength
from bloodrage_env.games.bloodrage.engine.state import Frame

# At random, but more upgrades and fewer passes than that, so that there is more to see.
LIKELY = np.ones(NUM_ACTIONS)
LIKELY[PASS] = 0.05
LIKELY[CARD : CARD + len(IS_UPGRADE)][IS_UPGRADE] = 8.0

MYSTICS = 1 << CardSet.MYSTICS

seen: Counter[str] = Counter()


def check(what: str, expected: Any, found: Any, s: Any) -> None:
    """Count a comparison; the first that fails ends the run with the place where it did."""
    seen[what] += 1
    assert np.array_equal(expected, found), f"{what}: {expected} foretold, {found} found, decision {s.decisions}"


def frame(s: Any, column: int) -> int:
    """A column of the topmost frame of the stack of routines."""
    return int(s.stack[s.depth - 1, column])


def arrival(s: Any, action: int) -> Any:
    """Figures that each clan loses by an Invade, int[seats, kinds]."""
    lost = np.zeros((int(s.num_players), NUM_KINDS), np.int64)
    if FIGURE_AT <= action < MARCH:
        place = (action - FIGURE_AT) % NUM_BOARD
        for victim in range(s.num_players):
            if victim != s.seat:
                lost[victim] = [-sets_off(s, action, victim, kind) for kind in range(NUM_KINDS)]
                each = [hooks.strength(s, victim, kind, 1, place, Purpose.BATTLE) for kind in range(NUM_KINDS)]
                if lost.any():
                    check("arrival's strength", lost[victim] @ each, arrival_strength(s, action, victim, place), s)
    return lost


def smite(s: Any, province: int) -> Any:
    """The same for a Smite, None where more than one text destroys."""
    owners = [seat for seat in range(s.num_players) if s.text[seat] in (Card.ODINS_SMITE, Card.ODINS_TIDE)]
    if len(owners) != 1 or s.text[owners[0]] == Card.ODINS_TIDE:
        return None
    lost = np.zeros((int(s.num_players), NUM_KINDS), np.int64)
    for victim in range(s.num_players):
        for kind in range(NUM_KINDS):
            lost[victim, kind] = card_victims(s, owners[0], Card.ODINS_SMITE, victim, kind, province)
    return lost


class Losses:
    """Figures that are foretold to be lost, until the routine that takes them has gone on."""

    def __init__(self, what: str, piece: Piece, expected: Any) -> None:
        self.what, self.expected = what, expected
        self.depth = int(piece.after[0].depth)
        self.valhalla = piece.after[0].figures[: len(expected), :NUM_KINDS, Place.VALHALLA].astype(int)
        self.saved = np.zeros_like(expected)

    def follow(self, piece: Piece) -> bool:
        """Take note of a piece; True when all is done."""
        s, after = piece.before[0], piece.after[0]
        if piece.routine == NONE and s.decision == Decision.SAVE:
            self.saved[s.seat, s.about_kind] += piece.action - COUNT
        elif piece.routine == NONE and s.decision == Decision.WITHDRAW and piece.action != NO:
            self.saved[s.seat, s.about_kind] += 1
        below = after.stack[self.depth - 1]
        if after.depth >= self.depth and below[Frame.STEP] == InvadeStep.ARRIVAL:
            return False
        found = after.figures[: len(self.expected), :NUM_KINDS, Place.VALHALLA] - self.valhalla + self.saved
        check(self.what, self.expected, found, s)
        return True


def check_answer(piece: Piece) -> None:
    """Prices; and what the death of a sacrificed figure pays."""
    s, after = piece.before[0], piece.after[0]
    seat = int(s.seat)
    if s.decision == Decision.ACTION and piece.action < SACRIFICE:
        return  # a clan that passes has no Rage
    what = f"price {Decision(s.decision).name}"
    check(what, int(s.rage[seat]) - price(s, piece.action), int(after.rage[seat]), s)
    if s.decision == Decision.ACTION and FIGURE_AT <= piece.action < MARCH:
        kind, place = divmod(piece.action - FIGURE_AT, NUM_BOARD)
        taken = frame(after, Frame.ROUTINE) == Routine.TAKE_VILLAGE
        check("village to take" if taken else "own village", hooks.may_take_village(s, seat, kind, place), taken, s)
    if s.decision == Decision.SACRIFICE:
        kind = (piece.action - FIGURE_AT) // NUM_BOARD
        check("ship glory", int(s.glory[seat]) + hooks.ship_glory(s, seat, kind), int(after.glory[seat]), s)


def check_routine(piece: Piece) -> None:
    """Totals, tokens, quests and what Ragnarok pays."""
    s, after = piece.before[0], piece.after[0]
    if piece.routine == Routine.RESOLUTION and piece.step == ResolutionStep.COMPARE:
        for seat in range(s.num_players):
            if s.in_battle[seat] and not s.counted[seat]:
                check("total", total_strength(s, seat), int(s.total[seat]), s)
    elif piece.routine == Routine.PILLAGED and piece.step == PillageStep.TOKEN:
        check_token(piece)
    elif piece.routine == Routine.QUEST_PHASE and (s.quest_count.sum() - after.quest_count.sum()) == 1:
        seat = int(np.flatnonzero(s.quest_count != after.quest_count)[0])
        card = int(s.quests[seat, s.quest_count[seat] - 1])
        gain = int(QUEST_GLORY[card]) * hooks.quest_times(s, seat) if quest_met(s, seat, card) else 0
        check("quest", gain, int(after.glory[seat]) - int(s.glory[seat]), s)
    elif piece.routine == Routine.DEATHS and s.stack[s.depth - 2, Frame.ROUTINE] == Routine.RAGNAROK:
        seat = frame(s, Frame.SEAT)
        each = int(RAGNAROK_GLORY[s.age]) * hooks.ragnarok_times(s, seat)
        lost = (after.figures - s.figures)[seat, :NUM_KINDS, Place.VALHALLA]
        gain = sum(int(n) * (each + hooks.ship_glory(s, seat, kind)) for kind, n in enumerate(lost))
        check("Ragnarok", gain, int(after.glory[seat]) - int(s.glory[seat]), s)
    elif piece.routine == Routine.RAGNAROK and after.destroyed.sum() > s.destroyed.sum():
        check("doomed", hooks.doomed_province(s), int(np.flatnonzero(after.destroyed != s.destroyed)[0]), s)


def check_token(piece: Piece) -> None:
    """What a token gives, and the Leader upgrade that raises all stats."""
    s, after = piece.before[0], piece.after[0]
    seat, province = frame(s, Frame.SEAT), frame(s, Frame.PLACE)
    token, times = int(s.token[province]), hooks.token_times(s, seat, province)
    if token == Token.GLORY:
        gained = after.glory_from[seat, Source.PILLAGE] - s.glory_from[seat, Source.PILLAGE]
        check("token of glory", TOKEN_GLORY * times, int(gained), s)
        return
    if after.decision == Decision.STAT and after.stack[after.depth - 1, Frame.STEP] == PillageStep.LEADER:
        by_leader = 0  # asked by the text of the card, before the leader
    else:
        by_leader = hooks.leader_number(s, seat, Effect.PILLAGE_ALL, province)
    for stat in Stat:
        steps = times * (token in (stat, Token.ALL_STATS)) + by_leader
        expected = min(int(s.stat_step[seat, stat]) + steps, NUM_STEPS - 1)
        check("token of stats", expected, int(after.stat_step[seat, stat]), s)


def play(seed: int) -> None:
    """A game at random."""
    rng = np.random.default_rng(seed)
    states = engine.new_game(seed, 2 + seed % 3, first_game=seed % 2 == 0, sets=MYSTICS if seed % 3 else 0)
    losses: list[Losses] = []
    while not engine.is_over(states, 0):
        weights = states[0].mask * LIKELY
        action = int(rng.choice(len(weights), p=weights / weights.sum()))
        for piece in pieces(states, 0, action):
            s, after = piece.before[0], piece.after[0]
            losses = [each for each in losses if not each.follow(piece)]
            if piece.routine == NONE and piece.action >= 0:
                check_answer(piece)
            else:
                check_routine(piece)
            top = frame(after, Frame.ROUTINE) if after.depth else NONE
            if after.depth > s.depth and top == Routine.INVADE and piece.routine == NONE:
                expected = arrival(s, action)
                losses.append(Losses("arrival" if expected.any() else "quiet arrival", piece, expected))
            elif after.depth > s.depth and top == Routine.SMITE_AND_TIDE:
                expected = smite(after, frame(after, Frame.PLACE))
                if expected is not None:
                    losses.append(Losses("Smite", piece, expected))
        states = piece.after
    seen["games"] += 1


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        play(number)
    print(json.dumps(seen))
