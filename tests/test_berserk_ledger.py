"""The ledger of Berserk and its modes: its numbers are those of the rules, and it reads only what the seat knows."""

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bloodrage_agents import parts
from bloodrage_agents.forward import MOST
from bloodrage_env import games
from bloodrage_env.games.berserk.engine import (
    ACT,
    CELL,
    DONE,
    NONE,
    NUM_ACTS,
    SQUAD,
    Act,
    Decision,
    Effect,
    Frame,
    Part,
    Phase,
    Routine,
)

MODES = pytest.mark.parametrize(
    ("name", "options"),
    [("berserk", {}), ("berserk_team", {"skip_forced": False}), ("berserk_laar", {"num_players": 1})],
    ids=str,
)  # fmt: skip


def ledger_of(name: str, states: Any) -> Any:
    """float32[num_ledger] for the open decision of a game."""
    forward = parts.forward(name).reading(True)
    counts = np.zeros((1, forward.sizes.observation), np.uint8)
    more = np.zeros((1, forward.num_inputs - forward.sizes.observation), np.float32)
    order = np.arange(forward.num_inputs)
    forward.write_rows(states, np.zeros(1, np.int64), forward.ledger, np.zeros(1, np.int8), order, counts, more)
    return more[0, : forward.num_ledger]


def middle(name: str, options: dict[str, Any], number: int, share: float) -> Iterator[Any]:
    """Open decisions of random games in which squads are bought and cards act."""
    game = games.game(name)
    for seed in range(number):
        rng, states = np.random.default_rng(seed), game.new_game(seed, games.options_from(name, **options))
        while not states[0].over and states[0].turn < 14:
            if rng.random() < share or (states[0].turn == 1 and rng.random() < 0.1):
                yield states
            legal = states[0].mask.nonzero()[0]
            if legal[0] == DONE and len(legal) > 1 and rng.random() < 0.9:
                legal = legal[1:]
            acts = legal[(legal >= ACT) & (legal < CELL)]
            game.play.apply(states, 0, int(rng.choice(acts if len(acts) and rng.random() < 0.5 else legal)))


def sides(lead: Any) -> tuple[Any, Any]:
    return max(0, lead), max(0, -lead)


def expected(name: str, states: Any) -> dict[str, Any]:
    """What the rules say, by section, but for the cards that are able to act (rules 1.2, 4.1, 7.23)."""
    engine = importlib.import_module(f"bloodrage_env.games.{name}.engine")
    s, me, seats = states[0], int(states[0].seat), engine.NUM_SEATS
    observation = importlib.import_module(f"bloodrage_env.games.{name}.observation")
    seen = np.zeros(observation.OBSERVATION_SIZE, np.uint8)
    games.game(name).observe.observe_bytes(states, 0, me, seen)
    numbers = seen[observation.AT.numbers :][: seats * SQUAD * observation.NUM_NUMBERS].reshape(seats * SQUAD, -1)
    place = [int(engine.PLACE_OF[me, seat]) for seat in range(seats)]
    slots = [slot for slot in range(seats * SQUAD) if s.cell[slot] != NONE]
    near = np.zeros((seats * SQUAD,) * 2, int)
    for slot in slots:
        if s.closed[slot] or s.face_down[slot] or engine.ABILITIES[Part.ATTACK, s.card[slot], Act.STRIKE] != 0:
            continue
        partners = numbers[place[slot // SQUAD] * SQUAD + slot % SQUAD, observation.N.partners]
        reach = max(1, int(engine.EFFECTS[Effect.FORMATION_REACH, s.card[slot]])) if partners else 1
        row, column = divmod(int(s.cell[slot]), engine.COLUMNS)
        for other in slots:
            away = divmod(int(s.cell[other]), engine.COLUMNS)
            touching = 1 <= max(abs(row - away[0]), abs(column - away[1])) <= reach
            near[slot, other] = touching and slot // SQUAD % 2 != other // SQUAD % 2
        if engine.EFFECTS[Effect.MUST_STRIKE, s.card[slot]] and (near[slot] & s.closed).any():
            near[slot] &= s.closed
    counts, slot_rows = np.zeros((seats, 10)), np.zeros((seats * SQUAD, 4))
    for slot in slots:
        seat, known = slot // SQUAD, not (s.face_down[slot] and slot // SQUAD != me)
        card, upright = int(s.card[slot]), not s.closed[slot]
        life = int(engine.LIFE[card]) - int(s.wounds[slot]) if known else 0
        reaches, reached = near[slot].sum(), near[:, slot].sum()
        counts[place[seat]] += [
            engine.COST[card] * known, life, 1, upright, 0, upright * s.moves[slot] * known, reaches > 0, reached > 0,
            s.poison[slot] * known, s.tokens[slot] * known,
        ]  # fmt: skip
        threat = sum(
            int(engine.ABILITIES[Part.WEAK + 1, s.card[other], Act.STRIKE]) for other in near[:, slot].nonzero()[0]
        )
        number = place[seat] * SQUAD + slot % SQUAD
        slot_rows[number] = [reaches, reached, *(sides(life - threat) if known else (0, 0))]
    signs = np.array([1] * 7 + [-1, -1, 1])
    team = len(counts) // 2
    lead = (counts[:team].sum(0) - counts[team:].sum(0)) * signs
    strike = np.zeros((2, 3, 2))
    frame = s.stack[s.depth - 1]
    if frame[Frame.ROUTINE] == Routine.STRIKE and frame[Frame.TARGET] != NONE:
        actor, target = int(frame[Frame.ACTOR]), int(frame[Frame.TARGET])
        for number, (one, other) in enumerate([(target, actor), (actor, target)]):
            left = int(engine.LIFE[s.card[one]]) - int(s.wounds[one])
            strike[number] = [
                sides(left - int(engine.ABILITIES[Part.WEAK + i, s.card[other], Act.STRIKE])) for i in range(3)
            ]
    leads = np.array([sides(each) for each in lead])
    return {"card_leads": leads, "player_counts": counts, "slot_reach": slot_rows, "strike_lead": strike}


@MODES
def test_each_number_is_that_of_the_rules(name: str, options: dict[str, Any]) -> None:
    """Rules 1.2, 1.4, 4.1; `able` is the number of cards whose actions the mask offers."""
    ledger = importlib.import_module(f"bloodrage_agents.games.{name}.compiled.ledger").LEDGER
    seen, played = {each.name: np.zeros(each.shape, bool) for each in ledger}, 0
    for states in middle(name, options, 16, 0.1):
        s, found = states[0], ledger_of(name, states)
        if s.phase != Phase.BATTLE:
            assert not found.any()
            continue
        wanted = expected(name, states)
        for each in ledger:
            its = found[each.start - ledger[0].start :][: each.size].reshape(each.shape)
            scaled = np.minimum(MOST, wanted[each.name] / np.asarray(each.unit))
            compared = np.ones(each.shape, bool)
            if each.name in ("card_leads", "player_counts"):
                at = compared if each.name == "card_leads" else compared.T
                at[4] = False
            np.testing.assert_allclose(its[compared], scaled[compared], atol=1e-5, err_msg=each.name)
            seen[each.name] |= (its > 0) & compared
            if each.name == "player_counts" and s.decision == Decision.MAIN and s.mask[DONE]:
                able = s.mask[ACT:CELL].reshape(SQUAD, NUM_ACTS).any(1).sum()
                assert round(float(its[0, 4]) * 5) >= min(able, 20)
        played += 1
    assert played > 20
    assert all(each.any() for part, each in seen.items() if part != "strike_lead" or name != "berserk_laar")


@MODES
def test_it_is_the_same_in_games_that_the_seat_cannot_tell_apart(name: str, options: dict[str, Any]) -> None:
    """Rules 2.7, 9.4: cards that lie face down before the seat change nothing."""
    game, others = games.game(name), 0
    for number, states in enumerate(middle(name, options, 16, 0.1)):
        seat, wanted = int(states[0].seat), ledger_of(name, states)
        assert (ledger_of(name, game.hide(states, 0, seat)) == wanted).all()
        twin = game.redeal(states, 0, seat, number)
        assert (ledger_of(name, twin) == wanted).all()
        others += int(states[0].phase == Phase.BATTLE and (twin[0].card != states[0].card).any())
    assert others > 0 or options.get("num_players") == 1  # one player sees all cards


@MODES
def test_a_policy_reads_it_or_not(name: str, options: dict[str, Any]) -> None:
    """Without it, its inputs are zero."""
    forward = parts.forward(name)
    assert forward.reading(True).ledger == 1
    assert forward.num_ledger == forward.of_ledger.stop - forward.of_ledger.start > 100
    states = next(each for each in middle(name, options, 4, 0.05) if each[0].phase == Phase.BATTLE)
    assert ledger_of(name, states).any()
