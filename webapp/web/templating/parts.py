"""The parts of a room: what a fragment consists of, cut out of its text, and what of it differs from another one.

A part is an element with ``data-part``. Fragments are our own and well-formed, so an element ends where as many of its
kind have ended as have begun.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from html.parser import HTMLParser
from typing import Final

_ADDRESS: Final = re.compile(r'(<form\b[^>]*?\baction="[^"]*?)/\d+"')
"""The address of a form for commands: the version in it changes with every move, the part does not."""


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
    """Return the room that a fragment is."""
    cutter = _Cutter(fragment)
    cutter.feed(fragment)
    cutter.close()
    return Room(cutter.tag, cutter.parts, tuple(cutter.steps))


class _Cutter(HTMLParser):
    """Finds where parts and steps begin and end. Parts within parts or within steps belong to these."""

    def __init__(self, fragment: str) -> None:
        super().__init__(convert_charrefs=False)
        self._text = fragment
        self._starts = [0]
        for line in fragment.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.tag, self.steps = "", list[str]()
        self.parts: dict[str, str] = {}
        self._inside, self._name, self._begin, self._open = "", "", 0, 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a part or a step, or count an element within it."""
        if self._inside:
            self._open += tag == self._inside
            return
        given = dict(attrs)
        if not self.tag:
            self.tag = self.get_starttag_text() or ""
        elif "data-part" in given or "data-step" in given:
            self._inside, self._name = tag, given.get("data-part") or ""
            self._begin, self._open = self._place(), 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Pass over an element without content."""

    def handle_endtag(self, tag: str) -> None:
        """End the part or step if this is its end."""
        if tag != self._inside:
            return
        self._open -= 1
        if not self._open:
            text = self._text[self._begin : self._text.index(">", self._place()) + 1]
            if self._name:
                self.parts[self._name] = text
            else:
                self.steps.append(text)
            self._inside = ""

    def _place(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column
