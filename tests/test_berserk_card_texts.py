"""What is said of a card of Berserk, wherever people look it up."""

import pytest

from bloodrage_env.cli import main
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.games.berserk import table_page
from bloodrage_env.games.berserk.engine import CARD, EFFECTS, NUM_CARDS, TITLE, Effect
from bloodrage_env.games.berserk.engine.cards import ROWS
from bloodrage_env.games.berserk.notation.cards import KEYWORDS, card_lines, describe
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.replay import Replay
from bloodrage_env.games.berserk.terminal import menu


def printed(card: int) -> list[str]:
    """What the row of a card in `cards.csv` says, column by column, as words that its description must have."""
    row = ROWS[card]
    words = ["unique"] * int(row["unique"])
    words += [f"{row['cost']} {'gold' if row['elite'] == '1' else 'crystals'}", f"life {row['life']}"]
    words += [f"movement {row['movement']}", f"strike {row['weak']}-{row['medium']}-{row['strong']}"]
    for item in row["effects"].split():
        name, value = item.split("=")
        if name in ("armour", "attack_experience", "defence_experience", "regeneration"):
            words.append(f"{name.replace('_', ' ')} {value}")
        elif name in ("directed", "formation"):
            words.append(name)
        elif name.startswith("protection_"):
            words.append(f"protection from {name.removeprefix('protection_').replace('weak', 'weak simple strike')}")
    for each in ("ability_1", "ability_2", "ability_3"):
        kind, *numbers = row[each].split() or [""]
        words += [kind.replace("_", " ").replace("bonfire", "light a bonfire").replace("token", "gain a token")]
        words += [f" {number}" for number in numbers if kind != "spell" and "=" not in number]
        words += [number.replace("=", " ") for number in numbers if number.startswith("range=")]
    return [word for word in words if word]


def shown() -> dict[str, dict[int, str]]:
    """What each place that shows cards says of them; a purchase shows those of its deal."""
    faces = table_page.texts()["faces"]
    states = Recorder(Replay(1, Options())).states
    game = Recorder(Replay(1, Options()))
    while not any(CARD <= action < CARD + NUM_CARDS for action in menu(game.states)[1]):
        game.apply(menu(game.states)[1][0])
    states = game.states
    lines, actions = menu(states)
    starts = [next(i for i, line in enumerate(lines) if line.startswith(f"{n:4} ")) for n in range(1, len(actions) + 1)]
    parts = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    buying = {action - CARD: " ".join(" ".join(part).split()) for action, part in zip(actions, parts, strict=True)}
    return {
        "terminal": {card: " ".join(" ".join(card_lines(card)).split()) for card in range(NUM_CARDS)},
        "page": {card: faces[card]["facts"] for card in range(NUM_CARDS)},
        "purchase": {card: text for card, text in buying.items() if 0 <= card < NUM_CARDS},
    }


@pytest.mark.parametrize("place", ["terminal", "page", "purchase"])
def test_a_card_is_shown_with_all_that_is_printed_on_it(place):
    """rules 1.3, 7: numbers, keywords with their values, tap abilities."""
    output = shown()[place]
    assert len(output) > 3
    missing = {
        TITLE[card]: [word for word in printed(card) if word not in text]
        for card, text in output.items()
        if not all(word in text for word in printed(card))
    }
    assert missing == {}


def test_every_card_can_be_told_from_every_other():
    output = [describe(card)._replace(card=0, title="") for card in range(NUM_CARDS)]
    assert len(set(output)) == NUM_CARDS


def test_every_keyword_that_a_card_has_is_named():
    """Those of the card table before what formation gives."""
    groups = (Effect.DIRECTED, Effect.FORMATION_REACH), (Effect.VANGUARD, Effect.FORMATION_PROTECTION_POISON)
    keywords = [each for each in Effect if any(first <= each < end for first, end in groups)]
    assert set(keywords) == set(KEYWORDS)
    assert all(EFFECTS[each].any() for each in keywords if each < Effect.VANGUARD)  # own cards have the others


def test_no_description_of_what_is_no_card():
    for wrong in (-1, NUM_CARDS):
        with pytest.raises(ValueError, match="there is no card"):
            describe(wrong)


def test_a_card_on_the_command_line(capsys):
    assert main(["cards", "--game", "berserk", "zvar"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Zvar: mountain, Gnome, unique, elite, 8 gold",
        "  life 14, movement 1, strike 3-4-5, attack experience 1, armour 2",
    ]
