"""What a report learns by playing stored games again: glory by source, order of play, drafts and used cards."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from page_reader import Page

from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.actions import CARD
from bloodrage_env.games.bloodrage.engine.card_ids import NUM_CARDS
from bloodrage_env.games.bloodrage.engine.cards import TYPE
from bloodrage_env.games.bloodrage.engine.ids import NONE, CardType, Decision
from bloodrage_training.games.bloodrage.replayed import Replayer
from bloodrage_training.games.bloodrage.report.counts import Details
from bloodrage_training.report.summary import summarise
from bloodrage_training.report.write import report
from bloodrage_training.tournament.records import StoredGame
from tests.test_report import in_order, planned, played, results_of


@pytest.fixture(scope="module", params=[(4, False, False), (3, True, False), (2, False, False), (2, True, True)])
def real(request: pytest.FixtureRequest) -> list[StoredGame]:
    players, first_game, skip_forced = request.param
    plan = planned(("a", "b"), 2, num_players=players, first_game=first_game, skip_forced=skip_forced)
    return list(played(plan))


def test_glory_by_source_adds_up(real: list[StoredGame]) -> None:
    for game in real:
        assert tuple(Replayer().play(game).glory_from.sum(axis=1)) == game.scores
    summary = summarise(in_order(real), ("a", "b"), real[0].options.num_players, "bloodrage")
    assert isinstance(summary.details, Details)
    for counts, glory_from in zip(summary.agents, summary.details.glory_from, strict=True):
        assert glory_from.sum() == sum(score * times for score, times in counts.scores.items())
    assert sum(counts.finished for counts in summary.agents) == summary.num_players * len(real)


def test_order_of_play_goes_to_the_left_from_the_first_player(real: list[StoredGame]) -> None:
    count = real[0].options.num_players
    wins, glory = [0.0] * count, [0] * count
    for game in real:
        states = engine.new_game(game.seed, count, game.options.first_game, game.options.skip_forced)
        for turn in range(count):
            seat = (int(states["first_player"][0]) + turn) % count
            glory[turn] += game.scores[seat]
            wins[turn] += (game.scores[seat] == max(game.scores)) / game.scores.count(max(game.scores))
    shown = summarise(in_order(real), ("a", "b"), count, "bloodrage").details
    assert shown.by_turn.wins.tolist() == pytest.approx(wins)
    assert shown.glory_by_turn.tolist() == glory


def test_the_draft_is_what_was_answered(real: list[StoredGame]) -> None:
    """Picks, Ages, rounds and cards seen, against the questions of the draft one by one."""
    for game in real:
        options, shown = game.options, Replayer().play(game).drafted
        picks = 2 if options.num_players == 2 else 1
        states = engine.new_game(game.seed, options.num_players, options.first_game, options.skip_forced)
        assert int(states["first_player"][0]) == Replayer().play(game).first_player
        taken: Counter[tuple[int, ...]] = Counter()
        seen: Counter[tuple[int, ...]] = Counter()
        for action in game.actions:
            s = states[0]
            if s.decision == Decision.DRAFT:
                at = int(s.seat), int(s.age), int(s.draft_round)
                taken[*at, action - CARD] += 1
                if s.pending[s.seat, 0] == NONE:
                    pack = (int(s.seat) - int(s.draft_round)) % options.num_players
                    left = s.deck[s.age, 8 * pack + picks * int(s.draft_round) : 8 * pack + 8]
                    assert set(CARD + left) >= set(np.flatnonzero(s.mask))
                    seen.update((*at, int(card)) for card in left)
            engine.apply(states, 0, action)
        found, views = (
            Counter(zip(*(each.tolist() for each in picks), strict=True)) for picks in (shown.kept, shown.seen)
        )
        assert found.total() == 6 * options.num_players * (2 if options.first_game else 3)
        assert taken == found
        assert seen == views


def uses(game: StoredGame) -> tuple[Counter[tuple[int, int]], set[tuple[int, int]]]:
    """Seats and cards of the answers: cards played as the action of a turn, and battle cards played in battles."""
    options = game.options
    states = engine.new_game(game.seed, options.num_players, options.first_game, options.skip_forced)
    turns: Counter[tuple[int, int]] = Counter()
    fought = set()
    for action in game.actions:
        seat, decision, card = int(states[0].seat), states[0].decision, action - CARD
        if 0 <= card < NUM_CARDS:
            if decision == Decision.ACTION:
                turns[seat, card] += 1
            elif decision in (Decision.BATTLE_CARD, Decision.LATE_CARD) and TYPE[card] == CardType.BATTLE:
                fought.add((seat, card))
        engine.apply(states, 0, action)
    return turns, fought


def test_pick_rates_of_the_strongest_add_up(real: list[StoredGame]) -> None:
    """A table for each Age: taken of seen, in each round and in all."""
    plan = planned(("a", "b"), 2, num_players=real[0].options.num_players)
    results = results_of(plan, real)
    shown = Page(report(results))
    leaders = results.ratings.leaders
    games, names = (
        sum(results.summary.agents[n].finished for n in leaders),
        " and ".join(plan.agents[n] for n in leaders),
    )
    assert f"{games} games (seats played to the end) of {names}" in shown.text
    ages = [age for age in (1, 2, 3) if any(caption == f"Age {age}" for caption in shown.tables)]
    assert ages == ([2, 3] if real[0].options.first_game else [1, 2, 3])
    for age in ages:
        for name, row in shown.table(f"Age {age}").items():
            whole, *rounds = (
                [int(n) for n in cell.split(" | ")[1].split(" of ")] for cell in row.values() if cell != "–"
            )
            assert [sum(column) for column in zip(*rounds, strict=True)] == whole, name
            assert whole[0] > 0


def test_used_cards_are_what_was_played(real: list[StoredGame]) -> None:
    """Upgrades and quests are the actions of turns; battle cards those of the own deal that came to battle."""
    for game in real:
        turns, fought = uses(game)
        shown = Replayer().play(game)
        used = Counter(zip(shown.used_seats.tolist(), shown.used_cards.tolist(), strict=True))
        battle = {pair for pair in used if TYPE[pair[1]] == CardType.BATTLE}
        assert Counter({pair: times for pair, times in used.items() if pair not in battle}) == turns
        if not game.options.skip_forced:
            assert battle <= fought
            assert len(battle) >= 0.8 * len(fought)  # the rest were taken from others


def test_the_last_card_of_a_hand_counts_unasked() -> None:
    """It is played without a question, so that the actions don't tell it, but the record does."""
    unasked: set[tuple[int, int]] = set()
    for game in played(planned(("a", "b"), 200)):
        shown = Replayer().play(game)
        used = set(zip(shown.used_seats.tolist(), shown.used_cards.tolist(), strict=True))
        unasked |= {(seat, card) for seat, card in used - uses(game)[1] if TYPE[card] == CardType.BATTLE}
        if unasked:
            return
    pytest.fail("no clan has come to a battle with one card")


@pytest.mark.parametrize(
    "harm",
    [
        lambda game: {"actions": game.actions[:-1]},
        lambda game: {"actions": (*game.actions[:10], 4, *game.actions[11:])},
        lambda game: {"actions": (*game.actions, 0)},
        lambda game: {"scores": (game.scores[0] + 1, *game.scores[1:])},
    ],
)
def test_games_that_do_not_play_are_named(real: list[StoredGame], harm: object) -> None:
    game = replace(real[0], **harm(real[0]))  # type: ignore[operator]
    with pytest.raises(UserError, match=game.id):
        summarise([game], ("a", "b"), game.options.num_players, "bloodrage")
