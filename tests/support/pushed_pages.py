"""Pages of a shared table that are updated from their event stream."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.support.parts import PARTIAL, Room, plain, room_of
from tests.support.player import Answer
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer

FRAGMENT: Final = {"Accept": "text/html", "HX_Request": "true"}

_EVENTS: Final = re.compile(
    r"(id: \d+\n(data: [^\n\r]*\n)+\n"
    r"|(retry: \d+\n)?event: moved\ndata: \d+\n\n"
    r"|event: watching\ndata: \d+\n\n"
    r"|event: reaction\ndata: \d [a-z]+ [\w-]+\n\n"
    r"|retry: \d+\nevent: (end|full)\ndata: [a-z]+\n\n"
    r"|event: beat\ndata: \d+\n\n)*"
)
"""All that a stream is made of."""


def is_of_known_events(sent: str) -> bool:
    """Return True if the text consists of whole events of known types and nothing else."""
    return _EVENTS.fullmatch(sent) is not None


@dataclass(frozen=True, slots=True)
class Pushed:
    """A message with parts. ``text``: what its lines say."""

    version: int
    parts: Mapping[str, str]
    text: str


def pushed_in(sent: str) -> list[Pushed]:
    """Return the messages with parts that a stream has sent. Asserts that they consist of parts, the state first."""
    messages = list[Pushed]()
    for event in sent.split("\n\n"):
        if event.startswith("id: "):
            head, *lines = event.split("\n")
            text = "\n".join(line.removeprefix("data: ") for line in lines)
            parts = dict(PARTIAL.findall(text))
            assert not PARTIAL.sub("", text), "only parts"
            assert next(iter(parts)) == "state"
            assert room_of(text).parts == parts
            messages.append(Pushed(int(head.removeprefix("id: ")), parts, text))
            assert Room(parts).version == messages[-1].version
    return messages


class Page:
    """A page that keeps its room up to date from an event stream.

    ``room`` is compared without the version in form addresses.
    """

    def __init__(self, visitor: TablePlayer) -> None:
        self.visitor, self.code = visitor, visitor.code
        self.version, self.room = self.fetched()
        self.stream = OpenStream(visitor.line.client, self.code, since=self.version)  # type: ignore[union-attr]

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

    def news(self) -> Pushed | None:
        """Read until the version changes; return the pushed update, None if there was none."""
        pushed: Pushed | None = None
        while True:
            event = next(self.stream)
            pushed = next(iter(pushed_in(event)), pushed)
            if "event: moved" in event and int(event.partition("data: ")[2]) > self.version:
                break
        if pushed is not None:
            self.room = Room({**self.room.parts, **{name: plain(part) for name, part in pushed.parts.items()}})
            self.version = pushed.version
        return pushed

    def is_whole(self, pushed: Pushed) -> bool:
        """Return True if the update has all parts of the room."""
        return pushed.parts.keys() == self.room.parts.keys()


def shown_by(answer: Answer) -> tuple[int, Room]:
    """Return the version and the room of an answer."""
    found = room_of(answer.text)
    return found.version, Room({name: plain(part) for name, part in found.parts.items()})
