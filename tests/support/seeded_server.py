"""``tefuda`` that deals by the chance of the test that runs: the same cards in every run of that test.

Limits of the site may be shorter than they are: ``TEST_LIMITS`` holds JSON, ``{"webapp.event_loop.requests.CLIENT_SECONDS": 2}``.
"""

import json
import os
from importlib import import_module
from pathlib import Path

from tests.support.chance import DrawnByName
from webapp.services.core import randomness


def shorten(limits: dict[str, float]) -> None:
    """Set these constants, in this order: each before others import its value."""
    for name, value in limits.items():
        module, _, constant = name.rpartition(".")
        place = import_module(module)
        assert 0 < value < getattr(place, constant), name
        setattr(place, constant, value)


if __name__ == "__main__":
    drawn = DrawnByName(Path(os.environ["TEST_RUNNING"]), os.environ.get("TEST_START", ""))
    randomness.secrets = drawn  # type: ignore[assignment]
    randomness._RANDOM = drawn  # type: ignore[assignment]
    shorten(json.loads(os.environ.get("TEST_LIMITS", "{}")))
    from webapp.cli import main

    main()
