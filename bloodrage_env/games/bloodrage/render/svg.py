"""Pictures as SVG text: for notebooks, pages and files."""

from ....render.shapes import FRAME
from ....render.svg import document
from ..engine import States
from .picture import picture
from .scene import Scene, scene


def board_svg(states: States, index: int, seat: int | None = None, all_hands: bool = False) -> str:
    """Return a game as an SVG document of 1280 by 800, which can be embedded in a page.

    Parameters
    ----------
    states : ndarray
        An array of games.
    index : int
        One of them.
    seat : int, optional
        Whose information is shown; by default public information.
    all_hands : bool
        True: everything is shown.

    Returns
    -------
    str
        The document. Raises ValueError for a seat that is not in the game.

    Examples
    --------
    >>> from bloodrage_env.games.bloodrage import engine
    >>> from bloodrage_env.games.bloodrage.render.svg import board_svg
    >>> board_svg(engine.new_game(seed=1, num_players=2), 0)[:4]
    '<svg'
    """
    return scene_svg(scene(states, index, seat, all_hands))


def scene_svg(drawn: Scene) -> str:
    """Return a scene as an SVG document."""
    return document(picture(drawn), FRAME, "A game of Blood Rage")
