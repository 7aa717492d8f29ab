"""Berserk as a team battle of four players (rules 10); `SPEC` names its parts.

They are the modules of `games/berserk`, by the `mode` of this folder: Python imports them once more under the names of
this package. So sizes of records, observations and boards are constants in each mode, and a game of two players
carries nothing of the team battle.
"""

from pathlib import Path
from typing import Final

from ...core.engine.spec import GameSpec

__path__ = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "berserk")]

SPEC: Final = GameSpec(
    name="berserk_team",
    title="Berserk in teams",
    score="score",
    game="bloodrage_env.games.berserk_team.game:GAME",
    presentation="bloodrage_env.games.berserk_team.presentation:PRESENTATION",
    replay="bloodrage_env.games.berserk_team.replay:Replay",
    env="bloodrage_env.games.berserk_team.env:Berserk",
    language="bloodrage_env.games.berserk_team.language:LANGUAGE",
    aims="bloodrage_env.games.berserk_team.aims:AIMS",
    table_page="bloodrage_env.games.berserk_team.table_page:PAGE",
    replay_page="bloodrage_env.games.berserk_team.render.replay_page:replay_page",
    agents="bloodrage_agents.games.berserk_team.table:AGENTS",
    open_seats="bloodrage_agents.games.berserk_team.compiled.open_seats:SEATS",
    rollout="bloodrage_agents.games.berserk_team.compiled.rollout:roll_out",
    tree="bloodrage_agents.games.berserk_team.compiled.tree:grow",
    forward="bloodrage_agents.games.berserk_team.compiled.forward:FORWARD",
    policy="bloodrage_agents:policies/berserk_team.npz",
    study="bloodrage_agents.games.berserk_team.study:STUDIED",
    learnable="bloodrage_training.games.berserk_team.learnable:LEARNABLE",
    compiled=(
        "bloodrage_env.games.berserk_team.engine",
        "bloodrage_env.games.berserk_team.game",
        "bloodrage_env.games.berserk_team.notation.facts",
        "bloodrage_agents.games.berserk_team.compiled.*",
        "bloodrage_training.learn.compiled.*",
    ),
)
