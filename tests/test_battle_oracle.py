"""A thousand random pillages, told twice: by the engine and by `battle_oracle.py`."""

import random
from collections import Counter

import pytest
from battle_oracle import DRAGONS, KINDS, MONSTERS, PLUS, QUESTS, VILLAGES, Clan, Pillage
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import actions
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place, Stat, Token

TEXTS = [
    Card.HEIMDALLS_SIGHT,
    Card.HEIMDALLS_WATCH,
    Card.HEIMDALLS_WATCH,
    Card.LOKIS_TRICKERY,
    Card.LOKIS_BACKSTAB,
    Card.LOKIS_POISON,
    *(c for c in PLUS if c < Card.TYRS_BASH),
]
CLAN_UPGRADES = [
    Card.FRIGGAS_PROTECTION,
    Card.LOKIS_BLESSING,
    Card.THORS_GLORY,
    Card.TYRS_DOMAIN,
    Card.TYRS_WRATH,
    Card.TYRS_PROWESS,
]
LORDS = [Card.LORD_OF_HAMMERS, Card.LORD_OF_AXES, Card.LORD_OF_SPEARS]
ARMS = [Card.BROTHERS_IN_ARMS, Card.EXPERTS_IN_ARMS, Card.MASTERS_IN_ARMS]
PROVINCES = [Place(p) for p in range(9)]


def random_pillage(rng, skip_forced):
    """A scenario and the oracle of the same position; seat `pillager` is to act."""
    players = rng.choice([2, 3, 4, 4])
    pillager = rng.randrange(players)
    province = rng.choice([*PROVINCES, Place.YGGDRASIL])
    near = [p for p in PROVINCES if p != province]
    g = Scenario(players=players, age=3, seat=pillager, skip_forced=skip_forced)
    clans = [Clan(rage=rng.choice([0, 1, 2, 6, 9]), glory=rng.choice([0, 1, 9])) for _ in range(players)]
    clans[pillager].rage = 9
    destroyed = set()
    if province != Place.YGGDRASIL and rng.random() < 0.3:
        destroyed = {Place((province + rng.choice([1, 7])) % 8)}
    token = Token.ALL_STATS if province == Place.YGGDRASIL else Token(rng.randrange(4))
    g.token(province, token)
    g.destroyed(*destroyed)
    free = {p: VILLAGES.get(p, 99) for p in PROVINCES}
    fjord = None if province == Place.YGGDRASIL else Place(9 + province // 2)

    def put(seat, kind, place):
        if place is None or place in destroyed or free.get(place, 99) == 0:
            return
        if not clans[seat].figures[kind, Place.RESERVE]:
            return
        free[place] = free.get(place, 99) - 1
        clans[seat].figures[kind, Place.RESERVE] -= 1
        clans[seat].figures[kind, place] += 1
        g.put(seat, kind, place)

    for seat, clan in enumerate(clans):
        clan.figures.update({(Figure.LEADER, Place.RESERVE): 1, (Figure.WARRIOR, Place.RESERVE): 8})
        clan.figures[Figure.SHIP, Place.RESERVE] = 1
        clan.upgrades.update(rng.sample(CLAN_UPGRADES, rng.randrange(4)))
        for group, chance in ((LORDS, 0.5), (ARMS, 0.3), (list(DRAGONS), 0.3)):
            clan.upgrades.update([rng.choice(group)] if rng.random() < chance else [])
        for kind, card in zip(KINDS[3:], rng.sample(list(MONSTERS), rng.randrange(3)), strict=False):
            clan.monsters[kind] = card
            clan.figures[kind, Place.RESERVE] = 1
        g.upgrade(seat, *clan.upgrades, *clan.monsters.values())
        cards = rng.choices([*TEXTS, *TEXTS, *PLUS, *QUESTS, Card.TROLL, Card.THORS_CONQUEST], k=rng.randrange(6))
        clan.hand.update(map(Card, cards))
        g.hand(seat, *cards)
        clan.steps = [rng.choice([0, 0, 1, 2, 4, 5]) for _ in range(3)]
        for stat in Stat:
            g.stat(seat, stat, clan.steps[stat] + 1)
        g.rage(seat, clan.rage)
        g.glory(seat, clan.glory)
    for kind in rng.sample([Figure.WARRIOR, Figure.WARRIOR, Figure.LEADER], rng.choice([1, 2, 3])):
        put(pillager, kind, province)
    for seat in rng.sample(range(players), players):
        if rng.random() < 0.3:
            put(seat, Figure.SHIP, fjord)
        for kind in rng.choices([0, 1, 1, 1, 3, 4], k=rng.randrange(4)):
            serpent = clans[seat].monsters.get(Figure(kind)) == Card.SEA_SERPENT
            put(seat, Figure(kind), fjord if serpent else province)
        for kind in rng.choices([0, 1, 1, 1, 3, 4], k=rng.randrange(5)):
            serpent = clans[seat].monsters.get(Figure(kind)) == Card.SEA_SERPENT
            put(seat, Figure(kind), Place.FJORD_UTGARD_ANDLANG if serpent else rng.choice(near))
    return g, Pillage(clans, province, pillager, token, destroyed)


def compare(g, pillage):
    for seat, clan in enumerate(pillage.clans):
        figures = {(k, Place(p)): n for k in KINDS for p in range(15) if (n := g.figures(seat, k, Place(p)))}
        assert figures == {key: n for key, n in clan.figures.items() if n}
        assert Counter(g.hand_of(seat)) == +clan.hand
        assert [g.step_of(seat, s) - 1 for s in Stat] == clan.steps
        assert g.glory_of(seat) == clan.glory
        if not g.state.passed[seat]:  # who can do nothing else on the next turn passes without being asked
            assert g.rage_of(seat) == clan.rage
    assert Counter(g.discards()) == +pillage.discards
    assert g.is_pillaged(pillage.province) == pillage.pillaged


def tell_twice(seed, skip_forced=True):
    rng = random.Random(seed)
    g, pillage = random_pillage(rng, skip_forced)
    asked = Counter()
    g.pillage(pillage.pillager, pillage.province)
    story = pillage.play()
    answer = None
    while True:
        try:
            seat, decision, options = story.send(answer)
        except StopIteration:
            break
        if len(options) == 1:  # the engine answers it by itself, or never asked
            (answer,) = options
            if not skip_forced and g.asked() == (seat, decision) and set(g.legal_actions()) == options:
                g.answer(seat, answer)
            continue
        assert g.asked() == (seat, decision)
        assert set(g.legal_actions()) == options
        asked[decision] += 1
        answer = rng.choice(sorted(options - {actions.NO}) if rng.random() < 0.5 else sorted(options))
        g.answer(seat, answer)
    assert g.asked()[1] == Decision.ACTION
    compare(g, pillage)
    return asked


@pytest.mark.parametrize("block", range(4))
def test_random_pillages_end_as_the_rules_say(block):
    """rules 4, 6.1.1 to 6.1.8, 6.2.1 to 6.2.10: every question, its answers, and all that is left in the end."""
    asked = Counter()
    for seed in range(250 * block, 250 * (block + 1)):
        asked += tell_twice(seed)
    assert set(asked) == {
        Decision.CALL,
        Decision.BATTLE_CARD,
        Decision.COUNT_QUEST,
        Decision.KEEP_FIGURE,
        Decision.LATE_CARD,
        Decision.SAVE,
        Decision.STAT,
        Decision.BUY_BACK,
        Decision.LEADER_MOVE,
        Decision.BLESSING,
    }


@pytest.mark.parametrize("block", range(5))
def test_random_pillages_end_alike_when_forced_questions_are_asked(block):
    """rules 4, 6.1, 6.2: skipping questions of one answer changes nothing else."""
    for seed in range(10_000 + 100 * block, 10_000 + 100 * (block + 1)):
        tell_twice(seed, skip_forced=False)
