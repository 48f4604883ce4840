"""Sealed seeds, and the verification of finished hands."""
