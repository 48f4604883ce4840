"""The parts of the page of a shared table, recorded while its templates are rendered.

Templates wrap each part in ``{% call part(name) %}``. Its element has the same name in ``data-part``. Outside of
``collect`` this changes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flask import g
from markupsafe import Markup

Caller = Callable[[], Markup]


@dataclass(slots=True)
class Room:
    """The parts of a table by name.

    ``address``: that of its forms, which contains the version. Parts that differ in nothing else count as unchanged.
    """

    address: str
    parts: dict[str, str] = field(default_factory=dict)
    is_inside: bool = False
    """A part is being recorded. Parts within it belong to it."""

    def marks(self) -> Mapping[str, int]:
        """Return a hash of each part, with 64 bits: valid in this process, and not to be guessed by others."""
        return {name: hash(text.replace(self.address, "")) for name, text in self.parts.items()}

    def swaps(self, marks: Mapping[str, int], own: Mapping[str, int] | None = None) -> str:
        """Return what htmx puts into the page: all parts but those that have these hashes. ``own``: its own ones."""
        changed = (name for name, mark in (own or self.marks()).items() if marks.get(name) != mark)
        return "\n".join(
            f'<hx-partial hx-target="[data-part=\'{name}\']" hx-swap="outerHTML">{self.parts[name]}</hx-partial>'
            for name in changed
        )


def collect(render: Callable[[], str], address: str) -> Room:
    """Render a page and return its parts. ``address``: that of its forms, with the version."""
    room = g.room = Room(address)
    try:
        render()
    finally:
        del g.room
    return room


def part(name: str, caller: Caller) -> Markup:
    """Record the element with ``data-part`` that the caller renders."""
    room: Room | None = g.get("room")
    if room is None or room.is_inside:
        return caller()
    room.is_inside = True
    text = caller()
    room.is_inside = False
    room.parts[name] = str(text).strip()
    return text
