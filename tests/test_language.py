"""Games as text: an agent that plays by prompts and answers plays the same games as it does directly."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from toy_installed import toy

from bloodrage_agents import registry
from bloodrage_agents.by_text import ByText
from bloodrage_agents.match import play_game
from bloodrage_agents.random import RandomAgent
from bloodrage_env import games
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.games.berserk import engine as berserk
from bloodrage_env.games.bloodrage import engine as bloodrage
from bloodrage_env.games.bloodrage.notation.words import CLANS
from bloodrage_env.language.final import RefusedError
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.language.vocabulary import Vocabulary
from bloodrage_env.text import words_of

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")
STEPS = Parts(actions="steps")


@pytest.mark.parametrize(
    ("game", "spec", "parts"),
    [
        ("bloodrage", "balanced", {}),
        ("bloodrage", "balanced", {"state": "json", "words": 7}),
        ("berserk", "hold", {}),
        ("berserk", "rush", {"state": "none", "words": 3}),
        ("toy", "high", {"state": "json"}),
    ],
)
def test_play_by_text_is_the_same_play(game: str, spec: str, parts: dict[str, Any]) -> None:
    options = games.options_from(game, num_players=2)
    direct = play_game([registry.make(spec, game) for _ in range(2)], 5, options, (1, 2))
    by_text = play_game([ByText(spec, **parts) for _ in range(2)], 5, options, (1, 2))
    assert by_text.forfeit_reason is None
    assert by_text.actions == direct.actions


def test_play_by_text_answers_in_all_forms_and_by_invented_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words, ids, structs and notation in turns. The seed 0 of a vocabulary is one too."""
    answers, read = list[str](), TextGame.read
    monkeypatch.setattr(TextGame, "read", lambda self, text, *rest: (answers.append(text), read(self, text, *rest))[1])

    def answers_of(words: int) -> list[str]:
        answers.clear()
        agents = [ByText("balanced", words=words), registry.make("balanced")]
        play_game(agents, 5, games.options_from("bloodrage", num_players=2), (1, 2))
        return [*answers]

    plain = answers_of(-1)
    forms = r"(I choose\n```json.*```)|(Answer: \{.id.: \d+\})|(.*\*\*Answer: .*)|([A-Z_]+(?:\[.*\])?)"
    found = [re.fullmatch(forms, each, re.S) for each in plain]
    assert all(found)
    assert {each.lastindex for each in found if each} == {1, 2, 3, 4}
    invented = answers_of(0)
    assert len(invented) == len(plain)
    assert invented != plain


def test_the_agent_behind_a_text_begins_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Player(RandomAgent):
        def reset(self, seat: int, options: Any) -> None:
            begun.append((seat, options))

    monkeypatch.setattr(registry, "make", lambda *_: Player())
    options = games.options_from("toy", num_players=2)
    ByText("random").reset(1, options)
    assert begun == [(1, options)]


def test_an_action_that_the_prompt_does_not_list_is_a_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextGame, "prompt", lambda *_: "Legal actions: none\nAnswer:")
    game = play_game([ByText("random"), ByText("random")], 5, games.options_from("toy", num_players=2), (1, 2))
    assert game.actions == ()
    assert re.fullmatch(r"'play \d+' is not in the prompt", game.forfeit_reason or "")


def march() -> tuple[TextGame, Any, int]:
    """A position where two warriors can march from Gimle."""
    game, text = games.game("bloodrage"), TextGame("bloodrage", STEPS)
    states = game.new_game(3, games.options_from("bloodrage", num_players=2))
    rng = np.random.default_rng(0)
    for _ in range(4000):
        seat = int(states[0].seat)
        legal = text.structs.actions(states, seat)
        found = [each for each in legal if each["kind"] == "march"]
        struct = text.structs.observation(game.hide(states, 0, seat), seat) if found else {}
        for each in found:
            here = struct["clans"][struct["you"]]["figures"].get("Warrior", {}).get(each["arguments"]["from"], 0)
            room = struct["provinces"][each["arguments"]["to"]].get("empty_villages", 9)
            if here >= 2 and room >= 2:
                return text, states, each
        invade = [each["id"] for each in legal if each["text"].startswith("invade") and "warrior" in each["text"]]
        game.play.apply(states, 0, int(rng.choice(invade or [each["id"] for each in legal])))
        if game.play.is_over(states, 0):
            states = game.new_game(int(rng.integers(1000)), games.options_from("bloodrage", num_players=2))
    raise AssertionError("no such position")


def test_a_composite_move_is_split_into_its_decisions() -> None:
    text, states, move = march()
    game, seat = games.game("bloodrage"), int(states[0].seat)
    places = move["arguments"]
    answer = f"Answer: march 2 warriors, {places['from']} -> {places['to']}"
    assert text.read(answer, game.hide(states, 0, seat), seat) == move["id"]
    game.play.apply(states, 0, move["id"])
    counts = {}
    while (struct := text.structs.observation(game.hide(states, 0, seat), seat))["asked"]["kind"] == "march":
        action = text.kept(game.hide(states, 0, seat), seat)
        counts[struct["asked"]["figure"]] = next(
            each["arguments"] for each in text.structs.actions(states, seat) if each["id"] == action
        )
        game.play.apply(states, 0, int(action or 0))
    assert counts.pop("Warrior") == {"count": 2}
    assert all(each == {"count": 0} for each in counts.values())
    assert text.kept(game.hide(states, 0, int(states[0].seat)), int(states[0].seat)) is None


def test_answers_in_a_row_are_given_one_by_one() -> None:
    text, game = TextGame("toy", STEPS), games.game("toy")
    states = game.new_game(1, games.options_from("toy"))
    numbers = np.flatnonzero(states[0].mask).tolist()
    assert text.read(f"Answer: {numbers[1]}; {numbers[0]}", states, 0) == numbers[1]
    game.play.apply(states, 0, numbers[1])
    game.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    assert text.kept(states, 0) == numbers[0]
    game.play.apply(states, 0, numbers[0])
    game.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    assert text.kept(states, 0) is None


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "the answer is empty"),
        ("Answer: 9999", "there is no action 9999"),
        ("I don't know.", "is not a legal action: end with one line `Answer: ACTION`"),
        ('{"id": 9999}', "there is no action 9999"),
        ('{"kind": "card"}', "legal actions are of this kind: give their arguments"),
        ("{" * 5000, "is not JSON: end with one line `Answer: ACTION`"),
    ],
)
def test_what_cannot_be_read_has_one_reason(answer: str, said: str) -> None:
    text, game = TextGame("bloodrage", STEPS), games.game("bloodrage")
    states = game.new_game(1, games.options_from("bloodrage"))
    seat = int(states[0].seat)
    with pytest.raises(RefusedError, match=said) as raised:
        text.read(answer, game.hide(states, 0, seat), seat)
    assert "\n" not in str(raised.value)


def test_an_answer_that_names_two_actions_is_not_guessed() -> None:
    text, game = TextGame("bloodrage", STEPS), games.game("bloodrage")
    states = game.new_game(1, games.options_from("bloodrage"))
    seat = int(states[0].seat)
    one, other, *_ = [each["text"] for each in text.structs.actions(states, seat)]
    known = game.hide(states, 0, seat)
    for said in (f"Let me {one}, I think", f"Should I {one}, or {other}?"):
        with pytest.raises(RefusedError, match="end with one line"):
            text.read(said, known, seat)
    with pytest.raises(RefusedError, match="several lines are actions"):
        text.read(f"{one}.\n\n{other}", known, seat)


TITLES = {
    "bloodrage": [*bloodrage.TITLE, *(each.name.capitalize() for each in (*bloodrage.Place, *bloodrage.God)), *CLANS],
    "berserk": [*berserk.TITLE, *(name for row in berserk.CLASSES for name in row.split(";"))],
}
ORDINARY = {"Reserve", "Valhalla", "In", "Of"}  # the first one is not a name; the others are parts of texts


def real_names(game: str) -> set[str]:
    """Every capitalized word of the titles, places, gods, clans and families of a game, and its name."""
    words = {word for title in TITLES[game] for word in re.findall(r"[A-Z][a-z-]+(?:-[A-Z][a-z]+)*", title)}
    return {word for word in words if not word.startswith("Fjord")} - ORDINARY | {game, games.spec(game).title}


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_no_name_is_left_in_any_text_with_other_names(game: str) -> None:
    """In the rules, prompts and structs of a game, and in refusals of what a model says with its own words."""
    found = set[str]()
    for parts in (Parts(words=11, rules="full"), Parts(words=11, state="json", actions="steps")):
        text, rules = TextGame(game, parts), games.game(game)
        assert text.vocabulary is not None
        texts, rng = [text.system()], np.random.default_rng(2)
        states = rules.new_game(2, games.options_from(game, num_players=2))
        while not rules.play.is_over(states, 0):
            seat = int(rules.play.seat_to_act(states, 0))
            known = rules.hide(states, 0, seat)
            if rng.random() < 0.15:
                texts.append(text.prompt(known, seat))
                word = rng.choice([*text.vocabulary.words.values()])
                for said in (f"Answer: I think about what to do with {word} {word} {word} {word}", "Answer: 150", "99"):
                    texts += refusals(text, said, known, seat)
            rules.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0].mask))))
        whole = "\n".join(texts)
        words, plain = set(re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)*", whole)), whole.casefold()
        found |= {name for name in real_names(game) if name in words}
        found |= {name for name in text.vocabulary.words if " " in name and name.casefold() in plain}
    assert found == set()


def refusals(text: TextGame, said: str, known: Any, seat: int) -> list[str]:
    """The reason why an answer is refused, if it is."""
    try:
        text.read(said, known, seat)
    except RefusedError as error:
        return [str(error)]
    return []


def test_invented_words_differ_by_seed() -> None:
    one, same, other = (Vocabulary(["Wolf", "Bear", "Odin"], seed).words for seed in (11, 11, 12))
    assert one == same
    assert one != other
    many = Vocabulary(map(str, range(2000)), 11).words
    assert len({*many.values()}) == len(many)


def test_a_vocabulary_is_read_back() -> None:
    words = Vocabulary(["Odin's Throne", "Odin", "warrior"], 1)
    said = "Odin's Throne and Odin send 3 warriors"
    assert words.reveal(words.hide(said)) == said
    assert "Odin" not in words.hide(said)
    assert words.reveal(words.hide("Odin").upper()) == "Odin"


@pytest.mark.parametrize("game", ["bloodrage", "berserk", "berserk_team", "berserk_laar"])
@pytest.mark.parametrize(("length", "low", "high"), [("short", 550, 800), ("full", 2200, 2600)])
def test_the_rules_are_as_long_as_documented(game: str, length: Any, low: int, high: int) -> None:
    text = TextGame(game, Parts(rules=length))
    assert low < len(text.structs.language.rules[length].split()) < high
    assert text.structs.language.rules[length] in text.system()
    assert text.structs.language.moves in text.system()


MODES = ("berserk", "berserk_team", "berserk_laar")
# What only the rules of some modes of Berserk say, in the short form and in the full one.
TRUE_OF = {
    "chooses to be First or Second": ("berserk",),
    "Nobody chooses": ("berserk_team",),
    "nobody chooses": ("berserk_laar",),
    "quarter": ("berserk_team",),
    "partner": ("berserk_team",),
    "Player D": ("berserk_team",),
    "passed over": ("berserk_team",),
    "Four players": ("berserk_team",),
    "Two players recruit": ("berserk",),
    "Astaroth": ("berserk_laar",),
    "demon": ("berserk_laar",),
    "angel": ("berserk_laar",),
    "takes 4 wounds": ("berserk_laar",),
    "begins with life 61": ("berserk_laar",),
    "24 gold and 22 silver": ("berserk", "berserk_team"),
    "24 gold and 10 silver": ("berserk_laar",),
}


@pytest.mark.parametrize("length", ["short", "full"])
@pytest.mark.parametrize("said", TRUE_OF)
def test_the_rules_of_a_mode_are_its_own(length: str, said: str) -> None:
    rules = {mode: structs_of(games.spec(mode)).language.rules[length] for mode in MODES}
    assert tuple(mode for mode in MODES if said in rules[mode]) == TRUE_OF[said]


@pytest.mark.parametrize("length", ["short", "full"])
@pytest.mark.parametrize("mode", MODES)
def test_no_mark_is_left_in_the_rules(length: str, mode: str) -> None:
    text = structs_of(games.spec(mode)).language.rules[length]
    assert not re.search(r"[<>{}]|\n\n\n|  |(two|team|laar):", text)


@pytest.mark.parametrize("mode", MODES)
def test_the_rules_say_what_options_change(mode: str) -> None:
    rules = structs_of(games.spec(mode)).language.rules
    assert all("combat=difference" in each and "4: strong, weak; 3: medium, misses;" in each for each in rules.values())
    assert ("placing=at_once" in rules["full"]) == (mode != "berserk_laar")  # there one player places
    assert "in list order" in rules["short"]


def test_a_history_can_be_left_out() -> None:
    states = games.game("toy").new_game(1, games.options_from("toy"))
    shown = [TextGame("toy", Parts(history=each)).prompt(states, 0, ["Blue plays 3"]) for each in (True, False)]
    assert ["Blue plays 3" in each for each in shown] == [True, False]


def test_rules_without_a_length_are_left_out() -> None:
    assert len(TextGame("bloodrage", Parts(rules="none", state="none")).system().split()) < 130
    assert "Play by the questions" in TextGame("toy", STEPS).system()


def test_a_composite_move_of_berserk_is_steps_and_an_action() -> None:
    text, game = TextGame("berserk", STEPS), games.game("berserk")
    states = game.new_game(4, games.options_from("berserk", setup="fixed"))

    def moves(record: Any, slot: str | None = None) -> list[dict[str, Any]]:
        seat = int(record[0].seat)
        legal = text.structs.actions(game.hide(record, 0, seat), seat)
        moves = [each for each in legal if each["kind"] == "move"]
        return [each for each in moves if slot is None or each["arguments"]["slot"] == slot]

    def twice() -> Iterator[tuple[dict[str, Any], Any, dict[str, Any]]]:
        """Moves after which the card can move on: the move, the game after it, and a second move."""
        for move in moves(states):
            later = states.copy()
            game.play.apply(later, 0, move["id"])
            for second in moves(later, move["arguments"]["slot"]):
                yield move, later, second

    rng = np.random.default_rng(1)
    while (found := next(twice(), None)) is None:
        game.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0].mask))))
    move, later, second = found
    seat, said = int(states[0].seat), move["arguments"]
    answer = f"Answer: {said['slot']}: {said['direction']}, {second['arguments']['direction']}"
    assert text.read(answer, game.hide(states, 0, seat), seat) == move["id"]
    assert text.kept(game.hide(later, 0, seat), seat) == second["id"]


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        ("A3: forward 2, left, strike c4", ["move", "move", "move", "act", "cell"]),
        ("b12 ability 1 at d5", ["act", "cell"]),
        ("A3 back then strike", ["move", "act"]),
        ("A3: strike", ["act"]),
        ("forward", None),
    ],
)
def test_the_notation_of_composite_moves_of_berserk(answer: str, kinds: list[str] | None) -> None:
    game, text = games.game("berserk"), TextGame("berserk", STEPS)
    states = game.new_game(4, games.options_from("berserk", setup="fixed"))
    while text.structs.observation(states, int(states[0].seat))["asked"]["kind"] != "main":
        game.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[-1]))
    seat = "ab".find(answer[0].lower())
    found = text.structs.language.composite(words_of(answer), states, seat)
    steps = None if found is None else [found[0], *(found[1] or {"steps": []})["steps"]]
    assert (steps and [each["kind"] for each in steps]) == kinds
