"""Measures the text interface and writes the tables into `docs/results/language.json`.

`equality` plays games directly, by text and through the Model Context Protocol, and counts those with the same moves.
It continues after the games that the file contains, and Ctrl-C ends it early. `prompts` measures the parts of prompts
and the time of a decision without a model. `decisions` scores agents on the set of decisions. `track` runs the language
track of the benchmark. Each takes minutes to hours.
"""

import argparse
import asyncio
import functools
import importlib.util
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from results import result, save

from bloodrage_agents import registry
from bloodrage_agents.by_text import ByText
from bloodrage_agents.match import play_game
from bloodrage_env import games
from bloodrage_env.language.prompt import Parts, TextGame

SEED: Final = 70_000_000  # of the first game
EVERY: Final = 10  # how many questions apart a client compares what it is shown with what its seat knows
PLAYED: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("bloodrage", "balanced", {"num_players": 2}),
    ("berserk", "hold", {}),
)
AGENTS: Final = ("random", "greedy", "balanced", "network", "ismcts:simulations=100,path=shipped")
TRACKED: Final = AGENTS[:4]


# ---- the same games


def direct(game: str, spec: str, seed: int, options: dict[str, Any]) -> tuple[int, ...]:
    """The actions of a game of agents."""
    chosen = games.options_from(game, **options, skip_forced=False)
    seats = range(chosen.num_players)
    return play_game([registry.make(spec, game) for _ in seats], seed, chosen, seats).actions


def by_text(game: str, spec: str, seed: int, options: dict[str, Any], actions: str) -> tuple[int, ...]:
    """The actions of the same agents by text; every second game has replaced names."""
    chosen = games.options_from(game, **options, skip_forced=False)
    seats = range(chosen.num_players)
    agents = [ByText(spec, actions=actions, words=seed if seed % 2 else -1) for _ in seats]
    return play_game(agents, seed, chosen, seats).actions


def by_mcp(game: str, spec: str, seed: int, options: dict[str, Any], actions: str) -> tuple[int, ...]:
    """The actions of the same agents as clients of the protocol, from the replay that the server stores."""
    from mcp import Client
    from mcp_play import Twice, call  # type: ignore[import-not-found]

    from bloodrage_env.serve import tables
    from bloodrage_env.serve.protocol import make_server
    from bloodrage_env.serve.storage import Storage
    from bloodrage_env.serve.tools import TableTools

    async def play(folder: Path) -> None:
        house = tables.Tables(Storage(folder, game), ["random"], 0.0, print)
        server = make_server(TableTools(house, [("random", "")]), print)
        players = games.options_from(game, **options).num_players
        twice = Twice(game, spec, seed, range(players), options, actions == "whole")
        async with Client(server) as client:
            seats = ["you", *["open"] * (players - 1)]
            begun = await call(client, "start_game", seats=seats, name="0")
            names = [str(seat) for seat in range(1, players)]
            taken = [await call(client, "take_seat", table=begun["table"], name=name) for name in names]
            tokens = [begun["token"], *(each["token"] for each in taken)]
            await twice.play([client] * players, tokens, EVERY)
            await house.close()

    secrets.randbits = lambda k: seed  # the game is to have this seed
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))
        (path,) = Path(folder).glob(f"*{games.replays(game).suffix}")
        return games.replays(game).load(path).actions


def equality(count: int, only: str | None) -> list[list[object]]:
    """Rows: game, players, agent, way, games, games with the same moves."""
    ways = {
        f"{name}, {said}": functools.partial(way, actions=actions)
        for name, way in (("text", by_text), ("MCP", by_mcp))
        for actions, said in (("whole", "whole moves"), ("steps", "single steps"))
    }
    known = {(row[0], row[3]): row for row in result("language/equality")["rows"]}
    rows: list[list[object]] = []
    for game, spec, options in PLAYED:
        title = games.spec(game).title
        before = [known[title, name] for name in ways if (title, name) in known]
        played = min((row[4] for row in before), default=0)
        same = dict.fromkeys(ways, 0) | {row[3]: row[5] for row in before}
        try:
            while played < count and only in (None, game):
                wanted = direct(game, spec, SEED + played, options)
                found = {name: way(game, spec, SEED + played, options) == wanted for name, way in ways.items()}
                played, same = played + 1, {name: same[name] + found[name] for name in ways}
                print(f"{game}: {played} games, same {same}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            count = 0
        rows += [[title, options.get("num_players", 2), f"`{spec}`", name, played, same[name]] for name in ways]
    return rows


# ---- prompts


def positions(game: str, spec: str, options: dict[str, Any], count: int) -> Iterator[tuple[Any, int]]:
    """Questions of games with several answers, as the seat knows them."""
    rules, rng = games.game(game), np.random.default_rng(1)
    seed = SEED
    while count:
        chosen = games.options_from(game, **options)
        actions = play_game(
            [registry.make(spec, game) for _ in range(chosen.num_players)], seed, chosen, range(9)
        ).actions
        states = rules.new_game(seed, chosen)
        for action in actions:
            if count and states[0].num_legal > 1 and rng.random() < 0.1:
                count -= 1
                seat = int(states[0].seat)
                yield rules.hide(states, 0, seat), seat
            rules.play.apply(states, 0, action)
        seed += 1


def tokens_of() -> Callable[[str], int] | None:
    """The number of tokens of a text by o200k_base, None where tiktoken or its data is not at hand."""
    if not (importlib.util.find_spec("tiktoken") and os.environ.get("TIKTOKEN_CACHE_DIR")):
        return None
    import tiktoken

    encoding = tiktoken.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))


def sizes_of(texts: Sequence[str], base: Sequence[str], tokens: Callable[[str], int] | None) -> list[str]:
    """Mean and largest number of characters, and of tokens, of texts beyond what `base` has."""
    found: list[str] = []
    for measure in (len, tokens):
        if measure is None:
            return [*found, "", ""]
        sizes = [measure(text) - measure(less) for text, less in zip(texts, base, strict=True)]
        found += [f"{np.mean(sizes):,.0f}", f"{max(sizes):,}"]
    return found


def prompts(count: int) -> list[list[object]]:
    """Rows: game, part, mean and largest size in characters and in tokens, milliseconds of a core."""
    tokens = tokens_of()
    rows: list[list[object]] = []
    for game, spec, options in PLAYED:
        title, known = games.spec(game).title, list(positions(game, spec, options, count))
        for length in ("short", "full"):
            system = TextGame(game, Parts(rules=length)).system()
            rows.append([title, f"system, rules `{length}`", *sizes_of([system], [""], tokens), ""])
        bare = Parts(cards=False, state="none", history=False, actions="none")
        base = TextGame(game, bare)
        alone, nothing = [base.prompt(each, seat) for each, seat in known], [""] * count
        for name, parts, less in (
            ("question", bare, nothing),
            ("state as table", Parts(cards=False, history=False, actions="none"), alone),
            ("state as JSON", Parts(cards=False, state="json", history=False, actions="none"), alone),
            ("cards", Parts(state="none", history=False, actions="none"), alone),
            ("legal actions", Parts(cards=False, state="none", history=False), alone),
            ("legal actions as single steps", Parts(cards=False, state="none", history=False, actions="steps"), alone),
            ("all, with the table", Parts(), nothing),
            ("all, with the JSON", Parts(state="json"), nothing),
            ("all, with replaced names", Parts(words=1), nothing),
        ):
            text = TextGame(game, parts)
            started = time.process_time()
            made = [text.prompt(each, seat) for each, seat in known]
            took = 1000 * (time.process_time() - started) / count
            rows.append([title, name, *sizes_of(made, less, tokens), f"{took:.2f}"])
        text = TextGame(game)
        answers = [f"Answer: {text.moves(each, seat)[0].texts[0]}" for each, seat in known]
        started = time.process_time()
        for answer, (each, seat) in zip(answers, known, strict=True):
            text.read(answer, each, seat)
        took = 1000 * (time.process_time() - started) / count
        rows.append([title, "an answer is read", "", "", "", "", f"{took:.2f}"])
    return rows


# ---- decisions


TEXTS: Final[tuple[dict[str, Any], ...]] = ({}, {"actions": "steps", "state": "json"}, {"words": 7})


def decisions() -> list[list[object]]:
    """Rows: agent, win probability lost in points, best actions, and how many answers by text are the same: with whole
    moves, with single steps and JSON, and with replaced names.
    """
    from bloodrage_training.games.bloodrage.language import decisions as known

    wanted = known.load()
    rows: list[list[object]] = []
    for spec in ("chance", *AGENTS):
        if spec == "chance":
            name, found, same = "`random`, expected", known.by_chance(wanted), [""] * len(TEXTS)
        else:
            actions = known.answers(registry.make(spec), wanted)
            texts = (known.answers(ByText(spec, **parts), wanted) for parts in TEXTS)
            same = [f"{sum(one == other for one, other in zip(actions, each, strict=True))}" for each in texts]
            name, found = f"`{spec}`", known.score_of(actions, wanted)
        rows.append([name, f"{100 * found.lost:.2f} (SE {100 * found.error:.2f})", f"{100 * found.best:.1f} %", *same])
    return rows


# ---- the track of the benchmark


def track() -> tuple[list[str], list[list[object]]]:
    """The head, and rows: agent, win rate against each opponent, win probability that decisions lose."""
    from bloodrage_training.benchmark import language
    from bloodrage_training.benchmark.language_results import results
    from bloodrage_training.games.bloodrage.language.track import OPPONENTS
    from bloodrage_training.games.bloodrage.language.track import track as make

    entrants, asked = [language.Entrant(spec) for spec in TRACKED], make(None, 1)
    with tempfile.TemporaryDirectory() as folder:
        answers = language.ask_all(asked, entrants, Path(folder) / language.ANSWERS_FILE, 1, sys.stderr)
    rows: list[list[object]] = []
    for standing in results(asked, entrants, answers).standings:
        lost, *won = ([100 * each.value, 100 * each.low, 100 * each.high] for each in standing.parts)
        shown = [f"{value:.1f} % ({low:.1f} to {high:.1f})" for value, low, high in (*won, lost)]
        rows.append([f"`{standing.agent}`", *shown])
    return ["agent", *(f"against `{each}`" for each in OPPONENTS), "decisions: lost"], rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=("equality", "prompts", "decisions", "track"))
    parser.add_argument("--count", type=int, default=100, help="games of each row, or positions (100)")
    parser.add_argument("--game", help="of the equality: this game only")
    parser.add_argument("--print", action="store_true", help="print the rows, and save nothing")
    given = parser.parse_args(arguments)
    command = f"python -m research.measure.language {given.table}" + (
        f" --count {given.count}" if given.count != 100 else ""
    )
    if given.table == "equality":
        head = ["game", "players", "agent", "played by", "games", "with the same moves"]
        rows = equality(given.count, given.game)
    elif given.table == "prompts":
        head = ["game", "part", "mean characters", "most characters", "mean tokens", "most tokens", "milliseconds"]
        rows = prompts(given.count)
    elif given.table == "track":
        head, rows = track()
    else:
        ways = "same by text", "with single steps and JSON", "with replaced names"
        head, rows = ["agent", "lost (points)", "best actions", *ways], decisions()
    if given.print:
        print(json.dumps([head, *rows], indent=1))
    else:
        save(f"language/{given.table}", head, rows, command)


if __name__ == "__main__":
    main()
