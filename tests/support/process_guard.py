"""Whatever the tests start ends with them, however they end: even if they are killed."""

import subprocess
from typing import Any


class ProcessGuard:
    """Runs a command when it is let go of, or when this process is no more: the pipe it listens to is closed then."""

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
