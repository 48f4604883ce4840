"""``tefuda`` that deals by the chance of the test that runs: the same cards in every run of that test."""

import os
from pathlib import Path

from tests.support.chance import DrawnByName
from webapp.services.core import randomness

if __name__ == "__main__":
    drawn = DrawnByName(Path(os.environ["TEST_RUNNING"]), os.environ.get("TEST_START", ""))
    randomness.secrets = drawn  # type: ignore[assignment]
    randomness._RANDOM = drawn  # type: ignore[assignment]
    from webapp.cli import main

    main()
