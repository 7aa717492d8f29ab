"""Highest: a small game of hidden hands for two to six. `SPEC` names its parts; `pyproject.toml` registers it."""

from bloodrage_env.core.engine.spec import GameSpec

SPEC = GameSpec(
    name="toy",
    title="Highest",
    score="points",
    game="toy_game.game:GAME",
    presentation="toy_game.words:PRESENTATION",
    replay="toy_game.game:ToyReplay",
    env="toy_game.game:ToyEnv",
    agents="toy_game.agents:AGENTS",
    open_seats="toy_game.styles:SEATS",
    forward="toy_game.network:FORWARD",
    learnable="toy_game.training:LEARNABLE",
    compiled=("toy_game.engine", "toy_game.game", "toy_game.network", "toy_game.styles", "toy_game.words"),
)
