"""Writes `add_a_game.md`, `cards.md`, `environment.md`, schemas, tables of results and the rules that pages search in.

`python docs/generate.py` writes them; with `--check` it writes nothing and fails if one of them is stale. The prose of
the pages is in `docs/templates/`, the results are in `docs/results/`.
"""

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import berserk_page  # noqa: E402
import game_page  # noqa: E402
import ledger_page  # noqa: E402
import results  # noqa: E402
import schema_pages  # noqa: E402
from rules_data import rules_data  # noqa: E402

from bloodrage_env.core.engine.chance import MAX_SEED  # noqa: E402
from bloodrage_env.core.engine.rewards import ILLEGAL_REWARD  # noqa: E402
from bloodrage_env.core.engine.tables import Section  # noqa: E402
from bloodrage_env.games.bloodrage import engine  # noqa: E402
from bloodrage_env.games.bloodrage.engine import (  # noqa: E402
    Card,
    CardSet,
    CardType,
    Decision,
    Figure,
    God,
    Place,
    Slot,
    Stat,
    Token,
)
from bloodrage_env.games.bloodrage.env import RENDER_MODES, BloodRage  # noqa: E402
from bloodrage_env.games.bloodrage.notation.words import GODS  # noqa: E402
from bloodrage_env.games.bloodrage.observation import MONSTER_CAPACITY, OBSERVATION_SIZE, SECTIONS, UPGRADE_CAPACITY  # noqa: E402
from bloodrage_env.games.bloodrage.options import DEFAULT, FACTS  # noqa: E402
from bloodrage_env.games.bloodrage.rewards import MARGIN_UNIT, REWARDS  # noqa: E402
from bloodrage_env.games.bloodrage.terminal.cards import set_name  # noqa: E402

COMMAND = "python docs/generate.py"
NOTE = f"<!-- Written by `{COMMAND}` from `docs/templates/` and the tables in the code. -->"
PLAYERS = range(engine.MIN_SEATS, engine.MAX_SEATS + 1)

# ---- cards.md

# What a card of each type is, the paragraphs that hold for all of them, and how the number STR is headed.
CARD_TYPES = {
    CardType.BATTLE: ("Battle cards", "Played face down in a battle; +STR counts for the clan.", "4.3, 4.6"),
    CardType.QUEST: (
        "Quests",
        "Committed face down, paid in the Quest phase; a face for each Age.",
        "3.2.8, 3.4, 6.3.18",
    ),
    CardType.LEADER: ("Leader upgrades", "One slot.", "3.2.7, 6.3.16"),
    CardType.WARRIOR: ("Warrior upgrades", "One slot; all warriors of the clan have the new STR.", "3.2.7"),
    CardType.SHIP: ("Ship upgrades", "One slot.", "3.2.7, 6.3.12"),
    CardType.MONSTER: ("Monsters", "Two slots; the card brings a figure.", "3.2.7"),
    CardType.CLAN: ("Clan upgrades", "Three slots.", "3.2.7"),
}

# How the rules page names a card where it does not give the whole title.
SHORT_NAMES = {
    "Heimdall's Sight": "Sights?",
    "Heimdall's Watch": "Watch(?:es)?",
    "Loki's Trickery": "Trickery",
    "Loki's Backstab": "Backstab",
    "Loki's Poison": "Poison",
    "Odin's Smite": "Smites?",
    "Odin's Tide": "Tides?",
    "Odin's Judgement": "Judgement",
    "Thor's Primacy": "Primac(?:y|ies)",
    "Frigga's Grace": "Grace",
    "Heimdall's Eye": "[Ll]ate cards?",
    "Heimdall's Gaze": "[Ll]ate cards?",
    "Lord of Axes": "leader upgrades?",
    "Lord of Spears": "leader upgrades?",
    "Masters in Arms": "Masters",
    "Loki's Dragons": "Dragons",
    "Fire Dragons": "Dragons",
    "Eternal Dragons": "Dragons",
    "Volur Witch": "Witch",
    "Frigga's Charm": "Charm",
    "Frigga's Succor": "Succor",
    "Frigga's Protection": "Protection",
    "Frigga's Sacrifice": "Sacrifice",
    "Loki's Blessing": "Blessing",
    "Loki's Eminence": "Eminence",
    "Loki's Wrath": "Loki's Domain, Eminence and Wrath",
    "Tyr's Prowess": "Prowess",
}


COPIES_HEAD = f"copies with {'/'.join(map(str, PLAYERS))} players"


def template(name: str) -> str:
    """Return the prose of a page, with `{names}` where facts go."""
    return (ROOT / "docs" / "templates" / f"{name}.md").read_text(encoding="utf-8")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def paragraphs() -> dict[str, str]:
    """Return the numbered paragraphs of the rules page, and section 5, by number."""
    rules = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    parts = re.split(r"^(?:\*\*(\d+(?:\.\d+){1,3})\*\*|#+ (5)\b.*$|#+ .*$)", rules, flags=re.MULTILINE)
    numbers = (number or chapter for number, chapter in zip(parts[1::3], parts[2::3], strict=True))
    return {number: text for number, text in zip(numbers, parts[3::3], strict=True) if number}


def paragraphs_of(card: int, rules: dict[str, str]) -> str:
    """Return the numbers of the paragraphs that speak of a card."""
    words = re.compile(rf"\b(?:{re.escape(engine.TITLE[card])}|{SHORT_NAMES.get(engine.TITLE[card], '$.')})\b")
    return ", ".join(number for number, text in rules.items() if words.search(" ".join(text.split())))


def copies_of(card: int) -> str:
    """Return how many copies each deck holds, by number of players."""
    ages = []
    for age in range(engine.NUM_AGES):
        counts = [int(engine.COPIES[:, players, age, card].sum()) for players in PLAYERS]
        if any(counts):
            ages.append(f"Age {age + 1}: {'/'.join(map(str, counts))}")
    return "; ".join(ages)


def strength_of(card: int) -> str:
    """Return the number that a card is worth, as it is printed."""
    if card == Card.HEIMDALLS_SIGHT:
        return "X"
    return f"+{engine.STRENGTH[card]}" if engine.TYPE[card] == CardType.BATTLE else str(engine.STRENGTH[card])


def title_of(card: int) -> str:
    """Return the title of a card, with its set if it is not of the base game."""
    return engine.TITLE[card] + ("" if engine.SET[card] == CardSet.BASE else f" ({set_name(card)})")


def card_table(cards: Sequence[int], card_type: CardType, rules: dict[str, str]) -> str:
    """Return the table of the cards of one type."""
    columns: list[tuple[str, Callable[[int], object]]] = [("id", int), ("card", title_of)]
    if card_type == CardType.QUEST:
        columns.append(("glory", lambda card: engine.QUEST_GLORY[card]))
    else:
        if any(engine.GOD[card] for card in cards):
            columns.append(("god", lambda card: engine.GOD[card]))
        columns.append(("STR", strength_of))
        if card_type == CardType.BATTLE:
            columns.append(("late", lambda card: "yes" if engine.LATE[card] else ""))
        else:
            columns.append(("Rage", lambda card: engine.PRICE[card]))
    columns += [(COPIES_HEAD, copies_of), ("effect", lambda card: engine.TEXT[card])]
    if card_type != CardType.QUEST:
        columns.append(("rules", lambda card: paragraphs_of(card, rules)))
    return table([head for head, _ in columns], ([cell(card) for _, cell in columns] for card in cards))


def gods_table() -> str:
    """Return the table of the gods, who are not cards of any deck."""
    rules = paragraphs()
    rows = [[GODS[god], engine.GOD_TEXT[god], gods_rule(GODS[god], rules)] for god in God]
    return table(["god", "effect", "rules"], rows)


def gods_rule(name: str, rules: dict[str, str]) -> str:
    """Return the paragraph of the rules that begins with a god's name."""
    return next(
        number for number, text in rules.items() if number.startswith("6.4.5.") and text.strip().startswith(name)
    )


def cards_page() -> str:
    """Return `cards.md`."""
    rules = paragraphs()
    sizes = [
        [
            players,
            *(int(engine.COPIES[[CardSet.BASE, CardSet.P5], players, age].sum()) for age in range(engine.NUM_AGES)),
        ]
        for players in PLAYERS
    ]
    tables = []
    for card_type, (head, what, numbers) in CARD_TYPES.items():
        cards = [card for card in engine.cards_of(engine.PLAYABLE) if engine.TYPE[card] == card_type]
        tables.append(f"## {head}\n\n{what} Rules {numbers}.\n\n{card_table(cards, card_type, rules)}")
    return template("cards").format(
        note=NOTE,
        titles=len({engine.TITLE[card] for card in engine.cards_of(0)}),
        faces=len(engine.cards_of(0)),
        decks=table(["players", *(f"Age {age + 1}" for age in range(engine.NUM_AGES))], sizes),
        tables="\n\n".join(tables),
        gods=gods_table(),
    )


# ---- environment.md

# Options of the environments that are not options of a game.
OWN_OPTIONS = {
    "reward": f"the reward at the end of a game: {', '.join(f'`{name}`' for name in REWARDS)}",
    "render_mode": f"what `render()` does: {', '.join(f'`{mode}`' for mode in RENDER_MODES)}, or `None`",
}

# Each kind of question: the blocks that answer it, and how. tests/test_docs.py plays games to check the blocks.
DECISIONS = {
    Decision.DRAFT: ("CARD", "the card of the pack to keep; with two players asked twice, the lower id first"),
    Decision.ACTION: (
        "PASS FIGURE_AT MARCH CARD PROVINCE SACRIFICE RAISE_DEAD",
        "the action of the turn: Invade with FIGURE_AT, upgrade or quest with CARD, Pillage with PROVINCE (if the "
        "token is taken: Tyr's Challenge)",
    ),
    Decision.MARCH: ("COUNT", "how many figures of `about_kind` march; asked kind by kind"),
    Decision.SLOT: ("SLOT", "which slot the upgrade takes: the first empty one or an occupied one"),
    Decision.FREE_INVADE: ("FIGURE_AT NO", "the free Invade after an upgrade"),
    Decision.RAISE_DEAD: ("FIGURE_AT", "which figure of Valhalla Invades, and where"),
    Decision.SACRIFICE: ("FIGURE_AT", "a figure to sacrifice, and its place; asked twice, in rising order of ids"),
    Decision.SUCCOR: ("YES NO", "whether a warrior follows an Invade"),
    Decision.FREE_PILLAGE: ("YES NO", "whether to pay 2 Rage and pillage the province just Invaded"),
    Decision.CALL: ("FIGURE_AT NO", "which figure joins, and from where"),
    Decision.BATTLE_CARD: ("CARD", "the card to play, face down or, in Heimdall's province, face up"),
    Decision.COUNT_QUEST: ("COUNT", "the value of the revealed quest: 0, 3 or 5"),
    Decision.KEEP_FIGURE: ("FIGURE_AT", "the one figure to keep in a Tide, and its place"),
    Decision.SAVE: ("COUNT YES", "how many figures of `about_kind` are saved for 1 Rage each; YES: the Witch escapes"),
    Decision.LATE_CARD: ("CARD NO", "a card to add after the reveal"),
    Decision.BUY_BACK: ("CARD NO", "a card to take back for 1 Rage; asked again, in rising order of ids"),
    Decision.STAT: ("STAT", "the stat to raise"),
    Decision.LEADER_MOVE: (
        "PROVINCE NO FIGURE_AT",
        "where a leader moves after a pillage; with leader and Mountain Giant first which one, by FIGURE_AT",
    ),
    Decision.BLESSING: ("YES NO", "whether a warrior Invades where the clan has lost"),
    Decision.KEEP_CARD: ("CARD NO", "the card kept for the next Age"),
    Decision.WITHDRAW: ("PROVINCE NO", "where a Mystic withdraws that would be destroyed; asked for each Mystic"),
    Decision.VICTIM: (
        "FIGURE_AT NO",
        "the figure whose village a Mystic takes; asked clan by clan, from the left of its owner",
    ),
    Decision.GOD_MOVE: ("PROVINCE", "where the god of a pillaged province moves"),
}

INDEX_TABLES = (("place", Place), ("stat", Stat), ("figure kind", Figure), ("pillage token", Token), ("slot", Slot))


def blocks_part() -> str:
    """Return the table of the action blocks."""
    rows: list[list[object]] = []
    for block in engine.BLOCKS:
        ids = block.start if block.size == 1 else f"{block.start} to {block.start + block.size - 1}"
        rows.append([ids, f"`{block.name}`", block.size, block.meaning])
    return table(["ids", "block", "size", "meaning"], rows)


def options_table(environment: type, meanings: dict[str, str]) -> str:
    """Return the table of an environment's options, with their defaults and `meanings`, after those of the game."""
    signature = inspect.signature(environment).parameters
    own = {name: each.default for name, each in signature.items() if name not in (*FACTS, "options")}
    if set(own) != set(meanings):
        raise RuntimeError(f"the options of {environment.__name__} are {', '.join(own)}: describe just these")
    rows = [[f"`{name}`", f"`{getattr(DEFAULT, name)!r}`", each.meaning] for name, each in FACTS.items()]
    rows += [[f"`{name}`", f"`{default!r}`", meanings[name]] for name, default in own.items()]
    return table(["option", "default", "meaning"], rows)


def decisions_part() -> str:
    """Return the table of the kinds of question."""
    rows = []
    for decision in Decision:
        if decision == Decision.NONE:
            rows.append([int(decision), "`NONE`", "", "no question: the game is over, or others choose in secret"])
            continue
        blocks, meaning = DECISIONS[decision]
        rows.append([int(decision), f"`{decision.name}`", ", ".join(f"`{name}`" for name in blocks.split()), meaning])
    return table(["number", "decision", "answered with", "what is chosen"], rows)


def sections_part() -> str:
    """Return the table of the observation's sections."""
    return table(
        ["start", "section", "shape", "meaning", "seen by", "field"],
        ([each.start, f"`{each.name}`", " x ".join(map(str, each.shape)), *_facts(each)] for each in SECTIONS),
    )


def _facts(section: Section) -> list[str]:
    """Return the columns that tell what a section contains."""
    return [section.meaning, section.seen_by, f"`{section.field}`" if section.field else ""]


def rewards_part() -> str:
    """Return what each reward pays, and an example."""
    lines = []
    for name, function in REWARDS.items():
        summary, _, sections = str(inspect.getdoc(function)).partition("\n\n")
        returned = re.search(r"^Returns\n-+\n.*\n((?: +.*\n?)+)", sections, re.MULTILINE)
        lines.append(
            " ".join(f"- `{name}`: {summary.removeprefix('Return ')} {returned[1] if returned else ''}".split())
        )
    examples = ([60, 45, 45, 20], [60, 60, 45, 20], [60, 60, 60, 60])
    rows = (
        [" ".join(map(str, each)), *(" ".join(f"{x:.2g}" for x in pay(each)) for pay in REWARDS.values())]
        for each in examples
    )
    return "\n".join(lines) + "\n\nExamples:\n\n" + table(["glory", *(f"`{name}`" for name in REWARDS)], rows)


def numbers_part() -> str:
    """Return the numbers behind the names in the action blocks."""
    rows = ([f"{what}s", ", ".join(f"`{each.name}` {int(each)}" for each in names)] for what, names in INDEX_TABLES)
    return table(["", "names and numbers"], rows)


def environment_page() -> str:
    """Return `environment.md`."""
    if MAX_SEED != 2**63 - 1 or MARGIN_UNIT != 100:
        raise RuntimeError("the page and the docstrings of the rewards name other numbers than the code")
    text = template("environment").format(
        note=NOTE,
        options=options_table(BloodRage, OWN_OPTIONS),
        observation_size=OBSERVATION_SIZE,
        sections=sections_part(),
        cards=engine.CARD_CAPACITY,
        kinds=engine.KIND_CAPACITY,
        quests=engine.QUEST_CAPACITY,
        upgrades=UPGRADE_CAPACITY,
        monsters=MONSTER_CAPACITY,
        num_actions=engine.NUM_ACTIONS,
        card=engine.CARD,
        figure_at=engine.FIGURE_AT,
        num_board=engine.NUM_BOARD,
        blocks=blocks_part(),
        numbers=numbers_part(),
        decisions=decisions_part(),
        rewards=rewards_part(),
        illegal=ILLEGAL_REWARD,
        max_decisions=engine.MAX_DECISIONS,
    )
    return results.filled(text)


# ---- pages


def between(text: str, marker: str, content: str) -> str:
    """Return `text` with new content between two markers."""
    start, end = f"<!-- {marker} -->", f"<!-- /{marker} -->"
    if text.count(start) != 1 or text.count(end) != 1:
        raise RuntimeError(f"expected one {start} and one {end}")
    before, rest = text.split(start)
    return f"{before}{start}\n{content}\n{end}{rest.split(end)[1]}"


def shows_results(path: Path) -> Callable[[], str]:
    """Return what makes a page that has tables of results."""
    return lambda: results.filled(path.read_text(encoding="utf-8"))


def rules_page(name: str) -> Callable[[], str]:
    """Return what makes the data of a page of rules."""
    return lambda: rules_data((ROOT / name).read_text(encoding="utf-8"))


PAGES: dict[str, Callable[[], str]] = {
    **{
        str(path.relative_to(ROOT)): shows_results(path)
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if path.parent.name != "templates" and "<!-- result:" in path.read_text(encoding="utf-8")
    },
    **schema_pages.pages(),
    "docs/add_a_game.md": lambda: game_page.page(template("add_a_game"), NOTE),
    "docs/cards.md": cards_page,
    "docs/environment.md": environment_page,
    "docs/ledger.md": lambda: ledger_page.page(table, template("ledger"), NOTE),
    "docs/berserk/cards.md": lambda: berserk_page.cards_page(table, template("berserk_cards"), NOTE),
    "docs/berserk/rules.md": lambda: berserk_page.rules_page(table, between),
    "README.md": shows_results(ROOT / "README.md"),
    "bloodrage_env/games/bloodrage/table_page/static/rules.json": rules_page("docs/rules.md"),
    "bloodrage_env/games/berserk/table_page/static/rules.json": rules_page("docs/berserk/rules.md"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or check them; returns the exit status."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is stale")
    check = parser.parse_args(arguments).check
    stale = []
    for name, page in PAGES.items():
        path, text = ROOT / name, page()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                path.write_text(text, encoding="utf-8", newline="\n")
    if check and stale:
        print(f"stale: {', '.join(stale)}; run `{COMMAND}`", file=sys.stderr)
        return 1
    print("\n".join(f"wrote {name}" for name in stale) or "everything is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
