"""What browsers and crawlers look for by themselves, and how the site is installed as an app.

Manifest, service worker and the page without a connection; icons at the addresses that are tried first; ``robots.txt``,
and which pages no search engine lists.
"""

from typing import Final

from flask import Blueprint, Response, current_app, json, render_template, request, send_from_directory, url_for

from webapp.engine.games import COMPANY, SOLO
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.i18n.translations import gettext
from webapp.web.i18n.vocabulary import game_name
from webapp.web.request.language import language_of_request
from webapp.web.request.limits import limiter
from webapp.web.templating.environment import HTML_LANGUAGES
from webapp.web.templating.modules import ENTRY, modules
from webapp.web.templating.render import render
from webapp.web.templating.static_files import lasting_url, static_url

bp = Blueprint("install", __name__)

SHELL: Final = (
    "css/tokens.css",
    "css/base.css",
    "css/table.css",
    "img/favicon.svg",
    "img/cards.svg",
)
"""Static files that the page without a connection needs, besides the modules of every page. The browser has all of them
already, and asks for none again."""
ICONS: Final = (
    ("img/favicon.svg", "image/svg+xml", "any", "any"),
    ("img/icon-192.png", "image/png", "192x192", "any"),
    ("img/icon-512.png", "image/png", "512x512", "any"),
    ("img/icon-mask.png", "image/png", "512x512", "maskable"),
)
SCREENSHOTS: Final = (
    ("img/screen-narrow.webp", "780x1688", "narrow"),
    ("img/screen-wide.webp", "1280x800", "wide"),
)
"""Tables on a phone and on a desk, for the larger of the sheets in which phones offer to install a site."""
UNLISTED: Final = ("/h/", "/t/", "/c/", "/me", "/lab/<key>", "/play/<code>/<hand>")
"""Beginnings of routes to hands, tables, circles and figures of somebody, who has not asked to be found."""
ROBOTS: Final = """User-agent: *
Disallow: /odds/
Disallow: /lab/spot/
Disallow: /drill/
Disallow: /me
"""
"""Crawlers stay away from what is computed for each of its endless addresses. They may look at hands and tables: else
they would not read that these are not to be listed, and chats would show no preview of a link.
"""
ICON_SECONDS: Final = 24 * 3600


@bp.after_app_request
def keep_from_search(response: Response) -> Response:
    """Mark what search engines must not list."""
    if request.url_rule is not None and request.url_rule.rule.startswith(UNLISTED):
        response.headers.setdefault("X-Robots-Tag", "noindex")
    return response


@bp.get("/robots.txt")
def robots() -> Response:
    """Return the addresses that crawlers are asked to stay away from."""
    response = Response(ROBOTS, mimetype="text/plain")
    response.headers["Cache-Control"] = f"public, max-age={ICON_SECONDS}"
    return response


@bp.get("/favicon.ico")
def favicon() -> Response:
    """Return the icon for browsers and readers that have read no page."""
    return _icon("img/icon-192.png")


@bp.get("/apple-touch-icon.png")
@bp.get("/apple-touch-icon-precomposed.png")
def touch_icon() -> Response:
    """Return the icon for a home screen, at the addresses that are tried without a page."""
    return _icon("img/apple-touch-icon.png")


def _icon(name: str) -> Response:
    return send_from_directory(current_app.static_folder or "", name, max_age=ICON_SECONDS)


@bp.get("/manifest.webmanifest")
@describe(Operation(answers={200: "application/manifest+json"}))
def manifest() -> Response:
    """Return name, icons, screenshots and shortcuts of the installed site, in the visitor's language."""
    shortcuts = [
        *((game_name(code), url_for("play.table", code=code)) for code in SOLO),
        (game_name(COMPANY.spec.code), url_for("tables.listing")),
        (gettext("Today’s deal"), url_for("daily.show")),
        (gettext("My hands"), url_for("me.show")),
    ]
    document = {
        "id": url_for("lobby.show"),
        "name": gettext("Tefuda, a free card room"),
        "short_name": "Tefuda",
        "description": gettext(
            "Free card games in the browser. No account, no app, no real money. And the house can prove that it did "
            "not cheat."
        ),
        "lang": HTML_LANGUAGES[language_of_request()],
        "start_url": url_for("lobby.show"),
        "scope": url_for("lobby.show"),
        "display": "standalone",
        "background_color": "#125a45",
        "theme_color": "#125a45",
        "categories": ["games"],
        "icons": [
            {"src": lasting_url(name), "type": media, "sizes": sizes, "purpose": purpose}
            for name, media, sizes, purpose in ICONS
        ],
        "screenshots": [
            {
                "src": lasting_url(name),
                "type": "image/webp",
                "sizes": sizes,
                "form_factor": form,
                "label": gettext("Tefuda, a free card room"),
            }
            for name, sizes, form in SCREENSHOTS
        ],
        "shortcuts": [{"name": name, "url": url} for name, url in shortcuts],
    }
    response = Response(json.dumps(document), mimetype="application/manifest+json")
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@bp.get("/service-worker.js")
@limiter.exempt  # browsers ask for it with every page, to see whether it has changed
def service_worker() -> Response:
    """Return the script that shows the offline page without a connection. It caches no hand and no response."""
    shell = [] if current_app.debug else [static_url(name) for name in (*SHELL, *modules(ENTRY))]
    script = render_template("service_worker.js", shell=shell, files=static_url(""), offline=url_for(".offline"))
    response = Response(script, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.get("/offline")
def offline() -> Response:
    """Show the page that replaces all others while there is no connection."""
    response = render("offline.html")
    response.headers["Content-Language"] = HTML_LANGUAGES[language_of_request()]
    return response
