"""No event stream contains a face-down card, a card of the deck, or the seed.

Every byte that each stream has sent is searched, from the first bet to the end of random rounds; and each pushed update
equals what its viewer gets by a request.
"""

from random import Random

import pytest
from flask import Flask

from tests.support.player import Json
from tests.support.pushed_pages import FRAGMENT, Page, is_of_known_events, shown_by
from tests.support.secret_scan import cards_in, tells_the_seed
from tests.support.table_players import (
    TablePlayer,
    betting,
    drawn_for_the_bank,
    finished,
    lying,
    open_cards,
    people,
    see_all,
)

Heard = list[tuple[int, bool, str]]
"""What streams have sent while so many cards lay on the table, and whether the banker's second card was turned."""


class Room:
    """A table of three players and two watchers; each has a page with an open stream."""

    def __init__(self, app: Flask, chance: Random) -> None:
        self.chance = chance
        self.seats = betting(app, 3)
        self.watchers = people(app, 2)
        self.watchers[1].line.client.set_cookie("prefs", "language=ja")
        for watcher in self.watchers:
            watcher.come(self.seats[0].code)
        self.pages = [Page(visitor) for visitor in (*self.seats, *self.watchers)]
        self.heard: Heard = []
        self.read = [0] * len(self.pages)

    def act(self, visitor: TablePlayer, verb: str, *arg: str) -> None:
        """Act as JSON client or page; then read all streams, and compare each page with a requested one."""
        if self.chance.random() < 0.5:
            visitor.now(verb, *arg)
            answer = ""
        else:
            version = visitor.see()["version"]
            fields = [("verb", verb), *(("arg", word) for word in arg), ("cut", f"cut-{visitor.you}")]
            shown = visitor.post(f"/t/{visitor.code}/{version}", fields, **FRAGMENT)
            answer = shown.text
            assert shown.status == 200, answer
            assert shown_by(shown)[0] > version
        assert visitor.status == 200, visitor.answer.text
        table = self.watchers[0].see()
        self._read(table, answer)

    def _read(self, table: Json, answer: str) -> None:
        turned = table["acting"] == table["banker"] or table["phase"] == "settled"
        for number, page in enumerate(self.pages):
            assert page.news() is not None
            assert (page.version, page.room) == page.fetched()
            sent = page.sent[self.read[number] :]
            self.read[number] += len(sent)
            assert is_of_known_events(sent), sent
            self.heard += [(lying(table), turned, text) for text in (sent, answer)]

    def play(self) -> Heard:
        """Play a round from the first bet to its end; return what the streams have sent meanwhile."""
        self.heard = []
        for seat in self.seats:
            if "ready" in seat.see()["actions"]:
                self.act(seat, "ready")
        for seat in self.seats:
            if "bet" in seat.see()["actions"]:
                self.act(seat, "bet", str(self.chance.randint(*seat.table["limits"])))
        while self.watchers[0].see()["phase"] == "playing":
            see_all(self.seats)
            in_turn = next(each for each in self.seats if each.you == each.table["acting"])
            verbs = [verb for verb in in_turn.table["actions"] if verb in ("hit", "stand", "double", "split")]
            self.act(in_turn, self.chance.choice(verbs))
        return self.heard

    def close(self) -> None:
        for page in self.pages:
            page.stream.close()


def require_hidden(heard: Heard, hand: Json, earlier: frozenset[str] = frozenset()) -> None:
    """Assert that nothing hidden was sent. ``earlier``: cards of previous rounds, which the page lists."""
    for number, turned, text in heard:
        extra = cards_in(text) - open_cards(hand, number, turned) - earlier
        assert not extra, f"{extra} with {number} cards on the table in {hand['notation']}"
    assert not tells_the_seed([text for *_, text in heard], bytes.fromhex(hand["proof"]["seed"]))


@pytest.mark.parametrize("rooms", [4, pytest.param(100, marks=pytest.mark.soak)])
def test_no_stream_of_anybody_shows_a_hidden_card_or_the_seed(app: Flask, rooms: int) -> None:
    views, seats = 0, set[int]()
    for number in range(rooms):
        room = Room(app, Random(number))
        try:
            earlier = frozenset(drawn_for_the_bank(room.watchers[0].see()))
            for _ in range(2):  # the third player plays from the second round on
                heard = room.play()
                hand = finished(room.watchers[0])
                require_hidden(heard, hand, earlier)
                earlier |= frozenset(hand["cards"][0])
                seats.add(len(hand["stakes"]))
                views += sum(cards > 0 and not turned and "hx-partial" in text for cards, turned, text in heard)
        finally:
            room.close()
    assert seats == {2, 3}
    assert views >= 10 * rooms, "to each page in each round, but for rounds that end with the deal"


def test_the_checks_above_can_fail() -> None:
    sent = 'id: 3\ndata: <i data-card="8d">\n\nretry: 2000\nevent: moved\ndata: 3\n\n'
    assert is_of_known_events(sent)
    assert not is_of_known_events(": 8d\n\n" + sent)
    assert not is_of_known_events(sent + "event: watching\ndata: 1 8d\n\n")
    assert not is_of_known_events(sent[:-1])
    hand = {"cards": [["6c", "Th", "9s", "8d", "5h"]], "stakes": [10, 20], "notation": "", "proof": {"seed": "00" * 32}}
    with pytest.raises(AssertionError, match="8d"):
        require_hidden([(4, False, sent)], hand)
    require_hidden([(4, True, sent)], hand)
