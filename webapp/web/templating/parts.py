"""The parts of a room: what the fragment of a shared table consists of, noted while its templates are rendered.

Templates wrap each part in ``{% call part(name) %}``, the tag of the room in ``{% call room_tag() %}`` and steps that
pages show one by one in ``{% call room_step() %}``. Outside of ``collect`` these change nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from flask import g
from markupsafe import Markup

Caller = Callable[[], Markup]


@dataclass(slots=True)
class Room:
    """A fragment: the tag it begins with, its parts by name, and its steps.

    ``address`` is that of its forms. The version in it changes with every move, the parts do not.
    """

    address: str
    tag: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    is_inside: bool = False
    """Something is being noted: parts within parts or within steps belong to these."""

    def marks(self) -> Mapping[str, bytes]:
        """Return what tells the parts from others of the same names."""
        plain = {name: text.replace(f'action="{self.address}"', "") for name, text in self.parts.items()}
        return {name: sha256(text.encode()).digest()[:16] for name, text in plain.items()}

    def without(self, marks: Mapping[str, bytes], own: Mapping[str, bytes] | None = None) -> str:
        """Return the fragment without the parts that have these marks. ``own``: those of the fragment, if known."""
        changed = [self.parts[name] for name, mark in (own or self.marks()).items() if marks.get(name) != mark]
        return "\n".join((self.tag, *changed, *self.steps, "</div>"))


def collect(render: Callable[[], str], address: str) -> tuple[str, Room]:
    """Return what is rendered, and the room that it is. ``address``: where its forms lead, a version included."""
    room = g.room = Room(address)
    try:
        text = render()
    finally:
        del g.room
    return text, room


def part(name: str, caller: Caller) -> Markup:
    """Note an element with ``data-part``, all of which the caller makes."""
    return _note(caller, lambda room, text: room.parts.update({name: text}))


def room_tag(caller: Caller) -> Markup:
    """Note the tag that a room begins with."""
    return _note(caller, lambda room, text: setattr(room, "tag", text))


def room_step(caller: Caller) -> Markup:
    """Note a template with ``data-step``."""
    return _note(caller, lambda room, text: room.steps.append(text))


def _note(caller: Caller, keep: Callable[[Room, str], None]) -> Markup:
    room: Room | None = g.get("room")
    if room is None or room.is_inside:
        return caller()
    room.is_inside = True
    text = caller()
    room.is_inside = False
    keep(room, str(text).strip())
    return text
