"""Replays: small, exact, and not trusted."""

import contextlib
import hashlib
import json
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import differing, keen_action, options_of

from bloodrage_env import games
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.signature import RULES_VERSION, behaviour_signature
from bloodrage_env.games.bloodrage.options import DEFAULT, FACTS, Options
from bloodrage_env.games.bloodrage.replay import MAX_CONTENT, MAX_FILE, Replay, ReplayError

ROOT = Path(__file__).resolve().parents[1]
MAGIC = b"bloodrage replay 1\n"


def recorded(seed=5, decisions=engine.MAX_DECISIONS):
    game = Recorder(Replay(seed, options_of(seed)))
    rng = np.random.default_rng(seed)
    while not engine.is_over(game.states, 0) and len(game.actions) < decisions:
        game.apply(keen_action(game.states, rng))
    return game


def packed(content, level=9):
    """A file with a right checksum around any content."""
    body = zlib.compress(content if isinstance(content, bytes) else json.dumps(content).encode(), level)
    return MAGIC + hashlib.sha256(body).digest()[:16] + body


def content_of(replay):
    return json.loads(zlib.decompress(replay.to_bytes()[len(MAGIC) + 16 :]))


@pytest.mark.parametrize("seed", range(24))
def test_a_saved_game_plays_again(seed, tmp_path):
    game = recorded(seed)
    replay = game.replay()
    path = tmp_path / "game.brz"
    replay.save(path)
    loaded = Replay.load(path)
    assert loaded == replay
    assert not differing(loaded.verify(), game.states)
    assert path.stat().st_size < 2048
    assert list(tmp_path.iterdir()) == [path]


def test_who_played_is_in_the_file():
    names = ("balanced", "Ann", "human", "x" * 500)
    replay = Replay(3, Options(4), players=names)
    assert Replay.from_bytes(replay.to_bytes()).players == (*names[:3], "x" * 200)
    assert Recorder(Replay(3, Options(4), players=names)).replay().players == names
    assert "players" not in content_of(Replay(3, Options(4)))
    content = content_of(replay)
    for wrong in (["a"] * 3, ["a", "b", "c", 4], ["a", "b", "c", "\x1b[2J"], ["a"] * 3 + ["x" * 201], "abcd", None):
        with pytest.raises(ReplayError, match=r"^f is damaged: its players are not a list of names$"):
            Replay.from_bytes(packed(content | {"players": wrong}), "f")


@pytest.mark.parametrize(
    ("seed", "players", "message"),
    [
        (True, (), "seed must be a whole number, not True"),
        (-1, (), "seed must be 0 to"),
        (1, ("a",), r"players must be 2 names, or none, not \('a',\)"),
        (1, ("a", 2), "players must be 2 names"),
        (1, ("a", "b\u3000"), r"a name of a player has a character that cannot be printed: 'b\\u3000'"),
    ],
)
def test_what_no_file_can_contain_is_refused_at_the_start(seed, players, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        games.recorder(Options(2), seed, players)


def test_recorded_probabilities_are_in_the_file():
    """The most likely ones of each decision, in thousandths."""
    game = recorded(decisions=3).replay()
    many = {action: (1 + action) / 78 for action in range(12)}
    replay = game.with_probabilities([{5: 0.25, 7: 0.75, 9: 0.0001}, None, many])
    assert replay.probabilities[:2] == (((7, 750), (5, 250)), ())
    assert [action for action, _ in replay.probabilities[2]] == [11, 10, 9, 8, 7, 6, 5, 4]
    assert Replay.from_bytes(replay.to_bytes()) == replay
    assert "probabilities" not in content_of(game)
    with pytest.raises(ValueError, match="probabilities of 1 decisions for a replay of 3 actions"):
        game.with_probabilities([None])
    content = content_of(replay)
    for wrong in ([[]] * 2, "abc", None):
        with pytest.raises(ReplayError, match=r"^f is damaged: its probabilities are not those of its actions$"):
            Replay.from_bytes(packed(content | {"probabilities": wrong}), "f")
    pairs = ([[1]], [[1, 1001]], [[engine.NUM_ACTIONS, 5]], [[1, 0.5]], [[1, True]], 3, None, [[1, 2]] * 9, [3])
    for wrong in pairs:
        with pytest.raises(ReplayError, match=r"^f is damaged: its probabilities are not numbers$"):
            Replay.from_bytes(packed(content | {"probabilities": [[], [], wrong]}), "f")


def test_a_file_with_probabilities_can_be_read_however_long_the_game():
    """Those of an ordinary game fit; the longest game's, 10,000 decisions, are left out."""
    shares = {engine.NUM_ACTIONS - 1 - number: 0.125 for number in range(8)}
    for decisions, kept in ((1000, True), (engine.MAX_DECISIONS, False)):
        game = Replay(2**63 - 1, Options(4), (engine.NUM_ACTIONS - 1,) * decisions)
        whole = game.with_probabilities([shares] * decisions)
        assert len(whole.to_bytes()) <= MAX_FILE
        assert Replay.from_bytes(whole.to_bytes()) == (whole if kept else game)


def test_every_move_can_be_reached():
    replay = recorded().replay()
    every = list(replay.states())
    assert len(every) == len(replay) + 1
    for k in (0, 1, 17, len(replay) - 1, len(replay)):
        assert not differing(replay.at(k), every[k])
        assert not differing(replay.at(k - len(replay) - 1), every[k])
    for k in (len(replay) + 1, -len(replay) - 2):
        with pytest.raises(IndexError, match=f"move {k} is not in a replay of"):
            replay.at(k)


def test_a_recorder_remembers_what_was_legal():
    game = recorded(7, decisions=30)
    assert game.apply(engine.NUM_ACTIONS) == game.apply(-5) == engine.ILLEGAL
    assert len(game.actions) == 30
    before = engine.clone(game.states, 0)
    game.apply(int(np.flatnonzero(game.states[0].mask)[0]))
    game.rewind(30)
    assert not differing(before, game.states)
    game.rewind(0)
    assert game.actions == []
    assert not differing(game.states, game.replay().start())
    done = recorded(7)
    count = len(done.actions)
    assert done.apply(0) == engine.GAME_OVER
    assert len(done.actions) == count


def test_an_unfinished_game_is_a_replay_too():
    game = recorded(3, decisions=50)
    assert not differing(Replay.from_bytes(game.replay().to_bytes()).verify(), game.states)


# ---- what doesn't play


def test_an_illegal_action_is_found():
    replay = recorded(decisions=20).replay()
    wrong = replace(replay, actions=(*replay.actions[:7], 0, *replay.actions[8:]))
    with pytest.raises(ReplayError, match=r"action 8 \(0\) is not legal"):
        wrong.verify()
    with pytest.raises(ReplayError, match="is not legal"):
        list(wrong.states())


def test_actions_after_the_end_are_found():
    replay = recorded().replay()
    with pytest.raises(ReplayError, match=f"the game is over after {len(replay)} actions"):
        replace(replay, actions=(*replay.actions, 1)).verify()


def test_another_result_is_found():
    replay = recorded().replay()
    with pytest.raises(ReplayError, match="the replay says"):
        replace(replay, scores=tuple(n + 1 for n in replay.scores)).verify()
    replace(replay, scores=None).verify()


# ---- what is not a replay


def test_another_rules_version_is_named():
    with pytest.raises(ReplayError, match=f"x.brz was played by rules version 0.9; this is {RULES_VERSION}"):
        Replay.from_bytes(packed(content_of(recorded().replay()) | {"rules": "0.9"}), "x.brz")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not a replay: it does not begin with"),
        (b"PK\x03\x04 something else", "is not a replay"),
        (b"bloodrage replay 1", "is not a replay"),
        (b"bloodrage replay 2\n", "is of replay format '2'; this version reads 1"),
        (b"bloodrage replay \xff\x00\n", "is of replay format"),
        (MAGIC, "checksum does not fit"),
        (MAGIC + bytes(40), "checksum does not fit"),
        (b"x" * (MAX_FILE + 1), "is larger than 64 KB"),
        (packed(bytes(MAX_CONTENT + 1)), "longer than a game, or cut short"),
        (packed(b" " * 50_000_000), "longer than a game, or cut short"),
        (packed(b"\xff\xfe"), "is damaged: "),
        (packed(b"{"), "is damaged: JSONDecodeError in its content"),
        (packed(b"[" * 100_000), "is damaged: "),
        (packed(b"9" * 100_000), "is damaged: "),
        (packed([]), "it has other entries than a replay"),
        (packed({}), "it has other entries than a replay"),
    ],
)
def test_other_files_are_refused(data, message):
    with pytest.raises(ReplayError) as refused:
        Replay.from_bytes(data, "some file")
    assert message in str(refused.value)
    assert str(refused.value).startswith("some file is ")
    assert "\n" not in str(refused.value)


def test_content_with_more_after_it_is_refused():
    body = zlib.compress(b"{}") + b"more"
    with pytest.raises(ReplayError, match="longer than a game, or cut short"):
        Replay.from_bytes(MAGIC + hashlib.sha256(body).digest()[:16] + body)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rules", 1),
        ("rules", ""),
        ("rules", "a\nb"),
        ("seed", -1),
        ("seed", 2**63),
        ("seed", 1.0),
        ("seed", True),
        ("num_players", 1),
        ("num_players", 5),
        ("num_players", "4"),
        ("first_game", 0),
        ("skip_forced", None),
        ("actions", {}),
        ("actions", [0] * (engine.MAX_DECISIONS + 1)),
        ("actions", [-1]),
        ("actions", [engine.NUM_ACTIONS]),
        ("actions", [True]),
        ("actions", ["PASS"]),
        ("glory", [1]),
        ("glory", "none"),
        ("glory", [0, 0, 0, 2**40]),
    ],
)
def test_entries_of_other_kinds_are_refused(name, value):
    content = content_of(recorded(6).replay()) | {name: value}
    with pytest.raises(ReplayError, match=r"^f is damaged: its? "):
        Replay.from_bytes(packed(content), "f")
    del content[name]
    if name in FACTS:  # files of before an option was there don't name it
        content["glory"] = None
        assert getattr(Replay.from_bytes(packed(content)).options, name) == getattr(DEFAULT, name)
        return
    with pytest.raises(ReplayError, match="other entries"):
        Replay.from_bytes(packed(content))


def test_an_option_of_another_version_is_refused():
    content = content_of(recorded(6).replay()) | {"weather": "snow"}
    with pytest.raises(ReplayError, match=r"^f is damaged: it has other entries than a replay$"):
        Replay.from_bytes(packed(content), "f")


def test_a_file_of_before_is_read():
    """As files were written before the options were one record."""
    given = {"num_players": 3, "first_game": True, "skip_forced": False}
    states = engine.new_game(5, **given)
    first = int(states[0].mask.argmax())
    content = {"rules": RULES_VERSION, "seed": 5, **given, "actions": [first], "glory": [0, 0, 0]}
    replay = Replay.from_bytes(packed(content))
    assert replay == Replay(5, Options(**given), (first,), scores=(0, 0, 0))
    engine.apply(states, 0, first)
    assert not differing(replay.verify(), states)


WHOLE = recorded(9).replay().to_bytes()


@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_random_bytes_are_refused(data):
    for content in (data, MAGIC + data, packed(data), MAGIC + hashlib.sha256(data).digest()[:16] + data):
        with pytest.raises(ReplayError):
            Replay.from_bytes(content)


@settings(max_examples=100)
@given(st.lists(st.integers(0, engine.NUM_ACTIONS - 1), max_size=50), st.integers(0, 2**63 - 1), st.integers(2, 4))
def test_forged_actions_play_or_are_refused(actions, seed, players):
    replay = Replay.from_bytes(Replay(seed, Options(players), tuple(actions)).to_bytes())
    with contextlib.suppress(ReplayError):
        replay.verify()


# ---- files


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        Replay.load(tmp_path / "none.brz")
    (tmp_path / "large.brz").write_bytes(bytes(MAX_FILE + 1))
    with pytest.raises(ReplayError, match=r"large\.brz is larger"):
        Replay.load(tmp_path / "large.brz")


def test_a_failed_save_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "game.brz"
    replay = recorded(decisions=5).replay()
    replay.save(path)
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left") as failed:
        recorded(decisions=6).replay().save(path)
    assert failed.value.filename == str(path)
    assert Replay.load(path) == replay
    assert list(tmp_path.iterdir()) == [path]


# ---- the signature of the rules


def test_the_behaviour_signature_is_the_same_without_compilation():
    code = "from bloodrage_env.games.bloodrage.engine.signature import behaviour_signature as b; print(b(8))"
    plain = subprocess.run(
        [sys.executable, "-c", code],
        env={"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == behaviour_signature(8)
    assert len(behaviour_signature(1)) == 16
    assert behaviour_signature(7) != behaviour_signature(8)
