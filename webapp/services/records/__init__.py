"""What was played: finished hands and rounds, lists of them, and statistics."""
