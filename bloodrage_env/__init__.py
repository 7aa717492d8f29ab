"""Blood Rage as a reinforcement-learning environment for two to five players, and Berserk, for two.

`bloodrage_v0.env()` and `berserk_v0.env()` make PettingZoo environments, `VectorGames` steps many games in one compiled
call. They are loaded when first used, so that importing the package costs no more than PettingZoo. The package
registers `bloodrage/bloodrage-v0` and `bloodrage/berserk-v0` there, for `pettingzoo.make("aec", ...)` and
`make("parallel", ...)`, and `bloodrage/OneSeat-v0` with Gymnasium, for `gymnasium.make` and `make_vec`.
"""

import importlib
from typing import TYPE_CHECKING, Any

import gymnasium
from pettingzoo import aec_registry, parallel_registry, register

if TYPE_CHECKING:
    from . import berserk_v0, bloodrage_v0
    from .vector import VectorGames

__all__ = ["VectorGames", "__version__", "berserk_v0", "bloodrage_v0"]
__version__ = "0.2.0"

# All are asked first, since both libraries warn when an id is registered again, as a reload of this module would.
for _game in ("bloodrage", "berserk"):
    _env_id = f"bloodrage/{_game}-v0"
    if _env_id not in aec_registry:
        register("aec", _env_id, entry_point=f"{__name__}.{_game}_v0:env")
    if _env_id not in parallel_registry:
        register("parallel", _env_id, entry_point=f"{__name__}.{_game}_v0:parallel_env")
_ONE_SEAT_ID = "bloodrage/OneSeat-v0"
if _ONE_SEAT_ID not in gymnasium.registry:
    gymnasium.register(
        _ONE_SEAT_ID, entry_point=f"{__name__}.gym:OneSeat", vector_entry_point=f"{__name__}.gym:OneSeatVector"
    )


def __getattr__(name: str) -> Any:
    """Load what is public when it is first asked for."""
    if name in ("berserk_v0", "bloodrage_v0"):
        return importlib.import_module(f".{name}", __name__)
    if name == "VectorGames":
        return importlib.import_module(".vector", __name__).VectorGames
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
