"""Hands that one player plays alone: sitting down, playing, shoes, expiry."""
