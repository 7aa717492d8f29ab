"""What actions change in the ledger: as the rules say, and only what the seat knows. A policy learns from it."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ledger_oracle import committed, ended, expected, lead, without_secrets
from random_play import games_in_the_middle

from bloodrage_agents.forward import MOST
from bloodrage_agents.games.bloodrage.compiled.accounts import Payment
from bloodrage_agents.games.bloodrage.compiled.changes import CHANGE_UNITS, CHANGES
from bloodrage_agents.games.bloodrage.compiled.forward import FORWARD
from bloodrage_agents.games.bloodrage.compiled.ledger import COUNTED
from bloodrage_agents.network import Network
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import CARD, NO, Decision, Phase
from bloodrage_training.learn.average import average
from bloodrage_training.learn.config import Imitation, Ppo
from bloodrage_training.learn.export import export, policy_of
from bloodrage_training.learn.learnable import learnable
from bloodrage_training.learn.policy import Inputs, Policy, SparseRows, load_policy
from bloodrage_training.learn.ppo import train
from bloodrage_training.learn.tables import Tables

READING = FORWARD.reading(True, True)
SHAPE = (FORWARD.sizes.actions, len(CHANGES))
PLAYED_OUT = [name for name in CHANGES if name.startswith(("settled", "committed"))]


def changes_of(states: Any) -> Any:
    """int8[actions, changes] of the open decisions of some games."""
    found = np.zeros((len(states), SHAPE[0] * SHAPE[1]), np.int8)
    FORWARD.write_changes(states, np.arange(len(states)), found)
    return found.reshape(-1, *SHAPE)


def tried(states: Any, action: int) -> Any:
    """The game after an action, before anything hidden comes out (rules 3.1, 3.3, 4.3, 4.5)."""
    states = states.copy()
    s = states[0]
    seat, decision, card = int(s.seat), Decision(s.decision), action - CARD
    if decision in (Decision.DRAFT, Decision.BATTLE_CARD):
        more = 1 if decision == Decision.DRAFT else -1
        s.hand[seat, card] += more
        s.hand_size[seat] += more
        if decision == Decision.BATTLE_CARD:
            s.main[seat] = card
    elif decision == Decision.KEEP_CARD:
        s.hand[seat], s.hand_size[seat] = 0, int(action != NO)
        if action != NO:
            s.hand[seat, card] = 1
    else:
        engine.PLAY.go_on(states, 0, action)
        while decision != Decision.LATE_CARD and s.decision == Decision.NONE and s.depth > 1:
            engine.PLAY.go_on(states, 0, -1)
    return states


def numbers(states: Any, seat: int, played: bool) -> dict[str, int]:
    """The numbers of a position for a seat; those of the end of the Age if it is `played`."""
    view, asked, n = states.copy(), int(states[0].seat), int(states[0].num_players)
    view[0].seat = seat
    found, clans = expected(view, False), [(seat + r) % n for r in range(n)]
    if played:
        s, known = view[0], without_secrets(view)
        may = s.phase == Phase.GODS_GIFTS or (s.phase == Phase.ACTION and not s.passed[seat] and s.rage[seat] > 0)
        for row, each in ((2, known), (3, committed(known) if may else known.copy())):
            each[0].seat = asked
            found["leads"][row, :n] = lead(ended(each, int(s.age))[clans])
    leads, counts = (found[name] @ [1, -1] for name in ("leads", "count_leads"))
    numbers = {"ended": leads[1, 0], "settled": leads[2, 0], "committed": leads[3, 0]}
    numbers |= dict(zip((name for name in CHANGES if name.startswith("settled_")), leads[2, 1:], strict=True))
    numbers |= {name.name.lower(): found["payments"][0, name] for name in (Payment.QUESTS, Payment.RAGNAROK)}
    numbers |= {"release": found["payments"][0, Payment.RELEASE]}
    numbers |= {name: counts[list(COUNTED).index(name)] for name in ("rage", "strength", "led", "hand")}
    return numbers | {"best": found["cards"][1], "stake": found["stake_lead"][0] @ [1, -1]}


@pytest.mark.parametrize("first", [0, pytest.param(200, marks=pytest.mark.slow)])
def test_each_number_is_the_difference_that_the_rules_make(first: int) -> None:
    """The positions before and after an action are counted by the oracle of the ledger."""
    rng, seen, kinds = np.random.default_rng(1), dict.fromkeys(CHANGES, 0), set()
    for seed, states, _ in games_in_the_middle(range(first, first + (24 if first < 200 else 240)), 0.015):
        s = states[0]
        if s.over:
            continue
        found, seat = changes_of(states)[0], int(s.seat)
        assert not found[s.mask == 0].any()
        one = numbers(states, seat, bool(s.decision == Decision.ACTION))
        for action in rng.permutation(np.flatnonzero(s.mask))[:3].tolist():
            after = tried(states, action)
            played = bool(s.decision == after[0].decision == Decision.ACTION)
            other = numbers(after, seat, played)
            for place, name in enumerate(CHANGES):
                if played or name not in PLAYED_OUT:
                    bound = MOST * CHANGE_UNITS[place]
                    wanted = np.clip(other[name] - one[name], -bound, bound)
                    assert found[action, place] == wanted, (seed, name, s.decisions, action, Decision(s.decision))
                    seen[name] += bool(wanted)
        kinds.add(Decision(s.decision))
    assert min(seen.values()) > 0, seen
    assert len(kinds) > (8 if first < 200 else 14)


def test_they_are_the_same_in_games_that_the_seat_cannot_tell_apart() -> None:
    """Rules 2.6: other hands, quests, packs, decks and secret answers change nothing."""
    others = 0
    for seed, states, _ in games_in_the_middle(range(60), 0.1):
        if states[0].over:
            continue
        seat, wanted = int(states[0].seat), changes_of(states)
        assert (changes_of(engine.hide(states, 0, seat)) == wanted).all(), (seed, Decision(states[0].decision))
        for number in range(2):
            twin = engine.redeal(states, 0, seat, seed + number)
            assert (changes_of(twin) == wanted).all(), (seed, Decision(states[0].decision))
            others += int((twin[0].hand != states[0].hand).any())
    assert others > 300


def reading_policy(width: int = 16) -> Policy:
    """A policy with random weights of the changes."""
    torch.manual_seed(2)
    policy = Policy(width, 1, "bloodrage", True, True)
    assert policy.changes is not None
    with torch.no_grad():
        policy.changes.weight.normal_(std=0.3)
        policy.changes.bias.normal_()
    return policy


def in_the_middle() -> tuple[engine.States, np.ndarray]:
    """Open decisions of some games."""
    games = [each.copy() for _, each, _ in games_in_the_middle(range(20), 0.02) if not each[0].over]
    return np.concatenate(games), np.arange(len(games))


def test_a_policy_adds_them_to_its_logits(tmp_path: Path) -> None:
    """From sparse rows, from bytes, and from a file without PyTorch: the logits of a policy without, and the sum."""
    policy, (states, which) = reading_policy(), in_the_middle()
    rows, inputs = SparseRows.of(states, which, policy.net), Inputs.empty(len(which), policy.net)
    known = dataclasses.replace(learnable("bloodrage").reading(True, True), mirror=None)
    known.write(states, which, np.zeros(len(which), bool), inputs, known.forward)
    logs = policy(rows)[0].detach()
    for other in (policy(inputs)[0], policy(policy.rows(inputs))[0]):
        np.testing.assert_allclose(other.detach()[states["mask"] == 1], logs[states["mask"] == 1], atol=1e-4)
    hidden = super(Policy, policy).forward(rows)
    worth = policy.changes(hidden).detach().numpy() / np.array(CHANGE_UNITS)
    policy.changes, its = None, policy.changes
    plain = policy(rows)[0].detach().numpy() + np.einsum("nac,nc->na", changes_of(states), worth)
    wanted = torch.from_numpy(np.where(states["mask"] == 1, plain, -1e9)).log_softmax(1)
    np.testing.assert_allclose(wanted[states["mask"] == 1], logs[states["mask"] == 1], atol=1e-4)
    policy.changes = its
    export(policy, tmp_path / "policy.npz")
    network, again = Network.load(tmp_path / "policy.npz"), policy_of(tmp_path / "policy.npz", "bloodrage")
    assert network.changes
    assert average([again, again]).changes is not None
    found, wanted = network.evaluate(states, which)[0], again(rows)[0].detach().numpy()
    for row, mask, own in zip(found, states["mask"] == 1, wanted, strict=True):
        np.testing.assert_allclose(row[mask] - row[mask].max(), own[mask] - own[mask].max(), atol=1e-3)
    narrow = network.for_players(4)
    at = which[states["num_players"] == 4]
    np.testing.assert_allclose(narrow.evaluate(states, at)[0], network.evaluate(states, at)[0], atol=1e-4)


def test_gradients_are_those_of_the_dense_form() -> None:
    """Of chosen actions and of all legal ones."""
    policy, (states, which) = reading_policy(), in_the_middle()
    inputs = Inputs.empty(len(which), policy.net)
    known = learnable("bloodrage").reading(True, True)
    known.write(states, which, which % 2 == 0, inputs, known.forward)
    rows, taken = policy.rows(inputs), policy(inputs)[0].argmax(1)
    assert isinstance(rows, SparseRows)
    legal = SparseRows(rows.changes.offsets, rows.index[rows.index >= policy.net.at_scores] - policy.net.at_scores, [])
    found = []
    for form in (inputs, rows, None):
        policy.zero_grad()
        if form is None:
            every = policy.evaluate_legal(rows, legal)[0]
            logs = every[
                [row + legal.index[row:].tolist().index(a) for row, a in zip(legal.offsets[:-1], taken, strict=True)]
            ]
        else:
            logs = policy.evaluate_actions(form, taken)[0]
        logs.sum().backward()
        found.append([policy.changes.weight.grad.clone(), policy.gains.weight.grad.clone(), logs.detach()])
    for other in found[1:]:
        for one, its in zip(found[0], other, strict=True):
            np.testing.assert_allclose(its, one, atol=1e-3)
    assert found[0][0].any()


def test_rows_keep_them_when_they_are_taken_and_joined() -> None:
    states, which = in_the_middle()
    rows, picked = SparseRows.of(states, which, READING), which[::-2].copy()
    both = SparseRows.join([rows, rows.take(picked)])
    some = changes_of(states)
    for row, game in enumerate([*which, *picked]):
        its = both.changes.counts[both.changes.offsets[row] : both.changes.offsets[row + 1]]
        assert (its == some[game][states["mask"][game] == 1]).all()


def test_a_run_learns_with_them(tmp_path: Path) -> None:
    small = Ppo(games=8, steps=64, decisions=400, width=16, layers=1, evaluate_every=1000)
    assert train(dataclasses.replace(small, changes=True), tmp_path / "with")
    assert train(dataclasses.replace(small, changes=True, decisions=800), tmp_path / "with")  # resumed
    assert train(small, tmp_path / "without")
    policy = load_policy(tmp_path / "with" / "checkpoint.pt", "bloodrage")[0]
    assert policy.changes is not None
    assert policy.changes.weight.any()
    assert load_policy(tmp_path / "without" / "checkpoint.pt", "bloodrage")[0].changes is None
    start = str(tmp_path / "with" / "checkpoint.pt")
    with pytest.raises(UserError, match=r"checkpoint\.pt reads what actions change; give changes = true"):
        train(dataclasses.replace(small, start=start), tmp_path / "other")
    export(load_policy(tmp_path / "without" / "checkpoint.pt", "bloodrage")[0], tmp_path / "first.npz")
    started = dataclasses.replace(small, start=str(tmp_path / "first.npz"), changes=True)
    assert train(started, tmp_path / "started")


@pytest.mark.parametrize("run", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("reads", [(False, False), (True, False), (True, True)])
def test_a_policy_reads_its_own_inputs_in_a_run_that_reads_others(
    run: tuple[bool, bool], reads: tuple[bool, bool]
) -> None:
    """A teacher or an opponent may read the ledger and the changes where the learner does not, and the reverse."""
    small = Ppo(games=12, steps=8, width=16, layers=1, ledger=run[0], changes=run[1], players=(2,))
    tables = Tables(small, 3)
    torch.manual_seed(1)
    policy = Policy(16, 1, "bloodrage", *reads)
    with torch.no_grad():
        for value in policy.parameters():
            value.add_(torch.randn_like(value) * 0.1)
    rng = np.random.default_rng(2)
    for _ in range(60):
        tables.games.step((tables.games.masks * rng.random(tables.games.masks.shape)).argmax(1))
    for which in (np.arange(12), np.arange(0)):
        seen = Inputs.empty(len(which), policy.net)
        tables.write(which, seen, policy.net)
        with torch.inference_mode():
            logs = policy(policy.rows(seen))[0]
            assert torch.allclose(logs, policy(SparseRows.of(tables.games.states, which, policy.net))[0], atol=1e-4)


def test_a_teacher_that_reads_them_can_be_imitated_by_a_policy_that_does_not(tmp_path: Path) -> None:
    small = Imitation(games=8, steps=64, decisions=400, width=16, layers=1, evaluate_every=1000, self_play=0.0)
    assert train(small, tmp_path)
