"""A tournament with a plug-in that is not trusted: no deal is played twice, whatever is stopped, resumed or trusted."""

from dataclasses import replace
from pathlib import Path

import pytest
from pool_here import Here
from stores import VERSIONS, plan, played

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training import ladder, leaderboard
from bloodrage_training.tournament import run as tournament
from bloodrage_training.tournament.codec import plan_from_text, plan_to_text
from bloodrage_training.tournament.plan import games_of, total_units, unit
from bloodrage_training.tournament.ratings import rate
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.store import Store
from bloodrage_training.tournament.trust import trusted
from bloodrage_training.tournament.verify import faults

GOOD = Path(__file__).parent / "plug_ins" / "good.py"
PLUG_IN = f"{GOOD}:First"


@pytest.fixture(autouse=True)
def pool(monkeypatch):
    """Games are played in this process."""
    for module in ("ladder", "leaderboard", "learn.evaluate"):
        monkeypatch.setattr(f"bloodrage_training.{module}.make_pool", lambda *_: Here())
    monkeypatch.setattr("bloodrage_training.tournament.command.make_pool", lambda *_: Here())


def games_in(path):
    """The stored games of all stores of a folder, or of one."""
    found = []
    for each in sorted(path.glob("*.db")) if path.is_dir() else [path]:
        with Store.open(each) as store:
            assert faults(store, lambda count: None) == []
            found += store.games()
    return found


COMMANDS = {
    "run": ["tournament", "run", "--agents", f"{PLUG_IN},random,balanced", "--deals", "1"],
    "evaluate": ["evaluate", "shipped.npz", "--against", f"{PLUG_IN},random", "--deals", "1"],
    "ladder": ["ladder", "ismcts", "--opponent", PLUG_IN, "--budgets", "1", "2", "--deals", "1"],
    "leaderboard": ["leaderboard", "--agents", f"{PLUG_IN},random", "--deals", "1"],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_plays_a_deal_twice_with_a_plug_in(tmp_path, monkeypatch, capfd, command):
    """A plug-in sees every deal once, in all stores of the command together."""
    from bloodrage_agents.network import file_of

    monkeypatch.chdir(tmp_path)
    Path("shipped.npz").write_bytes(file_of("shipped", "bloodrage").read_bytes())
    store = tmp_path / ("store" if command in ("ladder", "leaderboard") else "x.sqlite")
    assert main([*COMMANDS[command], "--seats", "2", "--workers", "1", "--store", str(store)]) == 0
    seeds = [game.seed for game in games_in(store) if PLUG_IN in game.line_up]
    assert len(seeds) == len(set(seeds)) >= 2
    said = capfd.readouterr()
    assert "each game has a deal of its own" in said.err
    if command == "evaluate":
        assert "at all seats in 2 games, each with its own deal" in said.out
    if command == "leaderboard":
        assert f"each game with a deal of its own, since a plug-in may remember deals: {PLUG_IN}" in said.out
        assert "at all seats of 1 deal;" in said.out


@pytest.mark.parametrize("mode", ["round-robin", "random", "focus"])
def test_every_game_has_its_own_deal_at_every_attempt(mode):
    what = plan("abcd", mode, 3, deals=3, paired=False)
    games = [
        game for number in range(total_units(what)) for again in (0, 1) for game in unit(what, number, again).games
    ]
    for facts in ({game.seed for game in games}, {game.deal for game in games}, {game.id for game in games}):
        assert len(facts) == len(games) == 6 * total_units(what)
    assert all(list(games_of(what, game.deal)) == [game] for game in games)
    assert [game.line_up for game in unit(what, 1).games] == [game.line_up for game in unit(what, 1, 5).games]
    # Tournaments that share a secret, as those of a ladder do, don't share deals.
    other = replace(what, agents=("a", "b", "c", "e"))
    assert not {game.seed for game in games} & {game.seed for game in unit(other, 0).games}


def test_a_game_that_was_begun_and_not_recorded_gets_another_deal(tmp_path):
    """Whoever stops in its middle: a plug-in has seen its deal. What is recorded stays as it is."""
    what = plan("abc", paired=False)
    with Store.create(tmp_path / "x.sqlite", what) as store:
        store.join(VERSIONS)
        begun = store.claim(what)
        first = played(begun.games[0])
        store.record(0, first)
        store.fail(0, "signal 9")
        again = store.claim(what)
        assert (again.number, [game.seating for game in again.games]) == (0, [1, 2])
        assert not {game.seed for game in begun.games} & {game.seed for game in again.games}
        for game in (*again.games, begun.games[1]):  # the last is of a writer that was slow, and taken for dead
            store.record(0, played(game))
        assert {game.id for game in store.games()} == {first.id, *(game.id for game in again.games)}
        store.finish(0)
    with Store.open(tmp_path / "x.sqlite") as store:
        assert faults(store, lambda count: None) == []
        assert rate(what.agents, store.finished()).deals == 3  # each game is a deal for the intervals


def test_deals_are_paired_where_all_plug_ins_are_trusted():
    other = f"{GOOD}:Dice"
    wanted = Plan((), (), "round-robin", Options(2), deals=1)
    for agents, names, paired in (
        (["random", "balanced"], [], True),
        (["random", PLUG_IN], [], False),
        (["random", PLUG_IN], [PLUG_IN], True),
        ([f"{other}:skip=1", PLUG_IN], [PLUG_IN], False),
        ([f"{other}:skip=1", f"{other}:skip=2", PLUG_IN], [PLUG_IN, other], True),
    ):
        known = trusted(names, agents, "bloodrage")
        made = tournament.make_plan(agents, replace(wanted, trusted=known))
        assert (made.paired, made.trusted) == (paired, tuple(sorted(names)))
        assert len({game.seed for game in unit(made, 0).games}) == (1 if paired else 2)
        assert plan_from_text(plan_to_text(made), UserError) == made
    said = tournament.guard(made)
    assert said[-1] == f"trusted: {other}, {PLUG_IN}; each deal is played at all seats"
    assert "--seed" not in "".join(said)  # `benchmark` has no such option, and its plug-ins are trusted
    for name in ("random", other):
        with pytest.raises(UserError, match=f"--trust {name} is not a plug-in among the agents; there are {PLUG_IN}"):
            trusted([name], ["random", PLUG_IN], "bloodrage")


def test_shipped_agents_of_a_ladder_and_a_leaderboard_share_their_deals():
    wanted = Plan((), (), "focus", Options(2), deals=1)
    plans = [ladder.make_plan("ismcts", "simulations", budget, "random", wanted) for budget in (1, 2)]
    plans += [leaderboard.make_plan("random", wanted)]
    assert len({unit(each, 0).games[0].seed for each in plans}) == 1
