"""A table of agents, watched in a browser: hands beside the clans, chances, the marks of one turn, the last battle."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.play_page import (
    browser,  # noqa: F401  # fixtures
    page,  # noqa: F401
    server,  # noqa: F401
    until,
)

pytestmark = pytest.mark.browser
FAST = """localStorage.setItem("bloodrage-settings", JSON.stringify({ watch: "0.25" }))"""


def test_a_table_of_agents_is_watched(page, server):
    page.add_init_script(FAST)
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", "3")
    page.select_option("#seat-0", "agent random")
    page.click("button[type=submit]")
    page.wait_for_selector("#clans .face-up .chip")
    until(page, "document.querySelectorAll('#clans .chance').length === 3")
    assert page.locator("#clans .chip.known").count() == 0
    page.wait_for_selector("#last-battle")
    page.click("#pause")
    marks = page.locator("#board .trail > g").count()
    assert marks <= 12  # of one turn, where all of the game lay over each other
    page.click("#last-battle")
    page.wait_for_selector(".battle-scene")
    page.click("#continue")
    page.wait_for_selector(".battle-scene", state="detached")
