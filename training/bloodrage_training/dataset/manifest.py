"""The manifest of a dataset, `manifest.json`. Nothing in a file from elsewhere is trusted."""

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from bloodrage_env import games
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from ..schema import checked, from_text, hexadecimal, line, listed, named, whole
from ..tournament.codec import MAX_SPEC
from ..tournament.plan import MAX_AGENTS

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
MAX_MANIFEST: Final = 64 << 20  # bytes
_MAX_GAMES: Final = 10**8
_NAME: Final = re.compile(r"rows-(\d{6,9})\.npz", re.ASCII)

_TOP: Final = {
    "format": whole(FORMAT, FORMAT),
    "game": lambda value: isinstance(value, str) and value in games.all_names(),
    "options": lambda value: isinstance(value, dict),
    "agents": listed(line(MAX_SPEC), MAX_AGENTS, 1),
    "fingerprints": listed(line(200), MAX_AGENTS, 1),
    "seed": whole(0, MAX_SEED),
    "games": whole(1, _MAX_GAMES),
    "games_in_a_shard": whole(1, _MAX_GAMES),
    "versions": named(line(40), line(100), 20),
    "shards": lambda value: isinstance(value, list),
}
_SHARD: Final = {
    "file": lambda value: isinstance(value, str) and _NAME.fullmatch(value) is not None,
    "games": whole(1, _MAX_GAMES),
    "rows": whole(1, 2**40),
    "sha256": hexadecimal(64),
    "digest": hexadecimal(64),
}


@dataclass(frozen=True)
class Shard:
    """An entry of the manifest."""

    file: str
    games: int
    rows: int
    sha256: str  # of the file
    digest: str  # of the arrays


@dataclass(frozen=True)
class Manifest:
    """The content of `manifest.json`. What is played follows from all but `shards` and `versions`."""

    game: str
    options: dict[str, Any]
    agents: tuple[str, ...]
    fingerprints: tuple[str, ...]
    seed: int
    games: int
    games_in_a_shard: int
    versions: dict[str, str]
    shards: tuple[Shard, ...] = ()

    def to_json(self) -> str:
        """Return the text of the file."""
        return as_json({"format": FORMAT, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Return the manifest. Raise UserError for a text that is none, or one of another format."""
        content = from_text(text)
        checked(content, {}, "it", others=True)
        if content.get("format") != FORMAT:
            raise UserError(f"its format is not {FORMAT}; make the dataset again")
        checked(content, _TOP, "it")
        del content["format"]
        for each in content["shards"]:
            checked(each, _SHARD, "a shard")
        lists = {name: tuple(content[name]) for name in ("agents", "fingerprints")}
        made = cls(**{**content, **lists, "shards": tuple(Shard(**each) for each in content["shards"])})
        made._check()
        return made

    def first(self, shard: Shard) -> int:
        """Return the number of the first game of a shard."""
        found = _NAME.fullmatch(shard.file)
        assert found is not None
        return int(found[1]) * self.games_in_a_shard

    def _check(self) -> None:
        """Raise UserError for entries that contradict each other."""
        try:
            options = games.options_from_json(self.options)
        except (TypeError, ValueError) as error:
            raise UserError(f"its {error}") from None
        if options.game != self.game:
            raise UserError(f"its options are of the game {options.game}, not {self.game}")
        if len(self.fingerprints) != len(self.agents) or len(set(self.agents)) != len(self.agents):
            raise UserError("it has an agent twice, or one without a fingerprint")
        if self.games % options.num_players or self.games_in_a_shard % options.num_players:
            raise UserError(f"its deals are not played at all {options.num_players} seatings")
        firsts = [self.first(each) for each in self.shards]
        if firsts != sorted(set(firsts)):
            raise UserError("its shards are not in order")
        longest = games.game(self.game).max_decisions
        for first, shard in zip(firsts, self.shards, strict=True):
            if shard.games != min(self.games_in_a_shard, self.games - first):
                raise UserError(f"{shard.file} has {shard.games} games, which is not the number of its place")
            if not shard.games <= shard.rows <= shard.games * longest:
                raise UserError(f"{shard.file} has {shard.rows} rows, which {shard.games} games can't have")


def file_name(number: int) -> str:
    """Return the name of a shard."""
    return f"rows-{number:06}.npz"


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a folder. Raise UserError if there is none, or it can't be used."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            content = file.read(MAX_MANIFEST + 1)
    except OSError as error:
        raise UserError(f"{folder} is not a dataset: can't read {MANIFEST}: {error.strerror or error}") from error
    if len(content) > MAX_MANIFEST:
        raise UserError(f"{path} is larger than {MAX_MANIFEST >> 20} MiB")
    try:
        return Manifest.from_json(content.decode())
    except (UserError, UnicodeDecodeError) as error:
        raise UserError(f"{path} can't be used: {error}") from error
