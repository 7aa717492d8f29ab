"""A game as one object: its names, and where its parts are. A package registers one by an entry point."""

import importlib
from dataclasses import dataclass, field, fields
from typing import Any

from ...errors import UserError


def part(meaning: str) -> Any:
    """A field for a part that a game may lack."""
    return field(default="", metadata={"meaning": meaning})


@dataclass(frozen=True)
class GameSpec:
    """A game. Each part is named as `module:NAME`, and imported when it is first asked for.

    `game`, `presentation`, `replay` and `env` are required. A game that lacks another part works with what is said
    there, or what needs the part raises a UserError.

    Examples
    --------
    >>> from bloodrage_env.core.engine.spec import GameSpec
    >>> game, words, replay, env = "dice.game:GAME", "dice.words:WORDS", "dice.game:Replay", "dice.game:Env"
    >>> spec = GameSpec("dice", "Dice", "points", game, words, replay, env)
    >>> spec.has("agents"), spec.place("env")
    (False, ('dice.game', ':', 'Env'))
    """

    name: str  # in options, files and on the command line
    title: str  # in texts
    score: str  # what a game is won by

    game: str  # a `core.engine.game.Game`
    presentation: str  # a `core.shown.presentation.Presentation`
    replay: str  # a subclass of `core.api.replay.Replay`
    env: str  # a subclass of `core.api.env.GameEnv`

    language: str = part(
        "language"
    )  # a `core.shown.language.Language`; without it structs have the names of its tables
    aims: str = part("aims of 'bloodrage bench'")  # a `core.api.aims.Aims`; without it figures have none
    table_page: str = part("page of tables")  # a `core.shown.table_page.TablePage`; without it the plain page
    replay_page: str = part("page of replays")  # a function as `render.ReplayPage`; without it the plain page

    agents: str = part("table of agents")  # a `bloodrage_agents.shipped.AgentTable`; without it `random` and `human`
    open_seats: str = part("compiled seats")  # a `bloodrage_agents.open_seats.OpenSeats`
    rollout: str = part("rollouts")  # a `bloodrage_agents.rollouts.RollOut` for `flat`; without it random games
    tree: str = part("tree search")  # a `bloodrage_agents.mcts.tree.Grow`; without it `ismcts` is in Python
    forward: str = part("network")  # a `bloodrage_agents.forward.Forward`, for the agent `network` and for training
    policy: str = part("trained policy")  # `package:path` of the file that is used where no path is given
    study: str = part("analyst")  # a `bloodrage_env.study.Studied`; without it `analyse` uses the rules alone

    learnable: str = part("training")  # a `bloodrage_training.learn.learnable.Learnable`
    report: str = part("report")  # a `bloodrage_training.report.summary.GameReport`, for tournaments
    tracks: str = part("tracks")  # as in `protocols.json`, for `benchmark`; without it one against `random`
    language_track: str = part("language track")  # a `bloodrage_training.benchmark.language.MakeTrack`, for `benchmark`

    # Modules with functions that Python calls compiled; every process imports them, so none may need the extra `train`.
    # `package.*` is all modules of a package.
    compiled: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether it has the part of this field."""
        return bool(getattr(self, name))

    def load(self, name: str) -> Any:
        """The part of this field. Raise UserError if the game has none."""
        module, _, attribute = self.place(name)
        return getattr(importlib.import_module(module), attribute)

    def place(self, name: str) -> tuple[str, str, str]:
        """The module of a part, a colon, and its name there. Raise UserError if the game has none."""
        where: str = getattr(self, name)
        if not where:
            meaning = next(each.metadata["meaning"] for each in fields(self) if each.name == name)
            raise UserError(f"{self.title} has no {meaning}")
        return where.partition(":")
