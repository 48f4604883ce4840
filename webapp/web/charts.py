"""Charts drawn on the server: a line is the points of an SVG polyline."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 300
HEIGHT = 80


@dataclass(frozen=True, slots=True)
class Line:
    """``points`` for a viewBox of WIDTH by HEIGHT; ``low`` and ``high`` are the values at its lower and upper edge."""

    points: str
    low: int
    high: int


def line(values: Sequence[int]) -> Line:
    """One point a value, evenly spaced. At least one value; a flat line lies in the middle."""
    low, high = min(values), max(values)
    across = WIDTH / max(1, len(values) - 1)
    up = HEIGHT / (high - low) if high > low else 0
    ys = (HEIGHT - (value - low) * up if up else HEIGHT / 2 for value in values)
    return Line(" ".join(f"{index * across:.1f},{y:.1f}" for index, y in enumerate(ys)), low, high)
