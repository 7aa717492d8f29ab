"""Golden games of Berserk as text, and the options of the behaviour signature."""

from pathlib import Path

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.notation import action_name, event_lines, state_text
from bloodrage_env.games.berserk.options import Options

FOLDER = Path(__file__).parent / "golden_berserk"
SIGNATURE_GAMES = 400
SIGNATURE = (
    Options(),
    Options(combat="difference", skip_forced=False),
    Options(setup="fixed"),
    Options(decks=("mountain_2", "steppe_2"), combat="difference", max_turns=60),
)
GAMES = {
    "book": (32, Options()),
    "difference": (34, Options(combat="difference", decks=("mountain_2", "steppe_2"))),
    "fixed_all_questions": (23, Options(setup="fixed", skip_forced=False)),
}
EVERY = 12  # decisions between two whole states


def signature() -> str:
    """The behaviour signature of the rules."""
    return engine.behaviour_signature(SIGNATURE_GAMES, [options.numbers() for options in SIGNATURE])


def game_text(seed: int, options: Options) -> str:
    """A whole random game: each answer with what it set off, and the state now and then."""
    word = seed
    states = GAME.new_game(seed, options)
    lines = [f"seed {seed}; {options}", "", state_text(states, 0), ""]
    number = 0
    while not engine.is_over(states, 0):
        legal = states[0].mask.nonzero()[0].tolist()
        word = (word * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF  # Knuth's MMIX
        if len(legal) > 1 and legal[0] == engine.DONE and word >> 61 > 0:
            legal = legal[1:]  # a purchase is ended late and a turn seldom, so that much happens
        action = legal[(word >> 32) % len(legal)]
        number += 1
        lines.append(f"{number} {engine.Decision(int(states[0].decision)).name} {action_name(action)}")
        lines += [f"    {line}" for line in event_lines(states, action)]
        engine.apply(states, 0, action)
        if number % EVERY == 0:
            lines += ["", state_text(states, 0), ""]
    return "\n".join([*lines, "", state_text(states, 0)]) + "\n"
