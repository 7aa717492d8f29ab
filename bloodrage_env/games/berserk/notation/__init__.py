"""Text of states, questions and actions of Berserk, for logs, golden games and people.

`names` provides exact names of actions, the same in every state. `questions` describes the open question and its
answers, `events` what happened, `cards` a card, `board` the board, and `dump` a whole state.
"""

from ....core.shown.presentation import Event, Kind
from .board import board_text
from .dump import state_text
from .events import event_lines, events, opening_events
from .names import action_id, action_name
from .questions import action_text, decision_text, public_decision_text
from .words import outcome, player
