"""The purchase in the terminal: a set that a person picks, with all that it depends on in view (rules 2.4)."""

import builtins
import re

import numpy as np
import pytest

from bloodrage_env.games.berserk.engine import CARD, COST, DONE, ELITE, NUM_CARDS, TITLE, Decision
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.notation.cards import card_facts
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.presentation import PRESENTATION
from bloodrage_env.games.berserk.terminal.purchase import Purchase
from bloodrage_env.terminal.person import Person


def at_purchase(seed=1):
    """A game at the first question of a purchase."""
    states = GAME.new_game(seed, Options(skip_forced=False))
    while states[0].decision != Decision.BUY:
        GAME.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    return states


def number_of(purchase, title):
    return next(i for i, card in enumerate(purchase.cards, start=1) if TITLE[card] == title)


@pytest.fixture
def typed(monkeypatch):
    lines = []
    monkeypatch.setattr(builtins, "input", lambda prompt="": lines.pop(0))
    return lines


@pytest.mark.parametrize("seed", range(6))
def test_a_set_can_be_picked_in_any_order(seed):
    """The answers are legal one after the other, and buy what was picked."""
    states = at_purchase(seed)
    purchase = Purchase(states)
    rng = np.random.default_rng(seed)
    for number in (1 + rng.permutation(len(purchase.cards))).tolist() * 3:
        problem = purchase.pick(number)
        assert problem == "" or re.search(r"too dear|unique|All \d", problem)
    bought = list(purchase.bought)
    seat = int(states[0].seat)
    for action in purchase.actions():
        assert states[0].mask[action]
        if action != DONE:
            GAME.play.apply(states, 0, action)
    assert states[0].squad[seat, :NUM_CARDS].tolist() == bought
    assert purchase.caution() == "", "nothing more can be bought"


def test_what_is_picked_can_be_put_back():
    purchase = Purchase(at_purchase())
    empty = purchase.lines()
    for number in (1, 2, 3):
        assert purchase.pick(number) == ""
    for number in (-2, -3, -1):
        assert purchase.pick(number) == ""
    assert purchase.lines() == empty
    assert purchase.pick(-1).endswith("is not bought.")
    assert purchase.pick(99).startswith("Cards go from 1 to ")
    assert purchase.actions() == []


def test_the_gold_of_marauder_cannot_be_taken_away_from_what_it_pays_for():
    """rules 2.4: every set that is reached can be paid for."""
    for seed in range(40):
        purchase = Purchase(at_purchase(seed))
        if purchase.cards[0] != 0:
            continue
        purchase.pick(1)
        for number, card in enumerate(purchase.cards, start=1):
            if ELITE[card]:
                purchase.pick(number)
        purchase.pick(-1)
        assert purchase.actions() == [*(CARD + c for c, n in enumerate(purchase.bought) for _ in range(n)), DONE]
        assert purchase.lines(), "what is left can be calculated"


def test_copies_prices_strikes_and_what_is_left_are_in_view():
    states = at_purchase()
    purchase = Purchase(states)
    purchase.pick(2)
    text = " ".join(" ".join(purchase.lines()).split())
    seat = int(states[0].seat)
    for number, card in enumerate(purchase.cards, start=1):
        copies = f"{purchase.bought[card]} of {states[0].deal[seat, card]} {TITLE[card]}"
        assert f"{copies} {card_facts(card)}" in text
        assert "strike " in card_facts(card)
        assert f" {number} " in text
    spent = int(COST[purchase.cards[1]])
    assert f"Bought: 1 {TITLE[purchase.cards[1]]}." in text
    left = re.search(r"Left to spend: (\d+) gold, which elite cards cost, and (\d+) silver", text)
    assert left
    assert sum(map(int, left.groups())) == (46 if seat == states[0].first else 48) - spent


def test_a_person_buys_a_set(typed, capsys):
    """Lower numbers can be bought after higher ones; to end with crystals for a card more is asked again."""
    states = at_purchase()
    purchase = Purchase(states)
    end = len(purchase.answers)
    typed += [str(end), "5", "1 3", "-3", "u", "nonsense", "? 2", str(end), str(end)]
    person = Person(PRESENTATION, int(states[0].seat), colour=False)
    given = []
    while states[0].decision == Decision.BUY and states[0].seat == person.seat:
        given.append(person.ask(states, lambda: False))
        GAME.play.apply(states, 0, given[-1])
    assert given == [CARD + purchase.cards[0], CARD + purchase.cards[2], CARD + purchase.cards[4], DONE]
    out = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert "At least one must be picked." in out
    assert f"{TITLE[purchase.cards[1]]}: " in out
    assert re.search(r"\d+ crystals would be lost, and there is still .* to buy: \d+ again to end\.", out)
    assert typed == []


def test_other_questions_are_answered_by_the_menu():
    states = at_purchase()
    assert PRESENTATION.terminal.basket(states) is not None
    GAME.play.apply(states, 0, CARD + Purchase(states).cards[0])
    assert PRESENTATION.terminal.basket(states) is None, "a purchase that has begun goes on by the menu"


def test_what_is_left_of_a_set_answers_no_later_question(typed, capsys):
    """The last answer of a set may be forced, and is then not asked: it must not end the person's first turn."""
    states = GAME.new_game(2, Options(skip_forced=False))
    while states[0].decision != Decision.MAIN:
        GAME.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    assert states[0].mask[DONE]
    person = Person(PRESENTATION, int(states[0].seat), colour=False)
    person.picked, person.picking = [DONE], int(Decision.BUY)
    _, actions = PRESENTATION.terminal.menu(states)
    assert actions[0] != DONE
    typed.append("1")
    assert person.ask(states, lambda: False) == actions[0]
    assert person.picked == []
    capsys.readouterr()
