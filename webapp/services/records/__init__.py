"""Finished hands: the hand itself, the history of a player, statistics."""
