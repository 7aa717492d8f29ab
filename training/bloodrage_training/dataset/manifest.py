"""The manifest of a dataset, `manifest.json`. Nothing in a file from elsewhere is trusted."""

from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, to_builtins

from bloodrage_env import games
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from ..schema import Digest, Seed, Spec, Table, Versions, decoded
from ..tournament.plan import MAX_AGENTS

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
MAX_MANIFEST: Final = 64 << 20  # bytes
_MAX_GAMES: Final = 10**8

_Print = Annotated[str, Meta(min_length=1, max_length=200)]
_Count = Annotated[int, Meta(ge=1, le=_MAX_GAMES)]


class Shard(Table, frozen=True):
    """An entry of the manifest."""

    file: Annotated[str, Meta(pattern=r"\Arows-[0-9]{6,9}\.npz\Z")]
    games: _Count
    rows: Annotated[int, Meta(ge=1, le=2**40)]
    sha256: Digest  # of the file
    digest: Digest  # of the arrays


class Manifest(Table, frozen=True):
    """The content of `manifest.json`. What is played follows from all but `shards` and `versions`."""

    format: Annotated[int, Meta(ge=FORMAT, le=FORMAT)]
    game: Annotated[str, Meta(max_length=40)]
    options: dict[str, Any]
    agents: Annotated[tuple[Spec, ...], Meta(min_length=1, max_length=MAX_AGENTS)]
    fingerprints: tuple[_Print, ...]
    seed: Seed
    games: _Count
    games_in_a_shard: _Count
    versions: Versions
    shards: tuple[Shard, ...]

    def to_json(self) -> str:
        """Return the text of the file."""
        return as_json(to_builtins(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "Manifest":
        """Return the manifest. Raise UserError for a text that is none, or one of another format."""
        made = decoded(text, cls)
        made._check()
        return made

    def first(self, shard: Shard) -> int:
        """Return the number of the first game of a shard."""
        return int(shard.file[5:-4]) * self.games_in_a_shard

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
        return Manifest.from_json(content)
    except UserError as error:
        raise UserError(f"{path} can't be used: {error}; make the dataset again") from error
