"""Two browsers at a table: who is there, a choice that is changed while the other one chooses, and another game."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.terminal.text import random_action
from tests.play_page import choose, hurried, until

pytestmark = pytest.mark.browser
SECRETS = ("a" * 20, "b" * 20)


def stored(server, seed, players, over):
    """The tokens of a table of Ann, Ben and agents, at the first draft or at the end."""
    seats = [Seat(person, digest_of(secret)) for person, secret in zip(("Ann", "Ben"), SECRETS, strict=True)]
    seats += [Seat(agent="random")] * (players - 2)
    game = Game(seats, seed, Options(players, skip_forced=False))
    rng = random.Random(seed)
    while over and not game.over:
        game.play(random_action(game.states, rng))
    storage = Storage(server.folder, "bloodrage")
    game_id = storage.new_id()
    storage.create(game_id, game)
    return [f"{game_id}.{secret}" for secret in SECRETS]


@pytest.fixture
def other(browser):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    hurried(page)
    yield page
    context.close()


def test_a_pick_is_changed_while_the_other_one_chooses(page, other, server):
    tokens = stored(server, 1, 3, over=False)
    page.goto(f"{server.address}/play#{tokens[0]}")
    page.wait_for_selector("#clans .mark.away")  # Ben has not come
    other.goto(f"{server.address}/play#{tokens[1]}")
    page.wait_for_selector("#clans .mark.away", state="detached")
    for each in (page, other):
        each.wait_for_selector("body[data-asks] .draft .tile")
    shown = other.evaluate("document.body.innerHTML")
    pack = page.locator(".draft .tile strong").all_inner_texts()
    for number in (0, 1):
        choose(page, page.locator("#choices .choice").nth(number))
        page.wait_for_selector(".draft .tile.mine")
        assert page.locator(".draft .tile strong").all_inner_texts() == pack
        assert page.locator(".draft .tile.mine strong").all_inner_texts() == [pack[number]]
        assert pack[number] in page.inner_text(".given")
        assert pack[number] in page.inner_text("#hand .chosen")
        if number == 0:
            page.click("#undo")
            page.wait_for_selector("body[data-asks]")
            assert page.locator(".draft .tile.mine").count() == 0
    assert other.evaluate("document.body.innerHTML") == shown
    choose(other, other.locator("#choices .choice").first)
    for each in (page, other):
        each.wait_for_selector("body[data-asks] .draft .tile")
        assert each.locator(".draft .tile").count() == len(pack) - 1
    assert page.locator(".given").count() == 0
    assert pack[1] in page.inner_text("#hand .in-hand")


def test_both_play_again_by_a_click_and_see_the_evening(page, other, server):
    tokens = stored(server, 2, 2, over=True)
    for each, token in ((page, tokens[0]), (other, tokens[1])):
        each.goto(f"{server.address}/play#{token}")
        each.wait_for_selector(".end .score")
        assert each.locator(".end .evening").count() == 0  # the only game so far
    page.click("#again")
    page.wait_for_selector("body[data-asks] .draft .tile")
    until(other, "document.querySelector('#again').textContent === 'Join the next game'")
    other.click("#again")
    other.wait_for_selector("body[data-asks] .draft .tile")
    assert [name.split("\n")[0] for name in page.locator("#clans .clan h3 .name + small").all_inner_texts()] == [
        "Ben",
        "you",
    ]
    page.click("#show-people")
    page.wait_for_selector("#dialog .evening")
    assert page.locator("#dialog .evening tbody tr:not(.links) th").all_inner_texts() == ["Ben", "Ann"]
    review = page.get_attribute("#dialog .evening a", "href")
    assert review == f"review#{tokens[0]}"
    with page.expect_download() as download:
        page.click("#dialog .evening .links button")
    assert download.value.suggested_filename == "bloodrage.brz"
