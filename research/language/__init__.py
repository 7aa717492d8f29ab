"""Makes the decisions of the language track, and scores agents on them."""
