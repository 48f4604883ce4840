"""A finished hand within pages of other sites: the HTML that shows its frame there, and the frame's card art."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as ET

from flask import request, url_for
from markupsafe import Markup

from webapp.engine.shuffling import is_word
from webapp.services.records.finished import Finished
from webapp.web.hand_page.picture_drawing import SPRITE
from webapp.web.request.language import language_named
from webapp.web.request.proxies import site_root
from webapp.web.request.security import own_origins

SIZE: Final = (560, 640)
SIZE_OF_MANY: Final = (560, 700)
"""Width and height in which no step of a hand has to be scrolled, and of a shared round or of ten hands."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' data:",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors *",
    )
)
"""The content security policy of the frame: any site may show it, and it runs no script and sends no form."""
ROBOTS: Final = "noindex, indexifembedded"
"""A frame is not listed by itself. Who puts it on a page shares it on purpose: it may be found as a part of that."""
_FRAME: Final = Markup(
    '<iframe src="{src}" title="{title}" width="{width}" height="{height}" loading="lazy"'
    ' style="border:0;max-width:100%"></iframe>'
)
_REFERENCE: Final = re.compile(r'href="#([\w-]+)"')
_SVG: Final = "{http://www.w3.org/2000/svg}"


def may_embed(hand: Finished) -> bool:
    """Return False for a round of today's daily deal, which only its own player sees: a frame has no viewer."""
    return hand.daily is None or hand.proof is not None


def size_of(hand: Finished) -> tuple[int, int]:
    """Return width and height of a hand's frame."""
    return SIZE_OF_MANY if hand.seats or len(hand.setup.stakes) > 5 else SIZE


def frame(key: str, title: str, size: tuple[int, int], step: str | None = None) -> str:
    """Return the HTML that shows a hand on a page of another site, at a step or at the one that it is named after."""
    src = site_root() + url_for("embed.show", key=key, step=step)
    return str(_FRAME.format(src=src, title=title, width=size[0], height=size[1]))


def hand_at(address: str) -> tuple[str, str | None, str | None] | None:
    """Return key, step and language in the address of a hand's page or frame; None for any other address.

    A link to a puzzle is none: the hand would tell the answer.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    start, asked = f"{request.script_root}/h/", parse_qs(parts.query)
    if f"{parts.scheme}://{parts.netloc}" not in own_origins() or not parts.path.startswith(start) or "ask" in asked:
        return None
    key = parts.path.removeprefix(start).removesuffix("/embed")
    if not is_word(key):
        return None
    return key, asked.get("step", [None])[0], language_named(asked.get("lang", [""])[0])


def with_own_art(page: str, sprite: str) -> str:
    """Return a page that holds the cards it shows, in place of links to the file with all of them.

    A page in a frame with the attribute ``sandbox`` has no origin, and may not use shapes of a file.
    """
    file = f'href="{sprite}#'
    art = Markup('<svg class="visually-hidden" aria-hidden="true">{}</svg>').format(
        Markup("").join(_with_needed(re.findall(rf'{re.escape(file)}([\w-]+)"', page)))
    )
    return page.replace(file, 'href="#').replace("<body>", f"<body>\n{art}")


def _with_needed(names: Iterable[str]) -> Iterable[Markup]:
    """Return shapes of the card art, and all those that they are made of."""
    art, found, wanted = _art(), dict[str, Markup](), list(names)
    while wanted:
        name = wanted.pop()
        if name not in found and name in art:
            found[name] = art[name]
            wanted += _REFERENCE.findall(art[name])
    return found.values()


@cache
def _art() -> Mapping[str, Markup]:
    """Return all shapes of the card art by their ids."""
    root = ET.parse(SPRITE).getroot()  # noqa: S314  # our own file
    shapes = (shape for part in root for shape in (part if part.tag == f"{_SVG}defs" else [part]))
    return {shape.attrib["id"]: Markup(_text(shape)) for shape in shapes if "id" in shape.attrib}  # noqa: S704  # our own


def _text(shape: ET.Element) -> str:
    """Return a shape as HTML has it, which needs no namespaces."""
    ET.register_namespace("", _SVG[1:-1])
    return ET.tostring(shape, encoding="unicode").replace(f' xmlns="{_SVG[1:-1]}"', "").strip()
