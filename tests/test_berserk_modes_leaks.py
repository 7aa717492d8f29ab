"""What a seat may know in the modes of Berserk, and no more (rules 9.4, 10.7, 11.13).

Twins: from some time on a game goes on beside a redeal of it for one seat, with the same answers wherever the rules
show them to that seat. Nothing that the seat is shown may differ, whether of an opponent or of a partner.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from berserk_golden import part_of

from bloodrage_env import games
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.games.berserk.engine import CARD, DONE, NONE, NUM_CARDS, SECRET, SQUAD, TITLE, YES, Decision, Phase

FORMS: list[tuple[str, dict[str, Any]]] = [
    ("berserk_team", {}),
    ("berserk_team", {"placing": "at_once", "skip_forced": False}),
    ("berserk_laar", {"num_players": 1}),
    ("berserk_laar", {}),
    ("berserk_laar", {"placing": "at_once", "combat": "difference"}),
]
FORM = pytest.mark.parametrize(("name", "options"), FORMS, ids=str)
CARDS = [title for title in TITLE if title != "Berserk"]  # which is the name of the game too


def content(states: np.ndarray) -> bytes:
    return b"".join(states[name].tobytes() for name in states.dtype.names or ())


class Eyes:
    """All that a seat is shown of a game."""

    def __init__(self, name: str) -> None:
        self.game, self.shown, self.structs = games.game(name), games.presentation(name), structs_of(games.spec(name))
        self.vector = np.zeros(self.game.observation_size, np.uint8)

    def see(self, states: np.ndarray, seat: int) -> list[Any]:
        known = self.game.hide(states, 0, seat)
        self.game.observe.observe_bytes(states, 0, seat, self.vector)
        board = self.shown.board_text(states, 0, seat, False)
        return [content(known), self.vector.tobytes(), board, self.structs.observation(known, seat)]


def answer(states: np.ndarray, rng: np.random.Generator) -> int:
    """Keep, buy much, and do something in a turn."""
    legal = states[0].mask.nonzero()[0]
    if len(legal) > 1 and legal[0] == DONE:
        legal = legal[1:4] if CARD <= legal[1] < CARD + NUM_CARDS else legal[1:]
    return YES if legal[0] == YES and rng.random() < 0.9 else int(rng.choice(legal))


def middle(name: str, options: dict[str, Any], number: int, share: float) -> Iterator[tuple[Any, np.random.Generator]]:
    """Positions of random games up to the second turns."""
    game = games.game(name)
    for seed in range(number):
        rng = np.random.default_rng(seed)
        states = game.new_game(seed, games.options_from(name, **options))
        while not states[0].over and states[0].turn < 6:
            if rng.random() < share:
                yield states, rng
            game.play.apply(states, 0, answer(states, rng))


def goes_along(game: Any, states: np.ndarray, twin: np.ndarray, seat: int, rng: np.random.Generator) -> bool:
    """Answer both games alike as far as the seat can see; False when their ways part."""
    s, t = states[0], twin[0]
    if SECRET[s.decision] and s.seat != seat:
        if s.decision == Decision.BUY or s.squad[s.seat].sum() != t.squad[s.seat].sum():
            return False  # the twin buys from the beginning; how many cards there are is seen when they stand
        common = (s.mask & t.mask).nonzero()[0]
        if len(common) == 0:
            return False
        action = int(rng.choice(common))
    else:
        action = answer(states, rng)
        if not t.mask[action]:
            return False
    t.chance[:] = s.chance
    for each in (states, twin):
        game.play.apply(each, 0, action)
    return True


def same_turned_up(states: np.ndarray, twin: np.ndarray) -> bool:
    """Whether the same cards lie open: when one is turned up in which they differ, the seat has learnt something."""
    s, t = states[0], twin[0]
    both = (s.face_down == 0) & (t.face_down == 0) & (s.cell != NONE)
    return bool((s.card[both] == t.card[both]).all() and (s.face_down == t.face_down).all())


@FORM
def test_games_with_the_same_past_look_the_same(name, options):
    game, eyes = games.game(name), Eyes(name)
    compared = other = 0
    for states, rng in middle(name, options, 8, 0.05):
        seat = int(rng.integers(states[0].num_players))
        if states[0].phase < Phase.PLACEMENT or (SECRET[states[0].decision] and states[0].seat != seat):
            continue
        ours, twin = game.play.clone(states, 0), game.redeal(states, 0, seat, int(rng.integers(1 << 62)))
        twin[0].decisions = ours[0].decisions  # a redeal does not know how many secret ones there were
        for _ in range(25):
            if ours[0].over or not goes_along(game, ours, twin, seat, rng):
                break
            if ours[0].phase >= Phase.REVEAL and not same_turned_up(ours, twin):
                break
            assert (ours[0].seat, ours[0].decision, ours[0].over) == (twin[0].seat, twin[0].decision, twin[0].over)
            assert eyes.see(ours, seat) == eyes.see(twin, seat)
            if ours[0].phase >= Phase.BATTLE or ours[0].seat == seat:
                assert ours[0].mask.tolist() == twin[0].mask.tolist()
            compared += 1
            other += bool((ours[0].deal != twin[0].deal).any())
    assert compared > 60
    assert (other > 0.2 * compared) == (options != {"num_players": 1})  # alone nothing is hidden but dice


@FORM
def test_a_redeal_reads_nothing_hidden(name, options):
    """rules 10.22: states that look alike to a seat have the same redeals; a view is as good as the game."""
    game = games.game(name)
    for states, rng in middle(name, options, 3, 0.05):
        for seat in range(int(states[0].num_players)):
            seed = int(rng.integers(1 << 62))
            twin, view = game.redeal(states, 0, seat, seed + 1), game.hide(states, 0, seat)
            wanted = content(game.redeal(states, 0, seat, seed))
            assert content(game.redeal(twin, 0, seat, seed)) == wanted
            assert content(game.redeal(view, 0, seat, seed)) == wanted


@FORM
def test_nothing_says_what_is_bought_and_where_it_is_placed(name, options):
    """rules 10.7, 11.13: while one buys and places, the others are shown the same, partners too."""
    eyes, game = Eyes(name), games.game(name)
    changes = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        states = game.new_game(seed, games.options_from(name, **options))
        before: dict[int, list[Any]] = {}
        asked = None
        while states[0].phase < Phase.BATTLE:
            s = states[0]
            action = answer(states, rng)
            after = game.play.clone(states, 0)
            game.play.apply(after, 0, action)
            if SECRET[s.decision]:
                others = set(range(int(s.num_players))) - {int(s.seat)}
                now = {seat: eyes.see(states, seat) for seat in others}
                if asked == (int(s.decision), int(s.seat)):
                    assert now == before
                    changes += len(others)
                before, asked = now, (int(s.decision), int(s.seat))
                for seat in others if after[0].phase < Phase.REVEAL else ():
                    texts = [each.text for each in eyes.shown.events(states, action, seat)]
                    assert [(text, card) for text in texts for card in CARDS if card in text] == []
            states = after
    assert (changes > 20) == (options != {"num_players": 1})


def test_a_partner_sees_no_more_than_an_opponent():
    """rules 10.7: cards that lie face down are hidden from both."""
    engine = part_of("berserk_team", "engine")
    found = 0
    for states, _ in middle("berserk_team", {}, 12, 0.2):
        for slot in states[0].face_down.nonzero()[0].tolist():
            owner = slot // SQUAD
            for seat in set(range(engine.NUM_SEATS)) - {owner}:
                known = engine.hide(states, 0, seat)[0]
                assert known.card[slot] == NONE
                found += seat % 2 == owner % 2
    assert found > 10
