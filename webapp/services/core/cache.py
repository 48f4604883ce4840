"""A bounded cache for what changes seldom or never."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Values by key, at most ``size``: the one that was not asked for the longest makes room. Safe for threads.

    A subclass is one cache; each app has its own (see ``context``).
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = Lock()
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key. If it is not here it is made, outside the lock; an error is not remembered."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        return self.put(key, make())

    def put(self, key: K, value: V) -> V:
        """Keep a value in the place of the one that was kept for the key, if any, and return it."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)
