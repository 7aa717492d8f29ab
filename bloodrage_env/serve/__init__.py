"""Games in the browser: a small server that plays any agents against people, and tells each seat what it may know.

`games.py` is one game and who sits where, `story.py` what a seat is told of an action, `views.py` all that a browser is
sent, `storage.py` the files, `tables.py` the games that go on with their agents, which think as in `thinking.py`,
`app.py` the web application, `guard.py` what stands before it, `levels.py` the levels, `connections.py` the HTTP
server, `visitors.py` who counts as one visitor.
"""
