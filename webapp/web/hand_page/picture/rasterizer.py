"""Drawing of an SVG as a PNG: a task for another process, see ``picture_store``.

The renderer holds Python's global lock while it draws, so in the web process no other request would be answered.
"""


def draw(svg: str, font: str) -> bytes:
    """Return the picture as a PNG. Of all fonts only this one is known."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[font]))
