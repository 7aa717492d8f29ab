"""The page of a game as a person drives it: a server in a process of its own, and the clicks of the tests."""

import random
import time

from bloodrage_env.games.bloodrage.engine import MAX_SEATS
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.serve.games import Game, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.terminal.text import random_action

PATIENCE = 300  # seconds after which a test gives up


def begin(page, server, people=1, first_game=False, players=4, sets=()):
    """A new game by the form of the start page; people sit at the first clans."""
    page.goto(server.address)
    page.wait_for_selector("button[type=submit]:enabled")
    page.select_option("#players", str(players))
    for seat in range(1, people):
        page.select_option(f"#seat-{seat}", "person")
    if first_game:
        page.check("#first-game")
    if sets:
        page.click("details summary")
    for name in sets:
        page.check(f"#{name}")
    page.click("button[type=submit]")
    page.wait_for_url("**/play#*")


# Controls that a screen reader can't name.
NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, [role=button]")]
  .filter((node) => !(node.textContent || node.getAttribute("aria-label") || node.labels?.length))
  .map((node) => node.outerHTML)"""
# Parts of the page that do not fit on the screen.
OUTSIDE = """() => [...document.querySelectorAll("#top > *, #clans, #middle, #side, #bottom, #question, #log")]
  .filter((node) => {
    const box = node.getBoundingClientRect();
    if (["none", "contents"].includes(getComputedStyle(node).display)) return false;
    return box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.width < 20;
  }).map((node) => node.id || node.className)"""


def set_up(page, server, seed, players=2, reached=lambda s: True, first_game=True):
    """A game of a person and random agents that is always the same, played on until the person is asked there.

    `reached` is called with the record; a game that is over is there too.
    """
    token = "a" * 20
    seats = [Seat(person="", digest=digest_of(token), hints=True), *[Seat(agent="random")] * (players - 1)]
    sets = ("p5",) if players == MAX_SEATS else ()
    game = Game(seats, seed, Options(players, first_game=first_game, skip_forced=False, sets=sets))
    rng = random.Random(seed)
    while not game.over and not (game.states[0].seat == 0 and reached(game.states[0])):
        game.play(random_action(game.states, rng))
    storage = Storage(server.folder, "bloodrage")
    game_id = storage.new_id()
    storage.create(game_id, game)
    page.goto("about:blank")  # or only the fragment changes
    page.goto(f"{server.address}/play#{game_id}.{token}")
    settled(page)
    return game


def stop_clock(page):
    """Have an installed clock go on by `run_for` alone: without this it runs by itself, between two calls as well."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)


def fetched(route):
    """The server's response to a request of the page; the server may close an idle connection just then."""
    return route.fetch(max_retries=3)


def hurried(page):
    """Have new questions take input at once, and close no group of choices: the games of tests are long."""

    def shorten(route):
        try:
            text = fetched(route).text()
        except Exception as error:
            if not any(said in str(error) for said in ("disposed", "Failed to find browser context")):
                raise
            return  # the page has gone on to another one, or is closed
        assert "const SETTLE = 400;" in text
        assert "  fold() {" in text
        quick = text.replace("const SETTLE = 400;", "const SETTLE = 10;").replace("  fold() {", "  fold() { return;")
        route.fulfill(body=quick, content_type="text/javascript")

    page.route("**/play.all.js", shorten)


def unhurried(page):
    """Have new questions take input, and show their choices, as they do for people."""
    page.unroute("**/play.all.js")


CURTAIN = "#curtain:not([hidden]) button"
# Of what is over: a battle, a phase at the end of an Age, the turn.
SEEN = "#continue.main, body[data-ends] #end-turn"
# What needs a person. Nothing moves then: the agents have played, and the answer before is taken in.
READY = f"body[data-asks], .end, {SEEN}, {CURTAIN}"


def settled(page, curtain=True):
    """Wait until something is asked, and clear away what is over; False when the game is over.

    With `curtain=False` also False when the page asks to be passed on.
    """
    while True:
        page.wait_for_selector(READY)
        if page.locator(CURTAIN).count():
            if not curtain:
                return False
            page.locator(CURTAIN).click()
        elif page.locator(SEEN).count():
            # Not by `click`, which would wait for it to come again if the next battle has begun.
            page.evaluate("selector => document.querySelector(selector)?.click()", SEEN)
        elif page.locator(".end").count():
            return False
        elif page.locator("body[data-asks]").count():
            return True


def until(page, script, arg=None):
    """Wait for a script to be true; the page's policy forbids what `wait_for_function` does."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(script, arg):
        assert time.monotonic() < end, f"never came: {script}"
        page.wait_for_timeout(20)


def answered(page, asked):
    """Wait until the question of this number is answered."""
    page.wait_for_selector(f'body:not([data-asks="{asked}"])')


def choose(page, button):
    """Click a choice of the open question, in a closed group after it is opened, and wait until it is answered."""
    asked = page.get_attribute("body", "data-asks")
    passing = "pass" in (button.get_attribute("class") or "").split()
    closed = button.locator("xpath=ancestor::details[not(@open)]")
    if closed.count():
        closed.locator("summary").click()
    button.click()
    if passing:
        page.locator(".choice.pass").click()
    answered(page, asked)


def random_choice(page, rng):
    buttons = page.locator("#choices .choice")
    names = buttons.evaluate_all("all => all.map((one) => one.className)")
    keen = [i for i, name in enumerate(names) if "pass" not in name.split()] or list(range(len(names)))
    choose(page, buttons.nth(rng.choice(keen)))
