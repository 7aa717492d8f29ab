"""Plays games of `verifiers` with a language model, and prints the rewards: the part of the victory, readable answers.

`python training/examples/verifiers_play.py --url http://127.0.0.1:8000/v1 --model NAME` asks the model of an endpoint
with OpenAI's chat protocol, its key in the variable OPENAI_API_KEY. Without `--url` the first legal action is played.
"""

import argparse
import asyncio
import json
import os
import re
from collections.abc import Sequence
from typing import Any

import httpx
import verifiers as vf
from openai import AsyncOpenAI

from bloodrage_agents.verifiers_env import load_environment

LEGAL = r"Legal actions:\n(\d+):"  # the first one of a question


def first(question: str) -> str:
    """The first legal action of a question."""
    return f"I take the first one.\nAnswer: {re.findall(LEGAL, question)[-1]}"


def scripted(request: httpx.Request) -> httpx.Response:
    """Answer a request of the chat protocol by `first`."""
    asked = json.loads(request.content)["messages"][-1]["content"]
    message = {"role": "assistant", "content": first(asked)}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    content = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return httpx.Response(200, json=content)


def client(url: str | None) -> AsyncOpenAI:
    """A client of an endpoint, or of the script."""
    if url:
        return AsyncOpenAI(base_url=url, api_key=os.environ.get("OPENAI_API_KEY", "none"))
    transport = httpx.MockTransport(scripted)
    return AsyncOpenAI(
        base_url="http://scripted/v1", api_key="none", http_client=httpx.AsyncClient(transport=transport)
    )


def rewards(env: Any, url: str | None, model: str) -> list[dict[str, float]]:
    """Play the games for evaluation and return the rewards of each."""
    chat = vf.OpenAIChatCompletionsClient(client(url))
    found = asyncio.run(env.generate(env.get_eval_dataset(), chat, model))
    return [{"reward": each["reward"], **each["metrics"]} for each in found["outputs"]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="bloodrage")
    parser.add_argument("--url")
    parser.add_argument("--model", default="scripted")
    given = parser.parse_args(arguments)
    for each in rewards(load_environment(given.game, eval_deals=1, memory="none"), given.url, given.model):
        print(each)


if __name__ == "__main__":
    main()
