"""All who only look on see the same: their fragment is made once a version, and its clock is set for each of them."""

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final

from webapp.services.tables.view import TableView

KEPT: Final = 512
_LOCK: Final = Lock()
_MADE: Final[OrderedDict[Hashable, str]] = OrderedDict()

_LEFT: Final = re.compile(r'(data-left=")\d+')
_BAR: Final = re.compile(r'(class="clock__left" width=")\d+')
_SECONDS: Final = re.compile(r"(<span data-seconds>)\d+")
_WATCHING: Final = re.compile(r"(<span data-watching>)\d+")


def spectator_fragment(key: Hashable, sight: TableView, watching: int, make: Callable[[], str]) -> str:
    """``key``: all that the fragment depends on, but for the time and the number of those who look on."""
    with _LOCK:
        text = _MADE.get(key)
    if text is None:
        text = make()
        with _LOCK:
            _MADE[key] = text
            while len(_MADE) > KEPT:
                _MADE.popitem(last=False)
    text = _WATCHING.sub(rf"\g<1>{watching}", text, count=1)
    if sight.deadline is None:
        return text
    text = _LEFT.sub(rf"\g<1>{sight.left}", text, count=1)
    text = _BAR.sub(rf"\g<1>{200 * sight.left // sight.span}", text, count=1)
    return _SECONDS.sub(rf"\g<1>{(sight.left + 999) // 1000}", text, count=1)
