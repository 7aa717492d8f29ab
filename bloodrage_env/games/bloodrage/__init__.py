"""Blood Rage: rules, observations, words, pictures and pages; `SPEC` names its parts."""

from typing import Final

from ...core.engine.spec import GameSpec

SPEC: Final = GameSpec(
    name="bloodrage",
    title="Blood Rage",
    score="glory",
    game="bloodrage_env.games.bloodrage.game:GAME",
    presentation="bloodrage_env.games.bloodrage.presentation:PRESENTATION",
    replay="bloodrage_env.games.bloodrage.replay:Replay",
    env="bloodrage_env.games.bloodrage.env:BloodRage",
    language="bloodrage_env.games.bloodrage.language:LANGUAGE",
    aims="bloodrage_env.games.bloodrage.aims:AIMS",
    table_page="bloodrage_env.games.bloodrage.table_page:PAGE",
    replay_page="bloodrage_env.games.bloodrage.render.replay_page:replay_page",
    agents="bloodrage_agents.games.bloodrage.table:AGENTS",
    open_seats="bloodrage_agents.games.bloodrage.compiled.open_seats:SEATS",
    rollout="bloodrage_agents.games.bloodrage.compiled.rollout:roll_out",
    tree="bloodrage_agents.games.bloodrage.compiled.tree:grow",
    forward="bloodrage_agents.games.bloodrage.compiled.forward:FORWARD",
    policy="bloodrage_agents:policies/selfplay.npz",
    study="bloodrage_agents.games.bloodrage.study:STUDIED",
    learnable="bloodrage_training.games.bloodrage.learnable:LEARNABLE",
    report="bloodrage_training.games.bloodrage.report:REPORT",
    language_track="bloodrage_training.games.bloodrage.language.track:track",
    compiled=(
        "bloodrage_env.games.bloodrage.engine",
        "bloodrage_env.games.bloodrage.observation",
        "bloodrage_env.games.bloodrage.game",
        "bloodrage_agents.games.bloodrage.compiled.*",
        "bloodrage_training.learn.compiled.*",
        "bloodrage_training.games.bloodrage.replayed",
    ),
)
