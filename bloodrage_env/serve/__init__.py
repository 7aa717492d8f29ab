"""Games in the browser: a small server that plays any agents against people, and tells each seat what it may know.

It serves any game that has a `TablePage` (`core/table_page.py`): `games.py` is one game and who sits where, `views.py`
all that a browser is sent, `storage.py` the files, `tables.py` the games that go on with their agents, which think as
in `thinking.py`, `app.py` the web application, `guard.py` what stands before it, `connections.py` the HTTP server,
`visitors.py` who counts as one visitor.

For Blood Rage alone: `seen.py` is what its page shows, `story.py` what a seat is told of an action, `teaching.py` how
quests stand and battles look, `study.py` hints and reviews, `levels.py` the levels.
"""
