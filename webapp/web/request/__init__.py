"""What a request brings: player, preferences, sealed seeds, session; security, limits and logging."""
