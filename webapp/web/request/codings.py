"""Codings that a client refuses."""

from flask import Flask, request


def init_app(app: Flask) -> None:
    """Add the hook to an app."""
    app.before_request(_forget_refused_codings)


def _forget_refused_codings() -> None:
    """Remove codings of quality 0 from ``Accept-Encoding``: Flask-Compress would take a ``*`` for them.

    A ``*`` is removed as well: it would now include the codings that are refused.
    """
    accepted = request.headers.get("Accept-Encoding", "")
    if "q=0" in accepted:
        taken = [f"{name};q={quality}" for name, quality in request.accept_encodings if quality and name != "*"]
        request.environ["HTTP_ACCEPT_ENCODING"] = ", ".join(taken)
