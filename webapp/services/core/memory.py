"""Memory of the process: what is free goes back to the system."""

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Final

MANY: Final = 500
"""Ended streams from which on a full collection is worth its pause."""


class FreeMemory:
    """Returns free memory to the system, where neither Python nor the C library does so by itself.

    Args:
        streams: Returns how many event streams are open, and how many have ended since the start.
    """

    def __init__(self, streams: Callable[[], tuple[int, int]]) -> None:
        self._streams = streams
        self._known = 0

    def release(self) -> None:
        """Return what is free. Takes a tenth of a millisecond where there is nothing, ten where there is much.

        Python keeps freed tuples, lists and the like for reuse, and each of them keeps the megabyte in which it lies
        from going back. A full collection lets go of them. Its pause grows with the streams that are open, to a tenth
        of a second with three thousand: so it waits until most of many have ended. bench: storms
        """
        still_open, ended = self._streams()
        if ended - self._known >= max(MANY, 3 * still_open):
            self._known = ended
            gc.collect()
        if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
            libc.malloc_trim(0)  # glibc keeps what lies below anything that is in use
