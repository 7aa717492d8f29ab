"""Golden games of Berserk and its modes as text, and the options of their behaviour signatures."""

from importlib import import_module
from pathlib import Path
from typing import Any

from bloodrage_env import games

FOLDER = Path(__file__).parent / "golden_berserk"
SIGNATURE_GAMES = 400
# By game, the options of the games of its signature, and the file of that.
SIGNATURES: dict[str, tuple[Any, ...]] = {
    "berserk": (
        games.options_from("berserk"),
        games.options_from("berserk", combat="difference", skip_forced=False),
        games.options_from("berserk", setup="fixed"),
        games.options_from("berserk", decks=("mountain_2", "steppe_2"), combat="difference", max_turns=60),
    ),
    "berserk_team": (
        games.options_from("berserk_team"),
        games.options_from("berserk_team", combat="difference", skip_forced=False, placing="at_once"),
        games.options_from("berserk_team", setup="fixed"),
    ),
    "berserk_laar": (
        games.options_from("berserk_laar"),
        games.options_from("berserk_laar", num_players=1),
        games.options_from("berserk_laar", combat="difference", skip_forced=False, placing="at_once"),
        games.options_from("berserk_laar", num_players=1, combat="difference", decks=("mountain", "steppe")),
    ),
}
FILES = {name: f"{name.replace('berserk', 'signature')}.txt" for name in SIGNATURES}
GAMES = {
    "book": (32, games.options_from("berserk")),
    "difference": (34, games.options_from("berserk", combat="difference", decks=("mountain_2", "steppe_2"))),
    "fixed_all_questions": (23, games.options_from("berserk", setup="fixed", skip_forced=False)),
    "team": (4, games.options_from("berserk_team", max_turns=24)),
    "laar_one_player": (6, games.options_from("berserk_laar", num_players=1)),
    "laar_two_players": (11, games.options_from("berserk_laar", decks=("mountain", "mountain"))),
}
EVERY = 12  # decisions between two whole states
BUYS = {"berserk_team": 3, "berserk_laar": 3}  # answers of a purchase that are drawn from, for squads of some size


def part_of(game: str, name: str) -> Any:
    """A module of a game, such as "engine"."""
    return import_module(f"bloodrage_env.games.{game}.{name}")


def signature(game: str) -> str:
    """The behaviour signature of the rules."""
    options = [options.numbers() for options in SIGNATURES[game]]
    found: str = part_of(game, "engine").behaviour_signature(SIGNATURE_GAMES, options)
    return found


def game_text(seed: int, options: Any) -> str:
    """A whole random game: each answer with what it set off, and the state now and then."""
    engine, notation = (part_of(options.game, name) for name in ("engine", "notation"))
    word = seed
    states = games.game(options.game).new_game(seed, options)
    lines = [f"seed {seed}; {options}", "", notation.state_text(states, 0), ""]
    number = 0
    while not engine.is_over(states, 0):
        legal = states[0].mask.nonzero()[0].tolist()
        word = (word * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF  # Knuth's MMIX
        if len(legal) > 1 and legal[0] == engine.DONE and word >> 61 > 0:
            legal = legal[1:]  # a purchase is ended late and a turn seldom, so that much happens
        if states[0].decision == engine.Decision.BUY:
            legal = legal[: BUYS.get(options.game)]
        elif options.game in BUYS:
            legal = [each for each in legal if engine.ACT <= each < engine.CELL] or legal  # cards that can act do
        action = legal[(word >> 32) % len(legal)]
        number += 1
        lines.append(f"{number} {engine.Decision(int(states[0].decision)).name} {notation.action_name(action)}")
        lines += [f"    {line}" for line in notation.event_lines(states, action)]
        engine.apply(states, 0, action)
        if number % EVERY == 0:
            lines += ["", notation.state_text(states, 0), ""]
    return "\n".join([*lines, "", notation.state_text(states, 0)]) + "\n"
