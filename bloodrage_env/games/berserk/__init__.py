"""Berserk, the tactical card battle of Laar: the second game, on `core` alone.

`berserk_v0.env()` makes a PettingZoo environment of it, `vector.VectorGames` steps many games in one compiled call,
`engine` is what both stand on; `game.GAME` is all of it as a `Game` of the core.
"""
