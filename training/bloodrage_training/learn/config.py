"""The settings of each kind of stage, as in a TOML file. docs/training.md describes them."""

import difflib
import math
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar, get_args, get_origin

from bloodrage_agents.network import MAX_LAYERS, MAX_WIDTH
from bloodrage_env import games
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from .learnable import learnable

MAX_SEED: Final = 2**20 - 1  # of a run; the seeds of its games begin at this one times SEED_STEP
SEED_STEP: Final = 2**40  # more than the games of a run

T = TypeVar("T")


def limited(default: T, low: float, high: float = math.inf) -> T:
    """Return a setting from `low` to `high`. Without it, the minimum of a number is 0."""
    return field(default=default, metadata={"range": (low, high)})


@dataclass(frozen=True)
class Stage:
    """Base class of the settings of all kinds."""

    kind: ClassVar[str]

    @property
    def runs(self) -> int:
        """The number of seeds that a stage uses, beginning with its own."""
        return 1


S = TypeVar("S", bound=Stage)


@dataclass(frozen=True)
class Learning(Stage):
    """The settings of all stages that learn."""

    game: str = games.FIRST
    start: str = ""  # the first network: a checkpoint, or an exported policy (.npz)
    width: int = limited(256, 1, MAX_WIDTH)
    layers: int = limited(2, 0, MAX_LAYERS)
    ledger: bool = False  # whether the network reads the ledger of the game
    changes: bool = False  # whether it reads what each legal action changes in the ledger

    seed: int = limited(1, 0, MAX_SEED)
    decisions: int = limited(100_000_000, 1)  # of the network in the whole run, however often it is resumed
    minutes: float = 0.0  # of the whole run, if it has not made `decisions` by then; 0 for no end
    threads: int = limited(2, 1, 256)  # that play, and on a CPU learn, side by side
    bfloat16: bool = False  # in the layers; quicker where the processor multiplies it (AVX-512 BF16, AMX, a GPU)

    games: int = limited(256, 1)  # side by side
    players: tuple[int, ...] = (4, 3, 4, 2)  # of the games, in turns
    sets: tuple[str, ...] = ()  # card sets that games may have beside the base game
    set_chance: float = limited(0.5, 0, 1)  # of each of them in a game; p5 is in games of five alone
    self_play: float = limited(0.5, 0, 1)  # share of games in which the network has all seats
    # In the other games it has a seat, in teams those of a side, and each further one with this probability. The rest
    # have one style, by weight.
    more_seats: float = limited(0.3, 0, 1)
    # A style or a search is named, a policy by its file: .npz or .pt. None: every style that a run may meet, equally.
    opponents: dict[str, float] = field(default_factory=dict)

    learning_rate: float = 8e-4
    learning_rate_decay: float = limited(1.0, 0, 1)  # the last part of the run, over which it decays to zero
    average: float = limited(0.0, 0, 1)  # the last part of the run, whose mean weights it ends with; 0: the last ones
    epochs: int = limited(2, 1)
    minibatch: int = limited(2048, 1)
    value_weight: float = 0.5
    gradient_norm: float = 0.5

    save_minutes: float = 3.0
    evaluate_every: int = limited(50, 1)  # updates
    evaluation_games: int = limited(400, 1)


@dataclass(frozen=True)
class Rollouts(Learning):
    """The settings of stages that learn from rollouts (`ppo.py`)."""

    steps: int = limited(128, 1)  # decisions of each game in an update
    actors: int = limited(0, 0, 1024)  # processes that play, here or on a Ray cluster; 0: the threads play
    gae_lambda: float = limited(0.95, 0, 1)
    entropy: float = 0.01
    # Of the decisions with an action above 98 %, this share is learned from, and counts as much as all of them.
    sure: float = limited(0.25, 0, 1)


@dataclass(frozen=True)
class Ppo(Rollouts):
    """The settings of stages that learn from rewards."""

    kind = "ppo"
    clip: float = 0.2
    target_kl: float = 0.03  # an update ends early when the policy has moved that far
    # Weight of the divergence from a slow copy of the policy, which moves towards it by `slow_rate` of their
    # difference after each update (`slow.py`). 0: no copy.
    slow_weight: float = 0.0
    slow_rate: float = limited(0.01, 0, 1)


@dataclass(frozen=True)
class Imitation(Rollouts):
    """The settings of stages that imitate a policy, the shipped one or a file. Only the values learn from rewards."""

    kind = "imitate"
    teacher: str = "shipped"


@dataclass(frozen=True)
class Rounds(Ppo):
    """The settings of parallel runs of the kind `ppo`, whose weights are averaged after each round (`rounds.py`).

    The runs use consecutive seeds, beginning with `seed`. The learning rate is constant and decays in the last part
    (`learning_rate_decay`) of the last round only. `minutes` is for all rounds together.
    """

    kind = "rounds"
    threads: int = limited(1, 1, 256)
    workers: int = limited(2, 1)
    rounds: int = limited(10, 1)

    @property
    def runs(self) -> int:
        """One seed for each worker and round."""
        return self.workers * self.rounds


@dataclass(frozen=True)
class League(Rounds):
    """The settings of a player that learns against a league (`league.py`): in each round `decisions` of the player.

    Of the games that are not self-play, the share `snapshots` is against the player of earlier rounds, the share
    `exploited` against exploiters, and the rest against the `opponents`.
    """

    kind = "league"
    snapshots: float = limited(0.5, 0, 1)
    exploited: float = limited(0.3, 0, 1)
    exploiters: tuple[int, ...] = ()  # in each round one for each of these numbers of players; empty: of `players`
    exploiter_decisions: int = limited(2_000_000, 1)  # of each
    league_games: int = limited(400, 1)  # between the player and each member after a round

    @property
    def runs(self) -> int:
        """One seed for each player and exploiter of each round."""
        return (1 + len(self.exploited_players)) * self.rounds

    @property
    def exploited_players(self) -> tuple[int, ...]:
        """The number of players of each exploiter of a round."""
        return tuple(dict.fromkeys(self.exploiters or self.players))


@dataclass(frozen=True)
class Search(Learning):
    """The settings of expert iteration (`search.py`).

    An update has `tasks` tasks, each with `games` games that are played to their ends. `epochs` is how often a position
    is used on average. The learning rate decays to zero in each update.
    """

    kind = "search"
    learning_rate_decay: float = limited(0.0, 0, 1)
    workers: int = limited(1, 1)  # that play side by side
    tasks: int = limited(64, 1)  # of an update
    simulations: int = limited(32, 1)  # of a search
    unsure: float = 0.3  # entropy of the policy, in nats, from which a decision can be searched
    learned: float = limited(0.25, 0, 1)  # share of these that are searched and learned from
    unsearched: float = limited(0.25, 0, 1)  # share of the other decisions, relative to `learned`, that are kept, too


@dataclass(frozen=True)
class Merge(Stage):
    """The settings of a stage that averages the weights of earlier stages. It plays no games."""

    kind = "merge"
    merged: tuple[str, ...] = ()


NAMES: Final = {  # of the types of values
    int: "a whole number", float: "a number", str: "a text", bool: "true or false", dict: "a table",
}  # fmt: skip
KINDS: Final[Mapping[str, type[Stage]]] = {each.kind: each for each in (Ppo, Imitation, Rounds, League, Search, Merge)}


# ---- from and to TOML


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Raise UserError if it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: {error}") from error


def parse(kind: type[S], values: Mapping[str, Any], where: str) -> S:
    """Return the settings of a kind of stage, from values by name.

    Raise UserError, whose message begins with `where`, for an unknown name and for a value of another type or out of
    range.
    """
    known = {each.name: each for each in fields(kind)}
    if "game" in known:
        values = dict(_defaults(values.get("game", games.FIRST), where)) | dict(values)
    for name in values:
        check_name(name, known, where)
    result = kind(**{name: _checked(known[name], value, where) for name, value in values.items()})
    if isinstance(result, Learning):
        reading = learnable(result.game).forward.reading(result.ledger, result.changes)
        for name, read in (("ledger", bool(reading.ledger)), ("changes", bool(reading.changes.names))):
            if getattr(result, name) and not read:
                raise UserError(f"{where}: {result.game} has nothing for a network to read as {name}; leave it out")
        try:
            if not result.players:
                raise ValueError("give one number or more")
            for number in result.players:
                learnable(result.game).options_of(number, result.sets)
        except (TypeError, ValueError) as error:
            raise UserError(f"{where}: players is {list(result.players)}: {error}") from error
    return result


def check_name(name: str, known: Collection[str], where: str) -> None:
    """Raise UserError for a setting that is not known."""
    if name not in known:
        (nearest,) = difflib.get_close_matches(name, known, 1, 0.0)
        raise UserError(f"{where}: there is no setting {name!r:.60} here; the nearest is {nearest!r}")


def _defaults(game: Any, where: str) -> Mapping[str, Any]:
    """Return the settings for which a game has different defaults."""
    if type(game) is not str or game not in games.all_names():
        raise UserError(f"{where}: game is {game!r:.60}; give one of {', '.join(games.all_names())}")
    return learnable(game).defaults


def _checked(setting: Field[Any], value: Any, where: str) -> Any:
    """Return the value in the type of the setting. Raise UserError for another type or a value out of range."""
    wanted: Any = get_origin(setting.type) or setting.type
    item = get_args(setting.type)[0] if wanted is tuple else object
    if wanted is tuple and type(value) is list and all(type(each) is item for each in value):
        return tuple(value)
    if wanted is float and type(value) is int:
        value = float(value)
    if type(value) is not wanted:
        named = f"a list of {'whole numbers' if item is int else 'texts'}" if wanted is tuple else NAMES[wanted]
        raise UserError(f"{where}: {setting.name} is {value!r:.60}; give {named}")
    low, high = setting.metadata.get("range", (0, math.inf))
    if wanted in (int, float) and not (low <= value <= high and value < math.inf):
        most = "or more" if high == math.inf else f"to {high:g}" if high < 10 else f"to {high}"
        raise UserError(f"{where}: {setting.name} is {value}; give {low} {most}")
    return value


def to_toml(values: Mapping[str, Any]) -> str:
    """Return settings as lines of a TOML file."""
    return "".join(f"{name} = {_text(value)}\n" for name, value in values.items())


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_text(name)} = {_text(each)}" for name, each in value.items()) + " }"
    # Numbers, texts and lists are written alike in both, but for escapes of characters beyond 16 bits and this one.
    return as_json(value, ascii_only=False).replace("\x7f", "\\u007f")
