"""One game between agents: every decision is asked of the agent of the seat, which is shown what its seat knows.

An agent that raises, takes too long, or answers with anything but a legal action forfeits: the game ends there, and the
reason is recorded. What agents are given are copies, which are theirs to change. KeyboardInterrupt alone gets through:
it is the person's Ctrl-C. Code that isn't trusted belongs in a process of its own (`isolated.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.compiled import Records, compile_all
from bloodrage_env.core.options import GameOptions
from bloodrage_env.errors import UserError

from .base import AgentLike, Vector, View, agent_rng

MAX_REASON: Final = 200  # characters


@dataclass(frozen=True)
class GameRecord:
    """How a game went: enough to play it again, and to say who was at fault where it was forfeited."""

    seed: int
    options: GameOptions
    actions: tuple[int, ...]
    scores: tuple[int, ...]  # of each seat when the game ended
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
    """Play one game, `agents[seat]` at each seat, each with a generator of its own, `agent_rng(agent_seeds[seat])`.

    The agents must be different objects. With `seconds_a_decision` an answer that took longer is a forfeit (it is
    not interrupted: an agent that may hang belongs in a process of its own, `isolated.py`).
    """
    game = games.game(options.game)
    compile_all()  # or loaded: neither is thinking time
    states = game.new_game(seed, options)
    rngs = [agent_rng(each) for each in agent_seeds]
    seconds, decisions = [0.0] * options.num_players, [0] * options.num_players
    actions: list[int] = []
    forfeit: tuple[int, str] | None = None
    seat = 0
    try:
        for seat, agent in enumerate(agents):
            reset(agent, seat, options)
        seat = game.play.seat_to_act(states, 0)
        while seat >= 0:
            start = perf_counter()
            decisions[seat] += 1
            try:
                action = ask(agents[seat], states, 0, seat, rngs[seat], game.name)
            finally:
                took = perf_counter() - start
                seconds[seat] += took
            if seconds_a_decision is not None and took > seconds_a_decision:
                raise Forfeit(too_slow(seconds_a_decision))
            actions.append(action)
            seat = game.play.apply(states, 0, action)
    except Forfeit as fault:
        forfeit = (seat, str(fault))
    scores = tuple(game.play.scores(states, 0).tolist())
    fault_seat, reason = forfeit or (None, None)
    return GameRecord(seed, options, tuple(actions), scores, fault_seat, reason, tuple(seconds), tuple(decisions))


def reset(agent: AgentLike, seat: int, options: GameOptions) -> None:
    """Tell an agent that a game begins. Raises Forfeit for whatever it raises."""
    try:
        begin = getattr(agent, "reset", None)
        if begin is not None:
            begin(seat, replace(options))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Forfeit(describe(error)) from error


def ask(
    agent: AgentLike, states: Records, index: int, seat: int, rng: np.random.Generator, game: str = games.FIRST
) -> int:
    """The action of an agent for the open question of game `index`, which is its seat's: a legal one.

    `game` is the name of the game. Raises Forfeit for whatever the agent raises, and for any other answer.
    """
    mask = games.game(game).play.legal_mask(states, index)
    try:
        answer = agent.act(seen(agent, states, index, seat, game), mask.copy(), rng)
        action = action_id(answer, len(mask))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Forfeit(describe(error)) from error
    if not mask[action]:
        raise Forfeit(f"answered with action {action}, which is not legal")
    return action


def action_id(answer: object, num_actions: int) -> int:
    """An agent's answer, which must be an int or a numpy integer from 0 to `num_actions - 1`. Raises Forfeit if not."""
    if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)):
        raise Forfeit(f"answered with {type(answer).__name__} instead of an action id")
    action = int(answer)
    if not 0 <= action < num_actions:
        raise Forfeit(f"answered with a number that is not from 0 to {num_actions - 1}")
    return action


def seen(agent: AgentLike, states: Records, index: int, seat: int, game: str) -> Vector | View:
    """What an agent is shown of a game from `seat`: as it wishes, a `View` or the observation vector."""
    if getattr(agent, "sees", "observation") == "view":
        return View.of(states, index, seat, game)
    played = games.game(game)
    vector = np.empty(played.observation_size, np.float32)
    played.observe.observe(states, index, seat, vector)
    return vector


def too_slow(limit: float) -> str:
    """The reason of a forfeit by time: `limit` in seconds."""
    return f"took longer than {limit:g} s for a decision"


def describe(error: BaseException) -> str:
    """An exception in a line that is fit for a terminal, cut to `MAX_REASON` characters."""
    try:
        text = str(error)
    except BaseException:  # it may be a plug-in's
        text = "(an error that can't be described)"
    written_for_people = isinstance(error, (Forfeit, UserError))
    name = type(error).__name__
    return one_line(text if written_for_people else f"{name}: {text}" if text else name)


def one_line(text: str) -> str:
    """A text of someone else's with nothing but printable characters, cut to `MAX_REASON` of them."""
    words = "".join(each if each.isprintable() else " " for each in text[: 4 * MAX_REASON]).split()
    line = " ".join(words)
    return line if len(line) <= MAX_REASON else line[: MAX_REASON - 3] + "..."
