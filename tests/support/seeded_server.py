"""``tefuda`` with random numbers seeded by the running test, so that it deals the same cards in every run.

``TEST_LIMITS`` sets other limits of the site, as JSON: ``{"webapp.adapter.CLIENT_SECONDS": 2}``.
"""

import json
import os
from importlib import import_module
from pathlib import Path

from tests.support.chance import DrawnByName
from webapp.services.core import randomness


def set_limits(limits: dict[str, float]) -> None:
    """Set these constants in this order, before other modules import their values."""
    for name, value in limits.items():
        module, _, constant = name.rpartition(".")
        place = import_module(module)
        assert value > 0 and value != getattr(place, constant), name
        setattr(place, constant, value)


if __name__ == "__main__":
    drawn = DrawnByName(Path(os.environ["TEST_RUNNING"]), os.environ.get("TEST_START", ""))
    randomness.secrets = drawn  # type: ignore[assignment]
    randomness._RANDOM = drawn  # type: ignore[assignment]
    set_limits(json.loads(os.environ.get("TEST_LIMITS", "{}")))
    from webapp.cli import main

    main()
