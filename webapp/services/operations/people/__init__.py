"""What is done for people: their data handed out, forgotten, and names that offend."""
