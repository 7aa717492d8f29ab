"""The analysis of the decisions of a game as plain data, for `static/study.js`."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from ..core.api.replay import Replay
from ..core.compile.decorators import Records
from ..errors import UserError
from ..study import Judged, Missed, Study, analysis_data, thousandths
from .strings import Strings

Label: TypeAlias = Callable[[Records, int, int], str]


def study_data(label: Label, replay: Replay, study: Study) -> dict[str, Any]:
    """A study of a replay as plain data; texts are numbers in `strings`, shares thousandths. `label` is that of
    `study.Studied`.

    `course`: the win probabilities by seat before each action, and at the end; `decisions`: for each action None, where
    it was the only one, or `study.analysis_data` of its question and `action`, `cost`, `costly`, `better`, None or the
    text of the action that was found better, `price`, None or places and score that it ends the game with more, in
    hundredths, and `missed`, None or the entries of `study.Missed`, numbers likewise. UserError: it is of another
    number of decisions.
    """
    if len(study.decisions) != len(replay):
        raise UserError(f"a study of {len(study.decisions)} decisions for a game of {len(replay)}")
    strings = Strings()
    decisions = [
        None if judged.analysis is None else _decision(partial(label, states, 0), judged, strings)
        for states, judged in zip(replay.states(), study.decisions, strict=False)
    ]
    course = [*(judged.course for judged in study.decisions), study.result]
    return {"strings": strings.texts, "decisions": decisions, "course": [thousandths(shares) for shares in course]}


def _missed(missed: Missed) -> list[Any]:
    return [round(100 * missed.score), round(100 * missed.lost), missed.at_the_end]


def _decision(label: Callable[[int], str], judged: Judged, strings: Strings) -> dict[str, Any]:
    assert judged.analysis is not None
    return {
        **analysis_data(judged.analysis, label, strings.number),
        "action": judged.action,
        "text": strings.number(label(judged.action)),
        "cost": round(1000 * judged.cost),
        "costly": judged.costly,
        "better": None if judged.better is None else strings.number(label(judged.better)),
        "price": None if judged.price is None else [round(100 * each) for each in judged.price],
        "missed": None if judged.missed is None else _missed(judged.missed),
    }
