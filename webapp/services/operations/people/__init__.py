"""Requests about people: their data handed out or forgotten, and names that offend."""
