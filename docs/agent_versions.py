"""Versions of the agents: hashes of how they play short games. They tell which results are older than their agents.

`python docs/agent_versions.py` writes `docs/results/agents/versions.json`, which takes minutes; a test compares it with
the agents. A result keeps the versions of the agents that it names, which `results.save` adds. A change of an agent, of
its policy or of the rules changes its version; a change of code that plays the same does not.
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from bloodrage_agents import registry  # noqa: E402
from bloodrage_agents.match import ask  # noqa: E402
from bloodrage_env import games  # noqa: E402

GAMES: Final = ("bloodrage", "berserk", "berserk_team", "berserk_laar")  # whose agents have versions
BERSERK: Final = "berserk"  # the file of results that names its games in words
FILE: Final = ROOT / "docs" / "results" / "agents" / "versions.json"
MOVES, SEARCHED = 400, 60  # of each game, of agents that search
SEEDS: Final = (1, 2)
BUDGET: Final = "simulations=20"  # of searches
# What is measured elsewhere: not how agents play. Pages name the policies of training v1 to v9; v9 is shipped.
NOT_PLAY: Final = ("speed", "ray", "games", "values", "networks", "libraries")
SHIPPED: Final = "v9"


def version(game: str, name: str) -> str:
    """Return the version of an agent with its default arguments, of a search with few simulations."""
    known = registry.table(game)[name]
    searches = any(each.name == "simulations" for each in known.arguments)
    agent = registry.make(f"{name}:{BUDGET}" if searches else name, game)
    rules = games.game(game)
    digest = hashlib.sha256(f"{game} {rules.rules_version},".encode())
    for seed in SEEDS:
        states = rules.new_game(seed, rules.options())
        for move in range(SEARCHED if searches else MOVES):
            seat = rules.play.seat_to_act(states, 0)
            if seat < 0:
                break
            action = ask(agent, states, 0, seat, np.random.default_rng([seed, move]), game)
            digest.update(f"{action},".encode())
            rules.play.apply(states, 0, action)
    return digest.hexdigest()[:12]


def measured_names(game: str) -> list[str]:
    """Return the agents of a game whose games can be played again."""
    return registry.alone(game)


def known() -> dict[str, dict[str, str]]:
    """Return the stored versions, by game and agent."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def games_of(file: str, command: str, text: str) -> list[str]:
    """Return the games that a result with this command and text is of."""
    if file != BERSERK:
        given = [re.search(r"--game (\w+)", each) for each in command.split("bloodrage ")[1:] or [text]]
        return list(dict.fromkeys(each[1] if each else GAMES[0] for each in given))
    said = {game for game in GAMES[1:] if f"`{game}`" in text}
    said |= {"berserk_team"} if re.search(r"\bteam\b", text) else set()
    said |= {"berserk_laar"} if re.search(r"\b(?:angel|Laar)\b", text) else set()
    return [game for game in GAMES if game in (said or {BERSERK})]


def named(file: str, found: dict[str, Any]) -> list[str]:
    """Return the agents that a result names, as "game/agent"."""
    if file in NOT_PLAY:
        return []
    text = json.dumps([found[key] for key in ("title", "command", "columns", "rows")], default=str)
    if file == BERSERK:
        text += " ".join(found["notes"])
    said = {*re.findall(r"`([a-z]+)[:`]", text)}
    for listed in re.findall(r'--(?:agents|against) ([^ \\"]+)', text):
        said |= {spec.partition(":")[0] for spec in registry.split(listed)}
    shipped = r"\bplayer\b|\bpolicy\b" if file == BERSERK else rf"\b{SHIPPED}\b"
    if re.search(rf"{shipped}|path=shipped", text):
        said.add("network")
    return [
        f"{game}/{name}"
        for game in games_of(file, found["command"] or "", text)
        for name in measured_names(game)
        if name in said
    ]


def now(file: str, found: dict[str, Any]) -> dict[str, str]:
    """Return the present versions of the agents that a result names."""
    stored = known()
    return {each: stored[each.partition("/")[0]][each.partition("/")[2]] for each in named(file, found)}


def changed(file: str, found: dict[str, Any]) -> list[str]:
    """Return the agents of a result that play otherwise than when it was measured."""
    own = found.get("agents", {})
    return _names(each for each, value in now(file, found).items() if own.get(each, value) != value)


def unrecorded(file: str, found: dict[str, Any]) -> list[str]:
    """Return the agents of a result whose versions were not recorded when it was measured."""
    return _names(each for each in now(file, found) if each not in found.get("agents", {}))


def _names(agents: Iterable[str]) -> list[str]:
    """Return the names of agents without their games, each once."""
    return list(dict.fromkeys(each.partition("/")[2] for each in agents))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the versions."""
    argparse.ArgumentParser(description=str(__doc__).splitlines()[0]).parse_args(arguments)
    found = {game: {name: version(game, name) for name in measured_names(game)} for game in GAMES}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
