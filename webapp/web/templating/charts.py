"""Geometry of the charts that pages draw as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

WIDTH = 300
HEIGHT = 80


@dataclass(frozen=True, slots=True)
class Line:
    """A line for a viewBox of WIDTH by HEIGHT; ``low`` and ``high`` are the values at its lower and upper edge."""

    points: str
    low: int
    high: int


def line(values: Sequence[int]) -> Line:
    """Return a line with one point a value, evenly spaced. There must be a value; a flat line lies in the middle."""
    low, high = min(values), max(values)
    across = WIDTH / max(1, len(values) - 1)
    up = HEIGHT / (high - low) if high > low else 0
    ys = (HEIGHT - (value - low) * up if up else HEIGHT / 2 for value in values)
    return Line(" ".join(f"{index * across:.1f},{y:.1f}" for index, y in enumerate(ys)), low, high)


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis, and the value there."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Funnel:
    """An estimate on its way: a line with a band around it, over a logarithmic axis. For a viewBox of 340 by 190.

    ``across`` are powers of ten, ``up`` values of the estimate; ``none`` is the height of zero.
    """

    band: str
    line: str
    none: float
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


LEFT, RIGHT, TOP, BOTTOM = 46, 332, 8, 168
"""Edges of a plot within its viewBox: the rest is for what is written at the axes."""
EDGE_LEFT, EDGE_RIGHT = 10, 330
"""Edges of a plot with nothing written beside it."""


def funnel(course: Sequence[tuple[int, float, float]], whole: int) -> Funnel | None:
    """Return the funnel of an estimate, None if there is nothing to be seen yet.

    Args:
        course: rounds, mean and half the width of the interval.
        whole: rounds at which the axis ends.
    """
    seen = [point for point in course if point[0] >= 300] or list(course)
    if not seen:
        return None
    start, end = log10(seen[0][0]), log10(max(whole, seen[-1][0], 10 * seen[0][0]))
    reach = max(abs(mean) + half for _, mean, half in seen) or 1.0
    step = _step(reach)
    top = step * ceil(reach / step)

    def x(rounds: float) -> float:
        return LEFT + (RIGHT - LEFT) * (log10(rounds) - start) / (end - start)

    def y(value: float) -> float:
        return TOP + (BOTTOM - TOP) * (top - value) / (2 * top)

    upper = [(x(n), y(mean + half)) for n, mean, half in seen]
    lower = [(x(n), y(mean - half)) for n, mean, half in reversed(seen)]
    powers = range(ceil(start - 1e-9), floor(end + 1e-9) + 1)
    return Funnel(
        band=_points([*upper, *lower]),
        line=_points([(x(n), y(mean)) for n, mean, _ in seen]),
        none=y(0),
        across=tuple(Tick(x(10**power), 10**power) for power in powers),
        up=tuple(Tick(y(n * step), n * step) for n in range(-int(top / step + 0.5), int(top / step + 0.5) + 1)),
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar, which stands for the values from ``first`` to ``last``, as a rectangle."""

    first: int
    last: int
    x: float
    y: float
    width: float
    height: float
    share: float


@dataclass(frozen=True, slots=True)
class Bars:
    """A distribution, for a viewBox of 340 by 190. ``mean`` is its place across."""

    bars: tuple[Bar, ...]
    mean: float
    across: tuple[Tick, ...]


def bars(chances: Sequence[float], least: int, mean: float, here: int) -> Bars:
    """Return the bars of a distribution. Values that are next to impossible are cut off, but not ``here``.

    Args:
        chances: probabilities of the whole numbers from ``least`` on.
    """
    highest = max(chances)
    seen = [n for n, chance in enumerate(chances, least) if chance > highest / 500 or n == here]
    low, high = min(seen) - min(seen) % 2, max(seen)
    wide = 2 * ceil((high - low + 1) / 120)
    heaps = [(n, sum(chances[max(0, n - least) : n - least + wide])) for n in range(low, high + 1, wide)]
    tallest, count = max(share for _, share in heaps), len(heaps)
    width = (EDGE_RIGHT - EDGE_LEFT) / count

    def x(value: float) -> float:
        return EDGE_LEFT + width * (value - low) / wide

    rectangles = tuple(
        Bar(
            n,
            n + wide - 1,
            x(n),
            BOTTOM - (BOTTOM - TOP) * share / tallest,
            width,
            (BOTTOM - TOP) * share / tallest,
            share,
        )
        for n, share in heaps
    )
    step = max(2, int(_step((high - low) / 2)))
    ticks = tuple(Tick(x(n + 0.5), n) for n in range(ceil(low / step) * step, high + 1, step))
    return Bars(rectangles, x(mean + 0.5), ticks)


def _step(reach: float) -> float:
    """Return a round number, two to five of which are as much as ``reach``."""
    power = 10.0 ** floor(log10(reach / 2))
    return next(power * n for n in (5, 2, 1) if reach / (power * n) >= 2)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
