"""The rules of a shared table around those of its game: seats, bets, rounds and deadlines, inside a transaction."""
