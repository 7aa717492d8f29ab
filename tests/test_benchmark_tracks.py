"""The tracks of games of other packages: their own, or one against `random`."""

import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import pytest
from test_benchmark import FACTS, TINY

from bloodrage_env import games
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.benchmark import protocols


def test_a_game_of_more_sides_has_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "content", lambda: {"*": TINY["*"] | {"table": TINY["bloodrage"]["table"]}})
    monkeypatch.setattr(games, "options_from", lambda game: Options(3))
    assert protocols.tracks("bloodrage") == ("table",)
    assert protocols.protocol("bloodrage", "table").options.num_players == 3
    monkeypatch.setattr(games, "options_from", lambda game: SimpleNamespace(num_players=1))
    with pytest.raises(UserError, match="has no tracks: a single player is compared with nobody"):
        protocols.tracks("berserk_team")


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
    with pytest.raises(UserError, match="the track 'mine' can't be played: tracks are duel, table"):
        protocols.tracks("berserk_team")
