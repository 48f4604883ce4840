"""Strategies of simulated players: charts, the basic strategy, and files of strategies."""
