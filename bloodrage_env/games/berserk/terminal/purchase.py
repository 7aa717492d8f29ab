"""The purchase in the terminal: a person picks a set, which is answered as its one sequence (rules 2.4, 9.1)."""

from typing import Final

import numpy as np

from ..engine import CARD, COST, DONE, ELITE, NUM_CARDS, TITLE, UNIQUE, States
from ..notation.buying import affordable, bought
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
        gold, both = self._left()
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
            if bought(self.states, self._set) is None:
                self.bought[card] += 1
                return f"{TITLE[card]} stays: its gold is spent. Put other cards back first."
            return ""
        if self.bought[card] == (1 if UNIQUE[card] else copies):
            unique = f"{TITLE[card]} is unique: one of it can be bought."
            return unique if UNIQUE[card] else f"All {copies} of {TITLE[card]} are bought."
        if bought(self.states, [*self._set, CARD + card]) is None:
            gold, both = self._left()
            return (
                f"{TITLE[card]} is too dear ({card_facts(card).split(', life')[0]}): "
                f"{gold} gold and {both - gold} silver are left."
            )
        self.bought[card] += 1
        return ""

    def caution(self) -> str:
        """Return a warning before the purchase ends if the crystals left pay for another card."""
        if not any(self.bought):
            return ""
        more = affordable(self.states, self._set)
        if not more:
            return ""
        _, both = self._left()
        names = ", ".join(f"{TITLE[card]} ({COST[card]}{' gold' if ELITE[card] else ''})" for card in more)
        return f"{both} crystals would be lost, and there is still {names} to buy"

    def actions(self) -> list[int]:
        """Return the answers that buy the set and end the purchase; none while the set is empty."""
        return [*self._set, DONE] if self._set else []

    @property
    def _set(self) -> list[int]:
        return [CARD + card for card, count in enumerate(self.bought) for _ in range(count)]

    def _left(self) -> tuple[int, int]:
        """Return the gold and all crystals that are left with the set."""
        states = bought(self.states, self._set)
        assert states is not None
        return crystals_left(states, 0, self.seat)
