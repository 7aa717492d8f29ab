"""Takes the pictures in docs/images: `python docs/take_pictures.py`, or with names of some, such as `play report`.

The pages are made by the commands of the project and opened in Chromium, 1280 by 800.
"""

import argparse
import asyncio
import atexit
import importlib
import random
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "site"), str(ROOT / "tests")]

from mcp import Client  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from bloodrage_env.games.berserk.table_page import PAGE as BERSERK  # noqa: E402
from bloodrage_env.games.bloodrage.replay import Replay  # noqa: E402
from bloodrage_env.games.bloodrage.table_page import PAGE as BLOODRAGE  # noqa: E402
from bloodrage_env.language import transcript  # noqa: E402

# Scripts and helpers of tests, which are not packages.
gallery, chat_server, mcp_play, play_page, serve_process, conftest, berserk, lesson = (
    importlib.import_module(name)
    for name in (
        "gallery",
        "chat_server",
        "mcp_play",
        "tests.play_page",
        "tests.serve_process",
        "tests.conftest",
        "tests.test_berserk_serve_browser",
        "tests.test_serve_lesson_browser",
    )
)

IMAGES = ROOT / "docs" / "images"
SIZE: Any = {"width": 1280, "height": 800}
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
    server = serve_process.ServerProcess(folder / "games", agents="balanced")
    rng = random.Random(1)
    play_page.begin(page, server, players=5, sets=("ks", "mystics", "gods"))
    while play_page.settled(page) and page.locator("#choices .choice.pass").count() == 0:
        play_page.random_choice(page, rng)
    for _ in range(6):
        play_page.random_choice(page, rng)
        play_page.settled(page)
    atexit.register(server.kill)


def lesson_shot(page: Any, folder: Path) -> None:
    """The step of the first lesson that has an arrow on the board."""
    server = serve_process.ServerProcess(folder / "games")
    server.lesson = 0
    lesson.begin(page, server)
    while page.locator(".advice .head").count() == 0:
        lesson.go_on(page)
        page.wait_for_timeout(600)  # until an answer is drawn
    atexit.register(server.kill)


def berserk_shot(page: Any, folder: Path) -> None:
    """A turn of a duel in which cards have died, after some answers at random."""
    server = serve_process.ServerProcess(folder / "duels", game="berserk")
    rng = random.Random(2)
    berserk.begin(page, server, setup="fixed")
    while play_page.settled(page) and page.locator("#clans .fallen").count() < 4:
        berserk.any_choice(page, rng)
    atexit.register(server.kill)


def talk_shot(page: Any, folder: Path) -> None:
    """A decision of a scripted language model in the replay of its game."""
    rng = random.Random(2)

    def answer(messages: list[dict[str, str]]) -> str:
        action, text = rng.choice(re.findall(r"^(\d+): (.*)", messages[-1]["content"], re.MULTILINE))
        return f"I choose “{text}”: it keeps my other options open.\n\nAnswer: {action}"

    with chat_server.serving(answer) as endpoint:
        model = f"llm:model=scripted,url={endpoint.url}"
        gallery.run(
            folder, f"demo --players 2 --seed 4 --agents {model},balanced --quiet --save talk.brz --html talk.html"
        )
    asked = [line["step"] for line in transcript.load(folder / "talk.brz")]
    page.goto((folder / "talk.html").as_uri() + f"#step={asked[len(asked) // 2]}")


def mcp_shot(page: Any, folder: Path) -> None:
    """A game of two clients of the Model Context Protocol, as it is watched."""
    words = [
        sys.executable,
        "-c",
        serve_process.COMMAND,
        "mcp",
        "--http",
        "--port",
        "0",
        "--games",
        str(folder / "mcp"),
    ]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    assert server.stdout is not None
    (address,) = re.findall(r"http://127\.0\.0\.1:\d+", server.stdout.readline())[:1]

    async def play() -> str:
        async with Client(f"{address}/mcp") as one, Client(f"{address}/mcp") as other:
            begun = await mcp_play.call(one, "start_game", seats=["you", "open"], name="model A")
            taken = await mcp_play.call(other, "take_seat", table=begun["table"], name="model B")
            for _ in range(40):
                for client, token in ((one, begun["token"]), (other, taken["token"])):
                    if actions := await mcp_play.call(client, "list_actions", token=token):
                        await mcp_play.call(client, "act", token=token, answer=actions[len(actions) // 2]["id"])
            return str(begun["table"])

    with ThreadPoolExecutor(1) as pool:  # the browser's event loop runs in this thread
        table = pool.submit(asyncio.run, play()).result()
    page.goto(f"{address}/play#{table}")
    page.wait_for_selector("#log > *")


def cards_shot(page: Any, folder: Path) -> None:
    """The pictures of all cards of both games."""
    pages = [BLOODRAGE.files(), BERSERK.files()]
    symbols = [files["/board/pictures.svg"][0].replace("art-", f"{game}-") for game, files in enumerate(pages)]
    board = pages[0]["/board/board.svg"][0].replace("<svg", '<svg class="unseen"', 1)
    names = list(dict.fromkeys(re.findall(r'symbol id="(.*?)"(.*?)</symbol>', "".join(symbols))))
    shown = {picture: name for name, picture in reversed(names)}  # each once
    tiles = "".join(f'<svg><use href="#{name}"/></svg>' for name in reversed(shown.values()))
    style = ".unseen{position:absolute;width:0;height:0} body{margin:6px;display:flex;flex-wrap:wrap;gap:6px}"
    style += "svg:not(.unseen){width:100px;height:73px;border-radius:7px}"
    page.set_content(f"<style>{style}</style>{board}{''.join(symbols)}{tiles}")


SHOTS: dict[str, Callable[[Any, Path], None]] = {
    "play": play_shot,
    "lesson": lesson_shot,
    "berserk": berserk_shot,
    "cards": cards_shot,
    "replay": replay_shot,
    "study": study_shot,
    "report": report_shot,
    "talk": talk_shot,
    "mcp": mcp_shot,
}


GALLERY = {"replay", "study", "report"}  # of pages that `gallery.make` writes


def main() -> None:
    """Take them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(SHOTS)} (all)")
    names = parser.parse_args().names or list(SHOTS)
    if unknown := set(names) - set(SHOTS):
        parser.error(f"there is no picture {min(unknown)}: {', '.join(SHOTS)}")
    gallery.FOLDER.mkdir(parents=True, exist_ok=True)
    if GALLERY & set(names):
        gallery.make()
        gallery.run(gallery.FOLDER, "replay game.brz --html plain.html")
    with sync_playwright() as api:
        browser = api.chromium.launch(executable_path=str(conftest.CHROMIUM), args=conftest.FLAGS)
        for name in names:
            page = browser.new_page(viewport=SIZE)
            SHOTS[name](page, gallery.FOLDER)
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
