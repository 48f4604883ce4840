"""Picture of a finished hand for chat apps, 1200 × 630, from the same card art as the pages.

It looks the same on every machine: ranks and seal are paths, and the font lies in ``static/fonts``.
"""

import math
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from typing import Final

import resvg_py

from webapp.config import beside
from webapp.engine.cards import Card, Suit
from webapp.services.records.finished import Finished
from webapp.web.hand_page.text_layout import FAMILY, FONT, clipped, fitted, width_of
from webapp.web.i18n.display_names import names_of
from webapp.web.i18n.messages import say, say_at
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import number

WIDTH: Final = 1200
HEIGHT: Final = 630
TEXT_WIDTH: Final = 1040

_IMAGES: Final = beside("static") / "img"

_MIDDLE: Final = WIDTH / 2
_TOP: Final = 44.0
_CARDS_END: Final = 536.0
_CARDS_WIDTH: Final = 1080.0
_GAP: Final = 16.0
_CREAM: Final = "#fdf6e3"
_PALE: Final = "#dcebe3"
_RED: Final = "#b8281f"
_BLACK: Final = "#20263a"


@dataclass(frozen=True, slots=True)
class Subject:
    """Content of a picture. ``title`` may have several lines: the first is the largest."""

    cards: tuple[Card, ...]
    title: str
    payout: int


def subject_of(hand: Finished) -> Subject:
    """Return the content of a hand's picture, in English: the picture is the same for everybody who has the link."""
    with use_language("en"):
        names = names_of(hand)
        title = "\n".join(say_at(label, names) if names else say(label) for label in hand.labels)
    return Subject(hand.game.summary_cards(hand.last), title, hand.score)


@lru_cache(maxsize=64)
def picture(subject: Subject) -> bytes:
    """Return a PNG: the same bytes for the same subject."""
    return _drawn(drawing(subject))


def drawing(subject: Subject) -> str:
    """Return the picture as SVG, which needs nothing but the font."""
    title, below = _title(subject.title)
    score, below = _score(subject.payout, below)
    cards = _hand(subject.cards, below + 20)
    symbols = "".join(_symbols()[name] for name in sorted({_symbol(card) for card in subject.cards or (None,)}))
    return _svg(f"<defs>{_shapes()}{symbols}{_LIGHT}{_shadow()}</defs>{_table()}{title}{score}{cards}", WIDTH, HEIGHT)


def _svg(content: str, width: int, height: int) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{content}</svg>'


def _drawn(svg: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[str(FONT)]))


# ------------------------------------------------------------------------------------------------ words


def _title(text: str) -> tuple[str, float]:
    """Return at most three lines as SVG, none wider than the felt, and where they end."""
    first, *rest = text.split("\n")
    room = TEXT_WIDTH
    lines = fitted(first, (68, 62, 56), 1, room) or fitted(first, (52, 46), 2, room) or clipped(first, 46, 2, room)
    large = len(lines)
    for line in rest[: 3 - large]:
        lines += fitted(line, (36, 32), 1, room) or clipped(line, 32, 1, room)
    bottom, texts = _TOP, []
    for index, (said, size) in enumerate(lines):
        colour, leading = (_CREAM, 1.14) if index < large else (_PALE, 1.3)
        bottom += size * leading
        texts.append(_text(said, size, _MIDDLE, bottom - size * 0.24, colour))
    return "".join(texts), bottom


def _score(payout: int, top: float) -> tuple[str, float]:
    """Return the payout as SVG, and where it ends: in brass between two thin rules, or a plain nought."""
    text, size = number(payout), 70
    base = top + size * 0.86
    if not payout:
        return _text(text, size, _MIDDLE, base, _PALE), base + 4
    inner = width_of(text, size) / 2 + 30
    rule = (
        f'<path d="M{inner + 16:.1f} 0h170" stroke="url(#rule)" stroke-width="2"/>'
        f'<path d="M{inner:.1f} 0l6-7l6 7l-6 7Z" fill="#ecbc58"/>'
    )
    sides = "".join(
        f'<g transform="translate({_MIDDLE} {base - size * 0.32:.1f}) scale({side} 1)">{rule}</g>' for side in (-1, 1)
    )
    return sides + _text(text, size, _MIDDLE, base, "url(#brass)"), base + 4


def _text(text: str, size: float, x: float, y: float, fill: str, anchor: str = "middle") -> str:
    """Return a text with its shadow as SVG."""
    return "".join(
        f'<text font-family="{FAMILY}" font-size="{size}" text-anchor="{anchor}" x="{x:.1f}" y="{y + down:.1f}"'
        f' fill="{colour}" fill-opacity="{opacity}">{escape(text)}</text>'
        for down, colour, opacity in ((size / 26, "#021a13", 0.5), (0, fill, 1))
    )


# ------------------------------------------------------------------------------------------------ cards


def _hand(cards: tuple[Card, ...], top: float) -> str:
    """Return the cards as SVG: in a shallow arc, as large as there is room; many of them overlap."""
    shown = cards or (None,)
    middle = (len(shown) - 1) / 2
    turn = min(4.0, 11 / len(shown))
    lean = math.radians(turn * middle)
    # Of the height, some goes to the corners of a leaning card and to the arc.
    room = _CARDS_END - top
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
            _MIDDLE + (index - middle) * step,
            centre + radius * (1 - math.cos(math.radians(turn * (index - middle)))),
            turn * (index - middle),
            width / 100,
        )
        for index, card in enumerate(shown)
    )


def _card(card: Card | None, x: float, y: float, angle: float, scale: float) -> str:
    """Return one card as SVG; None is a back."""
    ink = _RED if card and card.suit in (Suit.DIAMONDS, Suit.HEARTS) else _BLACK
    return (
        f'<use href="#shadow" transform="translate({x:.2f} {y + 11:.2f}) rotate({angle:.3f}) scale({scale:.4f})"/>'
        f'<g color="{ink}" transform="translate({x:.2f} {y:.2f}) rotate({angle:.3f}) scale({scale:.4f})">'
        f'<use href="#{_symbol(card)}" x="-50" y="-70" width="100" height="140"/></g>'
    )


def _symbol(card: Card | None) -> str:
    return f"c-{card or 'back'}"


@cache
def _sprite() -> str:
    return (_IMAGES / "cards.svg").read_text(encoding="utf-8")


@cache
def _shapes() -> str:
    """Return the definitions that the symbols of the cards share."""
    found = re.search(r"<defs>(.*?)</defs>", _sprite(), re.DOTALL)
    assert found
    return found[1]


@cache
def _symbols() -> Mapping[str, str]:
    return {found[1]: found[0] for found in re.finditer(r'<symbol id="([^"]+)".*?</symbol>', _sprite(), re.DOTALL)}


# ------------------------------------------------------------------------------------------------ the table

# Light and shadow are slow to draw and the same on every picture: they are drawn once, and put in as pictures.

_LIGHT: Final = (
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


@cache
def _table() -> str:
    svg = _svg(f"<defs>{_LIGHT}</defs>{_WOOD_AND_FELT}{_signature()}", WIDTH, HEIGHT)
    return f'<image width="{WIDTH}" height="{HEIGHT}" {_put(_drawn(svg))}/>'


@cache
def _shadow() -> str:
    """Return the shadow of a card of 100 × 140 whose centre is at 0, drawn at twice the size."""
    svg = _svg(
        '<filter id="soft" x="-25%" y="-25%" width="150%" height="150%"><feGaussianBlur stdDeviation="8"/></filter>'
        '<rect x="40" y="40" width="200" height="280" rx="14" fill="#01120c" fill-opacity=".72" filter="url(#soft)"/>',
        280,
        360,
    )
    return f'<image id="shadow" x="-70" y="-90" width="140" height="180" {_put(_drawn(svg))}/>'


def _put(png: bytes) -> str:
    return f'image-rendering="optimizeSpeed" href="data:image/png;base64,{b64encode(png).decode()}"'


def _signature() -> str:
    """Return the seal and the name of the site."""
    seal = re.search(r"<svg[^>]*>(.*)</svg>", (_IMAGES / "favicon.svg").read_text(encoding="utf-8"), re.DOTALL)
    assert seal
    name, size, side = "Tefuda", 30, 38
    left = _MIDDLE - (side + 12 + width_of(name, size)) / 2
    mark = f'<g transform="translate({left:.1f} 549) scale({side / 64:g})">{seal[1]}</g>'
    return mark + _text(name, size, left + side + 12, 578, _CREAM, "start")
