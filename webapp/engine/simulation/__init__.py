"""Monte Carlo of blackjack. The kernel is ours; NumPy and Numba are the only things from outside."""
