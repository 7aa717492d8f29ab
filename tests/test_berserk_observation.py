"""What the observation of Berserk tells of cards on the board (rules 7.9 to 7.12, 9.4)."""

import numpy as np
import pytest
from berserk_position import FIRST, SECOND, Position

from bloodrage_env.core.engine.tables import starts
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.observation import CARD_NUMBERS, NUMBER_UNITS, SECTIONS

NUMBERS = starts(SECTIONS)["numbers"]


def number(p: Position, slot: int, name: str, seat: int = FIRST) -> int:
    """A number of a card as a seat is told it; whole, without its unit."""
    p.go()
    observation = np.full(GAME.observation_size, 7, np.float32)
    GAME.observe.observe(p.states, 0, seat, observation)
    place = (slot + 15 * seat) % 30 * len(CARD_NUMBERS) + CARD_NUMBERS.index(name)
    found = float(observation[NUMBERS + place]) * NUMBER_UNITS.get(name, 1)
    assert found == pytest.approx(round(found), abs=1e-5)
    return round(found)


# A card of First on 12, what stands near it (owner, card, cell, fields), what it has on it, and what is told of it.
TRAINED = [
    ("Paladin of Allamor", [], {}, {"armour": 1}),
    ("Zvar", [], {}, {"armour": 2, "attack_experience": 1}),
    ("Zvar", [], {"absorbed": 1}, {"armour": 1, "attack_experience": 1}),
    ("Zvar", [], {"absorbed": 2}, {"armour": 0, "attack_experience": 1}),
    ("Germet", [], {}, {}),
    ("Germet", [], {"extra_armour": 1}, {"armour": 1}),
    ("Skelos", [], {}, {"attack_experience": 2}),
    ("Shieldbearer", [], {}, {"defence_experience": 2}),
    ("Bonecrusher", [], {}, {"attack_experience": 1, "defence_experience": 1}),
    ("Foot Knight", [], {}, {}),
    ("Foot Knight", [(FIRST, "Sanctorum", 13, {})], {}, {"armour": 2, "partners": 1}),
    ("Foot Knight", [(FIRST, "Sanctorum", 18, {})], {}, {}),  # diagonally, not beside
    ("Foot Knight", [(SECOND, "Sanctorum", 13, {})], {}, {}),
    ("Foot Knight", [(FIRST, "Nomad", 13, {})], {}, {}),
    ("Foot Knight", [(FIRST, "Sanctorum", 13, {"closed": 1})], {}, {"armour": 2, "partners": 1}),
    ("Foot Knight", [(FIRST, "Sanctorum", 13, {"face_down": 1})], {}, {}),
    ("Mountain Giant", [(FIRST, "Axe Master", 7, {})], {}, {"defence_experience": 1, "partners": 1}),
    ("Forge Keeper", [(FIRST, "Axe Master", 7, {})], {}, {"defence_experience": 2, "partners": 1}),
    ("Forge Keeper", [(FIRST, "Mountain Giant", 17, {})], {}, {"armour": 2, "partners": 1}),
    (
        "Forge Keeper",
        [(FIRST, card, cell, {}) for card, cell in (("Mountain Giant", 17), ("Axe Master", 11), ("Sanctorum", 13))],
        {},
        {"armour": 2, "defence_experience": 2, "partners": 3},
    ),
    ("Cutthroat", [(FIRST, "Nomad", 6, {})], {}, {"attack_experience": 1}),
    ("Cutthroat", [(FIRST, "Nomad", 6, {}), (SECOND, "Orc", 18, {})], {}, {}),
    ("Zvar", [], {"face_down": 1}, {"face_down": 1}),
]


@pytest.mark.parametrize(("card", "near", "fields", "found"), TRAINED, ids=str)
def test_armour_experience_and_partners(card, near, fields, found):
    """rules 7.9, 7.10, 7.12: as they are now, armour without what it took this turn"""
    p = Position()
    slot = p.put(FIRST, card, 12, **fields)
    p.put(SECOND, "Mercenary", 29)
    for seat, other, cell, more in near:
        p.put(seat, other, cell, **more)
    for name in ("armour", "attack_experience", "defence_experience", "partners", "face_down"):
        assert number(p, slot, name) == found.get(name, 0), name
        if not fields.get("face_down"):
            assert number(p, slot, name, SECOND) == found.get(name, 0), name


def test_what_lies_on_a_card():
    """rules 1.5: both are told, with the life that is left"""
    on_it = {
        "wounds": 3, "closed": 1, "poison": 2, "tokens": 4, "stunned": 1, "directed": 1, "entered": 2, "stepped": 1,
        "strikes": 1, "bonus": 2, "extra_movement": 1, "moves": 2,
    }  # fmt: skip
    p = Position()
    mine, theirs = p.put(FIRST, "Zvar", 12, **on_it), p.put(SECOND, "Nomad", 17)
    dead = p.bury(SECOND, "Orc")
    for seat in (FIRST, SECOND):
        for name, value in on_it.items():
            assert number(p, mine, name, seat) == value, name
            assert number(p, theirs, name, seat) == (2 if name == "moves" else 0), name
            assert number(p, dead, name, seat) == 0, name
        assert [number(p, slot, "life", seat) for slot in (mine, theirs, dead)] == [11, 8, 0]
        assert [number(p, slot, "in_play", seat) for slot in (mine, theirs, dead)] == [1, 1, 0]
        assert [number(p, slot, "dead", seat) for slot in (mine, theirs, dead)] == [0, 0, 1]
        assert number(p, dead, "killed_by_enemy", seat) == 1


def test_a_card_that_must_strike():
    """rules 7.23: while it is open and a closed enemy is in its reach"""
    for closed, own_closed, expected in ((1, 0, 1), (0, 0, 0), (1, 1, 0)):
        p = Position()
        slot = p.put(FIRST, "Basaarg Gnome", 12, closed=own_closed)
        p.put(SECOND, "Nomad", 18, closed=closed)
        assert number(p, slot, "must_strike") == expected


def test_public_information_names_no_card_that_lies_face_down():
    """rules 9.4: not even as its owner sees it; where it stands is seen"""
    p = Position(turn=1)
    slot = p.put(FIRST, "Zvar", 12, face_down=1)
    p.put(SECOND, "Nomad", 29, face_down=1)
    p.go()
    public = GAME.public(p.states, 0, 2)
    for seat in (FIRST, SECOND):
        vector = np.zeros(GAME.observation_size, np.uint8)
        GAME.observe.observe_bytes(public, 0, seat, vector)
        sections = GAME.by_section(vector)
        assert not sections["cards"].any()
        assert not sections["bonfires"].any()
        assert sections["rows"][(slot + 15 * seat) % 30].any()
