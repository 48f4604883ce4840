"""The parts of a room, found in the text of a fragment; a second method beside what templates note during rendering.

A part is an element with ``data-part``. Our fragments are well-formed, so an element ends where as many tags of its
name have been closed as opened.
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
    """A fragment: its opening tag, its parts by name, and the templates of steps that pages show one by one."""

    tag: str
    parts: Mapping[str, str]
    steps: tuple[str, ...]

    def marks(self) -> Mapping[str, bytes]:
        """Return a hash of each part, by its name."""
        return {name: sha256(plain(text).encode()).digest()[:16] for name, text in self.parts.items()}

    def without(self, marks: Mapping[str, bytes]) -> str:
        """Return the fragment without the parts that have these hashes."""
        changed = [self.parts[name] for name, mark in self.marks().items() if marks.get(name) != mark]
        return "\n".join((self.tag, *changed, *self.steps, "</div>"))


def plain(part: str) -> str:
    """Return a part without the table's version in its form addresses."""
    return _ADDRESS.sub(r'\1"', part)


def room_of(fragment: str) -> Room:
    """Parse a fragment. Nested parts belong to the outer one."""
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
