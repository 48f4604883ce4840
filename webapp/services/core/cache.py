"""A bounded cache for values that rarely or never change."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """A cache of at most ``size`` values, of which the least recently used one is dropped first. Thread-safe.

    A subclass is one cache; ``create_app`` makes one for each app.
    """

    def __init__(self, size: int) -> None:
        self._lock = Lock()
        self._values: LRUCache[K, V] = LRUCache(size)

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key. If it is missing, call ``make`` outside the lock; errors are not cached."""
        with self._lock:
            if key in self._values:
                return self._values[key]
        return self.put(key, make())

    def put(self, key: K, value: V) -> V:
        """Store the value of a key, replacing an earlier one, and return it."""
        with self._lock:
            self._values[key] = value
        return value

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self._values)
