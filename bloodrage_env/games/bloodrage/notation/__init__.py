"""States, decisions and actions as text, for logs, golden games and people.

`names` is an exact notation of actions, the same in every state; `questions` puts the open question and its answers
into words, `events` what happened; `dump` writes out a whole state.
"""

from ....core.presentation import Event, Kind
from .dump import state_text
from .events import event_lines, events, opening_events
from .names import action_id, action_name
from .questions import action_text, decision_text, own_decision_text, public_decision_text
from .words import CLANS
