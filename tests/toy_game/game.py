"""The game, its options, its PettingZoo environment and its replays."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bloodrage_env.core.api import env, replay
from bloodrage_env.core.engine.batch import batch_for
from bloodrage_env.core.engine.game import Game
from bloodrage_env.core.engine.observe import observe_for
from bloodrage_env.core.engine.options import Flag, GameOptions, WholeNumber, option
from bloodrage_env.core.engine.play import play_for
from bloodrage_env.core.engine.rewards import win_rewards

from . import SPEC, engine
from .engine import CHECKS, COMPILER, FLOW, SEATS, SIZES, STATE_CHECKS, WRITER


@dataclass(frozen=True)
class Options(GameOptions):
    game = "toy"

    num_players: int = option(2, WholeNumber(2, SEATS), "seats", ("--players",), "how many seats (2)")
    skip_forced: bool = option(True, Flag(), "forced answers are not asked", ("--ask-forced",), "ask all")


GAME = Game(
    name="toy",
    rules_version="1",
    state=engine.STATE,
    options=Options,
    max_seats=SEATS,
    max_decisions=engine.MOST,
    blocks=engine.BLOCKS,
    sections=engine.SECTIONS,
    play=play_for(COMPILER, FLOW, CHECKS, SIZES.options),
    observe=observe_for(COMPILER, FLOW, CHECKS, WRITER, SIZES),
    batch=batch_for(COMPILER, FLOW, WRITER, SIZES, engine.redeal_game),
    hide=engine.hide,
    redeal=engine.redeal,
    check_state=STATE_CHECKS.check_state,
    play_checked=STATE_CHECKS.play_checked,
    invariants=engine.Invariant,
    rewards={"win": win_rewards},
)


class ToyEnv(env.GameEnv):
    game, spec = GAME, SPEC
    metadata: ClassVar[dict[str, Any]] = {"name": "toy_v0", "render_modes": [], "is_parallelizable": False}


@dataclass(frozen=True)
class ToyReplay(replay.Replay):
    game = GAME
