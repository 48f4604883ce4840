"""Thin views: who, what, where to."""
