"""Lists of a player's finished hands: history, best hands, the last hand of each game."""
