"""The keywords of own cards, by the cards of `berserk_own_cards.csv`; `test_berserk_own_cards.py` runs these tests in a
process that has those cards. Cells as First sees them.
"""

import numpy as np
import pytest
from berserk_laar_position import begun
from berserk_position import FIRST, SECOND, Position, new_game, shot, struck

from bloodrage_agents import match, registry
from bloodrage_env import games
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.card_lists import DECK
from bloodrage_env.games.berserk.engine import ACT, Act, Card, Decision, own
from bloodrage_env.games.berserk.engine.ids import Direction, Phase
from bloodrage_env.games.berserk.notation.cards import card_lines
from bloodrage_env.games.berserk.notation.facts import range_of
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.games.berserk_laar import engine as laar

FORWARD, BACK, LEFT, RIGHT = Direction
OWN = [row["card"] for row in own.ROWS]
DECK_OF_ALL = ((*((card, 1 if card == "SLEEPER" else 3) for card in OWN), ("NOMAD", 3)), "mountain")


def before_first_turn(first=(), second=(), **changes):
    """Squads that stand before the first turn, (card, cell in the own view); player A is First."""
    squads = tuple(tuple((Card[card].name, cell) for card, cell in each) for each in (first, second))
    for seed in range(100):
        states = new_game(seed, setup="fixed", squads=squads, skip_forced=False, **changes)
        if states[0].first == FIRST:
            break
    p = Position()
    p.states, p.s, p.began = states, states[0], True
    return p


def choose_card(p, slot):
    p.answer(ACT + slot % 15 * 4)


# ---- Vanguard


def test_vanguard_strikes_before_the_first_turn_without_an_answer_and_stays_open():
    """rules 2.9, 7.3, 12.2: no black die, no defender, no closing; then the first turn begins."""
    p = before_first_turn([("OUTRIDER", 12)], [("ORC", 12), ("ORC", 13)])
    assert (p.asked, int(p.s.turn), int(p.s.phase)) == ((FIRST, Decision.VANGUARD), 0, Phase.BATTLE)
    p.dice(4, 6)
    choose_card(p, 0)
    p.choose(17)
    assert p.s.wounds[15:17].tolist() in ([2, 0], [0, 2])
    assert (p.wounds(0), p.closed(0)) == (0, False)
    assert (p.asked, int(p.s.turn)) == ((FIRST, Decision.MAIN), 1)
    assert p.can(0)


def test_vanguards_take_turns_from_first_on_and_who_passes_is_out():
    """rules 12.2: one strike at a time, each card once."""
    p = before_first_turn(
        [("OUTRIDER", 11), ("OUTRIDER", 12)], [("SECOND_OUTRIDER", 12), ("SECOND_OUTRIDER", 13), ("ORC", 11)]
    )
    asked = []
    while p.asked[1] == Decision.VANGUARD:
        asked.append(p.asked[0])
        if asked == [FIRST, SECOND, FIRST]:
            p.done()
            continue
        p.answer(int(p.s.mask.nonzero()[0][-1]))
        p.answer(int(p.s.mask.nonzero()[0][0]))
        while p.asked[1] == Decision.REROLL:
            p.no()
    assert asked == [FIRST, SECOND, FIRST, SECOND]
    assert p.asked == (FIRST, Decision.MAIN)


def test_vanguard_needs_an_adjacent_enemy():
    """rules 12.2: nobody is asked where no strike is possible."""
    p = before_first_turn([("OUTRIDER", 2)], [("ORC", 12)])
    assert p.asked == (FIRST, Decision.MAIN)


def test_a_strike_of_vanguard_may_be_rolled_again():
    """rules 7.12, 12.2"""
    p = before_first_turn([("ORC", 12)], [("SECOND_OUTRIDER", 12)])
    assert p.asked == (SECOND, Decision.VANGUARD)
    p.dice(1, 6)
    choose_card(p, 15)
    p.choose(12)
    assert p.asked == (SECOND, Decision.REROLL)
    p.yes()
    assert p.wounds(0) == 3


def test_vanguard_can_end_the_game():
    """rules 6.4, 12.2: the victory check follows each strike."""
    p = before_first_turn([("OUTRIDER", 12)], [("NOMAD", 12)])
    p.s.wounds[15] = engine.LIFE[Card.NOMAD] - 1
    p.dice(1)
    choose_card(p, 0)
    p.choose(17)
    assert (p.over, p.scores(), int(p.s.turn)) == (True, [1, 0], 0)


def test_a_card_with_vanguard_cannot_stay_face_down():
    """rules 2.6, 12.2"""
    states = new_game(3, decks=DECK_OF_ALL[::-1], skip_forced=False)
    s, rng, seen = states[0], np.random.default_rng(0), 0
    for game in range(40):
        engine.reset(states, 0, game, Options(decks=(DECK_OF_ALL[0],) * 2, skip_forced=False).numbers())
        while s.phase < Phase.BATTLE and s.over == 0:
            if s.decision == Decision.HIDE and s.card[s.actor] in (Card["OUTRIDER"], Card["SECOND_OUTRIDER"]):
                assert s.mask[engine.YES] == 0
                seen += 1
            engine.apply(states, 0, int(rng.choice(s.mask.nonzero()[0])))
        if seen:
            return
    raise AssertionError("no card with Vanguard stood in a third row")


# ---- vulnerability


@pytest.mark.parametrize(("card", "wounds"), [("Glass Idol", 2 + 1), ("Plated Idol", 2)])
def test_a_vulnerable_card_takes_a_wound_more(card, wounds):
    """rules 12.3: of an attack, before its armour."""
    p, _, b = struck("Nomad", card, 4, 1)
    assert p.wounds(b) == wounds


def test_a_vulnerable_card_takes_a_wound_more_of_magic_and_from_afar():
    """rules 12.3: of all attacks, also of strength 0."""
    p, _, b = shot("Glass Idol", shooter="Toa-Dan Guard")
    assert p.wounds(b) == 1 + 1
    p, _, b = shot("Plated Idol", 1, shooter="Archer")
    p.no()
    assert p.wounds(b) == 1 + 1 - 1


def test_a_vulnerable_striker_takes_a_wound_more_from_who_strikes_back():
    """rules 7.4, 12.3: what strikes back is an attack."""
    p, a, _ = struck("Glass Idol", "Foot Knight", 1, 1)
    plain, b, _ = struck("Nomad", "Foot Knight", 1, 1)
    assert p.wounds(a) == plain.wounds(b) + 1


def test_spells_are_no_attacks_on_a_vulnerable_card():
    """rules 5.1, 12.3"""
    p, a, _ = struck("Glass Idol", "Firemane", 1, 1)
    assert p.wounds(a) == 1


# ---- incorporeal


def test_an_incorporeal_card_is_not_healed():
    """rules 12.4"""
    p = Position()
    p.put(FIRST, "Wraith", 2, wounds=3)
    orc = p.put(FIRST, "Orc", 3, wounds=3)
    mender = p.put(FIRST, "Mender", 0)
    p.put(SECOND, "Orc", 25)
    p.act(mender, Act.ABILITY_1)
    assert p.cells() == {3}
    p.choose(3)
    assert (p.wounds(orc), p.closed(mender)) == (1, True)


def test_heal_needs_a_wounded_creature():
    """rules 5.6, 12.4: of either side; with nothing to heal it can't be declared."""
    p = Position()
    mender = p.put(FIRST, "Mender", 0)
    orc = p.put(SECOND, "Orc", 25)
    assert not p.can(mender, Act.ABILITY_1)
    p.s.wounds[orc] = 1
    p.go()
    p.act(mender, Act.ABILITY_1, 25)
    assert p.wounds(orc) == 0


# ---- experience in shots, throws and discharges


@pytest.mark.parametrize(("shooter", "rolls"), [("Archer", 2), ("Thrower", 1), ("Adept", 1)])
def test_the_die_of_an_ability_may_be_rolled_again(shooter, rolls):
    """rules 12.5: up to so often; the last result counts."""
    p, a, b = shot("Orc", *[1] * rolls, 6, shooter=shooter)
    for _ in range(rolls):
        assert (p.asked, p.wounds(b), int(p.s.die)) == ((FIRST, Decision.REROLL), 0, 1)
        p.yes()
    assert (p.wounds(b), p.closed(a), p.asked) == (3, True, (FIRST, Decision.MAIN))


def test_the_die_may_lie():
    """rules 12.5"""
    p, _, b = shot("Orc", 4, 6, shooter="Archer")
    p.no()
    assert (p.wounds(b), p.asked[1]) == (2, Decision.MAIN)


def test_nothing_is_rolled_again_where_the_attack_is_blocked():
    """rules 7.27, 12.5"""
    p, _, b = shot("Temple Warrior", 6, shooter="Archer")
    assert (p.wounds(b), p.asked[1]) == (0, Decision.MAIN)


def test_experience_in_shots_is_for_shots_alone():
    """rules 12.5: the strike of the same card has none."""
    p = Position()
    archer = p.put(FIRST, "Archer", 12)
    p.put(SECOND, "Orc", 17)
    p.strike(archer, 17, 1, 1)
    assert p.asked[1] == Decision.MAIN


# ---- protection


def test_protection_from_throws_is_no_protection_from_shots():
    """rules 7.14, 12.8"""
    p, _, b = shot("Plated Idol", 6, shooter="Thrower")
    p.no()
    assert p.wounds(b) == 0
    p, _, b = shot("Plated Idol", 6, shooter="Archer")
    p.no()
    assert p.wounds(b) == 3


def test_who_gains_protection_from_poison_loses_it_for_good():
    """rules 12.6: as it comes into formation; leaving it brings nothing back."""
    p = Position()
    one = p.put(FIRST, "Pikeman", 10, poison=2)
    p.put(FIRST, "Pikeman", 12)
    p.put(SECOND, "Orc", 29)
    p.move(one, RIGHT)
    assert int(p.s.poison[one]) == 0
    p.s.moves[one] = 1
    p.go()
    p.move(one, LEFT)
    assert int(p.s.poison[one]) == 0


@pytest.mark.parametrize(("partner", "poison"), [("Pikeman", 0), ("Mercenary", 0), ("Nomad", 1)])
def test_in_formation_a_card_is_protected_from_poison(partner, poison):
    """rules 7.9, 7.13, 12.6"""
    p, _, b = struck("Aracent", "Pikeman", 1, 1, theirs_near=[(partner, 18)])
    assert int(p.s.poison[b]) == poison


# ---- influences with a range, reduced attacks, reductions


def test_an_influence_wounds_any_creature_in_its_range():
    """rules 5.6, 7.15, 12.20: own ones and itself too; by a die; neither armour nor vulnerability counts."""
    p = Position()
    wraith, own = p.put(FIRST, "Wraith", 12), p.put(FIRST, "Orc", 13)
    near, idol = p.put(SECOND, "Zvar", 14), p.put(SECOND, "Plated Idol", 22)
    p.put(SECOND, "Orc", 27)
    p.act(wraith, Act.ABILITY_1, None, 6)
    assert p.cells() == {12, 13, 14, 22}
    p.choose(22)
    assert (p.wounds(idol), p.wounds(near), p.wounds(own), p.closed(wraith)) == (3, 0, 0, True)


def test_healing_may_have_a_range():
    """rules 7.15, 8.9, 12.4: to which no Paladin adds"""
    p = Position()
    archer = p.put(FIRST, "Archer", 12, wounds=1)
    p.put(FIRST, "Paladin of Allamor", 2)
    for cell in (13, 14):
        p.put(FIRST, "Orc", cell, wounds=2)
    p.put(SECOND, "Orc", 29)
    assert [range_of(p.go().states, 0, p.act_id(archer, act)) for act in (1, 2)] == [6, 1]
    p.act(archer, Act.ABILITY_2)
    assert p.cells() == {12, 13}


def test_an_attack_that_is_reduced_lands_weakly():
    """rules 4.7, 12.19: of its kind alone; what goes with a weak one goes with it."""
    p, _, b = shot("Adept", 6, shooter="Archer")
    p.no()
    assert p.wounds(b) == 1
    p, _, b = struck("Orc", "Thrower", 6, 1)
    plain, _, c = struck("Orc", "Adept", 6, 1)
    assert (p.wounds(b), plain.wounds(c)) == (3 + 1, 4)
    p, _, b = struck("Aracent", "Thrower", 6, 1)
    assert int(p.s.poison[b]) == 1


def test_a_card_takes_off_ranged_attacks_and_strikes_harder():
    """rules 7.6, 7.7, 12.21"""
    p, _, b = shot("Sleeper", 6, shooter="Archer")
    p.no()
    assert p.wounds(b) == 3 - 2
    p, _, b = struck("Sleeper", "Second Outrider", 1, 1)
    assert p.wounds(b) == 1 + 1


@pytest.mark.parametrize(("partner", "wounds"), [("Pikeman", 2), ("Nomad", 1)])
def test_formation_makes_an_own_card_stronger(partner, wounds):
    """rules 7.9, 12.21"""
    p, _, b = struck("Pikeman", "Orc", 1, 1, near=[(partner, 13)])
    assert p.wounds(b) == wounds


def test_a_card_that_pays_tokens_can_gain_one():
    """rules 3.6: an action that its file need not name."""
    p = Position()
    waker = p.put(FIRST, "Waker", 12)
    p.put(SECOND, "Orc", 29)
    p.act(waker, Act.ABILITY_2)
    assert (int(p.s.tokens[waker]), p.closed(waker)) == (1, True)


# ---- whenever it opens


def test_whenever_a_card_opens_it_gains_a_token_or_heals():
    """rules 3.1, 12.7: not where it was open already, nor while it is stunned."""
    p = Position()
    waker, awake = p.put(FIRST, "Waker", 0, closed=1), p.put(FIRST, "Waker", 1)
    sleeper, stunned = p.put(FIRST, "Sleeper", 2, closed=1, wounds=3), p.put(FIRST, "Waker", 3, closed=1, stunned=1)
    p.put(SECOND, "Orc", 29)
    p.end_turn()
    p.end_turn()
    assert [int(p.s.tokens[slot]) for slot in (waker, awake, stunned)] == [1, 0, 0]
    assert p.wounds(sleeper) == 1
    p.end_turn()
    p.end_turn()
    assert [int(p.s.tokens[slot]) for slot in (waker, stunned)] == [1, 1]


# ---- decks of these cards


def test_a_squad_leaves_a_slot_to_the_angel():
    """rules 11.4, 12.1: of cheap own cards a player could pay for 15, and buys 14 at most."""
    states = begun(1, Phase.PURCHASE)
    s = states[0]
    for bought, buys in ((13, True), (14, False)):
        s.deal[s.seat], s.squad[s.seat] = 0, 0
        s.deal[s.seat, Card["GLASS_IDOL"]], s.squad[s.seat, Card["GLASS_IDOL"]] = 15, bought
        laar.refresh(states, 0)
        assert bool(s.mask[engine.CARD + Card["GLASS_IDOL"]]) == buys


def test_own_cards_are_described_in_the_words_of_their_file():
    """rules 12.1"""
    shown = "\n".join("\n".join(card_lines(Card[card])) for card in OWN)
    for word in ("vanguard", "vulnerability", "incorporeal", "experience in shots 2", "heal 2", "throw 1-2-3, range 3",
                 "Whenever it opens it gains tokens: 1.", "special strike 3, 1 token", ", flyer"):  # fmt: skip
        assert word in shown


def played(agents, options):
    found = match.play_game([registry.make(each, "berserk") for each in agents], 5, options, [1, 2])
    assert found.forfeit_reason is None
    return found


def test_a_deck_of_all_keywords_is_played_to_the_end_and_its_replay_names_the_cards(tmp_path):
    """rules 12.1: the version of the rules in the file has the digest of the cards."""
    options = Options(decks=DECK_OF_ALL)
    game = played(("random", "random"), options)
    Replay(options=options, seed=5, actions=game.actions).save(tmp_path / "own.bsk")
    assert games.game("berserk").rules_version == f"3, own cards {own.DIGEST}"
    assert Replay.load(tmp_path / "own.bsk").options == options
    assert DECK.name_of(options.decks[0]).startswith("own deck ")


def test_agents_answer_what_keywords_ask():
    """rules 12.2, 12.5: strikes before the first turn, and dice that may be rolled again."""
    squad = (("OUTRIDER", 12), ("ARCHER", 2), ("SECOND_OUTRIDER", 11))
    game = played(("hold", "rush"), Options(setup="fixed", squads=(squad, squad), max_turns=1))
    assert len(game.actions) > 4


def test_every_state_of_random_games_keeps_the_invariants():
    """rules 9.6: `play_checked` looks at every state."""
    options = np.array(Options(decks=(DECK_OF_ALL[0],) * 2, max_turns=6).numbers())
    assert engine.play_checked(np.zeros(1, engine.STATE), 0, 1, options, np.zeros(4, np.int64)) == -1
