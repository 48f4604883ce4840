"""The same deal again: practice hands, what others did with the same cards, daily deals."""
