"""Two browsers join a table by its link, take seats and draft side by side; a third one watches: in Chromium."""

import urllib.request

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.play_page import choose, until

pytestmark = pytest.mark.browser


def begin(page, server, visitors):
    """A new table of visitors and agents by the form of the start page; the page is then that of the table."""
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", "3")
    for seat in range(3):
        page.select_option(f"#seat-{seat}", "visitor" if seat < visitors else "agent random")
    page.click("button[type=submit]")
    page.wait_for_url("**/join#*")
    page.wait_for_selector(".link input")
    return page.input_value(".link input")


def take(page, seat, name):
    page.fill("#name", name)
    page.click(f'[data-seat="{seat}"]')


@pytest.fixture
def others(browser):
    """Two more browsers, each with a memory of its own."""
    contexts = [browser.new_context() for _ in range(2)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


@pytest.mark.slow
def test_visitors_join_by_the_link_and_draft_side_by_side(server, page, others):
    link = begin(page, server, visitors=2)
    guest, spectator = others
    for other in others:
        other.goto(link)
        other.wait_for_selector('[data-seat="1"]')
    take(page, 0, "Ann")
    guest.wait_for_selector('[data-seat="0"]', state="detached")
    assert guest.locator("#seats .who").all_inner_texts() == ["Ann", "nobody yet", "random"]
    take(guest, 1, "")
    assert guest.inner_text("#problem") == "Fill in your name first."
    take(guest, 1, "Ben")
    guest.wait_for_selector("#play")
    assert guest.locator("#seats .who").all_inner_texts() == ["Ann", "Ben (you)", "random"]
    spectator.wait_for_selector('[data-seat="1"]', state="detached")
    assert spectator.inner_text("#stands") == "All seats are taken."
    for each, way in ((page, "#play"), (guest, "#play"), (spectator, "#watch")):
        each.click(way)
        each.wait_for_url("**/play#*")
    packs = []
    for each in (page, guest):
        each.wait_for_selector("body[data-asks] .draft .tile")
        packs.append(each.locator(".draft .tile").all_inner_texts())
    assert packs[0] != packs[1]
    until(spectator, "document.querySelector('#hand').textContent === 'You watch, and see public information.'")
    assert spectator.locator(".tile, .draft, #choices button").count() == 0
    choose(page, page.locator("#choices .choice").first)
    choose(guest, guest.locator("#choices .choice").first)
    for each, pack in zip((page, guest), packs, strict=True):
        each.wait_for_selector("body[data-asks] .draft .tile")
        assert len(each.locator(".draft .tile").all_inner_texts()) == len(pack) - 1


def test_a_claim_of_a_seat_that_was_taken_meanwhile_is_refused(server, page):
    link = begin(page, server, visitors=2)

    def claim(seat, name, request):
        content = f'{{"seat": {seat}, "name": "{name}"}}'.encode()
        urllib.request.urlopen(urllib.request.Request(request.url, content, request.headers)).close()

    claims = []

    def claim_first(route):
        claims.append(route.request)
        claim(0, "Ann", route.request)
        route.continue_()

    page.route("**/api/seat/claim", claim_first)
    take(page, 0, "Eve")
    said = "Wolf is taken: choose another seat."
    until(page, "said => document.querySelector('#problem').textContent === said", said)
    claim(1, "Ben", claims[0])
    until(page, "document.querySelector('#stands').textContent === 'All seats are taken.'")
    assert page.inner_text("#problem") == said  # news of the table does not clear the message
    assert link.partition("#")[2] in page.url
    assert page.locator("#play").count() == 0
    page.troubles.clear()  # the browser notes the refusal


TWICE = """selector => {
  const button = document.querySelector(selector);
  for (const _ of [1, 2]) button.click();
  return button.disabled;
}"""


@pytest.mark.parametrize(
    ("path", "button"),
    [
        ("/", "[type=submit]:enabled"),
        ("/learn", "#lessons button"),
        ("/puzzles", "#all button"),
        ("/../", '[data-game="bloodrage"] .now'),
        ("/../", "#learn li li button"),
    ],
)
def test_a_double_click_begins_one_game(server, page, path, button):
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request.url))
    page.goto(server.address + path)
    page.wait_for_selector(button)
    assert page.evaluate(TWICE, button)
    page.wait_for_url("**/play#*")
    assert len(posts) == 1


def test_a_double_click_takes_a_seat_once(server, page):
    begin(page, server, visitors=2)
    page.fill("#name", "Ann")
    page.evaluate(TWICE, '[data-seat="0"]')
    page.wait_for_selector("#play")
    page.wait_for_timeout(300)
    assert page.inner_text("#problem") == ""


def test_a_game_that_was_refused_can_be_begun_again(server, page):
    page.route("**/api/games", lambda route: route.fulfill(status=429, json={"error": "wait"}), times=1)
    page.goto(server.address)
    page.click("[type=submit]:enabled")
    page.wait_for_selector("#problem:not(:empty)")
    page.click("[type=submit]:enabled")
    page.wait_for_url("**/play#*")
    page.troubles.clear()  # the browser notes the refusal


@pytest.mark.slow
def test_a_seat_moves_to_another_device_by_its_link(server, page, others):
    begin(page, server, visitors=1)
    take(page, 0, "Ann")
    page.click("#play")
    page.wait_for_selector("body[data-asks]")
    page.click("#show-people")
    page.wait_for_selector("#dialog .link input")
    assert "Only this computer can open the link" in page.inner_text("#dialog .local")
    device = others[0]
    device.goto(page.input_value("#dialog .link input"))
    device.wait_for_selector("body[data-asks] .draft .tile")
    assert device.inner_text("#question-text") == page.inner_text("#question-text")


def test_the_link_is_copied(server, page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = begin(page, server, visitors=1)
    page.click(".copy")
    until(page, "document.querySelector('.link [role=status]').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == link


COUNT_SOUNDS = """
window.sounds = 0;
const slides = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
window.AudioContext = class { constructor() { window.sounds += 1; this.currentTime = 0; } };
window.OscillatorNode = class { frequency = slides; connect(to) { return to; } start() {} stop() {} };
window.GainNode = class { gain = slides; connect(to) { return to; } };
localStorage.setItem("bloodrage-settings", JSON.stringify({ sound: "on", speed: "0" }));
"""


@pytest.mark.parametrize(("visitors", "sounds", "mark"), [(2, 1, "\u25cf "), (1, 0, "")])
def test_a_sound_and_a_mark_call_to_a_turn_unless_the_others_are_agents(server, page, others, visitors, sounds, mark):
    link = begin(page, server, visitors)
    page.add_init_script(COUNT_SOUNDS)
    take(page, 0, "Ann")
    page.click("#play")
    page.wait_for_selector("body[data-asks]")
    assert page.title() == f"{mark}Wolf: your choice"
    assert page.evaluate("window.sounds") == 0  # the page was opened by the person
    number = page.get_attribute("body", "data-asks")
    choose(page, page.locator("#choices .choice").first)
    if visitors == 2:
        guest = others[0]
        guest.goto(link)
        guest.wait_for_selector('[data-seat="1"]')
        take(guest, 1, "Ben")
        guest.click("#play")
        guest.wait_for_selector("body[data-asks]")
        choose(guest, guest.locator("#choices .choice").first)
    page.wait_for_selector(f'body[data-asks]:not([data-asks="{number}"])')
    assert page.evaluate("window.sounds") == sounds
