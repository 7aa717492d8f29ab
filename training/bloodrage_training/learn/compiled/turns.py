"""Games that wait for a learner: steps of some games of a batch, which stay where they are when they end."""

from bloodrage_env.engine.api import GAME_OVER, begin, step
from bloodrage_env.engine.compiled import Floats2, Ints, Mask2, States, entry
from bloodrage_env.observation import write_observation
from bloodrage_env.vector import write_decision, write_rewards


@entry
def begin_some(
    states: States, which: Ints, seeds: Ints, players: Ints, masks: Mask2, observations: Floats2, seats: Ints
) -> None:
    """Begin these games anew, game i from `seeds[i]`, and write their first decisions; arrays as in `step_games`."""
    for game in which:
        begin(states[game], seeds[game], players[game], False, True)
        write_decision(states, game, masks, observations, seats)


@entry
def step_some(
    states: States,
    which: Ints,
    actions: Ints,
    viewers: Ints,
    masks: Mask2,
    observations: Floats2,
    seats: Ints,
    rewards: Floats2,
) -> None:
    """Answer the open questions of these games by `actions[game]`, and write the next decisions.

    Where a game ends, `seats` is -1, the mask is empty, `rewards` are those of all seats and the observation is what
    seat `viewers[game]` sees of the end.
    """
    for game in which:
        s = states[game]
        if step(s, actions[game]) == GAME_OVER:
            seats[game] = GAME_OVER
            masks[game, :] = 0
            write_rewards(s, rewards, game)
            write_observation(s, viewers[game], observations[game])
        else:
            write_decision(states, game, masks, observations, seats)
