"""A vote about a person whose page is open: the person is asked, all see it, and what the agent did is undone."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.play_page import choose, until
from tests.serve_process import ServerProcess
from tests.test_serve_join_browser import begin, take

pytestmark = pytest.mark.browser


@pytest.fixture
def server(request, tmp_path):
    """A server that gives people the seconds of the parameter to answer."""
    server = ServerProcess(tmp_path, call_seconds=request.param)
    yield server
    server.kill()


@pytest.fixture
def others(browser):
    """Two more browsers: of a person, and of a spectator on a phone."""
    contexts = [browser.new_context(), browser.new_context(viewport={"width": 390, "height": 844})]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def sit(page, server, others):
    """Ann and Ben at a table, and a spectator."""
    link = begin(page, server, visitors=2)
    guest, spectator = others
    guest.goto(link)
    for each, seat, name in ((page, 0, "Ann"), (guest, 1, "Ben")):
        each.wait_for_selector(f'[data-seat="{seat}"]')
        take(each, seat, name)
        each.click("#play")
        each.wait_for_selector("body[data-asks] .draft .tile")
    spectator.add_init_script("const now = Date.now; Date.now = () => now() + 3_600_000;")  # a clock that is wrong
    spectator.goto(link)
    spectator.click("#watch")
    spectator.wait_for_url("**/play#*")
    return others


def vote(page):
    page.click("#show-people")
    page.click("#dialog .vote")


@pytest.mark.parametrize("server", [600], indirect=True)
def test_who_is_there_is_asked_and_answers(server, page, others):
    guest, spectator = sit(page, server, others)
    guest.click("#show-people")  # a dialog covers the page
    asks = guest.get_attribute("body", "data-asks")
    vote(page)
    guest.wait_for_selector("#asked .here")
    assert guest.inner_text("#asked").startswith("Ben (Bear), are you here? The others want an agent to play for you.")
    assert guest.title() == "\u25cf Bear: are you here?"
    for each in (page, spectator):
        each.wait_for_selector("#asked p")
        assert each.inner_text("#asked").startswith("Ben (Bear) is asked: are you here?")
        assert each.locator("#asked button").count() == 0
    seconds = int(spectator.inner_text("#asked .left").removesuffix(" s"))
    assert 300 < seconds <= 600
    until(spectator, "before => parseInt(document.querySelector('#asked .left').textContent) < before", seconds)
    guest.click("#asked .here")
    for each in (guest, page, spectator):
        each.wait_for_selector("#asked p", state="detached")
    assert guest.locator("#come-back").count() == 0
    assert guest.get_attribute("body", "data-asks") == asks
    page.click("#dialog .vote")  # at once again
    until(page, "document.querySelector('#notice').textContent.includes('Bear has just said to be here')")
    page.troubles.clear()  # the browser notes the refusal


@pytest.mark.slow
@pytest.mark.parametrize("server", [1], indirect=True)
def test_who_does_not_answer_is_replaced_and_comes_back(server, page, others):
    guest, _ = sit(page, server, others)
    vote(page)
    page.wait_for_selector("#dialog .vote", state="detached")
    until(page, "document.querySelectorAll('#dialog .who')[1].textContent === 'random for Ben'")
    page.keyboard.press("Escape")
    choose(page, page.locator("#choices .choice").first)
    page.wait_for_selector("body[data-asks] .draft .tile")  # the next round: the agent has chosen for Ben
    guest.wait_for_selector("#come-back")
    assert guest.locator("#come-back-undo").count() == 0  # a secret choice
    guest.click("#come-back")
    guest.wait_for_selector("#come-back", state="detached")
    choose(page, page.locator("#choices .choice").first)  # the agent may have chosen in this round too
    guest.wait_for_selector("body[data-asks] .draft .tile")
