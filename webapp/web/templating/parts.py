"""The parts of the fragment of a shared table (a *room*), recorded while its templates are rendered.

Templates wrap each part in ``{% call part(name) %}``, the tag of the room in ``{% call room_tag() %}`` and steps that
pages show one by one in ``{% call room_step() %}``. Outside of ``collect`` these change nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flask import g
from markupsafe import Markup

Caller = Callable[[], Markup]


@dataclass(slots=True)
class Room:
    """A fragment: its opening tag, its parts by name, and its steps.

    ``address``: that of its forms, which contains the version. Parts that differ in nothing else count as unchanged.
    """

    address: str
    tag: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    is_inside: bool = False
    """A part or step is being recorded. Parts within it belong to it."""

    def marks(self) -> Mapping[str, int]:
        """Return a hash of each part, with 64 bits: valid in this process, and not to be guessed by others."""
        action = f'action="{self.address}"'
        return {name: hash(text.replace(action, "")) for name, text in self.parts.items()}

    def without(self, marks: Mapping[str, int], own: Mapping[str, int] | None = None) -> str:
        """Return the fragment without the parts that have these hashes. ``own``: its own ones, if known."""
        changed = [self.parts[name] for name, mark in (own or self.marks()).items() if marks.get(name) != mark]
        return "\n".join((self.tag, *changed, *self.steps, "</div>"))


def collect(render: Callable[[], str], address: str) -> tuple[str, Room]:
    """Render a fragment; return its text and its parts. ``address``: that of its forms, with the version."""
    room = g.room = Room(address)
    try:
        text = render()
    finally:
        del g.room
    return text, room


def part(name: str, caller: Caller) -> Markup:
    """Record the element with ``data-part`` that the caller renders."""
    return _note(caller, lambda room, text: room.parts.update({name: text}))


def room_tag(caller: Caller) -> Markup:
    """Record the opening tag of a room."""
    return _note(caller, lambda room, text: setattr(room, "tag", text))


def room_step(caller: Caller) -> Markup:
    """Record the ``template`` element with ``data-step`` that the caller renders."""
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
