"""The words of a picture as SVG: their sizes, widths and line breaks, and the measures of the picture.

resvg neither wraps lines nor tells widths, so the font is measured here.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from webapp.config import beside

WIDTH: Final = 1200
HEIGHT: Final = 630
MIDDLE: Final = WIDTH / 2
CREAM: Final = "#fdf6e3"
PALE: Final = "#dcebe3"
_EM: Final = 1.0
"""Width of a character that the Latin font does not have, in ems."""

FAMILY: Final = "Tefuda Serif"
FONT: Final = beside("static") / "fonts" / "tefuda-serif.ttf"
_MORE_FONTS: Final = Path(__file__).parent / "fonts"
_WIDE: Final = r"\u2e80-\u30a0\u3100-\uffef"
_CLOSING: Final = "、。，．・：；？！）」』】〉》％…"
_PIECE: Final = re.compile(rf"\s*[（「『【〈《]*(?:[\u30a1-\u30ff]+|[{_WIDE}]|[^\s{_WIDE}]+)[{_CLOSING}]*")
"""What no line break divides: a word in Latin letters or in Katakana, or one character; with its punctuation."""


@cache
def fonts_of(language: str) -> tuple[Path, ...]:
    """Return the fonts for a language: a letter is drawn from the first one that has it."""
    more = _MORE_FONTS / f"{language}.otf"
    return (FONT, more) if more.exists() else (FONT,)


def width_of(text: str, size: float) -> float:
    """Return the width of a text in units of the picture, as ``size`` is. Kerning is left out."""
    advances = _advances(FONT)
    return sum(advances.get(ord(letter), _EM) for letter in text) * size


def is_drawable(text: str, language: str = "en") -> bool:
    """Return True if the fonts have every letter of a text: a picture leaves a letter out that is not there."""
    return all(any(ord(letter) in _advances(font) for font in fonts_of(language)) for letter in text if letter != "\n")


def fitted(text: str, sizes: Iterable[int], most: int, room: int) -> list[tuple[str, int]]:
    """Return the lines with the first size at which they are no more than ``most``; none if no size will do."""
    for size in sizes:
        lines = _wrapped(text, size, room)
        if len(lines) <= most and all(width_of(line, size) <= room for line in lines):
            return [(line, size) for line in _balanced(text, size, len(lines), room)]
    return []


def clipped(text: str, size: int, most: int, room: int) -> list[tuple[str, int]]:
    """Return at most ``most`` lines; the last ends in dots if the text is longer."""
    lines = _wrapped(text, size, room)
    if len(lines) > most:
        rest = " ".join(text.split())
        for line in lines[: most - 1]:
            rest = rest.removeprefix(line).strip()
        lines = [*lines[: most - 1], rest]
    return [(_shortened(line, size, room), size) for line in lines]


def _shortened(line: str, size: float, room: int) -> str:
    if width_of(line, size) <= room:
        return line
    while width_of(f"{line}…", size) > room:
        line = line[:-1].rstrip(" ,")
    return f"{line}…"


def _balanced(text: str, size: float, count: int, room: int) -> list[str]:
    """Return lines of about the same width."""
    widths = range(room // 2, room + 1, 20)
    tries = (_wrapped(text, size, width) for width in widths)
    good = (lines for lines in tries if len(lines) == count and all(width_of(line, size) <= room for line in lines))
    return next(good, _wrapped(text, size, room))


def _wrapped(text: str, size: float, width: float) -> list[str]:
    lines = [""]
    for piece in _PIECE.findall(" ".join(text.split())):
        longer = f"{lines[-1]}{piece}".strip()
        if lines[-1] and width_of(longer, size) > width:
            lines.append(piece.strip())
        else:
            lines[-1] = longer
    return lines


@cache
def _advances(path: Path) -> Mapping[int, float]:
    """Return the advance width of each character of a font, in ems."""
    from fontTools.ttLib import TTFont  # for pictures alone

    with TTFont(path) as font:
        metrics, em = font["hmtx"].metrics, font["head"].unitsPerEm
        return {code: metrics[glyph][0] / em for code, glyph in font.getBestCmap().items()}


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
