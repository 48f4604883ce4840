"""The table of a picture as SVG: light, wood, felt, signature, and the shadow of a card."""

from base64 import b64encode
from collections.abc import Callable
from typing import Final

from webapp.web.hand_page.picture import card_art
from webapp.web.hand_page.picture.measures import CREAM, HEIGHT, MIDDLE, WIDTH
from webapp.web.hand_page.picture.text_layout import width_of
from webapp.web.hand_page.picture.words import text_at

Part = Callable[[str, str], bytes]
"""Draws an SVG that many pictures share; the first argument is a name for it."""

# Light and shadow are slow to draw and the same on every picture: they are drawn once, and put in as pictures.

LIGHT: Final = (
    '<radialGradient id="felt" gradientUnits="userSpaceOnUse" cx="600" cy="-60" r="860">'
    '<stop offset="0" stop-color="#2f8f6d"/><stop offset=".38" stop-color="#1b6b50"/>'
    '<stop offset=".72" stop-color="#0f4f3d"/><stop offset="1" stop-color="#083529"/></radialGradient>'
    '<linearGradient id="wood" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#9a6f3f"/>'
    '<stop offset=".12" stop-color="#744c28"/><stop offset="1" stop-color="#4a2e17"/></linearGradient>'
    '<linearGradient id="brass" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffe9b0"/>'
    '<stop offset=".5" stop-color="#f0c365"/><stop offset="1" stop-color="#c9933a"/></linearGradient>'
    '<linearGradient id="rule" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="420" y2="0">'
    '<stop offset="0" stop-color="#ecbc58"/><stop offset="1" stop-color="#ecbc58" stop-opacity="0"/></linearGradient>'
)

_WOOD_AND_FELT: Final = (
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#wood)"/>'
    '<rect x="16" y="16" width="1168" height="598" rx="22" fill="#2c1a0b"/>'
    '<rect x="18" y="18" width="1164" height="594" rx="20" fill="url(#felt)"/>'
    + "".join(
        f'<rect x="{18 + wide / 2:g}" y="{18 + wide / 2:g}" width="{1164 - wide:g}" height="{594 - wide:g}"'
        f' rx="{20 - wide / 2:g}" fill="none" stroke="#01120c" stroke-opacity=".07" stroke-width="{wide}"/>'
        for wide in (2, 4, 6, 9, 12, 16)
    )
    + '<rect x="30" y="30" width="1140" height="570" rx="12" fill="none" stroke="#fff6dc" stroke-opacity=".2"/>'
)


def felt(part: Part) -> str:
    """Return wood, felt and signature as SVG."""
    svg = svg_of(f"<defs>{LIGHT}</defs>{_WOOD_AND_FELT}{_signature()}", WIDTH, HEIGHT)
    return f'<image width="{WIDTH}" height="{HEIGHT}" {_put(part("table", svg))}/>'


def card_shadow(part: Part) -> str:
    """Return the shadow of a card of 100 × 140 whose centre is at 0, drawn at twice the size."""
    svg = svg_of(
        '<filter id="soft" x="-25%" y="-25%" width="150%" height="150%"><feGaussianBlur stdDeviation="8"/></filter>'
        '<rect x="40" y="40" width="200" height="280" rx="14" fill="#01120c" fill-opacity=".72" filter="url(#soft)"/>',
        280,
        360,
    )
    return f'<image id="shadow" x="-70" y="-90" width="140" height="180" {_put(part("shadow", svg))}/>'


def _put(png: bytes) -> str:
    return f'image-rendering="optimizeSpeed" href="data:image/png;base64,{b64encode(png).decode()}"'


def _signature() -> str:
    """Return the seal and the name of the site."""
    name, size, side = "Tefuda", 30, 38
    left = MIDDLE - (side + 12 + width_of(name, size)) / 2
    mark = f'<g transform="translate({left:.1f} 549) scale({side / 64:g})">{card_art.seal()}</g>'
    return mark + text_at(name, size, left + side + 12, 578, CREAM, "start")


def svg_of(content: str, width: int, height: int) -> str:
    """Return a whole SVG around some content."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{content}</svg>'
