"""The table, cards and symbols of a picture as SVG, from the same card art as the pages."""

import math
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from webapp.config import beside
from webapp.engine.cards import Card, Suit
from webapp.web.hand_page.picture_subject import ShownGroup, is_gain
from webapp.web.hand_page.picture_text import (
    CREAM,
    FAMILY,
    HEIGHT,
    MIDDLE,
    PALE,
    WIDTH,
    clipped,
    fitted,
    text_at,
    width_of,
)

_IMAGES: Final = beside("static") / "img"
SPRITE: Final = _IMAGES / "cards.svg"
SEAL: Final = _IMAGES / "favicon.svg"
_SVG: Final = "http://www.w3.org/2000/svg"
_VARIABLE: Final = re.compile(r"var\(--\w+, ?(\w+)\)")


@cache
def shapes() -> str:
    """Return the definitions that the symbols of the cards share."""
    definitions = _root(SPRITE).find(f"{{{_SVG}}}defs")
    assert definitions is not None, f"{SPRITE.name} has no shared shapes"
    return _content(definitions)


@cache
def symbols() -> Mapping[str, str]:
    """Return the symbols of all cards and of a back by their ids, as ``c-Qh``."""
    return {symbol.attrib["id"]: _text(symbol) for symbol in _root(SPRITE).iter(f"{{{_SVG}}}symbol")}


@cache
def seal() -> str:
    """Return the seal of the site on a square of 64."""
    return _content(_root(SEAL))


def _root(file: Path) -> ET.Element:
    return ET.parse(file).getroot()  # noqa: S314  # our own files


def _content(element: ET.Element) -> str:
    return "".join(map(_text, element))


def _text(element: ET.Element) -> str:
    """Return an element as text. What a style sheet could change has its default: nothing here reads one."""
    ET.register_namespace("", _SVG)
    return _VARIABLE.sub(r"\1", ET.tostring(element, encoding="unicode"))


_CARDS_END: Final = 536.0
_END_ABOVE_PRINT: Final = 500.0
"""Where cards end that have small print below them."""
_CARDS_WIDTH: Final = 1080.0
_GAP: Final = 16.0
_GOLD: Final = "#f0c365"
_RISE: Final = 9
_HAIRLINE: Final = (
    '<rect x="-50" y="-70" width="100" height="140" rx="7" fill="none" stroke="#ecbc58" stroke-width="1.6"/>'
)
_DARKER: Final = '<rect x="-50" y="-70" width="100" height="140" rx="7" fill="#03211a" fill-opacity=".3"/>'
_MOST_IN_A_ROW: Final = 6
_LEAST_STEP: Final = 0.26
"""Part of a card that is seen beside the next one, at least: its index."""
_RED: Final = "#b8281f"
_BLACK: Final = "#20263a"


def card_groups(groups: tuple[ShownGroup, ...], top: float, has_print: bool = False) -> str:
    """Return all cards as SVG: one group in an arc, several side by side, each with its words below it.

    ``has_print``: room is left for small print below them.
    """
    end = _END_ABOVE_PRINT if has_print else _CARDS_END
    if len(groups) == 1 and not groups[0].caption:
        return _hand(groups[0].cards, top, groups[0].making, groups[0].stand_ins, end)
    rows = 1 if len(groups) <= _MOST_IN_A_ROW else 2
    in_row = -(-len(groups) // rows)
    height = (end + (0 if has_print else 12) - top) / rows
    slot = min(_CARDS_WIDTH / in_row, 420.0)
    return "".join(
        _row(groups[row * in_row : (row + 1) * in_row], top + row * height, height, slot) for row in range(rows)
    )


def _row(groups: tuple[ShownGroup, ...], top: float, height: float, slot: float) -> str:
    """Return groups side by side as SVG, each in the middle of a slot of this width."""
    size = min(38.0, slot / 6)
    words = size * 1.2 * (2 if any(group.amount for group in groups) else 1)
    card_height = min(height - 26 - words, 290.0)
    left = MIDDLE - slot * len(groups) / 2
    first = top + (height - card_height - words - 20) / 2
    return "".join(
        _group(group, left + slot * (index + 0.5), first, card_height, slot - _GAP, size)
        for index, group in enumerate(groups)
    )


def _group(group: ShownGroup, middle: float, top: float, height: float, room: float, size: float) -> str:
    """Return the cards of a group as SVG, which overlap as far as they must, and the words below them."""
    shown = group.cards or (None,)
    width = min(height / 1.4, room / (1 + _LEAST_STEP * (len(shown) - 1)))
    gaps = len(shown) - 1
    step = min(width * 0.6, (room - width) / gaps) if gaps else 0
    first = middle - step * gaps / 2
    centre = top + height / 2
    cards = "".join(_card(card, first + index * step, centre, 0, width / 100) for index, card in enumerate(shown))
    base, texts = top + height + 6 + size * 1.15, []
    for text, colour in ((group.caption, CREAM), (group.amount, _GOLD if is_gain(group.amount) else PALE)):
        sizes, most = _sizes(size), int(room)
        lines = fitted(text, sizes, 1, most) or clipped(text, sizes[-1], 1, most) if text else ()
        texts += [text_at(line, font, middle, base, colour) for line, font in lines]
        base += size * 1.2
    return cards + "".join(texts)


def _sizes(size: float) -> tuple[int, ...]:
    """Return sizes of letters from this one down to the smallest that can be read in a chat."""
    return tuple(range(int(size), 21, -2)) or (22,)


def _hand(
    cards: tuple[Card | None, ...],
    top: float,
    making: tuple[int, ...] = (),
    stand_ins: tuple[str, ...] = (),
    end: float = _CARDS_END,
) -> str:
    """Return the cards as SVG: in a shallow arc, as large as there is room; many of them overlap.

    Those at ``making`` lie higher, in a line of brass, if there are others beside them; the others stand back.
    """
    shown = cards or (None,)
    raised = making if len(making) < len(shown) else ()
    middle = (len(shown) - 1) / 2
    turn = min(4.0, 11 / len(shown))
    lean = math.radians(turn * middle)
    # Of the height, some goes to the corners of a leaning card and to the arc.
    room = end - top
    height = room / (math.cos(lean) + 100 / 140 * math.sin(lean) + 0.05)
    if len(shown) <= 5:
        height = min(height, (_CARDS_WIDTH - _GAP * 4) / 5 * 1.4)
    width = height / 1.4
    step = min(width + _GAP, (_CARDS_WIDTH - width) / (middle * 2)) if middle else 0
    radius = step / math.radians(turn)
    drop = radius * (1 - math.cos(lean))
    centre = top + (room - drop) / 2
    return "".join(
        _card(
            card,
            MIDDLE + (index - middle) * step,
            centre + radius * (1 - math.cos(math.radians(turn * (index - middle)))) + _lift(index + 1, raised),
            turn * (index - middle),
            width / 100,
            _HAIRLINE if index + 1 in making else _DARKER if making else "",
            stand_ins[index] if index < len(stand_ins) else "",
        )
        for index, card in enumerate(shown)
    )


def _lift(place: int, raised: tuple[int, ...]) -> int:
    """Return how far down a card is moved: those that are raised go up."""
    return 0 if not raised else -_RISE if place in raised else _RISE


def _card(
    card: Card | None, x: float, y: float, angle: float, scale: float, over: str = "", stands_for: str = ""
) -> str:
    """Return one card as SVG; None is a back. ``over`` lies on it; ``stands_for`` is written on a wild one."""
    ink = _RED if card and card.suit in (Suit.DIAMONDS, Suit.HEARTS) else _BLACK
    return (
        f'<use href="#shadow" transform="translate({x:.2f} {y + 11:.2f}) rotate({angle:.3f}) scale({scale:.4f})"/>'
        f'<g color="{ink}" transform="translate({x:.2f} {y:.2f}) rotate({angle:.3f}) scale({scale:.4f})">'
        f'<use href="#{symbol_of(card)}" x="-50" y="-70" width="100" height="140"/>{over}{_tag(stands_for)}</g>'
    )


def _tag(stands_for: str) -> str:
    """Return what a wild card stands for as SVG: a rank, and perhaps its suit, on a small label."""
    if not stands_for:
        return ""
    letter, suit = stands_for[0].replace("T", "10"), stands_for[1:]
    ink = _RED if suit in ("d", "h") else _BLACK
    pip = f'<use href="#p-{suit}" x="3" y="40.5" width="15" height="15"/>' if suit else ""
    return (
        f'<g color="{ink}" fill="{ink}"><rect x="-23" y="36" width="46" height="24" rx="12" fill="#fffaf0"'
        f' stroke="#a87718"/><text font-family="{FAMILY}" font-size="19" text-anchor="middle" x="{-7 if suit else 0}"'
        f' y="54.5">{letter}</text>{pip}</g>'
    )


def symbol_of(card: Card | None) -> str:
    """Return the name of the drawing of a card; of the back for None."""
    return f"c-{card or 'back'}"


Part = Callable[[str, str], bytes]
"""Draws an SVG that many pictures share; the first argument is a name for it."""

# Light and shadow are slow to draw and the same on every picture: they are drawn once, and put in as pictures.

LIGHT: Final = (
    '<radialGradient id="felt" gradientUnits="userSpaceOnUse" cx="600" cy="-60" r="860">'
    '<stop offset="0" stop-color="#2f8f6d"/><stop offset=".38" stop-color="#1b6b50"/>'
    '<stop offset=".72" stop-color="#0f4f3d"/><stop offset="1" stop-color="#083529"/></radialGradient>'
    '<linearGradient id="wood" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#9a6f3f"/>'
    '<stop offset=".12" stop-color="#744c28"/><stop offset="1" stop-color="#4a2e17"/></linearGradient>'
    '<linearGradient id="brass" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffe9b0"/>'
    '<stop offset=".5" stop-color="#f0c365"/><stop offset="1" stop-color="#c9933a"/></linearGradient>'
    '<linearGradient id="rule" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="420" y2="0">'
    '<stop offset="0" stop-color="#ecbc58"/><stop offset="1" stop-color="#ecbc58" stop-opacity="0"/></linearGradient>'
)

_WOOD_AND_FELT: Final = (
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#wood)"/>'
    '<rect x="16" y="16" width="1168" height="598" rx="22" fill="#2c1a0b"/>'
    '<rect x="18" y="18" width="1164" height="594" rx="20" fill="url(#felt)"/>'
    + "".join(
        f'<rect x="{18 + wide / 2:g}" y="{18 + wide / 2:g}" width="{1164 - wide:g}" height="{594 - wide:g}"'
        f' rx="{20 - wide / 2:g}" fill="none" stroke="#01120c" stroke-opacity=".07" stroke-width="{wide}"/>'
        for wide in (2, 4, 6, 9, 12, 16)
    )
    + '<rect x="30" y="30" width="1140" height="570" rx="12" fill="none" stroke="#fff6dc" stroke-opacity=".2"/>'
)


def felt(part: Part) -> str:
    """Return wood, felt and signature as SVG."""
    svg = svg_of(f"<defs>{LIGHT}</defs>{_WOOD_AND_FELT}{_signature()}", WIDTH, HEIGHT)
    return f'<image width="{WIDTH}" height="{HEIGHT}" {_put(part("table", svg))}/>'


def card_shadow(part: Part) -> str:
    """Return the shadow of a card of 100 × 140 whose centre is at 0, drawn at twice the size."""
    svg = svg_of(
        '<filter id="soft" x="-25%" y="-25%" width="150%" height="150%"><feGaussianBlur stdDeviation="8"/></filter>'
        '<rect x="40" y="40" width="200" height="280" rx="14" fill="#01120c" fill-opacity=".72" filter="url(#soft)"/>',
        280,
        360,
    )
    return f'<image id="shadow" x="-70" y="-90" width="140" height="180" {_put(part("shadow", svg))}/>'


def _put(png: bytes) -> str:
    return f'image-rendering="optimizeSpeed" href="data:image/png;base64,{b64encode(png).decode()}"'


def _signature() -> str:
    """Return the seal and the name of the site."""
    name, size, side = "Tefuda", 30, 38
    left = MIDDLE - (side + 12 + width_of(name, size)) / 2
    mark = f'<g transform="translate({left:.1f} 549) scale({side / 64:g})">{seal()}</g>'
    return mark + text_at(name, size, left + side + 12, 578, CREAM, "start")


def svg_of(content: str, width: int, height: int) -> str:
    """Return a whole SVG around some content."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{content}</svg>'
