"""The types that an editor shows for the classes that programs use."""

import inspect
import re
from typing import Any

import numpy.typing as npt
import pytest

from bloodrage_env import VectorGames
from bloodrage_env.core.api import vector
from bloodrage_env.core.api.env import GameEnv, Observation
from bloodrage_env.core.shown.structs import Structs

# What has any type: values of JSON, an action that may be wrong, options by name, pictures, and state of copies.
ALLOWED = {
    "GameEnv.action_from_struct", "GameEnv.action_structs", "GameEnv.last", "GameEnv.observation_struct",
    "GameEnv.picture", "GameEnv.render", "GameEnv.reset", "GameEnv.step", "Structs.action", "Structs.actions",
    "Structs.actions_schema", "Structs.meant", "Structs.observation", "Structs.observation_schema", "Structs.vector",
    "Structs.without_text",
}  # fmt: skip


def known(annotation: object) -> str:
    """An annotation as text, without the shape of arrays, which has no type, and the fields of records."""
    text = re.sub(r"(numpy.)?ndarray\[tuple\[(typing.)?Any, \.\.\.\],", "ndarray[", str(annotation))
    return text.replace("ArrayLike", "").replace(str(npt.ArrayLike), "").replace(str(npt.DTypeLike), "")


def unknown(of: type[Any]) -> set[str]:
    """The public functions and properties of a class with Any in their signature."""
    found = set()
    for name, member in vars(of).items():
        called = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(called):
            shown = [known(each) for key, each in called.__annotations__.items() if key != "options"]
            if any("Any" in each for each in shown):
                found.add(f"{of.__name__}.{name}")
    return found


def test_public_signatures_have_no_any_but_the_named_ones() -> None:
    found = unknown(GameEnv) | unknown(vector.VectorGames) | unknown(VectorGames) | unknown(Structs)
    assert found <= ALLOWED
    assert "Any" not in "".join(map(known, Observation.__annotations__.values()))


# `mypy --strict` passes it, and says the type of scores.
PROGRAM = """
import numpy as np
import numpy.typing as npt
from bloodrage_agents import registry
from bloodrage_agents.match import GameRecord, play_game
from bloodrage_env import VectorGames, bloodrage_v0, games

env = bloodrage_v0.env(num_players=3)
env.reset(seed=1)
batch = VectorGames(4, 2, game="berserk")
batch.reset()
batch.step(batch.masks.argmax(1))
seen: npt.NDArray[np.float32 | np.uint8] = batch.observations
rewards: npt.NDArray[np.float32] = batch.rewards
whole: npt.NDArray[np.float32] = batch.state()
state: npt.NDArray[np.float32 | np.uint8] = env.unwrapped.state()
agents = [registry.make("random") for _ in range(2)]
record: GameRecord = play_game(agents, 1, games.options_from("bloodrage"), (1, 2))
reveal_type(record.scores)
"""


@pytest.mark.slow
def test_a_program_passes_mypy(tmp_path: Any) -> None:
    api = pytest.importorskip("mypy.api")
    (tmp_path / "program.py").write_text(PROGRAM)
    said, errors, status = api.run(["--strict", str(tmp_path / "program.py")])
    assert status == 0, said + errors
    assert 'Revealed type is "tuple[int, ...]"' in said.replace("builtins.", "")
    assert "Any" not in said
