"""Parts of a request: player, preferences, language, session and its sealed seeds; security, limits and logging."""
