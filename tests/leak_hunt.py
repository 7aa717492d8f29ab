"""A hunt for leaks: random games, each beside twins that a seat cannot tell from it, compared after every decision.

Two games are alike to a seat when they have given it the same past. A twin is made so: at some time everything hidden
from its seat is dealt anew, and from there on both games go the same way in all that the rules show to that seat
(rules 2.6): the same open actions, the same own answers, the same cards when they are revealed. What stays face down
(a card of a pack that does not come back to the seat, a battle card, a quest, the kept card) may be another one in the
twin; when such a card is revealed the two pasts part, and the twin is given up. Up to then nothing that the seat is
shown may differ: who is asked what and when, its masks, its observation, its hidden record.

`python -m tests.leak_hunt --decisions 1000000`, from the root of the repository, prints what was compared.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))  # the tests are no package

from random_play import KEEN, differing, options_of

from bloodrage_env import engine
from bloodrage_env.engine import actions as act
from bloodrage_env.engine.cards import TYPE
from bloodrage_env.engine.ids import NONE, CardType, Decision, Phase
from bloodrage_env.engine.information import SECRET
from bloodrage_env.engine.stack import Routine
from bloodrage_env.engine.state import PACK_SIZE
from bloodrage_env.notation import public_decision_text
from bloodrage_env.notation.trace import pieces
from bloodrage_env.observation import OBSERVATION_SIZE, observe
from bloodrage_env.render.scene import scene

QUESTS = np.zeros(act.NUM_ACTIONS, bool)
QUESTS[act.CARD + np.flatnonzero(TYPE == CardType.QUEST)] = True
SAME_WAY = 0.9  # how often an action is taken that is legal in all twins too
SAME_CARD = 0.8  # how often a card that stays face down is the same in a twin, where it can be
CLOSE_LOOK = 0.01  # of the comparisons: also what is made from the hidden record


@dataclass
class Tally:
    """What was compared, and what was found."""

    decisions: int = 0
    twins: int = 0
    comparisons: int = 0
    other_hands: int = 0  # comparisons in which another clan's hand or quests were not the same
    close_looks: int = 0
    by_question: Counter[tuple[str, bool, bool]] = field(default_factory=Counter)  # kind, skip_forced, one's own
    by_game: Counter[tuple[int, int, str]] = field(default_factory=Counter)  # players, Age, phase
    leaks: list[str] = field(default_factory=list)


@dataclass
class Twin:
    """A game that `viewer` cannot tell from the true one."""

    states: Any
    viewer: int
    before: Any = None  # it and its answer, one step ago
    answer: int = NONE


class Hunt:
    """Plays and compares; `tally` grows."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.tally = Tally()
        self.views = np.zeros(2, engine.STATE)
        self.seen = np.zeros((2, OBSERVATION_SIZE), np.float32)

    def play(self, seed: int, decisions: int) -> None:
        """One game, or its first decisions."""
        states = engine.new_game(seed, *options_of(seed))
        twins: list[Twin] = []
        for number in range(decisions):
            self.add_twins(states, twins)
            action = self.choose(states, twins)
            self.tally.decisions += 1
            before = engine.clone(states, 0)
            twins = [twin for twin in twins if self.follow(states, twin, action)]
            engine.apply(states, 0, action)
            for twin in [*twins]:
                found = list(self.differences(states, twin))
                if found:
                    twins.remove(twin)
                    if not parted(states, twin, before, action):
                        where = f"seed {seed}, answer {number + 1}, seat {twin.viewer}: {', '.join(found)}"
                        self.tally.leaks.append(where)
            if engine.is_over(states, 0):
                return

    def add_twins(self, states: Any, twins: list[Twin]) -> None:
        """One for each seat that has none; not while others choose in secret, since a redeal lets them begin anew."""
        s = states[0]
        for viewer in set(range(int(s.num_players))) - {twin.viewer for twin in twins}:
            if s.seat == viewer or not SECRET[s.decision]:
                other = engine.redeal(states, 0, viewer, int(self.rng.integers(1 << 62)))
                # The decks of later Ages stay: other first packs would part the two games.
                other[0].deck[s.age + 1 :] = s.deck[s.age + 1 :]
                twins.append(Twin(other, viewer))
                self.tally.twins += 1

    def choose(self, states: Any, twins: list[Twin]) -> int:
        """A legal action, mostly one that does not part the twins from the game."""
        mask = states[0].mask
        if self.rng.random() < SAME_WAY:
            common = np.logical_and.reduce([mask, *(twin.states[0].mask for twin in twins)])
            mask = common if common.any() else mask
        legal = np.flatnonzero(mask)
        bounds = KEEN[legal].cumsum()
        return int(legal[np.searchsorted(bounds, self.rng.random() * bounds[-1], side="right")])

    def follow(self, states: Any, twin: Twin, action: int) -> bool:
        """Let the twin go the same way in all that its seat is shown; False if it cannot."""
        s, t = states[0], twin.states[0]
        answer: int | None = action
        if s.seat != twin.viewer:
            card = act.CARD <= action < act.FIGURE_AT
            if s.decision == Decision.DRAFT:
                same = 1.0 if comes_back(s, twin.viewer) else 0.5
                answer = self.any_of(t.mask, action, same)
            elif s.decision == Decision.BATTLE_CARD:
                answer = self.any_of(t.mask, action, SAME_CARD)
            elif s.decision == Decision.KEEP_CARD and card:
                cards = t.mask.copy()
                cards[act.NO] = 0
                answer = self.any_of(cards, action, 0.5)
            elif s.decision == Decision.ACTION and QUESTS[action]:
                answer = self.any_of(t.mask * QUESTS, action, SAME_CARD)
        if answer is None or not t.mask[answer]:
            return False
        twin.before, twin.answer = engine.clone(twin.states, 0), answer
        engine.apply(twin.states, 0, answer)
        return True

    def any_of(self, mask: Any, action: int, same: float) -> int | None:
        """The same action, with this chance where it is legal; otherwise any that is."""
        if mask[action] and self.rng.random() < same:
            return action
        legal = np.flatnonzero(mask)
        return int(self.rng.choice(legal)) if len(legal) else None

    # ---- comparing

    def differences(self, states: Any, twin: Twin) -> Iterator[str]:
        """What the seat is shown differently in the two games."""
        s, t, viewer = states[0], twin.states[0], twin.viewer
        self.count(s, t, viewer)
        for name in ("over", "truncated", "decisions", "seat", "decision"):
            if s[name] != t[name]:
                yield f"{name} {s[name]} and {t[name]}"
        if s.seat == viewer and (s.mask != t.mask).any():
            yield "mask"
        for row, game in enumerate((states, twin.states)):
            engine.hide_into(game, 0, viewer, self.views, row)
            observe(game, 0, viewer, self.seen[row])
        if self.views[0].tobytes() != self.views[1].tobytes():
            yield f"hide: {' '.join(differing(self.views[:1], self.views[1:])) or 'padding'}"
        if (self.seen[0] != self.seen[1]).any():
            yield f"observation at {np.flatnonzero(self.seen[0] != self.seen[1]).tolist()}"
        if self.rng.random() < CLOSE_LOOK:
            yield from self.close_look(states, twin)

    def close_look(self, states: Any, twin: Twin) -> Iterator[str]:
        """What else is made for the seat: a redeal, the same from the hidden record; words; what a page draws."""
        self.tally.close_looks += 1
        viewer, number = twin.viewer, int(self.rng.integers(1 << 62))
        sources = [states, twin.states, self.views[:1]]
        redeals = [engine.redeal(each, 0, viewer, number) for each in sources]
        for other in redeals[1:]:
            yield from (f"redeal: {name}" for name in differing(redeals[0], other))
        observe(self.views, 0, viewer, self.seen[1])
        if (self.seen[0] != self.seen[1]).any():
            yield "observation of the hidden record"
        if len({public_decision_text(each, 0, viewer) for each in sources}) > 1:
            yield "words"
        if scene(states, 0, viewer) != scene(twin.states, 0, viewer):
            yield "scene"

    def count(self, s: Any, t: Any, viewer: int) -> None:
        tally = self.tally
        tally.comparisons += 1
        tally.other_hands += bool((s.hand != t.hand).any() or (s.quests != t.quests).any())
        tally.by_question[Decision(int(s.decision)).name, bool(s.skip_forced), bool(s.seat == viewer)] += 1
        tally.by_game[int(s.num_players), int(s.age) + 1, Phase(int(s.phase)).name] += 1


def comes_back(s: Any, viewer: int) -> bool:
    """Whether the viewer will hold the pack that lies before the seat to act in this draft."""
    rounds = 3 if s.num_players == 2 else 6
    return bool(s.draft_round + (viewer - s.seat) % s.num_players < rounds)


def pack(s: Any, seat: int) -> list[int]:
    """The cards that lie before a seat in the draft."""
    if s.phase != Phase.GODS_GIFTS:
        return []
    done = int(s.draft_round) * (2 if s.num_players == 2 else 1)
    start = PACK_SIZE * ((seat - int(s.draft_round)) % int(s.num_players))
    return sorted(s.deck[s.age, start + done : start + PACK_SIZE].tolist())


def parted(states: Any, twin: Twin, before: Any, action: int) -> bool:
    """Whether the first thing that the rules showed differently in this step is a pack or cards that were revealed."""
    viewer = twin.viewer
    if pack(states[0], viewer) != pack(twin.states[0], viewer):
        return True
    for one, other in zip(pieces(before, 0, action), pieces(twin.before, 0, twin.answer), strict=False):
        if one.routine != other.routine:
            return False
        s, t = one.before[0], other.before[0]
        shown = one.after[0].hand_size != s.hand_size  # a battle card is in the hand until all are revealed
        if one.routine == Routine.BATTLE and shown.any() and (s.pending != t.pending).any():
            return True
        if one.routine == Routine.QUEST_PHASE and (s.quests != t.quests).any():
            return True
        if differing(engine.hide(one.after, 0, viewer), engine.hide(other.after, 0, viewer)):
            return False
    return False


def hunt(decisions: int, seed: int = 0) -> Tally:
    """Games of two to four players, with all options in turn, until so many decisions are played."""
    search = Hunt(seed)
    game = seed * 1_000_000
    while search.tally.decisions < decisions:
        search.play(game, decisions - search.tally.decisions)
        game += 1
    return search.tally


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for leaks in random games.")
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    tally = hunt(args.decisions, args.seed)
    print(f"{tally.decisions:,} decisions, {tally.twins:,} twins, {tally.comparisons:,} comparisons,")
    print(f"{tally.other_hands:,} of them with other hidden cards, {tally.close_looks:,} close looks")
    for (kind, skip, own), count in sorted(tally.by_question.items()):
        print(f"  {kind:12} skip_forced={skip!s:5} {'own question' if own else 'of another '} {count:>10,}")
    for (players, age, phase), count in sorted(tally.by_game.items()):
        print(f"  {players} players, Age {age}, {phase:10} {count:>10,}")
    print(f"{len(tally.leaks)} leaks")
    for leak in tally.leaks[:20]:
        print(f"  {leak}")
    sys.exit(bool(tally.leaks))


if __name__ == "__main__":
    main()
