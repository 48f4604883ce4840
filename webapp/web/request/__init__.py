"""The request: player, preferences, session, security, logging and errors."""
