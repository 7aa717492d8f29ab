"""The Battle for Laar, for one player or two (rules 11); `SPEC` names its parts.

They are the modules of `games/berserk`, by the `mode` of this folder: Python imports them once more under the names of
this package. So sizes of records, observations and boards are constants in each mode, and a game of two squads
carries nothing of the demon and the angel. `beings.csv` has the numbers of these two.
"""

from pathlib import Path
from typing import Final

from ...core.engine.spec import GameSpec

__path__ = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "berserk")]

SPEC: Final = GameSpec(
    name="berserk_laar",
    title="Battle for Laar",
    score="score",
    game="bloodrage_env.games.berserk_laar.game:GAME",
    presentation="bloodrage_env.games.berserk_laar.presentation:PRESENTATION",
    replay="bloodrage_env.games.berserk_laar.replay:Replay",
    env="bloodrage_env.games.berserk_laar.env:Berserk",
    language="bloodrage_env.games.berserk_laar.language:LANGUAGE",
    aims="bloodrage_env.games.berserk_laar.aims:AIMS",
    table_page="bloodrage_env.games.berserk_laar.table_page:PAGE",
    replay_page="bloodrage_env.games.berserk_laar.render.replay_page:replay_page",
    agents="bloodrage_agents.games.berserk_laar.table:AGENTS",
    open_seats="bloodrage_agents.games.berserk_laar.compiled.open_seats:SEATS",
    rollout="bloodrage_agents.games.berserk_laar.compiled.rollout:roll_out",
    tree="bloodrage_agents.games.berserk_laar.compiled.tree:grow",
    forward="bloodrage_agents.games.berserk_laar.compiled.forward:FORWARD",
    policy="bloodrage_agents:policies/berserk_laar.npz",
    study="bloodrage_agents.games.berserk_laar.study:STUDIED",
    learnable="bloodrage_training.games.berserk_laar.learnable:LEARNABLE",
    compiled=(
        "bloodrage_env.games.berserk_laar.engine",
        "bloodrage_env.games.berserk_laar.game",
        "bloodrage_env.games.berserk_laar.notation.facts",
        "bloodrage_agents.games.berserk_laar.compiled.*",
        "bloodrage_training.learn.compiled.*",
    ),
)
