"""Monte Carlo tree search over information sets, for every game: `tree_for` makes the search of one."""
