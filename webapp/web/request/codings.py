"""Codings that a client refuses."""

from typing import Final

from flask import Flask, request

LONGEST: Final = 500
"""Characters of the header that are read; without it answers are not compressed."""


def init_app(app: Flask) -> None:
    """Add the hook to an app."""
    app.before_request(_forget_refused_codings)


def _forget_refused_codings() -> None:
    """Remove codings of quality 0 from ``Accept-Encoding``: Flask-Compress would take a ``*`` for them.

    A ``*`` is removed as well: it would now include the codings that are refused.
    """
    accepted = request.headers.get("Accept-Encoding", "")
    if len(accepted) > LONGEST:
        del request.environ["HTTP_ACCEPT_ENCODING"]
    elif "q=0" in accepted:
        taken = [f"{name};q={quality}" for name, quality in request.accept_encodings if quality and name != "*"]
        request.environ["HTTP_ACCEPT_ENCODING"] = ", ".join(taken)
