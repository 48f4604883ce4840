"""Hands from cards that others play too: practice hands, daily deals, the crowd, puzzles."""
