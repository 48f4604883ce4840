"""Retention: what is stored for how long, and how it is taken away without losing a chip."""
