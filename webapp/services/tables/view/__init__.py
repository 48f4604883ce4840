"""All that one viewer may see of a shared table."""
