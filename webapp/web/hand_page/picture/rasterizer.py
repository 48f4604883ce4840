"""Draw an SVG from standard input as a PNG on standard output: a separate program, see ``picture_store``.

The renderer holds Python's global lock while it draws, so in the web process no other request would be answered.
"""

import os
import sys

import resvg_py

LOWER_PRIORITY = 10


def draw(svg: str, font: str) -> bytes:
    """Return the picture as a PNG. Of all fonts only this one is known."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[font]))


if __name__ == "__main__":
    os.nice(LOWER_PRIORITY)
    sys.stdout.buffer.write(draw(sys.stdin.buffer.read().decode(), sys.argv[1]))
