"""Used memory is moved to huge pages; memory that is mapped but unused is not."""

import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from webapp.services.core.huge_pages import _SIZE_FILE, use_huge_pages

SCRIPT = """
import mmap, re
from webapp.services.core.huge_pages import use_huge_pages

def memory():
    with open("/proc/self/smaps_rollup") as file:
        return [int(line.split()[1]) >> 10 for line in file if line.startswith(("Rss", "AnonHugePages"))]

used = [(number, str(number)) for number in range(500_000)]
sparse = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for page in range(0, len(sparse), 16 * mmap.PAGESIZE):
    sparse[page] = 1
before, none = memory()
moved = use_huge_pages()
after, huge = memory()
assert used == [(number, str(number)) for number in range(500_000)]
assert all(sparse[page] == 1 for page in range(0, len(sparse), 16 * mmap.PAGESIZE))
print(moved, none, huge, after - before)
"""


def _has_huge_pages() -> bool:
    release = re.match(r"(\d+)\.(\d+)", platform.release())
    setting = _SIZE_FILE.with_name("enabled")
    return (
        sys.platform == "linux"
        and release is not None
        and (int(release[1]), int(release[2])) >= (6, 1)
        and setting.exists()
        and "[never]" not in setting.read_text()
    )


@pytest.mark.skipif(not _has_huge_pages(), reason="this kernel has none")
def test_only_memory_in_use_is_moved_and_nothing_in_it_changes() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    moved, before, after, grown = map(int, done.stdout.split())
    assert moved >= 10
    assert after - before >= 2 * 10
    assert grown <= 4


def test_a_kernel_without_them_is_left_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("webapp.services.core.huge_pages._SIZE_FILE", tmp_path / "hpage_pmd_size")
    assert use_huge_pages() == 0
