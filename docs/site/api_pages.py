"""The API pages: the modules of each page. Their text is in the docstrings."""

PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "environments": (
        "Environments",
        "PettingZoo, Gymnasium, and many games in one call. The actions and the sections of an observation: "
        "[environment](../environment.md). The compiled functions: [engine](../engine.md).",
        (
            "bloodrage_env",
            "bloodrage_env.bloodrage_v0",
            "bloodrage_env.berserk_v0",
            "bloodrage_env.games.bloodrage.env",
            "bloodrage_env.core.api.env",
            "bloodrage_env.vector",
            "bloodrage_env.gpu",
            "bloodrage_env.core.api.vector",
            "bloodrage_env.gym",
        ),
    ),
    "games": (
        "Games, options, replays",
        "What every game offers to the code above it, and games in files.",
        (
            "bloodrage_env.games",
            "bloodrage_env.core.engine.spec",
            "bloodrage_env.core.shown.plain",
            "bloodrage_env.core.engine.game",
            "bloodrage_env.core.engine.options",
            "bloodrage_env.games.bloodrage.options",
            "bloodrage_env.games.berserk.options",
            "bloodrage_env.core.engine.rewards",
            "bloodrage_env.core.api.replay",
            "bloodrage_env.study",
        ),
    ),
    "pictures": (
        "Pictures",
        "A game as text, SVG, pixels and pages. How to read the board: [pictures](../pictures.md).",
        (
            "bloodrage_env.games.bloodrage.render.show",
            "bloodrage_env.games.bloodrage.render.svg",
            "bloodrage_env.games.bloodrage.render.ansi",
            "bloodrage_env.games.bloodrage.render.replay_page",
            "bloodrage_env.games.berserk.render.replay_page",
        ),
    ),
    "agents": (
        "Agents, matches, analysis",
        "The protocol, the registry, and what a network and a search think. The agents: [agents](../agents.md).",
        (
            "bloodrage_agents.base",
            "bloodrage_agents.registry",
            "bloodrage_agents.parts",
            "bloodrage_agents.match",
            "bloodrage_agents.open_seats",
            "bloodrage_agents.network",
            "bloodrage_agents.ismcts",
            "bloodrage_agents.analysis",
            "bloodrage_agents.review",
        ),
    ),
    "tournaments": (
        "Tournaments and reports",
        "Plans, stores, ratings and pages. The method: [tournaments](../tournaments.md).",
        (
            "bloodrage_training.tournament.records",
            "bloodrage_training.tournament.run",
            "bloodrage_training.tournament.store",
            "bloodrage_training.tournament.estimates",
            "bloodrage_training.tournament.ratings",
            "bloodrage_training.tournament.export",
            "bloodrage_training.tournament.compare",
            "bloodrage_training.dataset.rows",
            "bloodrage_training.dataset.formats",
            "bloodrage_training.report.write",
            "bloodrage_training.report.summary",
            "bloodrage_training.report.charts",
        ),
    ),
    "learners": (
        "Learners",
        "The reference learner and its parts. How to train: [training](../training.md).",
        (
            "bloodrage_training.learn.ppo",
            "bloodrage_training.learn.policy",
            "bloodrage_training.learn.evaluate",
            "bloodrage_training.learn.export",
            "bloodrage_training.sb3_vec_env",
            "bloodrage_training.sb3_policy",
        ),
    ),
}


def pages() -> dict[str, str]:
    """The pages, by their path in the site."""
    rows = "".join(f"| [{title}]({name}.md) | {about} |\n" for name, (title, about, _) in PAGES.items())
    index = f"# API\n\nFrom the docstrings of the code.\n\n| | |\n|---|---|\n{rows}"
    found = {"api/index.md": index}
    for name, (title, about, modules) in PAGES.items():
        found[f"api/{name}.md"] = f"# {title}\n\n{about}\n\n" + "\n".join(map(_module, modules))
    return found


def _module(name: str) -> str:
    """A module with its public names; of the package itself, which only names others' again, the docstring alone."""
    options = f"    options:\n      toc_label: {name}\n"
    return f"::: {name}\n{options}" + ("      members: false\n" if name == "bloodrage_env" else "")
