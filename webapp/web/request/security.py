"""Security: refusal of cross-site requests and other types of bodies, and security headers."""

from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request

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
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "Cache-Control": "no-store",
}
"""Headers of every answer that does not set them itself."""
HTTPS_ONLY: Final = {"Strict-Transport-Security": "max-age=31536000"}
"""Header of every answer of a site whose public URL is https: for a year browsers use https only."""
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def init_app(app: Flask) -> None:
    """Add the hooks to an app."""
    app.url_value_preprocessor(_replace_nulls)
    app.before_request(_refuse_unreadable_names)
    app.before_request(_refuse_cross_site)
    app.before_request(_refuse_other_types)
    app.after_request(_set_headers)


def static_headers(app: Flask) -> dict[str, str]:
    """Return the headers of static files, which are answered before Flask is asked."""
    names = ("X-Content-Type-Options",)
    return {name: HEADERS[name] for name in names} | (HTTPS_ONLY if app.extensions["config"].https else {})


def _replace_nulls(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Replace null characters in the words of an address: PostgreSQL cannot be asked for them."""
    words = {name: value for name, value in (values or {}).items() if isinstance(value, str)}
    (values or {}).update({name: word.replace("\0", "\ufffd") for name, word in words.items()})


def _refuse_unreadable_names() -> None:
    """Refuse an internationalized host name that cannot be decoded: the links of pages contain it.

    It is decoded here because which of these names Werkzeug lets pass depends on the version of Python.
    """
    name = request.environ.get("HTTP_HOST", "").lower().partition(":")[0]
    if "xn--" in name:
        try:
            name.encode("latin-1").decode("idna")
        except UnicodeError:
            abort(400)


def _refuse_cross_site() -> None:
    """Refuse requests that change something and come from a page of another site. Programs send neither header."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in ("same-origin", "none")
    elif origin is not None:
        allowed = origin in own_origins()
    else:
        allowed = True
    if not allowed:
        abort(403)


def own_origins() -> set[str]:
    """Return the origins of this site. ``null``, which browsers send to hide the origin, is not among them."""
    public = urlsplit(current_app.extensions["config"].public_url)
    own = {f"http://{request.host}", f"https://{request.host}"}
    return own | {f"{public.scheme}://{public.netloc}"} if public.netloc else own


def _refuse_other_types() -> None:
    if request.method == "POST" and request.content_length and request.mimetype not in FORMS:
        abort(415)


def _set_headers(response: Response) -> Response:
    said = {name.title() for name, _ in response.headers}
    wanted = HEADERS | (HTTPS_ONLY if current_app.extensions["config"].https else {})
    response.headers.extend({name: value for name, value in wanted.items() if name.title() not in said})
    return response
