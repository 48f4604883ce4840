"""The databases that a test runs on."""

import pytest

BOTH = ("sqlite", pytest.param("postgresql", marks=pytest.mark.pg))

on_both = pytest.mark.parametrize("database_url", BOTH, indirect=True)
"""For a test outside of the folders that run on both anyway."""
