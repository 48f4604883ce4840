"""Rules that several games share. A game is one of these with its numbers filled in."""
