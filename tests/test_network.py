"""A policy as one file of plain arrays: numpy plays it as PyTorch does, and no other file is taken for one."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.base import GameOptions
from agents.compiled.heuristics import STYLES, choose_many
from agents.match import play_game
from agents.network import MOST, SHIPPED, Network, NetworkAgent, file_of
from bloodrage_env import VectorGames
from bloodrage_env.errors import UserError
from training.average import average
from training.export import export, read, rounded
from training.merge import merge
from training.policy import Policy, SparseRows


def trained(width: int = 24, layers: int = 2, seed: int = 3) -> Policy:
    """A policy that is no longer at its start, where all logits are about 0."""
    torch.manual_seed(seed)
    policy = Policy(width, layers)
    with torch.no_grad():
        for value in policy.parameters():
            value.add_(torch.randn_like(value) * 0.1)
    return policy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An exported policy."""
    export(trained(), tmp_path / "policy.npz")
    return tmp_path / "policy.npz"


def positions() -> VectorGames:
    """Open decisions of forty games in different phases."""
    games = VectorGames(40, [2, 3, 4, 4] * 10, seed=9)
    games.reset()
    rng = np.random.default_rng(1)
    for step in range(200):
        choices = (games.masks + rng.random(games.masks.shape)).argmax(1)
        games.step(np.where(np.arange(40) * 5 > step, choices, games.masks.argmax(1)))
    return games


@pytest.mark.parametrize("layers", [0, 1, 3])
def test_numpy_and_torch_agree_on_what_is_stored(tmp_path: Path, layers: int) -> None:
    policy = trained(24, layers)
    export(policy, tmp_path / "policy.npz")
    games = positions()
    logits, values = Network.load(tmp_path / "policy.npz").evaluate(games.observations)
    with torch.inference_mode():
        wanted, wanted_values = rounded(policy)(SparseRows.of(games.observations))
    assert np.abs(wanted.numpy()).max() > 0.5
    assert np.abs(logits - wanted.numpy()).max() < 1e-5
    assert np.abs(values - wanted_values.numpy()).max() < 1e-5


@pytest.mark.parametrize("layers", [0, 2])
def test_what_was_exported_can_be_trained_further(tmp_path: Path, layers: int) -> None:
    policy = Policy(24, layers)
    export(policy, tmp_path / "policy.npz")
    again = read(tmp_path / "policy.npz").state_dict()
    for name, value in rounded(policy).state_dict().items():
        assert torch.equal(again[name], value), name


@pytest.mark.parametrize("layers", [0, 2])
def test_of_merged_policies_one_answers_for_each_number_of_players(tmp_path: Path, layers: int) -> None:
    two, more = trained(24, layers), trained(16, layers)
    export(merge({(2,): two, (4, 3): more}), tmp_path / "policy.npz")
    games = positions()
    logits, values = Network.load(tmp_path / "policy.npz").evaluate(games.observations)
    for policy, its in ((two, games.players == 2), (more, games.players > 2)):
        with torch.inference_mode():
            wanted, wanted_values = rounded(policy)(SparseRows.of(games.observations[its]))
        assert its.sum() >= 10
        assert np.abs(logits[its] - wanted.numpy()).max() < 1e-5
        assert np.abs(values[its] - wanted_values.numpy()).max() < 1e-5


@pytest.mark.parametrize("layers", [0, 2])
def test_a_search_asks_the_units_that_speak_in_its_games_alone(tmp_path: Path, layers: int) -> None:
    export(merge({(2,): trained(24, layers), (3, 4): trained(16, layers)}), tmp_path / "policy.npz")
    whole = Network.load(tmp_path / "policy.npz")
    games = positions()
    for number, width in ((2, 25), (3, 17), (4, 17)):  # with the unit that stands for the biases
        observations = games.observations[games.players == number]
        part = whole.for_players(number)
        assert part.width == width
        for wanted, found in zip(whole.evaluate(observations), part.evaluate(observations), strict=True):
            assert np.abs(found - wanted).max() < 1e-5


@pytest.mark.parametrize("name", ["first_bias", "layer_biases", "layer_weights"])
def test_a_unit_that_may_speak_is_kept(tmp_path: Path, name: str) -> None:
    export(merge({(2,): trained(24, 2), (3, 4): trained(16, 2)}), tmp_path / "policy.npz")
    whole = Network.load(tmp_path / "policy.npz")
    whole.arrays[name][..., 0] += 1000.0 if name == "first_bias" else 0.01  # unit 0 is one of those for two players
    games = positions()
    observations = games.observations[games.players == 4]
    part = whole.for_players(4)
    assert part.width > 17  # it, and those that hear it
    assert np.abs(part.evaluate(observations)[0] - whole.evaluate(observations)[0]).max() < 1e-4
    assert whole.for_players(2).width == 25


def test_the_numbers_of_an_observation_are_within_what_silence_is_told_by() -> None:
    games = VectorGames(40, [2, 3, 4, 4] * 10, seed=9)
    games.reset()
    top = 0.0
    for step in range(600):
        assert games.observations.min() >= 0.0
        top = max(top, float(games.observations.max()))
        choices = np.empty(40, np.int64)
        choose_many(games.states, np.full(40, STYLES.index("loki")), np.arange(40) + 40 * step, choices)
        games.step(choices)
    assert 1.0 < top <= MOST  # hundreds of glory


@pytest.mark.parametrize(
    ("numbers", "layers", "complaint"),
    [
        ([(2,), (3,)], [1, 1], r"the parts are for \(2,\), \(3,\); name each of \(2, 3, 4\) players once"),
        ([(2, 3), (3, 4)], [1, 1], "name each of"),
        ([(2, 3, 4, 5)], [1], "name each of"),
        ([(2,), (3, 4)], [1, 2], "the parts have 1 and 2 layers; it must be as many"),
    ],
)
def test_policies_that_cannot_be_merged(numbers: list[tuple[int, ...]], layers: list[int], complaint: str) -> None:
    parts = {each: Policy(8, depth) for each, depth in zip(numbers, layers, strict=True)}
    with pytest.raises(UserError, match=complaint):
        merge(parts)


def test_an_average_has_the_means_of_all_weights() -> None:
    parts = [trained(seed=seed) for seed in range(3)]
    for name, weights in average(parts).state_dict().items():
        wanted = np.mean([part.state_dict()[name].numpy() for part in parts], axis=0)
        assert np.abs(weights.numpy() - wanted).max() < 1e-6, name


def test_policies_that_cannot_be_averaged() -> None:
    with pytest.raises(UserError, match=r"\(8, 1\), \(8, 2\), \(16, 1\); it must be one"):
        average([Policy(8, 1), Policy(16, 1), Policy(8, 2)])


def test_a_batch_is_answered_as_its_rows_are(path: Path) -> None:
    games, agent, rng = positions(), NetworkAgent(str(path)), np.random.default_rng(0)
    together = agent.act_batch(games.observations, games.masks, rng)
    alone = [agent.act(o, m, rng) for o, m in zip(games.observations, games.masks, strict=True)]
    assert together.tolist() == alone
    assert together.dtype == np.int64


def test_the_likeliest_legal_action_is_played(path: Path) -> None:
    games, agent = positions(), NetworkAgent(str(path))
    logits, _ = agent.network.evaluate(games.observations)
    played = agent.act_batch(games.observations, games.masks, np.random.default_rng(0))
    for row, action in enumerate(played):
        legal = np.flatnonzero(games.masks[row])
        assert action == legal[logits[row, legal].argmax()]


def test_sampled_actions_come_with_their_chances(path: Path) -> None:
    games, agent = positions(), NetworkAgent(str(path), greedy=False)
    row = int(games.masks.sum(1).argmax())
    observation, mask = games.observations[row], games.masks[row]
    many = 20_000
    played = agent.act_batch(
        np.repeat(observation[None], many, 0), np.repeat(mask[None], many, 0), np.random.default_rng(0)
    )
    logits = np.where(mask == 1, agent.network.evaluate(observation[None])[0][0].astype(float), -np.inf)
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    assert np.bincount(played, minlength=len(mask)) / many == pytest.approx(chances, abs=0.02)


def test_it_plays_whole_games(path: Path) -> None:
    agents = [NetworkAgent(str(path)), NetworkAgent(str(path), greedy=False), NetworkAgent(str(path))]
    record = play_game(agents, 5, GameOptions(num_players=3), [1, 2, 3])
    assert record.forfeit_seat is None


def change(path: Path, **arrays: np.ndarray) -> None:
    """Write the file again with other arrays."""
    with np.load(path) as file:
        stored = dict(file) | arrays
    np.savez(path, **stored)


@pytest.mark.parametrize(
    ("arrays", "complaint"),
    [
        ({"format": np.int64(2)}, "format is not 1"),
        ({"format": np.array(["1"])}, "format is not 1"),
        ({"first_bias": np.zeros(25, np.float16)}, "first_weight"),
        ({"first_weight": np.zeros((1911, 24), np.float16)}, "first_weight"),
        ({"action_weight": np.zeros((24, 260), np.float16)}, "action_weight"),
        ({"value_weight": np.zeros(24, np.int64)}, "value_weight is int64"),
        ({"value_weight": np.full(24, np.nan, np.float16)}, "not finite"),
        ({"layer_weights": np.zeros((20, 24, 24), np.float16)}, "20 layers"),
        ({"more": np.zeros(3)}, "it should hold"),
        ({"value_bias": np.array([None], dtype=object)}, "damaged"),
    ],
)
def test_another_content_is_refused(path: Path, arrays: dict[str, np.ndarray], complaint: str) -> None:
    change(path, **arrays)
    with pytest.raises(UserError, match=complaint) as caught:
        Network.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_player_ships_below_five_megabytes() -> None:
    assert file_of(SHIPPED).stat().st_size < 5e6
    assert NetworkAgent().network.as_vector().tobytes() == Network.load(file_of(SHIPPED)).as_vector().tobytes()


def test_damaged_and_foreign_files_are_refused(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    for content in (b"", b"hello", whole[: len(whole) // 2], whole[:-30], b"PK" + whole[5:]):
        (tmp_path / "other.npz").write_bytes(content)
        with pytest.raises(UserError, match="no policy of this environment"):
            Network.load(tmp_path / "other.npz")
    middle = len(whole) // 2
    (tmp_path / "other.npz").write_bytes(whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :])
    with pytest.raises(UserError, match="damaged"):
        Network.load(tmp_path / "other.npz")
    with pytest.raises(UserError, match="can't read"):
        Network.load(tmp_path / "missing.npz")
    with pytest.raises(UserError, match="can't read"):
        Network.load(tmp_path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.npz"
    with zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("format", "first_weight", "first_bias", "layer_weights", "layer_biases"):
            archive.writestr(f"{name}.npy", bytes(20 * 2**20))
        for name in ("action_weight", "action_bias", "value_weight", "value_bias"):
            archive.writestr(f"{name}.npy", b"")
    with pytest.raises(UserError, match="below 64 MiB"):
        Network.load(large)
