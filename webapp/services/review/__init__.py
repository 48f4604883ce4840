"""Reviews of finished hands: worked out once, stored, and added up for each player."""
