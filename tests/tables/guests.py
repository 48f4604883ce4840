"""People at a shared table who speak JSON.

    alice = Guest(client)
    code = alice.open(turn_clock=30)
    alice.do("sit", 0)
    alice.do("ready")

Every answer that shows the table is kept as ``table``; ``do`` acts on the version that this guest saw last.
"""

from typing import Any

from flask import Flask

from tests.web.player import Json, Player


class Guest(Player):
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
        """Look at a table, and remember it."""
        self.code = code
        return self.see()

    def see(self) -> Json:
        self.get(f"/t/{self.code}")
        return self._keep()

    def do(self, verb: str, arg: object = None, cut: str = "", version: int | None = None, **more: str) -> Json:  # type: ignore[override]
        at = self.version if version is None else version
        fields = [("verb", verb), *([("arg", str(arg))] if arg is not None else []), *([("cut", cut)] if cut else [])]
        self.post(f"/t/{self.code}/{at}", [*fields, *more.items()])
        return self._keep()

    def now(self, verb: str, arg: object = None, cut: str = "") -> Json:
        """Look first: on whatever version there is."""
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
        self._answer = app.test_client().get(f"/t/{code}/events", buffered=False)
        self._stream = iter(self._answer.response)

    def news(self) -> str:
        """Read all that it sends, until it has sent that the table has changed."""
        said = b""
        while b"moved" not in said:
            said += next(self._stream)  # type: ignore[operator]
        return said.decode()

    def close(self) -> None:
        self._answer.close()


def people(app: Flask, count: int) -> list[Guest]:
    return [Guest(app.test_client()) for _ in range(count)]


def seated(app: Flask, count: int = 2, **rules: Any) -> list[Guest]:
    """So many people who have sat down, and are not ready yet."""
    guests = people(app, count)
    code = guests[0].open(**rules)
    for number, guest in enumerate(guests):
        guest.come(code)
        guest.now("sit", number)
        assert guest.status == 200, guest.answer.text
    return guests


def betting(app: Flask, count: int = 2, **rules: Any) -> list[Guest]:
    """All are ready, and the bets are open."""
    guests = seated(app, count, **rules)
    for guest in guests:
        guest.now("ready")
        assert guest.status == 200, guest.answer.text
    see_all(guests)
    return guests


def see_all(guests: list[Guest]) -> None:
    for guest in guests:
        guest.see()


def banker_of(guests: list[Guest]) -> Guest:
    return next(guest for guest in guests if guest.you == guest.table["banker"])


def players(guests: list[Guest]) -> list[Guest]:
    """Those who bet, in the order of the seats after the bank."""
    banker = banker_of(guests)
    rest = [guest for guest in guests if guest is not banker]
    return sorted(rest, key=lambda guest: ((guest.you or 0) - (banker.you or 0)) % 5)


def bet_all(guests: list[Guest], chips: int = 10) -> None:
    for guest in players(guests):
        if "bet" in guest.see()["actions"]:
            guest.do("bet", chips, cut=f"cut-{guest.you}")
            assert guest.status == 200, guest.answer.text
    see_all(guests)


def play_out(guests: list[Guest], prefer: tuple[str, ...] = ("stand", "hit")) -> None:
    """Everybody acts in turn until the round is over."""
    for _ in range(60):
        see_all(guests)
        if guests[0].phase != "playing":
            return
        acting = next(guest for guest in guests if guest.you == guest.table["acting"])
        verb = next(verb for verb in prefer if verb in acting.table["actions"])
        acting.do(verb)
        assert acting.status == 200, acting.answer.text
    raise AssertionError("sixty turns, and no end")
