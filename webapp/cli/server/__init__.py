"""Gunicorn as `tefuda serve` runs it."""
