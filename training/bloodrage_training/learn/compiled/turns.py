"""Games that wait for a learner: steps of some games of a batch, which stay where they are when they end."""

from bloodrage_env.engine.api import GAME_OVER, begin, step
from bloodrage_env.engine.compiled import Floats2, Ints, Ints2, Mask2, States, entry
from bloodrage_env.engine.ids import MAX_SEATS
from bloodrage_env.observation import write_observation
from bloodrage_env.vector import check_decisions, check_starts, check_which, write_decision, write_rewards


@entry
def begin_some(
    states: States, which: Ints, seeds: Ints, options: Ints2, masks: Mask2, observations: Floats2, seats: Ints
) -> None:
    """Begin these games anew, game i from `seeds[i]`, and write their first decisions; arrays as in `step_games`."""
    check_which(states, which)
    check_starts(states, seeds, options)
    check_decisions(states, masks, observations, seats)
    for game in which:
        begin(states[game], seeds[game], options[game])
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
    check_which(states, which)
    check_decisions(states, masks, observations, seats)
    if len(actions) != len(states):
        raise ValueError("actions must be as many as states")
    if len(viewers) != len(states):
        raise ValueError("viewers must be as many as states")
    if rewards.shape != (len(states), MAX_SEATS):
        raise ValueError("rewards must have the shape (len(states), MAX_SEATS)")
    for game in which:
        if viewers[game] < 0 or viewers[game] >= states[game].num_players:
            raise ValueError("viewers must be seats of their games")
    for game in which:
        s = states[game]
        if step(s, actions[game]) == GAME_OVER:
            seats[game] = GAME_OVER
            masks[game, :] = 0
            write_rewards(s, rewards, game)
            write_observation(s, viewers[game], observations[game])
        else:
            write_decision(states, game, masks, observations, seats)
