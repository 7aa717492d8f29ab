"""The context of a question that the board does not show: the deal, the squad, the action in progress."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ..engine import SQUAD, TITLE, Decision, Phase, States
from .cards import act_text, card_row
from .facts import crystals_left, push_leads_to
from .seen import Seen, name_in, seen_by
from .words import ACTS, CARDS, SLOTS, cell_name, dice_text

_TITLE = max(map(len, TITLE))


def context_lines(states: States, index: int) -> list[str]:
    """Return the context of the open question, for the seat that is asked."""
    s = states[index]
    seat, decision = int(s.seat), Decision(int(s.decision))
    seen = seen_by(states[index : index + 1], seat)
    if decision == Decision.KEEP:
        gold, both = crystals_left(states, index, seat)
        purse = f"It is bought from with {gold} gold, which elite cards cost, and {both - gold} silver."
        return ["Your deal:", *cards_table(seen["deal"]), purse]
    if decision == Decision.PLACE:
        return list(_to_place(seen, seat))
    if decision == Decision.HIDE:
        return list(_to_show(seen))
    return list(_action(states, index, seen)) if s.phase == Phase.BATTLE else []


def cards_table(copies: Mapping[str, int]) -> list[str]:
    """Return cards with their copies and facts."""
    rows = (card_row(f"  {count} {title:{_TITLE}}  ", CARDS[title]) for title, count in copies.items())
    return [line for row in rows for line in row]


def _to_place(seen: Seen, seat: int) -> Iterator[str]:
    """Return the card to place with its facts, and the cards after it."""
    placed = [card["card"] for slot, card in seen["cards"].items() if SLOTS[slot] // SQUAD == seat]
    left: Counter[str] = Counter(seen["squad"]) - Counter([seen["placing"], *placed])
    yield from card_row(f"{seen['placing']}: ", CARDS[seen["placing"]])
    after = [f"{count} {title}" if count > 1 else title for title, count in left.items()]
    yield f"After it: {', '.join(after) or 'none'}."


def _to_show(seen: Seen) -> Iterator[str]:
    """Return the card that may stay face down, and the answers for those before it."""
    slot = seen["asked"]["actor"]
    yield from card_row(f"{name_in(seen, slot)}: ", CARDS[seen["cards"][slot]["card"]])
    up = ", ".join(name_in(seen, each) for each in seen.get("turning_up", ()))
    yield f"To be turned up: {up or 'none so far'}."


def action_words(seen: Seen) -> list[str]:
    """Return the action in progress: what the card does, and what counts in it."""
    action = seen["action"]
    dice = action.get("difference", {})
    counted = {
        "tokens paid": action.get("paid"),
        "rolls left": action.get("again"),
        "targets so far": action.get("targets"),
        "difference of the dice": dice.get("more", 0) - dice.get("less", 0),
    }
    words = [f"{name}: {number}" for name, number in counted.items() if number]
    words += ["directed"] * ("directed" in action) + ["against a named defender"] * ("defended" in action)
    return [act_text(CARDS[seen["cards"][action["attacker"]]["card"]], ACTS[action["act"]]), *words]


def _action(states: States, index: int, seen: Seen) -> Iterator[str]:
    """Return the action in progress and the open dice."""
    s = states[index]
    if action := seen.get("action"):
        does, *counted = action_words(seen)
        target = [f"at {name_in(seen, action['attacked'])}"] if "attacked" in action else []
        yield f"{name_in(seen, action['attacker'])}: {'; '.join([does, *target, *counted])}"
    if dice := dice_text(s):
        yield f"Dice: {dice}"
    if s.decision in (Decision.PUSH, Decision.GO_OR_WOUND):
        cell = push_leads_to(states, index)
        yield (
            f"The push leads to {cell_name(cell)}."
            if cell >= 0
            else "It can't be pushed: the cell is taken or off the board."
        )
