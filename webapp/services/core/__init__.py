"""What all services share: transactions, errors, the clock, randomness, and the objects of an app."""
