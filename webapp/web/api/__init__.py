"""What programs send and receive: JSON answers and parsing of what comes in."""
