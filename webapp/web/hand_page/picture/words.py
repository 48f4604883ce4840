"""The words of a picture as SVG: title, amount, and any text with its shadow."""

from html import escape
from typing import Final

from webapp.web.hand_page.picture.measures import CREAM, MIDDLE, PALE
from webapp.web.hand_page.picture.text_layout import FAMILY, clipped, fitted, width_of

TEXT_WIDTH: Final = 1040
TOP: Final = 44.0
SMALL_PRINT: Final = 534.0
"""Where small print stands."""


def title(text: str) -> tuple[str, float]:
    """Return at most three lines as SVG, none wider than the felt, and where they end."""
    first, *rest = text.split("\n")
    room = TEXT_WIDTH
    lines = fitted(first, (68, 62, 56), 1, room) or fitted(first, (52, 46), 2, room) or clipped(first, 46, 2, room)
    large = len(lines)
    for line in rest[: 3 - large]:
        lines += fitted(line, (36, 32), 1, room) or clipped(line, 32, 1, room)
    bottom, texts = TOP, []
    for index, (said, size) in enumerate(lines):
        colour, leading = (CREAM, 1.14) if index < large else (PALE, 1.3)
        bottom += size * leading
        texts.append(text_at(said, size, MIDDLE, bottom - size * 0.24, colour))
    return "".join(texts), bottom


def score(text: str, is_gain: bool, top: float) -> tuple[str, float]:
    """Return an amount as SVG, and where it ends: in brass between two thin rules if it is a gain, or plain."""
    if not text:
        return "", top
    size = 70
    base = top + size * 0.86
    if not is_gain:
        return text_at(text, size, MIDDLE, base, PALE), base + 4
    inner = width_of(text, size) / 2 + 30
    rule = (
        f'<path d="M{inner + 16:.1f} 0h170" stroke="url(#rule)" stroke-width="2"/>'
        f'<path d="M{inner:.1f} 0l6-7l6 7l-6 7Z" fill="#ecbc58"/>'
    )
    sides = "".join(
        f'<g transform="translate({MIDDLE} {base - size * 0.32:.1f}) scale({side} 1)">{rule}</g>' for side in (-1, 1)
    )
    return sides + text_at(text, size, MIDDLE, base, "url(#brass)"), base + 4


def small_print(text: str) -> str:
    """Return one line as SVG, between the cards and the name of the site."""
    lines = fitted(text, (26, 24, 22), 1, TEXT_WIDTH) or clipped(text, 22, 1, TEXT_WIDTH) if text else ()
    return "".join(text_at(said, size, MIDDLE, SMALL_PRINT, PALE) for said, size in lines)


def text_at(text: str, size: float, x: float, y: float, fill: str, anchor: str = "middle") -> str:
    """Return a text with its shadow as SVG."""
    return "".join(
        f'<text font-family="{FAMILY}" font-size="{size}" text-anchor="{anchor}" x="{x:.1f}" y="{y + down:.1f}"'
        f' fill="{colour}" fill-opacity="{opacity}">{escape(text)}</text>'
        for down, colour, opacity in ((size / 26, "#021a13", 0.5), (0, fill, 1))
    )
