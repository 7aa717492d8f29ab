"""A game as people and language models see it: texts, structs, lessons and pages."""
