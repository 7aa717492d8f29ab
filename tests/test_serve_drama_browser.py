"""Battles, fights and Ragnarok are seen to happen, for less than a second, and nothing waits for that; sounds."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.games.bloodrage.render.replay_page import replay_page
from tests.play_page import begin, set_up, settled, until
from tests.serve_process import ServerProcess
from tests.test_berserk_serve_browser import any_choice
from tests.test_berserk_serve_browser import begin as begin_berserk
from tests.test_render_browser import played

pytestmark = pytest.mark.browser

SEED = 3  # of a game of three with a battle in which both sides play cards
# What `Element.animate` was called for, and when the last of it ends, by the page's own timing.
WATCH = """window.acts = []; window.ends = 0; const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  window.acts.push([(this.getAttribute("class") ?? this.localName).trim(), timing.pseudoElement ?? ""]);
  window.ends = Math.max(window.ends, (timing.delay ?? 0) + timing.duration);
  return animate.call(this, frames, timing);
};"""
# No sequence ends by itself.
ENDLESS = """const later = window.setTimeout;
window.setTimeout = (call, ...more) => (String(call).includes("this.remove(sequence)") ? 0 : later(call, ...more));
const animating = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const moving = animating.apply(this, given);
  moving.pause();
  return moving;
};"""
MOVING = """() => document.getAnimations().filter(
  ({ animationName, transitionProperty }) => !animationName && !transitionProperty).length"""
AGAIN = "#log button:has-text('look at this battle again')"


def fought(page, server):
    """A game with a battle that has been fought and looked at."""
    set_up(page, server, SEED, players=3, reached=lambda s: s.decision == Decision.BATTLE_CARD)
    page.locator("#choices .choice").first.click()
    page.wait_for_selector("#continue.main")
    page.locator("#continue").click()
    settled(page)


def look_again(page):
    """Without a click, which would end what is played."""
    page.locator(AGAIN).last.dispatch_event("click")
    page.wait_for_selector(".battle-scene")


@pytest.fixture
def berserk(tmp_path):
    server = ServerProcess(tmp_path, game="berserk")
    yield server
    server.kill()


def test_the_cards_of_a_battle_turn_over_and_it_ends_within_a_second(server, page):
    page.add_init_script(WATCH)
    fought(page, server)
    page.evaluate("window.acts = []; window.ends = 0")
    look_again(page)
    assert page.inner_text(".battle-scene .result") == "Wolf wins"  # in the text from the beginning
    acts = page.evaluate("window.acts")
    assert [name for name, pseudo in acts if pseudo == "::after" and "tile" in name] == ["tile battle", "tile quest"]
    assert {"b", "result", "mark winner", "figure-icon"} <= {name for name, _ in acts}
    assert 500 < page.evaluate("window.ends") < 1000
    begun = page.evaluate("performance.now()")
    until(page, f"({MOVING})() === 0")
    assert page.evaluate("performance.now()") - begun < 1000
    assert page.locator(".to-valhalla svg").count() == 1


@pytest.mark.parametrize("end", ["click", "key"])
def test_a_click_or_a_key_ends_it(server, page, end):
    page.add_init_script(ENDLESS)
    fought(page, server)
    look_again(page)
    assert page.evaluate(MOVING) > 5
    if end == "click":
        page.locator(".battle-scene h2").click()
    else:
        page.keyboard.press("Shift")
    assert page.evaluate(MOVING) == 0
    assert page.locator(".battle-scene").count() == 1


def test_what_is_drawn_anew_goes_on_where_it_was(server, page):
    fought(page, server)
    times = page.evaluate("""async () => {
      const { Drama } = await import("./render/drama.js");
      const drama = new Drama();
      const times = [];
      for (const wait of [0, 150]) {
        await new Promise((done) => setTimeout(done, wait));
        document.querySelector("#drawn-anew")?.remove();
        const node = document.createElement("p");
        node.id = "drawn-anew";
        document.body.append(node);
        if (wait) drama.drawn();
        else {
          const on = () => document.querySelector("#drawn-anew");
          drama.play([[{ on, frames: [{ opacity: 0 }, { opacity: 1 }], duration: 5000 }], []]);
        }
        times.push(node.getAnimations().map(({ currentTime, effect }) => [currentTime, effect.getTiming().duration]));
      }
      return times;
    }""")
    ((begun, length),), ((later, same),) = times
    assert begun < 100
    assert later >= begun + 100
    assert length == same == 950


@pytest.mark.parametrize("off", ["reduced", "setting"])
def test_nothing_moves_where_that_is_not_wanted(server, page, off):
    page.add_init_script(WATCH)
    if off == "reduced":
        page.emulate_media(reduced_motion="reduce")
    fought(page, server)
    if off == "setting":
        page.click("#show-settings")
        page.select_option("#set-speed", "0")
        page.keyboard.press("Escape")
    page.evaluate("window.acts = []")
    look_again(page)
    assert page.evaluate("window.acts") == []


def test_questions_and_answers_do_not_wait(berserk, page):
    """A game goes on by the keyboard and by clicks of scripts while everything still moves."""
    page.add_init_script(ENDLESS)
    begin_berserk(page, berserk, setup="fixed")
    rng, moved = random.Random(2), 0
    for _ in range(14):
        assert settled(page)
        moved += page.evaluate(MOVING) > 0
        any_choice(page, rng)
    assert settled(page)
    page.evaluate("document.querySelector('#choices .choice').click()")  # no pointer goes down
    assert settled(page)
    assert moved > 3
    assert page.evaluate("document.activeElement.closest('#choices') !== null")


def test_cards_strike_and_die_on_the_board(berserk, page):
    page.add_init_script(WATCH)
    begin_berserk(page, berserk, setup="fixed")
    rng, seen = random.Random(5), set()
    while not {"actor", "face", "dies"} <= seen:
        assert settled(page), seen
        page.evaluate("window.acts = []")
        any_choice(page, rng)
        page.wait_for_selector("body[data-asks], .end")
        seen |= {name for name, _ in page.evaluate("window.acts")}
        seen |= {"dies"} if "dies" in page.inner_text("#stage") else set()
        assert page.evaluate("window.ends") < 1000
        until(page, "document.querySelectorAll('.actor, .flies').length === 0")


@pytest.mark.parametrize("reduced", [False, True])
def test_ragnarok_breaks_a_province(browser, tmp_path, reduced):
    path = tmp_path / "replay.html"
    path.write_text(replay_page(played(7)), encoding="utf-8")
    page = browser.new_page(reduced_motion="reduce" if reduced else "no-preference")
    try:
        page.goto(path.as_uri())
        step = page.evaluate("""() => player.scenes.findIndex((scene, step) => step && scene.places.some(
          ({ destroyed }, place) => destroyed && !player.scenes[step - 1].places[place].destroyed))""")
        shards = """([from, to]) => {
          player.jump(from);
          player.jump(to);
          return document.querySelectorAll("#board .shard").length;
        }"""
        assert page.evaluate(shards, [step - 1, step]) == (0 if reduced else 7)
        until(page, "document.querySelectorAll('#board .shard').length === 0")
        assert page.evaluate(shards, [0, step]) == 0  # not from one step to the next
    finally:
        page.close()


COUNT_SOUNDS = """
window.sounds = 0;
class Part { connect(to) { return to; } disconnect() {} start() { window.sounds += 1; } stop() {} }
const slides = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
window.AudioContext = class {
  currentTime = 0;
  sampleRate = 8000;
  constructor() { window.contexts = (window.contexts ?? 0) + 1; }
};
window.AudioBuffer = class { getChannelData() { return new Float32Array(8); } };
window.AudioBufferSourceNode = Part;
window.OscillatorNode = class extends Part { frequency = slides; };
window.BiquadFilterNode = class extends Part { frequency = slides; };
window.GainNode = class extends Part { gain = slides; };
"""


def test_sounds_are_off_until_they_are_switched_on(server, page):
    page.add_init_script(COUNT_SOUNDS)
    fought(page, server)
    look_again(page)
    assert page.evaluate("[window.sounds, window.contexts ?? 0]") == [0, 0]
    page.locator("#continue").click()
    page.click("#show-settings")
    assert page.input_value("#set-sound") == "off"
    page.select_option("#set-sound", "on")
    page.keyboard.press("Escape")
    look_again(page)
    assert page.evaluate("window.sounds") >= 4  # two cards, the sum, the figure that falls
    page.reload()
    page.wait_for_selector(AGAIN)
    page.evaluate(
        "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false }, configurable: true })"
    )
    look_again(page)  # as if nobody had touched the page
    assert page.evaluate("[window.sounds, window.contexts ?? 0]") == [0, 0]
    page.evaluate("delete navigator.userActivation")
    page.locator("#continue").click()
    look_again(page)
    assert page.evaluate("window.sounds") >= 4


def test_each_sound_can_be_played(server, page):
    """By the browser itself: a tone of an unknown kind, or a loudness of 0, is an error there."""
    begin(page, server)
    settled(page)
    page.evaluate("localStorage.setItem('bloodrage-settings', JSON.stringify({ sound: 'on' }))")
    page.locator("#question-text").click()
    made = page.evaluate("""async () => {
      const { playSounds } = await import("./static/sounds.js");
      const names = ["turn", "card", "strike", "dice", "fall", "ragnarok"];
      return names.map((name) => typeof playSounds([[name, 100]]));
    }""")
    assert made == ["function"] * 6
