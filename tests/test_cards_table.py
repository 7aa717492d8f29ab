"""The card table: against an independent list of names, the deck sizes, and the project's card list where it lies."""

import ast
import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from bloodrage_env.games.bloodrage.engine import cards, state
from bloodrage_env.games.bloodrage.engine.card_ids import NUM_CARDS, Card
from bloodrage_env.games.bloodrage.engine.cards import (
    COPIES,
    GOD,
    IS_UPGRADE,
    LATE,
    PRICE,
    QUEST_GLORY,
    SET,
    STRENGTH,
    TEXT,
    TITLE,
    TYPE,
    cards_of,
)
from bloodrage_env.games.bloodrage.engine.ids import MAX_SEATS, MIN_SEATS, CardSet, CardType

BASE = cards_of(0)

# Names of the base game by type, as printed; a quest has a face for each Age.
NAMES = {
    CardType.BATTLE: """Frigga's Grace, Heimdall's Sight, Heimdall's Eye, Heimdall's Watch, Heimdall's Gaze,
        Loki's Trickery, Loki's Backstab, Loki's Poison, Odin's Smite, Odin's Tide, Odin's Judgement,
        Thor's Hammer, Thor's Oath, Thor's Ascension, Thor's Primacy, Tyr's Bash, Tyr's Smash, Tyr's Smite,
        Tyr's Crush, Tyr's Rage""",
    CardType.QUEST: "Alfheim, Glorious Death, Jotunheim, Manheim, Yggdrasil",
    CardType.LEADER: "Lord of Hammers, Lord of Axes, Lord of Spears",
    CardType.WARRIOR: "Brothers in Arms, Experts in Arms, Masters in Arms",
    CardType.SHIP: "Loki's Dragons, Fire Dragons, Eternal Dragons",
    CardType.MONSTER: """Dwarf Chieftain, Troll, Sea Serpent, Dark Elf, Valkyrie, Fire Giant, Frost Giant,
        Soldier of Hel, Volur Witch""",
    CardType.CLAN: """Frigga's Charm, Frigga's Succor, Frigga's Protection, Frigga's Domain, Frigga's Sacrifice,
        Loki's Domain, Loki's Blessing, Loki's Eminence, Loki's Wrath, Odin's Inspiration, Odin's Throne,
        Thor's Glory, Thor's Domain, Thor's Conquest, Tyr's Domain, Tyr's Challenge, Tyr's Prowess,
        Tyr's Wrath""",
}
TYPE_OF = {name.strip(): kind for kind, names in NAMES.items() for name in names.split(",")}

DECK_SIZES = {2: 20, 3: 26, 4: 34}
PLAYERS_AND_AGES = [(players, age) for players in DECK_SIZES for age in (1, 2, 3)]

CARD_LIST = Path(__file__).resolve().parents[2] / "shared" / "cards.csv"


# ---- without any file
def test_ids_are_unique_and_without_gaps():
    """rules 1.7: 71 faces of the base game, then those of the other sets."""
    assert [card.value for card in Card] == list(range(NUM_CARDS))
    assert len({card.name for card in Card}) == NUM_CARDS
    assert [SET[card] == CardSet.BASE for card in Card] == [card < 71 for card in Card]


def test_names_and_faces():
    """rules 1.7: 61 names, 71 faces; only quests have a face for each Age."""
    assert len(TYPE_OF) == 61
    faces = Counter(TITLE[card] for card in BASE)
    assert set(faces) == set(TYPE_OF)
    assert {name for name, n in faces.items() if n == 3} == {
        name for name, kind in TYPE_OF.items() if kind == CardType.QUEST
    }
    assert sorted(set(faces.values())) == [1, 3]
    assert all(TYPE[card] == TYPE_OF[TITLE[card]] for card in BASE)


def test_titles_follow_ids():
    """rules 1.7: the name of an id is its printed title."""
    for card in Card:
        name = TITLE[card].replace("'", "").replace(" ", "_").upper()
        assert card.name in (name, *(f"{name}_{age}" for age in (1, 2, 3)))


@pytest.mark.parametrize(("players", "age"), PLAYERS_AND_AGES)
def test_deck_sizes(players, age):
    """rules 1.7 and 2.4: 34 cards with 4 players, eight fewer with 3, six fewer again with 2."""
    assert COPIES[CardSet.BASE, players, age - 1].sum() == DECK_SIZES[players]


def test_more_players_only_add_cards():
    """rules 2.4: the `3+` and `4+` cards come on top; quests lie in the deck of their own Age only."""
    assert (COPIES[CardSet.BASE, 3] >= COPIES[CardSet.BASE, 2]).all()
    assert (COPIES[CardSet.BASE, 4] >= COPIES[CardSet.BASE, 3]).all()
    for card in BASE:
        if TYPE[card] == CardType.QUEST:
            age = int(Card(card).name[-1]) - 1
            assert COPIES[CardSet.BASE, 4, age, card] == COPIES[CardSet.BASE, 4, :, card].sum() > 0
    assert (COPIES[CardSet.BASE, 4].sum(axis=0)[BASE] > 0).all()


def test_upgrades_cost_their_strength_but_two():
    """rules 3.2.7 and 6.3.19: the price is the printed STR; Dwarf Chieftain and Soldier of Hel are free."""
    free = {"Dwarf Chieftain": 2, "Soldier of Hel": 3}
    for card in BASE:
        if IS_UPGRADE[card]:
            if TITLE[card] in free:
                assert (STRENGTH[card], PRICE[card]) == (free[TITLE[card]], 0)
            else:
                assert PRICE[card] == STRENGTH[card]
        else:
            assert PRICE[card] == 0


def test_white_discs():
    """rules 4.5: three copies of the Eye in Age 2 and two of the Gaze in Age 3 with three players or more."""
    assert {TITLE[card] for card in Card if LATE[card]} == {"Heimdall's Eye", "Heimdall's Gaze"}
    assert COPIES[CardSet.BASE, 4, :, Card.HEIMDALLS_EYE].tolist() == [0, 3, 0]
    assert COPIES[CardSet.BASE, 4, :, Card.HEIMDALLS_GAZE].tolist() == [0, 0, 2]


def test_quest_glory():
    """rules 1.7: a quest's glory is that of its own Age."""
    printed = {"Glorious Death": (6, 8, 11), "Yggdrasil": (6, 8, 11)}
    for card in BASE:
        if TYPE[card] == CardType.QUEST:
            age = int(Card(card).name[-1])
            assert QUEST_GLORY[card] == printed.get(TITLE[card], (5, 7, 9))[age - 1]
        else:
            assert QUEST_GLORY[card] == 0


def test_every_card_has_a_text():
    """rules 2.6: what is printed can be read by everybody."""
    assert all(text.strip() for text in TEXT)


# ---- against the card list, where it lies beside the checkout
def _card_list():
    """The printed cards by face, {(set, title, Age of a quest or None): rows}; empty where there is no list."""
    faces: dict[tuple[str, int | None], list[dict[str, str]]] = {}
    if CARD_LIST.exists():
        with CARD_LIST.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["type"] != "god":
                    age = int(row["age"]) if row["type"] == "quest" else None
                    faces.setdefault((row["name"], age), []).append(row)
    return faces


FACES = _card_list()
LISTED = sorted(FACES, key=str) or [pytest.param("", None, marks=pytest.mark.skip(reason="no card list here"))]


def _id_of(title, age):
    name = title.replace("'", "").replace(" ", "_").upper()
    return Card[name if age is None else f"{name}_{age}"]


@pytest.mark.parametrize(("title", "age"), LISTED)
def test_face_as_printed(title, age):
    """rules 1.7: title, type, god, STR, price, white disc, glory and set of each face."""
    card = _id_of(title, age)
    for row in FACES[title, age]:
        assert TITLE[card] == row["name"]
        assert CardType(int(TYPE[card])).name.lower() == row["type"]
        assert GOD[card] == row["god"]
        assert STRENGTH[card] == int(row["str"].replace("X", "") or 0)
        assert PRICE[card] == int(row["rage_cost"] or 0)
        assert LATE[card] == int(row["late_play"])
        assert QUEST_GLORY[card] == int(row["quest_glory"] or 0)
    assert CardSet(SET[card]).name.lower() == FACES[title, age][0]["set"]


@pytest.mark.parametrize(("title", "age"), LISTED)
def test_copies_as_printed(title, age):
    """rules 2.4: how many copies lie in the deck of each Age, for each number of players."""
    card = _id_of(title, age)
    printed = FACES[title, age]
    for card_set in CardSet:
        for players in range(MIN_SEATS, MAX_SEATS + 1):
            for deck in (1, 2, 3):
                copies = sum(
                    int(row["copies"])
                    for row in printed
                    if row["set"] == card_set.name.lower()
                    and int(row["age"]) == deck
                    and int(row["min_players"]) <= players
                )
                assert COPIES[card_set, players, deck - 1, card] == copies


@pytest.mark.skipif(not FACES, reason="no card list here")
def test_the_card_list_names_every_face():
    """rules 1.7: no id without a printed card."""
    assert {_id_of(*face) for face in FACES} == set(Card)


# ---- every card has its tests
def _subjects_of_card_tests():
    """Docstrings of the card tests, their parameters and the tables beside them: what is said, not what is played."""
    texts = []
    for path in sorted(Path(__file__).parent.glob("test_cards_*.py")):
        if path.name == Path(__file__).name:
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                texts.append(ast.get_docstring(node) or "")
                tables = node.decorator_list
            else:
                tables = [node] if isinstance(node, ast.Assign | ast.AnnAssign) else []
            for table in tables:
                texts += [n.value for n in ast.walk(table) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return texts


def test_every_base_card_is_tested():
    """Some test of a `test_cards_*.py` file names the card in its docstring or in its parameters."""
    subjects = "\n".join(_subjects_of_card_tests())
    untested = [title for title in TYPE_OF if not re.search(rf"(?<![\w']){re.escape(title)}(?![\w'])", subjects)]
    assert untested == []


def test_the_state_has_room_for_every_quest_face():
    """A row of `known_since` for each quest, those of other sets included (rules 1.7, 6.4)."""
    rows = state.STATE["known_since"].shape[1]
    assert [cards.QUEST_INDEX[quest] for quest in cards.QUESTS] == list(range(len(cards.QUESTS)))
    assert len(cards.QUESTS) <= rows
