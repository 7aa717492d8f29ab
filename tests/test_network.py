"""A policy as one file of plain arrays: it plays without PyTorch as with it, and no other file is taken for one."""

import io
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from merged_policies import merge
from run_content import rounded

from bloodrage_agents.base import View
from bloodrage_agents.forward import MOST
from bloodrage_agents.games.bloodrage.compiled.changes import CHANGE_UNITS
from bloodrage_agents.games.bloodrage.compiled.forward import FORWARD
from bloodrage_agents.games.bloodrage.compiled.heuristics import STYLES, choose_many
from bloodrage_agents.games.bloodrage.compiled.inputs import AT_SCORES, NUM_INPUTS
from bloodrage_agents.match import play_game
from bloodrage_agents.network import MAX_BYTES, SHIPPED, Network, NetworkAgent, file_of
from bloodrage_agents.scores import LEAST, WORST
from bloodrage_env import VectorGames, files
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_ACTIONS, States, is_secret
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.learn.average import average
from bloodrage_training.learn.export import export, read
from bloodrage_training.learn.policy import Policy, SparseRows


def trained(width: int = 24, layers: int = 2, seed: int = 5) -> Policy:
    """A policy that is no longer at its start, where all logits are about 0."""
    torch.manual_seed(seed)
    policy = Policy(width, layers, game="bloodrage")
    with torch.no_grad():
        for value in policy.parameters():
            value.add_(torch.randn_like(value) * 0.1)
        policy.first_weight[FORWARD.of_ledger] = 0.0  # which it does not read
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


def inputs(states: States, which: np.ndarray, ledger: bool) -> np.ndarray:
    """float32[N, NUM_INPUTS]."""
    rows = SparseRows.of(states, which, FORWARD.reading(ledger))
    dense = np.zeros((len(rows), NUM_INPUTS), np.float32)
    dense[np.repeat(np.arange(len(dense)), np.diff(rows.offsets)), rows.index] = rows.values
    return dense


def by_matrices(network: Network, states: States, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a network says, by the product of matrices, as one would write it down; -inf where not legal."""
    rows = inputs(states, which, bool(network.ledger))
    a = network.arrays
    hidden = np.maximum(rows @ a["first_weight"] + a["first_bias"], 0.0)
    for weight, bias in zip(a["layer_weights"], a["layer_biases"], strict=True):
        hidden += np.maximum(hidden @ weight + bias, 0.0)
    scores = rows[:, AT_SCORES:]
    worse = (1 - scores) * WORST / (1 - LEAST)  # glory
    shapes = np.stack([-worse / 4, -np.sqrt(np.maximum(worse, 0)) / 2, worse < 1e-3], 2).astype(np.float32)
    gains = hidden @ a["gain_weight"] + a["gain_bias"]
    logits = hidden @ a["action_weight"] + a["action_bias"] + (gains[:, None] * shapes).sum(2)
    if network.changes:
        counts = np.zeros((len(which), NUM_ACTIONS * len(CHANGE_UNITS)), np.int8)
        FORWARD.write_changes(states, which, counts)
        worth = (hidden @ a["change_weight"] + a["change_bias"]) / np.array(CHANGE_UNITS, np.float32)
        logits += (counts.reshape(len(which), NUM_ACTIONS, -1) * worth[:, None]).sum(2)
    return np.where(scores > 0, logits, -np.inf), hidden @ a["value_weight"] + a["value_bias"]


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """How far two arrays are from each other; what is infinite is so in both."""
    finite = np.isfinite(one)
    assert (finite == np.isfinite(other)).all()
    return float(np.abs(one[finite] - other[finite]).max())


def by_torch(policy: Policy, games: VectorGames, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of probabilities, -inf where not legal, and values of a policy as it is stored."""
    with torch.inference_mode():
        logs, values = rounded(policy)(SparseRows.of(games.states, which, FORWARD))
    return np.where(games.masks[which] == 1, logs.numpy(), -np.inf), values.numpy()


def log_softmax(logits: np.ndarray) -> np.ndarray:
    return np.asarray(
        logits
        - np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1, keepdims=True))
        - logits.max(1, keepdims=True)
    )


ALL = np.arange(40)  # positions


def test_the_shipped_player_says_what_its_matrices_say() -> None:
    games, network = positions(), Network.load(SHIPPED)
    logits, values = network.evaluate(games.states, ALL)
    wanted, wanted_values = by_matrices(network, games.states, ALL)
    assert (np.isfinite(logits) == (games.masks == 1)).all()
    assert apart(logits, wanted) < 1e-4
    assert values.shape == (40, MAX_SEATS)
    assert np.abs(values - wanted_values).max() < 1e-5
    assert (logits.argmax(1) == wanted.argmax(1)).all()


def test_a_decision_takes_one_thread() -> None:
    """All of the process's time is this thread's: a BLAS would have used a thread for each core."""
    games, agent, rng = positions(), NetworkAgent(), np.random.default_rng(0)
    views = [View.of(games.states, game, int(games.seats[game])) for game in ALL]
    shares = []
    for _ in range(5):  # in one of them no other thread of this process works
        all_before, own_before = time.process_time(), time.thread_time()
        for _ in range(20):
            for view, mask in zip(views, games.masks, strict=True):
                agent.act(view, mask, rng)
        own, everything = time.thread_time() - own_before, time.process_time() - all_before
        shares.append(everything / own)
    assert min(shares) < 1.2


def test_the_answer_is_that_of_the_view() -> None:
    """What other seats hide changes nothing: not the likeliest action, and no logit."""
    games, network = positions(), Network.load(SHIPPED)
    first = np.zeros(1, np.int64)
    for game in ALL:
        view = View.of(games.states, int(game), int(games.seats[game]))
        logits, values = network.evaluate(view.record, first)
        true_logits, true_values = network.evaluate(games.states, ALL[game : game + 1])
        assert (logits == true_logits).all()
        assert (values == true_values).all()


@pytest.mark.parametrize("layers", [0, 1, 3])
def test_the_agent_and_torch_agree_on_what_is_stored(tmp_path: Path, layers: int) -> None:
    policy = trained(24, layers)
    export(policy, tmp_path / "policy.npz")
    games = positions()
    logits, values = Network.load(tmp_path / "policy.npz").evaluate(games.states, ALL)
    wanted, wanted_values = by_torch(policy, games, ALL)
    assert float(wanted.max() - wanted[np.isfinite(wanted)].min()) > 0.5
    assert apart(log_softmax(logits), wanted) < 1e-5
    assert np.abs(values - wanted_values).max() < 1e-5


@pytest.mark.parametrize("layers", [0, 2])
def test_what_was_exported_can_be_trained_further(tmp_path: Path, layers: int) -> None:
    policy = Policy(24, layers, game="bloodrage")
    export(policy, tmp_path / "policy.npz")
    again = read(tmp_path / "policy.npz", game="bloodrage").state_dict()
    for name, value in rounded(policy).state_dict().items():
        assert torch.equal(again[name], value), name


@pytest.mark.parametrize("layers", [0, 2])
def test_of_merged_policies_one_answers_for_each_number_of_players(tmp_path: Path, layers: int) -> None:
    two, more = trained(24, layers), trained(16, layers)
    export(merge({(2,): two, (4, 3, 5): more}), tmp_path / "policy.npz")
    games = positions()
    logits, values = Network.load(tmp_path / "policy.npz").evaluate(games.states, ALL)
    for policy, its in ((two, games.players == 2), (more, games.players > 2)):
        wanted, wanted_values = by_torch(policy, games, ALL[its])
        assert its.sum() >= 10
        assert apart(log_softmax(logits[its]), wanted) < 1e-4
        assert np.abs(values[its] - wanted_values).max() < 1e-4


@pytest.mark.parametrize("layers", [0, 2])
def test_a_search_asks_the_units_that_speak_in_its_games_alone(tmp_path: Path, layers: int) -> None:
    export(merge({(2,): trained(24, layers), (3, 4, 5): trained(16, layers)}), tmp_path / "policy.npz")
    whole = Network.load(tmp_path / "policy.npz")
    games = positions()
    for number, width in ((2, 25), (3, 17), (4, 17)):  # with the unit that stands for the biases
        its = ALL[games.players == number]
        part = whole.for_players(number)
        assert part.width == width
        for wanted, found in zip(whole.evaluate(games.states, its), part.evaluate(games.states, its), strict=True):
            assert apart(found, wanted) < 1e-5


@pytest.mark.parametrize("name", ["first_bias", "layer_biases", "layer_weights"])
def test_a_unit_that_may_speak_is_kept(tmp_path: Path, name: str) -> None:
    export(merge({(2,): trained(24, 2), (3, 4, 5): trained(16, 2)}), tmp_path / "policy.npz")
    whole = Network.load(tmp_path / "policy.npz")
    whole.arrays[name][..., 0] += 1000.0 if name == "first_bias" else 0.01  # unit 0 is one of those for two players
    games = positions()
    its = ALL[games.players == 4]
    part = whole.for_players(4)
    assert part.width > 17  # it, and those that hear it
    assert apart(part.evaluate(games.states, its)[0], whole.evaluate(games.states, its)[0]) < 1e-4
    assert whole.for_players(2).width == 25


def test_the_inputs_are_within_what_silence_is_told_by() -> None:
    games = VectorGames(40, [2, 3, 4, 4] * 10, seed=9)
    games.reset()
    top = 0.0
    for step in range(600):
        found = SparseRows.of(games.states, ALL, FORWARD).values
        assert found.min() >= 0.0
        top = max(top, float(found.max()))
        choices = np.empty(40, np.int64)
        choose_many(games.states, np.full(40, STYLES.index("loki")), np.arange(40) + 40 * step, choices)
        games.step(choices)
    assert 1.0 < top <= MOST  # hundreds of glory


@pytest.mark.parametrize(
    ("numbers", "layers", "complaint"),
    [
        ([(2,), (3,)], [1, 1], r"the parts are for \(2,\), \(3,\); name each of \(2, 3, 4, 5\) players once"),
        ([(2, 3), (3, 4)], [1, 1], "name each of"),
        ([(2, 3, 4, 5, 6)], [1], "name each of"),
        ([(2,), (3, 4, 5)], [1, 2], "the parts have 1 and 2 layers; it must be as many"),
    ],
)
def test_policies_that_cannot_be_merged(numbers: list[tuple[int, ...]], layers: list[int], complaint: str) -> None:
    parts = {each: Policy(8, depth, game="bloodrage") for each, depth in zip(numbers, layers, strict=True)}
    with pytest.raises(UserError, match=complaint):
        merge(parts)


def test_an_average_has_the_means_of_all_weights() -> None:
    parts = [trained(seed=seed) for seed in range(3)]
    for name, weights in average(parts).state_dict().items():
        wanted = np.mean([part.state_dict()[name].numpy() for part in parts], axis=0)
        assert np.abs(weights.numpy() - wanted).max() < 1e-6, name


def test_policies_that_cannot_be_averaged() -> None:
    with pytest.raises(UserError, match=r"\(8, 1\), \(8, 2\), \(16, 1\); it must be one"):
        average([Policy(8, 1, game="bloodrage"), Policy(16, 1, game="bloodrage"), Policy(8, 2, game="bloodrage")])


def test_the_likeliest_legal_action_is_played(path: Path) -> None:
    games, agent = positions(), NetworkAgent(str(path), sample="none")
    logits, _ = agent.network.evaluate(games.states, ALL)
    for game in ALL:
        view = View.of(games.states, int(game), int(games.seats[game]))
        legal = np.flatnonzero(games.masks[game])
        wanted = legal[logits[game, legal].argmax()]
        assert agent.act(view, games.masks[game], np.random.default_rng(0)) == wanted


def test_sampled_actions_come_with_their_probabilities(path: Path) -> None:
    """One action is likely, others are less so: noise of another distribution would show."""
    games, many = positions(), 4_000
    game = int(games.masks.sum(1).argmax())
    bias = np.zeros(games.masks.shape[1], np.float32)
    bias[np.flatnonzero(games.masks[game])[0]] = np.log(4 * games.masks[game].sum())
    change(path, action_bias=bias)
    agent, rng = NetworkAgent(str(path), sample="all"), np.random.default_rng(0)
    view = View.of(games.states, game, int(games.seats[game]))
    played = [agent.act(view, games.masks[game], rng) for _ in range(many)]
    logits = agent.network.evaluate(games.states, ALL[game : game + 1])[0]
    chances = np.exp(log_softmax(logits))[0]
    assert 0.3 < chances.max() < 0.95
    found = np.bincount(played, minlength=len(chances)) / many
    assert (np.abs(found - chances) <= 4 * np.sqrt(chances * (1 - chances) / many) + 1 / many).all()


@pytest.mark.parametrize(("sample", "drawn"), [("secret", {True}), ("all", {False, True}), ("none", set())])
def test_answers_are_sampled_where_they_are_secret(path: Path, sample: str, drawn: set[bool]) -> None:
    """By default those that others would foresee (battle cards, the draft); or all, or none."""
    games = VectorGames(24, seed=3)
    games.reset()
    agent, rng, several = NetworkAgent(str(path), sample=sample), np.random.default_rng(0), set()
    for _ in range(40):
        for game in np.flatnonzero(games.masks.sum(1) > 2):
            view = View.of(games.states, game, int(games.seats[game]))
            if len({agent.act(view, games.masks[game], rng) for _ in range(6)}) > 1:
                several.add(bool(is_secret(games.states, game)))
        games.step(np.where(games.masks, rng.random(games.masks.shape), -1).argmax(1))
    assert several == drawn
    assert NetworkAgent(str(path)).sample == "secret"


@pytest.mark.parametrize("sample", ["secret", "all", "none"])
def test_games_of_a_batch_are_decided_each_by_itself(path: Path, sample: str) -> None:
    games, agent = VectorGames(24, [2, 3, 4] * 8, seed=3), NetworkAgent(str(path), sample=sample)
    games.reset()
    for step in range(80):
        rngs, again = ([np.random.default_rng([step, game]) for game in range(24)] for _ in range(2))
        together = agent.act_many(games.states, np.arange(24), rngs)
        states = [games.states[game : game + 1] for game in range(24)]
        alone = [agent.act_many(s, np.zeros(1, np.int64), [rng])[0] for s, rng in zip(states, again, strict=True)]
        assert together.tolist() == alone
        games.step(together)


def test_it_plays_whole_games(path: Path) -> None:
    agents = [NetworkAgent(str(path)), NetworkAgent(str(path), sample="all"), NetworkAgent(str(path))]
    record = play_game(agents, 5, Options(num_players=3), [1, 2, 3])
    assert record.forfeit_seat is None


def change(path: Path, **arrays: np.ndarray) -> None:
    """Write the file again with other arrays, and with its checksum."""
    with np.load(path) as file:
        stored = dict(file) | arrays
    archive = io.BytesIO()
    np.savez(archive, **stored)
    path.write_bytes(files.sealed(archive.getvalue()))


@pytest.mark.parametrize(
    ("arrays", "complaint"),
    [
        ({"format": np.int64(5)}, "its format is not 4; export it again"),
        ({"format": np.int64(3)}, "its format is not 4; export it again"),
        ({"format": np.array(["1"])}, "format is not 4"),
        ({"game": np.array("berserk")}, "it plays Berserk, not Blood Rage"),
        ({"first_bias": np.zeros(25, np.float16)}, "first_weight"),
        ({"first_weight": np.zeros((NUM_INPUTS - 1, 24), np.float16)}, "first_weight"),
        ({"action_weight": np.zeros((24, 260), np.float16)}, "action_weight"),
        ({"value_weight": np.zeros((24, MAX_SEATS), np.int64)}, "value_weight is int64"),
        ({"value_weight": np.full((24, MAX_SEATS), np.nan, np.float16)}, "not finite"),
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
    assert NetworkAgent().network.vector.tobytes() == Network.load(file_of(SHIPPED)).vector.tobytes()


def refusal(path: Path) -> str:
    """The one line with which a policy is refused."""
    with pytest.raises(UserError) as caught:
        Network.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    for content in (b"", b"hello"):
        (tmp_path / "other.npz").write_bytes(content)
        assert "is not a policy of this environment: it has no checksum" in refusal(tmp_path / "other.npz")
    assert "can't read" in refusal(tmp_path / "missing.npz")
    assert "can't read" in refusal(tmp_path)
    (tmp_path / "large.npz").write_bytes(bytes(MAX_BYTES + 1))
    assert "larger than 64 MiB" in refusal(tmp_path / "large.npz")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("more", "complaint"), [("value_bias.npy", "'value_bias.npy' twice"), ("value_bias", "it should hold")]
)
def test_an_entry_that_is_there_twice_is_refused(path: Path, more: str, complaint: str) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(archive, "w") as doubled:
        for name in whole.namelist():
            doubled.writestr(name, whole.read(name))
        doubled.writestr(more, whole.read("value_bias.npy"))
    path.write_bytes(files.sealed(archive.getvalue()))
    assert complaint in refusal(path)


def test_what_would_be_refused_is_not_written(path: Path) -> None:
    before = path.read_bytes()
    policy = trained()
    with torch.no_grad():
        policy.first_bias[0] = 1e5  # infinite in float16
    with pytest.raises(UserError, match="can't be exported: first_bias has numbers"):
        export(policy, path)
    assert path.read_bytes() == before


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    large, archive = tmp_path / "large.npz", io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as bomb:
        for name in ("format", "first_weight", "first_bias", "layer_weights", "layer_biases"):
            bomb.writestr(f"{name}.npy", bytes(20 * 2**20))
        for name in ("action_weight", "action_bias", "gain_weight", "gain_bias", "value_weight", "value_bias"):
            bomb.writestr(f"{name}.npy", b"")
    large.write_bytes(files.sealed(archive.getvalue()))
    assert "unpacks to more than 67,108,864 bytes" in refusal(large)
