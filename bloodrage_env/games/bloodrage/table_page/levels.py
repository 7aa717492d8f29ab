"""The levels of opponents, from the weakest to the strongest (measured in `docs/leaderboard.md`)."""

from typing import Final

# What plays at each level, by the spec of the agent. The strongest is the tree search that the policy guides.
LEVELS: Final = {
    "random": "Easy",
    "balanced": "Medium",
    "network": "Hard",
    "ismcts:path=shipped": "Strongest",
}
