"""The report of a tournament: the results of its store as one self-contained page."""

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from ..tournament.counted import games_of_results
from ..tournament.plan import line_ups_a_deal
from ..tournament.records import StoredGame
from ..tournament.store import Store
from .charts import clean, shorten
from .chosen import Choice
from .games import forfeits_part, lengths_part, models_part, scores_part, seats_part
from .page import number, page, section, signed, write
from .replays import games_part, policy
from .strength import pairs_part, probability, ratings_part
from .summary import Results
from .tables import write_csv


def write_report(
    store_path: str | os.PathLike[str], html_path: str | os.PathLike[str], anchor: str | None = None
) -> None:
    """Write the report of a store as one HTML file.

    Parameters
    ----------
    store_path : path
        The store.
    html_path : path
        The file to write. Raises OSError if it cannot be written.
    anchor : str, optional
        The agent with 0 Elo, as for `rate`.

    Raises
    ------
    UserError
        The store cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from bloodrage_training.report.write import write_report
    >>> write_report("games.sqlite", "report.html")
    >>> Path("report.html").read_text()[:15]
    '<!doctype html>'
    """
    with Store.open(store_path) as store:
        write_page(Results.of(store, anchor), store, html_path)


def export_csv(
    store_path: str | os.PathLike[str], directory: str | os.PathLike[str], anchor: str | None = None
) -> None:
    """Write the numbers of a report as CSV files.

    Parameters
    ----------
    store_path : path
        The store.
    directory : path
        The folder of the files.
    anchor : str, optional
        As for `write_report`, whose errors it raises.

    Examples
    --------
    >>> from pathlib import Path
    >>> from bloodrage_training.report.write import export_csv
    >>> export_csv("games.sqlite", "numbers")
    >>> (Path("numbers") / "agents.csv").is_file()
    True
    """
    with Store.open(store_path) as store:
        write_csv(Results.of(store, anchor), games_of_results(store)[0], directory)


def write_page(
    results: Results, store: Store, html_path: str | os.PathLike[str], progress: TextIO | None = None
) -> None:
    """Do as `write_report` for the results of a store; `progress` as for `games_of_results`."""
    write(html_path, report(results, {each.game: store.game(each.game) for each in results.chosen}, progress))


def report(results: Results, games: Mapping[str, StoredGame] | None = None, progress: TextIO | None = None) -> str:
    """Return the page, with the chosen games that are given, by id. Raise ReplayError if one is invalid."""
    games = games or {}
    shown = [each for each in results.chosen if each.game in games]
    replays, scripts = games_part(shown, games, progress)
    parts = _parts(results, shown, replays)
    footer = "<footer>Intervals hold 95 % and are over deals. Written by bloodrage.</footer>"
    content = [_head(results, [(anchor, name) for anchor, name, _ in parts]), *(html for _, _, html in parts), footer]
    return page(f"{results.spec.title} tournament", "".join(content), policy(scripts))


def _parts(results: Results, shown: Sequence[Choice], replays: str) -> list[tuple[str, str, str]]:
    """Yield anchor, name and HTML of each part that is not empty."""
    summary = results.summary
    found: list[tuple[str, str, str]] = []
    if summary.games:
        found.append(("ratings", "Ratings", ratings_part(results, shown)))
        found.append(("pairs", "Pairs", pairs_part(results)))
    if summary.finished:
        found.append(("seats", "Seats", seats_part(results)))
        if summary.many_scores:
            found.append(("scores", "Scores", scores_part(results)))
        own = () if results.report is None else results.report.sections
        found += [(each.anchor, each.name, each.html(results)) for each in own]
        found.append(("lengths", "Length", lengths_part(results)))
    if any(each.talk.asked for each in summary.agents):
        found.append(("models", "Language models", models_part(results)))
    found.append(("forfeits", "Forfeits", forfeits_part(summary, shown)))
    if replays:
        found.append(("games", "Games", replays))
    return [*found, ("command", "Command", _command(results))]


# ---- what was played


def _head(results: Results, parts: Iterable[tuple[str, str]]) -> str:
    plan, summary = results.plan, results.summary
    forfeits = sum(summary.forfeits.values())
    deals = "deals drawn at random" if plan.seed is None else f"seed {plan.seed}"
    how = "each at every seating of its line-ups" if plan.paired else "one for each game: a plug-in is not trusted"
    facts = [
        ("Games", number(summary.games), f"{number(forfeits)} of them forfeited"),
        ("Deals", number(summary.deals), how),
        ("Options", str(plan.options), "of each game; those not named have their defaults"),
        ("Agents", str(len(plan.agents)), f"mode: {plan.mode}"),
        ("Begun", results.created.replace("T", " ").replace("Z", " UTC"), deals),
        ("Time limit", f"{plan.seconds_a_decision:g} s", "a decision; a plug-in that takes longer forfeits"),
    ]
    if results.missing:
        facts.append(("Not finished", number(summary.games), results.missing))
    facts += [("Versions", *_versions(each)) for each in _distinct(results.versions)]
    if results.failures:
        facts.append(("Given up", number(len(results.failures)), "units at which workers died; not counted"))
    items = "".join(
        f"<div><dt>{clean(name)}</dt><dd>{clean(value)}<small>{clean(more)}</small></dd></div>"
        for name, value, more in facts
    )
    links = "".join(f'<li><a href="#{anchor}">{clean(name)}</a></li>' for anchor, name in parts)
    return (
        f'<header><h1>{clean(results.spec.title)} tournament</h1><p class="lead">{clean(_lead(results))}</p>'
        f'<dl class="facts">{items}</dl><nav aria-label="Sections"><ul>{links}</ul></nav></header>\n'
    )


def _lead(results: Results) -> str:
    """Return the result as a sentence."""
    ratings, summary = results.ratings, results.summary
    if not summary.games:
        return "No game is stored yet: there is nothing to report."
    if not summary.finished:
        return "Every game was forfeited: there are reasons below, but little to compare."
    first, second = ratings.order[:2]
    name = shorten(ratings.names[first])
    if ratings.elo[first] == ratings.elo[second] and ratings.finished[second]:
        return f"{name} and {shorten(ratings.names[second])} are level: the games show no difference between them."
    if ratings.deals < 2:
        return f"{name} leads, after a single deal: far too few games to say who is better."
    lead = f"{name} leads"
    if ratings.field[first]:
        more = ratings.from_field.at(first)
        value, low, high = (signed(f"{each:.0f}") for each in (more.value, more.low, more.high))
        lead += f", {value} Elo ({low} to {high}) above the mean of the field"
    elif ratings.field.any():
        lead += ", by more than the games can measure"
    return (
        f"{lead}. It is better than {shorten(ratings.names[second])}, which comes next, with probability "
        f"{probability(float(ratings.better[first, second]))}."
    )


def _command(results: Results) -> str:
    """Return the commands that play such a tournament and write this page."""
    plan, ratings = results.plan, results.ratings
    words = ["bloodrage", "tournament", "run", "--agents", ",".join(plan.agents), "--mode", plan.mode]
    words += ["--game", plan.options.game, *plan.options.arguments()]
    deals = -(-results.summary.games // (line_ups_a_deal(plan) * plan.options.num_players))
    words += ["--seconds-a-decision", f"{plan.seconds_a_decision:g}", "--deals", str(max(deals, 1))]
    words += [word for name in plan.trusted for word in ("--trust", name)]
    words += [] if plan.seed is None else ["--seed", str(plan.seed)]
    html = ["bloodrage", "tournament", "report", "games.sqlite", "--html", "report.html", "--anchor", ratings.anchor]
    same = (
        "The deals were drawn at random, so that the first command plays others; these games are in the store."
        if plan.seed is None
        else "The same seed: the same deals, and the same games but for agents that are limited by time."
    )
    commands = (clean(shlex.join([*words, "--store", "games.sqlite"])), clean(shlex.join(html)))
    how = f"What plays it again, and writes this page. {same}"
    return section("command", "Command", how, f"<pre>{commands[0]}\n{commands[1]}</pre>")


def _distinct(versions: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for each in versions:
        if each not in found:
            found.append(each)
    return found


def _versions(versions: dict[str, str]) -> tuple[str, str]:
    """Return the version of bloodrage, and other versions as a line."""
    rest = ", ".join(f"{name} {version}" for name, version in versions.items() if name != "bloodrage")
    return f"bloodrage {versions.get('bloodrage', '?')}", rest
