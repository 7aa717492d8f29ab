"""A model whose endpoint fails, on the page of a table: it is asked again, or another agent plays."""

import pytest
from chat_server import in_turn, serving

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from tests.serve_process import ServerProcess

pytestmark = pytest.mark.browser


@pytest.fixture
def model(tmp_path):
    """An endpoint that fails, the spec of its model, and a server that offers it."""
    with serving(in_turn(500)) as endpoint:
        agent = f"llm:model=m,url={endpoint.url},retries=0"
        server = ServerProcess(tmp_path, agents=f"random,{agent}")
        yield endpoint, agent, server
        server.kill()


def test_who_plays_says_what_happens_where_a_model_cannot_be_asked(model, page):
    endpoint, agent, server = model
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", "2")
    page.select_option("#seat-1", f"agent {agent}")
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")
    while not page.locator("#missing p").count():
        page.wait_for_selector("body[data-asks] .draft .tile, #missing p")
        if not page.locator("#missing p").count():
            page.locator(".draft .tile").first.click()
            page.wait_for_selector("body:not([data-asks]), #missing p")
    said = page.inner_text("#missing")
    assert said.startswith(f"Bear can't move: the endpoint {endpoint.url} can't be used: it answered with status 500.")
    asked = len(endpoint.requests)
    page.click("#missing button >> nth=0")
    page.wait_for_selector("body:not(.sending)")
    page.wait_for_selector("#missing p")
    # The first click counts.
    page.evaluate("for (const button of document.querySelectorAll('#missing button')) button.click()")
    page.wait_for_selector("body:not(.sending)")
    page.wait_for_selector("#missing p")
    page.dblclick("#missing button >> nth=1")
    page.wait_for_selector("#missing p", state="detached")
    assert len(endpoint.requests) > asked
    page.wait_for_selector("body[data-asks], body[data-ends]")


def test_people_who_share_a_screen_choose_for_an_agent_before_the_next_one_looks(model, page):
    """The choice is no part of a hand: it is shown, and counts, while the screen is passed on."""
    endpoint, agent, server = model
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", "3")
    page.select_option("#seat-1", "person")
    page.select_option("#seat-2", f"agent {agent}")
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")
    page.wait_for_selector("#curtain:not([hidden])")
    page.wait_for_selector("#missing p")
    passed = page.inner_text("#curtain")
    asked = len(endpoint.requests)
    page.click("#missing button >> nth=0")
    page.wait_for_selector("body:not(.sending)")
    page.wait_for_selector("#missing p")
    assert len(endpoint.requests) > asked
    page.click("#missing button >> nth=1")
    page.wait_for_selector("#missing p", state="detached")
    assert page.inner_text("#curtain") == passed
    assert passed.startswith("Pass to ")
    page.click("#curtain button")
    page.wait_for_selector("body[data-asks], body[data-ends]")
