"""Returning of unused memory from the process to the operating system."""

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Final

MANY: Final = 500
"""Number of ended streams that is worth the pause of a full garbage collection."""


class FreeMemory:
    """Returns unused memory to the operating system, where neither Python nor the C library does so by itself.

    Args:
        streams: Function that returns the number of open event streams, and of those that have ended since the start.
    """

    def __init__(self, streams: Callable[[], tuple[int, int]]) -> None:
        self._streams = streams
        self._known = 0

    def release(self) -> None:
        """Return unused memory. Takes 0.1 ms if there is little, 10 ms if there is much.

        Python keeps freed tuples, lists and the like on free lists, and each of them keeps the arena in which it lies
        allocated. A full collection clears these lists. Its pause grows with the number of open streams, to a tenth of
        a second with three thousand, so it is delayed until most of many streams have ended. bench: storms
        """
        still_open, ended = self._streams()
        if ended - self._known >= max(MANY, 3 * still_open):
            self._known = ended
            gc.collect()
        if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
            libc.malloc_trim(0)  # glibc itself only returns the end of the heap
