"""A server for games in the browser. It seats people and agents, and sends each seat only what it may know.

It serves every game that has a `TablePage` (`core/shown/table_page.py`):

- `games.py`: one game; `seating.py`: its seats; `storage.py`: its files; `views.py`: the data sent to a browser
- `table.py`: a running game and its agents, which run in the threads of `thinking.py`; `tables.py`: all tables
- `app.py`: the web application; `guard.py`: checks of requests; `connections.py`: the HTTP server
- `links.py`: links and QR codes; `visitors.py`: visitors by address; `studies.py`: hints and reviews

Blood Rage adds `seen.py`, the data of its page, `story.py`, the log entries of an action, and `teaching.py`, the state
of quests and battles.
"""
