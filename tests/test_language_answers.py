"""What an answer of a language model means: each documented form, what has precedence, and what waits for later."""

from typing import Any
from unittest import mock

import numpy as np
import pytest
from toy_installed import toy

from bloodrage_env import games
from bloodrage_env.core.engine.tables import action_names
from bloodrage_env.games.berserk import engine as berserk
from bloodrage_env.games.bloodrage.engine import PASS, SLOT_OF_KIND, Card, Decision, Figure, Place
from bloodrage_env.language.final import MAX_ANSWER, Refusal, RefusedError
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.text import words_of

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")
STEPS = Parts(actions="steps")

BLOOD_RAGE = games.game("bloodrage")
SIGHT, TRICKERY, ALFHEIM = 30, 34, 49  # cards of the first pack, the last one with a price


@pytest.fixture
def first() -> tuple[TextGame, Any, int]:
    """The first question of a game, with what its seat knows."""
    states = BLOOD_RAGE.new_game(1, games.options_from("bloodrage", num_players=2))
    seat = int(states[0].seat)
    text = TextGame("bloodrage", STEPS)
    words = {each["id"]: each["text"] for each in text.structs.actions(states, seat)}
    assert (words[SIGHT], words[TRICKERY]) == ("keep Heimdall's Sight", "keep Loki's Trickery")
    assert words[ALFHEIM] == "keep Alfheim (5 glory)"
    return text, BLOOD_RAGE.hide(states, 0, seat), seat


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        # an id
        ("Answer: 30", SIGHT),
        ("I see.\n\n**Answer: 30**", SIGHT),
        ("- Answer: `30`.", SIGHT),
        ("Final answer: #30", SIGHT),
        ("ACTION = [30]", SIGHT),
        ("Answer: id 30: keep Heimdall's Sight", SIGHT),
        ("30", SIGHT),
        # the words
        ("Answer: keep Heimdall's Sight", SIGHT),
        ("Answer: KEEP HEIMDALL'S SIGHT.", SIGHT),
        ("Answer: keep Loki’s Trickery", TRICKERY),
        ("Answer: “keep   Alfheim (5 glory)”", ALFHEIM),
        ("Answer: keep Alfheim", ALFHEIM),
        ("I think about it.\n\nkeep Alfheim (5 glory)", ALFHEIM),
        # the notation
        (f"Answer: {action_names(BLOOD_RAGE.blocks)[ALFHEIM]}", ALFHEIM),
        (f"Answer: {action_names(BLOOD_RAGE.blocks)[SIGHT].lower()}", SIGHT),
        # structs, also within other JSON
        ('{"id": 30}', SIGHT),
        ('{"action": 30}', SIGHT),
        ('So:\n{"thought": "good", "action": {"id": 49, "kind": "card"}}', ALFHEIM),
        ('```json\n{"kind": "card", "arguments": {"card": "Loki\'s Trickery"}}\n```', TRICKERY),
        ('Not {"id": 29} but\n{"id": 30}.', SIGHT),
        ("{no JSON} {x: 1}\nAnswer: 30", SIGHT),
        # precedence
        ("Answer: 29\nno, wait\nAnswer: 30", SIGHT),
        ("34 is better than 29, but not best.\n30", SIGHT),
        ("word " * MAX_ANSWER + "\nAnswer: 30", SIGHT),
    ],
)
def test_forms_and_precedence_of_answers(first: tuple[TextGame, Any, int], answer: str, action: int) -> None:
    text, known, seat = first
    assert text.read(answer, known, seat) == action


@pytest.mark.parametrize(
    "answer",
    ["31", "Answer: keep", '{"action": "keep"}', '{"kind": "card", "arguments": {}}', "Don’t do this:\nAnswer: 30"],
)
def test_an_answer_of_no_single_action_is_refused(first: tuple[TextGame, Any, int], answer: str) -> None:
    text, known, seat = first
    with pytest.raises(RefusedError):
        text.read(answer, known, seat)


def test_words_that_two_actions_have_without_their_prices_are_not_guessed(first: tuple[TextGame, Any, int]) -> None:
    text, known, seat = first
    legal = [
        {"id": each, "kind": "card", "arguments": {}, "text": f"keep Alfheim ({glory} glory)"}
        for each, glory in ((49, 5), (50, 7))
    ]
    with mock.patch.object(type(text.structs), "actions", return_value=legal):
        assert text.read("Answer: keep Alfheim (7 glory)", known, seat) == 50
        with pytest.raises(RefusedError):
            text.read("Answer: keep Alfheim", known, seat)


def later(states: Any) -> None:
    """Play the toy until seat 0 is asked again, which plays its last number."""
    play = games.game("toy").play
    play.apply(states, 0, int(np.flatnonzero(states[0].mask)[-1]))
    while int(states[0].seat) != 0:
        play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))


def test_true_is_no_id() -> None:
    game = games.game("toy")
    starts = (game.new_game(seed, games.options_from("toy")) for seed in range(100))
    states = next(each for each in starts if each[0].mask[1])
    assert TextGame("toy", STEPS).read('{"action": 1}', states, 0) == 1
    with pytest.raises(RefusedError):
        TextGame("toy", STEPS).read('{"action": true}', states, 0)


def begun() -> tuple[TextGame, Any, list[int]]:
    states = games.game("toy").new_game(1, games.options_from("toy"))
    return TextGame("toy", STEPS), states, np.flatnonzero(states[0].mask).tolist()


@pytest.mark.parametrize("form", ["Answer: {}", '{{"id": {}}}'])
def test_a_new_answer_replaces_what_waits_from_an_earlier_one(form: str) -> None:
    text, states, numbers = begun()
    text.read(f"Answer: {numbers[-1]}; {numbers[0]}", states, 0)
    text.read(form.format(numbers[-1]), states, 0)
    later(states)
    assert text.kept(states, 0) is None


def test_what_waits_is_dropped_as_soon_as_a_part_of_it_is_not_legal() -> None:
    text, states, numbers = begun()
    text.read(f"Answer: {numbers[-1]}; {numbers[-1]}; {numbers[0]}", states, 0)
    later(states)  # so that the second one is not legal
    assert text.kept(states, 0) is None
    assert text.kept(states, 0) is None


def test_nothing_waits_of_an_answer_that_is_refused() -> None:
    text, states, numbers = begun()
    with pytest.raises(RefusedError):
        text.read(f"Answer: 999; {numbers[0]}", states, 0)
    assert text.kept(states, 0) is None


def turn(figures: dict[str, int] | None = None) -> tuple[TextGame, Any, int]:
    """A turn of Blood Rage with figures of the clan in Gimle."""
    states = BLOOD_RAGE.new_game(3, games.options_from("bloodrage", num_players=2))
    while states[0].decision != Decision.ACTION:
        BLOOD_RAGE.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[-1]))
    seat = int(states[0].seat)
    for kind, count in (figures or {}).items():
        states[0].figures[seat, Figure[kind], Place.GIMLE] = count
    return TextGame("bloodrage", STEPS), BLOOD_RAGE.hide(states, 0, seat), seat


@pytest.mark.parametrize(
    ("answer", "going"),
    [
        ("march 2 warriors, leader, Gimle -> Andlang", {"Warrior": 2, "Leader": 1}),
        ("March the leader and two warriors from gimle to andlang", {"Leader": 1, "Warrior": 2}),
        ("march a warrior + my leader, Gimle → Andlang", {"Warrior": 1, "Leader": 1}),
        ("march both warriors, Gimle -> Andlang", {"Warrior": 2}),
        ("march a warrior, leader and a warrior, Gimle -> Andlang", {"Warrior": 2, "Leader": 1}),
        ("march all my warriors and leader, Gimle -> Andlang", {"Warrior": 2, "Leader": 1}),
        ("march from Gimle to Andlang with the leader", {"Leader": 1}),
        ("march from Gimle to Andlang", None),
        ("march everyone, Gimle -> Andlang", {"Warrior": 2, "Leader": 1}),
        ("march all my figures, Gimle -> Andlang", {"Warrior": 2, "Leader": 1}),
        ("march 00002 warriors from Gimle to Andlang with the leader", {"Warrior": 2, "Leader": 1}),
    ],
)
def test_the_notation_of_a_composite_march(answer: str, going: dict[str, int] | None) -> None:
    text, known, seat = turn({"WARRIOR": 2, "LEADER": 1})
    march = {"kind": "march", "arguments": {"from": "Gimle", "to": "Andlang"}}
    assert text.structs.language.composite(words_of(answer), known, seat) == (march, going)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("march warriors Gimle -> Andlang", "it does not say how many warriors go"),
        ("march 2 trolls, Gimle -> Andlang", "`trolls` is not a figure of yours"),
        ("march leader, several warriors, Gimle -> Andlang", "`several` is not a figure of yours"),
        ("march leader, Gimle -> Asgard", "`asgard` is not a province"),
        ("march my leader", "`leader` is not a province"),
        (
            "march three warriors, Gimle -> Andlang",
            "3 warriors can't march from Gimle: 2 warriors of yours can go there",
        ),
        ("march everyone and the leader, Gimle -> Andlang", "is not a march"),
        ("march all and the leader, Gimle -> Andlang", "is not a march"),
        ("march all, leader, Gimle -> Andlang", "`all leader` does not say how many figures go"),
        ("march all from Gimle to Andlang with the leader", "is not a march"),
        ("march all from Gimle to Andlang with the warriors", "is not a march"),
        ("march all figures, warriors, Gimle -> Andlang", "`figures` is not a figure of yours"),
        ("march one and the leader, Gimle -> Andlang", "`and` is not a figure of yours"),
        ("march both leader and warrior, Gimle -> Andlang", "`both leader` does not say how many figures go"),
        ("march ² warriors, Gimle -> Andlang", "`²` is not a figure of yours"),
        ("invade Gimle with warriors", "is not a legal action"),
        ("march " + "x" * 500 + "\x1b, Gimle -> Andlang", "xxx' is not a march"),
        ("march \x1b, Gimle -> Andlang", "`?` is not a figure of yours"),
        ("march both leaders, Gimle -> Andlang", "2 leaders can't march from Gimle: 1 leader of yours can go there"),
    ],
)
def test_a_march_that_cannot_be_made_as_said_is_refused_whole(answer: str, said: str) -> None:
    text, known, seat = turn({"WARRIOR": 2, "LEADER": 1})
    with pytest.raises(RefusedError) as raised:
        text.read(f"Answer: {answer}", known, seat)
    assert said in str(raised.value)
    assert text.reader.plan == []


def test_a_card_is_played_or_a_quest_by_its_kind() -> None:
    text, known, seat = turn()
    composite = text.structs.language.composite
    card = {"kind": "card", "arguments": {"card": "Soldier of Hel"}}
    assert composite(words_of("play Soldier of Hel"), known, seat) == (card, None)
    assert composite(words_of("commit to the quest Soldier of Hel"), known, seat) is None


def test_a_thought_that_begins_before_the_part_that_is_read_counts(first: tuple[TextGame, Any, int]) -> None:
    text, known, seat = first
    long = "word " * MAX_ANSWER
    for said in ("<think>", "<|Think|>"):
        with pytest.raises(RefusedError, match=r"^the answer is empty"):
            text.read(f"{said}{long}\nAnswer: 30", known, seat)
        assert text.read(f"{said}{long}</think>{long}\nAnswer: 30", known, seat) == SIGHT
        assert text.read(f"{said}</think>{long}\nAnswer: 30", known, seat) == SIGHT


def test_figures_that_a_composite_march_does_not_name_stay() -> None:
    follow = TextGame("bloodrage", STEPS).structs.language.follow
    _, known, seat = turn()
    known[0].decision, known[0].about_kind = Decision.MARCH, Figure.MYSTIC
    assert follow({"Warrior": 2}, known, seat) == {"kind": "count", "arguments": {"count": 0}}
    known[0].about_kind = Figure.WARRIOR
    plan = {"Warrior": 2}
    assert follow(plan, known, seat) == {"kind": "count", "arguments": {"count": 2}}
    assert plan == {}
    known[0].decision = Decision.CALL
    assert follow({"Warrior": 2}, known, seat) is None


@pytest.mark.parametrize(
    ("answer", "refusal", "said"),
    [
        ("Answer: 999", Refusal.ILLEGAL, "there is no action 999"),
        ("Answer: 120", Refusal.ILLEGAL, "there is no action 120"),
        ('{"id": 1234567}', Refusal.ILLEGAL, "there is no action 1234567"),
        ('{"action":' * 400 + "1" + "}" * 400, Refusal.UNREADABLE, "the action in the JSON is nested too deep"),
        ("Answer: PROVINCE[GIMLE]", Refusal.ILLEGAL, "you have no figure in Gimle and no ship beside it (rules 3.2.9)"),
        ("Answer: invade Yggdrasil with the leader", Refusal.ILLEGAL, "nobody invades Yggdrasil (rules 3.2.5)"),
        ("Answer: STAT[RAGE]", Refusal.ILLEGAL, "the question is: Wolf takes an action"),
        ('{"kind": "march", "arguments": {"from": "Gimle", "to": "Horgr"}}', Refusal.ILLEGAL, "no figure in Gimle"),
        ('{"kind": "march", "arguments": {"from": "Gimle", "to": "Home"}}', Refusal.UNREADABLE, "is not legal now"),
        ("Answer: go home", Refusal.UNREADABLE, "end with one line `Answer: ACTION`, such as `Answer: "),
    ],
)
def test_a_refusal_has_a_class_and_a_reason(answer: str, refusal: Refusal, said: str) -> None:
    text, known, seat = turn()
    with pytest.raises(RefusedError) as raised:
        text.read(answer, known, seat)
    assert raised.value.refusal is refusal
    assert said in str(raised.value)


FJORD = "the fjord of Gimle and Myrkulor"


@pytest.mark.parametrize(
    ("place", "figure", "state", "said"),
    [
        (FJORD, "ship", {"rage": 1}, "it costs 2 Rage, and you have 1 (rules 3.2)"),
        (FJORD, "ship", {"on_board": 4}, "you have 4 figures on the board, and Horns 4 (rules 3.2.5)"),
        (FJORD, "ship", {"destroyed": 1, "on_board": 4}, "Gimle and Myrkulor are destroyed (rules 3.2.5)"),
        (FJORD, "leader", {}, f"only ships go to {FJORD} (rules 3.2.5)"),
        ("Gimle", "ship", {}, "the ship goes to fjords only (rules 3.2.5)"),
        ("Gimle", "leader", {"on_board": 4}, "you have 4 figures on the board, and Horns 4 (rules 3.2.5)"),
        ("Gimle", "Sea Serpent", {}, "the Sea Serpent goes to fjords only (rules 3.2.5)"),
        ("Yggdrasil", "Troll", {"rage": 2}, "nobody invades Yggdrasil (rules 3.2.5)"),
        (FJORD, "Sea Serpent", {"rage": 0}, "it costs 3 Rage, and you have 0 (rules 3.2)"),
        ("Yggdrasil", "Dark Elf", {"rage": 0}, "it costs 1 Rage, and you have 0 (rules 3.2)"),
        ("Yggdrasil", "Dark Elf", {"on_board": 4}, "you have 4 figures on the board, and Horns 4 (rules 3.2.5)"),
    ],
)
def test_a_refused_invade_names_what_forbids_it(place: str, figure: str, state: dict[str, int], said: str) -> None:
    text, known, seat = turn()
    s = known[0]
    s.mask[:] = 0
    s.mask[PASS] = 1
    if figure[0].isupper():
        s.upgrades[seat, SLOT_OF_KIND[Figure.MONSTER_1]] = Card[figure.upper().replace(" ", "_")]
        s.figures[seat, Figure.MONSTER_1, Place.RESERVE] = 1
    for name, value in state.items():
        s[name][seat if name != "destroyed" else slice(None)] = value
    with pytest.raises(RefusedError) as raised:
        text.read(f"Answer: invade {place} with the {figure}", known, seat)
    assert raised.value.refusal is Refusal.ILLEGAL
    assert str(raised.value).endswith(f"is not legal now: {said}")


def test_the_example_of_a_refusal_is_not_always_pass() -> None:
    """It is a legal action, another one from question to question."""
    examples = set()
    for seed in range(12):
        states = BLOOD_RAGE.new_game(seed, games.options_from("bloodrage", num_players=2))
        while states[0].decision != Decision.ACTION:
            BLOOD_RAGE.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[-1]))
        seat = int(states[0].seat)
        with pytest.raises(RefusedError) as raised:
            TextGame("bloodrage", STEPS).read("Answer: go home", BLOOD_RAGE.hide(states, 0, seat), seat)
        examples.add(int(str(raised.value).rpartition("Answer: ")[2].rstrip("`")))
    assert len(examples) > 3


def test_a_later_step_is_kept_for_its_kind_of_question_only() -> None:
    """A card that could be bought in a turn is not played into a battle (rules 3.2, 4)."""
    text, known, seat = turn()
    cards = [each for each in text.structs.actions(known, seat) if each["kind"] == "card"][:2]
    ids = [each["id"] for each in cards]
    assert text.read(f"Answer: {ids[0]}; {ids[1]}", known, seat) == ids[0]
    battle = known.copy()
    battle[0].decision = Decision.BATTLE_CARD
    assert battle[0].mask[ids[1]]
    assert text.kept(battle, seat) is None
    assert text.kept(known, seat) is None
    text.read(f"Answer: {ids[0]}; {ids[1]}", known, seat)
    assert text.kept(known, seat) == ids[1]


@pytest.mark.parametrize("skip_forced", [False, True])
def test_a_composite_march_goes_past_questions_with_one_answer(skip_forced: bool) -> None:
    """Whether they are asked or not: after no leader the one warrior has to go (rules 3.2.6)."""
    options = games.options_from("bloodrage", num_players=2, skip_forced=skip_forced)
    text, states = TextGame("bloodrage", STEPS), BLOOD_RAGE.new_game(3, options)
    play, placed = BLOOD_RAGE.play, set[str]()

    def seat() -> int:
        return int(play.seat_to_act(states, 0))

    def legal() -> list[dict[str, Any]]:
        return text.structs.actions(BLOOD_RAGE.hide(states, 0, seat()), seat())

    me = None
    while True:
        marches = [each for each in legal() if each["kind"] == "march" and len(placed) == 2 and seat() == me]
        if marches:
            break
        into = [each for each in legal() if each["kind"] == "figure_at" and each["text"].startswith("invade Gimle")
                and each["arguments"]["figure"] in {"Leader", "Warrior"} - placed and me in (None, seat())]  # fmt: skip
        if into:
            me = seat()
            placed.add(into[0]["arguments"]["figure"])
        play.apply(states, 0, into[0]["id"] if into else int(np.flatnonzero(states[0].mask)[-1]))
    places = marches[0]["arguments"]
    known = BLOOD_RAGE.hide(states, 0, seat())
    first = text.read(f"Answer: march a warrior, {places['from']} -> {places['to']}", known, seat())
    play.apply(states, 0, first)
    while states[0].decision == Decision.MARCH:
        kept = text.kept(BLOOD_RAGE.hide(states, 0, seat()), seat())
        assert kept is not None
        play.apply(states, 0, kept)
    assert states[0].figures[me, Figure.WARRIOR, Place[places["to"].upper()]] == 1
    assert states[0].figures[me, Figure.LEADER, Place[places["from"].upper()]] == 1


# ---- orders of Berserk


def main() -> tuple[TextGame, Any, int]:
    """The first turn of a game of Berserk in which a card can step forward twice."""
    game = games.game("berserk")
    states = game.new_game(4, games.options_from("berserk", setup="fixed"))
    while states[0].decision != berserk.Decision.MAIN:
        game.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[-1]))
    seat = int(states[0].seat)
    return TextGame("berserk", STEPS), game.hide(states, 0, seat), seat


def test_a_card_before_the_last_one_bought_is_refused_for_the_order() -> None:
    game, text = games.game("berserk"), TextGame("berserk", STEPS)
    states = game.new_game(1, games.options_from("berserk"))
    while states[0].decision != berserk.Decision.BUY:
        game.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    first, second = np.flatnonzero(states[0].mask)[:2].tolist()
    game.play.apply(states, 0, second)
    seat = int(states[0].seat)
    one, other = (berserk.TITLE[action - berserk.CARD] for action in (first, second))
    with pytest.raises(RefusedError, match=f"{one} comes before {other}, and cards are bought in that order"):
        text.read(f"Answer: {first}", game.hide(states, 0, seat), seat)


def test_a_card_that_must_strike_is_not_told_that_a_free_cell_is_taken() -> None:
    text, known, seat = main()
    move = next(each for each in text.structs.actions(known, seat) if each["kind"] == "move")
    known[0].mask[move["id"]] = 0  # nothing else forbids a step to a free cell
    with pytest.raises(RefusedError, match="has to strike a closed enemy first"):
        text.read(f"Answer: {move['id']}", known, seat)


@pytest.mark.parametrize("actions", ["whole", "steps", "none"])
def test_a_move_without_its_steps_is_one_of_whole_moves_only(actions: Any) -> None:
    steps, known, seat = main()
    move = next(each for each in steps.structs.actions(known, seat) if each["kind"] == "move")
    text = TextGame("berserk", Parts(actions=actions))
    answer = f"Answer: {move['arguments']['slot']} to {move['text'].split()[-1]}"
    if actions == "whole":
        assert text.read(answer, known, seat) == move["id"]
        return
    with pytest.raises(RefusedError, match=r"does not name each step\. .*forward 2, left, strike c4`$") as raised:
        text.read(answer, known, seat)
    assert raised.value.refusal is Refusal.UNREADABLE


def test_a_composite_move_of_berserk_names_its_card_and_its_target() -> None:
    text, known, seat = main()
    slot = f"{'AB'[seat]}3"
    words = text.structs.language.plain(f"{slot}: left two and strike at c4", known, seat)
    first, plan = text.structs.language.composite(words, known, seat) or ({}, None)
    assert first == {"kind": "move", "arguments": {"slot": slot, "direction": "left"}}
    assert plan is not None
    assert plan["steps"] == [
        first,
        {"kind": "act", "arguments": {"slot": slot, "act": "strike"}},
        {"kind": "cell", "arguments": {"cell": "c4"}},
    ]


@pytest.mark.parametrize(
    ("order", "refusal", "said"),
    [
        ("{slot}: {step}, fly", Refusal.UNREADABLE, "`fly` (step 2 of {slot}) is not a direction or action"),
        ("{slot}: {step} ²", Refusal.UNREADABLE, "`²` (step 2 of {slot}) is not a direction or action"),
        ("{other}1: forward", Refusal.ILLEGAL, "{other}1 is not a card of yours"),
        ("{slot}: fly", Refusal.UNREADABLE, "`fly` (step 1 of {slot}) is not a direction or action"),
        ("Dragon ({slot}): {step}", Refusal.UNREADABLE, "`dragon` is not the card of this slot"),
        ("{slot}: {step}, {step}, {step}, {step}, {step}, {step}, {step}", Refusal.ILLEGAL, "is not legal now"),
    ],
)
def test_an_order_is_checked_to_its_end_before_anything_is_played(order: str, refusal: Refusal, said: str) -> None:
    text, known, seat = main()
    move = next(each["arguments"] for each in text.structs.actions(known, seat) if each["kind"] == "move")
    given = {"slot": move["slot"], "step": move["direction"], "other": "B" if move["slot"][0] == "A" else "A"}
    with pytest.raises(RefusedError) as raised:
        text.read("Answer: " + order.format(**given), known, seat)
    assert raised.value.refusal is refusal
    assert said.format(**given) in str(raised.value)
    assert text.reader.plan == []
