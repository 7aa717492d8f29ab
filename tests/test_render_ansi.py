"""The board as text: what it shows, to whom, and how wide."""

import re

import pytest
from mystics import alone, mystics
from random_play import games_in_the_middle
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.actions import NO
from bloodrage_env.games.bloodrage.engine.ids import Decision, Place
from bloodrage_env.games.bloodrage.notation import CLANS
from bloodrage_env.games.bloodrage.render.ansi import board_text
from bloodrage_env.games.bloodrage.render.svg import board_svg

ESCAPE = re.compile(r"\x1b\[\d*m")


def box_of(text, province):
    """The lines inside a province's box."""
    lines = text.splitlines()
    top = next(i for i, line in enumerate(lines) if f"╭─ {province} " in line)
    left = lines[top].index(f"╭─ {province} ")
    right = lines[top].index("╮", left)
    inside = []
    for line in lines[top + 1 :]:
        if line[left] == "╰":
            return inside
        inside.append(line[left + 1 : right].strip())
    raise AssertionError(f"the box of {province} has no end")


@pytest.mark.slow
def test_it_fits_a_terminal_and_colours_come_only_when_asked_for():
    count = 0
    for _, states, rng in games_in_the_middle(range(60), 0.05):
        seat = int(rng.integers(states[0].num_players))
        for viewer in (None, seat):
            plain = board_text(states, 0, viewer)
            assert max(map(len, plain.splitlines())) <= 98
            assert "\x1b" not in plain
            assert not any(line != line.rstrip() for line in plain.splitlines())
            painted = board_text(states, 0, viewer, colour=True)
            assert painted.count("\x1b[") > 10
            assert ESCAPE.sub("", painted).split() == plain.split()
            count += 1
    assert count > 500


@pytest.mark.slow
def test_a_seat_sees_the_same_board_in_worlds_that_it_cannot_tell_apart():
    """Nor does the board of all show more than that."""
    count = 0
    for seed, states, rng in games_in_the_middle(range(20), 0.1):
        seat = int(rng.integers(states[0].num_players))
        world = engine.redeal(states, 0, seat, seed)
        assert board_text(world, 0, seat) == board_text(states, 0, seat)
        assert board_text(world, 0) == board_text(states, 0)
        count += 1
    assert count > 200


def test_figures_tokens_and_strengths_of_a_province():
    g = Scenario(players=3, age=2)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.put(1, "ship", "fjord_gimle_myrkulor")
    g.token("gimle", "glory")
    g.token("elvagar", "horns")
    g.pillaged("elvagar")
    g.destroyed("utgard")
    g.doomed("gimle")
    g.go()
    text = board_text(g.states, 0)
    assert box_of(text, "Gimle") == ["[WL] [Bw] [Bw] [  ] [  ]", "token: 5 glory", "STR W 3  B 4"]
    assert "─ DOOMED ─" in text
    assert box_of(text, "Myrkulor") == ["[  ] [  ] [  ]", "token: Rage", "STR B 2"]
    assert box_of(text, "Elvagar") == ["[  ] [  ] [  ] [  ]", "pillaged (Horns)", ""]
    assert box_of(text, "Utgard") == ["destroyed", "", ""]
    assert "~ ~ [BS] ~ ~" in text
    assert text.splitlines()[0] == "Age 2 of 3, Action; first player Wolf"
    assert text.splitlines()[-1] == "Wolf takes an action, or passes (6 Rage left)"


def test_yggdrasil_has_room_for_everybody():
    g = Scenario(players=4)
    for seat in range(4):
        g.upgrade(seat, "Troll" if seat else "Dwarf Chieftain", "Valkyrie")
        for kind, count in (("leader", 1), ("warrior", 8), ("monster_1", 1), ("monster_2", 1)):
            g.put(seat, kind, "yggdrasil", count)
    g.go()
    text = board_text(g.states, 0)
    assert box_of(text, "Yggdrasil") == [
        "W:Lwwwwwwww12  B:Lwwwwwwww12",
        "S:Lwwwwwwww12  R:Lwwwwwwww12",
        "token: all stats",
        "STR W 15  B 15  S 15  R 15",
    ]
    assert max(map(len, text.splitlines())) <= 98


def test_both_provinces_gone_a_fjord_is_gone():
    g = Scenario(players=2)
    g.destroyed("gimle", "myrkulor")
    g.go()
    assert board_text(g.states, 0).count("fjord destroyed") == 1


def row_of(text, clan):
    return next(line for line in text.splitlines() if line[1:].startswith(clan))


def test_the_clan_table():
    g = Scenario(players=2)
    g.glory(1, 12)
    g.rage(1, 3)
    g.stat(1, "axes", 3)
    g.put(1, "warrior", "gimle", 2)
    g.put(1, "leader", "valhalla")
    g.hand(1, "Troll", "Manheim")
    g.quest(1, "Alfheim")
    g.upgrade(1, "Frost Giant", "Frigga's Charm")
    g.go()
    text = board_text(g.states, 0)
    assert row_of(text, "Bear").split() == ["Bear", "12", "3/6", "5", "2/4", "2", "1", "6w", "S", "1", "L"]
    assert row_of(text, "Wolf").startswith(">Wolf")
    assert "1 = Frost Giant, Frigga's Charm" in text
    assert "Troll" not in text
    assert "Alfheim (" not in text
    own = board_text(g.states, 0, 1)
    assert "Bear's hand: Manheim (5 glory), Troll" in own
    assert "committed quests: Alfheim (5 glory)" in own
    assert "Troll" not in board_text(g.states, 0, 0)


def test_a_draft_shows_the_pack_to_its_holder_only():
    states = engine.new_game(2, 3)
    seat = int(states[0].seat)
    assert "pack: " in board_text(states, 0, seat)
    assert "pack: " not in board_text(states, 0)
    assert board_text(states, 0).splitlines()[-1] == "The clans choose in secret."


def test_a_battle_and_who_is_called_to_it():
    g = Scenario(players=2, skip_forced=False)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.put(1, "warrior", "andlang")
    g.hand(0, "Tyr's Bash")
    g.hand(1, "Manheim", "Heimdall's Eye")
    g.upgrade(1, "Tyr's Domain")
    g.pillage(0, "gimle")
    text = board_text(g.states, 0)
    assert text.splitlines()[-1] == "Bear may join the battle of Gimle, called by Wolf"
    assert text.count(" battle ──") == 1
    engine.apply(g.states, 0, NO)
    g.card(0, "Tyr's Bash")
    assert "no card shown" in board_text(g.states, 0)
    assert "chosen, not yet shown: Tyr's Bash" in board_text(g.states, 0, 0)
    assert "Tyr's Bash" not in board_text(g.states, 0, 1)
    g.card(1, "Manheim")
    g.count(1, 3)
    lines = board_text(g.states, 0).splitlines()
    at = lines.index("Battle of Gimle, pillager Wolf")
    assert lines[at + 1 : at + 3] == ["  Wolf     Tyr's Bash", "  Bear     Manheim (5 glory) (counts 3)"]


def test_a_clan_without_a_card_shows_none_once_the_others_are_revealed():
    """rules 4.3: an empty hand plays none; later some clan is asked for a late card, which the others do not see."""
    g = Scenario(players=2, skip_forced=False)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Tyr's Bash", "Heimdall's Gaze")
    g.pillage(0, "gimle")
    assert "Bear     no card shown" in board_text(g.states, 0)
    assert "no card shown" in board_svg(g.states, 0)
    g.card(0, "Tyr's Bash")
    assert g.asked() == (0, Decision.LATE_CARD)
    for seat in (None, 0, 1):
        assert "Bear     no card\n" in board_text(g.states, 0, seat)
    assert "no card" in board_svg(g.states, 0)
    assert "no card shown" not in board_svg(g.states, 0)


def test_the_end_says_who_has_won():
    states = engine.new_game(1, 2)
    engine.play_random(states, 0, 1, engine.MAX_DECISIONS)
    lines = board_text(states, 0).splitlines()
    best = max(engine.scores(states, 0))
    assert lines[0] == "End of the game"
    assert lines[-1].endswith(f"with {best} glory.")
    assert any(name in lines[-1] for name in CLANS)


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_is_not_there(seat):
    with pytest.raises(ValueError, match=f"seat {seat} is not in a game of 3 players"):
        board_text(engine.new_game(1, 3), 0, seat)


def test_the_ring_is_drawn_clockwise():
    text = board_text(engine.new_game(1, 4), 0)
    order = [text.index(f"╭─ {Place(p).name.capitalize()} ") for p in (0, 1, 2, 7, 8, 3, 6, 5, 4)]
    assert order == sorted(order)


def test_mystics_and_barred_provinces_are_shown():
    """rules 6.4.1.6, rules 6.4.1.7: those of the supply too; nothing of them without the set."""
    g = mystics(alone(), 0, "gimle")
    g.state.barred[1, [Place.GIMLE, Place.UTGARD]] = 1
    g.go()
    text = board_text(g.states, 0)
    assert "[Wm]" in text
    assert text.count("supply: 1m") == text.count("supply: 2m") == 1
    assert "supply: 2m, no pillage of Utgard and Gimle" in text
    assert "m Mystic" in text
    assert "ystic" not in board_text(Scenario(2).states, 0)
    full = mystics(alone(), 0, "reserve", "reserve")
    assert "L 8w S 2m" in board_text(full.states, 0)
