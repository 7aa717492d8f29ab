"""Questions about the rules with checkable answers, made from the positions of `decisions.py`.

- `battle`: who wins a battle with two cards. The engine plays it in a redeal for the seat.
- `legal`: which of four actions is legal. The others are legal in other positions.
- `strength`: which clan has the most strength in a province.
- `room`: how many figures can still enter a province.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from bloodrage_agents.base import View
from bloodrage_env import games
from bloodrage_env.core.shown.structs import Structs, structs_of
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import NO, Decision, States
from bloodrage_env.games.bloodrage.notation.words import PLACES
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.language.answers import value_of, without_price
from bloodrage_env.language.final import final_answer, trimmed, unreadable
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.text import words_of

from .decisions import Position

NOBODY: Final = "nobody"
CHOICES: Final = 4  # of a question about legal actions
_COMPARED: Final = re.compile(r"= \d+: (?:a tie, all lose|(\w+) wins)$")
_REVEALED: Final = re.compile(r"revealed: (.+)")
_CLAN: Final = ("{}", "the {} clan", "{} clan", "clan {}")
_PLACES: Final = {word for place in PLACES for word in words_of(place)}
# How a choice can be said, by kind of question; a place after `of` or `in` is left out, except in actions.
_SAID: Final = {
    "battle": (*_CLAN, *(f"{each} {what}" for each in _CLAN for what in ("wins", "wins the battle", "will win")),
               "the winner is {}"),
    "legal": ("{}",),
    "strength": (*_CLAN, *(f"{each} {what}" for each in _CLAN for what in ("has the most", "has the most STR"))),
    "room": ("{}", "{} more", *(f"{{}} {more}{what}{end}" for more in ("", "more ") for what in ("figure", "figures")
                               for end in ("", " have room", " has room"))),
}  # fmt: skip
_OTHER_WORDS: Final = {
    NOBODY: ("a tie", "tie", "it is a tie", "it's a tie", "a tie, all lose", "all lose", "both lose", "no one", "none",
             "neither", "neither clan", "no clan", "no one wins", "neither wins"),
    "0": ("zero", "none", "no figure", "no figures", "no more figures"),
}  # fmt: skip


@dataclass(frozen=True)
class Question:
    """A question, its choices, and the right one. `prompt` shows the position too."""

    kind: str
    prompt: str
    choices: tuple[str, ...]
    answer: str

    def chosen(self, said: str) -> str:
        """Return the choice that the final answer of a text means. It is found as in a game.

        Raise `final.RefusedError` if it means none.
        """
        final = final_answer(said)
        choice = self._choice(value_of(final))
        if choice is None:
            raise unreadable(f"is not one of {', '.join(self.choices)}", final.text)
        if any(map(self._choice, final.others)):
            raise unreadable("is said beside another choice", final.text)
        return choice

    def _choice(self, said: str) -> str | None:
        """The choice that a line means, None for another line."""
        wanted = words_of(without_price(trimmed(said)))
        if self.kind != "legal" and wanted[-2:-1] in (["of"], ["in"]) and wanted[-1] in _PLACES:
            del wanted[-2:]
        for choice in self.choices:
            forms = [*(form.format(choice) for form in _SAID[self.kind]), *_OTHER_WORDS.get(choice, ())]
            if wanted in map(words_of, forms):
                return choice
        return None


def make(positions: Sequence[Position], seed: int = 1, each: int = 25) -> list[Question]:
    """Return questions of each kind, at most `each`, that follow from the positions and the seed."""
    maker, found = _Maker(positions, seed), list[Question]()
    for kind in (maker.battles, maker.legal, maker.strength, maker.room):
        made = kind()
        found += [question for question, _ in zip(made, range(each), strict=False)]
    return found


class _Maker:
    """Makes questions of each kind."""

    def __init__(self, positions: Sequence[Position], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.positions = [positions[number] for number in self.rng.permutation(len(positions)).tolist()]
        self.structs: Structs = structs_of(games.spec(Options.game))
        self.text = TextGame(Options.game, Parts(cards=True))

    def _question(
        self, kind: str, states: States, seat: int, asked: str, choices: Sequence[str], answer: str
    ) -> Question:
        known = engine.hide(states, 0, seat)
        seats = self.structs.presentation.seats
        listed = ", ".join(f"`{choice}`" for choice in choices)
        text = f"{self.text.situation(known, seat)}\n\n{asked}\nAnswer with one line `Answer: X`, X one of {listed}."
        return Question(kind, text.replace(f"You are {seats[seat]}. ", f"You are {seats[seat]}. Open question: ", 1),
                        tuple(choices), answer)  # fmt: skip

    def _views(self) -> Iterator[tuple[States, int, dict[str, Any]]]:
        for position in self.positions:
            states = position.states()
            seat = engine.seat_to_act(states, 0)
            yield states, seat, self.structs.observation(engine.hide(states, 0, seat), seat)

    def battles(self) -> Iterator[Question]:
        """Who wins."""
        shown = self.structs.presentation
        for states, seat, struct in self._views():
            if struct["asked"]["kind"] != "battle card":
                continue
            dealt = View.of(states, 0, seat, Options.game).redeal(int(self.rng.integers(1 << 62)))
            lines = self._fought(dealt)
            revealed = [found[1] for line in lines if (found := _REVEALED.search(line))]
            compared = [found for line in lines if (found := _COMPARED.search(line))]
            if len(revealed) != 1 or len(compared) != 1:
                continue  # decided by choices, or chosen again
            place = struct["battle"]["province"]
            asked = (
                f"Suppose the cards are revealed: {revealed[0]}. Nobody adds a card. Who wins the battle of {place}?"
            )
            choices = (*shown.seats[:2], NOBODY)
            yield self._question("battle", states, seat, asked, choices, compared[0][1] or NOBODY)

    def _fought(self, states: States) -> list[str]:
        """The events until the battle is decided; nothing if another choice decides."""
        lines: list[str] = []
        while not engine.is_over(states, 0):
            decision = int(states[0].decision)
            legal = np.flatnonzero(states[0].mask)
            if decision == Decision.BATTLE_CARD:
                action = int(self.rng.choice(legal))
            elif decision == Decision.LATE_CARD:
                action = NO
            else:
                return []
            lines += [event.text for event in self.structs.presentation.events(states, action, None)]
            if any(_COMPARED.search(line) for line in lines):
                return lines
            engine.apply(states, 0, action)
        return []

    def legal(self) -> Iterator[Question]:
        """What may be done."""
        known = []
        for states, seat, struct in self._views():
            if struct["asked"]["kind"] == "action":
                known.append(
                    (states, seat, {without_price(each["text"]) for each in self.structs.actions(states, seat)})
                )
        everything = sorted(set().union(*(texts for _, _, texts in known)))
        for states, seat, texts in known:
            others = [text for text in everything if text not in texts]
            if len(others) < CHOICES or len(texts) < 2:
                continue
            answer = sorted(texts)[int(self.rng.integers(len(texts)))]
            choices = [answer, *self.rng.choice(others, CHOICES - 1, replace=False).tolist()]
            mixed = [choices[number] for number in self.rng.permutation(CHOICES).tolist()]
            yield self._question("legal", states, seat, "Which of these actions is legal for you now?", mixed, answer)

    def strength(self) -> Iterator[Question]:
        """Who is strongest."""
        for states, seat, struct in self._views():
            clans = struct["clans"]
            places = sorted({place for clan in clans.values() for place in clan.get("strength", {})})
            places = [place for place in places if place in struct["provinces"]]
            if not places:
                continue
            place = places[int(self.rng.integers(len(places)))]
            totals = {name: clan.get("strength", {}).get(place, 0) for name, clan in clans.items()}
            most = [name for name, total in totals.items() if total == max(totals.values())]
            asked = f"Which clan has the most STR in {place}, with the ships beside it and without cards?"
            choices = (*self.structs.presentation.seats[:2], NOBODY)
            yield self._question("strength", states, seat, asked, choices, most[0] if len(most) == 1 else NOBODY)

    def room(self) -> Iterator[Question]:
        """How many fit."""
        for states, seat, struct in self._views():
            places = [
                place
                for place, each in struct["provinces"].items()
                if place != "Yggdrasil" and not each.get("destroyed")
            ]
            place = places[int(self.rng.integers(len(places)))]
            free = struct["provinces"][place].get("empty_villages", 0)
            asked = f"How many more figures have room in {place}?"
            yield self._question("room", states, seat, asked, tuple(map(str, range(6))), str(free))
