"""Games through the Model Context Protocol, by its official client, beside the same games played directly."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from bloodrage_agents import registry
from bloodrage_agents.base import View, agent_rng
from bloodrage_agents.by_text import ByText
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
    """A game of agents of one spec at all seats, by which the moves of the clients are chosen: whole moves in words, or
    single steps as ids, structs and notation in turns.
    """

    def __init__(
        self, game: str, spec: str, seed: int, agent_seeds: Sequence[int], options: Mapping[str, Any], whole: bool
    ) -> None:
        self.whole = whole
        self.game, self.options = games.game(game), games.options_from(game, **options, skip_forced=False)
        self.structs, self.text = structs_of(games.spec(game)), TextGame(game)
        self.states = self.game.new_game(seed, self.options)
        self.agents = [ByText(spec) if whole else registry.make(spec, game) for _ in agent_seeds]
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
            if self.states[0].num_legal == 1 and play.is_openly_forced(self.states, 0):
                actions = [self.chosen(seat)[0][0]]
            else:
                actions = await self.answer(clients[seat], tokens[seat], seat, self.asked % every == 0)
            for action in actions:
                self.actions.append(action)
                play.apply(self.states, 0, action)

    async def answer(self, client: Client, token: str, seat: int, compared: bool) -> list[int]:
        """Compare what the client is shown, give the answer, and return the actions that it means."""
        known = self.game.hide(self.states, 0, seat)
        legal, self.asked = self.structs.actions(known, seat), self.asked + 1
        if compared:
            shown = self.text.prompt(known, seat).rpartition("Legal actions:")[2]
            assert (await call(client, "wait", token=token)).endswith(shown)
            seen = await call(client, "observe_struct", token=token)
            assert seen["observation"] == json.loads(json.dumps(self.structs.observation(known, seat)))
            assert seen["actions"] == json.loads(json.dumps(legal))
        actions, said = self.chosen(seat)
        done = await call(client, "act", token=token, answer=said)
        assert [each["id"] for each in done["done"]] == [*self.answered(actions)]
        return actions

    def answered(self, actions: Sequence[int]) -> Iterator[int]:
        """Those of the actions that answer a question which a server asks."""
        states = self.states.copy()
        for action in actions:
            if not (states[0].num_legal == 1 and self.game.play.is_openly_forced(states, 0)):
                yield action
            self.game.play.apply(states, 0, action)

    def chosen(self, seat: int) -> tuple[list[int], Any]:
        """The actions of the agent at a seat, and an answer that means them."""
        if self.whole:
            move = self.agents[seat].choose(View.of(self.states, 0, seat, self.game.name), self.rngs[seat])
            return [step.action for step in move.steps], f"I think.\n\nAnswer: {move.texts[0]}"
        action = ask(self.agents[seat], self.states, 0, seat, self.rngs[seat], self.game.name)
        struct = self.structs.without_text(self.states, seat, action)
        return [action], (action, struct, action_names(self.game.blocks)[action])[self.asked % 3]


async def seated(clients: Sequence[Client], options: Mapping[str, Any]) -> tuple[list[str], str]:
    """The tokens of two clients in a new game, and that of the table."""
    given = {name: value for name, value in options.items() if name != "num_players"}
    begun = await call(clients[0], "start_game", seats=["you", "open"], name="one", options=given)
    taken = await call(clients[1], "take_seat", table=begun["table"], name="two")
    return [begun["token"], taken["token"]], begun["table"]
