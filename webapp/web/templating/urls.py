"""Addresses of views in templates: a page has a dozen, and most of them stand on every page."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Final

import flask
from flask import request

from webapp.engine.shuffling import is_word

_HAND: Final = "__hand__"
_STEP: Final = "__step__"
"""Placeholders in an address that is built for all hands and moves. Like these, they need no quoting."""


def url_for(endpoint: str, /, **values: Hashable) -> str:
    """Return the address of a view, as Flask's ``url_for`` does. bench: server.

    Where a hand is played, the address is built once for all hands and moves.
    """
    if "_external" in values:  # these have the host of the request in them
        return flask.url_for(endpoint, **values)  # type: ignore[arg-type]
    hand = values.get("hand")
    if not isinstance(hand, str) or not is_word(hand):
        return _built(endpoint, request.root_path, tuple(values.items()))
    step = values.get("step")
    values["hand"] = _HAND
    if isinstance(step, int):
        values["step"] = _STEP
    return _built(endpoint, request.root_path, tuple(values.items())).replace(_STEP, str(step)).replace(_HAND, hand)


@lru_cache(maxsize=4096)
def _built(endpoint: str, _mounted_at: str, values: tuple[tuple[str, Hashable], ...]) -> str:
    return flask.url_for(endpoint, **dict(values))  # type: ignore[arg-type]
