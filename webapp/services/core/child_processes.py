"""The environment of child processes: without secrets."""

import os
from typing import Final

KEYS: Final = frozenset(("TEFUDA_SECRET_KEY", "TEFUDA_SECRET_KEY_FALLBACKS", "TEFUDA_METRICS_TOKEN"))
DATABASE: Final = frozenset(("TEFUDA_DATABASE_URL", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"))
"""Names of what opens the database; the last three are PostgreSQL's own."""


def inherited_environment(reads_database: bool = False) -> dict[str, str]:
    """Return the environment of this process without secret keys, and without the database URL unless it is needed."""
    kept_back = KEYS if reads_database else KEYS | DATABASE
    return {name: text for name, text in os.environ.items() if name not in kept_back}
