"""Many games at once against a server of its own. What an answer takes is for people to look at:

python -m tests.test_serve_load --seconds 60 --games 10

Requests that wait for news are not measured: they take as long as the agents do.
"""

import argparse
import asyncio
import random
import tempfile
import time

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.serve_process import Connection, ServerProcess, new_game, play

GAMES = 50


async def load(port, agent, seconds, games=GAMES):
    """Play so many games at once for so long; the seconds that each answer took, by game."""
    connections = [Connection(port) for _ in range(games)]
    tokens = [await new_game(connection, agent) for connection in connections]
    took = [[] for _ in tokens]
    end = time.monotonic() + seconds

    async def person(number):
        rng = random.Random(number)
        # However slow the machine is, each game gets one answer at least.
        return await play(
            connections[number],
            tokens[number],
            rng,
            lambda: time.monotonic() < end or not took[number],
            took[number].append,
        )

    await asyncio.gather(*map(person, range(games)))
    for connection in connections:
        connection.close()
    return took


async def hints(port, agent, games):
    """In so many games at once, a hint for the first question of each; the seconds that each took."""
    connections = [Connection(port) for _ in range(games)]
    loop = asyncio.get_running_loop()

    async def ask(connection):
        token = await new_game(connection, agent)
        view = {"question": None}
        while view["question"] is None:
            _, _, view = await connection.call("GET", "/api/seat", token=token)
            await asyncio.sleep(0.05)
        begin = loop.time()
        number = {"number": view["question"]["number"]}
        status, _, data = await connection.call("POST", "/api/seat/hint", number, token)
        assert status == 200, data
        return loop.time() - begin

    took = await asyncio.gather(*map(ask, connections))
    for connection in connections:
        connection.close()
    return took


@pytest.mark.slow
def test_hints_in_three_games_at_once(tmp_path):
    server = ServerProcess(tmp_path, "balanced")
    try:
        assert len(asyncio.run(hints(server.port, "balanced", 3))) == 3
    finally:
        server.kill()


@pytest.mark.slow
def test_fifty_games_at_once(tmp_path):
    server = ServerProcess(tmp_path, "balanced")
    try:
        took = asyncio.run(load(server.port, "balanced", 5))
    finally:
        server.kill()
    assert len(took) == GAMES
    assert all(took)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--agent", default="balanced")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--pace", type=float, default=0, help="as of bloodrage serve")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(folder, args.agent, args.pace)
        try:
            answers = np.concatenate(asyncio.run(load(server.port, args.agent, args.seconds, args.games)))
            thought = np.array(asyncio.run(hints(server.port, args.agent, args.games)))
        finally:
            server.kill()
    for name, took in [("answers", answers), ("hints", thought)]:
        p50, p90, p99, top = np.quantile(took * 1000, [0.5, 0.9, 0.99, 1])
        print(f"{len(took)} {name}: p50 {p50:.0f} ms, p90 {p90:.0f} ms, p99 {p99:.0f} ms, slowest {top:.0f} ms")


if __name__ == "__main__":
    main()
