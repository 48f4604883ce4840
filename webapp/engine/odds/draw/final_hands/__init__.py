"""Counts of the final hands that hold given cards, by line of the pay table."""
