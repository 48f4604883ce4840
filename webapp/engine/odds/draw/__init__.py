"""The odds of draw poker: every hold, the double-up, and a whole table under optimal play."""
