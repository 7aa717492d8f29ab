"""Plays the tracks of a benchmark in the folder of a run, which is resumed if it was interrupted.

The folder is the current folder meanwhile, so that the policies in it have the same spec on every machine: the random
numbers of a game follow from the specs of its agents.
"""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from bloodrage_agents import registry
from bloodrage_agents.network import SHIPPED, Network
from bloodrage_env import files
from bloodrage_env.errors import MissingPackageError, UserError
from bloodrage_env.text import counted

from .. import ladder
from ..learn.evaluate import policy_file
from ..learn.exploit import opponent_of, policy_of_agent
from ..tasks import Pool
from ..tournament.store import Store
from .protocols import POLICY, RESPONSE, Budget, Protocol
from .record import check_agent
from .results import Track, read_store

TRIAL: Final = 100  # a response has one of so many parts of its budget in a trial


def localized(spec: str, game: str, folder: Path) -> tuple[str, bytes | None]:
    """Copy the policy of an agent to the folder of the run. Return the canonical spec there, and the policy if any.

    Raise UserError for an invalid agent or policy, and if the folder has another policy.
    """
    check_agent(spec, game)
    parsed = registry.parse(spec, game)
    path = parsed.arguments.get("path", SHIPPED) if parsed.shipped is not None else SHIPPED
    if path == SHIPPED:
        return registry.canonical(spec, game), None
    Network.load(str(path), game)
    content, target = Path(str(path)).read_bytes(), folder / POLICY
    if target.exists() and target.read_bytes() != content:
        raise UserError(f"{folder} has the benchmark of another policy; name another folder with --out")
    files.write(target, content)
    given = {**parsed.arguments, "path": POLICY}
    return registry.canonical(
        f"{parsed.name}:{','.join(f'{k}={registry.written(v)}' for k, v in given.items())}", game
    ), content


@contextlib.contextmanager
def in_folder(folder: Path, agent: str, game: str) -> Iterator[None]:
    """A context in which `folder` is the current folder, except for a plug-in, whose spec can be a path."""
    with contextlib.chdir(folder) if registry.is_shipped(agent, game) else contextlib.nullcontext():
        yield


def check(wanted: Protocol, agent: str, deals: int, folder: Path) -> None:
    """Raise UserError, before games are played, if `play` cannot measure the agent in this track and folder."""
    if wanted.response is None:
        ladder.check_store(folder / f"{name_of(wanted, deals)}.sqlite", wanted.plan(agent, deals))
    else:  # its plan names a policy that is to come
        opponent_of(agent, wanted.game)
        policy_of_agent(agent, wanted.game)
        _response(wanted)


def name_of(wanted: Protocol, deals: int) -> str:
    """Return the name of what a run has of a track."""
    return f"{wanted.track}-{wanted.version}{'' if deals == wanted.deals else '-trial'}"


def play(wanted: Protocol, agent: str, deals: int, folder: Path, make_pool: Callable[[], Pool]) -> Track:
    """Play the games of a track that the store of the folder does not have yet. Return the results.

    `agent` is a spec as `localized` returns it, and the current folder is that of `in_folder`. Raise UserError for an
    agent that cannot be measured, and if games cannot be played.
    """
    name = name_of(wanted, deals)
    response = None
    if wanted.response is not None:
        response = respond(wanted.response, wanted, agent, folder / name, deals != wanted.deals)
    plan = wanted.plan(agent, deals)
    path = folder / f"{name}.sqlite"
    against = "alone" if wanted.options.num_players == 1 else f"against {', '.join(wanted.others(agent))}"
    print(f"{wanted.track}: {agent} {against}", file=sys.stderr)
    given_up = ladder.play(path, plan, make_pool, [str(folder)])
    if given_up:
        raise UserError(f"{path}: gave up {counted(given_up, 'unit')}; 'bloodrage tournament report' says why")
    with Store.open(path) as store:
        return read_store(store, wanted, deals, response)


def respond(budget: Budget, wanted: Protocol, agent: str, folder: Path, trial: bool) -> bytes:
    """Train a best response in a folder, or resume it. Return its policy, which is also written to RESPONSE."""
    game = wanted.game
    opponent, start = opponent_of(agent, game), policy_of_agent(agent, game)
    response = _response(wanted)
    decisions = max(1, budget.decisions // TRIAL) if trial else budget.decisions
    settings = dict(budget.settings)
    print(f"{wanted.track}: a response to {agent} learns for {decisions:,} decisions", file=sys.stderr)
    points = 1 if trial else budget.points
    seats = wanted.options.num_players
    for point in response.respond(opponent, folder, seats, decisions, points, budget.games, start, settings, game):
        print(f"{point.decisions:14,} decisions: {point.win_rate.value:.1%} of {budget.games} games", file=sys.stderr)
    target = folder / RESPONSE
    policy_file(folder, target, game)
    content = target.read_bytes()
    files.write(Path(RESPONSE), content)
    return content


def _response(wanted: Protocol) -> ModuleType:
    """Return the module that trains responses. Raise MissingPackageError without PyTorch."""
    try:
        from ..learn import response
    except ModuleNotFoundError as error:
        raise MissingPackageError(f"the track {wanted.track}", error.name, "train") from error
    return response
