"""One game between agents. Each decision is made by the agent of the seat, which sees only what its seat knows.

An agent that raises an exception, takes too long, or returns anything but a legal action forfeits: the game ends, and
the reason is recorded. KeyboardInterrupt is not caught, nor is UnavailableError, which is not a fault of the agent.
Agents receive copies of arrays. Code that is not trusted belongs in a process of its own (`isolated.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Records, compile_all
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.errors import UnavailableError, UserError

from .base import AgentLike, Vector, View, agent_rng

MAX_REASON: Final = 200  # characters


@dataclass(frozen=True)
class GameRecord:
    """The result of a game: what a replay needs, scores, thinking times, and the seat and reason of a forfeit.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> from bloodrage_agents.match import play_game
    >>> from bloodrage_env import games
    >>> agents = [registry.make("random") for _ in range(2)]
    >>> record = play_game(agents, 1, games.options_from("bloodrage", num_players=2), [1, 2])
    >>> record.forfeit_reason is None, len(record.actions) == sum(record.decisions)
    (True, True)
    """

    seed: int
    options: GameOptions
    actions: tuple[int, ...]
    scores: tuple[int, ...]  # of each seat when the game ended
    forfeit_seat: int | None = None
    forfeit_reason: str | None = None
    seconds: tuple[float, ...] = ()  # each seat's thinking time
    decisions: tuple[int, ...] = ()  # how often each seat was asked


class Forfeit(Exception):  # noqa: N818  # it ends a game, not the program
    """The agent to act forfeits; the message is the reason, in one line."""


def play_game(
    agents: Sequence[AgentLike],
    seed: int,
    options: GameOptions,
    agent_seeds: Sequence[int],
    seconds_a_decision: float | None = None,
) -> GameRecord:
    """Play one game.

    An agent with a method `observe_events` receives the events of each action that its seat sees, as a list of lines,
    and the number of the action.

    Parameters
    ----------
    agents : sequence of AgentLike
        A different object for each seat.
    seed : int
        The seed of the deal, 0 to 2**63 - 1.
    options : GameOptions
        The options of the game.
    agent_seeds : sequence of int
        The generator of a seat is `agent_rng(agent_seeds[seat])`.
    seconds_a_decision : float, optional
        An answer that took longer is a forfeit. It is not interrupted: run an agent that may hang in a process of its
        own (`isolated.py`).

    Returns
    -------
    GameRecord
        The record of the game.

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> from bloodrage_agents.match import play_game
    >>> from bloodrage_env import games
    >>> agents = [registry.make(spec) for spec in ("balanced", "random")]
    >>> record = play_game(agents, 1, games.options_from("bloodrage", num_players=2), [1, 2])
    >>> record.scores[0] > record.scores[1]
    True
    """
    game = games.game(options.game)
    compile_all()  # or loaded: neither is thinking time
    states = game.new_game(seed, options)
    rngs = [agent_rng(each) for each in agent_seeds]
    listeners = [each for each, agent in enumerate(agents) if listens(agent)]
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
            for seat in listeners:
                notify(agents[seat], states, action, seat, game.name, len(actions))
            seat = game.play.apply(states, 0, action)
    except Forfeit as fault:
        forfeit = (seat, str(fault))
    scores = tuple(game.play.scores(states, 0).tolist())
    fault_seat, reason = forfeit or (None, None)
    return GameRecord(seed, options, tuple(actions), scores, fault_seat, reason, tuple(seconds), tuple(decisions))


def reset(agent: AgentLike, seat: int, options: GameOptions) -> None:
    """Call `reset` of an agent, if it has one. Raise Forfeit for any exception of the agent."""
    try:
        begin = getattr(agent, "reset", None)
        if begin is not None:
            begin(seat, replace(options))
    except (KeyboardInterrupt, UnavailableError):
        raise
    except BaseException as error:
        raise Forfeit(describe(error)) from error


def listens(agent: AgentLike) -> bool:
    """Return whether an agent observes events."""
    return callable(getattr(agent, "observe_events", None))


def notify(agent: AgentLike, states: Records, action: int, seat: int, game: str, step: int) -> None:
    """Pass the visible events of an action to an agent. `step` is the number of the action in the game, from 1.

    Raise Forfeit for any exception of the agent.
    """
    events = [each.text for each in games.presentation(game).events(states, action, seat)]
    try:
        agent.observe_events(events, step)  # type: ignore[attr-defined]  # not every agent listens
    except (KeyboardInterrupt, UnavailableError):
        raise
    except BaseException as error:
        raise Forfeit(describe(error)) from error


def ask(agent: AgentLike, states: Records, index: int, seat: int, rng: np.random.Generator, game: str) -> int:
    """Return a legal action of the agent for the open decision of `seat` in game `index` of `states`.

    `game` is the name of the game. Raise Forfeit for any exception of the agent, and for an answer that is not legal.
    """
    mask = games.game(game).play.legal_mask(states, index)
    try:
        answer = agent.act(seen(agent, states, index, seat, game), mask.copy(), rng)
        action = action_id(answer, len(mask))
    except (KeyboardInterrupt, UnavailableError):
        raise
    except BaseException as error:
        raise Forfeit(describe(error)) from error
    if not mask[action]:
        raise Forfeit(f"answered with action {action}, which is not legal")
    return action


def action_id(answer: object, num_actions: int) -> int:
    """Return the answer as an int. Raise Forfeit unless it is an int or NumPy integer, 0 to `num_actions - 1`."""
    if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)):
        raise Forfeit(f"answered with {type(answer).__name__} instead of an action id")
    action = int(answer)
    if not 0 <= action < num_actions:
        raise Forfeit(f"answered with a number that is not from 0 to {num_actions - 1}")
    return action


def seen(agent: AgentLike, states: Records, index: int, seat: int, game: str) -> Vector | View:
    """Return what `agent` sees of game `index`: a `View` if its `sees` is "view", otherwise the observation vector."""
    if getattr(agent, "sees", "observation") == "view":
        return View.of(states, index, seat, game)
    played = games.game(game)
    vector = np.empty(played.observation_size, np.float32)
    played.observe.observe(states, index, seat, vector)
    return vector


def too_slow(limit: float) -> str:
    """Return the reason of a forfeit by time; `limit` is in seconds."""
    return f"took longer than {limit:g} s for a decision"


def describe(error: BaseException) -> str:
    """Return an exception as one printable line of at most `MAX_REASON` characters."""
    try:
        text = str(error)
    except BaseException:  # it may be a plug-in's
        text = "(an error that can't be described)"
    written_for_people = isinstance(error, (Forfeit, UserError))
    name = type(error).__name__
    return one_line(text if written_for_people else f"{name}: {text}" if text else name)


def one_line(text: str) -> str:
    """Return the printable characters of a text, at most `MAX_REASON`."""
    words = "".join(each if each.isprintable() else " " for each in text[: 4 * MAX_REASON]).split()
    line = " ".join(words)
    return line if len(line) <= MAX_REASON else line[: MAX_REASON - 3] + "..."
