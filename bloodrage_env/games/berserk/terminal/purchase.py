"""The purchase in the terminal: a person picks a set, which is answered as its one sequence (rules 2.4, 9.1)."""

from typing import Final

import numpy as np

from ..engine import CARD, COST, DONE, ELITE, NUM_CARDS, TITLE, UNIQUE, Decision, States, apply, clone
from ..notation.cards import card_facts, card_row
from ..notation.facts import crystals_left
from ..notation.words import player

_TITLE: Final = max(map(len, TITLE))


class Purchase:
    """A set of cards from the deal. `states` is at the first question of a purchase."""

    def __init__(self, states: States) -> None:
        self.states = states
        self.seat = int(states[0].seat)
        self.cards: list[int] = np.flatnonzero(states[0].deal[self.seat]).tolist()
        self.bought = [0] * NUM_CARDS

    @property
    def answers(self) -> list[int]:
        """Return the action of each number, from 1 on."""
        return [*(CARD + card for card in self.cards), DONE]

    def lines(self) -> list[str]:
        """Return the deal with copies, prices and facts, the set, and the crystals left."""
        deal = self.states[0].deal[self.seat]
        lines = [f"{player(self.seat)} buys its squad:"]
        for number, card in enumerate(self.cards, start=1):
            mark = "*" if self.bought[card] else " "
            head = f"{number:4} {mark}{self.bought[card]} of {deal[card]}  {TITLE[card]:{_TITLE}}  "
            lines += card_row(head, card)
        lines.append(f"{len(self.cards) + 1:4}  buy these and end the purchase")
        squad = [f"{count} {TITLE[card]}" for card, count in enumerate(self.bought) if count]
        lines += ["", f"Bought: {', '.join(squad) or 'nothing yet'}."]
        gold, both = self._left(self.bought)
        lines.append(f"Left to spend: {gold} gold, which elite cards cost, and {both - gold} silver.")
        return [*lines, "A number buys a copy, -number puts it back; several may stand in a line."]

    def pick(self, number: int) -> str:
        """Buy a copy of the card of a number from 1 on, or put one back for a negative number. Return an error text, or
        "".
        """
        if not 1 <= abs(number) <= len(self.cards):
            return f"Cards go from 1 to {len(self.cards)}."
        card = self.cards[abs(number) - 1]
        copies = int(self.states[0].deal[self.seat, card])
        if number < 0:
            if not self.bought[card]:
                return f"{TITLE[card]} is not bought."
            self.bought[card] -= 1
            if self._played(self.bought) is None:
                self.bought[card] += 1
                return f"{TITLE[card]} stays: its gold is spent. Put other cards back first."
            return ""
        if self.bought[card] == (1 if UNIQUE[card] else copies):
            unique = f"{TITLE[card]} is unique: one of it can be bought."
            return unique if UNIQUE[card] else f"All {copies} of {TITLE[card]} are bought."
        more = [count + (each == card) for each, count in enumerate(self.bought)]
        if self._played(more) is None:
            gold, both = self._left(self.bought)
            return (
                f"{TITLE[card]} is too dear ({card_facts(card).split(', life')[0]}): "
                f"{gold} gold and {both - gold} silver are left."
            )
        self.bought = more
        return ""

    def caution(self) -> str:
        """Return a warning before the purchase ends if the crystals left pay for another card."""
        if not any(self.bought):
            return ""
        more = [card for card in self.cards if self._can_add(card)]
        if not more:
            return ""
        _, both = self._left(self.bought)
        names = ", ".join(f"{TITLE[card]} ({COST[card]}{' gold' if ELITE[card] else ''})" for card in more)
        return f"{both} crystals would be lost, and there is still {names} to buy"

    def actions(self) -> list[int]:
        """Return the answers that buy the set and end the purchase; none while the set is empty."""
        cards = [card for card, count in enumerate(self.bought) for _ in range(count)]
        return [*(CARD + card for card in cards), DONE] if cards else []

    def _can_add(self, card: int) -> bool:
        """Return whether one more copy can be paid for."""
        if self.bought[card] == (1 if UNIQUE[card] else int(self.states[0].deal[self.seat, card])):
            return False
        return self._played([count + (each == card) for each, count in enumerate(self.bought)]) is not None

    def _played(self, bought: list[int]) -> States | None:
        """Return the game after the purchase of this set, before the purchase ends, or None if it can't be paid for."""
        states = clone(self.states, 0)
        for card, count in enumerate(bought):
            for _ in range(count):
                s = states[0]
                if s.decision != Decision.BUY or s.seat != self.seat or not s.mask[CARD + card]:
                    return None
                apply(states, 0, CARD + card)
        return states

    def _left(self, bought: list[int]) -> tuple[int, int]:
        """Return the gold and all crystals that are left with this set."""
        states = self._played(bought)
        assert states is not None
        return crystals_left(states, 0, self.seat)
