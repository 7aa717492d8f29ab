"""The tools of `bloodrage mcp`: what a language model can do at a table, without the protocol.

A tool takes the token of a seat and returns what that seat may know, made as for browsers from `views.known_to` and the
log of the seat. Whatever a user gets wrong raises an exception with one line.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .. import games
from ..core.compile.decorators import Records
from ..encoding import as_json
from ..language.prompt import Parts, TextGame
from .seating import Refused
from .table import Table
from .tables import Tables
from .views import known_to

YOU: Final = "you"
OPEN: Final = "open"
MAX_NAME: Final = 24  # characters of a player's name
MAX_WAIT: Final = 25.0  # seconds
MAX_SEATS: Final = 8
MAX_SPEC: Final = 1000  # characters of an agent
MAX_NAMES: Final = 16  # cards that are looked up at once
MAX_TITLE: Final = 60  # characters of each
Answer = str | int | dict[str, Any]


class TableTools:
    """The tools for the tables of a server. `address` is that of the pages, None where there are none."""

    def __init__(self, tables: Tables, agents: Sequence[tuple[str, str]], address: str | None = None) -> None:
        self.tables = tables
        self.game = tables.storage.game
        self.agents = agents
        self.address = address

    # ---- games and seats

    def list_agents(self) -> list[dict[str, str]]:
        """Return the agents that can play the other seats: `agent` and what it is."""
        return [{"agent": spec, "says": says} for spec, says in self.agents]

    async def start_game(self, seats: list[str], name: str, options: dict[str, Any], visitor: str) -> dict[str, Any]:
        """Begin a visitor's game. `seats` has "you", "open" for another client, or an agent for each seat. Return the
        tokens.
        """
        if seats.count(YOU) != 1:
            raise Refused(422, 'one of the seats must be "you"')
        players = [self._player(seat, name) for seat in seats]
        settled = {"num_players": len(seats), "skip_forced": False}
        try:
            chosen = games.game(self.game).options.from_json(options | settled)
        except (TypeError, ValueError) as error:
            raise Refused(422, str(error)) from None
        tokens, watch = await self.tables.create(players, chosen, visitor, watched=True)
        seat = seats.index(YOU)
        return {"token": tokens[seat], "seat": games.presentation(self.game).seats[seat], **self._table(str(watch))}

    async def take_seat(self, table: str, name: str, seat: str | None) -> dict[str, Any]:
        """Take a free seat of the table with this token, by its name or the first one. Return the token of the seat."""
        found, viewer = await self.tables.find(table)
        free = [found.game.names[each] for each, who in enumerate(found.game.seats) if who.is_free]
        if not free:
            raise Refused(409, "no seat of this table is free")
        wanted = free[0] if seat is None else seat
        if wanted not in found.game.names:
            raise Refused(422, f"there is no seat {wanted[:40]!r}; {', '.join(free)} can be taken")
        token = found.claim(viewer, found.game.names.index(wanted), _name(name))
        return {"token": token, "seat": wanted, **self._table(table)}

    def _player(self, seat: str, name: str) -> tuple[str | None, str | None]:
        """As `Tables.create` takes it."""
        if seat == YOU:
            return _name(name), None
        if seat == OPEN:
            return None, None
        offered = [spec for spec, _ in self.agents]
        if seat not in offered:
            raise Refused(422, f'there is no agent {seat[:40]!r}: a seat is "{YOU}", "{OPEN}" or {", ".join(offered)}')
        return None, seat

    def _table(self, watch: str) -> dict[str, str]:
        """The token of a table, which watches it and takes its free seats, and its page."""
        page = {} if self.address is None else {"watch": f"{self.address}/join#{watch}"}
        return {"table": watch, **page}

    async def _find(self, token: str) -> tuple[Table, int]:
        """The table and the seat of a token. A call shows that its player is here, and takes the seat back from an
        agent. Raise Refused for the token of a table.
        """
        table, seat = await self.tables.find(token)
        if seat < 0:
            raise Refused(409, "this is the token of a table: take a seat with it, then use the token of the seat")
        table.show_up(seat)
        if table.game.seats[seat].agent is not None:
            table.come_back(seat)
        return table, seat

    # ---- what a seat sees

    async def observe(self, token: str) -> str:
        """Return what the seat knows as text, with the open question and the legal actions if it is asked."""
        return self._text(*await self._find(token))

    async def observe_struct(self, token: str) -> dict[str, Any]:
        """Return what the seat knows as the observation struct, with the legal actions if it is asked."""
        table, seat = await self._find(token)
        text, known = self._reader(), known_to(table.game, seat)
        struct = text.structs.observation(known, seat)
        return {**self._status(table, seat), "observation": struct, "actions": self._legal(table, seat, text)}

    async def list_actions(self, token: str) -> list[dict[str, Any]]:
        """Return the legal actions of the seat, [] if it is not asked."""
        return self._legal(*await self._find(token), self._reader())

    async def explain_action(self, token: str, action: Answer) -> str:
        """Return what a legal action is, and what is printed on what it is about."""
        table, seat = await self._find(token)
        text = self._reader()
        known = self._asked(table, seat)
        number = await asyncio.to_thread(text.read, _said(action), known, seat)
        (struct,) = [each for each in text.structs.actions(known, seat) if each["id"] == number]
        terminal = text.structs.presentation.terminal
        topic, caution = terminal.topic_of(number), terminal.caution(known, number)
        given = ", ".join(f"{name}: {value}" for name, value in struct["arguments"].items())
        lines = [f"{number}: {struct['text']} ({struct['kind']}{'; ' if given else ''}{given})"]
        lines += [caution] if caution else []
        lines += terminal.topic_lines(topic) if topic >= 0 else []
        return "\n".join(lines)

    async def wait(self, token: str, seconds: float) -> str:
        """Return `observe` once the seat is asked or the game is over, or after `seconds`."""
        table, seat = await self._find(token)
        clock = asyncio.get_running_loop().time
        until = clock() + min(max(seconds, 0.0), MAX_WAIT)
        if table.game.unavailable is not None:
            table.play_on(seat, again=True)
        while not table.game.over and table.game.asked(seat) is None and not self.tables.stopping:
            if clock() >= until:
                break
            await table.news(seat, table.seen(seat)[1], until - clock())
        return self._text(table, seat)

    def _reader(self) -> TextGame:
        return TextGame(self.game, Parts())

    def _status(self, table: Table, seat: int) -> dict[str, Any]:
        """Whether a seat is asked, which question is open, and how the game ended."""
        game = table.game
        status = {"asked": game.asked(seat) is not None, "number": game.number_for(seat), "over": game.over}
        return status | ({"result": game.shown.result_table(game.states)} if game.over else {})

    def _legal(self, table: Table, seat: int, text: TextGame) -> list[dict[str, Any]]:
        return text.structs.actions(known_to(table.game, seat), seat) if table.game.asked(seat) is not None else []

    def _asked(self, table: Table, seat: int) -> Records:
        """What a seat knows that is asked. Raise Refused if it is not."""
        if table.game.asked(seat) is None:
            reason = "the game is over" if table.game.over else "you are not asked now: wait for your turn"
            raise Refused(409, reason)
        return known_to(table.game, seat)

    def _text(self, table: Table, seat: int) -> str:
        game, text = table.game, self._reader()
        if game.over:
            return f"The game is over.\n\n{game.shown.result_table(game.states)}"
        known, history = known_to(game, seat), game.since_own_answer(seat)
        if game.asked(seat) is None:
            missing = (
                "" if game.unavailable is None else f"{game.names[game.unavailable[0]]}: {game.unavailable[1]}.\n\n"
            )
            return f"{missing}You are not asked now: wait.\n\n{text.situation(known, seat, history)}"
        return f"Question {game.number_for(seat)}.\n\n{text.prompt(known, seat, history)}"

    # ---- answers

    async def act(self, token: str, answer: Answer, number: int | None) -> dict[str, Any]:
        """Answer the open question. Further parts of the answer are given while the seat alone is asked.

        With `number`, an answer to another question is refused. Return what was done, and the state of the game.
        """
        table, seat = await self._find(token)
        game, text = table.game, self._reader()
        known = self._asked(table, seat)
        asked = game.number_for(seat)
        if number is not None and number != asked:
            raise Refused(409, f"question {number} is not open: the open one is {asked}")
        action: int | None = await asyncio.to_thread(text.read, _said(answer), known, seat)
        done = []
        while action is not None:
            done.append({"id": action, "text": game.shown.action_text(known, 0, action)})
            await table.answer(seat, asked, action)
            await asyncio.sleep(0)  # an answer of many parts does not hold up other clients
            if game.held == seat:
                await table.end_turn(seat, game.number_for(seat))
            action = None
            if game.asked(seat) is not None:
                known, asked = known_to(game, seat), game.number_for(seat)
                action = text.kept(known, seat)
        return {"done": done, **self._status(table, seat)}

    # ---- rules and cards

    def rules(self) -> str:
        """Return the rules of the game, and how actions are written."""
        return self._reader().system()

    async def cards(self, names: Sequence[str]) -> str:
        """Return the texts of cards, or the list of all cards if none is named. Raise UserError for an unknown one."""
        shown = games.presentation(self.game)
        if len(names) > MAX_NAMES or any(len(name) > MAX_TITLE for name in names):
            raise Refused(422, f"up to {MAX_NAMES} cards can be named, in {MAX_TITLE} characters each")
        return await asyncio.to_thread(lambda: "\n".join(shown.about(names) if names else shown.reference()))

    def schema(self, part: str) -> Mapping[str, Any]:
        """Return the JSON Schema of "observation" or "actions"."""
        structs = self._reader().structs
        return structs.observation_schema() if part == "observation" else structs.actions_schema()


def _said(answer: Answer) -> str:
    """An answer as the text that is read."""
    return answer if isinstance(answer, str) else as_json(answer if isinstance(answer, dict) else {"id": answer})


def _name(name: str) -> str:
    """A player's name. Raise Refused for one that cannot be shown."""
    name = name.strip()
    if not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise Refused(422, f"a name has 1 to {MAX_NAME} characters, all of them visible")
    return name
