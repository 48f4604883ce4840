"""QR codes of addresses: inline SVG, drawn with attributes alone, as our security policy wants it."""

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=2048)  # 2 KB each; two hundred tables of five seats show 1,200 at once
def picture(address: str) -> Markup:
    """Return the code of an address, dark on nothing: the page gives it a light ground.

    One takes longer to make than the page around it, and a table that is played at shows six. bench: tables.
    """
    svg = segno.make(address, error="m", micro=False).svg_inline(omitsize=True, border=2, svgclass="qr__code")
    return Markup(svg)  # noqa: S704  # made of numbers
