"""One game between agents: every decision is asked of the agent of the seat, which is shown what its seat knows.

An agent that raises, takes too long, or answers with anything but a legal action forfeits: the game ends there, and the
reason is recorded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import numpy as np

from bloodrage_env import engine
from bloodrage_env.engine.compiled import States
from bloodrage_env.observation import OBSERVATION_SIZE, observe

from .base import AgentLike, GameOptions, View

MAX_REASON: Final = 200  # characters


@dataclass(frozen=True)
class GameRecord:
    """How a game went: enough to play it again, and to say who was at fault where it was forfeited."""

    seed: int
    options: GameOptions
    actions: tuple[int, ...]
    glory: tuple[int, ...]  # of each seat when the game ended
    forfeit_seat: int | None = None
    forfeit_reason: str | None = None
    seconds: tuple[float, ...] = ()  # each seat's thinking time
    decisions: tuple[int, ...] = ()  # how often each seat was asked


class Forfeit(Exception):  # noqa: N818  # it ends a game, not the program
    """The agent whose turn it is can't go on; the message is the reason, in a line."""


def play_game(
    agents: Sequence[AgentLike],
    seed: int,
    options: GameOptions,
    agent_seeds: Sequence[int],
    seconds_a_decision: float | None = None,
) -> GameRecord:
    """Play one game, `agents[seat]` at each seat, each with a generator of its own from `agent_seeds[seat]`.

    The agents must be different objects. With `seconds_a_decision` an answer that took longer is a forfeit (it is
    not interrupted: an agent that may hang belongs in a process of its own, `isolated.py`).
    """
    states = engine.new_game(seed, options.num_players, options.first_game, options.skip_forced)
    rngs = [np.random.default_rng(each) for each in agent_seeds]
    seconds, decisions = [0.0] * options.num_players, [0] * options.num_players
    actions: list[int] = []
    forfeit: tuple[int, str] | None = None
    seat = 0
    try:
        for seat, agent in enumerate(agents):
            reset(agent, seat, options)
        seat = engine.seat_to_act(states, 0)
        while seat >= 0:
            start = perf_counter()
            action = ask(agents[seat], states, 0, seat, rngs[seat])
            took = perf_counter() - start
            seconds[seat] += took
            decisions[seat] += 1
            if seconds_a_decision is not None and took > seconds_a_decision:
                raise Forfeit(f"took {took:.1f} s for a decision, the limit is {seconds_a_decision:g} s")
            mover, seat = seat, engine.apply(states, 0, action)
            if seat == engine.ILLEGAL:
                seat = mover
                raise Forfeit(f"answered with action {action}, which is not legal")
            actions.append(action)
    except Forfeit as fault:
        forfeit = (seat, str(fault))
    glory = tuple(engine.scores(states, 0).tolist())
    fault_seat, reason = forfeit or (None, None)
    return GameRecord(seed, options, tuple(actions), glory, fault_seat, reason, tuple(seconds), tuple(decisions))


def reset(agent: AgentLike, seat: int, options: GameOptions) -> None:
    """Tell an agent that a game begins. Raises Forfeit for whatever it raises."""
    begin = getattr(agent, "reset", None)
    if begin is not None:
        try:
            begin(seat, options)
        except Exception as error:
            raise Forfeit(describe(error)) from error


def ask(agent: AgentLike, states: States, index: int, seat: int, rng: np.random.Generator) -> int:
    """The action of an agent for the open question of game `index`, which is its seat's.

    Raises Forfeit for whatever the agent raises, and for an answer that is no whole number.
    """
    seen: Any
    if getattr(agent, "sees", "observation") == "view":
        seen = View.of(states, index, seat)
    else:
        seen = np.empty(OBSERVATION_SIZE, np.float32)
        observe(states, index, seat, seen)
    try:
        answer = agent.act(seen, engine.legal_mask(states, index), rng)
    except Forfeit:
        raise
    except Exception as error:
        raise Forfeit(describe(error)) from error
    if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)):
        raise Forfeit(f"answered with {type(answer).__name__} instead of an action id")
    return int(answer)


def describe(error: BaseException) -> str:
    """An exception in a line, cut to `MAX_REASON` characters."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 3] + "..."
