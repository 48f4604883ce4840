"""Running a site: audit, backup, schema."""
