"""The pictures of the cards: each card has one, unlike all others, of parts that exist, in few bytes."""

import csv
import importlib
import re
import xml.etree.ElementTree as ET

import pytest

from bloodrage_env.render import art

GAMES = ["bloodrage", "berserk", "berserk_team", "berserk_laar"]
BYTES = 50_000  # of all pictures of a game
SVG = "{http://www.w3.org/2000/svg}"


def pictures(name):
    """The titles of the cards of a game, and its documents."""
    titles = importlib.import_module(f"bloodrage_env.games.{name}.engine").TITLE
    listed = importlib.import_module(f"bloodrage_env.games.{name}.render").PICTURES
    return titles, {address: text for address, (text, _) in art.files(titles, listed, name).items()}


@pytest.mark.parametrize("name", GAMES)
def test_each_card_has_a_picture_of_its_own(name):
    titles, documents = pictures(name)
    symbols = {
        node.get("id"): ET.tostring(node).split(b" ", 2)[2].split(b"viewBox")[1]
        for node in ET.fromstring(documents["/board/pictures.svg"]).iter(f"{SVG}symbol")
    }
    title_picture = next(iter(ET.fromstring(documents["/board/title.svg"]).iter(f"{SVG}symbol")))
    symbols[""] = ET.tostring(title_picture).split(b" ", 2)[2].split(b"viewBox")[1]
    assert set(symbols) - {""} == {f"art-{number}" for number, title in enumerate(titles) if title}
    by_picture = {symbols[""]: {""}}  # a card that is not listed would have that one
    for number, title in enumerate(titles):
        if title:
            by_picture.setdefault(symbols[f"art-{number}"], set()).add(title)
    assert [titles for titles in by_picture.values() if len(titles) > 1] == []


@pytest.mark.parametrize("name", GAMES)
def test_pictures_use_only_what_is_in_their_page(name):
    page = importlib.import_module(f"bloodrage_env.games.{name}.table_page").files()
    documents = pictures(name)[1]
    board = page.get("/board/board.svg", ("", ""))[0]
    for address, text in documents.items():
        assert page[address] == (text, "image/svg+xml")
        there = set(re.findall(r'id="([\w-]+)"', text + (board if address == "/board/pictures.svg" else "")))
        assert {used for used in re.findall(r'(?:href="|url\()#([\w-]+)', text) if used not in there} == set()


def test_each_game_has_a_title_picture_of_its_own():
    assert len({pictures(name)[1]["/board/title.svg"] for name in GAMES}) == len(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_small(name):
    for address, text in pictures(name)[1].items():
        assert len(text.encode()) <= (BYTES if address == "/board/pictures.svg" else BYTES // 8)


def test_every_drawing_and_sky_is_used():
    shown = "".join(text for name in GAMES for text in pictures(name)[1].values())
    assert [name for name in art.drawings() if f'id="draw-{name}"' not in shown] == []
    assert [name for name in art.skies() if f'id="sky-{name}"' not in shown] == []


def test_a_part_that_cannot_be_read_is_refused(tmp_path):
    listed = tmp_path / "pictures.csv"
    with listed.open("w", newline="") as lines:
        csv.writer(lines).writerows([["title", "sky", "things"], ["", "dusk", "axe*"]])
    with pytest.raises(ValueError, match=r"'axe\*' is not a part of a picture"):
        art.files([], listed, "it")
