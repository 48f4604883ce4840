"""Pages of odds: what is asked, as addresses, and what is answered, as rows."""
