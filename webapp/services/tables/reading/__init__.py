"""The content of a shared table, read from its rows once for all viewers."""
