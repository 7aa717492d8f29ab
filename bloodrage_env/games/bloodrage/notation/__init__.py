"""Text of states, decisions and actions, for logs, golden games and people.

`names` provides exact names of actions, the same in every state. `questions` describes the open question and its
answers, `events` what happened, and `dump` a whole state.
"""

from ....core.presentation import Event, Kind
from .dump import state_text
from .events import event_lines, events, opening_events
from .names import action_id, action_name
from .questions import action_text, decision_text, own_decision_text
from .words import CLANS
