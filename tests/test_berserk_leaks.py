"""What a seat may know in Berserk, and no more (rules 2.7, 8.2, 9.4, 9.5).

Twins: from some time on a game goes on beside a redeal of it for one seat, with the same answers wherever the rules
show them to that seat. Nothing that the seat is shown may differ.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from berserk_position import FIRST, SECOND, Position, content, new_game

from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.games.berserk import SPEC, engine
from bloodrage_env.games.berserk.engine import Act, Card, Decision, Phase
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.notation import board_text, events, public_decision_text

STRUCTS = (structs_of(SPEC).observation, structs_of(SPEC).actions)
SECRET = (Decision.BUY, Decision.PLACE, Decision.HIDE)
MIXED = dict.fromkeys(
    ["GERMET", "NOMAD", "ORC", "BORG", "ZVAR", "MRAZEN", "MARAUDER", "HALL_GUARD", "KSHAR", "GULLY_GNOME"], 3
)


def seen(states: np.ndarray, seat: int) -> list[float]:
    vector = np.zeros(GAME.observation_size, np.float32)
    GAME.observe.observe(states, 0, seat, vector)
    return vector.tolist()


def purchases(rng: np.random.Generator, legal: np.ndarray) -> int:
    """Keep, buy as much as one can: random squads of a good size; third rows are often face down."""
    if len(legal) > 1 and legal[0] == engine.DONE and engine.CARD <= legal[1] < engine.CARD + engine.NUM_CARDS:
        legal = legal[1:4]
    return engine.YES if legal[0] == engine.YES and rng.random() < 0.9 else int(rng.choice(legal))


def in_the_middle(number: int, share: float, **options) -> Iterator[tuple[np.ndarray, np.random.Generator]]:
    """Positions of random games up to the second turn: all of the set-up, and the turn with face-down cards."""
    for seed in range(number):
        rng = np.random.default_rng(seed)
        states = new_game(seed, **options)
        while not engine.is_over(states, 0) and states[0].turn < 3:
            if rng.random() < share:
                yield states, rng
            engine.apply(states, 0, purchases(rng, states[0].mask.nonzero()[0]))


OPTIONS = [{}, {"skip_forced": False}, {"decks": (MIXED, MIXED)}, {"placing": "at_once"}]


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "all asked", "mixed decks", "at once"])
def test_a_redeal_cannot_be_told_from_the_game(options):
    """rules 9.4: it is a game, the seat sees the same of it, and the hidden rest differs."""
    different = total = 0
    phases = set()
    for states, rng in in_the_middle(8, 0.3, **options):
        for seat in range(engine.NUM_SEATS):
            deal = engine.redeal(states, 0, seat, int(rng.integers(1 << 62)))
            engine.check_state(deal, 0)
            assert seen(deal, seat) == seen(states, seat)
            assert content(engine.hide(deal, 0, seat)) == content(engine.hide(states, 0, seat))
            if states[0].seat == seat:
                assert deal[0].mask.tolist() == states[0].mask.tolist()
            different += (deal[0].deal[1 - seat] != states[0].deal[1 - seat]).any()
            total += 1
            phases.add(Phase(int(states[0].phase)))
    assert different > 0.5 * total
    assert phases >= {Phase.DEAL, Phase.PURCHASE, Phase.PLACEMENT, Phase.BATTLE}


def test_a_redeal_reads_nothing_hidden():
    """States that look alike to a seat have the same redeals; a view is as good as the game."""
    for states, rng in in_the_middle(5, 0.2):
        for seat in range(engine.NUM_SEATS):
            seed = int(rng.integers(1 << 62))
            twin = engine.redeal(states, 0, seat, int(rng.integers(1 << 62)))
            view = engine.hide(states, 0, seat)
            wanted = content(engine.redeal(states, 0, seat, seed))
            assert content(engine.redeal(twin, 0, seat, seed)) == wanted
            assert content(engine.redeal(view, 0, seat, seed)) == wanted


def goes_along(states: np.ndarray, twin: np.ndarray, seat: int, rng: np.random.Generator) -> bool:
    """Answer both games alike as far as the seat can see; False when their ways part.

    What the other chooses in secret may differ, but not where its cards stand in the end, nor how many they are.
    """
    s, t = states[0], twin[0]
    if s.decision in SECRET and s.seat != seat:
        if s.decision == Decision.BUY:
            return False  # the twin buys from the beginning: `test_nothing_says_what_is_bought`
        if s.squad[1 - seat].sum() != t.squad[1 - seat].sum():
            return False  # how many there are is seen when they stand
        common = s.mask & t.mask
        if not common.any():
            return False
        action = int(rng.choice(common.nonzero()[0]))
    else:
        legal = s.mask.nonzero()[0]
        if s.decision == Decision.MAIN and len(legal) > 1 and legal[0] == engine.DONE:
            legal = legal[1:]  # long turns
        action = purchases(rng, legal)
        if not t.mask[action]:
            return False
    t.chance[:] = s.chance
    for each in (states, twin):
        engine.apply(each, 0, action)
    return True


def same_turned_up(states: np.ndarray, twin: np.ndarray) -> bool:
    """Whether the same cards lie open: when one is turned up in which they differ, the seat has learnt something."""
    s, t = states[0], twin[0]
    both = (s.face_down == 0) & (t.face_down == 0) & (s.cell != engine.NONE)
    return bool((s.card[both] == t.card[both]).all() and (s.face_down == t.face_down).all())


def test_games_with_the_same_past_look_the_same():
    """rules 2.7: neither observations nor masks, questions, events or boards tell what lies face down."""
    compared = other_cards = 0
    for states, rng in in_the_middle(30, 0.3):
        s = states[0]
        seat = int(s.first) if rng.random() < 0.8 else 1 - int(s.first)
        face_down = (s.face_down[(1 - seat) * engine.SQUAD : (2 - seat) * engine.SQUAD] == 1).any()
        if not face_down or s.phase < Phase.PLACEMENT or (s.decision in SECRET and s.seat != seat):
            continue
        game = engine.clone(states, 0)
        twin = engine.redeal(states, 0, seat, int(rng.integers(1 << 62)))
        for _ in range(40):
            if engine.is_over(game, 0) or not goes_along(game, twin, seat, rng):
                break
            if game[0].phase >= Phase.REVEAL and not same_turned_up(game, twin):
                break
            assert (game[0].seat, game[0].decision, game[0].over) == (twin[0].seat, twin[0].decision, twin[0].over)
            assert seen(game, seat) == seen(twin, seat)
            assert content(engine.hide(game, 0, seat)) == content(engine.hide(twin, 0, seat))
            if not engine.is_over(game, 0):
                assert public_decision_text(game, 0) == public_decision_text(twin, 0)
                if game[0].phase >= Phase.BATTLE or game[0].seat == seat:
                    assert game[0].mask.tolist() == twin[0].mask.tolist()
            assert board_text(game, 0, seat) == board_text(twin, 0, seat)
            for make in STRUCTS:
                assert make(engine.hide(game, 0, seat), seat) == make(engine.hide(twin, 0, seat), seat)
            compared += 1
            other_cards += (game[0].card != twin[0].card).any()
    assert compared > 200
    assert other_cards > 0.2 * compared


def test_first_learns_nothing_by_acting_before_face_down_cards():
    """rules 2.7, 9.4: every face-down card is a legal target and defender alike"""
    masks = set()
    for card in ("Zvar", "Temple Warrior", "Blizzard Child", "Toa-Dan Guard", "Nomad"):
        p = Position(turn=1)
        a = p.put(FIRST, "Orc", 17)
        p.put(FIRST, "Orc Shooter", 11)
        p.put(SECOND, "Nomad", 22)
        p.put(SECOND, card, 27, face_down=1)
        p.put(SECOND, card, 26, face_down=1)
        p.go()
        trace = [p.s.mask.tolist(), seen(p.states, FIRST)]
        p.answer(engine.ACT + a % engine.SQUAD * 4 + Act.STRIKE)
        trace += [p.s.mask.tolist(), seen(p.states, FIRST)]
        p.choose(22)
        masks.add(str(trace))
    assert len(masks) == 1


@pytest.mark.parametrize("placing", ["in_turn", "at_once"])
def test_nothing_says_what_is_bought(placing):
    """rules 8.2: while one buys and places, the other is shown the same all the time"""
    changes = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        states = new_game(seed, placing=placing)
        before: tuple[int, int, bytes, list[float], str] | None = None
        while states[0].phase < Phase.BATTLE:
            s = states[0]
            if s.decision in SECRET:
                other = 1 - int(s.seat)
                now = (
                    int(s.decision), int(s.seat), content(engine.hide(states, 0, other)), seen(states, other),
                    board_text(states, 0, other),
                )  # fmt: skip
                if before is not None and before[:2] == now[:2]:
                    assert before == now
                    changes += 1
                before = now
                action = purchases(rng, s.mask.nonzero()[0])
                found = events(states, action, other)
                after = engine.clone(states, 0)
                engine.apply(after, 0, action)
                if after[0].phase < Phase.BATTLE:  # then cards lie open
                    assert [(each.text, title) for each in found for title in engine.TITLE if title in each.text] == []
            else:
                action = purchases(rng, s.mask.nonzero()[0])
            engine.apply(states, 0, action)
    assert changes > 50


def placed_by_first(seed: int, placing: str) -> tuple[np.ndarray, list[str]]:
    """A game of 3 in which First has placed a squad that `seed` decides, and what Second was told of it."""
    rng = np.random.default_rng(seed)
    states, found = new_game(3, placing=placing), []
    while states[0].decision != Decision.PLACE or states[0].seat == states[0].first:
        s = states[0]
        legal = s.mask.nonzero()[0]
        action = engine.YES if s.phase < Phase.PURCHASE else int(legal[-1] if s.seat != s.first else rng.choice(legal))
        found += [each.text for each in events(states, action, 1 - int(s.first))] if s.first != engine.NONE else []
        engine.apply(states, 0, action)
    return states, found


def test_at_once_no_cell_is_known_before_both_have_placed():
    """rules 2.5: neither cells nor how many they are show in what Second is asked, told and shown, or can draw"""
    for placing, alike in (("in_turn", False), ("at_once", True)):
        shown = set()
        sizes = set()
        for seed in range(6):
            states, found = placed_by_first(seed, placing)
            second = int(states[0].seat)
            view = content(engine.hide(states, 0, second))
            redealt = content(engine.redeal(states, 0, second, 5))
            shown.add(str([view, redealt, seen(states, second), states[0].mask.tolist(), found]))
            assert board_text(states, 0, second) == board_text(engine.redeal(states, 0, second, 5), 0, second)
            sizes.add(int(states[0].squad[1 - second].sum()))
            own = content(engine.hide(states, 0, 1 - second))
            assert own != content(engine.hide(engine.redeal(states, 0, second, 5), 0, 1 - second))
        assert len(sizes) > 2
        assert (len(shown) == 1) == alike


def test_at_once_both_squads_are_shown_together():
    """rules 2.5: as the last card is placed each is told where the other's cards are"""
    states, _ = placed_by_first(1, "at_once")
    first, second = int(states[0].first), int(states[0].seat)
    while states[0].phase == Phase.PLACEMENT:
        before = engine.clone(states, 0)
        action = int(states[0].mask.nonzero()[0][0])
        engine.apply(states, 0, action)
    for viewer in (first, second):
        found = [each.text for each in events(before, action, viewer)]
        assert sum("places" in text for text in found) == (1 if viewer == first else 2)
        assert any(f"Player {'AB'[1 - viewer]} places cards on" in text for text in found)


def test_lay_outs_at_once_are_drawn_by_the_zones():
    """rules 2.5, 9.4: what First may have placed is a legal lay-out of a squad that it can have bought"""
    states, _ = placed_by_first(2, "at_once")
    second = int(states[0].seat)
    cells = set()
    for seed in range(40):
        deal = engine.redeal(states, 0, second, seed)
        engine.check_state(deal, 0)
        own = deal[0].cell[(1 - second) * engine.SQUAD : (2 - second) * engine.SQUAD]
        taken = {int(cell) for cell in own if cell != engine.NONE}
        centre = {row * 5 + column for row in range(3) for column in (1, 2, 3)}
        assert len(taken & centre) == min(len(taken), 9)
        cells |= taken
    assert cells >= {row * 5 + column for row in range(3) for column in (1, 2, 3)}


def test_questions_of_secrets_are_asked_even_with_one_answer():
    """rules 9.1: a question left out would show"""
    for states, _ in in_the_middle(6, 1.0):
        if states[0].decision in SECRET:
            assert not engine.is_openly_forced(states, 0)


def test_coming_dice_cannot_be_known():
    """rules 9.5: nothing that a seat is given depends on the generator, and redeals roll other dice"""
    p = Position()
    a = p.put(FIRST, "Orc Shooter", 7)
    p.put(SECOND, "Mountain Keeper", 22)
    p.go()
    views = set()
    for seed in range(5):
        other = p.states.copy()
        other[0].chance[:] = np.random.default_rng(seed).integers(0, 1 << 32, 4)
        for seat in range(engine.NUM_SEATS):
            views.add((seat, content(engine.hide(other, 0, seat)), str(seen(other, seat))))
            assert engine.hide(other, 0, seat)[0].chance.tolist() == [0, 0, 0, 0]
            redealt = [content(engine.redeal(each, 0, seat, 3)) for each in (p.states, other)]
            assert redealt[0] == redealt[1]
    assert len(views) == engine.NUM_SEATS
    rolled = []
    for seed in range(600):
        deal = engine.redeal(p.states, 0, FIRST, seed)
        engine.apply(deal, 0, p.act_id(a, Act.ABILITY_1))
        while deal[0].decision == Decision.TARGET:
            engine.apply(deal, 0, int(deal[0].mask.argmax()))
        rolled.append(int(deal[0].die))
    assert (abs(np.bincount(rolled, minlength=7)[1:] - 100) < 40).all()


def test_the_others_purchase_is_drawn_within_the_rules():
    """rules 2.4, 9.4: within the deck list, affordable, unique, with all possible sizes"""
    states = new_game(3)
    while states[0].phase < Phase.PLACEMENT:
        engine.apply(
            states, 0, engine.YES if states[0].phase < Phase.PURCHASE else int(states[0].mask.nonzero()[0][-1])
        )
    viewer = int(states[0].first)
    sizes = set()
    for seed in range(60):
        deal = engine.redeal(states, 0, viewer, seed)[0]
        squad = deal.squad[1 - viewer]
        assert (squad <= deal.deal[1 - viewer]).all()
        assert (deal.deal[1 - viewer] <= deal.deck[1 - viewer]).all()
        assert deal.deal[1 - viewer].sum() == deal.deal_size[1 - viewer]
        sizes.add(int(squad.sum()))
    assert len(sizes) > 4


def test_germets_gain_is_explained_by_the_cards_drawn():
    """rules 9.4: an element that only face-down cards can have given him; and none that he was not given"""
    p = Position(turn=1)
    p.put(FIRST, "Nomad", 0)
    p.put(SECOND, "Germet", 17)
    p.put(SECOND, "Nomad", 27, face_down=1)
    p.put(SECOND, "Marauder", 26, face_down=1)
    s = p.s
    s.setup = 0
    s.deck[1] = 0
    s.deck[1, [Card.GERMET, Card.NOMAD, Card.MARAUDER, Card.ZVAR, Card.KRONDAK, Card.KSHAR]] = [1, 1, 1, 3, 3, 1]
    s.deck[1, [Card.HALL_GUARD, Card.BORG, Card.MRAZEN, Card.HAMMERER, Card.AXE_MASTER, Card.IRON_GOLEM]] = 3
    s.deck[1, [Card.TEMPLE_WARRIOR, Card.CUTTHROAT]] = 1
    s.gains[1] = 1 | 2
    s.extra_movement[15] = 1
    s.moves[15] = 2
    s.deal_size[:] = 10
    s.deal[:, Card.KRONDAK] = 0
    for seat in (0, 1):
        s.deal_size[seat] = s.deal[seat].sum()
    p.go()
    drawn = set()
    for seed in range(60):
        deal = engine.redeal(p.states, 0, FIRST, seed)[0]
        cards = {Card(int(card)) for card in deal.card[16:18]}
        assert cards & {Card.NOMAD, Card.KSHAR}
        assert all(engine.ELEMENT[card] != engine.Element.MOUNTAIN for card in cards)
        drawn |= cards
    assert drawn == {Card.NOMAD, Card.KSHAR, Card.MARAUDER, Card.KRONDAK, Card.TEMPLE_WARRIOR, Card.CUTTHROAT}


def test_a_redeal_keeps_the_own_cards():
    for states, _ in in_the_middle(3, 0.2):
        for seat in range(engine.NUM_SEATS):
            deal = engine.redeal(states, 0, seat, 5)
            own = slice(seat * engine.SQUAD, seat * engine.SQUAD + engine.SQUAD)
            assert deal[0].deal[seat].tolist() == states[0].deal[seat].tolist()
            assert deal[0].card[own].tolist() == states[0].card[own].tolist()
