"""Text on a picture: how wide it is, at which size it fits into its ``room``, and where its lines break.

Whoever draws the picture wraps no lines and tells no widths, so the font is measured here.
"""

import struct
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
    font = FONT.read_bytes()

    def at(layout: str, offset: int) -> tuple[int, ...]:
        return struct.unpack_from(f">{layout}", font, offset)

    records = (struct.unpack_from(">4sLLL", font, 12 + 16 * index) for index in range(*at("H", 4)))
    table = {tag: offset for tag, _, offset, _ in records}
    (em,) = at("H", table[b"head"] + 18)
    (metrics,) = at("H", table[b"hhea"] + 34)
    widths = at("HH" * metrics, table[b"hmtx"])[::2]
    # The first character map is of format 4: segments of code points with a shift from each to its glyph.
    characters = table[b"cmap"] + at("L", table[b"cmap"] + 8)[0]
    segments = at("H", characters + 6)[0] // 2
    columns = [
        at(f"{segments}H", characters + 14 + 2 * segments * column + (2 if column else 0)) for column in range(4)
    ]
    glyphs = {}
    for index, (last, first, shift, indirect) in enumerate(zip(*columns, strict=True)):
        here = characters + 16 + 2 * (3 * segments + index)
        for code in range(first, min(last, 0xFFFE) + 1):
            if indirect:
                glyphs[code] = at("H", here + indirect + 2 * (code - first))[0]
            else:
                glyphs[code] = (code + shift) % 0x10000
    return {code: widths[min(glyph, metrics - 1)] / em for code, glyph in glyphs.items()}
