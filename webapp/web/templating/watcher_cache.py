"""Fragments of shared tables for people who only look on: all see the same, so each version is rendered once."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final

SIZE: Final = 256
"""Fragments that are kept, those that were made last: 10 to 40 KB each."""
_LOCK: Final = Lock()
_FRAGMENTS: Final[OrderedDict[Hashable, str]] = OrderedDict()


def watcher_fragment(key: Hashable, make: Callable[[], str]) -> str:
    """Return the fragment of a key, which must name all that it depends on; ``make`` renders a new one."""
    with _LOCK:
        fragment = _FRAGMENTS.get(key)
    if fragment is None:
        fragment = make()
        with _LOCK:
            _FRAGMENTS[key] = fragment
            while len(_FRAGMENTS) > SIZE:
                _FRAGMENTS.popitem(last=False)
    return fragment
