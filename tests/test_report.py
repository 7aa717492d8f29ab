import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from page_reader import Page

from bloodrage_agents.match import play_game
from bloodrage_agents.random import RandomAgent
from bloodrage_env.cli import main
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import NUM_SOURCES, Source
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.games.bloodrage.replayed import Drafted, Picks, Played, Replayer
from bloodrage_training.report.charts import bin_width, shorten
from bloodrage_training.report.page import page
from bloodrage_training.report.summary import Results, summarise
from bloodrage_training.report.tables import write_csv
from bloodrage_training.report.write import report, write_report
from bloodrage_training.tournament.plan import agent_seeds, total_units, unit
from bloodrage_training.tournament.ratings import rate
from bloodrage_training.tournament.records import Plan, StoredGame
from bloodrage_training.tournament.store import Store

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>&amp;",
    "agent:name=" + "x" * 900,
    "żółć\u202egnp.exe\u0000\x1b[31m",
)
VERSIONS = {"bloodrage": "1.2.3", "numpy": "<9>"}


def planned(agents: tuple[str, ...], deals: int, **options: object) -> Plan:
    return Plan(agents, ("0" * 64,) * len(agents), "round-robin", Options(**options), seed=3, deals=deals)  # type: ignore[arg-type]


def played(plan: Plan) -> Iterator[StoredGame]:
    """Every game of a plan, all agents at random."""
    for number in range(total_units(plan)):
        for game in unit(plan, number).games:
            agents = [RandomAgent() for _ in game.line_up]
            went = play_game(agents, game.seed, game.options, agent_seeds(plan, game))
            yield StoredGame(
                game.id, game.deal, game.seating, game.seed, game.line_up, game.options, went.actions, went.scores,
                went.forfeit_seat, went.forfeit_reason, went.seconds, went.decisions,
            )  # fmt: skip


def in_order(games: list[StoredGame]) -> list[StoredGame]:
    return sorted(games, key=lambda game: (game.deal, game.seating, game.line_up))


def results_of(plan: Plan, games: list[StoredGame]) -> Results:
    summary = summarise(in_order(games), plan.agents, plan.options.num_players, plan.options.game)
    return Results(plan, "2026-01-31T12:00:00Z", (VERSIONS,), (), rate(plan.agents, games), summary)


def stored(path: Path, plan: Plan, games: list[StoredGame]) -> Path:
    """A store of these games: all of the plan, or none."""
    with Store.create(path, plan) as store:
        store.join(VERSIONS)
        by_id = {game.id: game for game in games}
        while by_id and (claimed := store.claim(plan)) is not None:
            for game in claimed.games:
                store.record(claimed.number, by_id[game.id])
            store.finish(claimed.number)
    return path


# ---- a tournament small enough to be worked out by hand

A, B = "agent-a", "agent-b"
HAND_PLAN = planned((A, B), 2, num_players=2)
# Deal, seating, line-up, glory, who forfeits; in the stub below, who begins, and glory from quests of each seat
HAND = (
    (0, 0, (A, B), (10, 5), None, 0, (6, 0)),
    (0, 1, (B, A), (8, 8), None, 1, (0, 0)),
    (1, 0, (A, B), (3, 7), None, 1, (0, 0)),
    (1, 1, (B, A), (0, 0), 0, 0, (0, 0)),
)


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> list[StoredGame]:
    games = [
        StoredGame(
            f"{number:032x}", deal, seating, 1, line_up, HAND_PLAN.options, (0,) * (20 + number), glory, forfeit,
            None if forfeit is None else "lost its way",
            tuple(1.0 if agent == A else 2.0 for agent in line_up), (10, 10),
        )
        for number, (deal, seating, line_up, glory, forfeit, _, _) in enumerate(HAND)
    ]  # fmt: skip

    def play(_: Replayer, game: StoredGame) -> Played:
        """A drafts Troll and uses it where it has not lost, B drafts Loki's Poison."""
        *_, first, quests = HAND[int(game.id, 16)]
        sources = np.zeros((2, NUM_SOURCES), np.int64)
        sources[:, Source.QUEST] = quests
        sources[:, Source.BATTLE] = np.array(game.scores) - quests
        cards = np.array([Card.TROLL if agent == A else Card.LOKIS_POISON for agent in game.line_up], np.int64)
        kept = Picks(np.arange(2), np.zeros(2, np.int64), np.array([0, 2]), cards)
        both = np.tile([int(Card.TROLL), int(Card.LOKIS_POISON)], 4)  # in rounds 1 and 3
        seen = Picks(np.repeat([0, 1], 4), np.zeros(8, np.int64), np.tile(np.repeat([0, 2], 2), 2), both)
        drafted = Drafted(kept, seen)
        seat = game.line_up.index(A)
        used = np.array([seat] if game.scores[seat] == max(game.scores) else [], np.int64)
        return Played(sources, first, drafted, used, cards[used])

    monkeypatch.setattr(Replayer, "play", play)
    return games


def test_page_of_the_hand_made_tournament(hand: list[StoredGame]) -> None:
    """A wins one game, shares one, loses one, and wins one that B forfeits."""
    shown = Page(report(results_of(HAND_PLAN, hand)))
    shown.check_alone()
    agents = shown.table("Agents")
    value = {name: {column: cell.split(" | ")[0] for column, cell in row.items()} for name, row in agents.items()}
    assert value[A]["win rate"] == "62.5 %"  # (1 + 1/2 + 0 + 1) / 4
    assert value[B]["win rate"] == "37.5 %"
    assert value[A]["place"] == "1.38"  # (1 + 1.5 + 2 + 1) / 4
    assert value[A]["glory"] == "7.0"  # (10 + 8 + 3) / 3, without the forfeit
    assert value[B]["glory"] == "6.7"
    assert [value[A][column] for column in ("seats", "forfeits", "time a decision")] == ["4", "0", "100 ms"]
    assert [value[B][column] for column in ("seats", "forfeits", "time a decision")] == ["4", "1", "200 ms"]
    assert shown.table("How often")[A][B].startswith("62.5 %")
    assert shown.table("How often")[B][A].startswith("37.5 %")
    assert shown.table("By order of play")["1st to play"]["win rate"].startswith("83.3 %")  # (1 + 1/2 + 1) / 3
    assert shown.table("By order of play")["1st to play"]["mean glory"] == "8.3"  # (10 + 8 + 7) / 3
    assert shown.table("By seat")["seat 0"]["win rate"].startswith("50.0 %")
    assert shown.table("By seat")["seat 1"]["games"] == "3"
    sources = shown.table("Mean glory by source")[A]
    assert [sources[column] for column in ("battle", "quests", "pillage", "all")] == ["5.0", "2.0", "0.0", "7.0"]
    assert shown.table("Glory at the end")[A] == {
        "5 %": "3", "25 %": "3", "median": "8", "75 %": "10", "95 %": "10", "most": "10",
    }  # fmt: skip
    assert shown.table(A)["Troll"] == {"per game": "1.00", "round": "1.7", "taken": "50 %"}
    assert shown.table("Forfeits")[B] == {"games": "1", "reason": "lost its way"}
    assert "21 on average, 20 to 22" in shown.text
    assert "No card has been taken so often yet" in shown.text
    assert f"{A} leads. It is better than {B}" in shown.text
    assert "all ratings are bounds that the prior sets" in shown.text  # of three comparisons
    assert value[A]["from the field"] == value[B]["from the field"] == "–"


def test_csv_of_the_hand_made_tournament(hand: list[StoredGame], tmp_path: Path) -> None:
    write_csv(results_of(HAND_PLAN, hand), hand, tmp_path)
    tables = {path.name: list(csv.DictReader(path.open(encoding="utf-8"))) for path in tmp_path.iterdir()}
    assert {name: len(rows) for name, rows in tables.items()} == {
        "games.csv": 8, "agents.csv": 2, "pairs.csv": 2, "cards.csv": 71, "drafts.csv": 142,
        "picks.csv": 8,
    }  # fmt: skip
    first, *_, last = tables["games.csv"]
    assert (first["agent"], first["glory"], first["place"], first["victory"]) == (A, "10", "1", "1")
    assert (last["agent"], last["forfeit"], last["victory"]) == (A, "", "1")
    assert [row["forfeit"] for row in tables["games.csv"]].count("lost its way") == 1
    agent = {row["agent"]: row for row in tables["agents.csv"]}[A]
    assert [float(agent[name]) for name in ("win_rate", "place", "seats", "decisions", "seconds")] == [
        0.625, 1.375, 4, 40, 4,
    ]  # fmt: skip
    assert (float(agent["glory_battle"]), float(agent["glory_quest"])) == (5, 2)
    pair = {row["agent"]: row for row in tables["pairs.csv"]}[A]
    assert (pair["opponent"], float(pair["placed_before"])) == (B, 0.625)
    troll = {row["card"]: row for row in tables["cards.csv"]}["TROLL"]
    # Drafted in three games that bring 1, 1/2 and 0; used in the first two. A's own share of these games is the par.
    expected = {"drafted": 3, "drafted_share": 0.5, "drafted_par": 0.5, "used": 2, "used_share": 0.75, "used_par": 0.5}
    assert {name: float(troll[name]) for name in expected} == expected
    assert {row["card"]: row for row in tables["cards.csv"]}["FRIGGAS_GRACE"]["drafted_share"] == ""
    draft = {(row["agent"], row["card"]): row for row in tables["drafts.csv"]}[A, "TROLL"]
    assert [draft[name] for name in ("games", "seen", "drafted", "used")] == ["3", "6", "3", "2"]
    assert float(draft["mean_round"]) == pytest.approx(5 / 3)
    picks = {(row["agent"], row["round"], row["card"]): row for row in tables["picks.csv"]}
    assert [picks[A, "1", "TROLL"][name] for name in ("age", "seen", "drafted")] == ["1", "3", "2"]
    assert [picks[B, "3", "LOKIS_POISON"][name] for name in ("seen", "drafted")] == ["3", "2"]
    assert picks[B, "1", "TROLL"]["drafted"] == "0"


def test_order_of_games_within_a_deal_changes_nothing(hand: list[StoredGame]) -> None:
    ways = [summarise(games, (A, B), 2, "bloodrage") for games in (hand, [hand[1], hand[0], hand[3], hand[2]])]
    assert ways[0].by_seat.share(0) == ways[1].by_seat.share(0)
    assert ways[0].deals == 2


# ---- pages of stores


def test_report_of_a_store(tmp_path: Path) -> None:
    plan = planned(("random", "b", "c"), 8, num_players=3)
    games = list(played(plan))
    store = stored(tmp_path / "games.db", plan, games)
    write_report(store, tmp_path / "page.html")
    shown = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    shown.check_alone(replays=True)
    ratings = rate(plan.agents, games)
    assert ratings.field.all()
    for n, name in enumerate(plan.agents):
        row = {head: cell.split(" | ")[0].replace("−", "-") for head, cell in shown.table("Agents")[name].items()}
        assert row["Elo"] == f"{ratings.elo[n]:.0f}"
        assert row["from the field"] == f"{ratings.from_field.value[n]:+.0f}"
        assert row["from the leader"] == (
            "leader" if n in ratings.leaders else f"{ratings.ahead.value[n, ratings.leaders[0]]:+.0f}"
        )
        assert shown.table("Agents")[name]["win rate"].split(" | ")[0] == f"{100 * ratings.win_share.value[n]:.1f} %"
    assert list(shown.table("Agents")) == sorted(plan.agents, key=lambda name: -ratings.elo[plan.agents.index(name)])
    assert len(shown.charts()) >= 5
    assert len(shown.source) < 600_000
    assert "bloodrage 1.2.3" in shown.text
    write_report(store, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "page.html").read_bytes()
    assert main(["tournament", "report", str(store), "--csv", str(tmp_path / "tables")]) == 0
    with (tmp_path / "tables" / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["game"], int(row["glory"])) for row in rows] == [
        (game.id, glory) for game in in_order(games) for glory in game.scores
    ]


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    plan = planned(HOSTILE, 1, num_players=4)
    games = list(played(plan))
    games[0] = replace(games[0], forfeit_seat=2, forfeit_reason="</td><script>alert(2)</script>\x00\u2028")
    results = replace(results_of(plan, games), failures=((3, "<b>"),), versions=({"bloodrage": "<i>", "</p>": "&"},))
    shown = Page(report(results))
    shown.check_alone()
    assert "b" not in shown.tags
    assert HOSTILE[0] in shown.table("Agents")
    assert any(
        shorten(HOSTILE[2]) in row for row in shown.tables["Probability that the agent of the row is the better one"]
    )
    assert not {char for char in shown.source if not char.isprintable() and char != "\n"}
    write_csv(results, games, tmp_path)
    rows = list(csv.DictReader((tmp_path / "agents.csv").open(encoding="utf-8", newline="")))
    assert {row["agent"] for row in rows} == set(HOSTILE)


def test_formulas_are_no_formulas(hand: list[StoredGame], tmp_path: Path) -> None:
    games = [*hand[:3], replace(hand[3], forfeit_reason="=1+1")]
    write_csv(results_of(HAND_PLAN, games), games, tmp_path)
    rows = list(csv.DictReader((tmp_path / "games.csv").open(encoding="utf-8", newline="")))
    assert {row["forfeit"] for row in rows} == {"", "'=1+1"}


def test_store_without_a_game(tmp_path: Path) -> None:
    store = stored(tmp_path / "games.db", planned(("a", "b"), 3), [])
    write_report(store, tmp_path / "page.html")
    shown = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    shown.check_alone()
    assert "there is nothing to report" in shown.text
    assert main(["tournament", "report", str(store), "--csv", str(tmp_path / "tables")]) == 0
    assert len((tmp_path / "tables" / "games.csv").read_text(encoding="utf-8").splitlines()) == 1


def test_only_forfeits(tmp_path: Path) -> None:
    plan = planned(("a", "b"), 2, num_players=2)
    games = [
        replace(game, actions=(), scores=(0, 0), forfeit_seat=game.line_up.index("b"), forfeit_reason="KeyError: 'x'")
        for game in played(plan)
    ]
    store = stored(tmp_path / "games.db", plan, games)
    write_report(store, tmp_path / "page.html")
    shown = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    shown.check_alone(replays=True)
    assert "Every game was forfeited" in shown.text
    assert shown.table("Forfeits")["b"]["games"] == "4"
    assert shown.table("Forfeits")["b"]["reason"].startswith("KeyError: 'x'game ")
    assert shown.table("Agents")["a"]["Elo"] == "0"
    assert shown.table("Agents")["b"]["Elo"].startswith("~")  # four comparisons are too few
    assert "all ratings are bounds" in shown.text
    assert shown.table("Agents")["a"]["glory"] == "–"
    assert main(["tournament", "report", str(store), "--csv", str(tmp_path / "tables")]) == 0


@pytest.mark.parametrize(("agents", "deals"), [(("a", "b"), 1), (("a", "b"), 2), (("a", "b", "c", "d", "e"), 1)])
def test_small_stores(agents: tuple[str, ...], deals: int) -> None:
    plan = planned(agents, deals)
    shown = Page(report(results_of(plan, list(played(plan)))))
    shown.check_alone()
    few = "after a single deal" in shown.text or "are level: the games show no difference" in shown.text
    assert few == (deals == 1)


def test_many_agents_stay_readable() -> None:
    names = tuple(f"{n}-{'x' * 40}" for n in range(28))
    plan = replace(planned(names, 1), mode="random")
    shown = Page(report(results_of(plan, list(played(plan)))))
    shown.check_alone()
    assert len(shown.tables["Probability that the agent of the row is the better one"]) == 26
    assert len(shown.table("Agents")) == 28
    assert len(shown.source) < 1_000_000


def test_unwritable_page(tmp_path: Path) -> None:
    store = stored(tmp_path / "games.db", planned(("a", "b"), 1), [])
    with pytest.raises(OSError, match="nowhere"):
        write_report(store, tmp_path / "nowhere" / "page.html")
    assert [path.name for path in tmp_path.glob(".*")] == []


# ---- charts


@pytest.mark.parametrize(("low", "high", "width"), [(0, 0, 1), (0, 30, 1), (0, 31, 2), (-40, 60, 5), (5, 3000, 100)])
def test_bins_are_round(low: int, high: int, width: int) -> None:
    assert bin_width(low, high) == width


def test_long_names_keep_both_ends() -> None:
    assert shorten("short") == "short"
    assert shorten("x" * 20 + "y" * 20, 11) == "xxxxx…yyyyy"


def test_the_frame_is_no_template_for_texts() -> None:
    assert "$title" in page("$title", "$body ${x} $$")
    Page(page("a < b", "<p>$</p>"))


@pytest.mark.parametrize(
    ("words", "times"), [((), 1), (("--html", "a.html"), 1), (("--html", "a.html", "--csv", "b"), 2)]
)
def test_the_command_reads_a_store_once_and_again_for_tables(
    words: list[str], times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = planned((A, B), 1, num_players=2)
    stored(Path("a.sqlite"), plan, list(played(plan)))
    read: list[Path] = []
    finished = Store.finished

    def counted(store: Store) -> Iterator[StoredGame]:
        read.append(store.path)
        return finished(store)

    monkeypatch.setattr(Store, "finished", counted)
    assert main(["tournament", "report", "a.sqlite", *words]) == 0
    assert len(read) == times


def test_a_report_reads_each_game_once(hand: list[StoredGame], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept of a game that has been counted: stores of any size can be told."""
    plan = planned((A, B), 2, num_players=2)
    stream = iter(hand)
    monkeypatch.setattr(Store, "finished", lambda _: stream)
    monkeypatch.setattr(Store, "plan", lambda _: plan)
    monkeypatch.setattr(Store, "created", lambda _: "2026-01-31T12:00:00Z")
    monkeypatch.setattr(Store, "versions", lambda _: ())
    monkeypatch.setattr(Store, "failures", lambda _: ())
    monkeypatch.setattr(Store, "settled", lambda _: 2)
    monkeypatch.setattr(Store, "recorded", lambda _: 4)
    results = Results.of(Store.__new__(Store))
    assert next(stream, None) is None
    assert results.summary.games == results.ratings.games == 4
