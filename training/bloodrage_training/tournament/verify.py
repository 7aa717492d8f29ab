"""Verifies that every game of a store can be replayed with the stored result."""

from collections.abc import Callable

from bloodrage_env import games
from bloodrage_env.core.engine.flow import ILLEGAL

from .plan import games_of
from .records import PlannedGame, StoredGame
from .store import Store


def faults(store: Store, update: Callable[[int], None]) -> list[str]:
    """Yield a line for each fault. There is none if every game belongs to the plan and its replay is as stored.

    `update` is called with the number of games seen so far. Raise StoreError if the store cannot be read.
    """
    plan, found = store.plan(), []
    planned: dict[str, PlannedGame] = {}
    deal = -1
    for seen, game in enumerate(store.games(), 1):
        if game.deal != deal:  # games come deal by deal
            deal = game.deal
            planned = {each.id: each for each in games_of(plan, deal)}
        what = _against_plan(game, planned.get(game.id)) or replay_fault(game)
        if what is not None:
            found.append(f"game {game.id}: {what}")
        update(seen)
    return found


def replay_fault(game: StoredGame) -> str | None:
    """Return the fault of a game's replay, None without one."""
    options = game.options
    rules = games.game(options.game)
    states = rules.new_game(game.seed, options)
    asked = [0] * options.num_players
    seat = rules.play.seat_to_act(states, 0)
    for number, action in enumerate(game.actions, 1):
        if seat < 0:
            return f"it is over after {number - 1} actions of {len(game.actions)}"
        asked[seat] += 1
        seat = rules.play.apply(states, 0, action)
        if seat == ILLEGAL:
            return f"action {number} ({action}) is not legal"
    scores = tuple(rules.play.scores(states, 0).tolist())
    if scores != game.scores:
        return f"it ends with scores {scores}, the store says {game.scores}"
    if game.forfeit_seat is None:
        if seat >= 0:
            return f"it is not over after its {len(game.actions)} actions"
    elif game.actions and game.forfeit_seat != seat:
        return f"seat {game.forfeit_seat} forfeits when it is not its turn"
    else:
        # The question at which a seat forfeits has no action; before the first one, any seat may fail to begin.
        unanswered = [stated - counted for stated, counted in zip(game.decisions, asked, strict=True)]
        asked[game.forfeit_seat] += min(max(unanswered[game.forfeit_seat], 0), 1)
    return None if tuple(asked) == game.decisions else f"its seats were asked {tuple(asked)} times, not as stored"


def _against_plan(game: StoredGame, planned: PlannedGame | None) -> str | None:
    """Return whether the game belongs to the plan: its id is a hash of its other data."""
    if planned is None:
        return "the plan has no such game"
    stored = PlannedGame(game.id, game.deal, game.seating, game.seed, game.line_up, game.options)
    return None if stored == planned else "its seed, options or line-up are not those of the plan"
