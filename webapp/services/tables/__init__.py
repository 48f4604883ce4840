"""Tables that people share: opening, seats, rounds, clocks, and what each of those who look may see."""
