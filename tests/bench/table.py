"""Tables of figures for the terminal."""

from collections.abc import Mapping, Sequence

Row = Mapping[str, float | str]


def show(title: str, rows: Sequence[Row]) -> None:
    """Print rows with the same columns as a table with a title."""
    print(f"\n{title}")
    cells = [list(rows[0]), *([_text(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        first, *rest = (
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print(" ", first, *(f" {cell}" for cell in rest), flush=True)


def _text(value: float | str) -> str:
    """Format a figure with three digits; more would be noise."""
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
