"""Ends child processes of the tests when the tests end, even if those are killed."""

import subprocess
from typing import Any


class ProcessGuard:
    """Runs a command on ``release``, or when this process ends, which closes the pipe that the guard reads."""

    def __init__(self, *command: str, **options: Any) -> None:
        script = 'cat > /dev/null; exec "$@"'
        self._holder = subprocess.Popen(
            ["/bin/sh", "-c", script, "guard", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **options,
        )

    def release(self, timeout: float = 30) -> None:
        assert self._holder.stdin is not None
        self._holder.stdin.close()
        self._holder.wait(timeout)
