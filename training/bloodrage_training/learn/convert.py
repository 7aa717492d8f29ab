"""A policy made for observations of an earlier version, for those of today: the same moves in the same games.

A file says for which sections it was made. A section is looked up by its name, and keeps the beginning of each of its
axes, since ids are only ever appended; what is new gets weights of zero. So nothing changes where the new inputs are
zero: in games with as many players and such cards as there were. Games of more players than the policy knew are told to
it as games of the most that it knew, so that one whose parts are for some numbers of players each does not answer with
all of them at once.
"""

import argparse
import math
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_agents.network import MAX_BYTES, Table, read_archive, shapes, table_of
from bloodrage_agents.scores import NUM_FORMS
from bloodrage_env import files
from bloodrage_env.engine import MAX_SEATS
from bloodrage_env.errors import UserError
from bloodrage_env.options import Options

from .export import sealed_archive

# The sections of files of format 1, which do not name them.
_FIRST: Final = """
players:3 age:3 phase:7 first_player:4 next_turn:4 draft:2 decision:21 actor:4 about_place:13 about_kind:5
about_card:71 limits:2 declined:1 caller:4 march_from:9 march:5 dying:5 stats:4x3 stat_values:4x3 rage:4 glory:4
passed:4 hand_sizes:4 quest_counts:4 horns_free:4 upgrades:4x36 second_monster:4x9 figures:4x5x15 strength:4x9
tokens:9x5 room:8 destroyed:9 pillaged:9 ragnarok:3x9 hand:71 quests:15 pack:71 packs_seen:3x71 known:3x71
sure_quests:3x15 discards:71 gone:71 table:4x71 battle:9 pillager:4 in_battle:4 text_works:4 counted:4 fallen:4
totals:4
"""
FIRST_TABLE: Final[Table] = tuple(
    (name, tuple(map(int, shape.split("x")))) for name, _, shape in (entry.partition(":") for entry in _FIRST.split())
)


def convert(content: bytes) -> bytes:
    """The content of a policy's file, for the sections of today. UserError says why it can't be."""
    table, stored = read_archive(content, first_table=FIRST_TABLE)
    old = dict(_sections(stored["first_weight"], table))
    wanted = table_of(Options.game)
    missing = [name for name in old if name not in dict(wanted)]
    if missing:
        raise UserError(f"an observation has no section {missing[0]} any more")
    width = stored["first_weight"].shape[1]
    parts = []
    for name, shape in wanted:
        new = np.zeros((*shape, width), stored["first_weight"].dtype)
        if name in old:
            known = old[name].shape[:-1]
            if len(known) != len(shape) or any(was > now for was, now in zip(known, shape, strict=True)):
                raise UserError(f"the section {name} was {_said(known)} and is {_said(shape)} now: smaller")
            new[tuple(slice(size) for size in known)] = old[name]
            if name == "players":
                new[known[0] :] = old[name][-1]
        parts.append(new.reshape(-1, width))
    stored |= {"first_weight": np.concatenate(parts)}
    if stored["value_weight"].ndim == 1:
        # What the others are paid was not estimated: equal parts of what is left, as if there were four seats.
        shares = np.array([1.0] + [-1 / (Options.num_players - 1)] * (MAX_SEATS - 1), np.float32)
        stored |= {"value_weight": np.outer(stored["value_weight"], shares).astype(np.float16)}
        stored |= {"value_bias": (stored["value_bias"] * shares).astype(np.float16)}
        stored |= {"gain_weight": np.zeros((width, NUM_FORMS), np.float16)}
        stored |= {"gain_bias": np.zeros(NUM_FORMS, np.float16)}
    return sealed_archive({name: stored[name] for name in shapes(1, 1)})


def _sections(weights: npt.NDArray[Any], table: Table) -> list[tuple[str, npt.NDArray[Any]]]:
    """The weights of each section, in its shape."""
    ends = np.cumsum([math.prod(shape) for _, shape in table])
    rows = np.split(weights, ends[:-1])
    return [(name, part.reshape(*shape, -1)) for (name, shape), part in zip(table, rows, strict=True)]


def _said(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))


def convert_file(old: Path, new: Path) -> None:
    """Read a policy's file and write the mapped one. UserError, with the name of the file, if it can't be."""
    try:
        content = convert(files.read_sealed(old, MAX_BYTES))
    except OSError as error:
        raise UserError(f"can't read {old}: {error.strerror or error}") from error
    except UserError as error:
        raise UserError(f"{old} can't be mapped: {error}") from error
    try:
        files.write(new, content)
    except OSError as error:
        raise UserError(f"can't write {new}: {error.strerror or error}") from error


def main() -> None:
    """`python -m bloodrage_training.learn.convert OLD.npz NEW.npz`: map a policy of an earlier version."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    given = parser.parse_args()
    try:
        convert_file(given.old, given.new)
    except UserError as error:
        parser.error(str(error))
    print(f"wrote {given.new}")


if __name__ == "__main__":
    main()
