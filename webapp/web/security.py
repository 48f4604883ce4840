"""One hook before (who may post) and one after (what a browser may do with our pages)."""

from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request

from webapp.config import Config

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def guard(app: Flask) -> None:
    app.before_request(_refuse_strangers)
    app.before_request(_refuse_other_types)
    app.after_request(_set_headers)


def _refuse_strangers() -> None:
    """A page of another site must not act for our players. Programs that are not browsers send neither header."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in ("same-origin", "none")
    elif origin is not None:
        allowed = urlsplit(origin).netloc in _own_hosts()
    else:
        allowed = True
    if not allowed:
        abort(403)


def _own_hosts() -> tuple[str, ...]:
    config: Config = current_app.extensions["config"]
    return (request.host, urlsplit(config.public_url).netloc)


def _refuse_other_types() -> None:
    if request.method == "POST" and request.content_length and request.mimetype not in FORMS:
        abort(415)


def _set_headers(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Content-Security-Policy", POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
    headers.setdefault("Cache-Control", "no-store")
    return response
