"""How simulated players play: charts, the basic strategy, and files of strategies."""
