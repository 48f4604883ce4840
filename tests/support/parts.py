"""The parts of a table's page, found in the text of a page, an answer or a pushed message.

It is a second method beside what templates note during rendering. A part is an element with ``data-part``. Our HTML is
well-formed, so an element ends where as many tags of its name have been closed as opened.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_CHANGING: Final = re.compile(r'(\b(?:action|hx-post)="/t/\w+)/\d+(?=")| data-now="\d+"')
"""The address of a form for commands: the version in it changes with every move, the part does not; and the time."""

_TAG: Final = re.compile(r'<(/?)([a-z][\w-]*)((?:[^>"]|"[^"]*")*)>')
_MARKED: Final = re.compile(r'\bdata-part="([^"]+)"')
PARTIAL: Final = re.compile(
    r"""<hx-partial hx-target="\[data-part='([\w-]+)'\]" hx-swap="outerHTML">(.*?)</hx-partial>\n?""", re.DOTALL
)
"""A part as it is sent for htmx."""


@dataclass(frozen=True, slots=True)
class Room:
    """The parts of a table by name, in order."""

    parts: Mapping[str, str]

    @property
    def version(self) -> int:
        """The version of the table, which the part ``state`` has."""
        found = re.search(r'data-version="(\d+)"', self.parts["state"])
        assert found
        return int(found[1])


def plain(part: str) -> str:
    """Return a part without the table's version in its form addresses, and without the time."""
    return _CHANGING.sub(r"\1", part)


def room_of(text: str) -> Room:
    """Find the parts in a text. Nested parts belong to the outer one."""
    parts = dict[str, str]()
    inside, name, begin, depth = "", "", 0, 0
    for tag in _TAG.finditer(text):
        closes, kind, attributes = tag.groups()
        if inside:
            if kind == inside and not attributes.endswith("/"):
                depth += -1 if closes else 1
            if depth:
                continue
            parts[name] = text[begin : tag.end()]
            inside = ""
        elif found := _MARKED.search(attributes):
            inside, name, begin, depth = kind, found[1], tag.start(), 1
    return Room(parts)
