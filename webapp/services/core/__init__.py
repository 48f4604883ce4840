"""Transactions, errors, randomness and the clock: what all services share."""
