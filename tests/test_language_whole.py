"""Whole moves as one question: lists of them say exactly what can be answered, and all of it can be carried out."""

import itertools
import re
from typing import Any

import numpy as np
import pytest
from test_structs import NAMED, positions
from toy_installed import toy

from bloodrage_agents import registry
from bloodrage_agents.by_text import ByText
from bloodrage_agents.match import play_game
from bloodrage_env import games
from bloodrage_env.language.final import RefusedError
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.language.whole import Move, listed

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


def without_figures(text: str) -> str:
    return re.sub(r"^march .*?, (?=\S+ ->)", "march ", text)


@NAMED
def test_a_list_says_exactly_the_moves(name: str, options: dict[str, Any], number: int) -> None:
    text = TextGame(name)
    for states, _ in positions(name, options, number, 23):
        seat = int(states[0].seat)
        if seat < 0:
            continue
        moves = text.moves(text.structs.game.hide(states, 0, seat), seat)
        lines = [*listed(moves)]
        assert len({move.texts[0] for move in moves}) == len(moves)
        assert len(lines) == len({*lines})
        said = {each for move in moves for each in move.texts}
        found = {each for line in lines for each in alternatives(line)}
        assert {without_figures(each) for each in found} <= {without_figures(each) for each in said}
        assert all(
            {without_figures(each) for each in move.texts} & {without_figures(each) for each in found} for move in moves
        )


def alternatives(line: str) -> set[str]:
    """All texts that a line of a list stands for."""
    while found := re.search(r"\{[^{}\[\]]*\}|\[[^{}\[\]]*\]", line):
        inside = found[0][1:-1].replace(" | ", "\x00")
        sign = ("\x01", "\x02") if found[0][0] == "{" else ("\x03", "\x04")
        line = line.replace(found[0], sign[0] + inside + sign[1], 1)
    return {" ".join(each.split()) for each in _texts(line)}


def _texts(line: str) -> list[str]:
    """Texts of a line with signs: of a choice one part, of an option its content or nothing."""
    texts, at = [""], 0
    while at < len(line):
        sign = line[at]
        if sign not in "\x01\x03":
            texts = [each + sign for each in texts]
            at += 1
            continue
        end, parts = _closed(line, at)
        inside = [each for part in parts for each in _texts(part)] + ([""] if sign == "\x03" else [])
        if texts[0].endswith("two of "):
            texts = [each.removesuffix("two of ") for each in texts]
            inside = [f"{one} and {other}" for one, other in itertools.combinations(inside, 2)]
        texts = [each + other for each in texts for other in inside]
        at = end
    return texts


def _closed(line: str, start: int) -> tuple[int, list[str]]:
    """Where the group that begins at a place ends, and its parts."""
    deep, parts = 0, [""]
    for at in range(start, len(line)):
        deep += (line[at] in "\x01\x03") - (line[at] in "\x02\x04")
        if deep == 0:
            return at + 1, parts
        if line[at] == "\x00" and deep == 1:
            parts.append("")
        elif at > start:
            parts[-1] += line[at]
    raise AssertionError(line)


@NAMED
def test_each_text_of_a_move_is_read_and_its_steps_can_be_played(
    name: str, options: dict[str, Any], number: int
) -> None:
    text, game = TextGame(name), games.game(name)
    for states, rng in positions(name, options, number, 17):
        seat = int(states[0].seat)
        if seat < 0:
            continue
        known = game.hide(states, 0, seat)
        moves = text.moves(known, seat)
        for place in rng.choice(len(moves), min(5, len(moves)), replace=False).tolist():
            move: Move = moves[place]
            actions = [step.action for step in move.steps]
            for said in move.texts:
                first = text.read(f"Answer: {said}", known, seat)
                assert [first, *(step.action for step in text.reader.plan)] == actions
            played = states.copy()
            game.play.apply(played, 0, first)
            while text.reader.plan:
                left = [*text.reader.plan]
                over = game.play.is_over(played, 0) or int(played[0].seat) != seat
                action = None if over else text.kept(game.hide(played, 0, seat), seat)
                if action is None:
                    assert all(step.forced for step in left)  # what has one answer is not asked
                    break
                game.play.apply(played, 0, action)


@pytest.mark.parametrize(("game", "spec", "at_most"), [("bloodrage", "balanced", 0.85), ("berserk", "hold", 0.85)])
def test_a_game_has_fewer_questions(game: str, spec: str, at_most: float) -> None:
    asked = []
    for actions in ("whole", "steps"):
        agents = [ByText(spec, actions=actions) for _ in range(2)]
        record = play_game(agents, 5, games.options_from(game, num_players=2), (1, 2))
        assert (
            record.actions
            == play_game(
                [registry.make(spec, game) for _ in range(2)], 5, games.options_from(game, num_players=2), (1, 2)
            ).actions
        )
        asked.append(sum(agent.asked for agent in agents))
    assert asked[0] < at_most * asked[1]


@pytest.fixture
def first() -> tuple[TextGame, Any, int]:
    """The first question of a game of two."""
    game = games.game("bloodrage")
    states = game.new_game(1, games.options_from("bloodrage", num_players=2))
    seat = int(states[0].seat)
    return TextGame("bloodrage"), game.hide(states, 0, seat), seat


def test_two_cards_of_a_draft_are_kept_in_any_order(first: tuple[TextGame, Any, int]) -> None:
    text, known, seat = first
    cards = re.findall(r"keep two of \{(.*)\}", text.prompt(known, seat))[0].split(" | ")
    assert len(cards) == 8
    for one, other in itertools.permutations(cards, 2):
        kept = [text.read(f"Answer: keep {one} and {other}", known, seat), text.reader.plan[0].action]
        for form in ("keep {1} and {0}", "keep {0}, {1}", "keep {1} & {0}", "keep two of {{{0} | {1}}}"):
            answer = f"Answer: {form.format(one, other)}"
            assert [text.read(answer, known, seat), text.reader.plan[0].action] == kept


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Answer: keep {0}", "is not a legal action"),
        ("Answer: keep {0} and {0}", "is not a legal action"),
        ("Answer: keep two of {0}", "is not a legal action"),
        ("Answer: keep two of {0}, {1} and {2}", "is not a legal action"),
        ("Answer: {id}", "is a number, and the actions have none"),
        ("Answer: action {id}", "is a number, and the actions have none"),
        ('{{"answer": {id}}}', "an action in JSON is"),
        ("[{id}]", "an action in JSON is"),
    ],
)
def test_a_part_of_a_move_or_a_number_is_refused(first: tuple[TextGame, Any, int], answer: str, said: str) -> None:
    """A number is none that the list shows; as `id` in JSON it is the id of a single step."""
    text, known, seat = first
    cards = re.findall(r"keep two of \{(.*)\}", text.prompt(known, seat))[0].split(" | ")
    lowest = int(np.flatnonzero(known[0].mask)[0])
    with pytest.raises(RefusedError, match=said):
        text.read(answer.format(*cards, id=lowest), known, seat)
    assert text.reader.plan == []
    assert text.read(f'{{"id": {lowest}}}', known, seat) == lowest


def test_no_id_is_in_a_list_of_moves(first: tuple[TextGame, Any, int]) -> None:
    text, known, seat = first
    asked = text.prompt(known, seat).rpartition("Legal actions:")[2]
    assert not re.search(r"^\d+:", asked, re.MULTILINE)
    steps = TextGame("bloodrage", Parts(actions="steps")).prompt(known, seat).rpartition("Legal actions:")[2]
    assert len(re.findall(r"^\d+: keep", steps, re.MULTILINE)) == int(np.count_nonzero(known[0].mask))


def test_lines_that_begin_alike_are_one() -> None:
    moves = [
        Move((tuple(each.split()),), (each,), ()) for each in ("go a x", "go b x", "go b y", "go c", "go d", "end")
    ]
    assert [*listed(moves)] == ["go {a x | b {x | y} | c | d}", "end"]
    optional = [
        Move((tuple(each.split()),), (each,), ()) for each in ("go a", "go a x", "go a y", "go b", "go b x", "go b y")
    ]
    assert [*listed(optional)] == ["go {a | b} [{x | y}]"]
