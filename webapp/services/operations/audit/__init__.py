"""The audit of all that is stored."""
