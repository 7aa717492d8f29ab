"""The API pages: the public names, by page and module. Their text is in the docstrings.

`docs/stability.md` promises these names. `tests/test_reference.py` checks their docstrings and runs the examples.
"""

from typing import Final

PAGES: Final[dict[str, tuple[str, str, dict[str, str]]]] = {
    "environments": (
        "Environments",
        "PettingZoo, Gymnasium, and many games in one call. The actions and the sections of an observation: "
        "[environment](../environment.md). The compiled functions: [engine](../engine.md).",
        {
            "bloodrage_env.bloodrage_v0": "parallel_env",
            "bloodrage_env.berserk_v0": "env parallel_env",
            "bloodrage_env.games.bloodrage.env": "BloodRage",
            "bloodrage_env.core.api.env": "GameEnv Observation",
            "bloodrage_env.vector": "VectorGames",
            "bloodrage_env.core.api.vector": "VectorGames",
            "bloodrage_env.gym": "OneSeat OneSeatVector",
            "bloodrage_env.gpu": "GpuGames",
        },
    ),
    "games": (
        "Games, options, replays",
        "What every game offers to the code above it, and games in files.",
        {
            "bloodrage_env.games": "names modes in_mode spec game environment options_from options_to_json "
            "options_from_json recorder of_replay",
            "bloodrage_env.core.engine.spec": "GameSpec",
            "bloodrage_env.core.shown.plain": "presentation_for",
            "bloodrage_env.core.engine.game": "Game open_to_all",
            "bloodrage_env.core.engine.options": "option GameOptions WholeNumber Flag OneOf",
            "bloodrage_env.games.bloodrage.options": "Options",
            "bloodrage_env.games.berserk.options": "Options",
            "bloodrage_env.core.engine.rewards": "victory_share win_reward share_of won_by_side win_rewards "
            "rank_rewards",
            "bloodrage_env.core.api.replay": "Replay Recorder",
            "bloodrage_env.study": "Analysis Outlook Judged Study",
        },
    ),
    "pictures": (
        "Pictures",
        "A game as text, SVG and pages. How to read the board: [pictures](../pictures.md).",
        {
            "bloodrage_env.games.bloodrage.render.svg": "board_svg",
            "bloodrage_env.games.bloodrage.render.ansi": "board_text",
            "bloodrage_env.games.bloodrage.render.replay_page": "replay_page",
            "bloodrage_env.games.berserk.render.replay_page": "replay_page",
        },
    ),
    "agents": (
        "Agents, matches, analysis",
        "The protocol, the registry, and what a network and a search think. The agents: [agents](../agents.md).",
        {
            "bloodrage_agents.base": "Agent AgentLike View agent_rng draw_seed",
            "bloodrage_agents.registry": "names split parse Spec canonical make fingerprint",
            "bloodrage_agents.match": "play_game GameRecord",
            "bloodrage_agents.network": "Network NetworkAgent",
            "bloodrage_agents.ismcts": "Ismcts",
            "bloodrage_agents.analysis": "Analyst",
            "bloodrage_agents.review": "Reviewer",
        },
    ),
    "tournaments": (
        "Tournaments, datasets, reports",
        "Plans, stores, ratings and pages. The method: [tournaments](../tournaments.md).",
        {
            "bloodrage_training.tournament.records": "Plan",
            "bloodrage_training.tournament.run": "make_plan run Outcome",
            "bloodrage_training.tournament.store": "Store",
            "bloodrage_training.tournament.ratings": "rate Ratings",
            "bloodrage_training.tournament.estimates": "Estimate Interval wilson",
            "bloodrage_training.tournament.export": "Results write_games",
            "bloodrage_training.tournament.compare": "comparison",
            "bloodrage_training.dataset.rows": "Dataset Rows",
            "bloodrage_training.dataset.formats": "write_as",
            "bloodrage_training.report.write": "write_report export_csv",
        },
    ),
    "learners": (
        "Learners",
        "The reference learner and its parts. How to train: [training](../training.md).",
        {
            "bloodrage_training.learn.ppo": "train advantages",
            "bloodrage_training.learn.policy": "Policy load_policy",
            "bloodrage_training.learn.evaluate": "against sampled greedy by_observation Score",
            "bloodrage_training.learn.export": "export",
            "bloodrage_training.sb3_vec_env": "SelfPlayVecEnv",
            "bloodrage_training.sb3_policy": "policy_of",
        },
    ),
}
# Of these classes a program calls these methods alone; of the others all.
METHODS: Final = {
    "GameSpec": "",
    "GameOptions": "changed arguments numbers facts from_json",
    "GpuGames": "reset step random_actions memory states set_states redeal",
    "AgentLike": "",
    "WholeNumber": "", "Flag": "", "OneOf": "", "Ismcts": "",
    "Analyst": "analyse wins course compare outlook",
    "Ratings": "order groups leaders from_leader leader_width",
    "Replay": "with_probabilities start at states verify save load",
    "Rows": "", "Policy": "forward draw evaluate_actions",
    "SelfPlayVecEnv": "set_opponents",
    "Store": "create open close plan created versions finished games game recorded settled failures",
}  # fmt: skip
# What the examples of files read: made by these commands.
MADE: Final = (
    "bloodrage tournament run --agents random,balanced --players 2 --deals 4 --seed 1 --store games.sqlite",
    "bloodrage dataset --agents random --players 2 --games 4 --out data",
    "bloodrage train --out run --set decisions=100 --set games=4 --set steps=16 --set width=8 --set layers=1 "
    "--set evaluation_games=2",
)


def pages() -> dict[str, str]:
    """The pages, by their path in the site."""
    rows = "".join(f"| [{title}]({name}.md) | {about} |\n" for name, (title, about, _) in PAGES.items())
    made = "\n".join(f"    {each}" for each in MADE)
    head = "From the docstrings of the code. The examples run in the tests. Some read files that these commands make:"
    found = {"api/index.md": f"# API\n\n{head}\n\n{made}\n\n| | |\n|---|---|\n{rows}"}
    for name, (title, about, modules) in PAGES.items():
        parts = [_named(module, each) for module, names in modules.items() for each in names.split()]
        found[f"api/{name}.md"] = f"# {title}\n\n{about}\n\n" + "\n".join(parts)
    return found


def _named(module: str, name: str) -> str:
    """The directive that shows a public name."""
    options = [f"toc_label: {name}"]
    if name in METHODS:
        methods = METHODS[name].split()
        options.append(f"members: [{', '.join(methods)}]" if methods else "members: false")
    return f"::: {module}.{name}\n    options:\n" + "".join(f"      {each}\n" for each in options)
