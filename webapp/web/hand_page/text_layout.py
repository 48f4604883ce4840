"""Text on a picture: how wide it is, at which size it fits into its ``room``, and where its lines break.

Whoever draws the picture wraps no lines and tells no widths, so the font is measured here.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from webapp.config import beside

FAMILY: Final = "Tefuda Serif"
FONT: Final = beside("static") / "fonts" / "tefuda-serif.ttf"


def width_of(text: str, size: float) -> float:
    """In units of the picture, as ``size`` is. Kerning, which mostly takes a little away, is left out."""
    advances = _advances()
    widest = max(advances.values())
    return sum(advances.get(ord(letter), widest) for letter in text) * size


def fitted(text: str, sizes: Iterable[int], most: int, room: int) -> list[tuple[str, int]]:
    """The lines, and the first of the sizes at which they are no more than ``most``. None at all if no size will do."""
    for size in sizes:
        lines = _wrapped(text, size, room)
        if len(lines) <= most and all(width_of(line, size) <= room for line in lines):
            return [(line, size) for line in _balanced(text, size, len(lines), room)]
    return []


def clipped(text: str, size: int, most: int, room: int) -> list[tuple[str, int]]:
    """As much as goes on ``most`` lines, and dots."""
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
    """Lines of about the same width."""
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
    """How far each character of our font takes the pen, in ems."""
    from fontTools.ttLib import TTFont  # for pictures alone

    with TTFont(FONT) as font:
        metrics, em = font["hmtx"].metrics, font["head"].unitsPerEm
        return {code: metrics[glyph][0] / em for code, glyph in font.getBestCmap().items()}
