"""The odds of a table at which one of the players banks."""
