"""rules 6.4: the cards of the other sets have their ids and lie in no deck."""

import subprocess
import sys
from pathlib import Path

import pytest

from bloodrage_env.engine import new_game
from bloodrage_env.engine.card_ids import NUM_BASE_CARDS, NUM_CARDS, Card
from bloodrage_env.engine.cards import CARD_SET, COPIES, TITLE

RESERVED = {
    "p5": ["Tyr's Judgement", "Widespread", "Widespread", "Widespread"],
    "ks": ["Fenrir", "Mountain Giant", "Wolfman", "Mystic Troll"],
    "mystics": ["Frigga's Chosen", "Odin's Chosen", "Thor's Chosen"],
}


def test_every_card_of_the_other_sets_has_an_id():
    """rules 6.4: the fifth clan's new cards, four monsters, three mystics, so that ids never move."""
    found: dict[str, list[str]] = {}
    for card in range(NUM_BASE_CARDS, NUM_CARDS):
        found.setdefault(CARD_SET[card], []).append(TITLE[card])
    assert found == RESERVED


def test_the_other_sets_are_in_no_deck():
    """rules 6.4: off by default: with no number of players, in no Age."""
    assert COPIES[:, :, NUM_BASE_CARDS:].sum() == 0


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("first_game", [False, True])
def test_no_game_deals_them(players, first_game):
    """rules 6.4: the decks of real games hold base cards only, as many of each as the table says."""
    for seed in range(5):
        state = new_game(seed, players, first_game=first_game)[0]
        for age in range(3):
            deck = [int(card) for card in state.deck[age] if card >= 0]
            assert max(deck) < NUM_BASE_CARDS
            assert all(deck.count(card) == COPIES[players, age, card] for card in Card)


@pytest.mark.parametrize("players", [1, 5])
def test_a_fifth_player_needs_the_fifth_clan(players):
    """rules 6.4: a fifth player is allowed only with `p5`; the refusal is an error, not a crash (own process)."""
    code = f"from bloodrage_env.engine import new_game; new_game(1, {players})"
    root = Path(__file__).resolve().parents[1]
    result = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert result.returncode == 1, f"exit status {result.returncode}"
    assert "ValueError" in result.stderr
