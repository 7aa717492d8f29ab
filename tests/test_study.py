"""A study as data of a page, as lines of the terminal, and the commands that make one."""

import dataclasses
import re

import pytest
from studies import made_up
from test_render_page import embedded, played

from bloodrage_agents.games.bloodrage.study import WORDS
from bloodrage_agents.review import Reviewer
from bloodrage_env.cli import main
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.errors import INTERRUPTED, UserError
from bloodrage_env.games.bloodrage.engine.ids import NUM_AGES
from bloodrage_env.games.bloodrage.notation import CLANS
from bloodrage_env.games.bloodrage.notation.questions import answer_text
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.render.replay_page import page_data, replay_page
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_env.study import Study
from bloodrage_env.terminal.study_text import CURVE, study_lines


@pytest.fixture(scope="module")
def replay():
    return dataclasses.replace(played(3, 2), players=("one", "two"))


@pytest.fixture(scope="module")
def study(replay):
    return made_up(replay)


def test_the_page_holds_what_was_thought(replay, study):
    data = embedded(replay_page(replay, study=study))["study"]
    texts = data["strings"]
    assert len(data["decisions"]) == len(replay)
    assert data["course"] == [[round(1000 * share) for share in judged.course] for judged in study.decisions] + [
        [1000, 0]
    ]
    for states, judged, shown in zip(replay.states(), study.decisions, data["decisions"], strict=False):
        assert (shown is None) == (judged.analysis is None)
        if shown is None:
            continue
        assert (shown["seat"], shown["action"], shown["costly"]) == (judged.seat, judged.action, judged.costly)
        assert texts[shown["text"]] == answer_text(states, 0, judged.action)
        assert shown["cost"] == round(1000 * judged.cost)
        if judged.better is not None:
            assert texts[shown["better"]] == answer_text(states, 0, judged.better)
        action, visits, value, text, line = shown["search"][0]
        assert (action, visits, value, texts[text]) == (judged.action, 30, 400, texts[shown["text"]])
        assert [line[0][0], texts[line[0][1]]] == [judged.seat, texts[text]]
    assert sum(judged.costly for judged in study.decisions) > 3


def test_a_page_without_a_study_has_none(replay):
    assert page_data(replay)["study"] is None


def test_a_study_is_of_this_game(replay, study):
    with pytest.raises(UserError, match=r"a study of 3 decisions for a game of \d+"):
        page_data(replay, study=Study(study.decisions[:3], study.result))


def test_the_terminal_tells_curves_marked_moves_and_turns(replay, study):
    lines = list(study_lines(WORDS, replay, study))
    curves = lines[1 : 1 + replay.options.num_players]
    assert [line.split()[0] for line in curves] == list(CLANS[:2])
    assert all(len(re.findall("[▁▂▃▄▅▆▇█]", line)) == CURVE for line in curves)
    assert curves[0].endswith("100 % (one)")
    costly = [judged for judged in study.decisions if judged.costly]
    assert f"Moves that cost more than 5 %: {len(costly)}" in lines
    text = re.sub(r"\s+", " ", "\n".join(lines))
    states = replay.at(costly[0].step)
    chosen, better = (answer_text(states, 0, action) for action in (costly[0].action, costly[0].better))
    assert f"{costly[0].step} Age 1 {CLANS[costly[0].seat]}: {chosen} costs 20 %; better: {better}" in text
    assert text.count("[-20 %]") == len(costly)
    for age in range(1, NUM_AGES + 1):
        assert f"Age {age}: Action" in lines


def test_every_decision_is_in_the_list_by_turns(replay, study):
    """Also forced ones; a turn is all that one clan chooses before another is asked, or a phase begins."""
    lines = list(study_lines(WORDS, replay, study))
    turns = lines[lines.index("Moves by turns; the number is that of the decision") + 1 :]
    output = re.sub(r"\n {9}", " ", "\n".join(turns))
    shown = [line for line in output.split("\n") if re.match(r" *\d+  ", line)]
    assert sum(len(line.split("; ")) for line in shown) == len(replay)
    first = [int(line.split()[0]) for line in shown]
    assert first == sorted(first)
    for line, step in zip(shown, first, strict=True):
        assert line.split()[1] == f"{CLANS[study.decisions[step].seat]}:"


# ---- commands


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A game of a few actions."""
    game = Recorder(Replay(5, Options(2), players=("one", "two")))
    for _ in range(10):
        game.apply(int(game.states[0].mask.argmax()))
    path = tmp_path_factory.mktemp("game") / "short.brz"
    dataclasses.replace(game.replay(), scores=None).save(path)
    return str(path)


def test_analyse_prints_and_writes_a_page(short, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["analyse", short, "--simulations", "8", "--html", str(page)]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("Win probability over the game")
    assert "    0  " in output.out
    assert f"wrote {page}" in output.err
    assert "10/10 decisions" in output.err
    study = embedded(page.read_text(encoding="utf-8"))["study"]
    assert sum(one[1] for one in study["decisions"][0]["search"]) <= 8
    assert study["decisions"][0]["search"]


def test_probabilities_travel_in_the_replay(short, tmp_path, capsys):
    saved, page = tmp_path / "saved.brz", tmp_path / "page.html"
    assert main(["analyse", short, "--simulations", "1", "--save", str(saved)]) == 0
    replay = Replay.load(saved)
    assert dataclasses.replace(replay, probabilities=()) == Replay.load(short)
    assert main(["replay", str(saved), "--html", str(page)]) == 0
    data = embedded(page.read_text(encoding="utf-8"))
    assert [[action, share] for action, share, _ in data["probabilities"][0]] == [
        list(pair) for pair in replay.probabilities[0]
    ]
    assert f"saved {saved}: 10 actions" in capsys.readouterr().err


def test_replay_explains_by_the_network(short, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["replay", short, "--html", str(page), "--explain", "network"]) == 0
    data = embedded(page.read_text(encoding="utf-8"))
    assert data["agents"] == ["one", "two"]
    assert data["study"]["decisions"][0]["search"] == []
    assert sum(share for _, share, _ in data["study"]["decisions"][0]["network"]) > 500
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay", "FILE", "--explain", "network"], "--explain is for a page: give --html FILE too"),
        (["replay", "FILE", "--html", "x.html", "--explain", "loki"], "analysis is by a network, not by 'loki'"),
        (["analyse", "FILE", "--agent", "balanced"], "analysis is by a network, not by 'balanced'"),
        (["analyse", "FILE", "--agent", "network:path=no.npz"], "can't read no.npz"),
        (["analyse", "no.brz"], "no.brz: No such file"),
        (["analyse", "FILE", "--html", "no/such/page.html"], "there is no folder no/such for page.html"),
        (["analyse", "FILE", "--html", "FILE"], "the command needs this file; name another"),
        (["analyse", "FILE", "--html", "/tmp/x", "--save", "/tmp/./x"], "the command needs this file; name another"),
        (["replay", "FILE", "--html", "FILE"], "the command needs this file; name another"),
        (["demo", "--save", "x.brz", "--html", "x.brz"], "the command needs this file; name another"),
    ],
)
def test_what_can_not_be_done_is_said_in_a_line(short, capsys, words, said):
    assert main([short if word == "FILE" else word for word in words]) == 1
    output = capsys.readouterr()
    assert said in output.err
    assert output.err.count("\n") == 1


def test_a_game_without_actions_has_nothing_to_analyse(tmp_path, capsys):
    path = tmp_path / "empty.brz"
    Replay(1, Options(2)).save(path)
    assert main(["analyse", str(path)]) == 1
    assert "has no action to analyse" in capsys.readouterr().err


def test_an_interrupt_says_how_far_it_was(short, tmp_path, capsys, monkeypatch):
    decisions = Reviewer.decisions

    def interrupted(self):
        for number, judged in enumerate(decisions(self)):
            if number == 3:
                raise KeyboardInterrupt
            yield judged

    monkeypatch.setattr(Reviewer, "decisions", interrupted)
    page = tmp_path / "page.html"
    assert main(["analyse", short, "--simulations", "4", "--html", str(page)]) == INTERRUPTED
    output = capsys.readouterr()
    assert output.err == "\nbloodrage analyse: interrupted after 3 of 10 decisions; nothing was written\n"
    assert output.out == ""
    assert not page.exists()
