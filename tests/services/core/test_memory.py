"""Memory that was needed for a moment is released."""

import subprocess
import sys

import pytest

RESIDENT = """
import os
from webapp.services.core.memory import FreeMemory

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

before = resident()
"""
BELOW_SOMETHING = """
memory = FreeMemory(lambda: (0, 0))
held = [bytes(4000) for _ in range(25_000)]
stays = bytes(4000)  # above all of them
del held
kept = resident() - before
memory.release()
print(kept, resident() - before)
"""
KEPT_BY_PYTHON = """
still_open, ended = 1_000, 0
memory = FreeMemory(lambda: (still_open, ended))
held = [(number,) * 7 for number in range(900_000)]
memory.release()
held[::450] = [None] * 2_000  # Python keeps these, one in each page or two
del held
memory.release()
kept = resident() - before
still_open, ended = 200, 800
memory.release()
print(kept, resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of glibc")
@pytest.mark.parametrize("script", [BELOW_SOMETHING, KEPT_BY_PYTHON])
def test_free_memory_goes_back_to_the_system(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", RESIDENT + script], capture_output=True, text=True, check=True)
    kept, left = map(float, done.stdout.split())
    assert kept > 80, "or there is nothing to give back"
    assert left < 20
