"""Abilities, wounds, terms, rulings and questions of Berserk (rules 5 to 9). Cells as First sees them."""

import numpy as np
import pytest
from berserk_position import FIRST, SECOND, Position, content, decline, new_game, shot, struck

from bloodrage_env.core.engine.flow import RESUMED, STOPPED
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import Act, Attack, Card, Decision, Effect, Phase
from bloodrage_env.games.berserk.engine.cards import EFFECTS
from bloodrage_env.games.berserk.engine.ids import Direction

FORWARD, BACK, LEFT, RIGHT = Direction


# ---- 5 Other attacks


def test_kinds_of_attack():
    """rules 5.1, 7.5: attacks are the first seven; what of them is melee and ranged"""
    kinds = [each.name for each in Attack][:7]
    assert kinds == ["SIMPLE", "SPECIAL", "ACROSS", "SHOT", "THROW", "MAGIC_STRIKE", "DISCHARGE"]


def test_melee_is_adjacent_and_ranged_is_not():
    """rules 5.2: no line of sight; an enemy between bars a strike across a row alone"""
    p = Position()
    a = p.put(FIRST, "Kshar", 12, tokens=1)
    shooter = p.put(FIRST, "Orc Shooter", 11)
    p.put(SECOND, "Nomad", 17)
    p.put(SECOND, "Nomad", 22)
    assert not p.can(a, Act.ABILITY_1)
    p.act(a, Act.ABILITY_2)
    assert p.cells() == {17}
    p.choose(17)
    p.act(shooter, Act.ABILITY_1)
    assert p.cells() == {22}


def test_strikes_across_a_row_are_straight_and_exactly_two_cells_long():
    """rules 5.2"""
    p = Position()
    a = p.put(FIRST, "Marauder", 12)
    for cell in (24, 4, 27, 13):
        p.put(SECOND, "Nomad", cell)
    assert not p.can(a, Act.ABILITY_1)


@pytest.mark.parametrize(("die", "wounds"), [(1, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
@pytest.mark.parametrize("closed", [0, 1])
def test_strength_by_a_die(die, wounds, closed):
    """rules 5.3: the same against open and closed cards; nobody answers or defends, no experience"""
    p = Position()
    a, c = p.put(FIRST, "Orc Shooter", 7), p.put(SECOND, "Snakehead", 22, closed=closed)
    p.put(SECOND, "Nomad", 21)
    p.act(a, Act.ABILITY_1, 22, die)
    assert (p.wounds(c), p.asked[1]) == (wounds, Decision.MAIN)


def test_the_order_of_an_ability():
    """rules 5.4: tokens, target, payment, die; tokens are spent by a protected target too"""
    p = Position()
    a, c = p.put(FIRST, "Axe Master", 12, tokens=2), p.put(SECOND, "Skelos", 17)
    p.put(SECOND, "Nomad", 16)
    p.act(a, Act.ABILITY_1)
    p.number(2)
    assert (p.asked[1], p.s.tokens[a]) == (Decision.TARGET, 2)
    p.choose(17)
    assert (p.wounds(c), p.s.tokens[a], p.s.die > 0, p.closed(a)) == (0, 0, True, True)


def test_each_attack_of_one_ability_is_carried_out_before_the_next():
    """rules 5.5: a card that dies frees a cell for nobody, and is not a target any more"""
    p = Position()
    a = p.put(FIRST, "Acolyte of Dzar", 2)
    c = p.put(SECOND, "Nomad", 17, wounds=7)
    p.put(SECOND, "Nomad", 29)
    p.act(a, Act.ABILITY_1, 17)
    assert p.is_dead(c)
    assert p.cells() == {29}


def test_spells_are_no_attacks():
    """rules 5.6: no armour, no Temple Warrior"""
    p = Position()
    a, c = p.put(FIRST, "Blizzard Child", 0), p.put(SECOND, "Temple Warrior", 29)
    p.act(a, Act.ABILITY_1, 29)
    assert (p.wounds(c), p.s.block) == (3, 0)


def test_a_protected_card_may_be_chosen():
    """rules 5.7: the action is spent"""
    p, a, c = shot("Blizzard Child", 6)
    assert (p.wounds(c), p.closed(a)) == (0, True)


# ---- 6 Wounds, death, end


def test_death():
    """rules 6.1: at wounds >= life; it leaves its cell and loses everything on it"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    c = p.put(SECOND, "Dzar Archer", 17, wounds=4, tokens=2, poison=1)
    p.put(SECOND, "Nomad", 29)
    p.strike(a, 17, 1, 1)
    assert p.is_dead(c)
    assert [int(p.s[name][c]) for name in ("wounds", "tokens", "poison", "closed")] == [0, 0, 0, 0]
    assert (int(p.s.at[17]), int(p.s.standing[SECOND]), int(p.s.fell_at[c])) == (-1, 1 << 29, 17)


def test_healing_is_not_below_0():
    """rules 6.2"""
    p = Position(turn=2)
    a = p.put(FIRST, "Gobrakh", 12, wounds=1)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert p.wounds(a) == 0


@pytest.mark.parametrize(
    ("how", "by_enemy"), [("strike", 1), ("spell", 1), ("own spell", 0), ("poison", 0), ("fire", 1), ("closing", 1)]
)
def test_killed_by_an_enemy_card(how, by_enemy):
    """rules 6.3"""
    p = Position(turn=2 if how in ("poison", "fire") else 3)
    wounds = 11
    if how in ("poison", "fire"):
        mine, other = (FIRST, SECOND) if how == "fire" else (SECOND, FIRST)
        c = p.put(other, "Bonecrusher", 17 if how == "fire" else 12, wounds=wounds, poison=1)
        p.put(other, "Nomad", 29)
        p.put(mine, "Firesetter Gnome", 12 if how == "fire" else 22)
        p.end_turn()
    else:
        owner = FIRST if how in ("own spell", "closing") else SECOND
        c = p.put(owner, "Bonecrusher", 17, wounds=wounds)
        p.put(owner, "Nomad", 29)
        a = p.put(FIRST, "Orc" if how == "strike" else "Blizzard Child", 12)
        if how == "closing":
            p.put(SECOND, "Toa-Dan Guard", 27)
            p.put(SECOND, "Mountain Keeper", 18)
            p.strike(c, 18, 6, 5)
            decline(p)
        else:
            p.act(a, Act.STRIKE if how == "strike" else Act.ABILITY_1, 17, 1, 1)
            decline(p)
    assert (p.is_dead(c), int(p.s.by_enemy[c])) == (True, by_enemy)


def test_victory():
    """rules 6.4: +1 and -1, a draw 0"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    p.put(SECOND, "Nomad", 17, wounds=7)
    p.strike(a, 17, 1, 1)
    assert (p.over, p.scores(), p.asked[0]) == (True, [1, 0], -1)


def test_the_victory_check_waits_for_the_end_of_the_action():
    """rules 6.4: not inside: the last enemy dies, and takes the last own card with it"""
    p = Position()
    a = p.put(FIRST, "Orc", 12, wounds=9)
    p.put(SECOND, "Firemane", 17, wounds=8)
    p.strike(a, 17, 1, 1)
    assert p.scores() == [0, 0]


def test_length():
    """rules 6.5: cut off after the last turn, 0 for both"""
    p = Position(turn=199)
    p.put(FIRST, "Nomad", 0)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert not p.over
    p.end_turn()
    assert (p.over, p.s.truncated, p.scores()) == (True, 1, [0, 0])


@pytest.mark.parametrize("max_turns", [1, 2, 7])
def test_max_turns(max_turns):
    """rules 6.5, 9.7"""
    states = new_game(2, setup="fixed", max_turns=max_turns)
    while not engine.is_over(states, 0):
        engine.apply(states, 0, 0)
    assert (int(states[0].turn), int(states[0].truncated)) == (max_turns, 1)


# ---- 7, 8 Terms and rulings that no card's test has


def test_armour_does_not_renew_within_a_turn():
    """rules 7.10: what it absorbed is remembered"""
    p = Position()
    one, two = p.put(FIRST, "Orc", 12), p.put(FIRST, "Orc", 11)
    c = p.put(SECOND, "Minotaur", 17)
    p.strike(one, 17, 1, 1)
    p.strike(two, 17, 1, 1)
    assert p.wounds(c) == 1 + 3


def test_a_hall_guards_strike_from_two_cells_is_met_by_firemane():
    """rules 7.4: any landed strike"""
    p = Position()
    a = p.put(FIRST, "Hall Guard", 7)
    p.put(FIRST, "Forge Keeper", 8)
    p.put(SECOND, "Firemane", 17)
    p.strike(a, 17, 1, 1)
    assert p.wounds(a) == 1


def test_the_largest_armour_counts():
    """rules 7.10: named abilities don't add up"""
    p = Position()
    a = p.put(FIRST, "Orc Bully", 12)
    c = p.put(SECOND, "Foot Knight", 17, extra_armour=1)
    p.put(SECOND, "Sanctorum", 18)
    p.strike(a, 17, 1, 1)
    decline(p)
    assert p.wounds(c) == 4 - 2


def test_stun_does_not_add_up():
    """rules 7.17"""
    p = Position()
    c = p.put(SECOND, "Minotaur", 17, closed=1)
    for cell in (11, 12):
        borg = p.put(FIRST, "Borg", cell, tokens=1)
        if cell == 12:
            p.act(borg, Act.ABILITY_1, 17)
            p.act(borg - 1, Act.ABILITY_1, 17)
    p.end_turn()
    p.end_turn()
    p.end_turn()
    assert not p.closed(c)


def test_of_effects_due_at_once_those_of_the_turns_player_come_first():
    """rules 8.1: by slots"""
    p = Position(turn=2)
    p.put(FIRST, "Gobrakh", 11, poison=1)
    p.put(FIRST, "Gobrakh", 12, poison=1)
    p.put(SECOND, "Nomad", 29)
    p.end_turn()
    assert int(p.s.actor) == 0
    p.no()
    assert int(p.s.actor) == 1


def test_the_push_line_is_that_of_the_card_that_reflected():
    """rules 8.4"""
    p = Position()
    a = p.put(FIRST, "Hammerer", 12)
    p.put(SECOND, "Nomad", 17)
    c = p.put(SECOND, "Mountain Keeper", 18)
    p.strike(a, 17, 1, 1)
    p.choose(18)
    p.yes()
    p.yes()
    assert int(p.s.cell[c]) == 24


def test_effects_that_are_left_out():
    """rules 8.10, 8.15: Mountain Giant is not protected from poison; no card flies, three name flyers."""
    assert EFFECTS[Effect.PROTECTION_POISON, Card.MOUNTAIN_GIANT] == 0
    assert not EFFECTS[Effect.FLYER].any()
    assert engine.NUM_ACTIONS == engine.FLYER
    named = [engine.TITLE[card] for card, text in enumerate(engine.TEXT) if "flyer" in text.lower()]
    assert named == ["Krondak", "Forrendor Watch", "Skelos"]
    assert not any("swamp" in text.lower() for text in engine.TEXT)


# ---- 9 Questions


def test_every_question_comes_up():
    """rules 9.1: in random games of both tables"""
    asked = set()
    rng = np.random.default_rng(1)
    for seed in range(60):
        names = ("steppe", "mountain", "steppe_2", "mountain_2")
        decks = tuple(names[(seed + 3 * i) % 4] for i in range(2))
        states = new_game(
            seed, combat=("book", "difference")[seed % 2], decks=decks, setup=("full", "fixed")[seed % 5 == 4]
        )
        while not engine.is_over(states, 0):
            legal = states[0].mask.nonzero()[0]
            assert len(legal) > 0
            asked.add(Decision(int(states[0].decision)))
            keep = states[0].decision in (Decision.KEEP, Decision.HIDE)
            pick = legal[legal > 0] if len(legal) > 1 else legal
            engine.apply(states, 0, int(pick[0] if keep else rng.choice(pick)))
            if states[0].turn > 40:
                break
    rare = {Decision.CLOSE_OR_WOUND, Decision.HEAL_FIRST, Decision.VALHALLA, Decision.AGAIN}
    assert asked >= set(Decision) - {Decision.NONE, Decision.VANGUARD} - rare  # no printed card has Vanguard


def test_action_ids():
    """rules 9.2: the suggestion, block for block"""
    assert [(block.name, block.start, block.size) for block in engine.BLOCKS] == [
        ("DONE", 0, 1), ("YES", 1, 1), ("NO", 2, 1), ("CARD", 3, 64), ("MOVE", 67, 60), ("ACT", 127, 60),
        ("CELL", 187, 30), ("NUMBER", 217, 10),
    ]  # fmt: skip
    assert engine.NUM_ACTIONS == 227


def test_an_act_is_legal_only_with_a_target():
    """rules 9.2: nothing need be cancelled: each ACT leads to a question with answers, or to the end of it"""
    rng = np.random.default_rng(3)
    states = new_game(4, setup="fixed", skip_forced=False)
    for _ in range(600):
        if engine.is_over(states, 0):
            break
        legal = states[0].mask.nonzero()[0]
        assert len(legal) > 0
        engine.apply(states, 0, int(rng.choice(legal)))


def test_an_illegal_answer_changes_nothing():
    states = new_game(4)
    before = states.tobytes()
    for action in (-1, 227, 67, 10**9):
        assert engine.apply(states, 0, action) == engine.ILLEGAL
    assert states.tobytes() == before


def test_chance_comes_from_the_state_alone():
    """rules 9.5: the same seed gives the same rolls; a copy is a true copy"""
    one, two = new_game(9), new_game(9)
    other = new_game(10)
    rng = np.random.default_rng(0)
    for _ in range(120):
        assert content(one) == content(two)
        if engine.is_over(one, 0):
            break
        action = int(rng.choice(one[0].mask.nonzero()[0]))
        engine.apply(one, 0, action)
        engine.apply(two, 0, action)
    assert one[0].chance.tolist() != other[0].chance.tolist()
    copy = engine.clone(one, 0)
    for states in (one, copy):
        engine.play_random(states, 0, 5, 400)
    assert content(one) == content(copy)


def test_dice_lie_open_until_the_next_answer():
    """rules 9.5"""
    p, _, _ = struck("Orc", "Nomad", 4, 2)
    assert (p.s.white.tolist(), p.s.black.tolist()) == ([4, 0], [2, 0])
    p.end_turn()
    assert (p.s.white.sum(), p.s.black.sum()) == (0, 0)


def test_dice_lie_open_though_a_forced_answer_follows():
    """rules 9.1, 9.5: the turn passes by itself, and the other still sees what was rolled"""
    p = Position()
    p.s.skip_forced = 1
    a = p.put(FIRST, "Orc", 12)
    p.s.moves[a] = 0
    p.put(SECOND, "Nomad", 17)
    p.dice(4, 2)
    p.answer(p.act_id(a))
    assert p.asked == (SECOND, Decision.MAIN)
    assert (p.s.white.tolist(), p.s.black.tolist()) == ([4, 0], [2, 0])


def test_dice_are_seen_before_a_forced_strike_rolls_others():
    """rules 7.23, 9.1, 9.5: the only answer left makes a strike, so its target is asked for while the dice lie open"""
    p = Position()
    p.s.skip_forced = 1
    orc = p.put(FIRST, "Orc", 11)
    p.put(FIRST, "Basaarg Gnome", 12)
    giant = p.put(SECOND, "Mountain Giant", 17, closed=1)
    p.put(SECOND, "Nomad", 29)
    p.s.moves[orc] = 0
    p.dice(4, 6)
    p.answer(p.act_id(orc))
    assert (p.s.white.tolist(), p.wounds(giant)) == ([4, 0], 4)
    assert (p.asked, p.cells()) == ((FIRST, Decision.TARGET), {17})
    p.choose(17)
    assert p.s.white.tolist() == [6, 0]


def test_no_dice_are_put_away_unseen():
    """rules 9.1, 9.5: in random games a question, or the end of the game, lies between any two rolls"""
    asked = 0
    for seed in range(60):
        states = new_game(seed, setup="fixed", squads=("mountain", "mountain"))
        s, rng = states[0], np.random.default_rng(seed)
        while s.over == 0:
            legal = s.mask.nonzero()[0]
            asked += len(legal) == 1 and s.decision == Decision.TARGET
            action, rolls, drawn = int(rng.choice(legal)), 0, int(s.chance[3])  # the last word counts what is drawn
            while engine.go_on(states, 0, action) != STOPPED:
                rolls += int(s.chance[3]) != drawn
                action, drawn = RESUMED, int(s.chance[3])
            assert rolls < 2, seed
    assert asked > 0


def test_the_record_is_small():
    """rules 9.6"""
    assert engine.STATE.itemsize < 2048
    assert Phase.BATTLE > Phase.REVEAL
