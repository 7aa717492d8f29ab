"""Agents of Berserk: `table.py` names them. See docs/berserk/agents.md."""
