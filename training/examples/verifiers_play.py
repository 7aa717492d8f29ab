"""Plays games of `verifiers` with a language model, and prints the rewards: the part of the victory, readable answers.

`python training/examples/verifiers_play.py --url http://127.0.0.1:8000/v1 --model NAME` asks the model of an endpoint
with OpenAI's chat protocol, its key in the variable OPENAI_API_KEY.
"""

import argparse
import asyncio
from collections.abc import Sequence
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import load_environment, resolve_env_config


def make(game: str, **given: Any) -> vf.Env:
    """The environment of a game; `given` are further fields of `bloodrage_verifiers.GamesConfig`."""
    taskset = {"id": "bloodrage_verifiers", "game": game, **given}
    player = {"harness": {"memory": "none"}}
    return load_environment(resolve_env_config({"taskset": taskset, "player": player}))


async def play(env: vf.Env, model: str, url: str, count: int) -> list[vf.Episode]:
    """Play so many games, several at a time."""
    context = vf.ModelContext(model, vf.EvalClientConfig(base_url=url, api_key_var="OPENAI_API_KEY"))
    async with env.serving():
        return await asyncio.gather(*(env.run_episode(task, context) for task in env.taskset.take(count)))


def rewards(episode: vf.Episode) -> dict[str, float]:
    """The rewards of a game, and the number of answers. Raise RuntimeError if the model could not be asked."""
    (trace,) = episode.traces
    if not episode.ok:
        raise RuntimeError(str([error.message for error in (*episode.errors, *trace.errors)]))
    scores = {name: reward.score for name, reward in trace.rewards.items()}
    return {"reward": trace.reward, **scores, "answers": trace.num_turns}


def main(arguments: Sequence[str] | None = None) -> None:
    """Play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="bloodrage")
    parser.add_argument("--opponents", help="agents for the other seats (the default of the game)")
    parser.add_argument("--count", type=int, default=4, help="number of games (4)")
    parser.add_argument("--url", required=True)
    parser.add_argument("--model", required=True)
    given = parser.parse_args(arguments)
    env = make(given.game, opponents=given.opponents)
    for episode in asyncio.run(play(env, given.model, given.url, given.count)):
        print(rewards(episode))


if __name__ == "__main__":
    main()
