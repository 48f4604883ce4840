"""The odds of the games, with the folder in which their tables are kept."""
