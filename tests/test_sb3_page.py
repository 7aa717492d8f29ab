"""The page that shows MaskablePPO of Stable-Baselines3 trains, and measures what it has trained."""

import re
import sys

import pytest
import torch

import sb3_maskable_ppo


def test_it_trains_and_measures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    learned = []
    learn = sb3_maskable_ppo.MaskablePPO.learn

    def noted(model, steps):  # type: ignore[no-untyped-def]
        before = [weights.clone() for weights in model.policy.parameters()]
        learn(model, steps)
        learned.append((model.num_timesteps, before, list(model.policy.parameters())))

    monkeypatch.setattr(sb3_maskable_ppo.MaskablePPO, "learn", noted)
    monkeypatch.setattr(sys, "argv", ["sb3_maskable_ppo.py", "--steps", "2048", "--games", "2"])
    sb3_maskable_ppo.main()
    ((steps, before, after),) = learned
    assert steps == 2048
    assert any(not torch.equal(one, other) for one, other in zip(before, after, strict=True))
    lines = capsys.readouterr().out.splitlines()
    assert [bool(re.fullmatch(r"\w+ training: \d+% of 2 games \(\d+% to \d+%\)", line)) for line in lines] == [
        True,
        True,
    ]
