"""All that a player sees of a solo game."""
