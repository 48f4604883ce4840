"""The interface for programs: JSON answers, and parsing of forms, queries and addresses."""
