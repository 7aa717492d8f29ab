"""Text of decisions, actions and events, for logs, golden games and people.

`names` provides exact names of actions, the same in every state. `questions` describes the open question and its
answers, `events` what happened.
"""

from ....core.shown.presentation import Event, Kind
from .events import event_lines, events, opening_events
from .names import action_id, action_name
from .questions import action_text, decision_text, own_decision_text
from .words import CLANS
