"""Layout of text on a picture: widths, sizes that fit, line breaks.

resvg neither wraps lines nor tells widths, so the font is measured here.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from webapp.config import beside

FAMILY: Final = "Tefuda Serif"
FONT: Final = beside("static") / "fonts" / "tefuda-serif.ttf"


def width_of(text: str, size: float) -> float:
    """Return the width of a text in units of the picture, as ``size`` is. Kerning is left out."""
    advances = _advances()
    widest = max(advances.values())
    return sum(advances.get(ord(letter), widest) for letter in text) * size


def is_drawable(text: str) -> bool:
    """Return True if the font has every letter of a text: a picture leaves a letter out that is not there."""
    return all(ord(letter) in _advances() for letter in text)


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
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
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
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@cache
def _advances() -> Mapping[int, float]:
    """Return the advance width of each character of the font, in ems."""
    from fontTools.ttLib import TTFont  # for pictures alone

    with TTFont(FONT) as font:
        metrics, em = font["hmtx"].metrics, font["head"].unitsPerEm
        return {code: metrics[glyph][0] / em for code, glyph in font.getBestCmap().items()}
