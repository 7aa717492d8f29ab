"""The language track of Blood Rage: single decisions with values of a search, and questions about the rules."""
