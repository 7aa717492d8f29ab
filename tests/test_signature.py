"""The behaviour signature: one hash over a thousand seeded games, which only a change of the rules may alter."""

import pytest
from golden_text import FOLDER, SIGNATURES

from bloodrage_env.games.bloodrage.engine.signature import behaviour_signature


@pytest.mark.parametrize(("name", "sets"), SIGNATURES.items())
def test_the_rules_behave_as_before(name, sets):
    """If a rule was meant to change, `python -m tests.make_golden` writes the new hash; name the rule in the commit."""
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip()
    assert behaviour_signature(sets=sets) == expected


def test_the_signature_depends_on_the_games_alone():
    assert behaviour_signature(games=12) == behaviour_signature(12)
    assert behaviour_signature(12) != behaviour_signature(13)
