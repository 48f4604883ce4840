"""Symbols of the cards and the seal of the site, read from the pictures of the pages, as parts of another SVG."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from webapp.config import beside

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
