"""How far others have come in a secret choice is not to be seen: a seat that waits is sent the same, byte by byte, and
so is who watches.

Two games that differ in nothing else are the same game before and after an answer in secret, as long as others have
still to answer.
"""

import asyncio
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("starlette")

from serve_client import Client, acting

from bloodrage_env import games
from bloodrage_env.core.shown.table_page import PUBLIC
from bloodrage_env.games.berserk.engine import Decision as BerserkDecision
from bloodrage_env.games.berserk.engine import Phase
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import Decision
from tests.random_play import even_action, keen_action

REQUESTS = (
    ("GET", "/api/seat", None),
    *(("POST", "/api/seat/answer", {"number": number, "action": 0}) for number in (0, 40)),
    ("POST", "/api/seat/undo", {"number": 0, "to": 0}),
    ("POST", "/api/seat/end", {"number": 0}),
    ("POST", "/api/seat/hint", {"number": 0}),
    ("GET", "/api/seat/replay", None),
    ("GET", "/api/seat/chances", None),
    ("POST", "/api/seat/rematch", {}),
    ("GET", "/api/seat/review", None),
    ("GET", "/api/seat/talk", None),
    ("GET", "/api/seat/game", None),
)
ONE_BY_ONE = (BerserkDecision.BUY, BerserkDecision.PLACE, BerserkDecision.HIDE)  # one seat answers after the other


class Watched:
    """A random game of people; `seen` counts the comparisons by decision."""

    def __init__(self, client, players, seed, pick, **options):
        self.client, self.rng, self.pick = client, np.random.default_rng(seed), pick
        self.link, self.tokens = client.new_table(*["visitor"] * players, **options)
        self.game = client.game(self.tokens[0])
        self.answered = []  # the seats that have answered in the secret choice that is open
        self.seen = Counter()
        self.changed = 0  # answers that were taken back and given again
        self.spectators = 0  # comparisons of what who watches is sent
        if client.tables.studies is not None:
            for token in self.tokens:
                assert client.allow(token).status == 200

    def token(self, viewer):
        return self.link if viewer == PUBLIC else self.tokens[viewer]

    def sent(self, viewer):
        """All that a seat, or who watches, can get."""
        return [self.client.call(how, path, body, self.token(viewer)) for how, path, body in REQUESTS]

    def waits(self, seat, tag):
        """A request for news."""
        headers = {"host": "localhost", "authorization": f"Bearer {self.token(seat)}"}
        headers |= {"if-none-match": tag, "prefer": "wait=25"}
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        return self.client.loop.create_task(self.client._call("GET", "/api/seat", b"", pairs))

    def step(self):
        """One answer; compares what those are sent who wait before and after it."""
        game, states = self.game, self.game.states
        if game.held is not None:
            assert self.client.end(self.tokens[game.held], game.number_for(game.held)).status == 200
            return
        secret, decision, seat = game.shown.secret(states), int(states[0].decision), acting(game)
        others = [PUBLIC, *(other for other in range(len(self.tokens)) if other != seat)] if secret else []
        before = {other: self.sent(other) for other in others}
        waiting = {other: self.waits(other, before[other][0].headers["etag"]) for other in others}
        stage = game.shown.at_once(states)
        action = self.pick(game.asked(seat), self.rng)
        assert self.client.answer(self.tokens[seat], game.number_for(seat), action).status == 200
        self.client.loop.run_until_complete(asyncio.sleep(0))
        if stage is not None and self.changes(seat, stage):
            self.change(seat)
        if secret and (self.goes_on(decision, seat, action) if stage is None else self.changes(seat, stage)):
            for other in (each for each in others if stage is not None or each != game.seat_to_act):
                assert not waiting[other].done()
                assert self.sent(other) == before[other]
                self.seen[decision] += 1
                self.spectators += other == PUBLIC
        for task in waiting.values():
            task.cancel()

    def changes(self, seat, stage):
        """Whether others have still to answer where all choose at once, so that this seat may change its answer."""
        asked = [other for other in self.game.people if other != seat and self.game.asked(other) is not None]
        return not self.game.over and self.game.shown.at_once(self.game.states) == stage and bool(asked)

    def change(self, seat):
        """Take back the last answer, and give another one."""
        turn = self.client.view(self.tokens[seat])["turn"]
        assert self.client.undo(self.tokens[seat], turn["number"], turn["undo"][-1]).status == 200
        action = self.pick(self.game.asked(seat), self.rng)
        assert self.client.answer(self.tokens[seat], self.game.number_for(seat), action).status == 200
        self.changed += 1

    def goes_on(self, decision, seat, action):
        """Whether the secret choice of which this was an answer goes on."""
        states = self.game.states
        same = not self.game.over and self.game.shown.secret(states) and states[0].decision == decision
        if self.game.options.game != games.FIRST and decision in ONE_BY_ONE:
            return same and self.game.seat_to_act == seat
        self.answered.append(seat)
        if not same or self.game.seat_to_act in self.answered:
            self.answered.clear()
            return False
        return decision != Decision.LATE_CARD or action == engine.NO

    def play(self):
        while not self.game.over:
            self.step()


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_clans_that_choose_in_secret(tmp_path, players):
    """rules 7.1, 7.8: picks of the draft, cards in battle, late cards that are not played, kept cards."""
    seen = Counter()
    with Client(tmp_path) as client:
        for seed in range(1):
            watched = Watched(client, players, seed, keen_action)
            watched.play()
            assert watched.spectators > 0
            assert watched.changed > 0
            seen += watched.seen
    assert {Decision.DRAFT, Decision.BATTLE_CARD, Decision.KEEP_CARD} <= seen.keys()


@pytest.mark.parametrize("options", [{}, {"combat": "difference"}])
def test_a_squad_that_is_bought_and_placed(tmp_path, options):
    """9.4 of the rules of Berserk: what is bought, where it is placed, which cards lie face down."""
    seen = Counter()
    with Client(tmp_path, game="berserk") as client:
        for seed in range(2):
            watched = Watched(client, 2, seed, even_action, **options)
            while watched.game.states[0].phase < Phase.REVEAL and not watched.game.over:
                watched.step()
            assert watched.spectators > 0
            seen += watched.seen
    assert set(ONE_BY_ONE[:2]) <= seen.keys()


def test_a_hint_of_another_seat_is_not_noticed(tmp_path):
    """The refusal to a seat that waits came when the hint of the seat that is asked was made."""
    with Client(tmp_path) as client:
        watched = Watched(client, 3, 0, keen_action)
        while watched.game.held is not None or watched.game.shown.secret(watched.game.states):
            watched.step()
        other = watched.tokens[(watched.game.seat_to_act + 1) % 3]
        client.loop.run_until_complete(client.table(other)._studying.acquire())
        assert client.hint(other, watched.game.number_for(other)).status == 409
        client.table(other)._studying.release()
