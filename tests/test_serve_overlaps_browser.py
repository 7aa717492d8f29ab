"""Nothing on the board and on cards lies over what is written: names, strengths, tags, titles, tokens of a card."""

import random

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_env.games.bloodrage.engine import Decision
from tests import test_berserk_serve_browser as berserk
from tests.play_page import set_up, settled
from tests.serve_process import ServerProcess

pytestmark = pytest.mark.browser

SIZES = [(1366, 768), (1920, 1080), (390, 844)]
SEEDS = range(3, 9)
# Pairs of things of which one covers the other by more than `slack` pixels in each direction.
COVERED = """([pairs, slack]) => {
  const box = (node) => {
    if (!node.matches("strong")) return [node.getBoundingClientRect()];
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };
  const seen = (root, selector) => [...root.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && box(node).some(({ width }) => width > 0));
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
  const found = [];
  const said = (node) => `${node.getAttribute("class") ?? node.tagName}: ${node.textContent.trim()}`;
  for (const [root, one, other] of pairs) for (const within of document.querySelectorAll(root)) {
    for (const a of seen(within, one)) for (const b of seen(within, other)) {
      if (a === b || a.contains(b) || b.contains(a)) continue;
      const covered = box(a).some((each) => box(b).some((by) => over(each, by)));
      if (covered) found.push([said(a), said(b)]);
    }
  }
  return found;
}"""
STRENGTH = "#board :is(.chip, .badge)"
ON_BOARD = [
    ("#board", ".banner", ".chip, .badge, .tag, .token, .god, .figure > g > use"),
    ("#board", ".chip, .badge", ".chip, .badge, .tag, .token, .god, .figure > g > use"),
    ("#board", ".tag", ".tag, .token, .god, .figure > g > use"),
]
ON_TILES = [(".tile", "strong", ".worth, .price, .standing, em")]
ON_CARDS = [
    ("#field .card", ".title", ".cost"),
    ("#field .card", ".ribbon", ".says, .small, .number, .icon, .life"),
    ("#field .card", ".says", ".icon, .small, .number"),
]


def in_age(age):
    return lambda s: s.age == age and s.decision == Decision.ACTION


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_covers_what_is_written_on_the_board_and_on_cards(server, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for seed in SEEDS:
        set_up(page, server, seed, players=5, reached=in_age(seed % 3), first_game=False)
        assert page.locator(STRENGTH).count() > 0 or seed % 3 == 0
        assert page.evaluate(COVERED, [ON_BOARD + ON_TILES, 2]) == [], seed
        if width < 1000:
            page.click("#parts [data-part=hand]")
            assert page.evaluate(COVERED, [ON_TILES, 1]) == [], seed
    page.evaluate("document.querySelector('#show-cards').click()")
    assert page.evaluate(COVERED, [ON_TILES, 1]) == []


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_covers_what_is_written_on_cards_of_berserk(tmp_path, page, width, height):
    server = ServerProcess(tmp_path, game="berserk")
    page.set_viewport_size({"width": width, "height": height})
    berserk.begin(page, server)
    rng, closed = random.Random(1), 0
    for _ in range(60):
        if not settled(page):
            break
        assert page.evaluate(COVERED, [ON_CARDS + ON_TILES, 1]) == []
        closed += page.locator("#field .ribbon, #field .closed").count()
        berserk.any_choice(page, rng)
    assert closed > 0
    page.goto("about:blank")  # or its requests fail
    server.kill()
