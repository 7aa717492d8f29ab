"""What differs between the forms of Berserk. Each form is compiled from the same modules, with a `shape` of its own."""

from typing import Final

NAME: Final = "berserk"
TEAM: Final = 1  # players in a team, side by side
