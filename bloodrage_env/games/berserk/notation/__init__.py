"""States, questions and actions of Berserk as text, for logs, golden games and people.

`names` is an exact notation of actions, the same in every state; `questions` puts the open question and its answers
into words, `events` what happened, `cards` describes a card, `board` draws the board; `dump` writes out a whole state.
"""

from ....core.presentation import Event, Kind
from .board import board_text
from .dump import state_text
from .events import event_lines, events, opening_events
from .names import action_id, action_name
from .questions import action_text, decision_text, public_decision_text
from .words import outcome, player
