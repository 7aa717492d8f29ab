"""Games in the browser: a small server that plays any agents against people, and shows each seat what it may know.

It serves any game that has a `TablePage` (`core/table_page.py`): `games.py` is one game, `seating.py` who sits where,
`views.py` all that a browser is sent, `storage.py` the files, `table.py` a game that goes on with its agents, which
think as in `thinking.py`, `tables.py` all of them, `links.py` the links to them, `app.py` the web application,
`guard.py` the checks before it, `connections.py` the HTTP server, `visitors.py` who counts as one visitor.

For Blood Rage alone: `seen.py` is what its page shows, `story.py` the log entries of an action, `teaching.py` how
quests stand and battles look, `study.py` hints and reviews, `levels.py` the levels.
"""
