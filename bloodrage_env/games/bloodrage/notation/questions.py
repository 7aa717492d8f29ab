"""The open question and its answers in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....text import counted
from .. import engine
from ..engine import CardType, Decision, States
from .names import action_name
from .words import (
    CLANS,
    GODS,
    PLACES,
    PROVINCES,
    SEVERAL,
    STATS,
    TOKENS,
    a_figure,
    end_bonus,
    face,
    kind_name,
    rage_price,
    some_figures,
)

SPREAD: Final = (Decision.ACTION, Decision.FREE_INVADE, Decision.RAISE_DEAD)  # questions with figures to many places


@dataclass(frozen=True, slots=True)
class Answer:
    """An action as an answer to the open question of a game."""

    states: States
    index: int
    s: np.record
    seat: int
    offset: int  # of the action in its block
    block: int  # where the block starts

    @property
    def kind(self) -> int:
        """The figure kind of a FIGURE_AT."""
        return self.offset // engine.NUM_BOARD

    @property
    def place(self) -> str:
        """The place of a FIGURE_AT, in words."""
        return PLACES[self.offset % engine.NUM_BOARD]

    @property
    def figure(self) -> str:
        """The figure of a FIGURE_AT, in words."""
        return a_figure(self.s, self.seat, self.kind)

    @property
    def price(self) -> str:
        """The price of the action in words."""
        return rage_price(engine.price_of(self.states, self.index, self.block + self.offset))

    @property
    def about_place(self) -> str:
        """The place of the question in words."""
        return str(PLACES[self.s.about_place])


def with_strength(card: int) -> str:
    """Return a card with its +STR in battle, without the effect of texts: "Tyr's Bash (+2)"."""
    return f"{face(card)} (+{engine.STRENGTH[card] if engine.TYPE[card] == CardType.BATTLE else 0})"


# ---- answers, a function a kind of question


def _draft(a: Answer) -> str:
    return f"keep {face(a.offset)}"


def _action(a: Answer) -> str:
    if a.block == engine.PASS:
        return "pass"
    if a.block == engine.FIGURE_AT:
        return _invade(a, f" {a.place}")
    if a.block == engine.MARCH:
        return (
            f"march from {PROVINCES[engine.MARCH_FROM[a.offset]]} to {PROVINCES[engine.MARCH_TO[a.offset]]} ({a.price})"
        )
    if a.block in (engine.CARD, engine.PROVINCE):
        return " ".join(_parts(a))
    if a.block == engine.SACRIFICE:
        return "sacrifice two figures for a step on a stat (free)"
    return f"invade with a figure from Valhalla ({a.price})"


def _invade(a: Answer, to: str) -> str:
    end = {Decision.FREE_INVADE: " (free)", Decision.RAISE_DEAD: " from Valhalla"}.get(a.s.decision) or f" ({a.price})"
    return f"invade{to} with {a.figure}{end}"


def _parts(a: Answer) -> tuple[str, str]:
    """Return what an answer has in common with similar ones, and its own part, or ""."""
    if a.block == engine.FIGURE_AT:
        return _invade(a, ""), a.place
    if a.block == engine.MARCH:
        return f"march from {PROVINCES[engine.MARCH_FROM[a.offset]]} ({a.price}) to", PROVINCES[
            engine.MARCH_TO[a.offset]
        ]
    if a.block == engine.PROVINCE:
        return "pillage", _pillage(a)
    if a.block == engine.CARD and engine.TYPE[a.offset] == CardType.QUEST:
        return "commit to the quest", face(a.offset)
    if a.block == engine.CARD:
        return "play", f"{engine.TITLE[a.offset]} for {a.price}"
    return _QUESTIONS[int(a.s.decision)][0](a), ""


def _pillage(a: Answer) -> str:
    token, god = TOKENS[a.s.token[a.offset]], a.s.god_in[a.offset]
    where = PROVINCES[a.offset] if god == engine.NONE else f"{PROVINCES[a.offset]}, where {GODS[god]} stands,"
    if a.s.pillaged[a.offset]:
        return f"{where} again for {token} ({a.price})"
    return f"{where} for {token}"


def _march(a: Answer) -> str:
    kind = int(a.s.about_kind)
    name = kind_name(a.s, a.seat, kind)
    if kind not in SEVERAL:
        return f"the {name} {'goes' if a.offset else 'stays'}"
    if a.offset == 0:
        return f"no {name} goes"
    return f"{counted(a.offset, name)} {'goes' if a.offset == 1 else 'go'}"


def _slot(a: Answer) -> str:
    old = a.s.upgrades[a.seat, engine.FIRST_SLOT[engine.TYPE[a.s.about_card]] + a.offset]
    return "into an empty slot" if old == engine.NONE else f"in place of {engine.TITLE[old]}"


def _free_invade(a: Answer) -> str:
    return "invade nowhere" if a.block == engine.NO else _invade(a, f" {a.place}")


def _sacrifice(a: Answer) -> str:
    return f"sacrifice {a.figure} in {a.place}"


def _succor(a: Answer) -> str:
    return f"a warrior follows into {a.about_place}" if a.block == engine.YES else "no warrior follows"


def _free_pillage(a: Answer) -> str:
    if a.block == engine.NO:
        return "don't pillage"
    return f"pillage {a.about_place} at once for {TOKENS[a.s.token[a.s.about_place]]} ({a.price})"


def _call(a: Answer) -> str:
    return "stay out" if a.block == engine.NO else f"join with {a.figure} from {a.place}"


def _battle_card(a: Answer) -> str:
    return f"play {with_strength(a.offset)}"


def _count_quest(a: Answer) -> str:
    return f"count {engine.TITLE[a.s.about_card]} as +{a.offset}"


def _keep_figure(a: Answer) -> str:
    return f"keep {a.figure} in {a.place}"


def _save(a: Answer) -> str:
    kind = int(a.s.about_kind)
    dying = int(a.s.dying[kind])
    if a.block == engine.YES:
        return f"{a_figure(a.s, a.seat, kind)} escapes to Yggdrasil"
    if a.offset == 0:
        return f"let {some_figures(a.s, a.seat, kind, dying)} die"
    if dying > a.offset:
        return f"save {a.offset} of {some_figures(a.s, a.seat, kind, dying)} ({a.price})"
    return f"save {some_figures(a.s, a.seat, kind, dying)} ({a.price})"


def _late_card(a: Answer) -> str:
    return "add no card" if a.block == engine.NO else f"add {with_strength(a.offset)}"


def _buy_back(a: Answer) -> str:
    return "take back no more" if a.block == engine.NO else f"take back {face(a.offset)} for {a.price}"


def _stat(a: Answer) -> str:
    step = a.s.stat_step[a.seat, a.offset]
    values = f"from {engine.STAT_VALUE[a.offset, step]} to {engine.STAT_VALUE[a.offset, step + 1]}"
    return f"raise {STATS[a.offset]} {values}{end_bonus(step, step + 1)}"


def _leader_move(a: Answer) -> str:
    several = a.s.about_kind == engine.NONE
    if a.block == engine.FIGURE_AT:
        return f"{a_figure(a.s, a.seat, a.kind)} moves on"
    who = "the leaders" if several else a_figure(a.s, a.seat, int(a.s.about_kind))
    if a.block == engine.NO:
        return f"{who} {'stay' if several else 'stays'}"
    return f"{who} moves on to {PROVINCES[a.offset]}"


def _blessing(a: Answer) -> str:
    return f"a warrior invades {a.about_place} (free)" if a.block == engine.YES else "no warrior invades"


def _god_move(a: Answer) -> str:
    return f"{GODS[a.s.god_in[a.s.about_place]]} goes to {PROVINCES[a.offset]}"


def _keep_card(a: Answer) -> str:
    return "keep no card" if a.block == engine.NO else f"keep {face(a.offset)} for the next Age"


def _withdraw(a: Answer) -> str:
    kind = int(a.s.about_kind)
    if a.block == engine.NO:
        return f"let {some_figures(a.s, a.seat, kind, int(a.s.dying[kind]))} die"
    return f"{a_figure(a.s, a.seat, kind)} withdraws to {PROVINCES[a.offset]}"


def _victim(a: Answer) -> str:
    clan = CLANS[engine.asked_in(a.states, a.index).victim]
    return (
        f"destroy no figure of {clan}'s"
        if a.block == engine.NO
        else f"destroy {clan}'s {kind_name(a.s, a.seat, a.kind)}"
    )


# Decision: how the answers read, and the question itself after the name of the clan. `{place}`, `{card}`, `{kind}`
# are what the question is about; `{s}` and `{es}` are left out of what is said to the clan itself.
_QUESTIONS: Final[dict[int, tuple[Callable[[Answer], str], str]]] = {
    Decision.DRAFT: (_draft, "keep{s} a card of the pack (round {round} of {rounds})"),
    Decision.ACTION: (_action, "take{s} an action, or pass{es} ({rage} Rage left)"),
    Decision.MARCH: (_march, "march{es} from {origin} to {place}: how many, {kind}?"),
    Decision.SLOT: (_slot, "choose{s} a slot for {card}"),
    Decision.FREE_INVADE: (_free_invade, "may invade for free"),
    Decision.RAISE_DEAD: (_free_invade, "invade{s} with a figure from Valhalla"),
    Decision.SACRIFICE: (_sacrifice, "choose{s} the {ordinal} figure to sacrifice"),
    Decision.SUCCOR: (_succor, "may let a warrior follow into {place}"),
    Decision.FREE_PILLAGE: (_free_pillage, "may pillage {place} at once"),
    Decision.CALL: (_call, "may join the battle of {place}, {called}"),
    Decision.BATTLE_CARD: (_battle_card, "play{s} a card face {side} in the battle of {place}"),
    Decision.COUNT_QUEST: (_count_quest, "say{s} what {card} counts in the battle of {place}"),
    Decision.KEEP_FIGURE: (_keep_figure, "keep{s} one figure in {place}; the others die"),
    Decision.SAVE: (_save, "may save what is about to die in {place}: {kind}"),
    Decision.LATE_CARD: (_late_card, "may add a card in the battle of {place}"),
    Decision.BUY_BACK: (_buy_back, "may take back cards played in {place} ({rage} Rage left)"),
    Decision.STAT: (_stat, "raise{s} a stat{reason}"),
    Decision.LEADER_MOVE: (_leader_move, "may move the leader on from {place}"),
    Decision.BLESSING: (_blessing, "may let a warrior invade {place}"),
    Decision.KEEP_CARD: (_keep_card, "may keep a card for the next Age"),
    Decision.WITHDRAW: (_withdraw, "may withdraw what is about to die in {place}: {kind}"),
    Decision.VICTIM: (_victim, "may destroy a figure of {victim}'s in {place} for its village"),
    Decision.GOD_MOVE: (_god_move, "move{s} {god} from {place} to another province"),
}


def action_text(states: States, index: int, action: int) -> str:
    """Return an action as an answer to the open question: "invade Utgard with a warrior (1 Rage)".

    For an action that is not legal it returns its name (`action_name`).
    """
    s = states[index]
    if not 0 <= action < engine.NUM_ACTIONS or s.mask[action] == 0:
        return action_name(action)
    return answer_text(states, index, action)


def answer_text(states: States, index: int, action: int) -> str:
    """Return `action_text` of an action that is known to be legal, without a look at the mask."""
    return _QUESTIONS[int(states[index].decision)][0](_answer(states, index, action))


def answer_parts(states: States, index: int, action: int) -> tuple[str, str]:
    """Return what a legal action has in common with similar ones, and its own part, or "".

    The actions of a question in `SPREAD` have such parts. Those of others return their text and "".
    """
    if states[index].decision not in SPREAD:
        return answer_text(states, index, action), ""
    return _parts(_answer(states, index, action))


def _answer(states: States, index: int, action: int) -> Answer:
    block = next(block.start for block in reversed(engine.BLOCKS) if block.start <= action)
    return Answer(states, index, states[index], int(states[index].seat), action - block, block)


def decision_text(states: States, index: int) -> str:
    """Return the open question in words: "Wolf takes an action, or passes (4 Rage left)"."""
    s = states[index]
    if s.over:
        return "The game is over."
    return f"{CLANS[s.seat]} {_question(states, index, 's', 'es')}"


def own_decision_text(states: States, index: int) -> str:
    """Return `decision_text` in the second person, for the clan that is asked: "Take an action, or pass (4 Rage
    left)".
    """
    if states[index].over:
        return decision_text(states, index)
    text = _question(states, index, "", "")
    return f"You {text}" if text.startswith("may ") else text[0].upper() + text[1:]


def _called(caller: int, seat: int, own: bool) -> str:
    """Return the clan that called a battle; with `own` in the second person."""
    if caller == engine.NONE:
        return ""
    return "which you called" if own and caller == seat else f"called by {CLANS[caller]}"


def _question(states: States, index: int, s_ending: str, es_ending: str) -> str:
    """Return the question without the name of the clan. `s` and `es` are the endings of its verbs."""
    s = states[index]
    seat = int(s.seat)
    decision = int(s.decision)
    asked = engine.asked_in(states, index)
    words = {
        "s": s_ending,
        "es": es_ending,
        "round": s.draft_round + 1,
        "rounds": engine.DRAFT_ROUNDS[s.num_players],
        "rage": s.rage[seat],
        "place": "" if s.about_place == engine.NONE else PLACES[s.about_place],
        "card": "" if s.about_card == engine.NONE else engine.TITLE[s.about_card],
        "kind": "" if s.about_kind == engine.NONE else _kind_in_question(s, seat),
        "origin": "" if asked.origin == engine.NONE else PROVINCES[asked.origin],
        "victim": "" if asked.victim == engine.NONE else CLANS[asked.victim],
        "called": _called(asked.pillager, seat, own=not s_ending),
        "ordinal": "second" if asked.sacrificed else "first",
        "side": "down" if engine.is_secret(states, index) else "up",
        "god": GODS[s.god_in[s.about_place]] if decision == Decision.GOD_MOVE else "",
        "reason": "" if s.about_card == engine.NONE else f" ({engine.TITLE[s.about_card]})",
    }
    return _QUESTIONS[decision][1].format(**words)


def _kind_in_question(s: np.record, seat: int) -> str:
    kind = int(s.about_kind)
    if s.decision in (Decision.SAVE, Decision.WITHDRAW):
        return some_figures(s, seat, kind, int(s.dying[kind]))
    return f"{kind_name(s, seat, kind)}s" if kind in SEVERAL else f"the {kind_name(s, seat, kind)}"
