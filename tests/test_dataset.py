"""Datasets of decisions: what their rows hold, that they resume, and what is refused."""

import dataclasses
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from environments import PETTINGZOO
from msgspec.structs import replace
from pool_here import Here
from project_files import files, name_of

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_training.dataset import Dataset, Rows, command
from bloodrage_training.dataset.make import planned
from bloodrage_training.dataset.rows import MAX_GAMES, MAX_SHARD, layout
from bloodrage_training.tournament.plan import unit
from bloodrage_training.tournament.workers import Player

ENVS = {name: makers.env for name, makers in PETTINGZOO.items()}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "make_pool", lambda backend, size: Here())


def made(folder: Path, *words: str, agents: str = "random,balanced", count: int = 8) -> Dataset:
    argv = ["dataset", "--agents", agents, "--games", str(count), "--shard", "4", "--out", str(folder), *words]
    assert main(argv) == 0
    return Dataset(folder)


def fails(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["dataset", *words]) == 1
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    return output


def spread(row: np.ndarray, where: np.ndarray, total: float) -> None:
    """Give these actions even probabilities of this sum."""
    np.copyto(row, np.float16(total / where.sum()), where=where)


@pytest.mark.parametrize("name", ENVS)
def test_rows_are_what_the_environment_shows(name: str, tmp_path: Path) -> None:
    """Observations, masks, seats and returns of the same seed and actions, and the scores of the player's game."""
    data = made(tmp_path, "--game", name, agents="random", count=4)
    plan, _ = planned(["random"], data.options, 0, 4, 4)
    rows = data.rows()
    env = ENVS[name](observation_dtype="uint8")
    for number in (0, 3):
        own = np.flatnonzero(rows.games == number)
        assert rows.steps[own].tolist() == [*range(len(own))]
        place, seating = divmod(number, len(unit(plan, 0).games))
        game = unit(plan, place).games[seating]
        scores = Player(plan).play(game).scores
        assert rows.scores[own].tolist() == [scores[seat] for seat in rows.seats[own]]
        env.reset(seed=game.seed)
        seats = {agent: seat for seat, agent in enumerate(env.possible_agents)}
        for row in own:
            seen, _, over, cut, info = env.last()
            assert (over, cut) == (False, False)
            assert rows.seats[row] == seats[env.agent_selection]
            np.testing.assert_array_equal(rows.observations[row], seen["observation"])
            np.testing.assert_array_equal(rows.masks[row], info["action_mask"])
            env.step(int(rows.actions[row]))
        for row in own:
            assert rows.returns[row] == np.float32(env.rewards[env.possible_agents[rows.seats[row]]])


def test_probabilities_are_those_of_agents_that_have_a_policy(tmp_path: Path) -> None:
    data = made(tmp_path, agents="network:sample=none,random", count=4)
    rows = data.rows()
    assert data.manifest.agents == ("network:sample=none", "random")
    sums = rows.probabilities.astype(np.float32).sum(1)
    np.testing.assert_allclose(sums, rows.agents == 0, atol=5e-3)
    assert not rows.probabilities[~rows.masks].any()
    best = rows.probabilities.argmax(1)
    greedy = rows.agents == 0
    assert (best == rows.actions)[greedy].mean() > 0.99  # float16 has ties


def test_an_interrupted_dataset_is_completed_to_the_same_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = made(tmp_path / "whole", count=12)
    begun = made(tmp_path / "begun", count=8)
    assert len(begun.manifest.shards) == 2
    later = made(tmp_path / "begun", count=12)
    assert "] 12/12 games" in capsys.readouterr().err
    assert made(tmp_path / "begun", count=12).manifest == later.manifest
    assert "] 12/12 games, 0.0/s" in capsys.readouterr().err  # none of this run
    assert later.manifest.shards[:2] == begun.manifest.shards
    assert [each.digest for each in later.manifest.shards] == [each.digest for each in whole.manifest.shards]
    counts = 10, len(whole.shard(0)) + 10
    assert tuple(len(whole.rows(most)) for most in counts) == counts
    (tmp_path / "begun" / later.manifest.shards[1].file).unlink()
    with pytest.raises(UserError, match="can't read"):
        list(later)


def test_a_shard_that_is_not_full_is_made_anew_in_a_larger_dataset(tmp_path: Path) -> None:
    whole, begun = (made(tmp_path / name, "--shard", "8", count=count) for name, count in (("1", 16), ("2", 12)))
    assert [each.games for each in begun.manifest.shards] == [8, 4]
    later = made(tmp_path / "2", "--shard", "8", count=16)
    assert later.manifest == whole.manifest


def test_games_are_of_the_seed(tmp_path: Path) -> None:
    one, other = made(tmp_path / "1", count=4), made(tmp_path / "2", "--seed", "1", count=4)
    assert one.manifest.shards[0].digest != other.manifest.shards[0].digest


def test_every_agent_has_every_seat(tmp_path: Path) -> None:
    rows = made(tmp_path).rows()
    pairs = set(zip(rows.agents.tolist(), rows.seats.tolist(), strict=True))
    assert pairs == {(agent, seat) for agent in range(2) for seat in range(4)}


def test_what_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = made(tmp_path / "it")
    own = ["--games", "8", "--shard", "4", "--out", str(tmp_path / "it")]
    both = ["--agents", "random,balanced", *own]
    assert "has 8 games, more than 4" in fails(capsys, *both, "--games", "4")
    assert "other options" in fails(capsys, *both, "--players", "2")
    assert "other games_in_a_shard" in fails(capsys, *both, "--shard", "8")
    assert "other agents" in fails(capsys, "--agents", "random", *own)
    assert "other seed" in fails(capsys, "--agents", "random,balanced", "--seed", "9", *own)
    assert "nobody" in fails(capsys, "--agents", "nobody", *own)
    assert "a person can't play these games" in fails(capsys, "--agents", "human", *own)
    (tmp_path / "agent.py").write_text("class A:\n    def act(self, o, m, rng):\n        return int(m.argmax())\n")
    for others in ("", "random,"):
        assert "plug-in" in fails(capsys, "--agents", f"{others}{tmp_path / 'agent.py'}:A", *own)
    with pytest.raises(UserError, match="not a dataset"):
        Dataset(tmp_path)
    file = tmp_path / "it" / data.manifest.shards[0].file
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(UserError, match="damaged"):
        data.shard(0)
    changed = replace(data.manifest, fingerprints=("a", "b"))  # as of agents whose code is another
    (tmp_path / "it" / "manifest.json").write_text(changed.to_json())
    assert "other fingerprints" in fails(capsys, *both)


def test_a_forfeit_names_its_agent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Player.play

    def asleep(player: Player, game: Any) -> Any:
        seat = 0 if game.line_up == ("balanced", "random") else None
        return dataclasses.replace(play(player, game), forfeit_seat=seat, forfeit_reason="it sleeps")

    monkeypatch.setattr(Player, "play", asleep)
    words = ["--agents", "random,balanced", "--players", "2", "--out", str(tmp_path)]
    assert "agent balanced forfeited a game: it sleeps" in fails(capsys, *words)


def test_games_and_shards_are_whole_deals(tmp_path: Path) -> None:
    options = made(tmp_path, agents="random", count=1).options
    _, manifest = planned(["random"], options, 0, 5, 6)
    assert (manifest.games, manifest.games_in_a_shard) == (8, 8)


@pytest.mark.parametrize("name", ENVS)
def test_the_largest_shard_can_be_read(name: str) -> None:
    """Agents play games of fewer than a thousand decisions."""
    row = sum(np.dtype(kind).itemsize * int(np.prod(shape)) for kind, shape in layout(name).values())
    assert 1000 * row * MAX_GAMES <= MAX_SHARD


def test_workers_are_as_many_as_the_command_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int | None] = []
    monkeypatch.setattr(command, "make_pool", lambda backend, size: [sizes.append(size), Here()][1])
    for words in (("--workers", "300"), ()):
        made(tmp_path, *words, agents="random", count=4)
    assert sizes == [300, None]  # the backend knows how many cores there are: Ray those of all machines


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda found: found.update(format=2), r"Expected `int` <= 1 - at `\$.format`; make the dataset again$"),
        (lambda found: found["shards"][0].update(file="../rows.npz"), r"matching regex .* - at `\$.shards\[0\].file`"),
        (lambda found: found.update({"a\n\x1b" + "b" * 999: 1}), r"json can't be used: .* unknown field `ab{20}"),
        (lambda found: found.update(agents=["a\nb", "c"]), "agents is not a text of one line"),
        (lambda found: found.update(versions={"a": "\x1b"}), "versions is not a text of one line"),
        (lambda found: found.pop("agents"), "missing required field `agents`"),
        (lambda found: found["options"].update(game="chess"), "its game 'chess' is none of"),
        (lambda found: found.update(game="x"), "its options are of the game bloodrage, not x"),
        (lambda found: found.update(game="berserk"), "its options are of the game bloodrage, not berserk"),
        (lambda found: found.update(agents=[None, None]), r"Expected `str`, got `null` - at `\$.agents\[0\]`"),
        (lambda found: found.update(fingerprints=[]), "one without a fingerprint"),
        (lambda found: found.update(agents=["random", "random"]), "an agent twice"),
        (lambda found: found.update(seed=1.5), r"Expected `int`, got `float` - at `\$.seed`"),
        (lambda found: found.update(games=5), "not played at all 4 seatings"),
        (lambda found: found.update(games_in_a_shard=6), "not played at all 4 seatings"),
        (lambda found: found.update(shards=found["shards"] * 2), "its shards are not in order"),
        (lambda found: found["shards"][0].update(rows=-5), r"Expected `int` >= 1 - at `\$.shards\[0\].rows`"),
        (lambda found: found["shards"][0].update(games=8), "has 8 games, which is not the number of its place"),
        (lambda found: found["shards"][0].update(rows=10**9), "has 1000000000 rows, which 4 games can't have"),
    ],
)
def test_a_foreign_manifest_is_refused(change: Callable[[Any], Any], reason: str, tmp_path: Path) -> None:
    made(tmp_path, count=4)
    path = tmp_path / "manifest.json"
    found = json.loads(path.read_text())
    change(found)
    path.write_text(json.dumps(found))
    with pytest.raises(UserError, match=reason):
        Dataset(tmp_path)


def test_the_rows_of_a_shard_are_those_of_the_manifest(tmp_path: Path) -> None:
    made(tmp_path, count=4)
    path = tmp_path / "manifest.json"
    found = json.loads(path.read_text())
    found["shards"][0].update(rows=5)
    path.write_text(json.dumps(found))
    with pytest.raises(UserError, match="has not the 5 rows of the manifest"):
        Dataset(tmp_path).shard(0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: rows.seats[3:4].fill(127), "its seats can't be those of a game"),
        (lambda rows: rows.agents[3:4].fill(2), "its agents can't be those of a game"),
        (lambda rows: rows.agents[3:4].__ixor__(1), "its agents differ within a game"),
        (lambda rows: rows.actions[3:4].fill(int(rows.masks[3].argmin())), "its actions can't"),
        (lambda rows: rows.actions[3:4].fill(-1), "its actions can't"),
        (lambda rows: rows.actions[3:4].fill(2**15 - 1), "its actions can't"),
        (lambda rows: rows.masks.view(np.uint8)[3, :4].fill(3), "its masks can't"),
        (lambda rows: rows.steps[3:4].fill(9), "its steps can't"),
        (lambda rows: rows.games[-1:].fill(9), "its games can't"),
        (lambda rows: rows.games[:1].fill(-1), "its (games|steps) can't"),
        (lambda rows: rows.games.__iadd__(4), "its games can't"),
        (lambda rows: rows.returns[3:4].fill(np.nan), "its returns can't"),
        (lambda rows: rows.returns[3:4].fill(0.25), "its returns differ within a game"),
        (lambda rows: rows.scores[3:4].fill(-9), "its scores differ within a game"),
        (lambda rows: rows.probabilities[3].fill(0.5), "its probabilities can't"),
        (lambda rows: spread(rows.probabilities[3], rows.masks[3], 1.5), "its probabilities can't"),
        (lambda rows: spread(rows.probabilities[3], rows.masks[3], 0.5), "its probabilities can't"),
        (lambda rows: spread(rows.probabilities[3], ~rows.masks[3], 1), "its probabilities can't"),
    ],
)
def test_rows_that_are_of_no_game_are_refused(change: Callable[[Any], Any], reason: str, tmp_path: Path) -> None:
    data = made(tmp_path, count=4)
    rows = data.rows()
    rows.check(data.manifest, data.manifest.shards[0])
    change(rows)
    entry = replace(data.manifest.shards[0], digest=rows.digest())
    with pytest.raises(UserError, match=reason):
        rows.check(data.manifest, entry)


def test_a_shard_of_another_layout_is_refused(tmp_path: Path) -> None:
    rows = made(tmp_path, count=4).rows(10)
    with pytest.raises(UserError, match="observations are uint8"):
        Rows.from_bytes(rows.to_bytes(), "berserk")
    with pytest.raises(UserError, match="not a zip archive"):
        Rows.from_bytes(b"rows", "bloodrage")
    for changed in ({"actions": np.array(3)}, {"more": rows.actions}, {"actions": None}):
        packed = io.BytesIO()
        arrays: dict[str, Any] = {**vars(rows), **changed}
        np.savez(packed, **{key: each for key, each in arrays.items() if each is not None})
        with pytest.raises(UserError, match=r"not a shard|its actions are"):
            Rows.from_bytes(packed.getvalue(), "bloodrage")
    back = Rows.from_bytes(rows.to_bytes(), "bloodrage")
    assert back.digest() == rows.digest()


def test_no_code_reads_the_inside_of_a_type_hint() -> None:
    """`NDArray[...]` of numpy 2.5 is another kind of object."""
    sources = files("bloodrage_env/**/*.py", "agents/**/*.py", "training/**/*.py", "docs/**/*.py")
    assert [name_of(path) for path in sources if re.search(r"__args__|__origin__", path.read_text())] == []


def test_behaviour_cloning_learns_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from behaviour_cloning import tensors, train

    torch.manual_seed(0)
    made(tmp_path, agents="balanced", count=12)
    used: list[int] = []
    shard = Dataset.shard
    monkeypatch.setattr(Dataset, "shard", lambda data, number: used.append(number) or shard(data, number))
    net, right = train(tmp_path, epochs=2, width=64)
    assert used == [0, 1, 2] * 2  # the last is held out
    legal = Dataset(tmp_path).shard(2)
    seen, masks, _ = (each[:9] for each in tensors(legal))
    torch.testing.assert_close(net(seen, masks), net(seen * net.scales, masks))  # bytes, and numbers as in play
    assert right > 1.5 / legal.masks.sum(1).mean()  # better than a legal action at random


@pytest.mark.parametrize(
    ("words", "other"),
    [
        (("--players", "2"), "balanced"),
        (("--players", "3", "--sets", "gods", "--shard", "3"), "balanced"),
        (("--game", "berserk"), "hold"),
    ],
)
def test_behaviour_cloning_plays_the_game_of_the_dataset(
    words: tuple[str, ...], other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    import behaviour_cloning

    options = made(tmp_path, *words, agents="random", count=6).options
    played: list[Any] = []
    against = behaviour_cloning.against

    def noted(choose: Any, opponent: Any, *given: Any, **more: Any) -> Any:
        played.append((opponent, more["options"]))
        return against(choose, opponent, *given, **more)

    monkeypatch.setattr(behaviour_cloning, "against", noted)
    monkeypatch.setattr("sys.argv", ["it", str(tmp_path), "--epochs", "1", "--games", "2"])
    behaviour_cloning.main()
    assert played == [(other, options)]
