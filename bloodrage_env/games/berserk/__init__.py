"""Berserk, the tactical card battle of Laar: the second game, on `core` alone; `SPEC` names its parts."""

from typing import Final

from ...core.engine.spec import GameSpec

SPEC: Final = GameSpec(
    name="berserk",
    title="Berserk",
    score="score",
    game="bloodrage_env.games.berserk.game:GAME",
    presentation="bloodrage_env.games.berserk.presentation:PRESENTATION",
    replay="bloodrage_env.games.berserk.replay:Replay",
    env="bloodrage_env.games.berserk.env:Berserk",
    language="bloodrage_env.games.berserk.language:LANGUAGE",
    aims="bloodrage_env.games.berserk.aims:AIMS",
    table_page="bloodrage_env.games.berserk.table_page:PAGE",
    replay_page="bloodrage_env.games.berserk.render.replay_page:replay_page",
    agents="bloodrage_agents.games.berserk.table:AGENTS",
    open_seats="bloodrage_agents.games.berserk.compiled.open_seats:SEATS",
    rollout="bloodrage_agents.games.berserk.compiled.rollout:roll_out",
    tree="bloodrage_agents.games.berserk.compiled.tree:grow",
    forward="bloodrage_agents.games.berserk.compiled.forward:FORWARD",
    policy="bloodrage_agents:policies/berserk.npz",
    study="bloodrage_agents.games.berserk.study:STUDIED",
    learnable="bloodrage_training.games.berserk.learnable:LEARNABLE",
    compiled=(
        "bloodrage_env.games.berserk.engine",
        "bloodrage_env.games.berserk.game",
        "bloodrage_env.games.berserk.notation.facts",
        "bloodrage_agents.games.berserk.compiled.*",
        "bloodrage_training.learn.compiled.*",
    ),
)
