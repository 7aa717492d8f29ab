"""Studies of games, made up: what is thought in them is nobody's."""

import numpy as np

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.notation.questions import answer_text
from bloodrage_env.study import Analysis, Judged, Move, Study, Tried


def made_up(replay, costly_every=10):
    """A study in which every so many decisions with a choice one cost 20 %, against the first other answer."""
    players = replay.options.num_players
    decisions = []
    choices = 0
    for step, (states, action) in enumerate(zip(replay.states(), replay.actions, strict=False)):
        seat = engine.seat_to_act(states, 0)
        legal = np.flatnonzero(states[0].mask).tolist()
        course = tuple((2.0 if other == seat else 1.0) / (players + 1) for other in range(players))
        if len(legal) == 1:
            decisions.append(Judged(step, seat, action, course))
            continue
        choices += 1
        probabilities = {each: 1 / len(legal) for each in legal}
        line = (Move(seat, answer_text(states, 0, action), action), Move((seat + 1) % players, "pass", 0))
        tried = (Tried(action, 30, 0.4, line), Tried(next(each for each in legal if each != action), 10, 0.6, line[:1]))
        bad = choices % costly_every == 0
        better = tried[1].action if bad else None
        analysis = Analysis(seat, probabilities, course, tried)
        decisions.append(Judged(step, seat, action, course, analysis, 0.2 if bad else 0.0, better))
    return Study(decisions, (1.0, *[0.0] * (players - 1)))
