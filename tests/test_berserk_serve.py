"""The server of tables with Berserk: what a seat is sent, byte by byte, and what there is not."""

import random

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from berserk_position import FIRST, SECOND, Position
from serve_client import Client, acting, play

from bloodrage_env.cli import main
from bloodrage_env.commands.serve import default_folder, on_offer
from bloodrage_env.core.shown.table_page import WATCHER
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import NONE, SQUAD, TITLE, Decision, Phase
from bloodrage_env.games.berserk.notation import decision_text, public_decision_text
from bloodrage_env.games.berserk.notation.facts import crystals_left
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.games.berserk.table_page import PAGE
from bloodrage_env.serve.storage import Storage

GAME = "berserk"
GAMES = [GAME]  # of `client`
NAMES = sorted(enumerate(TITLE), key=lambda each: -len(each[1]))


def cards_in(text):
    """The cards that a text names; one has the name of the game."""
    found = set()
    text = text.replace("A game of Berserk", "")
    for card, title in NAMES:
        if title in text:
            found.add(card)
            text = text.replace(title, "")
    return found


def seen_by(states, seat):
    """The cards whose faces a seat may see: its own, and what `hide` leaves of the other's."""
    known = engine.hide(states, 0, seat)[0]
    return {int(card) for card in known.card if card != NONE} | set(np.flatnonzero(known.deal[seat]).tolist())


class Watched:
    """A game of two people with random answers; all that is sent to them is looked at."""

    def __init__(self, client, seed, **options):
        self.client = client
        self.tokens = client.new_game(None, None, **options)
        self.game = client.game(self.tokens[0])
        self.rng = random.Random(seed)
        self.may_know = [seen_by(self.game.states, seat) for seat in range(2)]
        self.hidden = 0  # answers that the other may not see anything of

    def sent(self, seat):
        return self.client.call("GET", "/api/seat", token=self.tokens[seat])

    def play(self, looks):
        begun = None
        while not self.game.over:
            if self.game.held is not None:
                held = self.game.held
                assert self.client.end(self.tokens[held], self.game.number_for(held)).status == 200
                continue
            seat = acting(self.game)
            question = self.sent(seat).json["question"]
            other = self.sent(1 - seat)
            before = self.game.states[0].copy()
            keen = [each for each in question["choices"] if each["name"] != "DONE"] or question["choices"]
            choice = self.rng.choice(keen if self.rng.random() < 0.95 else question["choices"])
            together, asked = self.game.shown.at_once(self.game.states), self.game.asked(1 - seat) is not None
            assert self.client.answer(self.tokens[seat], question["number"], choice["action"]).status == 200
            after = self.game.states[0]
            secret = before.decision in (Decision.BUY, Decision.PLACE, Decision.HIDE)
            goes_on = secret and before.decision == after.decision and before.seat == after.seat
            # That it has begun may be seen where one answers after the other, and no more.
            if goes_on and ((together is not None and asked) or begun == (seat, before.decision)):
                assert self.sent(1 - seat) == other
                self.hidden += 1
            begun = (seat, before.decision)
            for viewer in range(2):
                self.may_know[viewer] |= seen_by(self.game.states, viewer)
                if self.rng.random() < looks or self.game.over:
                    self.look(viewer)

    def look(self, seat):
        """What is sent names no card that the seat may not know, and is the same after a redeal."""
        true = self.sent(seat)
        view = true.json
        output = [text for entry in view["log"] for _, text in entry["lines"]]
        asked = [view["question"]["text"]] if view["question"] else []
        for text in [*output, *asked, (view["scene"]["question"] or {"text": ""})["text"]]:
            assert cards_in(text) <= self.may_know[seat], text
        for card in view["scene"]["cards"]:
            hidden = self.game.states[0].face_down[card["slot"]] and card["slot"] // SQUAD != seat
            assert (card["card"] is None) == bool(hidden)
        recorder, states = self.game._recorder, self.game.states
        recorder.states = engine.redeal(states, 0, seat, self.rng.getrandbits(62))
        self.game.version += 1  # so that the view is made anew
        try:
            assert self.sent(seat)[1:] == true[1:]
        finally:
            recorder.states = states
            self.game.version += 1


def test_what_a_squad_costs_comes_from_the_server(client):
    """rules 2.2, 2.4: for sets of the deal what the engine says when their cards are bought one by one."""
    token, _ = client.new_game(None, "random")
    client.answer(token, client.asked(token)["question"]["number"], engine.YES)  # keep the deal
    view = client.asked(token)
    states, found = client.game(token).states, []
    deal = np.repeat(np.arange(engine.CARD_CAPACITY), states[0].deal[0])
    rng = np.random.default_rng(1)
    for count in [*range(13)] * 4:
        actions = (engine.CARD + rng.choice(deal, count, replace=False)).tolist()
        after, good = engine.clone(states, 0), True
        for each in sorted(actions):
            good = good and after[0].mask[each] == 1
            if good:
                engine.apply(after, 0, each)
        body = {"number": view["question"]["number"], "actions": actions}
        tried = client.call("POST", "/api/seat/tried", body, token).json
        gold, both = crystals_left(after, 0, 0)
        assert tried["left"] == ([gold, both - gold] if good else None)
        if good:
            higher = [card for card in tried["more"] if card >= max(actions, default=0) - engine.CARD]
            assert higher == [card for card in range(len(TITLE)) if after[0].mask[engine.CARD + card]]
        found.append((good, bool(tried["more"])))
    assert {(True, True), (False, False)} <= set(found)
    assert client.asked(token) == view, "nothing was bought"
    assert "element" not in (PAGE.static / "recruit.js").read_text()
    for wrong in ({"number": 0, "actions": []}, {"number": body["number"], "actions": ["x"]}):
        assert client.call("POST", "/api/seat/tried", wrong, token).status in (409, 422)
    assert client.call("POST", "/api/seat/tried", {**body, "actions": [2**70]}, token).json["left"] is None


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"combat": "difference"}, {"setup": "fixed"}])
def test_a_seat_is_sent_nothing_that_is_hidden_from_it(client, options):
    """rules 9.4: squads, cells, face-down cards and coming rolls; of a purchase not even how long it takes."""
    hidden = 0
    for seed in range(2):
        game = Watched(client, seed, **options)
        game.play(looks=0.2)
        hidden += game.hidden
    assert hidden > 5 or options.get("setup") == "fixed"


def test_the_search_finds_a_leak(client, monkeypatch):
    """A server that forgot to hide would be found out."""
    monkeypatch.setattr("bloodrage_env.serve.views.known_to", lambda game, _seat: engine.clone(game.states, 0))
    with pytest.raises(AssertionError):
        Watched(client, 1).play(1.0)


@pytest.mark.parametrize("bought", [1, 3])
def test_the_number_of_a_question_does_not_tell_how_much_was_bought(client, bought):
    """rules 9.4: who buys second is asked the same whatever the other has bought."""
    tokens = client.new_game(None, None)
    game, left = client.game(tokens[0]), bought
    buyer = None
    while game.states[0].decision != Decision.BUY or buyer in (None, acting(game)):
        if game.held is not None:
            game.end_turn(game.held, game.number_for(game.held))
            continue
        seat, action = acting(game), engine.YES
        if game.states[0].decision == Decision.BUY:
            buyer, left = seat, left - 1
            cards = np.flatnonzero(game.asked(seat)[0].mask[engine.CARD :])
            action = engine.DONE if left < 0 else int(cards[0]) + engine.CARD
        assert client.answer(tokens[seat], game.number_for(seat), action).status == 200
    assert client.view(tokens[1 - buyer])["question"]["number"] == 3  # who is First, and two deals that are kept


def at_purchase(client):
    """A game of two people, the tokens of who buys first and of the other."""
    tokens = client.new_game(None, None)
    game = client.game(tokens[0])
    while game.states[0].decision != Decision.BUY:
        if game.held is not None:
            game.end_turn(game.held, game.number_for(game.held))
        else:
            client.answer(tokens[acting(game)], game.number_for(acting(game)), engine.YES)
    return game, tokens[game.seat_to_act], tokens[1 - game.seat_to_act]


def test_a_squad_is_bought_at_once(client):
    """rules 2.4: the answers to all its questions in one request; the other sees no more than that it is done."""
    game, own, other = at_purchase(client)
    number = game.number_for(acting(game))
    cards = np.flatnonzero(game.states[0].mask[engine.CARD :][: engine.NUM_CARDS])[:2].tolist()
    answer = client.answers(own, number, [engine.CARD + card for card in cards] + [engine.DONE])
    assert answer.status == 200
    assert answer.json["turn"]["undo"] == [number, number + 1, number + 2]  # as long as the other buys
    assert [choice["action"] for choice in answer.json["given"]] == [
        *(engine.CARD + card for card in cards),
        engine.DONE,
    ]
    assert client.view(other)["question"]["number"] == number  # the open answers before it, which are all it counts


@pytest.mark.parametrize(
    ("actions", "status"),
    [
        ([engine.CARD, engine.MOVE, engine.DONE], 422),  # the last two are not answers
        ([engine.DONE], 422),  # nothing bought
        ([], 422),
        (["x"], 422),
        ([True], 422),
        ([engine.CARD, engine.DONE, engine.DONE], 409),  # the second one would be the other's
    ],
    ids=str,
)
def test_of_answers_in_a_row_all_are_carried_out_or_none(client, actions, status):
    game, own, _ = at_purchase(client)
    first = int(np.flatnonzero(game.states[0].mask)[0])
    actions = [first if action == engine.CARD else action for action in actions]
    before = game.version, game.states.tobytes()
    assert client.answers(own, game.number_for(game.seat_to_act), actions).status == status
    assert (game.version, game.states.tobytes()) == before


def test_what_is_hidden_is_not_found_out_by_answers_in_a_row(client):
    """Which answers there are after a roll, or after a deal, would tell of it: nothing follows in the same request."""
    tokens = client.new_game(None, None)
    game = client.game(tokens[0])
    seat = game.seat_to_act
    before = game.states.tobytes()
    answers = {client.answers(tokens[seat], 0, [engine.YES, action]).body for action in range(engine.NUM_ACTIONS)}
    assert len(answers) == 1
    assert game.states.tobytes() == before


def test_what_is_asked_reads_the_same_from_what_a_seat_knows(client):
    """The question is put into words from the hidden state, where cards of the other are blank."""
    asked = 0
    for seed in range(4):
        game = Watched(client, seed, setup="fixed" if seed % 2 else "full").game
        rng = random.Random(seed)
        while not game.over:
            seat, states = game.seat_to_act, game.states
            known = [engine.hide(states, 0, viewer) for viewer in range(2)]
            assert decision_text(known[seat], 0) == decision_text(states, 0)
            assert {public_decision_text(each, 0) for each in known} == {public_decision_text(states, 0)}
            game.play(rng.choice(np.flatnonzero(states[0].mask).tolist()))
            asked += 1
    assert asked > 200


def test_steps_are_taken_back_by_the_numbers_of_the_seat(client):
    """The other's purchase has taken answers that this seat has not counted."""
    tokens = client.new_game(None, None)
    game = client.game(tokens[0])
    rng = random.Random(5)
    while True:
        if game.held is not None:
            game.end_turn(game.held, game.number_for(game.held))
        seat = acting(game)
        choices = client.view(tokens[seat])["question"]["choices"]
        step = next((each for each in choices if each["name"].startswith("MOVE")), None)
        if game.states[0].phase == Phase.BATTLE and step:
            break
        assert client.answer(tokens[seat], game.number_for(seat), rng.choice(choices)["action"]).status == 200
    number, state = game.number_for(seat), game.states.tobytes()
    assert number < game.number
    view = client.answer(tokens[seat], number, step["action"]).json
    assert view["turn"]["undo"][-1] == number
    assert client.undo(tokens[seat], view["turn"]["number"], number).status == 200
    assert game.states.tobytes() == state
    assert game.number_for(seat) == number


def test_a_game_against_an_agent_is_kept_and_its_replay_given_out(client, tmp_path):
    (token, _) = client.new_game(None, "random", decks=["mountain", "steppe"])
    assert client.call("GET", "/api/seat/replay", token=token).status == 409
    play(client, [token], random.Random(2))
    view = client.view(token)
    assert view["scene"]["over"]
    assert view["scene"]["outcome"]
    answer = client.call("GET", "/api/seat/replay", token=token)
    assert answer.headers["content-disposition"].endswith('.bsk"')
    replay = Replay.from_bytes(answer.body)
    assert replay.verify()[0].over
    assert replay.options.decks == ("mountain", "steppe")
    (game_id,) = Storage(client.folder, GAME).ids()
    assert Storage(client.folder, GAME).load(game_id).over


def test_who_watches_agents_sees_all_cards(client):
    answer = client.call("POST", "/api/games", {"seats": [{"agent": "random"}] * 2, "options": {"setup": "fixed"}})
    view = client.view(answer.json["watch"])
    assert view["seat"] == WATCHER
    assert view["question"] is None
    assert all(card["card"] is not None for card in view["scene"]["cards"])


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        (3, {}, "num_players"),
        (2, {"first_game": True}, "first_game"),
        (2, {"decks": ["steppe", "sea"]}, "decks must be of"),
    ],
)
def test_what_is_no_game_of_berserk_is_refused(client, seats, options, said):
    answer = client.call("POST", "/api/games", {"seats": [{"person": ""}] * seats, "options": options})
    assert answer.status == 422
    assert said in answer.json["error"]


def test_pages_and_agents_are_those_of_the_game(client):
    answer = client.call("HEAD", "/game/play.js")
    assert answer.headers["content-length"] == str((client.tables.page.static / "play.js").stat().st_size)
    for path in ("/", "/play", "/review"):
        assert client.call("HEAD", path).status == 200
    assert "Berserk" in client.call("GET", "/play").body.decode()
    levels = dict(on_offer(None, GAME))
    assert list(levels)[:3] == ["random", "hold", "network"]
    assert "balanced" not in levels
    assert default_folder(GAME) != default_folder("bloodrage")


def test_a_folder_with_games_of_another_kind_is_refused(tmp_path, capsys):
    """A server that took them for its own would remove them to make room."""
    with Client(tmp_path) as client:
        client.new_game(None, "random")
    assert main(["serve", "--game", GAME, "--agents", "random", "--games", str(tmp_path), "--port", "0"]) == 1
    said = capsys.readouterr().err
    assert said == f"bloodrage serve: {tmp_path} has games of another kind (.brz): name another folder with --games\n"


@pytest.mark.parametrize(
    ("option", "name", "text", "said"),
    [
        ("decks", "a.csv", "Orcc,2", "a.csv, line 1: there is no card 'Orcc'; did you mean Orc?"),
        ("decks", "a.csv", "Orc,2", "a.csv: a deck has 30 to 50 cards, not 2"),
        ("squads", "a.csv", "Orc,99", "a.csv: a cell of the own half is 0 to 14, not 99"),
        ("combat", "a.csv", "Orc,2", "no such option is read from a file"),
        ("decks", "", "Orc,2", "the name of a file has 1 to 100 characters, all of them visible"),
        ("decks", "a.csv", "\ud800", "a.csv, line 1: must be a card and its copies, such as Orc,2"),
    ],
)
def test_a_file_that_is_no_list_is_refused_with_what_is_wrong(client, option, name, text, said):
    answer = client.call("POST", "/api/lists", {"option": option, "name": name, "text": text})
    assert (answer.status, answer.json) == (422, {"error": said})


def test_an_own_deck_is_kept_with_the_game(client, tmp_path):
    """rules 9.7: by the name of the file it is read, by its cards it is kept; both see both decks."""
    text = "".join(f"{title},3\n" for title in TITLE[1:12])
    deck = client.call("POST", "/api/lists", {"option": "decks", "name": "a.csv", "text": text}).json["value"]
    tokens = client.new_game(None, None, decks=[deck, "steppe"])
    (game_id,) = Storage(client.folder, GAME).ids()
    kept = Storage(client.folder, GAME).load(game_id).options.decks
    assert [list(pair) for pair in kept[0]] == deck
    assert kept[1] == "steppe"
    for token in tokens:
        shown = client.view(token)["scene"]["decks"]
        assert [each["name"] for each in shown] == [None, "steppe"]
        assert shown[0]["cards"] == [[card, 3] for card in range(1, 12)]


def choice(p, action):
    """What the page is sent of an answer."""
    known = engine.hide(p.states, 0, int(p.s.seat))
    return next(
        each
        for each in PAGE.seen(known, int(p.s.seat), True, Options())["question"]["choices"]
        if each["action"] == action
    )


@pytest.mark.parametrize(
    ("behind", "cell", "said"), [(None, 22, "to c5, or 2 wounds"), ("Nomad", None, "no cell is free there: 2 wounds")]
)
def test_where_a_push_leads_is_shown(behind, cell, said):
    """rules 7.28: before it is chosen"""
    p = Position()
    a = p.put(FIRST, "Hammerer", 12)
    p.put(SECOND, "Mountain Giant", 17, closed=1)
    if behind:
        p.put(SECOND, behind, 22)
    p.strike(a, 17, 1)
    assert p.asked[1] == Decision.PUSH
    yes = choice(p, engine.YES)
    assert (yes["cell"], yes["facts"]) == (cell, said)


@pytest.mark.parametrize(("near", "said"), [([], "range 4"), ([2], "range 4 (now 5)"), ([2, 7], "range 4 (now 6)")])
def test_the_range_is_shown_as_it_is_now(near, said):
    """rules 7.15, 8.9"""
    p = Position()
    a = p.put(FIRST, "Gnome Archer", 12)
    p.put(SECOND, "Nomad", 27)
    for cell in near:
        p.put(FIRST, "Paladin of Allamor", cell)
    p.put(SECOND, "Nomad", 25)
    p.go()
    assert choice(p, p.act_id(a, 1))["target"].endswith(said)
