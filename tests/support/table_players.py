"""Clients at a shared table that speak JSON.

    alice = TablePlayer(client)
    code = alice.open(turn_clock=30)
    alice.do("sit", 0)
    alice.do("ready")

``table`` is the table in the last response; ``do`` sends commands for the version that it shows.
"""

from typing import Any

from flask import Flask

from tests.support.clock import Clock, run_timer
from tests.support.moves import finished_json
from tests.support.player import InProcess, Json, Player
from tests.support.streams import OpenStream

NO_CLOCK = {"turn_clock": "300", "bet_clock": "300", "absent_after": "120"}


class TablePlayer(Player):
    code: str = ""

    @property
    def table(self) -> Json:
        return self.board

    @property
    def version(self) -> int:
        return int(self.board["version"])

    @property
    def phase(self) -> str:
        return str(self.board["phase"])

    @property
    def you(self) -> int | None:
        number: int | None = self.board["you"]
        return number

    @property
    def chips(self) -> int:
        return int(self.seat()["chips"])

    def seat(self, number: int | None = None) -> Json:
        wanted = self.you if number is None else number
        seat: Json = next(seat for seat in self.board["seats"] if seat["seat"] == wanted)
        return seat

    def open(self, **fields: Any) -> str:
        self.post("/tables", [(name, str(value)) for name, value in fields.items()])
        assert self.status == 201, self.answer.text
        self._keep()
        self.code = self.board["code"]
        return self.code

    def come(self, code: str) -> Json:
        """Look at a table and use it from now on."""
        self.code = code
        return self.see()

    def see(self) -> Json:
        """Look at the table, as a page does at a site whose timer is running: who was away is there again."""
        for _ in range(2):
            if isinstance(self.line, InProcess):
                run_timer(self.line.client.application)
            self.get(f"/t/{self.code}")
            said = self._keep()
            if said.get("you") is None or not self.seat()["auto"]:
                break
        return said

    def do(self, verb: str, arg: object = None, cut: str = "", version: int | None = None, **more: str) -> Json:  # type: ignore[override]
        at = self.version if version is None else version
        fields = [("verb", verb), *([("arg", str(arg))] if arg is not None else []), *([("cut", cut)] if cut else [])]
        self.post(f"/t/{self.code}/{at}", [*fields, *more.items()])
        return self._keep()

    def now(self, verb: str, arg: object = None, cut: str = "") -> Json:
        """Look at the table, then send a command for its current version."""
        self.see()
        return self.do(verb, arg, cut)

    def _keep(self) -> Json:
        said: Json = self.answer.json
        if "version" in said:
            self.board = said
        return said


class Line:
    """The event stream of a watcher."""

    def __init__(self, app: Flask, code: str) -> None:
        self._stream = OpenStream(app.test_client(), code)

    def news(self) -> str:
        """Read until the stream announces a new version; return what was read."""
        return self._stream.until("moved")

    def close(self) -> None:
        self._stream.close()


def people(app: Flask, count: int) -> list[TablePlayer]:
    return [TablePlayer(app.test_client()) for _ in range(count)]


def seated(app: Flask, count: int = 2, **rules: Any) -> list[TablePlayer]:
    """Open a table and seat this many people, who are not ready yet."""
    visitors = people(app, count)
    code = visitors[0].open(**rules)
    for number, visitor in enumerate(visitors):
        visitor.come(code)
        visitor.now("sit", number)
        assert visitor.status == 200, visitor.answer.text
    return visitors


def betting(app: Flask, count: int = 2, **rules: Any) -> list[TablePlayer]:
    """Open a table where all are ready and bets are open."""
    visitors = seated(app, count, **rules)
    for visitor in visitors:
        visitor.now("ready")
        assert visitor.status == 200, visitor.answer.text
    see_all(visitors)
    return visitors


def see_all(visitors: list[TablePlayer]) -> None:
    for visitor in visitors:
        visitor.see()


def banker_of(visitors: list[TablePlayer]) -> TablePlayer:
    return next(visitor for visitor in visitors if visitor.you == visitor.table["banker"])


def players(visitors: list[TablePlayer]) -> list[TablePlayer]:
    """Return the people who bet, in the order of the seats after the bank, and then those who watch this round."""
    banker = banker_of(visitors)
    rest = [visitor for visitor in visitors if visitor is not banker]
    waiting = {seat["seat"] for seat in banker.table["seats"] if not seat["playing"]}
    return sorted(rest, key=lambda visitor: (visitor.you in waiting, ((visitor.you or 0) - (banker.you or 0)) % 5))


def bet_all(visitors: list[TablePlayer], chips: int = 10) -> None:
    for visitor in players(visitors):
        if "bet" in visitor.see()["actions"]:
            visitor.do("bet", chips, cut=f"cut-{visitor.you}")
            assert visitor.status == 200, visitor.answer.text
    see_all(visitors)


def play_out(visitors: list[TablePlayer], prefer: tuple[str, ...] = ("stand", "hit")) -> None:
    """Let everybody act in turn until the round is over."""
    for _ in range(60):
        see_all(visitors)
        if visitors[0].phase != "playing":
            return
        acting = next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])
        verb = next(verb for verb in prefer if verb in acting.table["actions"])
        acting.do(verb)
        assert acting.status == 200, acting.answer.text
    raise AssertionError("sixty turns, and no end")


def finished(visitor: TablePlayer) -> dict:
    visitor.see()
    return finished_json(visitor, visitor.table["last"].removeprefix("/h/"))


def moves_at(table: Json) -> int:
    """Return the number of moves that players other than the bank have made."""
    return sum(len(hand["moves"]) for seat in table["seats"] if not seat["banker"] for hand in seat["hands"] or [])


def lying(table: Json) -> int:
    """Return the number of cards on the table, face up or down."""
    return sum(len(hand["cards"]) for seat in table["seats"] for hand in seat["hands"] or [])


def open_cards(hand: Json, number: int, turned: bool) -> set[str]:
    """Return the open ones among the first ``number`` cards of a finished round.

    The bank is dealt to last, and its second card is face down until ``turned``.
    """
    hidden = hand["cards"][0][2 * len(hand["stakes"]) - 1]
    return set(hand["cards"][0][:number]) - (set() if turned else {hidden})


def drawn_for_the_bank(table: Json) -> set[str]:
    """Return the cards that were drawn for who has the bank first: they are of no round, and everybody sees them."""
    labels = [*table["said"], *(line["label"] for line in table["log"])]
    return {label["args"]["card"] for label in labels if label["code"] == "SEAT_DRAWS_FOR_BANK"}


def acting(visitors: list[TablePlayer]) -> TablePlayer:
    see_all(visitors)
    return next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])


def playing(app: Flask, count: int = 2, bets: int = 20, **rules: object) -> list[TablePlayer]:
    """Open a table with cards dealt and a player, not the bank, to act."""
    while True:
        visitors = betting(app, count, **rules)
        bet_all(visitors, bets)
        if visitors[0].phase == "playing" and visitors[0].table["acting"] != visitors[0].table["banker"]:
            return visitors


def keep_alive(visitors: list[TablePlayer], clock: Clock, seconds: float) -> None:
    """Let time pass while these players send heartbeats."""
    while seconds > 0:
        clock.move(min(5, seconds))
        seconds -= 5
        see_all(visitors)


def two_who_bet(site: str) -> list[TablePlayer]:
    """Return two JSON clients at a table of this site whose bets are open, and wait long."""
    visitors = [TablePlayer(site) for _ in range(2)]
    code = visitors[0].open(**NO_CLOCK)
    for number, visitor in enumerate(visitors):
        visitor.come(code)
        visitor.now("sit", number)
    for visitor in visitors:
        visitor.now("ready")
    for visitor in visitors:
        visitor.see()
    return visitors
