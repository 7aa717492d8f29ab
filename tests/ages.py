"""The printed board and what the tests of the phases share (rules 1.1 to 1.3, 3)."""

from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision, Phase

RING = ("elvagar", "angerboda", "muspelheim", "horgr", "utgard", "andlang", "gimle", "myrkulor")
PROVINCES = (*RING, "yggdrasil")
VILLAGES = {
    "elvagar": 4,
    "angerboda": 5,
    "muspelheim": 5,
    "horgr": 4,
    "utgard": 3,
    "andlang": 3,
    "gimle": 5,
    "myrkulor": 3,
}
FJORDS = {
    "fjord_elvagar_angerboda": ("elvagar", "angerboda"),
    "fjord_muspelheim_horgr": ("muspelheim", "horgr"),
    "fjord_utgard_andlang": ("utgard", "andlang"),
    "fjord_gimle_myrkulor": ("gimle", "myrkulor"),
}
REGIONS = {
    "Manheim": ("myrkulor", "elvagar", "angerboda"),
    "Jotunheim": ("muspelheim", "horgr", "utgard"),
    "Alfheim": ("andlang", "gimle"),
    "Yggdrasil": ("yggdrasil",),
}


def neighbours(province: str) -> set[str]:
    """The provinces adjacent to one (rules 1.1)."""
    if province == "yggdrasil":
        return set(RING)
    n = RING.index(province)
    return {RING[n - 1], RING[(n + 1) % 8], "yggdrasil"}


def draft(g: Scenario) -> None:
    """Everybody keeps the first card on offer until the draft is over."""
    while g.asked()[1] == Decision.DRAFT:
        g.answer(g.asked()[0], g.legal_actions()[0])


def next_age(g: Scenario) -> None:
    """Ends the Action phase of a scenario without hands and quests; plays the draft of the next Age."""
    age = int(g.state.age)
    g.end_action_phase()
    draft(g)
    assert int(g.state.age) == age + 1
    assert int(g.state.phase) == Phase.ACTION
    assert g.asked()[1] == Decision.ACTION
