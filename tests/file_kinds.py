"""The kinds of files that the project reads: how one is made, what is in it, and how it is read. Those of training are
in `file_kinds_training.py`.
"""

import csv
import hashlib
import io
import json
import random
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import damage
import numpy as np
from damage import Tree

from bloodrage_env import files, games
from bloodrage_env.cli import main
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.card_lists import DECK, SQUAD_LIST, CardLists
from bloodrage_env.games.berserk.engine import TITLE, Card, own
from bloodrage_env.language import transcript
from bloodrage_env.serve.games import Game
from bloodrage_env.serve.seating import Seat, digest_of
from bloodrage_env.serve.storage import Storage

ID = "0123456789abcdef"  # of a game of the server


class UnwritableError(Exception):
    """Values that no file of the kind can hold."""


def unchanged(tree: Tree) -> Tree:
    return tree


@dataclass(frozen=True)
class Kind:
    """A kind of files.

    `make` writes a whole one in a folder. `unpack` returns what a content says, `pack` makes a content with checksums
    that fit, `read` is what the project does with a file. `again` returns the same values as `known`: the one from what
    is read, the other from what the file says. `words` are a command that reads the file.
    """

    name: str
    make: Callable[[Path], Path]
    unpack: Callable[[bytes], Tree]
    pack: Callable[[Tree], bytes]
    read: Callable[[Path], Any]
    again: Callable[[Any], Tree]
    known: Callable[[Tree], Tree] = unchanged
    words: Callable[[Path], list[str]] | None = None
    partly: bool = False  # whether the command reads only a part of the file
    sealed: bool = True  # by a checksum over all bytes
    harm: Callable[[Tree, random.Random], Tree] = damage.tree_of
    refusal: type[Exception] = UserError


# ---- JSON, CSV, TOML, archives of arrays


def json_of(tree: Tree) -> bytes:
    return json.dumps(tree).encode()


def lines_of(content: bytes) -> Tree:
    return [json.loads(line) for line in io.StringIO(content.decode(errors="replace"), "\n")]


def as_lines(tree: Tree) -> bytes:
    return b"".join(json_of(each) + b"\n" for each in tree) if isinstance(tree, list) else json_of(tree)


def cells_of(content: bytes) -> Tree:
    lines = io.StringIO(content.decode("utf-8-sig"), None)
    return [[each.strip() for each in next(csv.reader([line]), [])] for line in lines]


def as_cells(tree: Tree) -> bytes:
    """A value that is not a list is a line, or a cell, of its own."""
    lines = tree if isinstance(tree, list) else [tree]
    return "\n".join(",".join(map(str, line)) if isinstance(line, list) else str(line) for line in lines).encode(
        errors="replace"
    )


def as_toml(tree: Tree) -> bytes:
    if not isinstance(tree, dict):
        raise UnwritableError
    return "".join(f"{as_key(key)} = {as_value(value)}\n" for key, value in tree.items()).encode(errors="replace")


def as_key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key)


def as_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_key(key)} = {as_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_value, value)) + "]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


def arrays_of(content: bytes) -> Tree:
    """Arrays by name; those that hold JSON as what they hold."""
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for name in {"recipe", "inputs", "actions"} & arrays.keys():
        if arrays[name].dtype.kind == "U":
            arrays[name] = json.loads(str(arrays[name]))
    return arrays


def as_arrays(tree: Tree) -> bytes:
    if not isinstance(tree, dict) or not all(map(str.isprintable, tree)):
        raise UnwritableError
    packed = io.BytesIO()
    try:
        arrays = {
            name: each if isinstance(each, np.ndarray) else np.array(json.dumps(each)) for name, each in tree.items()
        }
        np.savez(packed, **arrays)
    except (TypeError, ValueError, OSError) as error:
        raise UnwritableError from error
    return packed.getvalue()


def as_sealed(tree: Tree) -> bytes:
    return files.sealed(as_arrays(tree))


# ---- replays


def play_on(states: Any, game: Any, seed: int) -> list[int]:
    rng, actions = np.random.default_rng(seed), []
    while not game.play.is_over(states, 0):
        actions.append(int(rng.choice(states[0].mask.nonzero()[0])))
        game.play.apply(states, 0, actions[-1])
    return actions


def saved_replay(name: str, folder: Path) -> Path:
    options = games.options_from(name)
    recorder = games.recorder(options, 3, ["random"] * options.num_players)
    for action in play_on(games.game(name).new_game(3, options), games.game(name), 4):
        recorder.apply(action)
    path = folder / f"x{games.replays(name).suffix}"
    recorder.replay().save(path)
    return path


def replay_tree(content: bytes) -> Tree:
    return json.loads(zlib.decompress(content.partition(b"\n")[2][16:]))


def as_replay(name: str, tree: Tree) -> bytes:
    body = zlib.compress(json_of(tree), 1)
    return games.replays(name).magic() + b"1\n" + hashlib.sha256(body).digest()[:16] + body


def verified(name: str, path: Path) -> Any:
    replay = games.replays(name).load(path)
    try:
        replay.verify()
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    return replay


def with_defaults(name: str, tree: Tree) -> Tree:
    defaults = json.loads(as_json(asdict(games.game(name).options())))
    whole = defaults | tree
    return whole | ({"players": []} if whole.get("players") is None else {}) if isinstance(tree, dict) else tree


def replay_kind(name: str) -> Kind:
    def again(replay: Any) -> Tree:
        return with_defaults(name, replay_tree(replay.to_bytes()))

    known = partial(with_defaults, name)
    words = lambda path: ["replay", str(path), "--verify"]  # noqa: E731
    return Kind(
        f"replay_{name}", partial(saved_replay, name), replay_tree, partial(as_replay, name), partial(verified, name),
        again, known, words,
    )  # fmt: skip


# ---- games of the server, and transcripts


def saved_game(folder: Path) -> Path:
    """A game of two people, of whom one has left, and an agent; the others choose ahead."""
    seats = [Seat("Ann", digest_of("a"), None, True), Seat("Bo", digest_of("b"), "random"), Seat(None, None, "random")]
    game = Game(seats, 5, games.options_from(games.FIRST, num_players=3, skip_forced=False), digest_of("w"))
    storage = Storage(folder, games.FIRST)
    storage.create(ID, game)
    return folder / f"{ID}.json"


def loaded_game(path: Path) -> tuple[Path, Game]:
    game = Storage(path.parent, games.FIRST).load(ID)
    game.seat_of("a")  # as each request does
    return path, game


def game_again(found: tuple[Path, Game]) -> Tree:
    path, game = found
    other = path.parent / "again"
    Storage(other, games.FIRST).create(ID, game)
    return json.loads((other / path.name).read_bytes())


def seats_known(tree: Tree) -> Tree:
    defaults = asdict(Seat())
    ahead = tree["ahead"] if tree["ahead"][1] else [0, []]  # without answers the number has no meaning
    return tree | {"seats": [defaults | each for each in tree["seats"]], "ahead": ahead}


def saved_transcript(folder: Path) -> Path:
    replay = folder / "x.brz"
    words = ["demo", "--players", "2", "--agents", "random", "--seed", "1", "--quiet", "--save", str(replay)]
    assert main(words) == 0
    said = [{"role": "user", "content": "Which one? \u00e9"}, {"role": "assistant", "content": "The first."}]
    facts = {"action": 3, "tries": 1, "refused": ["no", "no such answer"], "prompt_tokens": 10, "answer_tokens": 5}
    rest = {"cost": 0.01, "seconds": 1.5, "random": False, "messages": said}
    path = transcript.save([{"step": step, "seat": 0, **facts, **rest} for step in (0, 2, 5)], replay)
    assert path is not None
    return path


def loaded_transcript(path: Path) -> Any:
    lines = transcript.load(path.with_name("x.brz"))
    assert not lines or transcript.save(lines, path.with_name("again.brz")) is not None
    return lines


def page_of_transcript(path: Path) -> list[str]:
    return ["replay", str(path.with_name("x.brz")), "--html", str(path.with_name("page.html"))]


# ---- cards of Berserk


def saved_cards(lines: list[str], folder: Path) -> Path:
    path = folder / "cards.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def list_known(tree: Tree) -> Tree:
    """Cards with their numbers; lines that are blank, and heads, are none."""
    return sorted([name_of(row[0]), int(row[1])] for row in tree if any(row) and row[0].casefold() != "card")


def name_of(text: str) -> str:
    known = {word.casefold(): card.name for card in Card for word in (card.name, TITLE[card])}
    return known[text.casefold()]


def list_kind(kind: CardLists, numbers: list[int]) -> Kind:
    lines = ["Card,Number", *(f"{card.name},{number}" for card, number in zip(Card, numbers, strict=False))]
    words = ["demo", "--game", "berserk", "--agents", "random", "--max-turns", "1", "--quiet", "--setup", "fixed"]

    def command(path: Path) -> list[str]:
        return [*words, f"--{kind.what}s", f"{path.name},{kind.known[0]}"]

    return Kind(
        kind.what, partial(saved_cards, lines), cells_of, as_cells, lambda path: kind.parse(path.read_bytes(), "x.csv"),
        lambda found: sorted(map(list, found)), list_known, command, sealed=False, refusal=ValueError,
    )  # fmt: skip


OWN_COLUMNS = ("name", "cost", "life", "element", "movement")


def own_again(rows: list[own.Row]) -> Tree:
    return [[row["title"], *(row[name] for name in OWN_COLUMNS[1:])] for row in rows]


def own_known(tree: Tree) -> Tree:
    """The columns of a file that go into the card table as they are."""
    rows = [row for row in tree if any(row)][1:]
    columns = [own.HEAD.index(name) for name in OWN_COLUMNS]
    return [[number_or_word(row[column]) for column in columns] for row in rows]


def number_or_word(cell: str) -> str:
    return str(int(cell)) if cell.isdigit() else cell.casefold() if cell.casefold() in own.ELEMENTS else cell


OWN_CARDS = [
    "name,cost,life,element,strike,movement,keywords", "Outrider,4,9,steppe,1-2-3,1,vanguard",
    "Plated Idol,4,12,mountain,1-1-2,1,armour 1; protection from throws", "Mender,4,7,neutral,1-1-2,1,heal 2; unique",
    "Waker,4,8,steppe,1-2-3,1,opening: tokens 1; shot 1-2-2; special strike 3, 1 token",
]  # fmt: skip

KINDS: list[Kind] = [
    *map(replay_kind, games.all_names()),
    Kind("seats", saved_game, json.loads, json_of, loaded_game, game_again, seats_known, sealed=False),
    Kind(
        "transcript", saved_transcript, lines_of, as_lines, loaded_transcript, unchanged, words=page_of_transcript,
        sealed=False,
    ),
    list_kind(DECK, [2] * 20),
    list_kind(SQUAD_LIST, [*range(8)]),
    Kind(
        "own_cards", partial(saved_cards, OWN_CARDS), cells_of, as_cells,
        lambda path: own.rows_of(path.read_bytes(), "x"), own_again, own_known, sealed=False,
    ),
]  # fmt: skip
