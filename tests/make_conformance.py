"""Makes `conformance.json` from tables of forms and the positions of games with random answers.

`python make_conformance.py` in this folder writes the file. It does not use the reader of answers: what a text
means is said where it is made. In a form `{i}` and `{j}` are ids of legal actions, `{w}` and `{v}` their words, `{n}`
the notation of the first one, `{s}` its struct, and `{x}` is the id of an action that is not legal.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final, NamedTuple

import numpy as np

from bloodrage_env import files, games
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.tables import action_names
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.encoding import as_json
from bloodrage_env.games.berserk import engine as berserk
from bloodrage_env.games.berserk.engine import ACT, CELL, MOVE, NONE, NUM_ACTS, NUM_CELLS, NUM_DIRECTIONS, SQUAD, TITLE
from bloodrage_env.games.berserk.notation.words import cell_name, is_turned, slot_name
from bloodrage_env.games.bloodrage.engine import COUNT as COUNTED
from bloodrage_env.games.bloodrage.engine import MARCH, MARCH_FROM, MARCH_TO, Decision
from bloodrage_env.games.bloodrage.notation.words import PROVINCES, kind_name
from bloodrage_env.language.answers import without_price
from bloodrage_env.language.conformance import FILE, FORMAT, Question, Row

COUNT: Final = 1000
SEED: Final = 20_261_128
PLAYED: Final = (("bloodrage", {"num_players": 2, "skip_forced": False}), ("berserk", {"skip_forced": False}))
LEAST: Final = 2  # legal actions of a position
DEPTH: Final = 400  # actions of a game in which positions are looked for
GAMES: Final = 12  # of each game
STEPS: Final = 3  # of a card of Berserk, in a composite move
EACH: Final = 2  # positions of each kind of question
UNREADABLE, ILLEGAL = "unreadable", "illegal"

# Texts that mean {i}.
FORMS: Final = (
    "{i}", "Answer: {i}", "**Answer: {i}**", "**Answer:** {i}", "Final answer: {i}.", "ACTION = {i}", "Answer： {i}",
    "Action: [{i}]", "- Answer: `{i}`", "## Answer: {i}", "My final answer is: {i}", "Answer:\n{i}",
    "Answer:\n\n**{i}**", "Action {i}", "id={i}", "option {i}", "Answer: id {i}", "Answer: #{i}",
    "Answer: action id {i}", "({i})",
    "<answer>{i}</answer>", "<answer>\n{i}\n</answer>", "<action>{i}</action>.", "<|ACTION|>{i}<|END|>", "<answer>{i}",
    "\\boxed{{{i}}}", "The answer is $\\boxed{{{i}}}$.", "Answer: \\boxed{{\\text{{{i}}}}}",
    "Answer: <answer>{i}</answer>",
    '{{"id": {i}}}', '{{"id": "{i}"}}', '{{"action_id": {i}}}', '{{"answer": {i}}}', '{{"action": {{"id": {i}}}}}',
    '{{"thought": "It is best.", "action": {i}}}', '```json\n{{\n  "reason": "so",\n  "action": {i}\n}}\n```', "[{i}]",
    "Answer: {{\"id\": {i}}}", "```\n{i}\n```", "Answer: {i}<|im_end|>", "Answer: {i}</s>", "{s}", "```json\n{s}\n```",
    "Answer: {s}", "Answer: {w}", "Answer: {W}.", "Answer: “{w}”", "**Answer: {w}**", "{w}", "Answer: {i}: {w}",
    "Answer: {i} ({w})", "Answer: {i} - {w}", "<answer>{w}</answer>", "{n}", "Answer: {n}", "Answer: {i}: {n}",
    "Answer: {i}\nSummary: I wait for the end.", "Summary: I wait for the end.\nAnswer: {i}",
    "\\[\n\\boxed{{{i}}}\n\\]", "\\(\\boxed{{{i}}}\\)", "The answer is \\(\\boxed{{{i}}}\\).",
    "Therefore, the final answer is: $\\boxed{{{i}}}$.", "\\boxed{{\\textbf{{{i}}}}}", "\\boxed{{\\mathrm{{{i}}}}}",
    "## Final Answer\n{i}", "**Decision:**\n{i}", "Answer: {i}。", "Answer: „{w}“", "Answer: «{i}»", "Answer: 「{i}」",
    "\ufeffAnswer: {i}\u200b", "Answer\u00a0: {i}", "Answer: Answer: {i}", '{{"final_answer": {i}}}',
    '{{"choice": {i}}}', '{{"Action": {i}}}', '{{"thought": "I write <answer> soon.", "id": {i}}}',
)  # fmt: skip
# Texts before a final answer, which do not count.
DECOYS: Final = (
    'I first thought of {{"id": {j}}}, but it is worse.\n', "Should I {v}? No.\n\n", "{j} would be a mistake.\n",
    "1. {v}: risky\n2. {w}: safe\n\n", "<think>Answer: {j}</think>\n", "I must not {v}.\n", "{v}\n", "{j}\n",
    "Answer: {j}\nNo, wait.\n", "```json\n{{\"id\": {j}}}\n```\nThat is worse.\n", "<answer>{j}</answer>? No.\n",
    "\\boxed{{{j}}} is wrong.\n", "Action: {j} loses.\nBut then:\n", "[{j}]\n", "Answer: {x}\nThat is not legal.\n",
    "Answer: {j}</think>", "I write <answer> at the end.\n",
)  # fmt: skip
FINALS: Final = ("Answer: {i}", "Final answer: {w}", "<answer>{i}</answer>", "\\boxed{{{i}}}", '{{"id": {i}}}')
# Texts in which no action can be read.
REFUSED: Final = (
    "", "Answer:", "I don't know.", "Answer: not {w}", "Answer: never {w}", "Answer: {w}?", "Answer: ~~{w}~~",
    "Answer: {i}: {v}", "Answer: {i} or {j}", "Answer: {i}, {j}", "Answer: {i}/{j}", "Answer: {i}.5", "Answer: -{i}",
    "Answer: {w}, not {v}", "Answer: {w} or {v}", "I will not\n{w}", "I'd rather\n{i}", "{i}\n\n{j}", "{w}\n\n{v}",
    "- {v}\n- {w}", "1. {v}: risky\n2. {w}: safe\nI take the safe one.", "{i} would be too much. I take less.",
    "I would rather {w}.", "So I {w}, I think.", "Let me {w}; then {v}", "Answer: {i}\nNo, I take that back.",
    "Answer: {i}\nThis is better than\n{j}", "Answer: {i}\nHmm, {j} is better.", "<answer>{i}</answer> Or {j}?",
    "\\boxed{{{i}}} or \\boxed{{{j} maybe}}", "<think>Answer: {i}", 'So: {{"id": {i}}}', '{{"id": {i}, "id": {j}}}',
    '{{"id": {i}, "action": {j}}}', '{{"id": {i}, "text": {V}}}', '{{"id": true}}', '{{"id": {i}.0}}', '{{"id": null}}',
    '{{"reason": "none"}}', '{{"action": "perhaps"}}', "[[{i}]]", "[]", "{{'id': {i}}}", "{{\"id\": {i}}} is best.",
    "Answer: {i}; perhaps {v}", "Answer: {w} unless they {v}", "Answer: anything but {w}", "Answer: {i} {j}",
    "My answer is {w}", "Answer: {i}e1", "Summary: {w}\n{i}", "Answer: {i} because it is good",
    "Answer: \\boxed{{{i}}}, not \\boxed{{{j}}}", "\\boxed{{{i}}} is better than \\boxed{{{j}}}",
    "<answer>{i}</answer> rather than <answer>{j}</answer>", "The answer is not \\boxed{{{i}}}.",
    "I would never answer <answer>{i}</answer>.", "\\boxed{{{i}}} or \\boxed{{{j}}}", "Answer: {i}\n[{j}: {v}]",
    "Answer: {i}\n[{j}]", '{{"id": {i}}}\n{{"id": {j}}}', "{i}: {w}.\n\n{j}: {v}", "- {i}.\n\n{j}",
    "Legal actions:\n\n{i}: {w}", "I reject this one:\n{i}", "I won't play\n\n{i}", "Don't do this:\n```\n{i}\n```",
    'Don\'t do this:\n```json\n{{"id": {i}}}\n```', "Answer: eight", "Answer: A", "A", "one",
    "Answer: {i}\nSummary: I wait.\nAnswer: {j}",
)  # fmt: skip
# Texts whose action is not legal.
NOT_LEGAL: Final = (
    "Answer: {x}", "{x}", "<answer>{x}</answer>", '{{"id": {x}}}', '{{"action": {x}}}', "Answer: 99999",
    "\\boxed{{{x}}}",
    "Answer: {i}\nNo, wait.\nAnswer: {x}", "Answer: {i}; {x}", "[{i}, {x}]", "I could {w}, but no.\nAnswer: {x}",
    "Answer: {y}", "{t}", '```json\n{{"action": {t}}}\n```', "Answer: option {x}",
)  # fmt: skip
# Texts that mean {i} and, later, {j}.
PLANS: Final = (
    "Answer: {i}; {j}", "[{i}, {j}]", "Answer: {w}; {v}", '{{"action": [{i}, {j}]}}', '[{{"id": {i}}}, {{"id": {j}}}]',
    "Answer: {i}; {v};", '{{"answer": "{i}; {j}"}}', "<answer>{i}; {j}</answer>", "Answer: [{i}, {j}]",
)  # fmt: skip


class Wanted(NamedTuple):
    """A form, the texts of which it is made, and what it means: of {i} and {j}, or a refusal."""

    name: str
    form: str
    means: str


def forms() -> Iterator[Wanted]:
    """Yield all forms."""
    for form in FORMS:
        yield Wanted("form", form, "i")
    for number, decoy in enumerate(DECOYS):
        for form in FINALS[number % 2 :: 2]:
            yield Wanted("decoy", decoy + form, "i")
    for form in REFUSED:
        yield Wanted("refused", form, UNREADABLE)
    for form in NOT_LEGAL:
        yield Wanted("not legal", form, ILLEGAL)
    for form in PLANS:
        yield Wanted("plan", form, "ij")


def positions() -> Iterator[Question]:
    """Yield positions of each game, `EACH` of each kind of question with a choice."""
    for name, options in PLAYED:
        game, structs = games.game(name), structs_of(games.spec(name))
        left: dict[str, int] = {}
        for number in range(GAMES):
            states = game.new_game(SEED + number, games.options_from(name, **options))
            rng, actions = np.random.default_rng(SEED + number), list[int]()
            while not game.play.is_over(states, 0) and len(actions) < DEPTH:
                seat = int(game.play.seat_to_act(states, 0))
                known = game.hide(states, 0, seat)
                kind = structs.observation(known, seat)["asked"]["kind"]
                some = known[0].num_legal >= LEAST and rng.random() < 0.2
                if some and left.setdefault(kind, EACH) > 0 and (kind != "action" or marches(known, seat)):
                    left[kind] -= 1
                    yield Question(name, options, SEED + number, tuple(actions), kind)
                actions.append(int(rng.choice(np.flatnonzero(states[0].mask))))
                game.play.apply(states, 0, actions[-1])


def marches(known: Records, seat: int) -> list[int]:
    """Return the legal marches of a turn of Blood Rage from provinces with several figures."""
    legal = (action - MARCH for action in np.flatnonzero(known[0].mask).tolist() if action >= MARCH)
    return [offset for offset in legal if known[0].figures[seat, :, MARCH_FROM[offset]].sum() > 1]


def words(question: Question, number: int) -> dict[str, Any]:
    """Return what a form is filled with at a position. It differs from one `number` of a form to the next."""
    known, seat = question.known()
    structs = structs_of(games.spec(question.game))
    names, legal = action_names(structs.game.blocks), structs.actions(known, seat)
    plain = [without_price(each["text"]) for each in legal]
    clear = [each for each, text in zip(legal, plain, strict=True) if plain.count(text) == 1]
    one, other = clear[number % len(clear)], clear[(number + 1) % len(clear)]
    ids = [each["id"] for each in legal]
    others = [each for each in range(len(names)) if each not in ids and structs.without_text(known, seat, each)]
    kinds = {each["kind"] for each in legal}
    near = [each for each in others if names[each].partition("[")[0].lower() in kinds] or others
    illegal = near[7 * number % len(near)]
    return {
        "i": one["id"], "j": other["id"], "x": illegal, "w": one["text"], "v": without_price(other["text"]),
        "W": without_price(one["text"]).upper(), "V": as_json(other["text"]), "n": names[one["id"]],
        "y": names[illegal], "s": as_json({"kind": one["kind"], "arguments": one["arguments"]}, ascii_only=False),
        "t": as_json(structs.without_text(known, seat, illegal), ascii_only=False),
    }  # fmt: skip


# ---- composite moves

MARCHES: Final = (
    "Answer: march {who}, {a} -> {b}", "march {who} from {a} to {b}", "Answer: march from {a} to {b} with {who}.",
    '{{"action": "march {who}, {a} -> {b}"}}', "<answer>march my {who}, {a} → {b}</answer>",
)  # fmt: skip
NO_MARCHES: Final = (
    ("Answer: march warriors, {a} -> {b}", UNREADABLE), ("Answer: march {who}, two trolls, {a} -> {b}", UNREADABLE),
    ("Answer: march {who}", UNREADABLE), ("Answer: march {who}, {a} -> Asgard", UNREADABLE),
    ("Answer: march 9 warriors, {a} -> {b}", ILLEGAL), ("Answer: march the ship, {a} -> {b}", ILLEGAL),
    ("Answer: march {who}, {a} -> {a}", UNREADABLE),
)  # fmt: skip
NUMBERS: Final = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight")


def composite_moves(place: int, question: Question) -> Iterator[Row]:
    """Yield the moves of a position that take several decisions, as one answer, and some that can't be made."""
    if (question.game, question.kind) == ("bloodrage", "action"):
        yield from _marches(place, question)
    if (question.game, question.kind) == ("berserk", "main"):
        yield from _orders(place, question)


def _marches(place: int, question: Question) -> Iterator[Row]:
    """Marches with their figures. The game says how many of each kind can go."""
    rng, play = np.random.default_rng(place), games.game(question.game).play
    for number, (form, means) in enumerate([*((form, "") for form in MARCHES * 2), *NO_MARCHES]):
        states, seat = question.states()
        offset = int(rng.choice(marches(states, seat)))
        a, b = PROVINCES[MARCH_FROM[offset]], PROVINCES[MARCH_TO[offset]]
        ids, who = [MARCH + offset], list[str]()
        play.apply(states, 0, ids[0])
        while states[0].decision == Decision.MARCH and states[0].seat == seat:
            kind = int(states[0].about_kind)
            ids.append(int(rng.choice(np.flatnonzero(states[0].mask))))
            count, name = ids[-1] - COUNTED, kind_name(states[0], seat, kind)
            there = int(states[0].figures[seat, kind, MARCH_FROM[offset]])
            if count:
                said = "all" if count == there and number % 3 == 0 else NUMBERS[count] if number % 2 else str(count)
                who.append(name if count == there == 1 else f"{said} {name}{'s'[: count != 1]}")
            play.apply(states, 0, ids[-1])
        text = form.format(who=", ".join(who) if number % 2 else " and ".join(who), a=a, b=b)
        yield Row(place, "march", text, means or ids)


NO_ORDERS: Final = (
    ("Answer: {slot}: fly", UNREADABLE), ("Answer: {slot}: {order}, fly", UNREADABLE), ("Answer: {slot}", UNREADABLE),
    ("Answer: {slot}: forward 40", UNREADABLE), ("Answer: Dragon ({slot}): {order}", UNREADABLE),
    ("Answer: {none}: forward", ILLEGAL), ("Answer: {slot}: {order}, {order}, {order}, {order}, {order}", ILLEGAL),
)  # fmt: skip
ORDERS: Final = ("Answer: {slot}: {order}", "{slot}: {order}", "Answer: {title} ({slot}): {order}.",
                 '{{"action": "{slot}: {order}"}}', "\\boxed{{{slot}: {order}}}")  # fmt: skip


def _orders(place: int, question: Question) -> Iterator[Row]:
    """Step and an action of a card, with its target."""
    rng = np.random.default_rng(place)
    for form, means in [*((form, "") for form in ORDERS * 2), *NO_ORDERS]:
        states, seat = question.states()
        ids, order = list[int](), list[str]()
        cards = sorted({(action - MOVE) // NUM_DIRECTIONS for action in np.flatnonzero(states[0].mask).tolist()
                        if MOVE <= action < ACT})  # fmt: skip
        number = int(rng.choice(cards))
        while (step := _step(states, seat, number, rng)) and len(ids) < STEPS:
            ids, order = [*ids, *step[0]], [*order, step[1]]
            if step[0][0] >= ACT or means:
                break
        free = next(each for each in range(SQUAD) if states[0].cell[seat * SQUAD + each] == NONE)
        given = {
            "slot": slot_name(seat * SQUAD + number),
            "order": ", ".join(order),
            "none": slot_name(seat * SQUAD + free),
        }
        yield Row(
            place, "order", form.format(**given, title=TITLE[states[0].card[seat * SQUAD + number]]), means or ids
        )


def _step(states: Records, seat: int, number: int, rng: np.random.Generator) -> tuple[list[int], str] | None:
    """A step or an action of a card, played; the ids and how it is said. None if it can do nothing more."""
    play, s = games.game("berserk").play, states[0]
    if s.seat != seat or s.decision != berserk.Decision.MAIN:
        return None
    moves = [MOVE + number * NUM_DIRECTIONS + each for each in range(NUM_DIRECTIONS)]
    acts = [ACT + number * NUM_ACTS + each for each in range(NUM_ACTS)]
    legal = [action for action in moves + acts if s.mask[action]]
    if not legal:
        return None
    action = int(rng.choice(legal))
    play.apply(states, 0, action)
    if action < ACT:
        return [action], berserk.Direction((action - MOVE) % NUM_DIRECTIONS).name.lower()
    said = berserk.Act((action - ACT) % NUM_ACTS).name.lower().replace("_", " ")
    targets = [each for each in np.flatnonzero(states[0].mask).tolist() if CELL <= each < CELL + NUM_CELLS]
    if states[0].seat != seat or states[0].decision != berserk.Decision.TARGET or not targets:
        return [action], said
    target = int(rng.choice(targets))
    cell = NUM_CELLS - 1 - target + CELL if is_turned(states[0], seat) else target - CELL
    play.apply(states, 0, target)
    return [action, target], f"{said} {cell_name(cell)}"


def rows(questions: list[Question]) -> Iterator[Row]:
    """Yield the answers: composite moves, and forms at positions in turn."""
    moves = [row for place, question in enumerate(questions) for row in composite_moves(place, question)]
    yield from moves
    wanted = list(forms())
    for number in range(COUNT - len(moves)):
        each, place = wanted[number % len(wanted)], (7 * number + number // len(wanted)) % len(questions)
        given = words(questions[place], number)
        means = [given[key] for key in each.means] if each.means in ("i", "ij") else each.means
        yield Row(place, each.name, each.form.format(**given), means)


def content() -> str:
    """Return the content of the file: a position or an answer in each line."""
    questions = list(positions())
    head = as_json({"format": FORMAT, "rules": {name: games.game(name).rules_version for name, _ in PLAYED}})
    asked = ",\n".join(as_json(asdict(each)) for each in questions)
    said = ",\n".join(as_json([*asdict(each).values()]) for each in rows(questions))
    return f'{head[:-1]}, "positions": [\n{asked}\n], "answers": [\n{said}\n]}}\n'


if __name__ == "__main__":
    files.write(FILE, content().encode())
