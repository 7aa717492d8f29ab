"""The settings of a run, which a TOML file names alike; docs/training.md says what they do."""

from dataclasses import dataclass, field
from typing import Final

from bloodrage_env.games import FIRST

UNTAUGHT: Final = ("clip", "target_kl")  # settings that have no part where a teacher is imitated


@dataclass(frozen=True)
class Config:
    """A run; a TOML file has the same names."""

    game: str = FIRST
    start: str = ""  # the first network: a checkpoint, or an exported policy (.npz)
    # A policy likewise, or "shipped", whose choices are imitated; rewards then teach the values alone.
    teacher: str = ""
    seed: int = 1
    decisions: int = 100_000_000  # of the network in the whole run, however often it is resumed
    minutes: float = 0.0  # of the whole run, if it has not made `decisions` by then; 0 for no end
    threads: int = 1
    bfloat16: bool = False  # in the residual layers; quicker where the processor multiplies it (AVX-512 BF16, AMX)

    width: int = 256
    layers: int = 2

    games: int = 512  # side by side
    steps: int = 128  # decisions of each game in an update
    players: tuple[int, ...] = (4, 3, 4, 2)  # of the games, in turns
    sets: tuple[str, ...] = ()  # card sets that games may have beside the base game
    set_chance: float = 0.5  # of each of them in a game; p5 is in games of five alone
    self_play: float = 0.5  # share of games in which the network has all seats
    # In the other games it has a seat, and each further one with this probability; the rest have one style, by weight.
    more_seats: float = 0.3
    # A style or a search is named, a policy by its file: .npz or .pt. None: every style that a run may meet, equally.
    opponents: dict[str, float] = field(default_factory=dict)

    learning_rate: float = 4e-4
    learning_rate_decay: float = 1.0  # the last part of the run, over which it decays to zero
    gae_lambda: float = 0.95
    epochs: int = 2
    minibatch: int = 4096
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    target_kl: float = 0.03  # an update ends early when the policy has moved that far

    save_minutes: float = 3.0
    evaluate_every: int = 25  # updates
    evaluation_games: int = 400
