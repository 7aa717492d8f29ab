"""The Battle for Laar: its set-up and its rules (rules 11)."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from berserk_laar_position import (
    FIEND,
    HERO,
    LaarPosition,
    angel_side,
    begun,
    in_own_view,
    new_game,
    observed,
    play,
    slot_of,
    squad_of,
)
from berserk_position import content, decline
from bloodrage_env.games.berserk_laar.engine import Act, Card, Decision, Direction, Effect, Part, Phase
from bloodrage_env.games.berserk_laar.engine.ids import Option
from bloodrage_env.games.berserk_laar.options import Options

from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.engine.being_table import being_rows
from bloodrage_env.games.berserk_laar import engine

SEEDS = range(8)
POWER = {
    engine.DEMON: int(engine.EFFECTS[Effect.STORM, engine.DEMON]),
    engine.ANGEL: int(engine.EFFECTS[Effect.HEAL_ALLIES, engine.ANGEL]),
}
RULES = Path(__file__).resolve().parents[1] / "docs" / "berserk" / "rules.md"


# ---- the two cards


def test_the_numbers_are_those_of_the_document():
    """rules 11.1"""
    for card in (engine.DEMON, engine.ANGEL):
        strike = "-".join(str(each) for each in engine.ABILITIES[Part.WEAK : Part.STRONG + 1, card, Act.STRIKE])
        life, movement, cost = engine.LIFE[card], engine.MOVEMENT[card], engine.COST[card]
        row = f"| {engine.TITLE[card]} | {life} | {movement} | {strike} | {POWER[card]} | {cost} |"
        assert row in RULES.read_text(encoding="utf-8")
        assert engine.ELITE[card] == engine.UNIQUE[card] == 1
        assert str(POWER[card]) in engine.TEXT[card]
        assert card not in {int(each) for each in Card}


BEGINNINGS = [(1, "mountain", 0), (1, "mountain_2", 0), (1, "one", 0), (1, "steppe", 1), (1, "steppe_2", 1)] + [
    (2, deck, 2) for deck in ("steppe", "steppe_2", "mountain", "mountain_2")
]


@pytest.mark.parametrize(("players", "name", "row"), BEGINNINGS, ids=str)
def test_the_life_with_which_the_demon_begins(players, name, row):
    """rules 11.1: by number of players and deck, as in the document; the angel is whole"""
    rows = re.findall(r"^\| ([12]) \| (.+) \| (\d+) \|$", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert [each[0] for each in rows] == ["1", "1", "2"]
    steppe = tuple((card.name, int(engine.DECKS["steppe"][card])) for card in Card if engine.DECKS["steppe"][card])
    deck = (*steppe, ("ZVAR", 1)) if name == "one" else name
    for seed in range(4):
        s = begun(seed, num_players=players, decks=(deck, deck))[0]
        stormed = POWER[engine.DEMON] if s.first != angel_side(s) else 0  # its first turn has begun
        assert int(engine.LIFE[engine.DEMON]) - int(s.wounds[slot_of(s, engine.DEMON)]) == int(rows[row][2]) - stormed
        assert s.wounds[slot_of(s, engine.ANGEL)] == stormed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("DEMON,", "IMP,"), "must have two rows, DEMON and ANGEL"),
        ((f",{engine.LIFE[engine.DEMON]},", ",0,"), "life of DEMON must be 1 to 99, not '0'"),
        ((f",{engine.LIFE[engine.DEMON]},", ",many,"), "life of DEMON must be 1 to 99, not 'many'"),
        ((f",{engine.LIFE[engine.DEMON]},", ",1,"), r"against_player of DEMON is \d+, more than its life, 1"),
    ],
    ids=str,
)
def test_a_bad_table_is_refused(change, message, tmp_path):
    """rules 11.1"""
    table = Path(engine.__file__).parents[2] / "berserk_laar" / "beings.csv"
    (tmp_path / "beings.csv").write_text(table.read_text().replace(*change, 1), encoding="utf-8")
    with pytest.raises(UserError, match=f"^{re.escape(str(tmp_path / 'beings.csv'))}:? {message}$"):
        being_rows(tmp_path / "beings.csv", ["card", "title", "element"])


def test_another_table_makes_another_game(tmp_path):
    """rules 11.1: a user can replace the rows"""
    root = Path(__file__).resolve().parents[1]
    shutil.copytree(root / "bloodrage_env", tmp_path / "bloodrage_env", ignore=shutil.ignore_patterns("__pycache__"))
    table = tmp_path / "bloodrage_env" / "games" / "berserk_laar" / "beings.csv"
    head, _, angel = table.read_text().splitlines()
    table.write_text(f"{head}\nDEMON,Imp,10,7,7,7,0,1,1,2,4\n{angel}\n", encoding="utf-8")
    code = (
        "from bloodrage_env.games.berserk_laar import engine as e; d = e.DEMON;"
        "print(e.TITLE[d], e.LIFE[d], e.MOVEMENT[d], e.EFFECTS[e.Effect.STORM, d], e.TEXT[d]); print(e.RULES_VERSION)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("Imp 7 0 4 As its turn starts every card on the board takes 4 wounds")
    version = done.stdout.splitlines()[1]  # replays of another table are refused
    assert re.fullmatch(r"3, beings [0-9a-f]{8}", version)
    assert version != engine.RULES_VERSION


# ---- the set-up


@pytest.mark.parametrize("players", [1, 2])
def test_the_dice_settle_who_is_first(players):
    """rules 11.3: each side rolls, and nobody chooses"""
    firsts = set()
    for seed in range(40):
        s = new_game(seed, num_players=players)[0]
        rolls = s.roll_off.tolist()
        assert rolls[0] != rolls[1]
        assert s.first == rolls.index(max(rolls))
        assert s.decision == Decision.KEEP
        assert s.seat == angel_side(s)
        firsts.add(int(s.first))
    assert firsts == {0, 1}


@pytest.mark.parametrize("players", [1, 2])
def test_only_the_angels_side_recruits(players):
    """rules 11.4: with 12 silver less, by its place in the order of turns"""
    for seed in SEEDS:
        states = new_game(seed, num_players=players, skip_forced=False)
        side = angel_side(states[0])
        asked = play(states, Phase.PURCHASE, np.random.default_rng(seed))
        gold, both = observed(states, side)["crystals"].tolist()
        assert (gold, both - gold) == ((24, 22 - 12) if side == states[0].first else (25, 23 - 12))
        asked += play(states, Phase.BATTLE, np.random.default_rng(seed))
        assert {seat for seat, _ in asked} == {side}
        assert {decision for _, decision in asked} == {Decision.KEEP, Decision.BUY, Decision.PLACE}
        assert squad_of(states[0], 1 - side) == []
        assert states[0].deal[1 - side].sum() == 0


@pytest.mark.parametrize("players", [1, 2])
def test_where_they_begin(players):
    """rules 11.5, 11.6: centres of the first and the second row of the demon's half; all lies open"""
    sizes = set()
    for seed in range(16):
        s = begun(seed, num_players=players)[0]
        side = angel_side(s)
        demon, angel = slot_of(s, engine.DEMON), slot_of(s, engine.ANGEL)
        squad = squad_of(s, side)
        assert in_own_view(s, 1 - side, s.cell[angel]) == (2, 2)
        assert in_own_view(s, 1 - side, s.cell[demon]) == (1, 2)
        assert angel == max(squad) + 1
        assert demon == (1 - side) * 15
        assert s.face_down.sum() == 0
        assert s.phase == Phase.BATTLE
        own = {in_own_view(s, side, s.cell[slot]) if s.cell[slot] != engine.NONE else None for slot in squad}
        early = {(row, column) for row in range(3) for column in (1, 2, 3)}
        early |= {(2, 0), (2, 4)} if side != s.first else set()
        assert None in own or len(own & early) == min(len(squad), len(early))
        sizes.add(len(squad))
    assert len(sizes) > 2


def test_a_squad_may_stand_in_the_centre():
    """rules 2.5, 11.5: the zones are those of a game without the angel"""
    states = begun(3, Phase.PLACEMENT, num_players=1)
    offered = set()
    while states[0].phase == Phase.PLACEMENT:
        legal = np.flatnonzero(states[0].mask) - engine.CELL
        offered |= {int(each) for each in legal}
        engine.apply(states, 0, engine.CELL + int(legal[-1]))
    assert {11, 12, 13} <= offered


# ---- the demon


def test_each_turn_of_the_demon_wounds_every_card():
    """rules 11.7: open and closed ones, itself, armoured and protected ones; not in the angel's turn"""
    p = LaarPosition(turn=1)
    angel = p.put(HERO, "Angel", 12)
    keeper = p.put(HERO, "Forge Keeper", 0, closed=1)
    paladin = p.put(HERO, "Paladin of Allamor", 1)  # armour
    nomad = p.put(HERO, "Nomad", 2, wounds=int(engine.LIFE[Card.NOMAD]) - 1)
    demon = p.put(FIEND, "Demon", 22)
    p.end_turn()
    assert [p.wounds(slot) for slot in (angel, keeper, paladin, demon)] == [POWER[engine.DEMON]] * 4
    assert p.is_dead(nomad)
    assert p.s.by_enemy[nomad] == 1
    p.end_turn()
    assert [p.wounds(slot) for slot in (angel, keeper, paladin, demon)] == [POWER[engine.DEMON]] * 4


def test_the_demon_that_kills_itself_is_killed_by_no_enemy():
    """rules 11.7, 11.10"""
    p = LaarPosition(turn=1)
    p.put(HERO, "Angel", 12)
    demon = p.put(FIEND, "Demon", 22, wounds=int(engine.LIFE[engine.DEMON]) - 1)
    p.end_turn()
    assert p.is_dead(demon)
    assert p.s.by_enemy[demon] == 0
    assert p.over
    assert p.scores() == [1, 0]


def test_a_demon_with_a_player_moves_and_acts():
    """rules 11.2: against a player it is a card like any other"""
    p = LaarPosition(turn=2)
    p.put(HERO, "Angel", 12)
    demon = p.put(FIEND, "Demon", 22)
    assert p.asked == (FIEND, Decision.MAIN)
    p.move(demon, Direction.FORWARD)
    assert p.s.cell[demon] == 17
    assert p.can(demon)


@pytest.mark.parametrize("first", [0, 1])
def test_a_demon_without_a_player_does_nothing(first):
    """rules 11.2: its turn is over as its start is; the only player is asked all the time"""
    states = begun(5, num_players=1)
    for seed in range(20):
        states = begun(seed, num_players=1)
        if states[0].first == first:
            break
    s = states[0]
    demon = slot_of(s, engine.DEMON)
    cell = int(s.cell[demon])
    for _ in range(3):
        turn, wounds = int(s.turn), int(s.wounds[demon])
        assert (int(s.seat), int(s.decision)) == (0, Decision.MAIN)
        engine.apply(states, 0, engine.DONE)
        assert s.turn == turn + 2
        assert s.wounds[demon] == wounds + POWER[engine.DEMON]
        assert s.cell[demon] == cell


def test_a_demon_without_a_player_counters():
    """rules 11.9: it rolls the black die as an open card does, and does not close"""
    p = LaarPosition(turn=1, num_players=1)
    angel = p.put(HERO, "Angel", 17)
    demon = p.put(FIEND, "Demon", 22)
    p.strike(angel, 22, 6, 6)
    assert p.wounds(angel) == engine.ABILITIES[Part.WEAK, engine.DEMON, Act.STRIKE]
    assert p.wounds(demon) == 0
    assert p.closed(angel)
    assert not p.closed(demon)


@pytest.mark.parametrize(
    ("card", "options", "dice", "wounds", "answers"),
    [("Gully Gnome", {}, (1, 1), 3, []), ("Hammerer", {}, (1, 1), 4, ["yes"]),
     ("Nomad", {"combat": "difference"}, (1, 5), 1, [])],
)  # fmt: skip
def test_what_its_owner_would_be_asked_is_settled(card, options, dice, wounds, answers):
    """rules 11.9: it takes the wounds, does not close, is not pushed, and leaves a column as it is"""
    p = LaarPosition(turn=1, num_players=1, **options)
    striker = p.put(HERO, card, 17)
    p.put(HERO, "Angel", 12)
    demon = p.put(FIEND, "Demon", 22)
    p.strike(striker, 22, *dice)
    for answer in answers:
        getattr(p, answer)()
    assert p.asked == (HERO, Decision.MAIN)
    assert p.wounds(demon) == wounds
    assert p.s.cell[demon] == 22
    assert not p.closed(demon)
    if card != "Nomad":
        twin = LaarPosition(turn=1)
        striker = twin.put(HERO, card, 17)
        twin.put(FIEND, "Demon", 22)
        twin.strike(striker, 22, *dice)
        for answer in answers:
            getattr(twin, answer)()
        assert twin.asked[0] == FIEND  # with a player it is asked


# ---- the angel


def healed(position: LaarPosition) -> list[int]:
    """The wounds of two other own cards, of the angel and of an enemy, which began with 3 each."""
    return [position.wounds(slot) for slot in (1, 2, 0, 15)]


def with_wounded(turn: int = 1, **changes: int) -> LaarPosition:
    p = LaarPosition(turn=turn, **changes)
    p.put(HERO, "Angel", 17, wounds=3)
    p.put(HERO, "Zvar", 0, wounds=3)
    p.put(HERO, "Zvar", 4, wounds=3, closed=1)
    p.put(FIEND, "Demon", 22, wounds=3)
    return p


def test_the_angel_heals_when_she_strikes():
    """rules 11.8: every other card of her side, wherever it stands, and not herself"""
    p = with_wounded()
    p.strike(0, 22, 1, 1)
    others = 3 - min(3, POWER[engine.ANGEL])
    assert healed(p) == [others, others, 3, 3 + engine.ABILITIES[Part.WEAK, engine.ANGEL, Act.STRIKE]]


def test_a_miss_of_the_angel_heals_nobody():
    """rules 11.8"""
    p = with_wounded()
    p.strike(0, 22, 1, 5)
    assert healed(p) == [3, 3, 3, 3]


def test_a_counter_of_the_angel_heals():
    """rules 11.8"""
    p = with_wounded(turn=2)
    p.strike(15, 17, 1, 6)
    decline(p)
    others = 3 - min(3, POWER[engine.ANGEL])
    assert healed(p) == [others, others, 3, 3 + engine.ABILITIES[Part.WEAK, engine.ANGEL, Act.STRIKE]]


def test_the_angel_is_an_own_card():
    """rules 11.6: she moves, defends and may be named as a defender"""
    p = LaarPosition(turn=2)
    angel = p.put(HERO, "Angel", 16)
    p.put(HERO, "Zvar", 17)
    demon = p.put(FIEND, "Demon", 22)
    p.strike(demon, 17, 1, 1)
    assert p.asked == (HERO, Decision.DEFENDER)
    assert p.cells() == {16}
    p.choose(16)
    assert p.closed(angel)
    assert p.wounds(angel) == engine.ABILITIES[Part.WEAK, engine.DEMON, Act.STRIKE]
    mine = LaarPosition(turn=1)
    angel = mine.put(HERO, "Angel", 12)
    mine.put(FIEND, "Demon", 22)
    mine.move(angel, Direction.LEFT)
    assert mine.s.cell[angel] == 11


# ---- the end


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize(("angel", "demon"), [(1, 0), (0, 1), (1, 1), (0, 0)])
def test_the_end(players, angel, demon):
    """rules 11.10: who is dead after a storm, and what is paid"""
    p = LaarPosition(turn=1, num_players=players)
    p.put(HERO, "Angel", 12, wounds=int(engine.LIFE[engine.ANGEL]) - 1 if angel else 0)
    p.put(FIEND, "Demon", 22, wounds=int(engine.LIFE[engine.DEMON]) - 1 if demon else 0)
    p.end_turn()
    assert p.over == bool(angel or demon)
    won = demon - angel
    assert p.scores() == ([won] if players == 1 else [int(won > 0), int(won < 0)])


def test_the_squad_alone_goes_on_without_the_angel():
    """rules 11.10"""
    p = LaarPosition(turn=1)
    angel = p.put(HERO, "Angel", 12, wounds=int(engine.LIFE[engine.ANGEL]) - 1)
    p.put(HERO, "Zvar", 0)
    p.put(FIEND, "Demon", 22)
    p.end_turn()
    assert p.is_dead(angel)
    assert not p.over


@pytest.mark.parametrize("players", [1, 2])
def test_the_last_turn(players):
    """rules 11.11"""
    states = begun(2, num_players=players, max_turns=3)
    while not states[0].over:
        engine.apply(states, 0, engine.DONE)
    assert states[0].truncated == 1
    assert states[0].turn == 3
    assert engine.scores(states, 0).tolist() == [0] * players


# ---- options and information


def test_options():
    """rules 11.12"""
    with pytest.raises(ValueError, match=r"^setup must be one of full, not 'fixed'$"):
        Options(setup="fixed")
    with pytest.raises(ValueError, match=r"^num_players must be 1 to 2, not 3$"):
        Options(num_players=3)
    for option, value in ((Option.NUM_PLAYERS, 0), (Option.NUM_PLAYERS, 3), (Option.SETUP, 1)):
        numbers = list(Options().numbers())
        numbers[option] = value
        with pytest.raises(ValueError, match=f"^{option.name.lower()} must be "):
            engine.reset(np.zeros(1, engine.STATE), 0, 1, np.array(numbers))
    games = [begun(7, num_players=1, decks=("steppe", other)) for other in ("steppe", "mountain")]
    assert all((games[0][0][name] == games[1][0][name]).all() for name in ("card", "cell", "deal", "squad"))


@pytest.mark.parametrize("players", [1, 2])
def test_what_a_seat_may_know(players):
    """rules 11.13: a redeal looks the same to the seat; the angel's player knows all but dice"""
    differ = 0
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        states = new_game(seed, num_players=players, skip_forced=False, placing=("in_turn", "at_once")[seed % 2])
        side = angel_side(states[0])
        while not states[0].over and states[0].turn < 4:
            s = states[0]
            for viewer in range(players):
                deal = engine.redeal(states, 0, viewer, seed)
                engine.check_state(deal, 0)
                for name, section in observed(states, viewer).items():
                    assert (observed(deal, viewer)[name] == section).all(), name
                assert content(engine.hide(deal, 0, viewer)) == content(engine.hide(states, 0, viewer))
                if viewer == side:
                    deal[0].chance[:], deal[0].decisions = s.chance, s.decisions
                    assert content(deal) == content(states)
                else:
                    differ += (deal[0].deal[side] != s.deal[side]).any()
            legal = s.mask.nonzero()[0]
            engine.apply(
                states, 0, int(rng.choice(legal[1:3] if s.decision == Decision.BUY and len(legal) > 2 else legal))
            )
    assert (differ > 20) == (players == 2)
