"""Picture of a finished hand for chat apps, 1200 × 630, from the same card art as the pages.

It looks the same on every machine: ranks and seal are paths, and the fonts are ours (``picture_text``).

The renderer holds Python's global lock while it draws, so it draws in another process (``picture_store``).
"""

from functools import cache, lru_cache
from pathlib import Path

from webapp.web.hand_page import picture_drawing
from webapp.web.hand_page.picture_drawing import LIGHT, Part, card_groups, card_shadow, felt, svg_of, symbol_of
from webapp.web.hand_page.picture_subject import Subject
from webapp.web.hand_page.picture_text import HEIGHT, WIDTH, fonts_of, score, small_print, title


def draw(svg: str, fonts: tuple[Path, ...]) -> bytes:
    """Return the picture as a PNG. Of all fonts only these are known."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[*map(str, fonts)]))


@lru_cache(maxsize=64)
def picture(subject: Subject) -> bytes:
    """Return a PNG: the same bytes for the same subject."""
    return _drawn(drawing(subject), subject.language)


def drawing(subject: Subject, part: Part | None = None) -> str:
    """Return the picture as SVG, which needs nothing but the fonts.

    ``part``: draws what all pictures share; by default it is drawn here once.
    """
    part = part or _drawn_part
    words, below = title(subject.title)
    amount, below = score(subject.amount, subject.is_gain, below)
    cards = card_groups(subject.groups, below + 20, bool(subject.small)) + small_print(subject.small)
    names = {symbol_of(card) for group in subject.groups for card in group.cards or (None,)}
    names |= {f"p-{mark[1]}" for group in subject.groups for mark in group.stand_ins if len(mark) == 2}
    symbols = "".join(picture_drawing.symbols()[name] for name in sorted(names))
    return svg_of(
        f"<defs>{picture_drawing.shapes()}{symbols}{LIGHT}{card_shadow(part)}</defs>{felt(part)}{words}{amount}{cards}",
        WIDTH,
        HEIGHT,
    )


def _drawn(svg: str, language: str = "en") -> bytes:
    return draw(svg, fonts_of(language))


@cache
def _drawn_part(_name: str, svg: str) -> bytes:
    return _drawn(svg)
