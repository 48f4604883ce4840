"""QR codes of addresses: inline SVG, drawn with attributes alone, as our security policy wants it."""

import zlib
from functools import lru_cache

import segno
from markupsafe import Markup


def picture(address: str) -> Markup:
    """Return the code of an address, dark on nothing: the page gives it a light ground."""
    return Markup(zlib.decompress(_packed(address)).decode())  # noqa: S704  # made of numbers


@lru_cache(maxsize=2048)  # 0.5 KB each, a quarter of the text; two hundred tables of five seats show 1,200 at once
def _packed(address: str) -> bytes:
    """Return the SVG of a code, compressed.

    To draw one takes longer than the page around it, and a table that is played at shows six. bench: tables.
    """
    svg = segno.make(address, error="m", micro=False).svg_inline(omitsize=True, border=2, svgclass="qr__code")
    return zlib.compress(svg.encode())
