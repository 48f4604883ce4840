"""The parts of a room cut out of the text of a fragment: a second way to what templates note as they are rendered.

A part is an element with ``data-part``. Fragments are our own and well-formed, so an element ends where as many of its
kind have ended as have begun.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

_ADDRESS: Final = re.compile(r'(<form\b[^>]*?\baction="[^"]*?)/\d+"')
"""The address of a form for commands: the version in it changes with every move, the part does not."""

_TAG: Final = re.compile(r'<(/?)([a-z][\w-]*)((?:[^>"]|"[^"]*")*)>')
_MARKED: Final = re.compile(r'\bdata-(?:part="([^"]+)"|step=)')


@dataclass(frozen=True, slots=True)
class Room:
    """A fragment: the tag it begins with, its parts by name, and templates of steps that pages show one by one."""

    tag: str
    parts: Mapping[str, str]
    steps: tuple[str, ...]

    def marks(self) -> Mapping[str, bytes]:
        """Return what tells the parts from others of the same names."""
        return {name: sha256(plain(text).encode()).digest()[:16] for name, text in self.parts.items()}

    def without(self, marks: Mapping[str, bytes]) -> str:
        """Return the fragment without the parts that have these marks."""
        changed = [self.parts[name] for name, mark in self.marks().items() if marks.get(name) != mark]
        return "\n".join((self.tag, *changed, *self.steps, "</div>"))


def plain(part: str) -> str:
    """Return a part as it is compared with others."""
    return _ADDRESS.sub(r'\1"', part)


def room_of(fragment: str) -> Room:
    """Return the room that a fragment is. Parts within parts or within steps belong to these."""
    room_tag, parts, steps = "", dict[str, str](), list[str]()
    inside, name, begin, depth = "", "", 0, 0
    for tag in _TAG.finditer(fragment):
        closes, kind, attributes = tag.groups()
        if inside:
            if kind == inside and not attributes.endswith("/"):
                depth += -1 if closes else 1
            if depth:
                continue
            if name:
                parts[name] = fragment[begin : tag.end()]
            else:
                steps.append(fragment[begin : tag.end()])
            inside = ""
        elif not room_tag:
            room_tag = tag[0]
        elif found := _MARKED.search(attributes):
            inside, name, begin, depth = kind, found[1] or "", tag.start(), 1
    return Room(room_tag, parts, tuple(steps))
