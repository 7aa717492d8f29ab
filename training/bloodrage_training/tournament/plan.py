"""Derives the games of a plan. Everything follows from the plan, so a store needs no list of open games."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb, lcm
from typing import Final

from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from .records import Plan, PlannedGame, Unit

ALONE: Final = "a tournament needs games of 2 players or more: a single player is compared with nobody"
MAX_AGENTS: Final = 100
MAX_DEALS: Final = 10_000_000
MAX_LINE_UPS: Final = 1000  # of a deal in a round robin
_MAX_UNITS: Final = MAX_DEALS * MAX_LINE_UPS


def check_plan(plan: Plan) -> None:
    """Raise UserError for a plan that cannot be played."""
    if plan.options.num_players == 1:  # a track of a benchmark has such a plan, of one agent
        if len(plan.agents) != 1:
            raise UserError(ALONE)
    elif not 2 <= len(plan.agents) <= MAX_AGENTS:
        raise UserError(f"a tournament needs 2 to {MAX_AGENTS} agents, not {len(plan.agents)}")
    for spec in plan.agents:
        if plan.agents.count(spec) > 1:
            raise UserError(f"agent {spec} is named twice; ratings need different agents")
    if line_ups_a_deal(plan) > MAX_LINE_UPS:
        raise UserError(
            f"a round robin of {len(plan.agents)} agents at {plan.options.num_players} seats has "
            f"{line_ups_a_deal(plan)} line-ups a deal (at most {MAX_LINE_UPS}); --mode random plays a balanced choice"
        )


def line_ups_a_deal(plan: Plan) -> int:
    """Return the number of line-ups of each deal."""
    count, seats = len(plan.agents), plan.options.num_players
    if plan.mode == "focus":
        return max(1, count - 1)
    if plan.mode == "random":
        return lcm(count, seats) // seats
    sets = comb(count, seats % count if seats >= count else seats)
    return sets if sets > MAX_LINE_UPS else len(_round_robin(count, seats, _team(plan)))


def total_units(plan: Plan) -> int:
    """Return the number of units of the plan; without a limit it is that of MAX_DEALS deals."""
    return (MAX_DEALS if plan.deals is None else plan.deals) * line_ups_a_deal(plan)


def unit(plan: Plan, number: int, attempt: int = 0) -> Unit:
    """Return unit `number` of the plan, 0 to `total_units(plan) - 1`.

    All games of a unit of a paired plan have the same deal. Otherwise every game has a deal of its own. `attempt` is
    the number of earlier attempts at the unit. In a plan that is not paired each attempt has new deals, because a game
    that was not recorded has already shown its deal.
    """
    turn, place = divmod(number, line_ups_a_deal(plan))
    table = _table(plan, turn, place)
    seats = len(table)
    games = []
    for seating in range(seats):
        line_up = tuple(plan.agents[table[(seat + seating) % seats]] for seat in range(seats))
        deal = turn if plan.paired else (attempt * _MAX_UNITS + number) * seats + seating
        # Tournaments that share a secret (`ladder`, `leaderboard`) share deals only where these are played repeatedly.
        seed = draw(plan.secret, "deal", deal, *(() if plan.paired else plan.agents))
        games.append(
            PlannedGame(game_id(plan.options, seed, line_up, seating), deal, seating, seed, line_up, plan.options),
        )
    return Unit(number, tuple(games))


def games_of(plan: Plan, deal: int) -> Iterator[PlannedGame]:
    """Yield the games of the plan that use a deal."""
    if plan.paired:
        for place in range(line_ups_a_deal(plan)):
            yield from unit(plan, deal * line_ups_a_deal(plan) + place).games
        return
    begun, seating = divmod(deal, plan.options.num_players)
    attempt, number = divmod(begun, _MAX_UNITS)
    yield unit(plan, number, attempt).games[seating]


def game_id(options: GameOptions, seed: int, line_up: tuple[str, ...], seating: int) -> str:
    """Return 32 hex digits: a hash of the game, the version of its rules and everything that decides a game.

    The sources of agents are not included. Options are included if they are not the default, so a new option does not
    change the ids of other games.
    """
    rules = games.game(options.game).rules_version
    facts = [options.game, rules, seed, sorted(options.changed().items()), line_up, seating]
    return hashlib.sha256(as_json(facts).encode()).hexdigest()[:32]


def agent_seeds(plan: Plan, game: PlannedGame) -> tuple[int, ...]:
    """Return the seed of the agent at each seat, which follows from the plan's secret and the game."""
    return tuple(draw(plan.secret, "agent", game.id, seat) for seat in range(game.options.num_players))


def draw(secret: str, *facts: int | str) -> int:
    """Return a number from 0 to 2**63 - 1, a hash of the secret and `facts`, the same on every machine.

    It cannot be predicted without the secret. The range is too large for a search of the seed of a known deal.
    """
    return int.from_bytes(hashlib.sha256(as_json([secret, *facts]).encode()).digest()[:8]) >> 1


def _team(plan: Plan) -> int:
    return games.game(plan.options.game).team


def _table(plan: Plan, deal: int, place: int) -> list[int]:
    """The agents around the table, as indices; partners sit opposite each other.

    The order is drawn for each unit, so that no agent always follows the same one. Teams stay together.
    """
    who, team = _line_up(plan, deal, place), _team(plan)
    if team == 1:
        return [who[position] for position in _shuffled(len(who), plan.secret, "table", deal, place)]
    teams = [who[start : start + team] for start in range(0, len(who), team)]
    order = _shuffled(len(teams), plan.secret, "table", deal, place)
    orders = [_shuffled(team, plan.secret, "team", deal, place, side) for side in range(len(teams))]
    return [teams[order[side]][orders[side][k]] for k in range(team) for side in range(len(teams))]


def _line_up(plan: Plan, deal: int, place: int) -> tuple[int, ...]:
    """Return the agents of a line-up, as indices."""
    count, seats = len(plan.agents), plan.options.num_players
    team = _team(plan)
    if plan.mode == "focus":
        return (*[0] * team, *[place + 1] * (seats - team))
    if plan.mode == "random":
        # Runs of a shuffled ring: each agent comes equally often, and none twice in a line-up unless it must.
        ring = _shuffled(count, plan.secret, "ring", deal)
        who = tuple(ring[(place * seats + step) % count] for step in range(seats))
        ways = pairings(who, team)
        return ways[_shuffled(len(ways), plan.secret, "pairing", deal, place)[0]]
    return _round_robin(count, seats, team)[place]


@lru_cache
def pairings(who: tuple[int, ...], team: int) -> tuple[tuple[int, ...], ...]:
    """Return all ways to divide a line-up into teams, as agents team by team. Ways with equal teams are omitted,
    because they compare no agents. Without partners, or with one agent at all seats, there is one way.
    """
    if team == 1 or len(set(who)) == 1:
        return (who,)
    found = sorted({tuple(sorted(teams)) for teams in _teams(tuple(sorted(who)), team)})
    return tuple(sum(teams, ()) for teams in found if len(set(teams)) > 1)


def _teams(who: tuple[int, ...], team: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All divisions: the first agent with each choice of partners, and the rest divided."""
    if not who:
        yield ()
    for partners in combinations(range(1, len(who)), team - 1) if who else ():
        rest = tuple(each for place, each in enumerate(who) if place and place not in partners)
        for others in _teams(rest, team):
            yield ((who[0], *(who[place] for place in partners)), *others)


@lru_cache
def _round_robin(count: int, seats: int, team: int) -> tuple[tuple[int, ...], ...]:
    """Return all multisets of agents at the seats, or some in which agents are equally frequent up to one."""
    every = tuple(range(count)) * (seats // count)
    sets = [every + more for more in combinations(range(count), seats % count)]
    return tuple(way for who in sets for way in pairings(who, team))


def _shuffled(count: int, secret: str, *facts: int | str) -> list[int]:
    """Return 0 to `count - 1` in a random order that depends on secret and facts, but not on the version of numpy."""
    return sorted(range(count), key=lambda position: draw(secret, *facts, position))
