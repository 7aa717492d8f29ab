"""What language models took, in stores of tournaments and their reports."""

import csv
import json
import re
from pathlib import Path
from unittest import mock

import pytest
from chat_server import Answer, serving
from pool_here import Here
from stores import change
from toy_installed import toy

pytest.importorskip("httpx2")

from test_llm import first_legal

from bloodrage_agents import registry
from bloodrage_env.cli import main
from bloodrage_env.language.transcript import Talk
from bloodrage_training.tournament import command
from bloodrage_training.tournament.store import Store, StoreError

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy", "no_proxy")


@pytest.fixture
def store(tmp_path: Path) -> tuple[Path, str, int]:
    """A store, the spec of its model, and how often the model was asked.

    Its first answer can't be read, its second one is not legal, and its third request fails at first.
    """
    first: list[Answer] = ["I don't know.", "Answer: 9999", 503]
    path = tmp_path / "games.db"
    with (
        mock.patch.object(command, "make_pool", side_effect=lambda *_: Here()),
        serving(lambda messages: first.pop(0) if first else first_legal(messages)) as endpoint,
    ):
        spec = f"llm:model=m,url={endpoint.url},output_price=1000000,actions=steps"
        words = ["--game", "toy", "--players", "2", "--agents", f"{spec},random", "--deals", "1", "--store", str(path)]
        assert main(["tournament", "run", *words, "--seed", "1"]) == 0
    return path, registry.canonical(spec, "toy"), len(endpoint.requests)


def test_a_store_counts_refused_answers_by_class(store: tuple[Path, str, int]) -> None:
    path, spec, requests = store
    total = Talk()
    with Store.open(path) as stored:
        for game in stored.games():
            assert [seat for seat, _ in game.talks()] == [game.line_up.index(spec)]
            for _, talk in game.talks():
                total.add(talk)
    assert (total.unreadable, total.illegal, total.failed) == (1, 1, 1)
    assert total.asked == requests - 3
    assert (total.prompt_tokens, total.answer_tokens) == (100 * (requests - 1), 10 * (requests - 1))
    assert total.cost == pytest.approx(total.answer_tokens)
    assert total.seconds > 0


def test_reports_show_them(store: tuple[Path, str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, spec, requests = store
    page, tables = tmp_path / "report.html", tmp_path / "tables"
    capsys.readouterr()
    assert main(["tournament", "report", str(path), "--html", str(page), "--csv", str(tables)]) == 0
    said = f"{spec}: {requests - 3} questions; refused answers: 1 unreadable, 1 illegal; failed requests: 1; tokens: "
    assert said in capsys.readouterr().out
    (part,) = re.findall(r'<section id="models">.*?</section>', page.read_text(encoding="utf-8"), re.DOTALL)
    assert f'data-column="questions">{requests - 3}<' in part
    assert len(re.findall(r'data-column="(?:unreadable|illegal|failed requests)">1<', part)) == 3
    rows = {row["agent"]: row for row in csv.DictReader((tables / "agents.csv").open(encoding="utf-8"))}
    counts = [rows[spec][name] for name in ("asked", "unreadable", "illegal", "failed")]
    assert counts == [str(requests - 3), "1", "1", "1"]
    assert rows["random"]["asked"] == ""
    assert main(["tournament", "report", str(path), "--json"]) == 0
    models = {row["agent"]: row["language_model"] for row in json.loads(capsys.readouterr().out)}
    assert models["random"] is None
    assert models[spec]["unreadable"] == 1


@pytest.mark.parametrize(
    "talk", ["{}", "[null]", "[null, 5]", "[null, [1]]", "[null, [1, 0, 0, 0, 0, 0, 0.0, -1.0]]",
             "[null, [1.5, 0, 0, 0, 0, 0, 0.0, 1.0]]", "[null, [1, 0, 0, 0, 0, 0, 1e999, 1.0]]", "[", "[[], []]"]
)  # fmt: skip
def test_an_altered_one_is_refused(store: tuple[Path, str, int], talk: str) -> None:
    path = store[0]
    change(path, "UPDATE games SET talk = ?", (talk,))
    with Store.open(path) as stored, pytest.raises(StoreError, match=r"language model"):
        list(stored.games())
