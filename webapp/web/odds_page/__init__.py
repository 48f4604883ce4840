"""Pages of odds, puzzles and drills: what is asked, as addresses, and what is answered, as rows."""
