"""What was needed for a moment does not stay with the process."""

import subprocess
import sys

import pytest

SCRIPT = """
import os
from webapp.services.core import memory

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

before = resident()
held = [bytes(4000) for _ in range(25_000)]
stays = bytes(4000)  # above all of them
del held
kept = resident() - before
memory.release_free_memory()
print(kept, resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of glibc")
def test_free_memory_below_something_that_is_in_use_goes_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    kept, left = map(float, done.stdout.split())
    assert kept > 80, "or there is nothing to give back"
    assert left < 20
