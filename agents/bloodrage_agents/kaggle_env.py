"""Games as environments of `kaggle-environments`, in which texts answer for each seat. It needs that package.

`register()` makes them known to `kaggle_environments.make` by the names of the games.
"""

import random
from typing import Any, Final

import kaggle_environments
from kaggle_environments.utils import resolve_episode_seed

from bloodrage_env import games
from bloodrage_env.core.engine.rewards import win_reward
from bloodrage_env.language.prompt import Parts, refusal

from .episode import TRIES, Episode

MOST_SEATS: Final = 10
STEPS: Final = 100_000  # of an episode; games end before
SECONDS: Final = 60.0  # for an answer
GAME: Final = "bloodrage_episode"  # the attribute of an environment with its game
FAILED: Final = ("TIMEOUT", "ERROR", "INVALID")  # the status of a seat that has lost the game by its answer
# Shows the question and the answer of each step in the player of the package.
PAGE: Final = """function renderer(context) {
  const page = context.parent.querySelector("pre") || context.parent.appendChild(document.createElement("pre"));
  const seats = context.environment.steps[context.step];
  const texts = seats.map((seat, number) => [number, seat.observation.prompt, seat.action]);
  page.textContent = texts.map(([number, prompt, said]) => `${number}: ${said}\\n\\n${prompt}`).join("\\n\\n");
}"""


def specification(game: str) -> dict[str, Any]:
    """Return the specification of a game.

    The action is an answer, as docs/language.md describes them. An observation has `rules`, with the form of answers;
    `prompt`, the open question with what the seat has seen since its last answer; and `legalActions`, the ids of the
    legal actions. The last two are empty for a seat that is not asked. The configuration has `options` of the game,
    `parts` of prompts, by default without the list of legal actions, and `tries`: how many answers in a row without a
    legal action lose the game.
    """
    spec, text = games.spec(game), {"type": "string", "default": ""}
    ids = {"type": "array", "items": {"type": "integer"}, "default": []}
    return {
        "name": game, "title": spec.title, "description": f"{spec.title} as text", "version": "1.0.0",
        "agents": [count for count in range(1, MOST_SEATS + 1) if _is_number_of_seats(game, count)],
        "configuration": {
            "episodeSteps": STEPS, "actTimeout": SECONDS, "runTimeout": SECONDS * STEPS,
            "seed": {"description": "of the deal, random without it", "type": ["integer", "null"], "default": None},
            "options": {"description": "of the game", "type": "object", "default": {}},
            "parts": {"description": "of prompts", "type": "object", "default": {"actions": "none"}},
            "tries": {"description": "answers until a seat loses", "type": "integer", "minimum": 1, "default": TRIES},
        },
        "reward": {"description": "of victory; the sum is 0", "type": "number", "default": 0},
        "observation": {"rules": text, "prompt": text, "legalActions": ids},
        "action": {"description": "an answer", "type": "string", "default": ""},
    }  # fmt: skip


def interpreter(state: list[Any], env: Any) -> list[Any]:
    """Begin a game, or take the answer of the seat that is asked. Return the state of all seats."""
    reason = None
    if env.done:
        setattr(env, GAME, _begun(env, len(state)))
    else:
        episode = _episode(env, len(state))
        asked = state[episode.seat]
        if asked.status == "ACTIVE":
            reason = episode.answer(asked.action)
        else:
            episode.lose()  # it took too long, or raised an exception
    return _shown(state, _episode(env, len(state)), reason)


def _shown(state: list[Any], episode: Episode, reason: str | None) -> list[Any]:
    """What each seat is shown. `reason` is why the last answer was refused."""
    over, count = episode.seat < 0, episode.options.num_players
    for seat, each in enumerate(state):
        asked = seat == episode.seat
        each.observation.rules = episode.system()
        question = episode.prompt() if asked else ""
        each.observation.prompt = f"{refusal(reason)}\n\n{question}" if asked and reason else question
        each.observation.legalActions = episode.legal() if asked else []
        if over:
            each.reward = win_reward(episode.won(seat), count, episode.rules.team)
        if each.status in ("ACTIVE", "INACTIVE"):
            lost = over and seat == episode.loser
            each.status = "INVALID" if lost else "DONE" if over else "ACTIVE" if asked else "INACTIVE"
    return state


def _begun(env: Any, count: int) -> Episode:
    """A game of the environment, at its beginning."""
    given = env.configuration
    options = games.options_from(env.name, num_players=count, **given.options)
    return Episode(options, resolve_episode_seed(env), parts=Parts(**given.parts), tries=given.tries)


def _episode(env: Any, count: int) -> Episode:
    """The game of an environment. That of a copy, which has the steps alone, is played again."""
    if not hasattr(env, GAME):
        episode = _begun(env, count)
        for step in env.steps[1:]:
            asked = step[episode.seat]
            if asked.status in FAILED:  # of an action that was not one None is stored, or "" in a copy
                episode.lose()
            else:
                episode.answer(asked.action)
        setattr(env, GAME, episode)
    found: Episode = getattr(env, GAME)
    return found


def _is_number_of_seats(game: str, count: int) -> bool:
    try:
        games.options_from(game, num_players=count)
    except ValueError:
        return False
    return True


def any_legal(observation: Any) -> str:
    """Play a random legal action."""
    return str(random.choice(observation.legalActions))


def register() -> list[str]:
    """Register an environment of each game, with the agent `random`, and return their names."""
    for game in games.all_names():
        kaggle_environments.register(
            game,
            {
                "specification": specification(game),
                "interpreter": interpreter,
                "renderer": lambda state, env: _episode(env, len(state)).board(),
                "html_renderer": lambda: PAGE,
                "agents": {"random": any_legal},
            },
        )
    return [*games.all_names()]
