"""Shared parts of all services: transactions, errors, the clock, randomness, and the objects of an app."""
