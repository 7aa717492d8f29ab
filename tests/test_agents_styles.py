"""What tells the styles apart: the weights of their own, what they do in a position, and that the first four stay."""

import hashlib

import numpy as np
import pytest
from scenario import Scenario
from scenario_names import member

from bloodrage_agents.games.bloodrage.compiled.heuristics import STYLES, play_heuristics
from bloodrage_agents.games.bloodrage.compiled.open_seats import SEATS
from bloodrage_agents.games.bloodrage.compiled.tuning import play_tables
from bloodrage_agents.games.bloodrage.compiled.weights import HELD_OUT, TABLE, Weight
from bloodrage_agents.styles import OPEN, RANDOM
from bloodrage_env.core.engine.chance import NUM_WORDS
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_DECISIONS, MAX_SEATS, Decision, Place, Source
from bloodrage_env.games.bloodrage.engine.actions import PROVINCE, figure_at
from bloodrage_env.games.bloodrage.engine.ids import Figure
from bloodrage_env.games.bloodrage.engine.state import PACK_SIZE
from bloodrage_env.games.bloodrage.options import Options

BALANCED = STYLES.index("balanced")


def answers(g: Scenario, **changed: float) -> set[int]:
    """What `balanced` with some weights changed answers to the open question, whatever its seed."""
    g.asked()
    table = TABLE[BALANCED : BALANCED + 1].copy()
    for name, value in changed.items():
        table[0, Weight[name]] = value
    return {_answer(g, table, seed) for seed in range(8)}


def _answer(g: Scenario, table: np.ndarray, seed: int) -> int:
    played = g.states.copy()
    play_tables(played, table, np.zeros((1, MAX_SEATS), np.int64), np.array([seed]), 1)
    for action in g.legal_actions():
        tried = g.states.copy()
        engine.apply(tried, 0, action)
        if (tried == played).all():
            return action
    raise AssertionError("no legal action leads there")


def province(name: str) -> int:
    return PROVINCE + member(Place, name)


def last_province(**rage: int) -> Scenario:
    """Only Gimle is left to pillage, and the first clan alone is there; the Rage of the three clans."""
    g = Scenario(players=3)
    g.put(0, "leader", "gimle")
    g.token("gimle", "glory")
    g.doomed("elvagar")
    g.pillaged(*(Place(place).name.lower() for place in range(9) if place != Place.GIMLE))
    for seat, name in enumerate(("own", "left", "right")):
        g.rage(seat, rage[name])
    return g


def test_a_random_seat_takes_every_legal_action() -> None:
    """In games with open seats: here cards of the first pack, two of eight."""
    states = np.repeat(engine.new_game(1, 2), 500)
    seat = int(states[0].seat)
    pack = states[0].deck[0, PACK_SIZE * seat : PACK_SIZE * (seat + 1)]
    styles = np.full((len(states), MAX_SEATS), OPEN)
    styles[:, seat] = RANDOM
    words = np.random.default_rng(1).integers(1, 2**32, (len(states), NUM_WORDS))
    SEATS.play_on(states, np.arange(len(states)), styles, words)
    assert (states["seat"] == 1 - seat).all()
    assert set(states["pending"][:, seat].ravel().tolist()) == set(pack.tolist())


def test_the_last_pillage_waits_while_the_own_rage_is_worth_more() -> None:
    """rules 3.2.4: it ends the phase, and all Rage is lost, the own too."""
    assert answers(last_province(own=6, left=1, right=1)) == {province("gimle")}
    assert province("gimle") not in answers(last_province(own=6, left=1, right=1), RUSH=9.0)


def test_a_rusher_ends_the_phase_while_others_have_rage() -> None:
    """rules 3.2.4: a token that it can't use any more is worth its turn for the Rage that the others lose."""
    g = last_province(own=2, left=6, right=6)
    g.token("gimle", "horns")
    g.stat(0, "horns", 6)
    assert province("gimle") not in answers(g)
    assert answers(g, RUSH=9.0) == {province("gimle")}


@pytest.mark.parametrize("leader", [1, 2])
def test_a_hunter_attacks_whoever_leads(leader: int) -> None:
    """Of two like battles it takes that against the clan with the most glory, stats counted (rules 1.5)."""
    g = Scenario(players=3)
    for seat, place in ((1, "gimle"), (2, "utgard")):
        g.put(0, "warrior", place, 2)
        g.put(seat, "warrior", place)
        g.token(place, "glory")
        g.glory(seat, 5)
    g.hand(0, "Tyr's Smash")
    g.rage(0, 1)
    g.stat(leader, "axes", 4)
    hunted, other = (province("gimle"), province("utgard"))[:: 1 if leader == 1 else -1]
    assert other not in answers(g, HUNT=5.0)
    assert answers(g, HUNT=5.0) == {hunted}


def test_the_cautious_leave_a_battle_that_they_may_lose() -> None:
    """A pillage of about even chances: `balanced` tries it."""
    g = Scenario(players=2)
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.token("gimle", "glory")
    g.doomed("elvagar")
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "warrior", "gimle")
    g.hand(0, "Tyr's Smash")
    g.hand(1, "Tyr's Bash", "Tyr's Smash", "Tyr's Crush")
    g.rage(0, 1)
    assert province("gimle") in answers(g)
    assert province("gimle") not in answers(g, CAUTION=9.0)


def test_a_garrison_goes_where_it_is_the_strongest() -> None:
    """One more province under control, in place of the glory of the doomed one, where another clan is as strong."""
    g = Scenario(players=2, age=3)
    g.put(0, "warrior", "gimle", 3)
    g.put(1, "leader", "utgard")
    g.doomed("utgard")
    g.rage(0, 1)
    g.pillaged(*(Place(place).name.lower() for place in range(1, 9)))
    free = {figure_at(Figure.LEADER, place) for place in range(8) if place not in (Place.GIMLE, Place.UTGARD)}
    assert answers(g, GARRISON=9.0) <= free
    assert answers(g).isdisjoint(free)


def played(style: str, games: int = 60) -> tuple[int, np.ndarray]:
    """Turns in games of four seats of one style, and their final records."""
    states = np.concatenate([engine.new_game(seed, 4, skip_forced=False) for seed in range(games)])
    rows = np.full((games, MAX_SEATS), STYLES.index(style))
    turns = 0
    for count in range(MAX_DECISIONS):
        if states["over"].all():
            break
        turns += int(((states["over"] == 0) & (states["decision"] == Decision.ACTION)).sum())
        play_tables(states, TABLE, rows, np.arange(games) + count * games, 1)
    return turns, states


def test_styles_play_as_they_are_described() -> None:
    """Among its like a rusher has shorter Ages than `balanced`, and a hoarder more glory of quests."""
    usual, ended = played("balanced")
    assert played("rusher")[0] < 0.9 * usual
    quests = [states["glory_from"][:, :, Source.QUEST].sum() for states in (ended, played("hoarder")[1])]
    assert quests[1] > 1.15 * quests[0]


def test_the_first_four_play_as_they_always_did() -> None:
    """A hash over games of all numbers of players and sets; other weights of theirs are no small change."""
    digest = hashlib.sha256()
    for seed in range(120):
        players = 2 + seed % 4
        sets = (("p5",) if players == 5 else ()) + ((), ("ks", "mystics"), ("gods",))[seed % 3]
        options = Options(players, sets=sets, skip_forced=bool(seed % 2))
        states = engine.new_game(seed, *options.numbers())
        asked = play_heuristics(states, 0, (np.arange(MAX_SEATS) + seed) % 4, seed, MAX_DECISIONS)
        digest.update(f"{asked} {engine.scores(states, 0).tolist()}\n".encode())
    assert digest.hexdigest()[:16] == "501f62233e6d8388"


def test_styles_keep_their_numbers() -> None:
    """New ones are appended: stored runs and replays know them by number."""
    assert STYLES[:5] == ("battle", "loki", "quest", "balanced", "rusher")
    assert set(HELD_OUT) == {"turtle", "hoarder", "hunter"}
    assert set(HELD_OUT) < set(STYLES)


def test_a_table_of_the_styles_plays_as_they_do() -> None:
    """`play_tables` with the table of the styles, the seats of two games together."""
    games = np.concatenate([engine.new_game(seed, 4) for seed in range(2)])
    rows = np.stack([(np.arange(MAX_SEATS) + game) % len(STYLES) for game in range(2)])
    play_tables(games, TABLE, rows, np.array([7, 8]), MAX_DECISIONS)
    for game in range(2):
        states = engine.new_game(game, 4)
        play_heuristics(states, 0, rows[game], 7 + game, MAX_DECISIONS)
        assert (states == games[game : game + 1]).all()


def test_a_table_that_does_not_fit_is_refused() -> None:
    games = engine.new_game(1, 4)
    rows = np.zeros((1, MAX_SEATS), np.int64)
    for table, given, seeds, complaint in (
        (TABLE[:, 1:].copy(), rows, [1], "NUM_COLUMNS"),
        (TABLE, rows[:, 1:].copy(), [1], "shape"),
        (TABLE, rows, [1, 2], "seeds"),
        (TABLE, rows + len(TABLE), [1], "rows must be those"),
        (TABLE, rows - 1, [1], "rows must be those"),
    ):
        with pytest.raises(ValueError, match=complaint):
            play_tables(games, table, given, np.array(seeds), 1)
