"""The exercise: twelve games against the dealer with a score, and its exact odds."""
