"""Pages of a shared table that are updated from their event stream."""

import json
import re
from typing import Final

from tests.support.parts import Room, plain, room_of
from tests.support.player import Answer, Json
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer

FRAGMENT: Final = {"Accept": "text/html", "HX_Request": "true"}

_EVENTS: Final = re.compile(
    r"(retry: \d+\n\n"
    r"|id: \d+\nevent: parts\ndata: \{[^\n]*\}\n\n"
    r"|event: (moved|watching)\ndata: \d+\n\n"
    r"|event: reaction\ndata: \d [a-z]+ [\w-]+\n\n"
    r"|event: beat\ndata: \n\n)*"
)
"""All that a stream is made of."""


def is_of_known_events(sent: str) -> bool:
    """Return True if the text consists of whole events of known types and nothing else."""
    return _EVENTS.fullmatch(sent) is not None


def rooms_in(sent: str) -> list[Room]:
    """Return the rooms that a stream has sent."""
    events = [event for event in sent.split("\n\n") if "event: parts" in event]
    return [room_of(json.loads(event.partition("data: ")[2])["html"]) for event in events]


class Page:
    """A page that keeps its room up to date from an event stream.

    ``room`` is compared without the version in form addresses.
    """

    def __init__(self, visitor: TablePlayer) -> None:
        self.visitor, self.code = visitor, visitor.code
        self.version, self.room = self.fetched()
        self.stream = OpenStream(visitor.line.client, self.code, since=self.version)

    @property
    def sent(self) -> str:
        """Everything the stream has sent."""
        return self.stream.sent.decode()

    @property
    def parts(self) -> dict[str, str]:
        return dict(self.room.parts)

    def fetched(self) -> tuple[int, Room]:
        """Return version and room as a request for the page returns them now."""
        return shown_by(self.visitor.get(f"/t/{self.code}", **FRAGMENT))

    def news(self) -> Json | None:
        """Read until the version changes; return the pushed update, None if there was none.

        Asserts that an update contains parts of a room and nothing else.
        """
        pushed: Json | None = None
        while True:
            event = next(self.stream)
            if "event: parts" in event:
                pushed = json.loads(event.partition("data: ")[2])
            if "event: moved" in event and int(event.partition("data: ")[2]) > self.version:
                break
        if pushed is not None:
            assert pushed.keys() == {"version", "since", "now", "html"}
            assert pushed["since"] in (0, self.version)
            changed = room_of(pushed["html"])
            assert pushed["html"] == "\n".join((changed.tag, *changed.parts.values(), *changed.steps, "</div>"))
            new = _comparable(changed)
            self.room = Room(new.tag, {**self.room.parts, **new.parts}, new.steps)
            self.version = pushed["version"]
        return pushed


def shown_by(answer: Answer) -> tuple[int, Room]:
    """Return the version and the room of a fragment."""
    room = _comparable(room_of(answer.text))
    version = re.search(r'data-version="(\d+)"', room.tag)
    assert version
    return int(version[1]), room


def _comparable(room: Room) -> Room:
    parts = {name: plain(part) for name, part in room.parts.items()}
    return Room(room.tag, parts, tuple(map(plain, room.steps)))
