"""Takes the pictures in docs/images: `python docs/take_pictures.py`, or with names of some, such as `play report`.

The pages are made by the commands of the project and opened in Chromium, 1280 by 800.
"""

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "site")]

import gallery  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from bloodrage_env.games.bloodrage.replay import Replay  # noqa: E402
from tests.play_page import begin, random_choice, settled  # noqa: E402
from tests.serve_process import ServerProcess  # noqa: E402
from tests.test_render_browser import CHROMIUM, FLAGS  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SIZE = {"width": 1280, "height": 800}
COLOURS = 255  # of a picture: the pages have few


def battle_step(replay: Replay) -> int:
    """A step in a battle of the second Age, where both have played their cards."""
    steps = [n for n, states in enumerate(replay.states()) if states[0].age == 1 and states[0].battle == 1]
    return steps[len(steps) // 2]


def replay_shot(page: Any, folder: Path) -> None:
    """A battle in the replay of a game."""
    step = battle_step(Replay.load(folder / "game.brz"))
    page.goto((folder / "plain.html").as_uri() + f"#step={step}")


def study_shot(page: Any, folder: Path) -> None:
    """A costly move of an analysed game, in the list of moves."""
    page.goto((folder / "replay.html").as_uri())
    page.get_by_role("tab", name="Moves").click()
    for _ in range(10):
        page.keyboard.press("m")


def report_shot(page: Any, folder: Path) -> None:
    """The ratings of a tournament."""
    page.goto((folder / "report.html").as_uri() + "#ratings")


def play_shot(page: Any, folder: Path) -> None:
    """A turn in the Action phase of a game of five, after some answers at random."""
    server = ServerProcess(folder / "games", agents="balanced")
    rng = random.Random(1)
    begin(page, server, players=5, sets=("ks", "mystics", "gods"))
    while settled(page) and page.locator("#choices .choice.pass").count() == 0:
        random_choice(page, rng)
    for _ in range(6):
        random_choice(page, rng)
        settled(page)
    page.on("close", lambda _: server.kill())


SHOTS: dict[str, Callable[[Any, Path], None]] = {
    "play": play_shot,
    "replay": replay_shot,
    "study": study_shot,
    "report": report_shot,
}


def main() -> None:
    """Take them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(SHOTS)} (all)")
    names = parser.parse_args().names or list(SHOTS)
    if unknown := set(names) - set(SHOTS):
        parser.error(f"there is no picture {min(unknown)}: {', '.join(SHOTS)}")
    folder = gallery.make()[0].parent
    gallery.run(folder, "replay game.brz --html plain.html")
    with sync_playwright() as api:
        browser = api.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for name in names:
            page = browser.new_page(viewport=SIZE)
            SHOTS[name](page, folder)
            page.wait_for_timeout(1000)  # what moves has come to rest
            path = IMAGES / f"{name}.png"
            page.screenshot(path=path)
            page.close()
            Image.open(path).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2).save(
                path, optimize=True
            )
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB")
        browser.close()


if __name__ == "__main__":
    main()
