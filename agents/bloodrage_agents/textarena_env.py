"""Games as environments of TextArena, in which a language model plays each seat. It needs the package `textarena`.

`register()` makes them known to `textarena.make` by names such as `Bloodrage-v0`.
"""

import secrets
from typing import Any, Final

import textarena as ta
from textarena.core import ObservationWrapper
from textarena.envs import registration

from bloodrage_env import games
from bloodrage_env.core.engine.rewards import win_reward
from bloodrage_env.language.prompt import Parts, refusal

from .episode import TRIES, Episode

SEED_BITS: Final = 62


class TextGameEnv(ta.Env):
    """A game of `game`, with its options as keyword arguments.

    The first observation of a player contains the rules, each further one the open question, and after an answer that
    means no legal action the reason. A player that gives `tries` such answers in a row loses. Rewards are those of
    victory, with the sum 0, at the end.
    """

    def __init__(self, game: str, parts: Parts | None = None, tries: int = TRIES, **options: Any) -> None:
        self.game, self.parts, self.tries, self.options = game, parts, tries, options

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game; without a seed a random one."""
        options = games.options_from(self.game, num_players=num_players, **self.options)
        deal = secrets.randbits(SEED_BITS) if seed is None else seed
        self.episode = Episode(options, deal, parts=self.parts, tries=self.tries)
        self.state = ta.State(num_players=num_players)
        names = dict(enumerate(games.presentation(self.game).seats[:num_players]))
        self.state.standard_resets({}, lambda player_id, game_state: self.episode.system(), names)
        self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Answer for the player whose turn it is. Return whether the game is over, and the reason of a refusal."""
        player = self.episode.seat
        self.state.game_info[player]["turn_count"] += 1
        reason = self.episode.answer(action)
        if reason is not None:
            self.state.step_info["reason"] = reason
            self.state.game_info[player]["invalid_move"] = True
            self.state.add_observation(refusal(reason), ta.ObservationType.GAME_ADMIN, to_id=player)
        self._ask()
        return self.state.step()  # type: ignore[no-any-return]

    def _ask(self) -> None:
        """Show the open question to its player, or end the game."""
        episode, count = self.episode, self.episode.options.num_players
        if episode.seat >= 0:
            self.state.current_player_id = episode.seat
            self.state.add_observation(episode.prompt(), ta.ObservationType.GAME_BOARD, to_id=episode.seat)
            return
        self.state.done = True
        self.state.rewards = {seat: win_reward(episode.won(seat), count, episode.rules.team) for seat in range(count)}


class Newest(ObservationWrapper):
    """Observations as one text: the rules, and the messages since the player's last answer, of this game alone.

    A question contains what its player has seen since then, and the game as it is, so that observations do not grow.
    """

    def __init__(self, env: TextGameEnv) -> None:
        super().__init__(env)
        self._shown: dict[int, str] = {}

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game, and forget the one before."""
        self._shown.clear()
        self.env.reset(num_players, seed)

    def observation(self, player_id: int, observation: list[tuple[int, str, ta.ObservationType]]) -> str:
        """Return what a player is shown; the same again if nothing is new."""
        new = [text for _, text, kind in observation if kind is not ta.ObservationType.PROMPT]
        if new or player_id not in self._shown:
            self._shown[player_id] = "\n\n".join([self.env.episode.system(), *new])
        return self._shown[player_id]


def register() -> list[str]:
    """Register an environment of each game, and return their names."""
    names = []
    for game in games.all_names():
        name = f"{game.title().replace('_', '')}-v0"
        registration.register(name, TextGameEnv, [Newest], game=game)
        names.append(name)
    return names
