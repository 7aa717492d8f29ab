"""A client that calls the web application in this process, and games that are played through it."""

import asyncio
import itertools
import json
import random
from typing import NamedTuple
from unittest import mock

from bloodrage_env import games
from bloodrage_env.serve.app import make_app
from bloodrage_env.serve.storage import Storage
from bloodrage_env.serve.tables import Tables

AGENTS = [("random", "every legal action is equally likely")]


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def acting(game):
    """The first person who can answer; all of them can where they choose at once, whoever the game asks first."""
    return next((seat for seat in game.people if game.asked(seat) is not None), game.seat_to_act)


ASGI = {"version": "3.0", "spec_version": "2.4"}  # by which a file is sent without waiting for a disconnect
FIRST_SEED = 10**17 + 1  # long enough to be found among the bytes that are sent
SEED_BITS = 63  # of a game; agents' generators are drawn with others


class Client:
    """Each request runs the event loop until it is answered; agents think meanwhile. Seeds count from `FIRST_SEED`."""

    def __init__(self, folder, agents=AGENTS, game=games.FIRST, **options):
        seeds, self.agents_chance = itertools.count(FIRST_SEED), random.Random(0)
        self.seeds = mock.patch(
            "bloodrage_env.serve.tables.secrets.randbits",
            side_effect=lambda bits: next(seeds) if bits == SEED_BITS else self.agents_chance.getrandbits(bits),
        )
        self.said = []
        self.address = "127.0.0.1"  # where requests come from
        self.folder = folder
        self.tables = Tables(Storage(folder, game), [spec for spec, _ in agents], 0.0, self.said.append)
        self.app = make_app(self.tables, agents, **options)
        self.loop = asyncio.new_event_loop()

    def __enter__(self):
        self.seeds.start()
        return self

    def __exit__(self, *exception):
        self.seeds.stop()
        self.loop.run_until_complete(self.tables.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()

    def call(self, method, path, body=None, token=None, **headers):
        """Headers as keywords, with _ for -; one that is None is left out."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        wanted = {"host": "localhost", "content-type": None if body is None else "application/json"}
        wanted["authorization"] = None if token is None else f"Bearer {token}"
        wanted |= {name.replace("_", "-"): value for name, value in headers.items()}
        pairs = [(name.encode(), value.encode("latin-1")) for name, value in wanted.items() if value is not None]
        return self.loop.run_until_complete(self._call(method, path, data, pairs))

    async def _call(self, method, path, data, headers):
        path, _, query = path.partition("?")
        scope = {"type": "http", "asgi": ASGI, "http_version": "1.1", "method": method, "scheme": "http"}
        scope |= {"path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": ""}
        scope |= {"headers": headers, "client": (self.address, 1), "server": ("127.0.0.1", 80)}
        sent = [{"type": "http.request", "body": data, "more_body": False}]
        parts = []

        async def receive():
            return sent.pop(0) if sent else {"type": "http.disconnect"}

        async def send(message):
            parts.append(message)

        await self.app(scope, receive, send)
        headers = {name.decode(): value.decode() for name, value in parts[0]["headers"]}
        return Answer(parts[0]["status"], headers, b"".join(part.get("body", b"") for part in parts[1:]))

    def new_game(self, *seats, **options):
        """The tokens by seat; `seats` are agents, or None for a person."""
        players = [{"person": ""} if agent is None else {"agent": agent} for agent in seats]
        answer = self.call("POST", "/api/games", {"seats": players, "options": options})
        assert answer.status == 201, answer
        return answer.json["tokens"]

    def new_table(self, *names, **options):
        """The link of a table at which visitors of these names have taken all seats, and their tokens."""
        answer = self.call("POST", "/api/games", {"seats": [{"visitor": True} for _ in names], "options": options})
        assert answer.status == 201, answer
        assert answer.json["tokens"] == [None for _ in names]
        link = answer.json["watch"]
        return link, [self.claim(link, seat, name).json["token"] for seat, name in enumerate(names)]

    def claim(self, token, seat, name):
        return self.call("POST", "/api/seat/claim", {"seat": seat, "name": name}, token)

    def view(self, token):
        answer = self.call("GET", "/api/seat", token=token)
        assert answer.status == 200, answer
        return answer.json

    def asked(self, token):
        """The view once agents have played on: the seat is asked, or another person, or the game is over.

        If the seat's turn has still to be ended, it is.
        """
        view = self.view(token)
        if view["turn"]["held"] == view["seat"]:
            assert self.end(token, view["turn"]["number"]).status == 200
        driver = self.table(token)._driver
        if driver is not None and not driver.done():
            self.loop.run_until_complete(asyncio.wait([driver]))
            driver.result()
        return self.view(token)

    def answer(self, token, number, action):
        return self.call("POST", "/api/seat/answer", {"number": number, "action": action}, token)

    def answers(self, token, number, actions):
        return self.call("POST", "/api/seat/answers", {"number": number, "actions": actions}, token)

    def undo(self, token, number, to):
        return self.call("POST", "/api/seat/undo", {"number": number, "to": to}, token)

    def end(self, token, number):
        return self.call("POST", "/api/seat/end", {"number": number}, token)

    def hint(self, token, number):
        return self.call("POST", "/api/seat/hint", {"number": number}, token)

    def allow(self, token, hints=True):
        return self.call("POST", "/api/seat/allow", {"hints": hints}, token)

    def table(self, token):
        """The table behind a token."""
        return self.tables._open[token.partition(".")[0]]

    def game(self, token):
        """The game behind a token."""
        return self.table(token).game


def play(client, tokens, rng, decisions=10**6):
    """Random answers of all people, to the end or for so many decisions; returns how many."""
    done = 0
    people = [token for token in tokens if token]
    while done < decisions:
        views = [client.view(token) for token in people]
        if views[0]["scene"]["over"]:
            return done
        asked = [(token, view) for token, view in zip(people, views, strict=True) if view["question"]]
        if not asked:
            for token in people:
                client.asked(token)
            continue
        token, view = asked[0]
        choice = rng.choice(view["question"]["choices"])
        assert client.answer(token, view["question"]["number"], choice["action"]).status == 200
        done += 1
    return done
