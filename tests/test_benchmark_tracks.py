"""The tracks of games of other packages: their own, or one against `random`."""

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from pool_here import Here
from stores import plan, played
from test_benchmark import FACTS, TINY

from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.benchmark import command, protocols, record, rows, verify
from bloodrage_training.benchmark.results import Deal, Track, deal_of
from bloodrage_training.tournament.plan import unit


def test_a_game_of_more_sides_has_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "content", lambda: {"*": TINY["*"] | {"table": TINY["bloodrage"]["table"]}})
    monkeypatch.setattr(games, "options_from", lambda game: Options(3))
    assert protocols.tracks("bloodrage") == ("table",)
    assert protocols.protocol("bloodrage", "table").options.num_players == 3
    monkeypatch.setattr(protocols, "content", lambda: {"*": {"solo": FACTS}})
    monkeypatch.setattr(games, "options_from", lambda game: SimpleNamespace(num_players=1))
    assert protocols.tracks("bloodrage") == ("solo",)


@pytest.mark.slow
def test_a_game_of_one_seat_is_measured_by_its_scores(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On fixed deals, with a file that is verified, and no tournament."""
    solo = FACTS | {"options": {"num_players": 1}, "opponents": [], "deals": 3}
    monkeypatch.setattr(protocols, "content", lambda: TINY | {"berserk_laar": {"solo": solo}})
    monkeypatch.setattr(command, "make_pool", lambda backend, size: Here())
    monkeypatch.chdir(tmp_path)
    assert main(["benchmark", "random", "--game", "berserk_laar", "--out", "a"]) == 0
    (track,) = record.read(Path("a/benchmark.json")).tracks
    scores = [each.scores[0][0] for each in track.results]
    assert track.mean_score().value == pytest.approx(sum(scores) / 3)
    assert [each.won for each in track.results] == [(0.5 + 0.5 * ((score > 0) - (score < 0)),) for score in scores]
    assert f"{track.mean_score().value:.2f}\n" in capsys.readouterr().out  # all scores are equal: there is no interval
    assert main(["benchmark", "--verify", "a/benchmark.json"]) == 0
    assert "all agree" in capsys.readouterr().out
    assert main(["tournament", "report", "a/solo-1.sqlite"]) == 1
    assert "which only 'bloodrage benchmark' reports" in capsys.readouterr().err


def of_one_deal(name: str, won: float = 0.5, response: bytes | None = None) -> Track:
    protocol = replace(protocols.protocol("bloodrage", "exploit"), track=name)
    return Track(protocol, 1, (Deal("random", 0, 1, (won, won), ((12,), (12,)), 0, "0" * 16),), 0.1, response)


def test_a_changed_victory_is_found_where_the_win_rates_of_a_file_fit_it() -> None:
    (played,), (stated,) = of_one_deal("duel").results, of_one_deal("duel", 1.0).results
    said = "deal 0 against random: won is [1.0, 1.0] in the file and [0.5, 0.5] when played"
    assert verify.difference(stated, played) == said


@pytest.mark.parametrize(("name", "response", "said"), [("solo", None, "12.00"), ("exploit", b"", "+25.0")])
def test_a_track_of_one_deal_has_no_interval(name: str, response: bytes | None, said: str) -> None:
    assert rows._shown(of_one_deal(name, 0.5, response)).text == said


@pytest.mark.parametrize(
    ("won", "strength"), [({"duel": 1, "table": 0.25}, 0.25), ({"duel": 0.75, "held-out": 1}, 0.75), ({"solo": 1}, 12)]
)
def test_the_leaderboard_is_ordered_by_the_table_or_the_first_track(won: dict[str, float], strength: float) -> None:
    tracks = tuple(of_one_deal(*each) for each in won.items())
    found = record.Record("bloodrage", "balanced", "mine", None, "", "now", {}, None, tracks)
    assert rows._strength(found) == (-strength, "mine")


def test_a_package_registers_tracks(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"held-out": FACTS | {"options": {"num_players": 4}, "opponents": ["random"], "deals": 3}}
    place = ModuleType("tracks_of_a_package")
    monkeypatch.setitem(sys.modules, place.__name__, place)
    monkeypatch.setattr(place, "TRACKS", given, raising=False)
    spec = replace(games.spec("berserk_team"), tracks="tracks_of_a_package:TRACKS")
    monkeypatch.setattr(games, "spec", lambda name: spec)
    assert protocols.tracks("berserk_team") == ("held-out",)
    found = protocols.protocol("berserk_team", "held-out")
    assert (found.deals, found.opponents, found.options.num_players) == (3, ("random",), 4)
    del given["held-out"]["deals"]
    with pytest.raises(UserError, match="the track 'held-out' can't be played: it has no deals"):
        protocols.tracks("berserk_team")
    given["mine"] = given.pop("held-out") | {"deals": 1}
    with pytest.raises(UserError, match="the track 'mine' can't be played: tracks are solo, duel, table"):
        protocols.tracks("berserk_team")


def test_forfeits_of_an_agent_are_not_those_of_its_opponent() -> None:
    wanted = plan(("a", "b"), "focus", 2)
    games = [played(game) for game in unit(wanted, 0).games]
    for loser, forfeits in (("a", len(games)), ("b", 0)):
        lost = [replace(each, forfeit_seat=each.line_up.index(loser), forfeit_reason="x") for each in games]
        assert deal_of(lost, "a").forfeits == forfeits
