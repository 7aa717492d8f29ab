"""The first move of a prompt's list, as a model could answer it."""

import re


def first_move(prompt: str) -> str:
    """The words of the first line, with the first of each choice and without what may be left out."""
    return listed_move(prompt, 0)


def listed_move(prompt: str, number: int) -> str:
    """The words of a line of a list, as `first_move`; for figures that go, one that it names."""
    line = prompt.rpartition("Legal actions:\n")[2].split("\n\n")[0].split("\n")[number]
    line = re.sub(r"FIGURES \(of (?:\d+ )?([^),]*?)s?[,)][^)]*\)?", r"\1", line)
    while "[" in line:
        line = re.sub(r" ?\[[^\[\]]*\]", "", line)
    line = re.sub(r"two of \{([^{}|]*) \| ([^{}|]*?)(?: \|[^{}]*)?\}", r"\1 and \2", line)
    while "{" in line:
        line = re.sub(r"\{([^{}|]*?)(?: \|[^{}]*)?\}", r"\1", line)
    return line
