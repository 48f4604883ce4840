"""Geometry of the charts that pages draw as SVG."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import ceil, floor, log10
from typing import Final

WIDTH = 300
HEIGHT = 80


@dataclass(frozen=True, slots=True)
class Curve:
    """A line for a viewBox of WIDTH by HEIGHT, whose lower edge is zero.

    ``low`` and ``high`` are the least and the greatest value; ``high`` is the upper edge.
    """

    points: str
    low: int
    high: int


def line(values: Sequence[int]) -> Curve:
    """Return a line with one point a value, evenly spaced. There must be a value, and none is negative."""
    low, high = min(values), max(values)
    across = WIDTH / max(1, len(values) - 1)
    ys = (HEIGHT - value * HEIGHT / max(1, high) for value in values)
    return Curve(" ".join(f"{index * across:.1f},{y:.1f}" for index, y in enumerate(ys)), low, high)


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis, and the value there."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Frame:
    """Edges of a plot within its viewBox of ``width`` by ``height``: the rest is for what is written at the axes."""

    left: int
    right: int
    top: int = 8
    bottom: int = 168
    width: int = 340
    height: int = 190


_FUNNEL: Final = Frame(46, 332)
_PATHS: Final = Frame(46, 322)
"""The last number across is as long as the others."""
_BARS: Final = Frame(10, 330)
"""With nothing written beside it."""


@dataclass(frozen=True, slots=True)
class Funnel:
    """An estimate on its way: a line with a band around it, over a logarithmic axis.

    ``across`` are powers of ten, ``up`` values of the estimate; ``none`` is the height of zero.
    """

    band: str
    line: str
    none: float
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    frame: Frame = _FUNNEL


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
    frame = _FUNNEL

    def x(rounds: float) -> float:
        return frame.left + (frame.right - frame.left) * (log10(rounds) - start) / (end - start)

    def y(value: float) -> float:
        return frame.top + (frame.bottom - frame.top) * (top - value) / (2 * top)

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
class ChartBar:
    """A bar, which stands for the values from ``first`` to ``last``, as a rectangle."""

    first: int
    last: int
    is_marked: bool
    x: float
    y: float
    width: float
    height: float
    share: float


@dataclass(frozen=True, slots=True)
class Bars:
    """A distribution. ``mean`` is its place across, if it is shown."""

    bars: tuple[ChartBar, ...]
    mean: float | None
    across: tuple[Tick, ...]
    frame: Frame = _BARS


def bars(chances: Sequence[float], least: int, mean: float | None, marked: Collection[int], each: int = 2) -> Bars:
    """Return the bars of a distribution. Values that are next to impossible are cut off, but not those that are marked.

    Args:
        chances: probabilities of the whole numbers from ``least`` on.
        mean: shown as a line.
        marked: values whose bars look different.
        each: numbers that a bar stands for, if there are not too many.
    """
    highest = max(chances)
    seen = [n for n, chance in enumerate(chances, least) if chance > highest / 500 or n in marked]
    low, high = min(seen) - min(seen) % each, max(seen)
    wide = each * ceil((high - low + 1) / (60 * each))
    heaps = [(n, sum(chances[max(0, n - least) : n - least + wide])) for n in range(low, high + 1, wide)]
    tallest, count = max(share for _, share in heaps), len(heaps)
    frame = _BARS
    width, tall = (frame.right - frame.left) / count, frame.bottom - frame.top

    def x(value: float) -> float:
        return frame.left + width * (value - low) / wide

    rectangles = tuple(
        ChartBar(
            n,
            n + wide - 1,
            any(n <= value < n + wide for value in marked),
            x(n),
            frame.bottom - tall * share / tallest,
            width,
            tall * share / tallest,
            share,
        )
        for n, share in heaps
    )
    step = max(each, int(_step(max(1.0, (high - low) / 2))))
    ticks = tuple(Tick(x(n + 0.5), n) for n in range(ceil(low / step) * step, high + 1, step))
    return Bars(rectangles, None if mean is None else x(mean + 0.5), ticks)


@dataclass(frozen=True, slots=True)
class Paths:
    """Quantiles on their way: two bands around a median, another line beside it, and single cases.

    ``start`` is the height of the value at the beginning.
    """

    outer: str
    inner: str
    median: str
    other: str
    cases: tuple[str, ...]
    start: float
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    frame: Frame = _PATHS


def paths(course: Sequence[tuple[int, Sequence[float], float]], cases: Sequence[Sequence[float]] = ()) -> Paths:
    """Return quantiles on their way from the first point to the last.

    Args:
        course: where it is, five quantiles in ascending order, and the other value. Those of the first point are equal.
        cases: values of single cases at the points.
    """
    first, last = course[0], course[-1]
    low = min(value for values in (*(values for _, values, _ in course), *cases) for value in values)
    high = max(value for values in (*(values for _, values, _ in course), *cases) for value in values)
    step = _step(max(high - low, 2.0))
    bottom = step * floor(low / step)
    top = max(step * ceil(high / step), bottom + step)
    frame = _PATHS

    def x(place: float) -> float:
        return frame.left + (frame.right - frame.left) * (place - first[0]) / (last[0] - first[0])

    def y(value: float) -> float:
        return frame.bottom - (frame.bottom - frame.top) * (value - bottom) / (top - bottom)

    def band(lower: int, upper: int) -> str:
        there = [(x(place), y(values[upper])) for place, values, _ in course]
        return _points([*there, *((x(place), y(values[lower])) for place, values, _ in reversed(course))])

    every = _step(last[0] - first[0])
    return Paths(
        outer=band(0, 4),
        inner=band(1, 3),
        median=_points([(x(place), y(values[2])) for place, values, _ in course]),
        other=_points([(x(place), y(value)) for place, _, value in takewhile(lambda point: point[2] <= top, course)]),
        cases=tuple(
            _points([(x(place), y(value)) for (place, _, _), value in zip(course, case, strict=True)]) for case in cases
        ),
        start=y(first[2]),
        across=tuple(Tick(x(n * every), n * every) for n in range(int(last[0] / every) + 1)),
        up=tuple(Tick(y(bottom + n * step), bottom + n * step) for n in range(round((top - bottom) / step) + 1)),
    )


def _step(reach: float) -> float:
    """Return a round number, two to five of which are as much as ``reach``."""
    power = 10.0 ** floor(log10(reach / 2))
    return next(power * n for n in (5, 2, 1) if reach / (power * n) >= 2)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def percentages(counts: Sequence[int]) -> tuple[int, ...]:
    """Return whole percentages of the counts that sum to 100, by largest remainder; all zero if there is nothing."""
    total = sum(counts)
    if not total:
        return (0,) * len(counts)
    whole = [100 * count // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda place: (-(100 * counts[place] % total), place))
    for place in by_remainder[: 100 - sum(whole)]:
        whole[place] += 1
    return tuple(whole)
