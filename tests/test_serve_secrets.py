"""What the server sends to a seat, byte by byte: nothing that the seat may not know.

Games of people alone are played at random through the application. Whatever is made from the state must be the same
bytes when the hidden cards are dealt anew. The log, which is not, may name no card but those that lay open, or that the
seat itself held.
"""

import random
import re

import numpy as np
import pytest

pytest.importorskip("starlette")

from serve_client import Client, acting

from bloodrage_agents.base import View
from bloodrage_env.core.shown.table_page import PUBLIC
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.card_ids import NUM_CARDS
from bloodrage_env.games.bloodrage.notation.words import CLANS, face

FACES = {face(card): card for card in range(NUM_CARDS)}
NAMES = re.compile("|".join(sorted(map(re.escape, FACES), key=len, reverse=True)))


def open_cards(states, seat):
    """Cards that a seat sees, or that everybody knows of."""
    known = engine.hide(states, 0, seat)[0]
    counts = known.hand.sum(axis=0) + known.discards + known.known.sum(axis=0) + known.gone.sum(axis=0)
    cards = set(np.flatnonzero(counts).tolist())
    for field in ("quests", "pending", "upgrades", "main", "late", "about_card"):
        cards |= set(known[field].ravel().tolist())
    return cards


MOST_HINTS = 30  # of a game; those of the draft come from the policy, the later ones from the search


class Watched:
    """A game of people alone, each with a random choice of their own; all that is sent to them is looked at."""

    def __init__(self, client, num_players, first_game, seed):
        self.client = client
        self.link, self.tokens = client.new_table(*["visitor"] * num_players, first_game=first_game)
        self.game = client.game(self.tokens[0])
        for token in self.tokens:
            assert client.allow(token).status == 200
        self.rng = random.Random(seed)
        self.hints = 0
        self.lines = dict.fromkeys([*range(num_players), PUBLIC], 0)
        self.named = 0
        self.bytes = 0
        secret = [str(self.game.replay().seed), *(each.digest for each in self.game.seats)]
        links = [token.partition(".")[2] for token in [self.link, *self.tokens]]
        self.never = [text.encode() for text in [*secret, *links]]

    def sent(self, seat):
        answer = self.client.call("GET", "/api/seat", token=self.link if seat == PUBLIC else self.tokens[seat])
        self.bytes += len(answer.body)
        whole = answer.body + repr(answer.headers).encode()
        assert not any(text in whole for text in self.never)
        return answer

    def play(self, looks, dealt_anew):
        """To the end; each seat looks in this share of the decisions, and the hidden cards are dealt anew in that."""
        viewers = [*range(len(self.tokens)), PUBLIC]
        may_know = {viewer: self.seen(viewer) for viewer in viewers}  # since the viewer's last look
        while not self.game.over:
            seat = acting(self.game)
            question = self.sent(seat).json["question"]
            choices = question["choices"]
            keen = [choice for choice in choices if choice["name"] != "PASS"] or choices
            choice = self.rng.choice(keen if self.rng.random() < 0.8 else choices)
            answer = self.client.answer(self.tokens[seat], question["number"], choice["action"])
            assert answer.status == 200
            # Where all choose at once, it is logged for the seat now and applied later.
            may_know[seat] |= {FACES[name] for name in NAMES.findall(choice["text"])}
            for viewer in viewers:
                now = self.seen(viewer)
                may_know[viewer] |= now
                if self.game.over or self.rng.random() < looks:
                    self.check_log(viewer, may_know[viewer])
                    may_know[viewer] = now
                if self.rng.random() < dealt_anew:
                    self.check_redeal(self.rng.randrange(len(self.tokens)) if viewer == PUBLIC else viewer, viewer)
            if self.game.held is not None:
                assert self.client.end(self.tokens[self.game.held], self.game.number_for(self.game.held)).status == 200

    def hint(self, seat):
        """What a seat gets that asks for a hint: for its question one, the same each time; at other times a refusal."""
        asked = self.sent(seat).json["question"]
        if asked is not None and self.hints >= MOST_HINTS:
            return None
        answer = self.client.hint(self.tokens[seat], self.game.number_for(seat))
        assert (answer.status == 200) == (asked is not None)
        self.hints += answer.status == 200
        assert not any(text in answer.body for text in self.never)
        return answer

    def seen(self, seat):
        if seat == PUBLIC:
            return set.intersection(*(open_cards(self.game.states, each) for each in range(len(self.tokens))))
        return open_cards(self.game.states, seat)

    def check_log(self, seat, may_know):
        """New lines of the log name only cards that the seat may know, and no choice of others in secret."""
        log = self.sent(seat).json["log"]
        for entry in log[self.lines[seat] :]:
            for kind, text in entry["lines"]:
                named = {FACES[name] for name in NAMES.findall(text)}
                self.named += len(named)
                assert named <= may_know, (seat, text)
                assert kind != "secret" or (seat != PUBLIC and text.startswith(CLANS[seat]))
            for step in entry.get("battle", ()):
                shown = [card for _, card in step.get("cards", ())] + ([step["card"]] if "card" in step else [])
                assert set(shown) <= may_know
        self.lines[seat] = len(log)

    def check_redeal(self, seat, viewer=None):
        """The same request, answered from a game that the seat can't tell from the true one; so can't who watches."""
        viewer = seat if viewer is None else viewer
        true, hint = self.sent(viewer), self.hint(seat) if viewer == seat else None
        states = self.game.states
        recorder = self.game._recorder
        recorder.states = engine.redeal(states, 0, seat, self.rng.getrandbits(62))
        self.game.version += 1  # so that the view is made anew
        try:
            assert self.sent(viewer)[1:] == true[1:]
            if viewer == seat:
                assert self.hint(seat) == hint
        finally:
            recorder.states = states
            self.game.version += 1


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_bytes_of_a_few_games(tmp_path, num_players):
    watch(tmp_path, num_players, range(1), looks=1.0, dealt_anew=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_bytes_of_many_games(tmp_path, num_players):
    watch(tmp_path, num_players, range(100, 105), looks=0.1, dealt_anew=0.03)


class PlayedOn(Watched):
    """A game that is played on from a step of a finished one, by a person at one seat."""

    def __init__(self, watched, step, seat):
        answer = watched.client.call("POST", "/api/seat/branch", {"step": step, "seat": seat}, watched.tokens[seat])
        assert answer.status == 201
        token = answer.json["token"]
        watched.client.asked(token)
        self.client, self.tokens, self.game = watched.client, {seat: token}, watched.client.game(token)
        self.rng, self.hints, self.bytes, self.never = watched.rng, 0, 0, watched.never


def test_bytes_of_a_game_that_is_played_on(tmp_path):
    """Though the finished game was open to all, the one that goes on from it hides what a game hides."""
    with Client(tmp_path) as client:
        watched = Watched(client, 3, first_game=False, seed=2)
        watched.play(0.0, 0.0)
        for step in (1, 30, 60, 90):
            later = PlayedOn(watched, step, 1)
            for _ in range(4):
                later.check_redeal(1)
            assert later.bytes > 0


def row_of_own(game, seat):
    """Answers to all that is asked of a seat before another one, each with the first legal action."""
    states, row = game.rules.play.clone(game.asked(seat), 0), []
    while states[0].seat == seat and len(row) < 10:
        row.append(int(np.flatnonzero(states[0].mask)[0]))
        game.rules.play.apply(states, 0, row[-1])
    return row


@pytest.mark.parametrize("num_players", [2, 3])
def test_no_row_of_answers_finds_out_what_others_hold(client, num_players):
    """Whatever is sent behind a seat's own answers is refused in the same words: another's pack or hand is no answer
    that can be found by trial.
    """
    tokens = client.new_game(*[None] * num_players)
    game, rng = client.game(tokens[0]), random.Random(1)
    probed = 0
    while probed < 6:
        seat = acting(game)
        if game.held is not None:
            game.end_turn(game.held, game.number_for(game.held))
            continue
        if game.shown.at_once(game.states) is not None:
            number, row = game.number_for(seat), row_of_own(game, seat)
            sent = [client.answers(tokens[seat], number, [*row, action]) for action in range(engine.NUM_ACTIONS)]
            assert {(each.status, each.body) for each in sent} == {(409, sent[0].body)}
            probed += 1
        game.answer(seat, game.number_for(seat), int(rng.choice(np.flatnonzero(game.asked(seat)[0].mask))))


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    monkeypatch.setattr("bloodrage_env.serve.studies.HINT_SIMULATIONS", 10)


def watch(folder, num_players, seeds, looks, dealt_anew):
    hints = 0
    with Client(folder) as client:
        for seed in seeds:
            game = Watched(client, num_players, first_game=seed % 4 == 3, seed=seed)
            game.play(looks, dealt_anew)
            assert game.named > 20
            hints += game.hints
            client.tables._open.clear()
    assert hints > 2 * len(seeds)


def test_the_search_finds_a_leak(tmp_path, monkeypatch):
    """A server that forgot to hide would be found out."""
    monkeypatch.setattr("bloodrage_env.serve.views.known_to", lambda game, _seat: engine.clone(game.states, 0))
    monkeypatch.setattr(
        "bloodrage_env.games.bloodrage.table_page.seen.scene", lambda states, index, seat: all_hands(states, index)
    )
    with Client(tmp_path) as client, pytest.raises(AssertionError):
        Watched(client, 2, first_game=False, seed=1).play(1.0, 0.5)


def test_the_search_finds_a_leak_to_who_watches(tmp_path, monkeypatch):
    """As if those who watch people were told what those are told who watch agents."""
    monkeypatch.setattr("bloodrage_env.core.shown.table_page._eyes", lambda seat: None if seat < 0 else seat)
    with Client(tmp_path) as client, pytest.raises(AssertionError):
        Watched(client, 2, first_game=True, seed=1).play(1.0, 0.0)


def test_the_search_finds_a_leak_of_a_hint(tmp_path, monkeypatch):
    """As if the hint came from the true game, and its lines were played in that."""
    monkeypatch.setattr(View, "of", lambda states, index, seat, game: View(engine.clone(states, index), seat, game))
    monkeypatch.setattr(View, "redeal", lambda self, _seed: engine.clone(self.record, 0))
    with Client(tmp_path) as client, pytest.raises(AssertionError):
        Watched(client, 2, first_game=False, seed=1).play(1.0, 0.5)


def all_hands(states, index):
    from bloodrage_env.games.bloodrage.render.scene import scene

    return scene(states, index, all_hands=True)


SPY = """
class Spy:
    def act(self, observation, action_mask, rng):
        with open({log!r}, "a") as file:
            file.write(f"{{rng.bit_generator.seed_seq.entropy}}\\n")
        return int(action_mask.argmax())
"""


def test_the_generator_of_an_agent_says_nothing_about_the_deal(tmp_path, monkeypatch):
    """From the seed an agent could deal the same cards. Two games of one seed have different generators, too."""
    plug_in, log = tmp_path / "spy.py", tmp_path / "log"
    plug_in.write_text(SPY.format(log=str(log)))
    spec = f"{plug_in}:Spy"
    entropies = []
    for number in range(2):
        with Client(tmp_path / str(number), [(spec, "a spy")]) as client:
            if number:
                client.agents_chance.random()
            (token, _) = client.new_game(None, spec)
            while not log.exists():
                question = client.asked(token)["question"]
                client.answer(token, question["number"], question["choices"][0]["action"])
                client.asked(token)
            seed = client.game(token).replay().seed
        found = [int(text) for text in re.findall(r"\d+", log.read_text())]
        log.unlink()
        assert not any(seed <= value <= seed + 1000 for value in found)
        entropies.append(max(found))
    assert entropies[0] != entropies[1]
