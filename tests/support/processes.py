"""Processes of a test server, found in ``/proc``."""

import os
import time
from pathlib import Path


def children(parent: int) -> list[int]:
    """Return the process ids of the children of a process, without zombies."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(entry.parent.name))
    return found


def is_alive(process: int) -> bool:
    """Return True if the process runs. A zombie has an empty command line."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False


def workers_of(site: int) -> list[int]:
    """Return the workers of a process: they are forked from a child of it."""
    return [worker for child in children(site) for worker in children(child)]


def is_patient(worker: int) -> bool:
    """Return True for a worker of the lowest priority, which does what may wait."""
    return os.getpriority(os.PRIO_PROCESS, worker) == 19


def cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process from its own clock (see ``clock_getcpuclockid(3)``), to the nanosecond."""
    return time.clock_gettime(~process << 3 | 2)
