"""A rendered view of a shared table, and its difference to an earlier version."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from webapp.services.core.clock import now_ms
from webapp.services.tables.reading.facts import Snapshot
from webapp.web.request.preferences import Preferences
from webapp.web.templating.parts import Room


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """All that a view of a table depends on, besides its version. Viewers with equal viewpoints share one rendering.

    ``player``: that of a seat, None for watchers. ``root``: beginning of links that are given to others. ``url_root``:
    address at which the site was reached.
    """

    code: str
    player: str | None
    language: str
    preferences: Preferences
    root: str
    url_root: str
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the hash once: each push to a stream needs it several times."""
        shown = (self.code, self.player, self.language, self.preferences, self.root, self.url_root)
        object.__setattr__(self, "_hash", hash(shown))

    def __hash__(self) -> int:
        return self._hash


@dataclass(slots=True)
class Rendering:
    """A view of one version.

    ``holders``: players who act for a seat. ``session_number``: of the viewpoint's player. ``marks``: hashes of the
    parts. ``room``: the HTML, which is dropped after a while. ``sent``: messages with the difference to an earlier
    version, by version.
    """

    version: int
    now: int
    holders: frozenset[str]
    session_number: int | None
    marks: Mapping[str, int]
    room: Room | None
    sent: dict[int, bytes] = field(default_factory=dict)

    def forget_text(self) -> None:
        """Drop the HTML, and keep the hashes by which later versions are compared."""
        self.room, self.sent = None, {}

    def encode(self, room: Room, before: "Rendering | None") -> bytes:
        """Return an event with the difference to an earlier version, or with the whole view. ``room``: its own HTML.

        It is encoded once for all streams. bench: tables.
        """
        html = room.without(before.marks if before else {}, self.marks)
        said = {"version": self.version, "since": before.version if before else 0, "now": self.now, "html": html}
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.version}\nevent: parts\ndata: {text}\n\n".encode()


def rendered(table: Snapshot, room: Room, session_number: int | None) -> Rendering:
    """Return the rendering of a table with this HTML."""
    holders = frozenset(seat.holder for seat in table.seats)
    return Rendering(table.version, now_ms(), holders, session_number, room.marks(), room)
