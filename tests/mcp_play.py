"""Games through the Model Context Protocol, by its official client, beside the same games played directly."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from bloodrage_agents import registry
from bloodrage_agents.base import agent_rng
from bloodrage_agents.match import ask, reset
from bloodrage_env import games
from bloodrage_env.core.engine.tables import action_names
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.language.prompt import TextGame
from tests.serve_process import seeded


def over_stdio(seed: int, *words: str) -> Client:
    """A client with a server of its own."""
    name, *rest = seeded(seed, "mcp", *words)
    return Client(stdio_client(StdioServerParameters(command=name, args=rest)))


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool returns: data, or text for a tool without data. Raise AssertionError for an error."""
    result = await client.call_tool(tool, arguments)
    said = result.content[0].text if result.content else ""
    assert not result.is_error, said
    data = result.structured_content
    if data is None:
        return said
    return data["result"] if data.keys() == {"result"} else data


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The error of a tool, which must be one line."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    (content,) = result.content
    assert "\n" not in content.text
    return str(content.text)


class Twice:
    """A game of agents of one spec at all seats, by which the moves of the clients are chosen."""

    def __init__(self, game: str, spec: str, seed: int, agent_seeds: Sequence[int], options: Mapping[str, Any]) -> None:
        self.game, self.options = games.game(game), games.options_from(game, **options, skip_forced=False)
        self.structs, self.text = structs_of(games.spec(game)), TextGame(game)
        self.states = self.game.new_game(seed, self.options)
        self.agents = [registry.make(spec, game) for _ in agent_seeds]
        self.rngs = [agent_rng(each) for each in agent_seeds]
        for seat, agent in enumerate(self.agents):
            reset(agent, seat, self.options)
        self.actions: list[int] = []
        self.asked = 0

    async def play(self, clients: Sequence[Client], tokens: Sequence[str], every: int = 1, most: int = 10**6) -> None:
        """Play to the end or `most` actions, each seat by its client. What it is shown is compared at each `every`-th
        question.
        """
        play = self.game.play
        while not play.is_over(self.states, 0) and len(self.actions) < most:
            seat = int(play.seat_to_act(self.states, 0))
            action = ask(self.agents[seat], self.states, 0, seat, self.rngs[seat], self.game.name)
            if not (self.states[0].num_legal == 1 and play.is_openly_forced(self.states, 0)):
                await self.answer(clients[seat], tokens[seat], seat, action, self.asked % every == 0)
            self.actions.append(action)
            play.apply(self.states, 0, action)

    async def answer(self, client: Client, token: str, seat: int, action: int, compared: bool) -> None:
        """Compare what the client is shown, and give the answer as words, id, struct or notation in turns."""
        known = self.game.hide(self.states, 0, seat)
        legal = self.structs.actions(known, seat)
        (wanted,) = [each for each in legal if each["id"] == action]
        if compared:
            assert wanted["text"] in await call(client, "wait", token=token)
            seen = await call(client, "observe_struct", token=token)
            assert seen["observation"] == json.loads(json.dumps(self.structs.observation(known, seat)))
            assert seen["actions"] == json.loads(json.dumps(legal))
        forms = (
            f"I think.\n\nAnswer: {wanted['text']}",
            action,
            {"kind": wanted["kind"], "arguments": wanted["arguments"]},
            action_names(self.game.blocks)[action],
        )
        self.asked += 1
        done = await call(client, "act", token=token, answer=forms[self.asked % len(forms)])
        assert [each["id"] for each in done["done"]] == [action]


async def seated(clients: Sequence[Client], options: Mapping[str, Any]) -> tuple[list[str], str]:
    """The tokens of two clients in a new game, and that of the table."""
    given = {name: value for name, value in options.items() if name != "num_players"}
    begun = await call(clients[0], "start_game", seats=["you", "open"], name="one", options=given)
    taken = await call(clients[1], "take_seat", table=begun["table"], name="two")
    return [begun["token"], taken["token"]], begun["table"]
