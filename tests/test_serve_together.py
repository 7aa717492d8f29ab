"""Where all choose at once, all people are asked together: the server keeps answers until the game asks for them."""

import json
import random
import urllib.request

import numpy as np
import pytest

pytest.importorskip("starlette")

from serve_client import acting

from bloodrage_env.encoding import as_bytes
from bloodrage_env.games.berserk.options import Options as BerserkOptions
from bloodrage_env.games.bloodrage.engine import PASS, Decision
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.serve.games import Game, Refused, Seat
from bloodrage_env.serve.views import view
from bloodrage_env.terminal.text import random_action
from tests.play_page import choose, until

# The options of a game, and how many people begin it; the other seats have agents.
TABLES = [
    (Options(4, skip_forced=False), 4),
    (Options(3, skip_forced=False, sets=("gods", "mystics")), 2),
    (Options(2, skip_forced=False), 2),
    (BerserkOptions(skip_forced=False, placing="at_once"), 2),
]
ids = ["four", "two-and-an-agent", "two", "berserk"]


def begun(options, people, seed):
    seats = [Seat(person="", digest=str(seat)) for seat in range(people)]
    seats += [Seat(agent="random")] * (options.num_players - people)
    return Game(seats, seed, options)


def shown(game, seat, final=False):
    """All that a seat is sent. Once its answers are `final`, all but that it can take them back."""
    data = view(game, seat)
    return as_bytes({**data, "turn": None, "given": None} if final else data)


def choice(game, seat, rng):
    return int(rng.choice(np.flatnonzero(game.asked(seat)[0].mask).tolist()))


def end_turn(game):
    if game.held is not None:
        game.end_turn(game.held, game.number_for(game.held))


@pytest.mark.slow
@pytest.mark.parametrize(("options", "people"), TABLES, ids=ids)
def test_all_are_asked_at_once_and_see_what_they_will_see_when_it_is_their_turn(options, people):
    """Whoever answers first: what a seat is sent doesn't change by an answer of another one."""
    rng, ahead = random.Random(7), 0
    for seed in range(2):
        game = begun(options, people, seed)
        for _ in range(250):
            end_turn(game)
            if game.over:
                break
            asked = [seat for seat in game.people if game.asked(seat) is not None]
            if not asked:
                game.play(random_action(game.states, rng))
                continue
            if game.shown.at_once(game.states) is None:
                assert asked == [game.seat_to_act]
            seat = rng.choice(asked)
            ahead += seat != game.seat_to_act
            others = [other for other in game.people if other != seat]
            stage = game.shown.at_once(game.states)
            before = [{other: shown(game, other, final) for other in others} for final in (False, True)]
            game.answer(seat, game.number_for(seat), choice(game, seat, rng))
            if stage is not None and game.shown.at_once(game.states) == stage:
                final = all(game.asked(person) is None for person in game.people)
                assert {other: shown(game, other, final) for other in others} == before[final]
    assert ahead > 0


@pytest.mark.parametrize(("options", "people"), TABLES, ids=ids)
def test_answers_given_ahead_make_the_same_game(options, people):
    """As if each had been asked in turn: the same answers lead to the same state."""
    rng = random.Random(1)
    game = begun(options, people, 5)
    for _ in range(150):
        end_turn(game)
        if game.over:
            break
        asked = [seat for seat in game.people if game.asked(seat) is not None]
        if asked:
            seat = rng.choice(asked)
            game.answer(seat, game.number_for(seat), choice(game, seat, rng))
        else:
            game.play(random_action(game.states, rng))
    assert game.replay().verify().tobytes() == game.states.tobytes()


def test_a_choice_can_be_changed_until_all_have_chosen():
    """Nothing of it is seen by others, and the game is that of the last choice. The last one to choose ends it."""
    game = begun(Options(3, skip_forced=False), 3, 3)
    rng = random.Random(1)
    before = game.states.tobytes(), [shown(game, seat) for seat in (1, 2)]
    for action in np.flatnonzero(game.asked(0)[0].mask).tolist()[:3]:
        if view(game, 0)["waits"]:
            turn = view(game, 0)["turn"]
            game.undo(0, turn["number"], turn["undo"][-1])
            assert view(game, 0)["question"]["number"] == turn["undo"][-1]
        game.answer(0, game.number_for(0), action)
        assert [choice["action"] for choice in view(game, 0)["given"]] == [action]
        assert len([line for entry in game.log(0) for line in entry["lines"] if line[0] == "secret"]) == 1
        assert (game.states.tobytes(), [shown(game, seat) for seat in (1, 2)]) == before
    for seat in (2, 1):
        with pytest.raises(Refused, match="nothing to take back"):
            game.undo(seat, game.number_for(seat), 0)
        game.answer(seat, game.number_for(seat), choice(game, seat, rng))
    assert game.replay().actions[0] == action
    assert view(game, 0)["given"] == []
    with pytest.raises(Refused, match="nothing to take back"):
        game.undo(0, game.number_for(0), 0)


def test_who_waits_sees_its_pick_and_its_pack_whoever_is_asked_last():
    for last in range(3):
        game = begun(Options(3, skip_forced=False), 3, 3)
        pack = view(game, last)["scene"]["clans"][last]["private"]["pack"]
        game.answer(last, game.number_for(last), choice(game, last, random.Random(1)))
        seen = view(game, last)
        assert seen["scene"]["clans"][last]["private"]["pack"] == pack
        assert seen["given"][0]["card"] in pack
        assert seen["waits"]
        assert not any(view(game, other)["given"] for other in range(3) if other != last)


def test_an_agent_that_takes_over_gives_the_answer_that_was_kept():
    game = begun(Options(3, skip_forced=False), 3, 3)
    action = choice(game, 0, random.Random(1))
    game.answer(0, game.number_for(0), action)
    game.hand_over(0, "random", "an agent plays")
    assert game.replay().actions == (action,)
    assert view(game, 0)["given"] == []


def test_answers_to_an_earlier_question_are_not_given_to_a_loaded_game():
    """The moves of a game are saved before the answers ahead: a server may be killed between them."""
    game = begun(Options(3, skip_forced=False), 3, 3)
    for seat in (1, 2, 0):
        ahead = game.together.ahead
        game.answer(seat, game.number_for(seat), choice(game, seat, random.Random(1)))
    later = Game.from_replay(game.seats, game.replay())
    later.together.load(*ahead)
    assert [later.together.kept(seat) for seat in range(3)] == [0, 0, 0]
    assert all(later.asked(seat) is not None for seat in range(3))


def test_an_answer_ahead_is_checked_as_any_other():
    game = begun(Options(4, skip_forced=False), 4, 3)
    number, action = game.number_for(2), choice(game, 2, random.Random(1))
    for bad in (PASS, -1, 10**6):
        with pytest.raises(Refused, match="not an answer"):
            game.answer(2, number, bad)
    with pytest.raises(Refused, match="answered already"):
        game.answer(2, number + 1, action)
    game.answer(2, number, action)
    with pytest.raises(Refused, match="not asked"):
        game.answer(2, game.number_for(2), action)
    assert view(game, 2)["waits"]
    assert view(game, 2)["question"] is None
    assert not any(view(game, seat)["waits"] for seat in (0, 1, 3))
    assert [game.asked(seat) is not None for seat in range(4)] == [True, True, False, True]


def test_who_has_one_answer_is_not_asked_while_an_agent_is():
    """The answer is given ahead: by the time a click on it came, the agent would have answered and ended the stage."""
    ahead = 0
    for seed in (0, 2, 6):
        game, rng = begun(Options(2, skip_forced=False), 1, seed), random.Random(seed)
        while not game.over:
            end_turn(game)
            if game.asked(0) is not None:
                assert game.asked(0)[0].num_legal > 1
                game.answer(0, game.number_for(0), choice(game, 0, rng))
            elif not game.over:
                ahead += game.together.kept(0)
                game.play(random_action(game.states, rng))
    assert ahead > 0


def test_a_battle_asks_the_people_in_it_together():
    options = Options(3, skip_forced=False, first_game=True)
    for seed in range(40):
        game, rng = begun(options, 3, seed), random.Random(seed)
        for _ in range(120):
            end_turn(game)
            s = game.states[0]
            if s.decision == Decision.BATTLE_CARD:
                fighting = [seat for seat in range(3) if s.in_battle[seat] and s.hand_size[seat] > 0]
                assert [seat for seat in range(3) if game.asked(seat) is not None] == fighting
                if len(fighting) > 1:
                    return
            seat = acting(game)
            game.answer(seat, game.number_for(seat), choice(game, seat, rng))
    raise AssertionError("no battle of two clans with cards")


# ---- two browsers


@pytest.mark.slow
@pytest.mark.browser
def test_two_browsers_draft_a_pack_side_by_side(server, browser):
    """Each is asked at once, sees its own pack, and learns nothing of the other but when the round is over."""
    seats = [{"person": "Ann"}, {"person": "Ben"}]
    body = json.dumps({"seats": seats, "options": {"first_game": False}}).encode()
    request = urllib.request.Request(f"{server.address}/api/games", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        tokens = json.load(answer)["tokens"]
    pages = [browser.new_page() for _ in tokens]
    for page, token in zip(pages, tokens, strict=True):
        page.goto(f"{server.address}/play#{token}")
        page.wait_for_selector("body[data-asks] .draft .tile")
    packs = [page.locator(".draft .tile").all_inner_texts() for page in pages]
    assert packs[0] != packs[1]
    first, second = pages
    second.wait_for_timeout(500)
    for left in (1, 0):  # two cards are kept at a time by two players
        choose(second, second.locator("#choices .choice").first)
        if left:
            second.wait_for_selector("body[data-asks]")
    until(second, "document.querySelector('#question-text').textContent === 'You have chosen; the others choose'")
    assert first.locator(".draft .tile").all_inner_texts() == packs[0]
    for _ in range(2):
        first.wait_for_selector("body[data-asks]")
        choose(first, first.locator("#choices .choice").first)
    for page in pages:
        page.wait_for_selector("body[data-asks] .draft .tile")
        assert len(page.locator(".draft .tile").all_inner_texts()) == len(packs[0]) - 2
        page.close()
