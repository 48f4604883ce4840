"""Compose ``static/img/cards.svg`` from ``cards/shapes.svg``: ``python .packaging/make_cards.py``.

A card is 100 units wide and 140 high. The suit's colour is ``currentColor``. A symbol has two indexes and two middles,
and the page chooses by the size of a card: where it sets ``--pips: none`` and ``--large: inline``, a number has one
large suit instead of its pips, and every card the larger index; where it sets ``--print: inline``, a card has nothing
but its rank and suit over its left half, which a fan leaves uncovered. No text, gradients, patterns or clip paths:
references into an external file break them. Few elements, and few references to references: a browser copies them for
each card it shows (``make bench PARTS=motion``).
"""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
SPRITE: Final = HERE.parent / "static" / "img" / "cards.svg"

SUITS: Final = "cdhs"
RANKS: Final = "23456789TJQKA"
PAPER, GOLD, BLUE, VERMILION = "#fffdf6", "#d8a63c", "#27407c", "#b8281f"

PIP: Final = 0.78
INDEX_PIP: Final = 0.7 * PIP
LEFT, MIDDLE, RIGHT = 33, 50, 67
FOUR_ROWS: Final = (25, 55, 85, 115)
PLACES: Final = {
    "2": [(MIDDLE, 25), (MIDDLE, 115)],
    "3": [(MIDDLE, 25), (MIDDLE, 70), (MIDDLE, 115)],
    "4": [(x, y) for x in (LEFT, RIGHT) for y in (25, 115)],
    "5": [(x, y) for x in (LEFT, RIGHT) for y in (25, 115)] + [(MIDDLE, 70)],
    "6": [(x, y) for x in (LEFT, RIGHT) for y in (25, 70, 115)],
    "7": [(x, y) for x in (LEFT, RIGHT) for y in (25, 70, 115)] + [(MIDDLE, 47)],
    "8": [(x, y) for x in (LEFT, RIGHT) for y in (25, 70, 115)] + [(MIDDLE, 47), (MIDDLE, 93)],
    "9": [(x, y) for x in (LEFT, RIGHT) for y in FOUR_ROWS] + [(MIDDLE, 70)],
    "T": [(x, y) for x in (LEFT, RIGHT) for y in FOUR_ROWS] + [(MIDDLE, 40), (MIDDLE, 100)],
}

WAVE: Final = (8.0, 5.2, 2.4)
"""The radii of a wave of the back. Each row of waves lies lower and half a wave aside, over the one above."""
ROW, WIDTH, HEIGHT = 4.6, 82, 122


def main() -> None:
    """Write the file with all cards."""
    SPRITE.write_text(sprite(), encoding="utf-8")


def sprite() -> str:
    """Return the file with all cards."""
    shapes = (HERE / "cards" / "shapes.svg").read_text(encoding="utf-8").replace("\n", "")
    own = _between(shapes, "<defs>", "</defs>")
    drawn = dict(re.findall(r'<path id="(\w+)" d="([^"]+)"/>', own))
    symbols = [_symbol(rank, suit) for suit in SUITS for rank in RANKS]
    for name in ("Jk", "back"):
        drawing = _between(shapes, f'<symbol id="{name}" viewBox="0 0 100 140">', "</symbol>")
        symbols.append(f'<symbol id="c-{name}" viewBox="0 0 100 140"><use href="#b"/>{drawing}</symbol>')
    for suit in SUITS:
        drawing = f'<use href="#p{suit}" fill="currentColor"/>'
        symbols.append(f'<symbol id="p-{suit}" viewBox="-12 -12 24 24">{drawing}</symbol>')
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg">',
        f"<defs>{own}{_shared(drawn)}{_waves()}</defs>",
        *symbols,
        "</svg>",
    ]
    return "\n".join(parts)


def _shared(drawn: Mapping[str, str]) -> str:
    """Return what several cards have in common: pips, and the three sizes of their indexes."""
    parts = []
    for suit in SUITS:
        for name, transform in (
            ("q", f"scale({PIP:g})"),
            ("j", f"translate(12 41.4)scale({INDEX_PIP:.3g})"),
            ("k", "translate(15 48)scale(.84)"),
            ("l", "translate(61 93)scale(2.55)"),
            ("n", "translate(29.5 103)scale(2.4)"),
        ):
            parts.append(f'<path id="{name}{suit}" d="{drawn["p" + suit]}" transform="{transform}"/>')
    for rank in RANKS:
        width, narrow = (4.4, 0.64) if rank == "T" else (4.8, 0.73)
        parts.append(_rank(f"i{rank}", drawn["r" + rank], (12.2, 19.6), (narrow, 0.76), width))
        width, x, narrow = (4, 15.6, 0.84) if rank == "T" else (4.6, 15, 0.92)
        parts.append(_rank(f"h{rank}", drawn["r" + rank], (x, 21.4), (narrow, 0.98), width))
        width, narrow = (4, 1.66) if rank == "T" else (4.4, 1.75)
        parts.append(_rank(f"g{rank}", drawn["r" + rank], (29.5, 37.4), (narrow, 2.1), width))
    return "".join(parts)


def _rank(name: str, drawn: str, place: tuple[float, float], scale: tuple[float, float], width: float) -> str:
    """Return a rank, which is drawn with a pen, at its place."""
    transform = f"translate({place[0]:g} {place[1]:g})scale({scale[0]:g} {scale[1]:g})"
    pen = f'fill="none" stroke="currentColor" stroke-width="{width:g}" stroke-linejoin="round"'
    return f'<path id="{name}" d="{drawn}" transform="{transform}" {pen}/>'


def _waves() -> str:
    """Return the waves of the back as one line: of each wave what those of the next row leave of it."""
    arcs, at = "", (0.0, 0.0)
    for radius in WAVE:
        x, y = _meeting(radius)
        arcs += f"m{-x - at[0]:.4g} {y - at[1]:.4g}a{radius:g} {radius:g} 0 0 1 {2 * x:.4g} 0"
        at = (x, y)
    rows = range(1, math.ceil((HEIGHT + WAVE[0]) / ROW))
    places = [(x, row * ROW) for row in rows for x in range(8 * (row % 2), WIDTH + 8, 16)]
    line = "".join(f"M{x} {y:.4g}{arcs}" for x, y in places)
    return f'<path id="waves" d="{line}" fill="none" stroke="#9db0de" stroke-width=".8"/>'


def _meeting(radius: float) -> tuple[float, float]:
    """Return the upper one of the places where a circle round 0, 0 meets the wave that covers its right side."""
    (right, low), edge = (WAVE[0], ROW), WAVE[0]
    apart = math.hypot(right, low)
    along = (radius**2 - edge**2 + apart**2) / (2 * apart)
    aside = math.sqrt(radius**2 - along**2)
    return (along * right + aside * low) / apart, (along * low - aside * right) / apart


def _symbol(rank: str, suit: str) -> str:
    """Return a card: what stands in one half is turned by 180 degrees for the other."""
    card, under, always, middle = rank + suit, "", "", ""
    pips: list[tuple[int, int]] = []
    if rank in "JQK":
        second = BLUE if suit in "hd" else VERMILION
        under = '<use href="#fr"/>'
        always = f'<use href="#f{rank}" fill="{second}"/><use href="#q{suit}" x="80.5" y="22"/>'
        middle = '<use href="#sm"/>'
    elif rank == "A":
        middle = _ace(suit)
    else:
        pips = PLACES[rank]
    paired = [(x, y) for x, y in pips if y < 70 and (100 - x, 140 - y) in pips]
    alone = [(x, y) for x, y in pips if y == 70 or (100 - x, 140 - y) not in pips]
    fine = f'<use href="#i{rank}"/><use href="#j{suit}"/>{_pips(suit, paired)}'
    large = f'<use href="#h{rank}"/><use href="#k{suit}"/>'
    turned = f'<use href="#{card}" transform="rotate(180 50 70)"/>'
    if pips:
        drawing = (
            f'<g display="var(--pips,inline)"><g id="{card}">{fine}</g>{turned}{_pips(suit, alone)}</g>'
            f'<g display="var(--large,none)">{large}<use href="#l{suit}"/></g>'
        )
    else:
        index = f'<g display="var(--pips,inline)">{fine}</g><g display="var(--large,none)">{large}</g>'
        drawing = f'<g id="{card}">{index}{always}</g>{turned}{middle}'
    large_print = f'<g display="var(--print,none)"><use href="#b"/><use href="#g{rank}"/><use href="#n{suit}"/></g>'
    content = f'<use href="#b"/>{under}<g fill="currentColor">{drawing}{large_print}</g>'
    return f'<symbol id="c-{card}" viewBox="0 0 100 140">{content}</symbol>'


def _pips(suit: str, places: list[tuple[int, int]]) -> str:
    return "".join(f'<use href="#q{suit}" x="{x}" y="{y}"/>' for x, y in places)


def _ace(suit: str) -> str:
    """Return one large suit with a line along its edge, a golden one in it, and a wing above and below."""
    size, low = (2.7, 1.5) if suit == "s" else (2.3, 0.0)
    edge = f'fill="none" stroke="{PAPER}" stroke-width=".55"'
    wing = (
        f'<path d="M50 100V106M41 108C45 103 48 104 50 109C52 104 55 103 59 108" fill="none" stroke="{GOLD}"'
        ' stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"/>'
    )
    return (
        f'<use href="#p{suit}" transform="translate(50 70)scale({size})" fill="currentColor"/>'
        f'<use href="#p{suit}" transform="translate(50 70)scale({size * 0.74:g})" {edge}/>'
        f'<use href="#p{suit}" transform="translate(50 {70 + low:g})scale(.62)" fill="{GOLD}"/>'
        f'{wing}<g transform="rotate(180 50 70)">{wing}</g>'
    )


def _between(text: str, start: str, end: str) -> str:
    found = re.search(f"{re.escape(start)}(.*?){re.escape(end)}", text)
    assert found, f"{start} is missing"
    return found[1]


if __name__ == "__main__":
    main()
