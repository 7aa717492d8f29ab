"""The behaviour signature: one hash over a thousand seeded games, which only a change of the rules may alter."""

from golden_text import FOLDER, Options

from bloodrage_env.engine.signature import behaviour_signature


def test_the_rules_behave_as_before():
    """If a rule was meant to change, `python -m tests.make_golden` writes the new hash; name the rule in the commit."""
    expected = (FOLDER / "signature.txt").read_text(encoding="utf-8").split()[0]
    assert behaviour_signature() == expected


def test_the_sets_behave_as_before():
    """Each with a line of its own behind that of the base game."""
    _, *lines = (FOLDER / "signature.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        signature, sets = line.split()
        assert behaviour_signature(200, Options(2, 0, sets=sets).bits) == signature, sets
    assert "gods" in {line.split()[1] for line in lines}


def test_the_signature_depends_on_the_games_alone():
    assert behaviour_signature(games=12) == behaviour_signature(12)
    assert behaviour_signature(12) != behaviour_signature(13)
