"""Players of Blood Rage: the protocol, baselines, search, and a registry of them by name. See docs/agents.md."""
