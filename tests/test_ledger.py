"""The ledger: each of its numbers is what the rules say, and it reads only what the seat knows."""

import dataclasses
import hashlib
from pathlib import Path

import numpy as np
import pytest
from clans import alone
from fights import FJORD
from ledger_oracle import expected
from random_play import games_in_the_middle

from bloodrage_agents.forward import MOST
from bloodrage_agents.games.bloodrage.compiled.accounts import Payment
from bloodrage_agents.games.bloodrage.compiled.forward import FORWARD
from bloodrage_agents.games.bloodrage.compiled.ledger import LEDGER
from bloodrage_agents.network import Network
from bloodrage_env import VectorGames
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import Decision, Phase
from bloodrage_training.learn.average import average
from bloodrage_training.learn.config import Ppo
from bloodrage_training.learn.export import export, policy_of
from bloodrage_training.learn.policy import Policy, SparseRows, load_policy
from bloodrage_training.learn.ppo import train

OF_LEDGER = FORWARD.of_ledger
ROOT = Path(__file__).resolve().parents[1]
PLAYED = "270a61a79fc8d33f"  # what v2 played before there was a ledger


def ledger_of(states: engine.States) -> np.ndarray:
    """float32[NUM_LEDGER] for the open decision of a game."""
    forward = FORWARD.reading(True)
    counts = np.zeros((1, forward.sizes.observation), np.uint8)
    more = np.zeros((1, forward.num_inputs - forward.sizes.observation), np.float32)
    which, moved, order = np.zeros(1, np.int64), np.zeros(1, np.int8), np.arange(forward.num_inputs)
    forward.write_rows(states, which, forward.ledger, moved, order, counts, more)
    return more[0, : forward.num_ledger]


def test_moved_rows_have_each_input_at_its_place_in_the_order() -> None:
    """Also for an order that is not its own inverse, unlike that of a mirrored board."""
    forward, size = FORWARD.reading(True), FORWARD.sizes.observation
    _, states, _ = next(iter(games_in_the_middle(range(1), 0.04)))
    order = np.concatenate([np.roll(np.arange(size), 5), np.roll(np.arange(size, forward.num_inputs), 3)])
    counts = np.zeros((2, size), np.uint8)
    more = np.zeros((2, forward.num_inputs - size), np.float32)
    which, moved = np.zeros(2, np.int64), np.array([0, 1], np.int8)
    forward.write_rows(states, which, forward.ledger, moved, order, counts, more)
    plain, turned = np.concatenate([counts, more], 1)
    assert plain.any()
    assert (turned[order] == plain).all()


@pytest.mark.parametrize("seeds", [range(64), pytest.param(range(200, 700), marks=pytest.mark.slow)], ids=str)
def test_each_number_is_that_of_the_rules(seeds: range) -> None:
    """Rules 1.4, 1.5, 3.2 to 3.6, 4.1, 4.3, 4.6, 4.8, 5, 6.3.12 to 6.3.18, 6.4.2.5 and 6.4.3.3.

    Each number is compared where it was above 0 fewer than 10 times before, and all in every tenth position.
    """
    times, played = np.zeros(FORWARD.reading(True).num_ledger, np.int64), 0
    for number, (seed, states, _) in enumerate(games_in_the_middle(seeds, 0.04)):
        s = states[0]
        if s.over:
            continue
        found = ledger_of(states)
        if number % 10 and times[found > 0].min() >= 10:
            continue
        ends = s.decision == Decision.ACTION or s.phase > Phase.ACTION
        played += ends
        wanted = expected(states, bool(ends))
        for each in LEDGER:
            scaled = np.minimum(MOST, wanted[each.name] / np.asarray(each.unit))
            its = found[each.start - LEDGER[0].start :][: each.size].reshape(each.shape)
            if each.name == "leads" and not ends:
                scaled[2:] = its[2:]
            np.testing.assert_allclose(its, scaled, atol=1e-5, err_msg=f"seed {seed}, {each.name}, {s.decisions}")
        times += found > 0
    assert played > 80
    never = np.flatnonzero(times == 0) + LEDGER[0].start
    assert len(seeds) < 100 or never.size == 0


@pytest.mark.parametrize("title", ["Loki's Dragons", "Fire Dragons", "Eternal Dragons"])
def test_ragnarok_pays_ships_and_the_sea_serpent_as_the_ledger_says(title: str) -> None:
    """Rules 6.3.12: few random games have a Sea Serpent in the doomed fjord of a clan whose ships pay."""
    g = alone(age=2)
    g.upgrade(0, title, "Sea Serpent")
    g.doomed("gimle")
    for kind, place in (("ship", FJORD["gimle"]), ("monster_1", FJORD["gimle"]), ("warrior", "gimle")):
        g.put(0, kind, place)
    payments = next(each for each in LEDGER if each.name == "payments")
    said = ledger_of(g.states)[payments.start - LEDGER[0].start :][: payments.size].reshape(payments.shape)
    said = (said * np.asarray(payments.unit))[0, Payment.RAGNAROK]
    g.end_action_phase()
    assert said == pytest.approx(g.glory_of(0))


def test_it_is_the_same_in_games_that_the_seat_cannot_tell_apart() -> None:
    """Rules 2.6: other hands, quests, packs and decks change nothing, and the hidden record is enough."""
    others = 0
    for seed, states, _ in games_in_the_middle(range(40), 0.1):
        if states[0].over:
            continue
        seat, wanted = int(states[0].seat), ledger_of(states)
        assert (ledger_of(engine.hide(states, 0, seat)) == wanted).all()
        for number in range(2):
            twin = engine.redeal(states, 0, seat, seed + number)
            assert (ledger_of(twin) == wanted).all()
            others += int((twin[0].hand != states[0].hand).any())
    assert others > 200


def test_a_policy_without_the_ledger_plays_as_before() -> None:
    """Its file has no names of the ledger. Its inputs are zero, so all sums are the same."""
    network = Network.load(ROOT / "training" / "checkpoints" / "previous.npz")
    assert network.vector[0] == network.ledger == 0
    games, played = VectorGames(6, [2, 3, 4] * 2, seed=5), []
    games.reset()
    for _ in range(300):
        played.append(network.evaluate(games.states, np.arange(6))[0].argmax(1))
        games.step(played[-1])
    assert hashlib.sha256(np.array(played, np.int64).tobytes()).hexdigest()[:16] == PLAYED


def in_the_middle() -> tuple[engine.States, np.ndarray]:
    """Open decisions of some games."""
    games = [each.copy() for _, each, _ in games_in_the_middle(range(20), 0.02) if not each[0].over]
    return np.concatenate(games), np.arange(len(games))


@pytest.mark.parametrize("ledger", [False, True])
def test_a_policy_reads_the_ledger_or_not(ledger: bool, tmp_path: Path) -> None:
    """With PyTorch and without, from sparse rows and from a file, which contains the names of the numbers."""
    policy = Policy(16, 1, "bloodrage", ledger)
    states, which = in_the_middle()
    rows = SparseRows.of(states, which, policy.net)
    reads = (rows.index >= OF_LEDGER.start) & (rows.index < OF_LEDGER.stop)
    assert reads.any() == policy.first_weight[OF_LEDGER].any() == ledger
    export(policy, tmp_path / "policy.npz")
    network, again = Network.load(tmp_path / "policy.npz"), policy_of(tmp_path / "policy.npz", "bloodrage")
    assert network.vector[0] == again.net.ledger == average([again, again]).net.ledger == ledger
    values = again(SparseRows.of(states, which, again.net))[1].detach().numpy()
    assert np.abs(network.evaluate(states, which)[1] - values).max() < 1e-5


SMALL = Ppo(games=8, steps=64, decisions=400, width=16, layers=1, evaluate_every=1000)


def test_a_run_learns_with_the_ledger_or_without(tmp_path: Path) -> None:
    for ledger in (False, True):
        folder = tmp_path / str(ledger)
        assert train(dataclasses.replace(SMALL, ledger=ledger), folder)
        assert load_policy(folder / "checkpoint.pt", "bloodrage")[0].net.ledger == ledger
    start = str(tmp_path / "True" / "checkpoint.pt")
    with pytest.raises(UserError, match=r"checkpoint\.pt reads the ledger; give ledger = true"):
        train(dataclasses.replace(SMALL, start=start), tmp_path / "other")
    started = dataclasses.replace(SMALL, start=start.replace("True", "False"), ledger=True)
    assert train(started, tmp_path / "started")
    assert load_policy(tmp_path / "started" / "checkpoint.pt", "bloodrage")[0].net.ledger == 1
