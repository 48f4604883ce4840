"""Counting to twenty-one: totals and hands."""

from webapp.engine.twenty_one.hand import is_natural, is_soft, total

__all__ = ["is_natural", "is_soft", "total"]
