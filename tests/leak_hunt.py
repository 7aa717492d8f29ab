"""A hunt for leaks: random games, each beside twins that a seat cannot tell from it, compared after every decision.

Two games are alike to a seat when they have given it the same past. A twin is made so: at some time everything hidden
from its seat is dealt anew, and from there on both games go the same way in all that the rules show to that seat
(rules 2.6): the same open actions, the same own answers, the same cards when they are revealed. What stays face down
(a card of a pack that does not come back to the seat, a battle card, a quest, the kept card) may be another one in the
twin; when such a card is revealed the two pasts part, and the twin is given up. Up to then nothing that the seat is
shown may differ: who is asked what and when, its masks, its observation, its hidden record, what happened in words.

`python -m tests.leak_hunt --decisions 1000000`, from the root of the repository, prints what was compared.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))  # the tests are not a package

from random_play import KEEN, differing, options_of

from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.games.bloodrage import SPEC, engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine import pieces
from bloodrage_env.games.bloodrage.engine.cards import TYPE
from bloodrage_env.games.bloodrage.engine.ids import (
    MAX_SEATS,
    NONE,
    NUM_AGES,
    NUM_DECISIONS,
    NUM_PHASES,
    CardType,
    Decision,
    Phase,
    Routine,
)
from bloodrage_env.games.bloodrage.engine.state import NOTHING, PACK_SIZE
from bloodrage_env.games.bloodrage.notation import events
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, observe
from bloodrage_env.games.bloodrage.render.scene import scene

QUESTS = np.zeros(act.NUM_ACTIONS, bool)
QUESTS[act.CARD + np.flatnonzero(TYPE == CardType.QUEST)] = True
SAME_WAY = 0.9  # how often an action is taken that is legal in all twins too
SAME_CARD = 0.8  # how often a card that stays face down is the same in a twin, where it can be
STRUCTS = (structs_of(SPEC).observation, structs_of(SPEC).actions)
CLOSE_LOOK = 0.002  # of the comparisons: also what is made from the hidden record
TOLD = 0.02  # of the comparisons: also the events of the last answer, in words


# What is looked at often: reading a field of a record is slow, a view of it is not.
FIELDS = ("over", "truncated", "decisions", "seat", "decision", "mask", "hand", "quests", "phase", "age")
STEPS = FIELDS[:5]  # what is the same in games with the same past, whoever looks


@dataclass
class Tally:
    """What was compared, and what was found."""

    decisions: int = 0
    twins: int = 0
    comparisons: int = 0
    other_hands: int = 0  # comparisons in which another clan's hand or quests were not the same
    close_looks: int = 0
    told: int = 0  # comparisons of events
    # Comparisons by kind of question, skip_forced, whether it was the viewer's own; by players, Age, phase.
    by_question: Any = field(default_factory=lambda: np.zeros((NUM_DECISIONS, 2, 2), np.int64))
    by_game: Any = field(default_factory=lambda: np.zeros((MAX_SEATS + 1, NUM_AGES, NUM_PHASES), np.int64))
    leaks: list[str] = field(default_factory=list)


class Game:
    """A game; its last position is kept, with the answer that led on from it."""

    over: Any
    truncated: Any
    decisions: Any
    seat: Any
    decision: Any
    mask: Any
    hand: Any
    quests: Any
    phase: Any
    age: Any

    def __init__(self, states: Any) -> None:
        self.states = states
        self.before = engine.clone(states, 0)
        self.answer = NONE
        self._bytes, self._kept = states.view(np.uint8), self.before.view(np.uint8)
        for name in FIELDS:
            setattr(self, name, states[name].reshape(-1))

    def apply(self, action: int) -> None:
        self._kept[:] = self._bytes
        self.answer = action
        engine.apply(self.states, 0, action)


class Twin(Game):
    """A game that `viewer` cannot tell from the true one."""

    def __init__(self, states: Any, viewer: int) -> None:
        super().__init__(states)
        self.viewer = viewer


class Hunt:
    """Plays and compares; `tally` grows."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.tally = Tally()
        self.views = np.zeros(2, engine.STATE)
        self.view_bytes = self.views.view(np.uint8).reshape(2, -1)
        self.seen = np.zeros((2, OBSERVATION_SIZE), np.float32)

    def play(self, seed: int, decisions: int) -> None:
        """One game, or its first decisions."""
        options = options_of(seed)
        players, skip_forced = options.num_players, options.skip_forced
        game = Game(engine.new_game(seed, *options.numbers()))
        twins: list[Twin] = []
        for number in range(decisions):
            if len(twins) < players:
                self.add_twins(game, players, twins)
            action = self.choose(game, twins)
            self.tally.decisions += 1
            twins = [twin for twin in twins if self.follow(game, twin, action)]
            game.apply(action)
            alive = []
            for twin in twins:
                self.count(game, twin, players, skip_forced)
                found = list(self.differences(game, twin))
                if not found:
                    alive.append(twin)
                elif not parted(game, twin):
                    views = [engine.hide(each.states, 0, twin.viewer) for each in (game, twin)]
                    where = f"seed {seed}, answer {number + 1}, seat {twin.viewer}"
                    self.tally.leaks.append(f"{where}: {', '.join(found)}; {' '.join(differing(*views))}")
            twins = alive
            if game.over[0]:
                return

    def add_twins(self, game: Game, players: int, twins: list[Twin]) -> None:
        """One for each seat that has none; not while others choose in secret, since a redeal lets them begin anew."""
        for viewer in set(range(players)) - {twin.viewer for twin in twins}:
            if game.seat[0] == viewer or not engine.is_secret(game.states, 0):
                other = engine.redeal(game.states, 0, viewer, int(self.rng.integers(1 << 62)))
                # What is drawn in later Ages stays: other first packs, or gods elsewhere, would part the two games.
                for name in ("deck", "god_tokens"):
                    other[name][0, game.age[0] + 1 :] = game.states[name][0, game.age[0] + 1 :]
                twins.append(Twin(other, viewer))
                self.tally.twins += 1

    def choose(self, game: Game, twins: list[Twin]) -> int:
        """A legal action, mostly one that does not part the twins from the game."""
        mask = game.mask
        if self.rng.random() < SAME_WAY:
            for twin in twins:
                mask = mask & twin.mask
            mask = mask if mask.any() else game.mask
        legal = mask.nonzero()[0]
        bounds = KEEN[legal].cumsum()
        return int(legal[bounds.searchsorted(self.rng.random() * bounds[-1], side="right")])

    def follow(self, game: Game, twin: Twin, action: int) -> bool:
        """Let the twin go the same way in all that its seat is shown; False if it cannot."""
        mask, decision = twin.mask, game.decision[0]
        answer: int | None = action
        if game.seat[0] != twin.viewer:
            if decision == Decision.DRAFT:
                same = 1.0 if comes_back(game.states[0], twin.viewer) else 0.5
                answer = self.any_of(mask, action, same)
            elif decision == Decision.BATTLE_CARD and engine.is_secret(game.states, 0):
                answer = self.any_of(mask, action, SAME_CARD)
            elif decision == Decision.KEEP_CARD and action != act.NO:
                cards = mask.copy()
                cards[act.NO] = 0
                answer = self.any_of(cards, action, 0.5)
            elif decision == Decision.ACTION and QUESTS[action]:
                answer = self.any_of(mask * QUESTS, action, SAME_CARD)
        if answer is None or not mask[answer]:
            return False
        twin.apply(answer)
        return True

    def any_of(self, mask: Any, action: int, same: float) -> int | None:
        """The same action, with this chance where it is legal; otherwise any that is."""
        if mask[action] and self.rng.random() < same:
            return action
        legal = mask.nonzero()[0]
        return int(self.rng.choice(legal)) if len(legal) else None

    # ---- comparing

    def differences(self, game: Game, twin: Twin) -> Iterator[str]:
        """What the seat is shown differently in the two games."""
        for name in STEPS:
            one, other = getattr(game, name)[0], getattr(twin, name)[0]
            if one != other:
                yield f"{name} {one} and {other}"
        for row, states in enumerate((game.states, twin.states)):
            self.views[row] = engine.hide(states, 0, twin.viewer)[0]
            observe(states, 0, twin.viewer, self.seen[row])
        if self.view_bytes[0].tobytes() != self.view_bytes[1].tobytes():
            yield "hidden record"
        if self.seen[0].tobytes() != self.seen[1].tobytes():
            yield f"observation at {np.flatnonzero(self.seen[0] != self.seen[1]).tolist()}"
        if self.rng.random() < TOLD:
            self.tally.told += 1
            one, other = (events(each.before, each.answer, twin.viewer) for each in (game, twin))
            if one != other:
                yield f"events {one} and {other}"
        if self.rng.random() < CLOSE_LOOK:
            yield from self.close_look(game.states, twin)

    def close_look(self, states: Any, twin: Twin) -> Iterator[str]:
        """What else is made for the seat: a redeal, the same from the hidden record; what a page draws."""
        self.tally.close_looks += 1
        viewer, number = twin.viewer, int(self.rng.integers(1 << 62))
        sources = [states, twin.states, self.views[:1]]
        redeals = [engine.redeal(each, 0, viewer, number) for each in sources]
        if any(differing(redeals[0], other) for other in redeals[1:]):
            yield "redeal"
        observe(self.views, 0, viewer, self.seen[1])
        if (self.seen[0] != self.seen[1]).any():
            yield "observation of the hidden record"
        scenes = [scene(each, 0, viewer) for each in sources]
        if any(each != scenes[0] for each in scenes):
            yield "scene"
        lines = [[make(engine.hide(each, 0, viewer), viewer) for make in STRUCTS] for each in (states, twin.states)]
        if lines[0] != lines[1]:
            yield "structs"

    def count(self, game: Game, twin: Twin, players: int, skip_forced: bool) -> None:
        """Note what is compared."""
        tally = self.tally
        tally.comparisons += 1
        same = game.hand.tobytes() == twin.hand.tobytes() and game.quests.tobytes() == twin.quests.tobytes()
        tally.other_hands += not same
        tally.by_question[game.decision[0], int(skip_forced), int(game.seat[0] == twin.viewer)] += 1
        tally.by_game[players, game.age[0], game.phase[0]] += 1


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


def parted(game: Game, twin: Twin) -> bool:
    """Whether what the rules showed differently first, in this step, is a pack, cards revealed, or who keeps a card."""
    viewer = twin.viewer
    if pack(game.states[0], viewer) != pack(twin.states[0], viewer):
        return True
    for one, other in zip(pieces(game.before, 0, game.answer), pieces(twin.before, 0, twin.answer), strict=False):
        if one.routine != other.routine:
            return False
        s, t = one.before[0], other.before[0]
        if s.decision == Decision.BATTLE_CARD and one.action != other.action and not engine.is_secret(one.before, 0):
            return True  # the last card of a hand, played face up
        shown = one.after[0].hand_size != s.hand_size  # a battle card is in the hand until all are revealed
        if one.routine == Routine.BATTLE and shown.any() and (s.pending != t.pending).any():
            return True
        if one.routine == Routine.QUEST_PHASE and (s.quests != t.quests).any():
            return True
        keeps_none = (s.pending == NOTHING) != (t.pending == NOTHING)
        if one.routine == Routine.DISCARD_PHASE and (one.after[0].pending == NONE).all() and keeps_none.any():
            return True
        if engine.hide(one.after, 0, viewer).tobytes() != engine.hide(other.after, 0, viewer).tobytes():
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
    print(f"{tally.other_hands:,} of them with other hidden cards,")
    print(f"{tally.close_looks:,} close looks, {tally.told:,} comparisons of events")
    for kind, skip, own in np.argwhere(tally.by_question).tolist():
        whose = "own question" if own else "of another"
        count = tally.by_question[kind, skip, own]
        print(f"  {Decision(kind).name:12} skip_forced={bool(skip)!s:5} {whose:12} {count:>10,}")
    for players, age, phase in np.argwhere(tally.by_game).tolist():
        count = tally.by_game[players, age, phase]
        print(f"  {players} players, Age {age + 1}, {Phase(phase).name:10} {count:>10,}")
    print(f"{len(tally.leaks)} leaks")
    for leak in tally.leaks[:20]:
        print(f"  {leak}")
    sys.exit(bool(tally.leaks))


if __name__ == "__main__":
    main()
