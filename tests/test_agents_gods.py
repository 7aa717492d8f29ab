"""What the styles make of gods: whom to fight where, which card, where to move a god (rules 6.4.5)."""

import pytest
from gods import stage
from scenario import Scenario

from bloodrage_agents.games.bloodrage.compiled.heuristics import STYLES, choose
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Place

BALANCED = STYLES.index("balanced")


def choices(g: Scenario) -> set[int]:
    """What the style answers, whatever its seed."""
    g.asked()
    return {choose(g.states, 0, BALANCED, seed) for seed in range(8)}


def test_odin_goes_where_the_pillage_is_the_clans_own():
    """rules 6.4.5.8: to the province that it holds alone, and can pillage."""
    g = stage("odin", {0: {"warrior": 1}})
    g.put(0, "leader", "utgard")
    g.put(0, "warrior", "utgard", 2)
    g.put(1, "leader", "elvagar")
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.GOD_MOVE)
    assert choices(g) == {act.PROVINCE + Place.UTGARD}


def test_odin_does_not_go_to_another_clan():
    """rules 6.4.5.8: not where somebody else is strongest."""
    g = stage("odin", {0: {"warrior": 1}})
    g.put(1, "leader", "elvagar")
    g.put(2, "leader", "utgard")
    g.pillage(0, "gimle")
    assert choices(g).isdisjoint({act.PROVINCE + Place.ELVAGAR, act.PROVINCE + Place.UTGARD})


@pytest.mark.parametrize(("played", "wins"), [("Tyr's Smash", True), ("Tyr's Rage", False)])
def test_the_last_to_play_openly_knows_what_it_needs(played, wins):
    """rules 6.4.5.11: a card that wins, or one that is missed least."""
    g = stage("heimdall", {0: {"warrior": 1}, 1: {"warrior": 1}}, age=3)
    g.hand(1, played, "Tyr's Bash")
    g.hand(0, "Tyr's Bash", "Tyr's Crush", "Loki's Trickery")
    g.pillage(0, "gimle")
    g.decline_calls()
    g.card(1, played)
    assert g.asked() == (0, Decision.BATTLE_CARD)
    assert (choices(g) == {act.CARD + Card.TYRS_CRUSH}) == wins


@pytest.mark.parametrize(("god", "fights"), [("loki", False), ("odin", True), ("thor", True)])
def test_a_defender_of_lokis_would_rather_lose(god, fights):
    """rules 6.4.5.14: its Axes for a warrior; elsewhere it plays its strongest card."""
    g = stage(god, {0: {"warrior": 1}, 1: {"warrior": 1}}, players=2)
    g.token("gimle", "glory")
    g.hand(0, "Tyr's Bash")
    g.hand(1, "Tyr's Rage", "Loki's Trickery")
    g.stat(1, "axes", 5)
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.asked() == (1, Decision.BATTLE_CARD)
    assert (choices(g) == {act.CARD + Card.TYRS_RAGE}) == fights


def test_tyr_makes_cards_decide():
    """rules 6.4.5.10: a strong hand pillages against many figures there, and not elsewhere."""
    found = {}
    for god in ("tyr", "loki"):
        g = stage(god, {0: {"warrior": 1}, 1: {"leader": 1, "warrior": 3, "ship": 1}}, age=3, players=2)
        if god == "loki":
            g.god("loki", "utgard")
            g.state.god_in[Place.GIMLE] = -1
        g.hand(0, "Tyr's Rage", "Tyr's Rage")
        g.hand(1, "Loki's Trickery")
        found[god] = act.PROVINCE + Place.GIMLE in choices(g)
    assert found == {"tyr": True, "loki": False}


def test_every_answer_about_a_god_is_legal():
    """Whole games with gods and everything else, between the styles."""
    moves = 0
    for seed in range(12):
        players = 2 + seed % 4
        states = engine.new_game(seed, players, sets=30 if players == 5 else 28)
        while not engine.is_over(states, 0):
            moves += states[0].decision == Decision.GOD_MOVE
            assert engine.apply(states, 0, choose(states, 0, seed % len(STYLES), seed)) != engine.ILLEGAL
    assert moves > 50
