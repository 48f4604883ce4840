"""Chances of the dealer's final totals."""
