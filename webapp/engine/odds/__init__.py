"""Exact numbers: how often, and how much."""
