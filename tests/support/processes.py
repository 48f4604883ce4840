"""Child processes of a test server, found in ``/proc``."""

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


def workers_of(parent: int) -> list[int]:
    """Return the children of a supervisor without Python's resource tracker."""
    return [pid for pid in children(parent) if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]


def is_alive(process: int) -> bool:
    """Return True if the process runs. A zombie has an empty command line."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False


def is_supervisor(process: int) -> bool:
    """Return True for the process that distributes chunks of simulations."""
    return b"\0work\0" in Path(f"/proc/{process}/cmdline").read_bytes()


def is_answerer(process: int) -> bool:
    """Return True for a process that answers questions about odds."""
    return b"calculator" in (words := Path(f"/proc/{process}/cmdline").read_bytes()) and b"\0answer\0" in words
