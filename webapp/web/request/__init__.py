"""Parts of a request: player, preferences, sealed seeds, session; security, limits and logging."""
