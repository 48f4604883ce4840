"""Memory of the process: what is free goes back to the system."""

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Final

MANY: Final = 500
"""Event streams that have ended, after which it is worth while to look for all that is free."""


class FreeMemory:
    """Returns free memory to the system, where neither Python nor the C library does so by itself.

    Args:
        streams: Returns how many event streams are open, and how many were open once.
    """

    def __init__(self, streams: Callable[[], tuple[int, int]]) -> None:
        self._streams = streams
        self._known = 0

    def release(self) -> None:
        """Return what is free. Takes a tenth of a millisecond where there is nothing, ten where there is much.

        Python keeps small objects that are free for the next ones, and a megabyte for each that lies anywhere in it; it
        lets go of them in a full collection. That takes longer the more streams are open: it waits until most of many
        have ended. bench: storms
        """
        still_open, ended = self._streams()
        if ended - self._known >= max(MANY, 3 * still_open):
            self._known = ended
            gc.collect()
        if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
            libc.malloc_trim(0)  # glibc keeps what lies below anything that is in use
