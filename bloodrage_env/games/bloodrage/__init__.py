"""Blood Rage: rules, observations, words, pictures and pages."""
