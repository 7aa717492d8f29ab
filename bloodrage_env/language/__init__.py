"""Games as text for language models: prompts, the reading of answers, other words for all names."""
