"""A view of a shared table as it was rendered: who sees it, and in what it differs from an earlier version."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from webapp.event_loop.stream_encoding import Message
from webapp.services.core.clock import now_ms
from webapp.services.tables.reading.facts import Snapshot
from webapp.web.request.preferences import Preferences
from webapp.web.templating.parts import Room


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Who sees the same of a table: ``player`` for a seat, None for all watchers; and how it is written.

    ``root``: where links lead; ``url_root``: where the site is reached.
    """

    code: str
    player: str | None
    language: str
    preferences: Preferences
    root: str
    url_root: str
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the hash once: each page that is pushed to asks for it several times."""
        shown = (self.code, self.player, self.language, self.preferences, self.root, self.url_root)
        object.__setattr__(self, "_hash", hash(shown))

    def __hash__(self) -> int:
        return self._hash


@dataclass(slots=True)
class Rendering:
    """A view of one version. ``holders``: who acts for a seat. ``session_number``: of the player whose view it is.

    ``marks`` tell its parts from those of other versions; ``room`` is kept for a while only. ``sent``: what streams
    have been sent, by the version before.
    """

    version: int
    now: int
    holders: frozenset[str]
    session_number: int | None
    marks: Mapping[str, bytes]
    room: Room | None
    sent: dict[int, Message] = field(default_factory=dict)

    def forget_text(self) -> None:
        """Keep what is needed to tell what differs in a later version."""
        self.room, self.sent = None, {}

    def encode(self, room: Room, before: "Rendering | None") -> Message:
        """Return an event with what of it differs from an earlier version, all of it without one. ``room``: its own.

        It is encoded and compressed here, once for all who are sent it. bench: tables.
        """
        html = room.without(before.marks if before else {}, self.marks)
        said = {"version": self.version, "since": before.version if before else 0, "now": self.now, "html": html}
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        return Message(f"id: {self.version}\nevent: parts\ndata: {text}\n\n".encode())


def rendered(table: Snapshot, room: Room, session_number: int | None) -> Rendering:
    """Return the rendering of a table that is this room."""
    holders = frozenset(seat.holder for seat in table.seats)
    return Rendering(table.version, now_ms(), holders, session_number, room.marks(), room)
