"""The analysis of the decisions of a game as plain data, for `static/study.js`."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from ..core.compiled import Records
from ..core.replay import Replay
from ..errors import UserError
from ..study import Judged, Study, analysis_data, thousandths
from .strings import Strings

Label: TypeAlias = Callable[[Records, int, int], str]


def study_data(label: Label, replay: Replay, study: Study) -> dict[str, Any]:
    """A study of a replay as plain data; texts are numbers in `strings`, shares thousandths. `label` is that of
    `study.Studied`.

    `course`: the win probabilities by seat before each action, and at the end; `decisions`: for each action None, where
    it was the only one, or `study.analysis_data` of its question and `action`, `cost`, `costly`, `better`, None or the
    text of the action that was found better, and `missed`, what it gains and loses more (`study.Judged`), in
    hundredths. UserError: it is of another number of decisions.
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


def _decision(label: Callable[[int], str], judged: Judged, strings: Strings) -> dict[str, Any]:
    assert judged.analysis is not None
    return {
        **analysis_data(judged.analysis, label, strings.number),
        "action": judged.action,
        "text": strings.number(label(judged.action)),
        "cost": round(1000 * judged.cost),
        "costly": judged.costly,
        "better": None if judged.better is None else strings.number(label(judged.better)),
        "missed": None if judged.missed is None else [round(100 * each) for each in judged.missed],
    }
