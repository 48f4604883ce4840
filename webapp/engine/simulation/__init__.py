"""Monte Carlo simulation of blackjack, with NumPy and Numba as the only dependencies."""
