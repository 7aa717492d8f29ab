"""Questions, boards and standings of a game in the terminal."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

import numpy as np

from ....core.shown.lookup import find_title, find_titles
from .. import engine
from ..engine import Decision, Element, Part, Phase, States
from ..notation import action_text
from ..notation.cards import beside, card_facts, card_lines, card_row, describe
from ..notation.context import context_lines
from ..notation.facts import range_of
from ..notation.seen import seen_by, seen_by_all
from ..notation.words import CARDS, ELEMENTS, SLOTS, card_id, who
from .purchase import Purchase

_COLUMN: Final = 34  # where more is said of a card on offer
_TITLE: Final = max(map(len, engine.TITLE))
_TITLES: Final = {card: title for title, card in CARDS.items()}
_IDS: Final = {card: card_id(card) for card in _TITLES}


def context(states: States) -> list[str]:
    """Return the context of the open question that the board does not show."""
    return context_lines(states, 0)


def basket(states: States) -> Purchase | None:
    """Return the purchase as a set, at the first question of a purchase."""
    s = states[0]
    return Purchase(states) if s.decision == Decision.BUY and not s.squad[s.seat].any() else None


def menu(states: States) -> tuple[list[str], list[int]]:
    """Return the lines to print, and the action of each number from 1 on. An answer that ends something is last."""
    actions = sorted(
        (int(each) for each in np.flatnonzero(states["mask"][0])), key=lambda each: (each == engine.DONE, each)
    )
    lines = []
    for number, action in enumerate(actions, start=1):
        card = card_of(action)
        facts = card_facts(card) if card != engine.NONE else _reach(states, action)
        lines += beside(f"{number:4}  {action_text(states, 0, action):{_COLUMN}}  ", facts)
    return lines, actions


def _reach(states: States, action: int) -> str:
    """Return the present range of an ability, if it differs from the printed one."""
    if not engine.ACT <= action < engine.CELL:
        return ""
    slot = int(states[0].seat) * engine.SQUAD + (action - engine.ACT) // engine.NUM_ACTS
    printed = int(engine.ABILITIES[Part.RANGE, states[0].card[slot], (action - engine.ACT) % engine.NUM_ACTS])
    reach = range_of(states, 0, action)
    return f"range {reach} now" if printed != engine.UNLIMITED and reach != printed else ""


def shows_board(states: States) -> bool:
    """Return whether the board is shown before the open question: if there are cards on it, or cells to choose."""
    return int(states[0].decision) not in (Decision.SEAT, Decision.KEEP, Decision.BUY)


def caution(states: States, action: int) -> str:
    """Return a warning before an answer is applied: a pass while a card can act asks for confirmation."""
    s = states[0]
    if action != engine.DONE or s.decision != Decision.MAIN or not s.mask[engine.ACT : engine.CELL].any():
        return ""
    return "To pass ends your turn, and cards of yours can still act"


def card_of(action: int) -> int:
    """Return the card of an action, or NONE."""
    return action - engine.CARD if engine.CARD <= action < engine.CARD + engine.NUM_CARDS else engine.NONE


def offered(states: States, seat: int, actions: Sequence[int]) -> list[int]:
    """Return the cards of the answers, or else those of the deal, of the squad, or in play that a seat sees."""
    cards = sorted({card for action in actions if (card := card_of(action)) != engine.NONE})
    seen, phase = seen_by(states, seat), int(states[0].phase)
    if not cards and phase < Phase.BATTLE:
        return [CARDS[title] for title in seen.get("deal" if phase < Phase.PLACEMENT else "squad", ())]
    in_play = (each for each in seen["cards"].values() if "card" in each and "in_play" in each)
    return cards or sorted({CARDS[each["card"]] for each in in_play})


def find(text: str) -> list[int]:
    """Return the cards of a title, an id, the beginning of a title, or else a part of one. Raise UserError for none or
    several.
    """
    return find_title(text, _TITLES, _IDS, "card")


def reference() -> Iterator[str]:
    """Return the list of all cards, by element."""
    for element in Element:
        yield f"{ELEMENTS[element].capitalize()} cards"
        for card, title in _TITLES.items():
            if engine.ELEMENT[card] == element:
                yield from card_row(f"  {title:{_TITLE}}  ", card)
        yield ""
    yield "`bloodrage cards --game berserk NAME...` shows what cards do."


def about(words: Sequence[str]) -> Iterator[str]:
    """Return the descriptions of cards by name."""
    found = find_titles(words, _TITLES, _IDS, "card")
    yield "\n\n".join("\n".join(card_lines(card)) for cards in found for card in cards)


def cards(words: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield the facts of the named cards, or of all."""
    found = find_titles(words, _TITLES, _IDS, "card") if words else [[*_TITLES]]
    for card in chain.from_iterable(found):
        yield {"id": _IDS[card], **describe(card)._asdict()}


def result_table(states: States) -> str:
    """Return the winner and what each player has left; the standings if the game is not over."""
    s = states[0]
    won = engine.scores(states, 0).tolist()
    if len(won) == 1:
        won.append(-won[0])  # the demon alone (rules 11.2)
    lines = [f"{'':4}{'player':12}{'result':>8}{'cards left':>12}{'life left':>11}{'cards lost':>12}"]
    results = (
        ["-"] * engine.NUM_SEATS
        if not s.over
        else ["drawn" if won[0] == won[1] else ("lost", "won")[each == max(won)] for each in won]
    )
    cards = seen_by_all([seen_by(states, seat) for seat in range(s.num_players)])["cards"].items()
    for seat in sorted(range(engine.NUM_SEATS), key=lambda seat: (-won[seat], seat)):
        place = 1 + sum(other > won[seat] for other in won)
        own = [card for slot, card in cards if SLOTS[slot] // engine.SQUAD == seat]
        lives, lost = [card.get("life", 0) for card in own if "in_play" in card], sum("dead" in card for card in own)
        row = f"{who(s, seat):12}{results[seat]:>8}{len(lives):>12}{sum(lives):>11}{lost:>12}"
        lines.append(f"{place}.".ljust(4) + row)
    return "\n".join(lines)


def reveals(before: States, action: int, seat: int) -> bool:
    """Whether an answer of `seat` had the other act, or revealed something: dice, cards turned up, a new phase."""
    states = engine.clone(before, 0)
    engine.apply(states, 0, action)
    s, after = before[0], states[0]
    turned_up = np.any(s.face_down > after.face_down)
    goes_on = any(np.any(s[name] != after[name]) for name in ("phase", "turn", "chance"))
    return bool(after.seat != seat or turned_up or goes_on)
